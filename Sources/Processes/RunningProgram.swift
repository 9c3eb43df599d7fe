#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif
internal import Synchronization

/// A program in a process of its own, killed with this object.
///
/// Not Foundation's `Process`, which on Linux takes a child for running as long as another one, started meanwhile, runs.
package final class RunningProgram: Sendable {
  package let processID: Int32
  /// As `waitpid` gives it; nil while the program runs.
  private let status = Mutex<Int32?>(nil)

  /// How a program ended.
  package struct End: Sendable, Hashable {
    /// The exit code, or 128 and the signal that ended it.
    package let status: Int32
    /// Whether the system kept its memory.
    package let leftCore: Bool
  }

  /// Starts it with these variables alone, nothing to read, and no descriptors but its output and the socket.
  ///
  /// - Parameters:
  ///   - folder: where it runs.
  ///   - output, errors: the files that it writes to, made anew.
  ///   - socket: becomes its descriptor 3.
  package init(
    _ binary: String, _ arguments: [String], environment: [String: String], folder: String, output: String,
    errors: String, socket: Int32? = nil
  ) throws(ProgramError) {
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
    for (descriptor, path) in [(Int32(1), output), (2, errors)] {
      posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    }
    if let socket { posix_spawn_file_actions_adddup2(&actions, socket, 3) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    // The other descriptors are the caller's own.
    #if canImport(Darwin)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      // Those that are not open are passed over.
      for descriptor in (socket == nil ? 3 : 4)..<Int32(1_024) {
        posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    // Posix alone has no way to start a process in another folder, nor to tell it its number.
    let script = #"cd "$0" && export LISTEN_PID=$$ && exec "$@""#
    let command = ["/bin/sh", "-c", script, folder, binary] + arguments
    var environment = environment
    if socket != nil { environment["LISTEN_FDS"] = "1" }
    var argv = command.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, command[0], &actions, &attributes, &argv, &envp)
    guard failure == 0 else { throw ProgramError(binary: binary, reason: String(cString: strerror(failure))) }
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

  package var isRunning: Bool { end == nil }

  /// Nil while it runs.
  package var end: End? {
    let status = status.withLock { status -> Int32? in
      var found: Int32 = 0
      if status == nil, waitpid(processID, &found, WNOHANG) == processID { status = found }
      return status
    }
    return status.map { status in
      let signal = status & 0x7F
      return End(
        status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, leftCore: signal != 0 && status & 0x80 != 0)
    }
  }

  /// Waits for its end.
  ///
  /// - Returns: nil where it still runs after that time.
  package func waitForEnd(within bound: Duration) -> End? {
    let deadline = ContinuousClock.now + bound
    while ContinuousClock.now < deadline {
      if let end { return end }
      usleep(1_000)
    }
    return end
  }
}

/// Why a program did not start.
package struct ProgramError: Error, CustomStringConvertible {
  let binary: String
  let reason: String

  package var description: String { "cannot start \(binary): \(reason)" }
}
