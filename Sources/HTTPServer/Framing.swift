/// How long a request's body is, by a head of which no two readers could disagree.
///
/// Requests are smuggled past a proxy where it and the server behind it find different ends of one body. Everything that has been
/// read two ways is therefore refused here, RFC 9112 sections 5 and 6, before the body is touched.
enum Framing: Equatable {
  case none
  case length(Int)
  case chunked

  /// - Parameters:
  ///   - method: as sent.
  ///   - target: as sent.
  ///   - version: `HTTP/` and two digits with a dot.
  ///   - fields: values without blanks at their ends, except those of `Content-Length` and `Transfer-Encoding`.
  init(method: String, target: String, version: String, fields: HTTPFields) throws(HTTPFault) {
    guard method.isToken, target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Self.malformed("The request line holds characters that do not belong there.")
    }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw HTTPFault(.versionNotSupported, "version_not_supported", "Speak HTTP/1.1 or HTTP/1.0.")
    }
    var lengths: [String] = []
    var encodings: [String] = []
    var hosts: [String] = []
    for field in fields.fields {
      guard field.name.isToken else {
        throw Self.malformed("A header name holds characters that do not belong there, such as a blank.")
      }
      switch field.name.utf8.count {
      case 14 where field.name.equalsIgnoringCase("Content-Length"): lengths.append(field.value)
      case 17 where field.name.equalsIgnoringCase("Transfer-Encoding"): encodings.append(field.value)
      case 4 where field.name.equalsIgnoringCase("Host"): hosts.append(field.value)
      default: break
      }
    }
    try Self.check(hosts: hosts, isRequired: version == "HTTP/1.1")
    self =
      try encodings.isEmpty
      ? Self.framing(lengths: lengths)
      : Self.framing(encodings: encodings, beside: lengths, version: version)
  }

  var hasBody: Bool { self != .none && self != .length(0) }

  private static func check(hosts: [String], isRequired: Bool) throws(HTTPFault) {
    if hosts.isEmpty, !isRequired { return }
    guard hosts.count == 1, let host = hosts.first, !host.isEmpty,
      host.utf8.allSatisfy(\.mayStandInHost)
    else { throw malformed("Send one Host header, with a host and perhaps a port.") }
  }

  private static func framing(lengths: [String]) throws(HTTPFault) -> Framing {
    guard let length = lengths.first else { return .none }
    guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      throw malformed(badLength)
    }
    return .length(Int(length) ?? .max)
  }

  private static func framing(
    encodings: [String], beside lengths: [String], version: String
  ) throws(HTTPFault) -> Framing {
    guard lengths.isEmpty else {
      throw malformed("Send either Content-Length or Transfer-Encoding, not both.")
    }
    guard version == "HTTP/1.1" else { throw malformed("HTTP/1.0 knows no Transfer-Encoding.") }
    guard encodings.count == 1, let encoding = encodings.first else {
      throw malformed("Send Transfer-Encoding once.")
    }
    guard encoding.equalsIgnoringCase("chunked") else {
      throw HTTPFault(
        .notImplemented, "transfer_encoding_not_supported",
        "The only Transfer-Encoding taken here is chunked, without a blank behind it.")
    }
    return .chunked
  }

  static let badLength = "Send Content-Length once, as digits only, without a blank behind them."

  static func malformed(_ message: String) -> HTTPFault {
    HTTPFault(.badRequest, "malformed_request", message)
  }
}

extension UInt8 {
  fileprivate var mayStandInHost: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "#"),
      UInt8(ascii: "\\"):
      false
    default: self > 0x20 && self < 0x7F
    }
  }
}
