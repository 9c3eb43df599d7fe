internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres
internal import Projections
internal import Synchronization

/// Looks after the store once a second, on a connection and a thread of its own, so that whoever asks is never kept
/// waiting by a database that hangs.
final class StoreProbe: Sendable {
  /// What was found the last time that Postgres answered.
  struct Reading: Sendable {
    var appNames: [AppID: String]
    /// Whether the schema is the one this program was made for.
    var isSchemaCurrent: Bool
    /// Positions in the log beyond the aggregated ones.
    var lag: Int64
    /// Arrival of the last event aggregated; nil while there is none.
    var watermark: Timestamp?
  }

  private struct State {
    var reading: Reading
    var isUp = true
    /// What was met when it was last looked in vain.
    var outage: StoreError?
    /// On the monotonic clock.
    var readAt = Clock.monotonicMicroseconds
    /// Since when an answer is waited for; nil while none is.
    var askedAt: Int64?
    var isStopped = false
  }

  private let store: EventStore
  private let commits: CommitHealth
  private let categories: CategoryShelf
  private let state: Mutex<State>

  /// After so many microseconds without an answer Postgres counts as away.
  private static let patience: Int64 = 5_000_000

  /// Looks once before it returns.
  ///
  /// - Parameters:
  ///   - commits: is told where a write succeeds after commits have failed.
  ///   - categories: is kept up to date.
  init(
    _ store: EventStore, commits: CommitHealth, categories: CategoryShelf = CategoryShelf(),
    interval: Duration = .seconds(1)
  ) throws {
    self.store = store
    self.commits = commits
    self.categories = categories
    let connection = try store.connect(.ingesting)
    state = Mutex(State(reading: try Self.read(connection)))
    try categories.refresh(on: connection)
    let seconds = interval / .seconds(1)
    let thread = Thread { [weak self] in Self.look(every: seconds) { self } }
    thread.name = "pushlift-probe"
    thread.start()
  }

  var reading: Reading { state.withLock { $0.reading } }

  /// Whether Postgres answers.
  var isUp: Bool {
    state.withLock { $0.isUp && Clock.monotonicMicroseconds - $0.readAt < Self.patience }
  }

  /// Whether Postgres does anything with what it is asked: false where it has hung for so long, and not where it is away.
  var isAnswered: Bool {
    state.withLock { $0.askedAt.map { Clock.monotonicMicroseconds - $0 < Self.patience } ?? true }
  }

  /// Why Postgres did not answer the last time, if it did not.
  var outage: StoreError? { state.withLock { $0.outage } }

  func stop() { state.withLock { $0.isStopped = true } }

  private var isRunning: Bool { state.withLock { !$0.isStopped } }

  /// Ends when the probe is stopped or gone; holds it only while it reads.
  private static func look(every interval: TimeInterval, _ probe: () -> StoreProbe?) {
    while probe()?.isRunning == true {
      do {
        guard let connection = try probe()?.store.connect(.ingesting) else { return }
        while let current = probe(), current.isRunning {
          try current.look(over: connection)
          Thread.sleep(forTimeInterval: interval)
        }
      } catch {
        let outage = error as? StoreError ?? (error as? PostgresError).map(StoreError.init)
        probe()?.state.withLock { state in
          state.askedAt = nil
          state.isUp = false
          state.outage = outage
        }
        Thread.sleep(forTimeInterval: interval)
      }
    }
  }

  private func look(over connection: borrowing Connection) throws {
    state.withLock { $0.askedAt = Clock.monotonicMicroseconds }
    let reading = try Self.read(connection)
    try categories.refresh(on: connection)
    state.withLock { state in
      state.askedAt = nil
      state.reading = reading
      state.isUp = true
      state.outage = nil
      state.readAt = Clock.monotonicMicroseconds
    }
    guard commits.wantsTrial, (try? Self.tryToWrite(connection)) != nil else { return }
    commits.noteSuccess()
  }

  /// Writes a quarter of a megabyte and lets it go: on a full disk there is no room for that.
  private static func tryToWrite(_ connection: borrowing Connection) throws {
    try connection.withTransaction { (connection: borrowing Connection) in
      try connection.script(
        """
        create temporary table trial on commit drop as
        select repeat(md5(number::text), 32) as filler from generate_series(1, 256) as number
        """)
    }
  }

  private static func read(_ connection: borrowing Connection) throws -> Reading {
    let checkpoint = try EngagementProjection.checkpoint(on: connection)
    let last = try connection.value(
      of: "select case when is_called then last_value else 0 end from event_position", as: Int64.self)
    let names = try App.all(on: connection).map { ($0.id, $0.name) }
    // A schema ahead of this program throws, since it cannot tell what has changed.
    let pending = try? Migrator().pending(on: connection)
    return Reading(
      appNames: Dictionary(names) { first, _ in first }, isSchemaCurrent: pending?.isEmpty == true,
      lag: max(0, last - checkpoint.position),
      watermark: checkpoint.watermark.map { Timestamp(microseconds: $0.microsecondsSince1970) })
  }
}
