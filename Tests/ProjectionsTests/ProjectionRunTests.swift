import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// The job as such: one at a time, killed at any point, and cheap where little is new.
@Suite(.store)
struct ProjectionRunTests {
  @Test func aSecondRunnerStepsBack() throws {
    let store = try EventStore.prepared()
    _ = try store.fill(notifications: 50)
    var second: [EngagementProjection.Outcome] = []
    var failure: (any Error)?
    _ = try EngagementProjection(rangeLimit: 50).run(on: store.connect(.aggregating)) { _, _ in
      do { second.append(try store.project()) } catch { failure = error }
      return true
    }
    #expect(failure == nil)
    #expect(second.count > 1)
    #expect(second.allSatisfy { $0 == .runningElsewhere })
    // And once the first is done, the next one may.
    guard case .caughtUp(events: 0, _) = try store.project() else {
      Issue.record("the lock was kept")
      return
    }
  }

  @Test func theJobOfAFormerReleaseStops() throws {
    let store = try EventStore.prepared()
    _ = try store.fill(notifications: 20)
    try store.connectAsSuperuser().execute(
      "insert into schema_migration (version, name, checksum) values (9999, 'V9999_future.sql', '')")
    let error = #expect(throws: StoreError.self) { try store.project() }
    #expect(error?.code == .schema)
    #expect(try EngagementProjection.checkpoint(on: store.connect(.asking)).position == 0)
  }

  @Test func aKilledRunGoesOnWhereItWas() throws {
    let store = try EventStore.prepared()
    _ = try store.fill(notifications: 200)
    let superuser = try store.connectAsSuperuser()
    try store.project()
    let expected = try ProjectedState(superuser)
    try superuser.script(
      """
      delete from unit_outcome; delete from unit_interaction; delete from daily_rate; delete from daily_implausible;
      delete from daily_action; delete from log_tally; update projection_checkpoint set position = 0, watermark = null
      """)
    var ranges = 0
    for _ in 0..<4 {
      let connection = try store.connect(.aggregating)
      let process = Int32(connection.backendProcessID)
      let error = #expect(throws: PostgresError.self) {
        _ = try EngagementProjection(rangeLimit: 20).run(on: connection) { _, _ in
          ranges += 1
          if ranges % 2 == 0 { _ = try? superuser.query("select pg_terminate_backend(\(process))") }
          return true
        }
      }
      #expect(error?.isConnectionLost == true)
      let position = try EngagementProjection.checkpoint(on: superuser).position
      #expect(position == Int64(ranges) * 20)
      poll(upTo: .seconds(10), "the killed session has gone") {
        (try? superuser.value(
          of: "select not exists (select from pg_stat_activity where pid = \(process))", as: Bool.self))
          == true
      }
    }
    try store.project(rangeLimit: 40)
    #expect(try ProjectedState(superuser) == expected)
  }

  @Test func aStepThatFailsHalfwayLeavesNoTrace() throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 100)
    let superuser = try store.connectAsSuperuser()
    try store.project()
    let before = try ProjectedState(superuser)
    let position = try EngagementProjection.checkpoint(on: superuser).position
    try store.append(
      [.delivered(of: ("new", "d1")).received(after: 86_400), .opened(of: ("new", "d1"))], to: app.id)
    // The last table to be written refuses; units and interactions were written before it.
    try superuser.execute(
      "alter table daily_rate add constraint nothing_more check (delivered < 0) not valid")
    #expect(throws: PostgresError.self) { try store.project() }
    #expect(try ProjectedState(superuser) == before)
    #expect(try EngagementProjection.checkpoint(on: superuser).position == position)
    try superuser.execute("alter table daily_rate drop constraint nothing_more")
    guard case .caughtUp(events: 2, _) = try store.project() else {
      Issue.record("the step was not done again")
      return
    }
    #expect(try ProjectedState(superuser).units.count == before.units.count + 1)
  }

  @Test func writersInTheWayHoldARunUpAndNothingElse() throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 10)
    let writer = try store.connectAsSuperuser()
    try writer.script("begin; select pg_advisory_xact_lock_shared(7081002)")
    #expect(try store.project() == .heldUp)
    // Others append meanwhile.
    #expect(try store.append([.expanded(of: ("new", "d1"))], to: app.id) == [.stored])
    try writer.script("commit")
    guard case .caughtUp(let events, _) = try store.project() else {
      Issue.record("still held up")
      return
    }
    #expect(events > 10)
  }

  @Test func aDelivery29DaysLateMovesOneRow() throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 400)
    let late = 29 * 86_400.0
    try store.append([EventSample.opened(of: ("late", "d"), at: 60)], to: app.id)
    try store.project()
    let superuser = try store.connectAsSuperuser()
    let before = try ProjectedState(superuser)
    let versions: SQL = "select xmin::text || ctid::text as v from daily_rate order by v"
    let versionsBefore = try superuser.query(versions).map { row in try row.value(0, as: String.self) }
    try store.append([EventSample.delivered(of: ("late", "d")).received(after: late)], to: app.id)
    try store.project()
    let after = try ProjectedState(superuser)
    let added = after.days.filter { !before.days.contains($0) }
    let removed = before.days.filter { !after.days.contains($0) }
    #expect(added.count == 1)
    #expect(removed.count <= 1)
    #expect(added.first?.contains("2026-11-02,news,f,f,f") == true)
    #expect(after.units.filter { !before.units.contains($0) }.count == 1)
    let versionsAfter = try superuser.query(versions).map { row in try row.value(0, as: String.self) }
    #expect(Set(versionsAfter).subtracting(versionsBefore).count == 1)
  }

  @Test func aRowThatLateDataEmptiesGoes() throws {
    let store = try EventStore.prepared()
    let app = try store.app()
    try store.append([.delivered(in: "news", at: 86_400)], to: app.id)
    try store.project()
    try store.append([.delivered(in: "news", at: 0)], to: app.id)
    try store.project()
    let days = try ProjectedState(store.connectAsSuperuser()).days
    #expect(days.count == 1)
    #expect(days.first?.contains("2026-11-02") == true)
  }
}
