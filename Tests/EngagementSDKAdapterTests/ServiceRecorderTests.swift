import EngagementEvents
import EngagementSDK
import EngagementSDKAdapters
import Foundation
import Synchronization
import TestSupport
import Testing
import UserNotifications

/// The service extension's adapter, with what the system would hand it.
struct ServiceRecorderTests {
  private let phone = Phone()

  /// What was handed to the content handler, which nobody changes any more.
  private struct Handed: @unchecked Sendable { let content: UNNotificationContent }

  private static func serve(_ bytes: [UInt8], as type: String) throws -> SocketServer {
    try SocketServer { connection in
      _ = connection.readRequest()
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(bytes.count)\r\n\r\n"
      connection.write(Array(head.utf8) + bytes)
    }
  }

  private func deliver(
    _ request: UNNotificationRequest, isCalledLast: Bool = false
  ) async throws -> UNNotificationContent {
    let recorder = NotificationServiceRecorder(engagement: try phone.process(.serviceExtension))
    let (stream, continuation) = AsyncStream.makeStream(of: Handed.self)
    recorder.didReceive(
      request,
      withContentHandler: { content in
        for attachment in content.attachments {
          #expect(FileManager.default.fileExists(atPath: attachment.url.path))
        }
        continuation.yield(Handed(content: content))
      },
      preparing: { if isCalledLast { $0.title += ", changed" } })
    if isCalledLast { recorder.serviceExtensionTimeWillExpire() }
    var shown = stream.makeAsyncIterator()
    let handed = try #require(await shown.next())
    recorder.serviceExtensionTimeWillExpire()
    continuation.finish()
    #expect(await shown.next() == nil)
    return handed.content
  }

  @Test func aServiceExtensionAttachesAndRecords() async throws {
    let server = try Self.serve(MediaSample.png(bytes: 5_000), as: "image/png")
    let content = try await deliver(.sample(media: "http://127.0.0.1:\(server.port)/f/1"))
    #expect(content.title == "Anna")
    #expect(content.attachments.count == 1)
    let event = try #require(try await phone.events().first)
    #expect(event["interruptionLevel"] == "time-sensitive")
    #expect(event["relevanceScore"] == "0.25")
    #expect(event["threadId"] == "anna")
    #expect(event["attachments"]?.contains("5000") == true)
    #expect(event["fallback"] == nil)
  }

  /// The system looks at the files, and moves them, after the extension has handed the content over.
  @Test(arguments: [
    (MediaSample.png(bytes: 5_000), "image/png"), (MediaSample.wav(seconds: 1), "audio/wav"),
    (MediaSample.mp4(seconds: 1), "video/mp4"),
  ])
  func theSystemFindsTheFileAfterwards(bytes: [UInt8], type: String) async throws {
    let server = try Self.serve(bytes, as: type)
    let content = try await deliver(.sample(media: "http://127.0.0.1:\(server.port)/f/1"))
    // The app starts before the system gets round to it.
    _ = try phone.process(.app)
    #expect(try phone.mediaFiles().count == 1)
    let store = try AttachmentStore()
    let kept = store.take(content)
    #expect(kept.count == 1)
    #expect(try kept.first.map { try [UInt8](Data(contentsOf: $0)) } == bytes)
    #expect(try phone.mediaFiles().isEmpty)
  }

  @Test func aServiceExtensionInNeedShowsWhatCame() async throws {
    let server = try SocketServer { connection in
      while connection.read() != nil {}
    }
    let content = try await deliver(
      .sample(media: "http://127.0.0.1:\(server.port)/a.png"), isCalledLast: true)
    #expect(content.title == "Anna, changed")
    #expect(content.attachments.isEmpty)
    #expect(try await phone.events().first?["fallback"] == "timedOut")
    #expect(try phone.mediaFiles().isEmpty)
  }

  @Test func whatTheAppPreparesIsToldAndTheDeliveryIsOnDiskBefore() async throws {
    let engagement = try phone.process(.serviceExtension)
    let recorder = NotificationServiceRecorder(engagement: engagement)
    let isNew = Mutex<Bool?>(nil)
    let titles = Mutex<[String]>([])
    recorder.didReceive(
      .sample(), withContentHandler: { content in titles.withLock { $0.append(content.title) } },
      preparing: { content in
        let again = try? engagement.recordDelivered(NotificationReference(id: "n-1"), Delivery())
        isNew.withLock { $0 = again }
        content.title = "Anna and Ben"
        content.categoryIdentifier = "private_post"
        content.userInfo = ["media-url": "nowhere"]
      })
    #expect(isNew.withLock { $0 } == false)
    #expect(titles.withLock { $0 } == ["Anna and Ben"])
    let events = try await phone.events()
    #expect(events.count == 1)
    #expect(events.first?["category"] == "private_post")
    #expect(events.first?["fallback"] == "invalid")
  }

  /// The app's preparation has no end of its own: the system's last call comes while it runs.
  @Test(arguments: [nil, "https://e.com/a.png"]) func theLastCallIsHeardWhileTheAppPrepares(media: String?)
    async throws
  {
    let recorder = NotificationServiceRecorder(engagement: try phone.process(.serviceExtension))
    let titles = Mutex<[String]>([])
    recorder.didReceive(
      .sample(media: media), withContentHandler: { content in titles.withLock { $0.append(content.title) } },
      preparing: { content in
        content.title += ", half"
        recorder.serviceExtensionTimeWillExpire()
        // Nothing that the app was still changing is shown, and it is shown now.
        #expect(titles.withLock { $0 } == ["Anna"])
        content.title = "Anna and Ben"
        content.categoryIdentifier = "private_post"
        content.userInfo = ["media-url": "https://e.com/b.gif"]
      })
    recorder.serviceExtensionTimeWillExpire()
    #expect(titles.withLock { $0 } == ["Anna"])
    let events = try await phone.events()
    #expect(events.count == 1)
    #expect(events.first?["category"] == "social_post")
    #expect(events.first?["fallback"] == (media == nil ? nil : "timedOut"))
    #expect(try phone.mediaFiles().isEmpty)
  }

  /// Nor does the deadline wait for it.
  @Test func theDeadlineEndsAPreparation() async throws {
    let recorder = NotificationServiceRecorder(
      engagement: try phone.process(.serviceExtension), deadline: .milliseconds(20))
    let titles = Mutex<[String]>([])
    let shown = DispatchSemaphore(value: 0)
    // On a thread of its own, since it blocks.
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        recorder.didReceive(
          .sample(),
          withContentHandler: { content in
            titles.withLock { $0.append(content.title) }
            shown.signal()
          },
          preparing: { content in
            #expect(shown.wait(timeout: .now() + 20) == .success)
            content.title = "late"
          })
        done.resume()
      }
    }
    #expect(titles.withLock { $0 } == ["Anna"])
  }

  /// The notification's id as a number, as databases have it, in each of the three processes.
  @Test func aNumberIsAnId() async throws {
    let numbered = UNMutableNotificationContent()
    numbered.userInfo = ["note_id": 8_326_526_386, "experiment": ["name": "x", "arm": 1] as [String: Any]]
    let request = UNNotificationRequest(identifier: "request", content: numbered)
    let notification = UNNotification(date: Date(timeIntervalSince1970: 1_764_547_200), request: request)
    func process(_ role: EngagementOptions.Role) throws -> Engagement {
      try phone.process(role) { $0.payload.notificationID = "note_id" }
    }
    NotificationServiceRecorder(engagement: try process(.serviceExtension)).didReceive(
      request, withContentHandler: { _ in })
    NotificationContentRecorder(engagement: try process(.contentExtension)).didReceive(notification)
    try process(.app).record(UNNotificationResponse(notification: notification, actionIdentifier: "like"))
    let events = try await phone.events()
    #expect(events.map { $0["type"] } == ["delivered", "expanded", "action"])
    #expect(events.allSatisfy { $0["notificationId"] == "8326526386" })
    #expect(events.allSatisfy { $0["experiment"]?.contains("arm") == true })
  }

  /// What cannot be taken is told wherever it is met, and costs nothing else.
  @Test func anIdThatIsNoneIsTold() async throws {
    let odd = UNMutableNotificationContent()
    odd.userInfo = ["note_id": true]
    let request = UNNotificationRequest(identifier: "request", content: odd)
    let notification = UNNotification(date: Date(timeIntervalSince1970: 1_764_547_200), request: request)
    let log = Reports()
    func process(_ role: EngagementOptions.Role) throws -> Engagement {
      let engagement = try phone.process(role) { $0.payload.notificationID = "note_id" }
      engagement.delegate = log
      return engagement
    }
    let all = [
      try process(.serviceExtension), try process(.contentExtension), try process(.app),
    ]
    NotificationServiceRecorder(engagement: all[0]).didReceive(request, withContentHandler: { _ in })
    NotificationContentRecorder(engagement: all[1]).didReceive(notification)
    all[2].record(UNNotificationResponse(notification: notification, actionIdentifier: "like"))
    let told = EngagementError(
      .invalidPayload, "the payload's note_id is a truth value; send a string or an integer")
    #expect(log.all.withLock { $0 } == [.payloadIgnored(told), .payloadIgnored(told), .payloadIgnored(told)])
    #expect(try await phone.events().allSatisfy { $0["notificationId"] == "request" })
  }

  private final class Reports: EngagementDelegate {
    let all = Mutex<[EngagementReport]>([])

    func engagement(_ engagement: Engagement, didReport report: EngagementReport) {
      all.withLock { $0.append(report) }
    }
  }
}
