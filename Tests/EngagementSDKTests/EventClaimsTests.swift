import EngagementEvents
import Foundation
import TestSupport
import Testing

@testable import EngagementSDK

/// What happened once is recorded once.
struct EventClaimsTests {
  private let folder: TemporaryFolder
  private let queue: EventQueue
  private let claims: EventClaims
  private let like = Occurrence(["action", "n-1", "like"])

  init() throws {
    folder = try TemporaryFolder()
    queue = EventQueue(try folder.storage)
    claims = EventClaims(try folder.storage, queue: queue)
  }

  @Test func theFirstOneCounts() throws {
    #expect(try claims.record(.sample(1), as: like))
    #expect(try !claims.record(.sample(2), as: like))
    #expect(try claims.record(.sample(3), as: Occurrence(["action", "n-1", "reply"])))
    #expect(try queue.pending().inOrder.map(\.id.low) == [1, 3])
    // Nothing that was typed stays behind.
    for file in try folder.files(in: "claims") { #expect(try Data(contentsOf: file).isEmpty) }
  }

  /// The first process was killed after its claim and before its journal: whoever comes next records its event.
  @Test func aClaimOfOneThatWasKilledIsKept() throws {
    let path = folder.url.appendingPathComponent("claims/\(like.name)")
    try Data(QueuedEvent.sample(1, text: "first").record).write(to: path)
    #expect(try !claims.record(.sample(2, text: "second"), as: like))
    #expect(
      queue.load(try queue.pending().inOrder).map { String(decoding: $0.json, as: UTF8.self) } == ["first"])
    #expect(try Data(contentsOf: path).isEmpty)
  }

  /// A delivery is not reported twice: without a start of the app nobody would come for it.
  @Test func theAppsStartRecordsWhatAKilledProcessHadClaimed() throws {
    let path = folder.url.appendingPathComponent("claims/\(like.name)")
    try Data(QueuedEvent.sample(1).record).write(to: path)
    let now = SystemClock().now
    // Its process may be busy with it.
    claims.recoverAbandoned(at: now)
    #expect(try queue.pending().count == 0)
    for _ in 0..<2 {
      claims.recoverAbandoned(at: now.advanced(by: .seconds(30)))
      #expect(try queue.pending().inOrder.map(\.id.low) == [1])
      #expect(try Data(contentsOf: path).isEmpty)
    }
    #expect(try !claims.record(.sample(2), as: like))
  }

  @Test func aTornClaimCountsForNothing() throws {
    let path = folder.url.appendingPathComponent("claims/\(like.name)")
    try Data(QueuedEvent.sample(1).record.dropLast()).write(to: path)
    #expect(try claims.record(.sample(2), as: like))
    #expect(try queue.pending().inOrder.map(\.id.low) == [2])
  }

  @Test func ofManyAtTheSameTimeOneCounts() throws {
    let storage = try folder.storage
    let like = like
    let processes = (0..<4).map { process in
      BackgroundWork { () -> Int in
        let claims = EventClaims(storage, queue: EventQueue(storage))
        var first = 0
        for number in 0..<100 {
          let event = QueuedEvent.sample(UInt64(number * 10 + process))
          if try claims.record(event, as: Occurrence([like.name, "\(number)"])) { first += 1 }
        }
        return first
      }
    }
    var winners = 0
    for process in processes { winners += try process.value() }
    #expect(winners == 100)
    #expect(try queue.pending().count == 100)
  }

  @Test func oldClaimsGo() throws {
    try claims.record(.sample(1), as: like)
    let now = SystemClock().now
    claims.removeExpired(at: now.advanced(by: .seconds(50)), age: .seconds(60))
    #expect(try folder.files(in: "claims").count == 1)
    claims.removeExpired(at: now.advanced(by: .seconds(90)), age: .seconds(60))
    #expect(try folder.files(in: "claims").isEmpty)
  }

  @Test func partsDoNotRunIntoEachOther() {
    #expect(Occurrence(["a", "bc"]).name != Occurrence(["ab", "c"]).name)
    #expect(Occurrence(["a", ""]).name != Occurrence(["a"]).name)
    #expect(Occurrence([]).name == "6c62272e07bb014262b821756295c58d")
  }

  @Test func theInstallationKeepsItsId() throws {
    let storage = EngagementStorage.folder(folder.url)
    let ids = (0..<4).map { _ in BackgroundWork { try storage.installationID() } }
    let id = try storage.installationID()
    for other in ids { #expect(try other.value() == id) }
    #expect(throws: Never.self) { try EventID(id) }
    // The power went while it was written.
    try Data("0".utf8).write(to: folder.url.appendingPathComponent("installation-id"))
    let renewed = try storage.installationID()
    #expect(renewed != id)
    #expect(try storage.installationID() == renewed)
  }
}
