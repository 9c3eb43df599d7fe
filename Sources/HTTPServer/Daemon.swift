import CMicroHTTPD
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A running libmicrohttpd, from its start to its stop.
final class Daemon: Sendable {
  let port: UInt16
  private let core: ServerCore
  /// Set once in `init` and cancelled by `stop`; sources are thread-safe, though Dispatch does not say so to Swift.
  private nonisolated(unsafe) let timer: any DispatchSourceTimer
  /// Set once in `init`, used by `stop` alone, and the library's own functions on it are thread-safe.
  private nonisolated(unsafe) let handle: OpaquePointer
  /// The library reads it until it is stopped.
  private nonisolated(unsafe) let callbacks: UnsafeMutablePointer<cmhd_callbacks>

  init(configuration: HTTPServerConfiguration, routes: [Route]) throws(HTTPServerError) {
    guard configuration.connectionLimit > 0, configuration.requestTimeout > .zero else {
      throw HTTPServerError(
        .invalidConfiguration, "The connection limit and the request timeout must be greater than 0.")
    }
    var files: PEMFiles?
    if let tls = configuration.tls { files = try PEMFiles(tls) }
    let core = ServerCore(
      configuration: configuration, routes: routes, certificate: try files?.makeCertificate())
    let (listener, port) = try Self.listen(configuration)
    cmhd_ignore_sigpipe()
    let callbacks = UnsafeMutablePointer<cmhd_callbacks>.allocate(capacity: 1)
    callbacks.initialize(to: .init(core))
    guard let handle = Self.start(core, listener, files, callbacks) else {
      callbacks.deallocate()
      cmhd_close(listener)
      throw HTTPServerError(.libraryFailed, "libmicrohttpd did not start; its log says why.")
    }
    self.handle = handle
    self.callbacks = callbacks
    self.core = core
    self.port = port
    timer = Self.makeTimer(core)
  }

  func present(_ certificate: Certificate) { core.certificate.withLock { $0 = certificate } }

  func stop(gracePeriod: Duration) {
    core.phase = .draining
    let listener = MHD_quiesce_daemon(handle)
    if listener >= 0 { cmhd_close(listener) }
    waitUntilIdle(for: gracePeriod)
    core.phase = .closing
    for reply in core.connections.replies { reply.settle(.fault(ServerCore.stopping)) }
    // They are awake now, and want a moment to write.
    waitUntilIdle(for: .milliseconds(500))
    timer.cancel()
    MHD_stop_daemon(handle)
    core.connections.closeLingering()
    callbacks.deallocate()
  }

  private func waitUntilIdle(for limit: Duration) {
    let end = cmhd_monotonic_clock() + limit.microseconds
    while core.requestsInHand > 0, cmhd_monotonic_clock() < end { usleep(2000) }
  }

  private static func listen(_ configuration: HTTPServerConfiguration) throws(HTTPServerError) -> (
    Int32, UInt16
  ) {
    if let socket = configuration.inheritedSocket { return (socket.descriptor, socket.port) }
    var port = configuration.port
    var reason: Int32 = 0
    let listener = cmhd_listen(configuration.host, &port, 1024, &reason)
    if listener >= 0 { return (listener, port) }
    let place = "\(configuration.host), port \(configuration.port)"
    if reason == EINVAL {
      throw HTTPServerError(
        .invalidConfiguration, "Cannot listen on \(place): write a numeric address such as 127.0.0.1 or ::.")
    }
    let remedy =
      switch reason {
      case EADDRINUSE: ". Stop what listens there, or choose another port; port 0 takes a free one."
      case EACCES: ". Ports below 1024 are root's; choose another, or give the right CAP_NET_BIND_SERVICE."
      case EADDRNOTAVAIL: ". This machine does not have that address; 0.0.0.0 and :: mean all that it has."
      default: "."
      }
    throw HTTPServerError(
      .addressUnavailable, "Cannot listen on \(place): " + String(cString: strerror(reason)) + remedy)
  }

  private static func start(
    _ core: ServerCore, _ listener: Int32, _ files: PEMFiles?, _ callbacks: UnsafePointer<cmhd_callbacks>
  ) -> OpaquePointer? {
    let threads = max(2, core.configuration.threadCount)
    var settings = cmhd_settings()
    settings.listener = listener
    settings.threads = UInt32(threads)
    // The library's own limit stops it listening, and is dealt out to the threads; ours turns clients away at once.
    settings.connection_limit = UInt32(clamping: (core.configuration.connectionLimit + 64) * threads)
    settings.idle_seconds = UInt32(clamping: (core.idleTimeout + 999_999) / 1_000_000)
    settings.memory = 48 * 1024
    guard let files else { return cmhd_start(&settings, callbacks) }
    return files.chain.withCString { chain in
      files.key.withCString { key in
        settings.certificate = chain
        settings.key = key
        return cmhd_start(&settings, callbacks)
      }
    }
  }

  private static func makeTimer(_ core: ServerCore) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "http.sweep"))
    let interval = Int(min(max(core.requestTimeout / 10, 10_000), 250_000))
    timer.schedule(deadline: .now(), repeating: .microseconds(interval), leeway: .milliseconds(10))
    timer.setEventHandler { core.sweep() }
    timer.resume()
    return timer
  }
}
