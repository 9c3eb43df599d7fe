/// An answer. The server adds `Date`, `Content-Length`, `X-Request-Id` and, where needed, `Connection`.
package struct HTTPResponse: Sendable {
  /// 200–599; any other makes the answer a 500.
  package var status: HTTPStatus

  /// A control character in one of them, or a field that frames the message, makes the answer a 500.
  package var headers: HTTPFields

  package var body: [UInt8]

  package init(status: HTTPStatus, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(status: HTTPStatus, contentType: String, body: [UInt8]) {
    self.init(status: status, headers: ["Content-Type": contentType], body: body)
  }
}
