import EngagementEvents
import Foundation
import Testing

@testable import EngagementSDK

/// What follows where the server, or somebody in its place, does not take the events.
struct RefusalTests {
  private static let refusal = #"{"error":{"code":"some_code","message":"No."}}"#

  private static func refused(_ status: Int, _ body: String = refusal) -> UploadResponse {
    UploadResponse(status: status, body: Data(body.utf8))
  }

  @Test(arguments: [400, 404, 415, 422])
  func whatWillNeverWorkIsGivenUpAndTold(status: Int) async throws {
    let trial = try Trial { _, _ in Self.refused(status) }
    try trial.record(2)
    try await trial.engagement.upload()
    #expect(try trial.transport.sent.count == 1)
    #expect(try trial.waiting == 0)
    #expect(trial.log.all == [.refused(events: 2, status: status, code: "some_code", message: "No.")])
  }

  /// A login page, a proxy, a firewall: nothing is lost to them.
  @Test(
    arguments: [400, 401, 403, 404, 405, 407, 410, 413, 415, 422, 451],
    ["<html>Forbidden</html>", "", #"{"error":"no"}"#, #"{"message":"Not Found"}"#])
  func aRefusalThatIsNotTheServersTakesNothing(status: Int, body: String) async throws {
    let trial = try Trial { number, batch in number == 0 ? Self.refused(status, body) : .stored(batch) }
    try trial.record(1)
    try await trial.engagement.upload()
    #expect(
      trial.log.all == [
        .delayed(seconds: 1, reason: "status \(status) with a body that is not the server's"),
        .uploaded(accepted: 1, duplicates: 0),
      ])
  }

  @Test func oneEventThatIsTooLargeGoesAloneAndIsTold() async throws {
    let trial = try Trial { _, batch in
      batch.events.contains { $0["notificationId"] == "n-5" } ? Self.refused(413) : .stored(batch)
    }
    try trial.record(12)
    try await trial.engagement.upload()
    let stored = try trial.transport.sent.filter { !$0.events.contains { $0["notificationId"] == "n-5" } }
    #expect(Set(stored.flatMap(\.ids)).count == 11)
    #expect(trial.log.all.filter { $0 == .dropped(events: 1, reason: .tooLarge) }.count == 1)
    #expect(try trial.waiting == 0)
  }

  /// Keys are rotated: the new one may come a little later to the server than to the app.
  @Test(arguments: [401, 403]) func aKeyMayBePutRightWithinADay(status: Int) async throws {
    let trial = try Trial { number, batch in number < 50 ? Self.refused(status) : .stored(batch) }
    try trial.record(2)
    try await trial.engagement.upload()
    #expect(try trial.transport.sent.count == 51)
    #expect(trial.log.all.last == .uploaded(accepted: 2, duplicates: 0))
    // Told, but once an hour at most: of the 50 waits the last 40 or so take five minutes each.
    let told = trial.log.all.filter { $0 == .keyRefused(status: status, code: "some_code", message: "No.") }
    #expect((2...5).contains(told.count))
    #expect(!FileManager.default.fileExists(atPath: try trial.folder.storage.keyRefusal.path))
  }

  @Test func afterADayOfRefusedKeysEventsAreGivenUpThatWaitedForADay() async throws {
    let trial = try Trial { _, _ in Self.refused(401) }
    let begin = trial.clock.now
    try trial.record(3)
    try await trial.engagement.upload()
    #expect(try trial.waiting == 0)
    #expect(trial.log.all.filter { $0 == .dropped(events: 3, reason: .keyRefused) }.count == 1)
    #expect((86_400...88_000).contains((trial.clock.now.microseconds - begin.microseconds) / 1_000_000))
    // A day is granted to what is recorded then.
    let later = trial.clock.now
    try trial.record(1, from: 3)
    try await trial.engagement.upload()
    #expect((86_400...88_000).contains((trial.clock.now.microseconds - later.microseconds) / 1_000_000))
  }

  /// The day goes on while no process lives, and is over only where the server still says so.
  @Test func theDayOutlivesTheProcess() throws {
    let temporary = try TemporaryFolder()
    let folder = try temporary.storage
    let first = Timestamp(microseconds: 1_764_547_200_000_001)
    KeyRefusal(folder).begin(at: first)
    KeyRefusal(folder).begin(at: first.advanced(by: .seconds(80_000)))
    #expect(KeyRefusal(folder).cutoff(at: first.advanced(by: .seconds(86_400))) == nil)
    #expect(
      KeyRefusal(folder).cutoff(at: first.advanced(by: .seconds(86_401))) == first.advanced(by: .seconds(1)))
    // The clock was set back.
    KeyRefusal(folder).begin(at: first.advanced(by: .seconds(-100)))
    #expect(KeyRefusal(folder).cutoff(at: first.advanced(by: .seconds(86_350))) != nil)
    KeyRefusal(folder).end()
    #expect(KeyRefusal(folder).cutoff(at: first.advanced(by: .seconds(900_000))) == nil)
    withExtendedLifetime(temporary) {}
  }
}
