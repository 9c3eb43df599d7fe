internal import CProcess
internal import Foundation

/// Whether a crash leaves a part of the process's memory in a file.
///
/// That memory holds the replies and device ids of requests under way, and remains of those before. So no command leaves
/// any, unless it is told to; nor does pushlift's own Postgres, which inherits the limit.
enum CoreFiles {
  /// Called before anything is read.
  static func forbid(_ environment: [String: String]) {
    setLimit { _ in 0 }
    _ = cprocess_set_dumpable(0)
    if environment["SWIFT_BACKTRACE"]?.contains("registers=none") != true { forbidBacktraces() }
  }

  /// For who looks for a fault: as much as the system allows.
  static func allow() {
    setLimit { $0.rlim_max }
    _ = cprocess_set_dumpable(1)
  }

  private static func setLimit(_ choose: (rlimit) -> rlim_t) {
    #if canImport(Glibc)
      let core = __rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue))
    #else
      let core = RLIMIT_CORE
    #endif
    var limit = rlimit()
    guard getrlimit(core, &limit) == 0 else { return }
    limit.rlim_cur = choose(limit)
    setrlimit(core, &limit)
  }

  /// Swift's own report of a crash, on standard error, has what the registers point at. It is made by handlers of these
  /// signals, which on Linux stand before the program begins.
  private static func forbidBacktraces() {
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
  }
}
