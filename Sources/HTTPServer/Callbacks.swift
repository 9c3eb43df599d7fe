import CMicroHTTPD
import Synchronization

/// The daemon's callbacks: each finds its object behind a C pointer and hands over.
///
/// An `Exchange` is retained in `target` and released in `completed`, a `Connection` where it begins and ends; the core is kept by
/// its `Daemon` until the library has stopped.
extension cmhd_callbacks {
  init(_ core: ServerCore) {
    self.init(
      context: Unmanaged.passUnretained(core).toOpaque(), accept: acceptClient, connection: noteConnection,
      target: beginExchange, handle: advanceExchange, completed: endExchange, log: logLine)
  }
}

private func core(_ context: UnsafeMutableRawPointer?) -> ServerCore {
  Unmanaged<ServerCore>.fromOpaque(context!).takeUnretainedValue()
}

private func acceptClient(
  context: UnsafeMutableRawPointer?, address: UnsafePointer<sockaddr>?, length: socklen_t
) -> MHD_Result {
  let core = core(context)
  let peer = numericAddress { cmhd_address_text(address, $0, $1) }
  if core.connections.hasRoom(for: peer) { return .YES }
  core.log(.turnedAway(clientAddress: peer))
  return .NO
}

private func noteConnection(
  context: UnsafeMutableRawPointer?, mhd: OpaquePointer?,
  slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_ConnectionNotificationCode
) {
  guard let mhd, let slot else { return }
  let core = core(context)
  let now = cmhd_monotonic_clock()
  if cmhd_begins(code) != 0 {
    let certificate = core.certificate.withLock { $0 }
    certificate?.present(on: mhd)
    let connection = Connection(
      descriptor: cmhd_descriptor(mhd), peer: numericAddress { cmhd_peer(mhd, $0, $1) },
      certificate: certificate, deadline: now + core.requestTimeout)
    core.connections.insert(connection)
    slot.pointee = Unmanaged.passRetained(connection).toOpaque()
  } else if let pointer = slot.pointee {
    slot.pointee = nil
    core.connections.remove(Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue(), now: now)
  }
}

private func beginExchange(
  context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, mhd: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let mhd, let target, let pointer = cmhd_connection_context(mhd) else { return nil }
  let core = core(context)
  let connection = Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue()
  connection.beginRequest(mhd, deadline: cmhd_monotonic_clock() + core.requestTimeout)
  let exchange = Exchange(core: core, connection: connection, target: String(cString: target))
  return Unmanaged.passRetained(exchange).toOpaque()
}

private func advanceExchange(
  context: UnsafeMutableRawPointer?, mhd: OpaquePointer?, target: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
  count: UnsafeMutablePointer<Int>?, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let mhd, let target, let method, let version, let count, let pointer = slot?.pointee else {
    return .NO
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
  return exchange.advance(
    mhd, RequestLine(method: method, target: target, version: version),
    UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count.pointee), count)
}

private func endExchange(
  context: UnsafeMutableRawPointer?, mhd: OpaquePointer?,
  slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
  guard let slot, let pointer = slot.pointee else { return }
  slot.pointee = nil
  let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
  let core = exchange.core
  let deadline = cmhd_monotonic_clock() + core.idleTimeout + core.requestTimeout
  let isCountedUnopened = exchange.connection.endRequest(deadline: deadline)
  if exchange.isCounted || isCountedUnopened { core.countRequest(-1) }
}

private func logLine(context: UnsafeMutableRawPointer?, line: UnsafePointer<CChar>?) {
  guard let line else { return }
  let core = core(context)
  let text = String(cString: line)
  core.log(.library(text))
  if text.hasPrefix("Error processing request") { core.answerInstead(of: text) }
}

private func numericAddress(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
    guard write(text.baseAddress, text.count) != 0, let start = text.baseAddress else { return "" }
    return String(cString: start)
  }
}
