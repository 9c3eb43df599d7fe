import EngagementEvents
import Foundation
import Testing

@testable import EngagementSDK

/// What apps and extensions record.
struct RecordingTests {
  private let trial: Trial
  private let post = NotificationReference(
    id: "n-1", category: "social_post", date: Date(timeIntervalSince1970: 9.9))

  init() throws { trial = try Trial() }

  private func sent() async throws -> [[String: String]] {
    try await trial.engagement.upload()
    return try trial.transport.sent.flatMap(\.events)
  }

  /// The four shapes of a response.
  @Test func responsesBecomeActions() async throws {
    let open = ResponseFacts(notification: post, action: ActionID.defaultAction.text)
    let dismiss = ResponseFacts(notification: post, action: ActionID.dismiss.text)
    let like = ResponseFacts(notification: post, action: "like")
    let reply = ResponseFacts(notification: post, action: "reply", text: "")
    for response in [open, dismiss, like, reply] { #expect(trial.engagement.note(response, from: .app)) }
    let events = try await sent()
    #expect(
      Set(events.compactMap { $0["actionId"] }) == [
        "com.apple.UNNotificationDefaultActionIdentifier", "com.apple.UNNotificationDismissActionIdentifier",
        "like",
        "reply",
      ])
    #expect(events.compactMap { $0["replyText"] } == [""])  // empty is not absent
  }

  @Test func aResponseThatTwoProcessesSeeIsRecordedOnce() async throws {
    let app = try Engagement(
      endpoint: URL(string: "https://push.example.com")!, key: "k", device: "d-1",
      storage: .folder(trial.folder.url), options: trial.engagement.options, transport: trial.transport,
      clock: trial.clock)
    var like = ResponseFacts(notification: post, action: "like")
    #expect(trial.engagement.note(like, from: .contentExtension))
    #expect(!app.note(like, from: .app))
    #expect(!trial.engagement.note(like, from: .contentExtension))
    // The notification that takes its place another day is another one.
    like.notification.date = Date(timeIntervalSince1970: 86_400)
    #expect(app.note(like, from: .app))
    // And another text is another reply.
    for text in ["one", "two", "two"] {
      app.note(ResponseFacts(notification: post, action: "reply", text: text), from: .app)
    }
    let events = try await sent()
    #expect(events.compactMap { $0["source"] }.sorted() == ["app", "app", "app", "contentExtension"])
    #expect(events.compactMap { $0["replyText"] }.sorted() == ["one", "two"])
  }

  @Test func anExpansionIsRecordedOnceForEachNotification() async throws {
    #expect(trial.engagement.noteExpanded(post))
    #expect(!trial.engagement.noteExpanded(post))
    var next = post
    next.id = "n-2"
    #expect(trial.engagement.noteExpanded(next))
    #expect(try await sent().map { $0["type"] } == ["expanded", "expanded"])
  }

  @Test func aReplyThatCannotBeKeptCostsNotTheAction() async throws {
    for text in [String(repeating: "a", count: 9_000), "a\0b"] {
      let response = ResponseFacts(notification: post, action: "reply \(text.count)", text: text)
      #expect(trial.engagement.note(response, from: .app))
    }
    let reports = trial.log.all
    #expect(reports.count == 2)
    for report in reports {
      guard case .replyLeftOut(let error) = report else {
        Issue.record("\(report)")
        continue
      }
      #expect(!error.message.contains("aaa"))
    }
    let events = try await sent()
    #expect(events.count == 2)
    #expect(events.allSatisfy { $0["replyText"] == nil })
  }

  @Test func whatBreaksTheContractIsToldAndNotRecorded() async throws {
    let nameless = ResponseFacts(notification: NotificationReference(id: ""), action: "like")
    #expect(!trial.engagement.note(nameless, from: .app))
    guard case .notRecorded(let error) = trial.log.all.first else {
      Issue.record("not told")
      return
    }
    #expect(error.code == .invalidEvent)
    #expect(error.message.contains("notificationId"))
    #expect(throws: EngagementError.self) { try trial.engagement.recordAction("", on: post) }
    #expect(try trial.waiting == 0)
  }

  @Test func aPayloadIsReadWhateverItHolds() throws {
    var keys = PayloadKeys()
    keys.media = ["media-url", "fcm_options.image", "a.b"]
    keys.notificationID = "meta.id"
    func read(_ userInfo: [AnyHashable: Any]) -> PayloadReader { PayloadReader(userInfo, keys: keys) }
    #expect(read(["media-url": "https://e.com/1.png"]).media?.url?.path == "/1.png")
    #expect(
      read(["media-url": 7, "fcm_options": ["image": "https://e.com/2.png"]]).media?.url?.path == "/2.png")
    #expect(read(["a.b": "https://e.com/3.gif"]).media?.kind == .gif)
    #expect(read(["media-url": "https://e.com/4", "media-type": "video"]).media?.kind == .video)
    for odd: [AnyHashable: Any] in [
      [:], ["media-url": ""], ["fcm_options": "x"], [7: 8], ["a": ["b": ["c"]]],
    ] {
      #expect(read(odd).media == nil)
    }
    #expect(read(["meta": ["id": "x"]]).reference(requestID: "r", category: "").id == "x")
    #expect(read(["meta": 7]).reference(requestID: "r", category: "").id == "r")
    let experiment = read(["experiment": ["name": "rich", "arm": "text"]]).experiment
    #expect(experiment == (try ExperimentAssignment(name: "rich", arm: "text")))
    #expect(read(["experiment": ["name": "rich"]]).experiment == nil)
    #expect(read(["experiment": ["name": "", "arm": "x"]]).experiment == nil)
  }
}
