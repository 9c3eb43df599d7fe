import EngagementEvents
import Foundation
import Testing

@testable import EngagementSDK

/// A delivery that the disk does not take at first.
struct RecordedDeliveryTests {
  private let trial: Trial

  init() throws { trial = try Trial() }

  private func notification(_ id: String = "N-1") -> IncomingNotification {
    IncomingNotification(
      requestID: id, category: "social_post", userInfo: ["media-url": "https://e.com/a.png"],
      keys: PayloadKeys(), threadID: "t", interruptionLevel: .active, relevanceScore: 0.5)
  }

  /// What waits to be sent a minute later, when nothing is held any more.
  private func events() throws -> [[String: Any]] {
    let queue = EventQueue(try trial.folder.storage)
    let later = trial.clock.now.advanced(by: .seconds(61))
    return try queue.load(queue.pending().sendable(at: later)).map {
      try #require(JSONSerialization.jsonObject(with: Data($0.json)) as? [String: Any])
    }
  }

  /// Records a delivery while a folder is not there, and then how it was shown.
  private func record(without name: String) throws {
    let folder = trial.folder.url.appendingPathComponent(name)
    try FileManager.default.removeItem(at: folder)
    let delivery = RecordedDelivery(notification(), trial.engagement, hold: .seconds(60))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(trial.log.all.count == 1)
    trial.clock.now = trial.clock.now.advanced(by: .seconds(5))
    delivery.conclude(
      notification(), attachments: [try Attachment(kind: .image)], intended: .image, fallback: nil)
    #expect(trial.log.all.count == 1)
  }

  /// Whichever of the steps it refuses, it is told as it was shown, once, and as of when it came.
  @Test(arguments: ["claims", "journals"]) func howItWasShownIsToldAllTheSame(folder: String) throws {
    try record(without: folder)
    let events = try events()
    #expect(events.count == 1)
    #expect(events.first?["fallback"] == nil)
    #expect((events.first?["attachments"] as? [[String: Any]])?.first?["kind"] as? String == "image")
    #expect(events.first?["occurredAt"] as? String == "2025-12-01T00:00:00.000001Z")
  }

  /// What others record or recover of it afterwards changes nothing.
  @Test(arguments: ["claims", "journals"]) func itIsRecordedOnce(folder: String) throws {
    try record(without: folder)
    let again = RecordedDelivery(notification(), trial.engagement, hold: .seconds(60))
    again.conclude(notification(), attachments: [], intended: .image, fallback: .downloadFailed)
    trial.engagement.claims.recoverAbandoned(at: trial.clock.now.advanced(by: .seconds(3_600)))
    let events = try events()
    #expect(events.count == 1)
    #expect(events.first?["fallback"] == nil)
  }
}
