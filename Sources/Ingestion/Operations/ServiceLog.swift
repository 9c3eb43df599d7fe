internal import EngagementEvents
internal import Foundation
internal import Synchronization

/// The service's log: a line for each notable thing, to be read by people or by programs.
///
/// Messages are constant texts; what varies stands in fields with dotted names. No field ever holds a key, a device id or
/// a reply.
package final class ServiceLog: Sendable {
  /// How much a line matters.
  package enum Level: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// How a line is written.
  package enum Format: String, Sendable, CaseIterable {
    /// An object a line: `{"time", "level", "message", …}`.
    case json
    /// For people: the time, the level, the message, and the fields as `name=value`.
    case text
  }

  private let level: Level
  private let format: Format
  private let sink: @Sendable ([UInt8]) -> Void
  let floods = Mutex<[String: Flood]>([:])

  /// - Parameters:
  ///   - level: lines below it are not written.
  ///   - sink: takes each line whole, with its line feed, from any thread.
  package init(level: Level = .info, format: Format = .json, sink: @escaping @Sendable ([UInt8]) -> Void) {
    self.level = level
    self.format = format
    self.sink = sink
  }

  /// A log that nobody reads.
  package static let silent = ServiceLog(level: .error) { _ in }

  /// A log on standard error.
  package static func standardError(level: Level, format: Format) -> ServiceLog {
    let turn = Mutex(())
    return ServiceLog(level: level, format: format) { line in
      // Whole lines, one at a time, so that none is torn.
      turn.withLock { _ in
        var rest = line[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { systemWrite(STDERR_FILENO, $0.baseAddress, $0.count) }
          guard count > 0 else { return }
          rest = rest.dropFirst(count)
        }
      }
    }
  }

  package func isWritten(_ level: Level) -> Bool { level >= self.level }

  /// Writes a line.
  ///
  /// - Parameter fields: an object; its members stand beside the message.
  package func write(_ level: Level, _ message: StaticString, _ fields: @autoclosure () -> JSONValue = [:]) {
    guard isWritten(level) else { return }
    write(level, "\(message)", fields().members)
  }

  func write(_ level: Level, _ message: String, _ fields: [JSONValue.Member]) {
    let time = Timestamp(microseconds: Clock.wallMicroseconds).rfc3339
    var line: [UInt8] = []
    switch format {
    case .json:
      let start: JSONValue = [
        "time": .string(time), "level": .string(level.rawValue), "message": .string(message),
      ]
      start.merging(.object(fields)).append(to: &line)
    case .text:
      line += "\(time) \(level.rawValue) \(message)".utf8
      for field in fields {
        line += " \(field.name)=".utf8
        Self.append(field.value, to: &line)
      }
    }
    line.append(UInt8(ascii: "\n"))
    sink(line)
  }

  /// Plain words as they are, anything else as JSON, so that no value can look like two fields or two lines.
  private static func append(_ value: JSONValue, to line: inout [UInt8]) {
    if case .string(let text) = value, !text.isEmpty,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
    {
      line += text.utf8
    } else {
      value.append(to: &line)
    }
  }
}

// The system's function, which the log's own hides.
private let systemWrite = write

/// The two clocks.
enum Clock {
  /// Microseconds since 1970.
  static var wallMicroseconds: Int64 { microseconds(CLOCK_REALTIME) }

  /// Microseconds since some moment before the process began; never set back.
  static var monotonicMicroseconds: Int64 { microseconds(CLOCK_MONOTONIC) }

  private static func microseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
