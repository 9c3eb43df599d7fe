internal import Foundation

/// Standard output for data, standard error for everything else.
enum Terminal {
  /// - Throws: as `write`.
  static func print(_ text: String) throws { try write(Array((text + "\n").utf8)) }

  /// Writes bytes to standard output as they are.
  ///
  /// - Throws: `OutputFileError` where it takes no more, `ClosedPipe` where nobody reads it any more.
  static func write(_ bytes: [UInt8]) throws {
    do throws(SystemError) {
      try writeAll(bytes, to: STDOUT_FILENO)
    } catch {
      if error.code == EPIPE { throw ClosedPipe() }
      throw OutputFileError("standard output", error)
    }
  }

  /// Says something on standard error. Where that cannot be written there is nobody left to tell.
  static func complain(_ text: String) { tell(text + "\n") }

  fileprivate static func tell(_ text: String) { try? writeAll(Array(text.utf8), to: STDERR_FILENO) }

  /// The width that help is wrapped to.
  static var columns: Int { min(max(width ?? 90, 60), 100) }

  /// How wide the terminal is; nil where standard output is none.
  static var width: Int? {
    var size = winsize()
    guard isShown, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Whether standard output is a terminal.
  static var isShown: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Bold on a terminal that can, unless NO_COLOR is set.
  static func emphasised(_ text: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    guard isShown, environment["NO_COLOR"] ?? "" == "", environment["TERM"] != "dumb" else { return text }
    return "\u{1B}[1m\(text)\u{1B}[0m"
  }
}

/// Whoever read standard output, such as `head`, has seen enough: no failure, and nothing to say.
struct ClosedPipe: Error {
  /// As the shell reports a process that SIGPIPE ended.
  static let exitCode: Int32 = 128 + SIGPIPE
}

/// Says on standard error how far something is that takes more than two seconds; silent where that is no terminal.
struct Progress {
  private let what: String
  private let start = ContinuousClock.now
  private var lastShown: ContinuousClock.Instant?
  private let isShown = isatty(STDERR_FILENO) == 1

  init(_ what: String) { self.what = what }

  /// - Parameter total: nil where it is not known.
  mutating func update(_ done: Int, of total: Int? = nil) {
    let now = ContinuousClock.now
    guard isShown, now - start > .seconds(2), lastShown.map({ now - $0 > .milliseconds(200) }) ?? true else {
      return
    }
    lastShown = now
    let share = total.map { $0 > 0 ? " of \($0) (\(100 * done / $0) %)" : "" } ?? ""
    Terminal.tell("\r\u{1B}[K\(what): \(done)\(share)")
  }

  /// Clears the line.
  func end() {
    if lastShown != nil { Terminal.tell("\r\u{1B}[K") }
  }
}

/// Says on standard error what is done at the moment; silent where that is no terminal.
struct StageLine {
  private let isShown = isatty(STDERR_FILENO) == 1

  func show(_ text: String) {
    if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K\(text) …".utf8)) }
  }

  /// Clears the line.
  func end() {
    if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
  }
}
