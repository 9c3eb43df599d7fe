#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A program that is run to its end.
enum ChildProcess {
  /// Runs a program in a process group of its own, so that the terminal's Ctrl-C does not reach it, with `/` as its folder, no input, and its
  /// output in a file. It inherits no variables and no descriptors that are marked close-on-exec.
  ///
  /// - Parameter arguments: the program's absolute path, then its arguments.
  /// - Returns: its exit status, or 128 and the signal's number where a signal ended it.
  static func run(
    _ arguments: [String], environment: [String: String], output: String
  ) throws(PrivateClusterError) -> Int32 {
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
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    setUp(&attributes)

    var child: pid_t = 0
    let failure = withVector(Self.atRoot + arguments) { argv in
      withVector(environment.map { "\($0.key)=\($0.value)" }) { envp in
        posix_spawn(&child, Self.atRoot[0], &actions, &attributes, argv, envp)
      }
    }
    guard failure == 0 else {
      let reason = String(cString: strerror(failure))
      throw PrivateClusterError(.system, "cannot run \(arguments[0]): \(reason)")
    }
    return wait(for: child)
  }

  /// Posix alone has no way to start a process in another folder.
  private static let atRoot = ["/bin/sh", "-c", #"cd / && exec "$0" "$@""#]

  /// A process group of its own, and the signals as a fresh process has them.
  private static func setUp(_ attributes: UnsafeMutablePointer<Attributes>) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(attributes, &signals)
    let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setpgroup(attributes, 0)
    posix_spawnattr_setflags(attributes, Int16(flags))
  }

  #if canImport(Darwin)
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias Attributes = posix_spawnattr_t
  #endif

  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Lends strings as the array of C strings, ended by a null, that `exec` takes.
  private static func withVector<Value>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let vector = strings.map { strdup($0) }
    defer { for string in vector { free(string) } }
    return body(vector + [nil])
  }
}
