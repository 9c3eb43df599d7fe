internal import Synchronization

extension ServiceLog {
  /// What has happened since the last line of its kind.
  struct Flood: Sendable {
    let level: Level
    let message: String
    /// On the monotonic clock.
    var lastWritten: Int64
    var count = 0
    /// Of the last one.
    var fields: [JSONValue.Member] = []

    /// Microseconds between two lines of a kind.
    static let interval: Int64 = 1_000_000
  }

  /// Writes a line of something that may come a thousand times a second: at most one a second for each message and kind. It
  /// bears the number of times as `count`, and the fields of the last one.
  ///
  /// - Parameter kind: what is counted apart; only of closed sets, since each is remembered.
  ///
  /// What is held back is written by the next call, or by `writeHeldBack`.
  package func summarise(
    _ level: Level, _ message: StaticString, of kind: String = "", count: Int = 1,
    _ fields: @autoclosure () -> JSONValue = [:]
  ) {
    guard isWritten(level) else { return }
    let now = Clock.monotonicMicroseconds
    let message = "\(message)"
    let key = message + "\n" + kind
    let line = floods.withLock { floods -> Flood? in
      var flood =
        floods[key] ?? Flood(level: level, message: message, lastWritten: now - Flood.interval)
      flood.count += count
      flood.fields = fields().members
      defer { floods[key] = flood }
      return flood.take(now)
    }
    if let line { write(line) }
  }

  /// Writes what `summarise` held back for long enough, or all of it.
  package func writeHeldBack(all: Bool = false) {
    let now = all ? Int64.max : Clock.monotonicMicroseconds
    let lines = floods.withLock { floods in
      floods.keys.sorted().compactMap { floods[$0]?.take(now) }
    }
    for line in lines { write(line) }
  }

  private func write(_ flood: Flood) {
    write(
      flood.level, flood.message,
      [JSONValue.Member(name: "count", value: .integer(flood.count))] + flood.fields)
  }
}

extension ServiceLog.Flood {
  /// What is to be written now, if it is time; then it begins anew.
  fileprivate mutating func take(_ now: Int64) -> ServiceLog.Flood? {
    guard count > 0, now == .max || now - lastWritten >= Self.interval else { return nil }
    defer {
      count = 0
      fields = []
      lastWritten = min(now, Clock.monotonicMicroseconds)
    }
    return self
  }
}
