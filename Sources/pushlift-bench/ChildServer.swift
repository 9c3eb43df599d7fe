internal import Foundation
internal import Processes

/// A server in a process of its own, ended with this object.
final class ChildServer {
  private let program: RunningProgram

  /// Starts it and waits until its port answers.
  ///
  /// - Parameter log: the file for what it says; nil for none.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], port: UInt16,
    log: String? = nil
  ) throws {
    program = try RunningProgram(
      executable, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      folder: FileManager.default.currentDirectoryPath, output: "/dev/null", errors: log ?? "/dev/null")
    for _ in 0..<3_000 {
      if LoopbackClient(port: port) != nil { return }
      guard program.isRunning else { break }
      Thread.sleep(forTimeInterval: 0.01)
    }
    stop()
    let said = log.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
    throw BenchError("\(executable) does not listen on port \(port): \(said.suffix(1_000))")
  }

  /// Memory in use by the process and its children, in bytes.
  var residentBytes: Int {
    let pids = [program.processID] + Self.children(of: program.processID)
    return pids.reduce(0) { $0 + Self.residentBytes(of: $1) }
  }

  /// - Returns: how it ended; nil where it had to be killed, since it took over half a minute.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) -> RunningProgram.End? {
    program.send(signal)
    let end = program.waitForEnd(within: .seconds(30))
    program.send(SIGKILL)
    return end
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

/// A port that was free a moment ago, and that no client's end of a connection takes meanwhile: while nobody listens on one
/// that it might, a client can even connect to itself.
func freePort() -> UInt16 {
  while true {
    let port = UInt16.random(in: 10_000..<30_000)
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(handle) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status == 0 { return port }
  }
}
