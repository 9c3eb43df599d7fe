import CMicroHTTPD

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A listening socket that whoever started the process has opened, as systemd does for a socket unit (`sd_listen_fds(3)`).
///
/// It outlives the process, so that clients who come during a restart wait.
package struct InheritedSocket: Sendable {
  /// The server's to close, once it has started.
  let descriptor: Int32
  /// Where it listens.
  package let host: String
  package let port: UInt16

  /// What the variables `LISTEN_PID` and `LISTEN_FDS` tell of; to be asked once.
  ///
  /// - Returns: nil where they tell of none, or of another process's.
  /// - Throws: where there are several, or it does not listen on an IP address.
  package static func find(_ environment: [String: String]) throws(HTTPServerError) -> InheritedSocket? {
    guard environment["LISTEN_PID"].flatMap({ pid_t($0) }) == getpid(),
      let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
    else { return nil }
    guard count == 1 else {
      throw HTTPServerError(
        .invalidConfiguration,
        "There are \(count) sockets to listen on: let the socket unit have one ListenStream.")
    }
    // By that interface the first one always has this number.
    let descriptor: Int32 = 3
    var host = [CChar](repeating: 0, count: 64)
    var port: UInt16 = 0
    guard cmhd_adopt(descriptor, &host, host.count, &port) != 0 else {
      throw HTTPServerError(
        .invalidConfiguration,
        "The socket to listen on is none of TCP: let ListenStream be a port, or an address and a port.")
    }
    let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return InheritedSocket(descriptor: descriptor, host: text, port: port)
  }
}
