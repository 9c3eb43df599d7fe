#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An advisory lock on a file, given up when its owner lets go of it or dies, however it dies.
struct FileLock: ~Copyable {
  enum Mode {
    case shared, exclusive
  }

  private let descriptor: Int32
  private let path: String

  /// Opens the file, making it if need be, without locking it yet. Child processes do not inherit it.
  init(path: String) throws(PrivateClusterError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else {
      let remedy = errno == EACCES ? ": run pushlift as the user who made the store" : ""
      let reason = String(cString: strerror(errno))
      throw PrivateClusterError(.system, "cannot open the lock \(path): \(reason)\(remedy)")
    }
  }

  deinit { close(descriptor) }

  /// Takes the lock, or changes its mode, if that is possible at once.
  func tryLock(_ mode: Mode) -> Bool {
    let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
    var outcome: Int32
    repeat { outcome = flock(descriptor, operation) } while outcome != 0 && errno == EINTR
    return outcome == 0
  }

  /// Takes the lock, waiting for its holder.
  ///
  /// - Throws: `busy` when `patience` is over.
  func lock(_ mode: Mode, waitingUpTo patience: Duration) throws(PrivateClusterError) {
    let deadline = ContinuousClock.now + patience
    while !tryLock(mode) {
      guard ContinuousClock.now < deadline else {
        throw PrivateClusterError(.busy, "another pushlift has held \(path) for \(patience); is it stuck?")
      }
      usleep(20_000)
    }
  }

  func unlock() { flock(descriptor, LOCK_UN) }
}
