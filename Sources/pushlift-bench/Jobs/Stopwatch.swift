internal import Foundation
internal import Postgres

/// What something took: by the clock, and of a Postgres session's processor.
struct Stopwatch {
  let seconds: Double
  /// Nil where the system does not tell.
  let processorSeconds: Double?

  /// - Parameter session: the process of the session that does the work.
  static func time(_ session: Int32, _ body: () throws -> Void) rethrows -> Stopwatch {
    let before = processorSeconds(of: session)
    let start = ContinuousClock.now
    try body()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let after = processorSeconds(of: session)
    return Stopwatch(
      seconds: seconds, processorSeconds: before.flatMap { before in after.map { $0 - before } })
  }

  /// Events a second by the clock, and a second of one core.
  func rate(of events: Int) -> String {
    let wall = "\(Int(Double(events) / seconds)) events/s"
    guard let processorSeconds, processorSeconds > 0 else { return wall }
    return wall + ", \(Int(Double(events) / processorSeconds)) a second of one core"
  }

  /// User and system time of a process so far; nil where the system does not tell.
  static func processorSeconds(of process: Int32) -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      // The name in parentheses may hold blanks.
      let rest = text.split(separator: ")").last?.split(separator: " "), rest.count > 12,
      let user = Double(rest[11]), let system = Double(rest[12])
    else { return nil }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

/// A number with one decimal.
func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

/// The middle one.
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
