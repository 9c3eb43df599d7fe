import EngagementEvents
import EngagementSDK
import EngagementSDKAdapters
import Foundation
import Synchronization
import TestSupport
import Testing
import UserNotifications
import UserNotificationsUI

/// The adapters, with what the system would hand them.
struct AdapterTests {
  private let phone = Phone()

  /// The app's own delegate, which wants to be asked as before.
  private final class AppDelegate: NSObject, UNUserNotificationCenterDelegate {
    let heard = Mutex<[String]>([])
    /// What is on disk when the app's delegate is asked.
    let isRecorded: () -> Bool

    init(isRecorded: @escaping () -> Bool) { self.isRecorded = isRecorded }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([.banner]) }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping () -> Void
    ) {
      let isRecorded = isRecorded()
      heard.withLock { $0.append("\(response.actionIdentifier) \(isRecorded)") }
      completionHandler()
    }
  }

  @Test func aResponseIsOnDiskBeforeTheAppsDelegateHearsOfIt() async throws {
    let engagement = try phone.process(.app)
    let like = UNNotificationResponse(notification: .sample(), actionIdentifier: "like")
    // Recorded already: a second time is not new.
    let original = AppDelegate { !engagement.record(like) }
    let delegate = EngagementNotificationDelegate(forwardingTo: original, engagement: engagement)
    let calls = Mutex(0)
    delegate.userNotificationCenter(.current(), didReceive: like) { calls.withLock { $0 += 1 } }
    #expect(original.heard.withLock { $0 } == ["like true"])
    #expect(calls.withLock { $0 } == 1)
    let event = try #require(try await phone.events().first)
    #expect(event["actionId"] == "like")
    #expect(event["category"] == "social_post")
    #expect(event["source"] == "app")
    let options = Mutex<UNNotificationPresentationOptions>([])
    delegate.userNotificationCenter(.current(), willPresent: .sample()) { shown in
      options.withLock { $0 = shown }
    }
    #expect(options.withLock { $0 } == [.banner])
  }

  @Test func withoutADelegateOfTheAppsTheHandlerIsCalledAllTheSame() throws {
    let delegate = EngagementNotificationDelegate(forwardingTo: nil, engagement: try phone.process(.app))
    let calls = Mutex(0)
    delegate.userNotificationCenter(
      .current(), didReceive: UNNotificationResponse(notification: .sample(), actionIdentifier: "like")
    ) { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func everyKindOfResponseIsTaken() async throws {
    let engagement = try phone.process(.app)
    let responses = [
      UNNotificationResponse(
        notification: .sample(), actionIdentifier: UNNotificationDefaultActionIdentifier),
      UNNotificationResponse(
        notification: .sample(), actionIdentifier: UNNotificationDismissActionIdentifier),
      UNNotificationResponse(notification: .sample(), actionIdentifier: "like"),
      UNTextInputNotificationResponse(
        notification: .sample(), actionIdentifier: "reply", userText: "Lovely 👋"),
    ]
    for response in responses { #expect(engagement.record(response)) }
    let events = try await phone.events()
    #expect(Set(events.compactMap { $0["actionId"] }) == Set(responses.map(\.actionIdentifier)))
    #expect(events.compactMap { $0["replyText"] } == ["Lovely 👋"])
  }

  /// Each of the three answers, and the app that hears of the forwarded one too.
  @Test(arguments: [
    UNNotificationContentExtensionResponseOption.doNotDismiss, .dismiss, .dismissAndForwardAction,
  ])
  func anActionInAContentExtensionIsRecordedOnce(option: UNNotificationContentExtensionResponseOption)
    async throws
  {
    let recorder = NotificationContentRecorder(engagement: try phone.process(.contentExtension))
    recorder.didReceive(.sample())
    recorder.didReceive(.sample())
    let like = UNNotificationResponse(notification: .sample(), actionIdentifier: "like")
    let answers = Mutex<[UNNotificationContentExtensionResponseOption]>([])
    recorder.didReceive(like, answering: option) { answer in answers.withLock { $0.append(answer) } }
    #expect(answers.withLock { $0 } == [option])
    if option == .dismissAndForwardAction { #expect(try !phone.process(.app).record(like)) }
    let events = try await phone.events()
    #expect(events.map { $0["type"] } == ["expanded", "action"])
    #expect(events.allSatisfy { $0["source"] == "contentExtension" })
  }

  /// The thread's next notification comes while the view is open.
  @Test func eachNotificationOfAThreadIsExpandedOnce() async throws {
    let recorder = NotificationContentRecorder(engagement: try phone.process(.contentExtension))
    for id in ["n-1", "n-1", "n-2", "n-1"] { recorder.didReceive(.sample(id)) }
    #expect(try await phone.events().compactMap { $0["notificationId"] }.sorted() == ["n-1", "n-2"])
  }

  @Test func aServiceExtensionAttachesAndRecords() async throws {
    let server = try SocketServer { connection in
      _ = connection.readRequest()
      let picture = MediaSample.png(bytes: 5_000)
      connection.write(
        Array("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 5000\r\n\r\n".utf8) + picture)
    }
    let content = try await deliver(.sample(media: "http://127.0.0.1:\(server.port)/f/1"))
    #expect(content.title == "Anna")
    #expect(content.attachments == 1)
    let event = try #require(try await phone.events().first)
    #expect(event["interruptionLevel"] == "time-sensitive")
    #expect(event["relevanceScore"] == "0.25")
    #expect(event["threadId"] == "anna")
    #expect(event["attachments"]?.contains("5000") == true)
    #expect(event["fallback"] == nil)
  }

  @Test func aServiceExtensionInNeedShowsWhatCame() async throws {
    let server = try SocketServer { connection in
      while connection.read() != nil {}
    }
    let content = try await deliver(
      .sample(media: "http://127.0.0.1:\(server.port)/a.png"), isCalledLast: true)
    #expect(content.title == "Anna, changed")
    #expect(content.attachments == 0)
    #expect(try await phone.events().first?["fallback"] == "timedOut")
  }

  @Test func whatTheAppPreparesIsToldAndTheDeliveryIsOnDiskBefore() async throws {
    let engagement = try phone.process(.serviceExtension)
    let recorder = NotificationServiceRecorder(engagement: engagement)
    let isNew = Mutex<Bool?>(nil)
    recorder.didReceive(
      .sample(), withContentHandler: { _ in },
      preparing: { content in
        let again = try? engagement.recordDelivered(NotificationReference(id: "n-1"), Delivery())
        isNew.withLock { $0 = again }
        content.categoryIdentifier = "private_post"
        content.userInfo = ["media-url": "nowhere"]
      })
    #expect(isNew.withLock { $0 } == false)
    let events = try await phone.events()
    #expect(events.count == 1)
    #expect(events.first?["category"] == "private_post")
    #expect(events.first?["fallback"] == "invalid")
  }

  private func deliver(
    _ request: UNNotificationRequest, isCalledLast: Bool = false
  ) async throws -> (title: String, attachments: Int) {
    let recorder = NotificationServiceRecorder(engagement: try phone.process(.serviceExtension))
    let (stream, continuation) = AsyncStream.makeStream(of: (title: String, attachments: Int).self)
    recorder.didReceive(
      request, withContentHandler: { continuation.yield(($0.title, $0.attachments.count)) },
      preparing: { if isCalledLast { $0.title += ", changed" } })
    if isCalledLast { recorder.serviceExtensionTimeWillExpire() }
    var shown = stream.makeAsyncIterator()
    let content = try #require(await shown.next())
    recorder.serviceExtensionTimeWillExpire()
    continuation.finish()
    #expect(await shown.next() == nil)
    return content
  }
}
