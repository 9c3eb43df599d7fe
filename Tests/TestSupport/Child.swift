package import Foundation
internal import Processes
package import Testing

/// A running program, and what it says.
package final class Child: Sendable {
  private let program: RunningProgram
  private let name: String
  /// What must not go while it runs: the owner of its folder.
  private let owner: (any AnyObject & Sendable)?
  private let outPath: String
  private let errPath: String

  /// - Parameters:
  ///   - folder: where it runs, and where its output is kept.
  ///   - owner: is kept as long as the child.
  ///   - socket: a listening socket to serve on, as systemd hands it over.
  package init(
    in folder: String, _ binary: String, _ arguments: [String], _ environment: [String: String],
    keeping owner: (any AnyObject & Sendable)? = nil, socket: Int32? = nil
  ) throws {
    self.owner = owner
    name = binary.split(separator: "/").last.map(String.init) ?? binary
    let prefix = "\(folder)/\(UInt32.random(in: 0...(.max)))"
    outPath = prefix + ".out"
    errPath = prefix + ".err"
    program = try RunningProgram(
      binary, arguments, environment: environment, folder: folder, output: outPath, errors: errPath,
      socket: socket)
  }

  package var processID: pid_t { program.processID }

  /// Not sent to one that has ended, whose number may be another's by now.
  package func send(_ signal: Int32) { program.send(signal) }

  package var isRunning: Bool { program.isRunning }

  /// What it said on standard error so far.
  package var err: String { (try? String(contentsOfFile: errPath, encoding: .utf8)) ?? "" }

  /// What it printed on standard output so far.
  package var standardOutput: String { (try? String(contentsOfFile: outPath, encoding: .utf8)) ?? "" }

  /// Waits for its end, and ends it where that takes too long.
  package func output(within bound: Duration, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Output
  {
    poll(upTo: bound, "\(name) has ended", sourceLocation: sourceLocation) { !isRunning }
    send(SIGKILL)
    poll(upTo: .seconds(10), "the killed \(name) has ended", sourceLocation: sourceLocation) { !isRunning }
    let end = try #require(program.end, sourceLocation: sourceLocation)
    // As it is: reading a file as text would drop a byte order mark.
    let out = String(decoding: try Data(contentsOf: URL(fileURLWithPath: outPath)), as: UTF8.self)
    return Output(status: end.status, leftCore: end.leftCore, out: out, err: err)
  }

  /// Waits until `pushlift serve` listens.
  package func client(sourceLocation: SourceLocation = #_sourceLocation) throws -> HTTPClient {
    var port: UInt16?
    poll(upTo: .seconds(60), "pushlift serve listens", sourceLocation: sourceLocation) {
      port = err.firstMatch(of: /listening.*https?:\/\/127\.0\.0\.1:(\d+)"/).flatMap { UInt16($0.1) }
      return port != nil || !isRunning
    }
    return HTTPClient(port: try #require(port, "\(err)", sourceLocation: sourceLocation))
  }
}

/// What a command left behind.
package struct Output: Sendable {
  /// The exit code, or 128 and the signal that ended it.
  package let status: Int32
  /// Whether a signal ended it and the system kept its memory.
  package let leftCore: Bool
  package let out: String
  package let err: String
}
