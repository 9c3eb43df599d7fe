internal import Foundation

/// A server in a process of its own, ended with this object.
final class ChildServer {
  private let process = Process()

  /// Starts it and waits until its port answers.
  init(_ executable: String, _ arguments: [String], environment: [String: String] = [:], port: UInt16) throws
  {
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<300 {
      if LoopbackClient(port: port) != nil { return }
      guard process.isRunning else { break }
      Thread.sleep(forTimeInterval: 0.1)
    }
    stop()
    throw BenchError("\(executable) does not listen on port \(port)")
  }

  /// Memory in use by the process and its children, in bytes.
  var residentBytes: Int {
    let pids = [process.processIdentifier] + Self.children(of: process.processIdentifier)
    return pids.reduce(0) { $0 + Self.residentBytes(of: $1) }
  }

  func stop() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  private static func residentBytes(of pid: Int32) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  private static func children(of pid: Int32) -> [Int32] {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }
}

/// A port that was free a moment ago.
func freePort() -> UInt16 {
  let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(handle) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      _ = bind(handle, $0, length)
      _ = getsockname(handle, $0, &length)
    }
  }
  return UInt16(bigEndian: address.sin_port)
}
