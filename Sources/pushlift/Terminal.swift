internal import Foundation

/// Standard output for data, standard error for everything else.
enum Terminal {
  static func print(_ text: String) { write(Array((text + "\n").utf8)) }

  /// Writes bytes to standard output as they are.
  static func write(_ bytes: [UInt8]) { FileHandle.standardOutput.write(Data(bytes)) }

  static func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  /// The width that help is wrapped to.
  static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 90 }
    return min(max(Int(size.ws_col), 60), 100)
  }
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
    FileHandle.standardError.write(Data("\r\u{1B}[K\(what): \(done)\(share)".utf8))
  }

  /// Clears the line.
  func end() {
    if lastShown != nil { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
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
