import EventStore
import Postgres
import TestSupport
import Testing

/// What an answer promises, and what happens while the database is away.
@Suite(.store) struct CommitTests {
  /// As soon as the answer is there, another connection sees the events.
  @Test func anAnswerMeansThatItIsStored() throws {
    let service = try TestService()
    let watcher = try service.store.connect(.asking)
    for number in 1...50 {
      #expect(try service.post([Event(number).json]).status == 200)
      #expect(try watcher.value(of: "select count(*) from event") == number)
    }
  }

  @Test func thereIsNoAnswerBeforeTheCommit() throws {
    let service = try TestService()
    let blocker = try Connection(service.store.database)
    try blocker.execute("begin")
    try blocker.execute("lock table pushlift.event in exclusive mode")
    let answer = BackgroundWork { try service.post([Event(1).json]) }
    try TimeTests.waitForLock(service)
    #expect(!answer.isFinished)
    #expect(try service.eventCount() == 0)
    try blocker.execute("commit")
    #expect(try answer.value().status == 200)
    #expect(try service.eventCount() == 1)
  }

  @Test func whileTheDatabaseIsAwayClientsAreToldToComeBack() throws {
    let service = try TestService()
    #expect(try service.post([Event(1).json]).status == 200)
    let server = try Connection(try TestCluster.shared)
    let name = try #require(service.store.database.database)
    try server.execute("alter database \(identifier: name) allow_connections false")
    try server.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = \(name)")
    try poll(upTo: .seconds(20), "readiness ends") {
      _ = try service.post([Event(2).json])
      return try service.client.get("/readyz").status == 503
    }
    let answer = try service.post([Event(2).json])
    #expect(answer.status == 503)
    #expect(answer.errorCode == "store_unavailable")
    #expect(answer["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
    #expect(try service.client.get("/healthz").status == 200)
    // A key is still known or not, and content still at fault.
    #expect(try service.post([Event(2).json], key: "nonsense").status == 401)
    #expect(try service.post("[").status == 400)

    try server.execute("alter database \(identifier: name) allow_connections true")
    try poll(upTo: .seconds(30), "the store is there again") {
      try service.client.get("/readyz").status == 200
    }
    let again = try service.post([Event(1).json, Event(2).json]).verdicts()
    #expect(again.accepted + again.duplicates == 2)
    #expect(try service.storedIDs() == [Event.id(1), Event.id(2)])
    // Keys are read again as well.
    let key = try service.makeKey()
    try poll(upTo: .seconds(20), "a new key works") { try service.post("[]", key: key).status == 200 }
  }
}
