/// Why the server turns a request down.
package struct HTTPFault: Error, Sendable {
  package var status: HTTPStatus

  /// For programs: lower case, with underscores.
  package var code: String

  /// For people: what is wrong and how to mend it; never what the client sent in its body.
  package var message: String

  /// Added to those of the answer, such as `Allow` or `Retry-After`.
  package var headers: HTTPFields

  /// nil until the request has one.
  package var requestID: String?

  package init(_ status: HTTPStatus, _ code: String, _ message: String, headers: HTTPFields = [:]) {
    self.status = status
    self.code = code
    self.message = message
    self.headers = headers
  }
}

/// The body of an answer that says why not.
package struct ErrorBody: Sendable {
  package var contentType: String
  package var bytes: [UInt8]

  package init(contentType: String, bytes: [UInt8]) {
    self.contentType = contentType
    self.bytes = bytes
  }

  /// `{"error":{"code":"…","message":"…"}}`
  package init(json fault: HTTPFault) {
    let text =
      #"{"error":{"code":""# + Self.escaped(fault.code) + #"","message":""#
      + Self.escaped(fault.message) + #""}}"#
    self.init(contentType: "application/json", bytes: Array(text.utf8))
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        result.unicodeScalars.append("\\")
        result.unicodeScalars.append(scalar)
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
