#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The running server process of a data folder.
struct Postmaster {
  let processID: pid_t

  /// The process that `postmaster.pid` names, if it really serves `data`; nil where none runs.
  ///
  /// After a crash the file stays, and its number may by then belong to any other process.
  init?(data: String) {
    guard let content = FileManager.default.contents(atPath: data + "/postmaster.pid"),
      let line = String(decoding: content, as: UTF8.self).split(separator: "\n").first,
      let number = pid_t(line), Self.serves(number, data)
    else { return nil }
    processID = number
  }

  /// Whether a process is a Postgres of this folder: it was started with it, or works in it. The folder may have been moved since.
  private static func serves(_ process: pid_t, _ data: String) -> Bool {
    let arguments = arguments(of: process)
    if arguments.contains(where: { isSameFolder($0, data) }) { return true }
    guard let program = arguments.first, program.split(separator: "/").last == "postgres" else {
      return false
    }
    #if canImport(Glibc)
      // A container's root may not see where other users' processes work.
      if let works = FileStatus(path: "/proc/\(process)/cwd") {
        return works.identity == FileStatus(path: data)?.identity
      }
    #endif
    guard let named = arguments.firstIndex(of: "-D").map({ arguments.dropFirst($0 + 1).first }) ?? nil else {
      return false
    }
    return FileStatus(path: named) == nil
  }

  /// Whoever started it may have come to the folder by another path, such as a symbolic link.
  private static func isSameFolder(_ path: String, _ other: String) -> Bool {
    if path == other { return true }
    guard path.hasPrefix("/"), let here = FileStatus(path: path), let there = FileStatus(path: other) else {
      return false
    }
    return here.isDirectory && here.identity == there.identity
  }

  /// Asks for a fast shutdown and waits; then for an immediate one, from which the next start recovers.
  func stop(data: String, patience: Duration) throws(PrivateClusterError) {
    for (signal, bound) in [(SIGINT, patience), (SIGQUIT, .seconds(10))] {
      guard kill(processID, signal) == 0 || errno == ESRCH else {
        let reason = String(cString: strerror(errno))
        throw PrivateClusterError(.stopFailed, "cannot stop Postgres, process \(processID): \(reason)")
      }
      if isGone(data: data, within: bound) { return }
    }
    throw PrivateClusterError(
      .stopFailed, "Postgres, process \(processID) in \(data), did not stop in \(patience)")
  }

  private func isGone(data: String, within bound: Duration) -> Bool {
    let deadline = ContinuousClock.now + bound
    while Postmaster(data: data)?.processID == processID {
      guard ContinuousClock.now < deadline else { return false }
      usleep(10_000)
    }
    return true
  }

  /// The command line of a process; empty where it is gone or only waits to be collected.
  private static func arguments(of process: pid_t) -> [String] {
    #if canImport(Darwin)
      var names: [Int32] = [CTL_KERN, KERN_PROCARGS2, process]
      var size = 0
      guard sysctl(&names, 3, nil, &size, nil, 0) == 0 else { return [] }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctl(&names, 3, &bytes, &size, nil, 0) == 0 else { return [] }
    #else
      let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
    #endif
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
