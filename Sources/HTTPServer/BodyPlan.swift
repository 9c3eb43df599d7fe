/// How the body of one request is to be read, settled before its first byte.
struct BodyPlan {
  /// Else it is read as it came.
  let isGzip: Bool

  /// Bytes, as sent and after inflating.
  let limit: Int

  let contentType: String

  /// The length that the head announces; nil = chunked, or no body.
  let expectedLength: Int?

  /// - Throws: 413, 415 or 400, where the body will not be read at all.
  init(policy: BodyPolicy, headers: HTTPFields, framing: Framing) throws(HTTPFault) {
    guard case .accept(let limit, let types, let inflates) = policy else {
      if framing.hasBody { throw Self.tooLarge(limit: 0) }
      self.init(isGzip: false, limit: 0, contentType: "", expectedLength: nil)
      return
    }
    let type = try Self.contentType(headers, accepted: types)
    let isGzip = try Self.isGzip(headers, inflates: inflates)
    var expected: Int?
    if case .length(let length) = framing {
      if length > limit { throw Self.tooLarge(limit: limit) }
      expected = length
    }
    self.init(isGzip: isGzip, limit: limit, contentType: type, expectedLength: expected)
  }

  private init(isGzip: Bool, limit: Int, contentType: String, expectedLength: Int?) {
    self.isGzip = isGzip
    self.limit = limit
    self.contentType = contentType
    self.expectedLength = expectedLength
  }

  private static func contentType(_ headers: HTTPFields, accepted: [String]) throws(HTTPFault) -> String {
    let values = headers.values(of: "Content-Type")
    guard let value = values.first else { return accepted.first ?? "" }
    if values.count > 1 { throw Framing.malformed("Send Content-Type once.") }
    // The common case, without taking the value apart.
    if let plain = accepted.first(where: { $0 == value }) { return plain }
    guard let type = MediaType(value), let match = accepted.first(where: { $0 == type.essence }) else {
      throw HTTPFault(
        .unsupportedMediaType, "content_type_not_supported",
        "Send one of these content types: " + accepted.joined(separator: ", ") + ".")
    }
    guard type.isUTF8 else {
      throw HTTPFault(.unsupportedMediaType, "charset_not_supported", "Send the body in UTF-8.")
    }
    return match
  }

  private static func isGzip(_ headers: HTTPFields, inflates: Bool) throws(HTTPFault) -> Bool {
    let codings = headers.values(of: "Content-Encoding").flatMap { $0.split(separator: ",") }
      .map { String($0).trimmingBlanks }
      .filter { !$0.isEmpty && !$0.equalsIgnoringCase("identity") }
    guard let coding = codings.first else { return false }
    let isGzip = coding.equalsIgnoringCase("gzip") || coding.equalsIgnoringCase("x-gzip")
    guard codings.count == 1, isGzip, inflates else {
      throw HTTPFault(
        .unsupportedMediaType, "content_encoding_not_supported",
        inflates ? "Send the body as it is or with Content-Encoding: gzip." : "Send the body as it is.",
        headers: ["Accept-Encoding": inflates ? "gzip" : "identity"])
    }
    return true
  }

  static func tooLarge(limit: Int) -> HTTPFault {
    HTTPFault(
      .contentTooLarge, "body_too_large",
      limit == 0
        ? "This path takes no body."
        : "The body may have \(limit) bytes, as sent and after inflating; split it.")
  }
}
