import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@Suite(.store)
struct EventPartitionsTests {
  private func partitions(_ connection: borrowing Connection) throws -> [String] {
    try connection.query("select tableoid::regclass::text from event order by position")
      .map { row in try row.value(0, as: String.self) }
  }

  private func sample(_ number: UInt64, days: Double) -> EventSample {
    .expanded(number, at: days * 86_400)
  }

  @Test func weeksAreMadeBackAndAheadOnce() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let connection = try store.connectAsSuperuser()
    #expect(try EventPartitions.prepare(on: store.connect(.administering)) == 0)
    let now = Timestamp(try connection.value(of: "select now()", as: PostgresTimestamp.self))
    func event(_ days: Double) -> EventSample {
      var sample = EventSample.expanded()
      sample.occurredAt = now.advanced(bySeconds: days * 86_400)
      return sample
    }
    try store.append([event(-399), event(-200), event(0), event(34)], to: app)
    #expect(try !partitions(connection).contains("event_default"))
    try store.append([event(-440), event(60), event(20_000)], to: app)
    #expect(try partitions(connection).filter { $0 == "event_default" }.count == 3)
  }

  @Test func rowsOfTheDefaultPartitionMoveWhenTheirWeekIsMade() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let connection = try store.connectAsSuperuser()
    let superuser = try store.connectAsSuperuser()
    // Weeks of 2010: Sunday, Monday, Sunday, Monday.
    func day(_ number: UInt64, _ text: String) throws -> EventSample {
      var sample = EventSample.expanded(number)
      sample.occurredAt = try Timestamp(rfc3339: text + "T23:59:59.999999Z")
      return sample
    }
    let events = try [day(1, "2010-05-02"), day(2, "2010-05-03"), day(3, "2010-05-09"), day(4, "2010-05-10")]
    try store.append(events, to: app)
    let before = try superuser.query("select event::text from event order by position")
      .map { row in try row.value(0, as: String.self) }
    #expect(try partitions(connection) == Array(repeating: "event_default", count: 4))
    let make: SQL = "select make_event_partitions('2010-05-05', '2010-05-05')"
    #expect(try store.connect(.administering).value(of: make, as: Int32.self) == 1)
    #expect(
      try partitions(connection) == ["event_default", "event_2010w18", "event_2010w18", "event_default"])
    let after = try superuser.query("select event::text from event order by position")
      .map { row in try row.value(0, as: String.self) }
    #expect(after == before)
    // They are still known, and neighbours find their way.
    #expect(try store.append(events, to: app) == Array(repeating: .duplicate, count: 4))
    #expect(try store.append([day(5, "2010-05-07")], to: app) == [.stored])
    #expect(try partitions(connection).last == "event_2010w18")
  }

  /// A row of that week may be written and not committed when the week is made: nobody can see it yet, but it is there.
  @Test func aRowOnItsWayIntoTheDefaultPartitionMovesToo() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    var sample = try EventSample.action("answer", 1, reply: "hi")
    sample.occurredAt = try Timestamp(rfc3339: "2010-05-05T12:00:00Z")
    let events = [sample]
    let blocker = try store.blockReply(of: sample, in: app)
    let writer = Background { try store.append(events, to: app) }
    try store.waitForBlocked("insert into reply%")
    let maker = Background {
      try store.connect(.administering).value(
        of: "select make_event_partitions('2010-05-05', '2010-05-05')", as: Int32.self)
    }
    try store.waitForBlocked("select make_event_partitions%")
    try blocker.script("rollback")
    #expect(try writer.value() == [.stored])
    #expect(try maker.value() == 1)
    #expect(try partitions(store.connectAsSuperuser()) == ["event_2010w18"])
  }

  @Test func twoMakersAndAWriterDoNotGetInEachOthersWay() throws {
    let store = try EventStore.prepared()
    let app = try store.app().id
    let makers = (0..<2).map { _ in
      Background {
        try store.connect(.administering).value(
          of: "select make_event_partitions('2009-01-05', '2009-12-27')", as: Int32.self)
      }
    }
    let base = try Timestamp(rfc3339: "2009-01-05T00:00:00Z")
    let writer = Background {
      for round in 0..<20 {
        let samples = (0..<50).map { number in
          var sample = EventSample.expanded(UInt64(round * 50 + number))
          sample.occurredAt = base.advanced(bySeconds: Double(number) * 7 * 86_400)
          return sample
        }
        try store.append(samples, to: app)
      }
    }
    #expect(try makers.map { try $0.value() }.sorted() == [0, 51])
    try writer.value()
    let connection = try store.connectAsSuperuser()
    #expect(try partitions(connection).count == 1_000)
    #expect(try !partitions(connection).contains("event_default"))
  }
}

/// Making partitions while something long is under way.
@Suite(.store)
struct BusyPartitionsTests {
  /// Drops the partition of the last week, and gives its last day.
  private func dropLast(_ superuser: borrowing Connection) throws -> PostgresDate {
    let last = try EventPartitions.lastDay(on: superuser)
    let name = try superuser.value(
      of: "select 'event_' || to_char(\(last)::date, 'IYYY\"w\"IW')", as: String.self)
    try superuser.execute("drop table \(identifier: name)")
    return last
  }

  /// Where the next weeks are there, a busy log is no reason to fail: there will be another time.
  @Test func aBusyLogPutsOffWhatIsNotUrgent() throws {
    let store = try EventStore.prepared()
    let superuser = try store.connectAsSuperuser()
    let last = try dropLast(superuser)
    let reader = try store.connectAsSuperuser()
    try reader.script("begin; select count(*) from event")
    #expect(try EventPartitions.prepare(on: store.connect(.administering)) == 0)
    #expect(try EventPartitions.lastDay(on: superuser) < last)
    try reader.script("commit")
    #expect(try EventPartitions.prepare(on: store.connect(.administering)) == 1)
    #expect(try EventPartitions.lastDay(on: superuser) == last)
  }

  /// Nor is somebody who has the log locked and wants the partition that the maker holds, and waits for it for ever otherwise.
  @Test func whoWaitsForTheMakerPutsItOff() throws {
    let store = try EventStore.prepared()
    let superuser = try store.connectAsSuperuser()
    let last = try dropLast(superuser)
    let other = try store.connectAsSuperuser()
    try other.script("begin; lock table only event in share update exclusive mode")
    let maker = Background { try EventPartitions.prepare(on: store.connect(.administering)) }
    try store.waitForBlocked("%make_event_partitions%")
    #expect(try other.value(of: "select count(*) from event_default", as: Int.self) == 0)
    #expect(try maker.value() == 0)
    try other.script("commit")
    #expect(try EventPartitions.prepare(on: store.connect(.administering)) == 1)
    #expect(try EventPartitions.lastDay(on: superuser) == last)
  }
}
