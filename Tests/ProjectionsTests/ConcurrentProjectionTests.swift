import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// Eight writers that append at once, and the job beside them.
@Suite(.store)
struct ConcurrentProjectionTests {
  private static let writers = 8

  /// - Parameters:
  ///   - events: each of a unit of its own.
  ///   - round: tells the units of several runs on one store apart.
  ///   - readableEnd: how the job finds out how far it may read.
  /// - Returns: the units that the job knows in the end, and how many runs it took.
  private func run(
    events: Int, round: Int = 1, readableEnd: @escaping @Sendable (borrowing Connection) throws -> Int64?
  ) throws -> (units: Int, runs: Int) {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let share = events / Self.writers
    let writers = (0..<Self.writers).map { writer in
      Background {
        let connection = EventWriter(try store.connect(.writing))
        var rest = (writer * share)..<((writer + 1) * share)
        while !rest.isEmpty {
          // Of uneven lengths, so that transactions overlap in ever other ways.
          let part = rest.prefix(100 + 311 * (rest.count % 9))
          let rows = try part.map {
            try EventSample.delivered(of: ("\(round) n\($0)", "d\($0 % 997)")).row(app)
          }
          _ = try connection.append(.of(rows))
          rest = rest.dropFirst(part.count)
        }
      }
    }
    let projection = EngagementProjection(
      rangeLimit: 20_000, tables: .serving, readableEnd: readableEnd)
    let job = try store.connect(.aggregating)
    var runs = 0
    while !writers.allSatisfy(\.isFinished) {
      _ = try projection.run(on: job)
      runs += 1
    }
    for writer in writers { try writer.value() }
    _ = try projection.run(on: job, patience: .seconds(20)).caughtUp()
    let units = try job.value(of: "select count(*) from unit_outcome", as: Int.self)
    return (units, runs)
  }

  @Test func nothingIsMissed() throws {
    let (units, runs) = try run(events: 100_000) { try PositionBarrier.lastPosition(on: $0) }
    #expect(units == 100_000)
    #expect(runs > 3)
  }

  /// The same with a job that goes by the positions that it sees: that is what the barrier is for. On a busy machine its
  /// runs may once fall between the writers'; hardly four times.
  @Test func aJobByPositionAloneMissesSome() throws {
    let missing = try (1...4).contains { round in
      let (units, _) = try run(events: 100_000, round: round) { job in
        try job.value(of: "select coalesce(max(position), 0) from event", as: Int64.self)
      }
      return units < round * 100_000
    }
    #expect(missing)
  }
}
