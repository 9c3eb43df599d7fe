package import Foundation
internal import Synchronization
package import Testing

/// A running program.
///
/// Not Foundation's `Process`, which on Linux takes a child for running as long as another one, started meanwhile, runs.
package final class Child: Sendable {
  package let processID: pid_t
  private let name: String
  /// What must not go while it runs: the owner of its folder.
  private let owner: (any AnyObject & Sendable)?
  private let outPath: String
  private let errPath: String
  /// As `waitpid` gives it; nil while the child runs.
  private let status = Mutex<Int32?>(nil)

  /// - Parameters:
  ///   - folder: where it runs, and where its output is kept.
  ///   - owner: is kept as long as the child.
  package init(
    in folder: String, _ binary: String, _ arguments: [String], _ environment: [String: String],
    keeping owner: (any AnyObject & Sendable)? = nil
  ) throws {
    self.owner = owner
    name = binary.split(separator: "/").last.map(String.init) ?? binary
    let prefix = "\(folder)/\(UInt32.random(in: 0...(.max)))"
    outPath = prefix + ".out"
    errPath = prefix + ".err"
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (descriptor, path) in [(1, outPath), (2, errPath)] {
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    // The other descriptors are the tests' own.
    #if canImport(Darwin)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      // Those that are not open are passed over.
      for descriptor in 3..<Int32(1_024) { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    // Posix alone has no way to start a process in another folder.
    let command = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder, binary] + arguments
    var argv = command.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, command[0], &actions, &attributes, &argv, &envp)
    try #require(failure == 0, "cannot start \(binary): \(String(cString: strerror(failure)))")
    processID = child
  }

  deinit {
    guard isRunning else { return }
    kill(processID, SIGKILL)
    var ignored: Int32 = 0
    waitpid(processID, &ignored, 0)
  }

  /// Not sent to one that has ended, whose number may be another's by now.
  package func send(_ signal: Int32) { if isRunning { kill(processID, signal) } }

  package var isRunning: Bool {
    status.withLock { status in
      var found: Int32 = 0
      if status == nil, waitpid(processID, &found, WNOHANG) == processID { status = found }
      return status == nil
    }
  }

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
    let status = try #require(status.withLock { $0 }, sourceLocation: sourceLocation)
    let signal = status & 0x7F
    // As it is: reading a file as text would drop a byte order mark.
    let out = String(decoding: try Data(contentsOf: URL(fileURLWithPath: outPath)), as: UTF8.self)
    return Output(status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, out: out, err: err)
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
  package let out: String
  package let err: String
}
