/// What is known of a request before its body.
package struct HTTPRequestHead: Sendable {
  package let method: HTTPMethod

  /// Percent-decoded; begins with `/`.
  package let path: String

  package let query: Query
  package let headers: HTTPFields

  /// Microseconds since 1970, taken when the head was complete.
  package let receivedAt: Int64

  /// The numeric address of the client: the peer's, or what a trusted proxy says of it.
  package let clientAddress: String

  /// The client's own `X-Request-Id` where it is fit to be kept, otherwise 16 hexadecimal digits.
  package let requestID: String

  /// Bytes as sent; nil = chunked, told only by its end.
  package let contentLength: Int?
}

/// A request with all of its body.
package struct HTTPRequest: Sendable {
  package let head: HTTPRequestHead

  /// After inflating. Empty where the route takes none.
  package let body: [UInt8]

  /// Which of the route's content types this is, in the route's own spelling; its first where the client named none.
  /// "" where the route takes no body.
  package let contentType: String

  /// What the route's admission handed over.
  package let context: (any Sendable)?

  package var method: HTTPMethod { head.method }
  package var path: String { head.path }
  package var query: Query { head.query }
  package var headers: HTTPFields { head.headers }
  package var receivedAt: Int64 { head.receivedAt }
  package var clientAddress: String { head.clientAddress }
  package var requestID: String { head.requestID }
}

/// The decoded items of a query, in their order.
package struct Query: Sendable, Hashable {
  package struct Item: Sendable, Hashable {
    package let name: String

    /// "" where there is no `=`.
    package let value: String
  }

  package let items: [Item]

  /// The first value under a name; nil = the name does not occur.
  package subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  package func values(of name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}
