/// How a server listens, what it bears, and whom it believes.
package struct HTTPServerConfiguration: Sendable {
  /// A numeric IPv4 or IPv6 address; `0.0.0.0` and `::` mean all of this machine's.
  package var host: String

  /// 0 takes any free port; `HTTPServer.start()` tells which.
  package var port: UInt16

  /// A socket that listens already, instead of one on `host` and `port`.
  package var inheritedSocket: InheritedSocket?

  /// Threads that serve connections, at least 2: libmicrohttpd ignores a pool of 1.
  package var threadCount: Int

  /// Connections open at a time; further ones are closed as soon as they are made.
  package var connectionLimit: Int

  /// Connections open at a time from one peer, trusted proxies excepted; 0 = no limit of its own.
  package var perAddressConnectionLimit: Int

  /// How long a connection may lie still, between requests or within one; at least a second, counted in whole ones.
  package var idleTimeout: Duration

  /// How long a client may take to send one request, head and body together, however busy it looks. The time a handler takes
  /// does not count.
  package var requestTimeout: Duration

  /// nil = plain HTTP.
  package var tls: TLSConfiguration?

  /// The peers whose `X-Forwarded-For` is believed.
  package var trustedProxies: [AddressRange]

  /// Writes the body of the answers that the server makes itself.
  package var errorBody: @Sendable (HTTPFault) -> ErrorBody

  /// Told what happens, on the server's own threads: it must be quick. nil = nobody listens.
  package var log: (@Sendable (HTTPServerEvent) -> Void)?

  package init(
    host: String = "127.0.0.1", port: UInt16 = 0, threadCount: Int = 2, connectionLimit: Int = 4096,
    perAddressConnectionLimit: Int = 0, idleTimeout: Duration = .seconds(60),
    requestTimeout: Duration = .seconds(30), tls: TLSConfiguration? = nil,
    trustedProxies: [AddressRange] = [],
    errorBody: @escaping @Sendable (HTTPFault) -> ErrorBody = { ErrorBody(json: $0) },
    log: (@Sendable (HTTPServerEvent) -> Void)? = nil
  ) {
    self.host = host
    self.port = port
    self.threadCount = threadCount
    self.connectionLimit = connectionLimit
    self.perAddressConnectionLimit = perAddressConnectionLimit
    self.idleTimeout = idleTimeout
    self.requestTimeout = requestTimeout
    self.tls = tls
    self.trustedProxies = trustedProxies
    self.errorBody = errorBody
    self.log = log
  }
}

/// Where the certificate chain and its key lie, both in PEM.
package struct TLSConfiguration: Sendable, Hashable {
  package var certificatePath: String
  package var keyPath: String

  package init(certificatePath: String, keyPath: String) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
  }
}

/// What a server tells its log hook.
package enum HTTPServerEvent: Sendable {
  /// A request was answered. `duration` runs from the end of its head to the moment the answer was handed over.
  case answered(
    method: HTTPMethod, path: String, status: HTTPStatus, clientAddress: String, requestID: String,
    duration: Duration)

  /// The server itself turned a request down. `path` is empty where it could not be made out.
  case refused(HTTPFault, path: String, clientAddress: String)

  /// The library itself turned away what it could not make out as a request, with a page of its own.
  case unreadable(status: Int)

  /// A client took longer over its request than `requestTimeout`, and was cut off.
  case timedOut(clientAddress: String, requestID: String)

  /// A connection was closed at once, over a connection limit.
  case turnedAway(clientAddress: String)

  /// A line of libmicrohttpd's own log, most often about a client's broken request.
  case library(String)
}
