import EventStore
import Postgres
import TestSupport
import Testing

/// How the service stops while requests are in hand.
@Suite(.store) struct LeavingTests {
  @Test func whatWasTakenIsStoredFirst() throws {
    let service = try TestService()
    let blocker = try Connection(service.store.database)
    try blocker.execute("begin")
    try blocker.execute("lock table pushlift.event in exclusive mode")
    let answer = BackgroundWork { try service.post([Event(1).json]) }
    try TimeTests.waitForLock(service)
    let stop = BackgroundWork { service.stop(gracePeriod: .seconds(20)) }
    poll(upTo: .seconds(5), "nobody listens") { (try? service.client.get("/healthz")) == nil }
    #expect(!stop.isFinished)
    try blocker.execute("commit")
    #expect(try answer.value().status == 200)
    #expect(try stop.value())
    #expect(try service.eventCount() == 1)
  }

  @Test func aStoreThatHangsDoesNotKeepIt() throws {
    let service = try TestService()
    let blocker = try Connection(service.store.database)
    try blocker.execute("begin")
    try blocker.execute("lock table pushlift.event in exclusive mode")
    let answer = BackgroundWork { try service.post([Event(1).json]) }
    try TimeTests.waitForLock(service)
    let start = ContinuousClock.now
    #expect(!service.stop(gracePeriod: .seconds(1)))
    #expect(ContinuousClock.now - start < .seconds(4))
    let unanswered = try answer.value()
    #expect(unanswered.status == 503)
    #expect(unanswered.errorCode == "stopping")
    #expect(unanswered["Retry-After"] == "5")
    try blocker.execute("commit")
  }
}
