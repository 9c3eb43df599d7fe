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
}
