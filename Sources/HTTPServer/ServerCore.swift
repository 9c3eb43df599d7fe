import CMicroHTTPD
import Synchronization

/// What the daemon's threads share: the settings, the routes, and where the server stands in its life.
final class ServerCore: Sendable {
  enum Phase: Int {
    case running
    /// No new requests; those in hand go on.
    case draining
    /// Nothing may wait any more.
    case closing
  }

  let configuration: HTTPServerConfiguration
  let routes: RouteTable
  let connections: ConnectionTable
  let certificate: Mutex<Certificate?>
  let requestTimeout: Int64
  let idleTimeout: Int64
  private let phaseValue = Atomic(Phase.running.rawValue)
  private let requestCount = Atomic(0)

  init(configuration: HTTPServerConfiguration, routes: [Route], certificate: Certificate?) {
    self.configuration = configuration
    self.routes = RouteTable(routes)
    self.certificate = Mutex(certificate)
    connections = ConnectionTable(
      limit: configuration.connectionLimit, perPeerLimit: configuration.perAddressConnectionLimit,
      exempt: configuration.trustedProxies)
    requestTimeout = max(1, configuration.requestTimeout.microseconds)
    idleTimeout = max(1_000_000, configuration.idleTimeout.microseconds)
  }

  var phase: Phase {
    get { Phase(rawValue: phaseValue.load(ordering: .sequentiallyConsistent)) ?? .closing }
    set { phaseValue.store(newValue.rawValue, ordering: .sequentiallyConsistent) }
  }

  /// Requests whose head is there and whose answer is not yet out.
  var requestsInHand: Int { requestCount.load(ordering: .relaxed) }

  func countRequest(_ difference: Int) { requestCount.add(difference, ordering: .relaxed) }

  func log(_ event: @autoclosure () -> HTTPServerEvent) {
    if let log = configuration.log { log(event()) }
  }

  func response(to fault: HTTPFault) -> HTTPResponse {
    let body = configuration.errorBody(fault)
    var response = HTTPResponse(status: fault.status, contentType: body.contentType, body: body.bytes)
    for field in fault.headers.fields { response.headers.append(field.name, field.value) }
    return response
  }

  /// A whole answer in bytes, for where the library takes none; it ends the connection.
  func rawResponse(to fault: HTTPFault) -> [UInt8] {
    let response = response(to: fault)
    let reason = String(cString: MHD_get_reason_phrase_for(UInt32(fault.status.rawValue)))
    var head = "HTTP/1.1 \(fault.status) \(reason)\r\nConnection: close\r\n"
    if let id = fault.requestID { head += "X-Request-Id: \(id)\r\n" }
    if response.headers.firstUnsendable == nil {
      for field in response.headers.fields { head += "\(field.name): \(field.value)\r\n" }
    }
    head += "Content-Length: \(response.body.count)\r\n\r\n"
    return Array(head.utf8) + response.body
  }

  /// Done at short intervals while the daemon runs.
  func sweep() {
    let timedOut = connections.sweep(now: cmhd_monotonic_clock()) { requestID in
      var fault = HTTPFault(.requestTimeout, "request_timeout", "The request took too long to arrive.")
      fault.requestID = requestID
      return self.rawResponse(to: fault)
    }
    for (peer, requestID) in timedOut { log(.timedOut(clientAddress: peer, requestID: requestID)) }
  }

  static let stopping = HTTPFault(
    .serviceUnavailable, "stopping",
    "The server is stopping; send the same again later, which stores nothing twice.",
    headers: ["Retry-After": "5"])
}

extension Duration {
  /// Whole microseconds, rounded down; as many as fit.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return overflows ? .max / 4 : min(product, .max / 4) + attoseconds / 1_000_000_000_000
  }
}
