/// One method of one path.
package struct Route: Sendable {
  package let method: HTTPMethod

  /// Compared with the request's decoded path, byte for byte; where it ends in `/*`, any one name may stand in that place.
  package let path: String

  package let body: BodyPolicy

  /// Asked once the head is there and before a byte of the body is read.
  package let admit: @Sendable (HTTPRequestHead) -> Admission

  /// Called on a thread of the server, which serves other connections too: answer at once or hand the responder on.
  package let handle: @Sendable (HTTPRequest, Responder) -> Void

  package init(
    _ method: HTTPMethod, _ path: String, body: BodyPolicy = .none,
    admit: @escaping @Sendable (HTTPRequestHead) -> Admission = { _ in .accept() },
    handle: @escaping @Sendable (HTTPRequest, Responder) -> Void
  ) {
    self.method = method
    self.path = path
    self.body = body
    self.admit = admit
    self.handle = handle
  }
}

/// What a route takes for a body.
package enum BodyPolicy: Sendable {
  /// None; a request that has one is answered 413.
  case none

  /// At most `limit` bytes, as sent and, where it `inflates` gzip, after inflating too. A body whose type is not named is taken
  /// for the first of `contentTypes`, which are written in lower case and without parameters.
  case accept(limit: Int, contentTypes: [String], inflates: Bool)
}

/// A route's word on a request whose body is still unread.
package enum Admission: Sendable {
  /// Go on; the context travels with the request.
  case accept(context: (any Sendable)? = nil)

  /// Answer this instead.
  case refuse(HTTPResponse)

  /// As `refuse`, with the body left to the server's `errorBody`.
  case reject(HTTPFault)
}
