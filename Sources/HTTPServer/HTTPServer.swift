import CMicroHTTPD
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An HTTP/1.1 server on libmicrohttpd.
///
/// It lives once: `start()`, then `stop(gracePeriod:)`, which must not be called from a handler. Letting go of it stops it.
package final class HTTPServer: Sendable {
  private let configuration: HTTPServerConfiguration
  private let routes: [Route]
  private let state = Mutex(State.idle)

  private enum State {
    case idle
    case running(Daemon)
    case stopped
  }

  package init(configuration: HTTPServerConfiguration, routes: [Route]) {
    self.configuration = configuration
    self.routes = routes
  }

  deinit { stop(gracePeriod: .zero) }

  /// Listens and serves, from the moment this returns.
  ///
  /// - Returns: the port.
  /// - Throws: where the address is taken or none, or the certificate cannot be used.
  @discardableResult
  package func start() throws(HTTPServerError) -> UInt16 {
    let result = state.withLock { state -> Result<UInt16, HTTPServerError> in
      guard case .idle = state else {
        return .failure(
          HTTPServerError(.alreadyStarted, "This server has been started before; make another."))
      }
      do throws(HTTPServerError) {
        let daemon = try Daemon(configuration: configuration, routes: routes)
        state = .running(daemon)
        return .success(daemon.port)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Stops listening at once, gives the requests in hand the grace period to be answered, answers the rest 503, and returns
  /// once all threads have ended.
  package func stop(gracePeriod: Duration) {
    let daemon = state.withLock { state -> Daemon? in
      defer { state = .stopped }
      if case .running(let daemon) = state { return daemon }
      return nil
    }
    daemon?.stop(gracePeriod: gracePeriod)
  }

  /// Reads certificate and key anew, for the connections that come from now on; the others keep theirs.
  ///
  /// - Throws: where the files cannot be used; then nothing changes.
  package func reloadTLS() throws(HTTPServerError) {
    let daemon = state.withLock { state -> Daemon? in
      if case .running(let daemon) = state { return daemon }
      return nil
    }
    guard let daemon, let tls = configuration.tls else {
      throw HTTPServerError(
        .notStarted, "There is no running TLS server whose certificate could be read anew.")
    }
    daemon.present(try PEMFiles(tls).makeCertificate())
  }
}

/// The PEM files of a TLS server, read.
struct PEMFiles {
  let chain: String
  let key: String
  private let paths: TLSConfiguration

  init(_ configuration: TLSConfiguration) throws(HTTPServerError) {
    paths = configuration
    chain = try Self.read(configuration.certificatePath)
    key = try Self.read(configuration.keyPath)
  }

  func makeCertificate() throws(HTTPServerError) -> Certificate {
    guard chain.contains("-----BEGIN CERTIFICATE-----") else {
      throw HTTPServerError(
        .certificateUnusable,
        "No certificate found in \(paths.certificatePath): it begins with -----BEGIN CERTIFICATE-----.")
    }
    guard key.contains("PRIVATE KEY-----") else {
      throw HTTPServerError(
        .certificateUnusable,
        "No private key found in \(paths.keyPath): it begins with -----BEGIN PRIVATE KEY-----.")
    }
    do {
      return try Certificate(chain: chain, key: key)
    } catch {
      throw HTTPServerError(
        error.code, "\(paths.certificatePath) and \(paths.keyPath) cannot be used together: \(error.message)")
    }
  }

  /// From `errno`.
  private static func unreadable(_ path: String) -> HTTPServerError {
    HTTPServerError(.certificateUnusable, "Cannot read \(path): " + String(cString: strerror(errno)))
  }

  private static func read(_ path: String) throws(HTTPServerError) -> String {
    guard let file = fopen(path, "r") else {
      throw unreadable(path)
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    // A folder is opened without complaint.
    guard ferror(file) == 0 else { throw unreadable(path) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
