import EngagementSDK
import UIKit
import UserNotifications
import UserNotificationsUI

final class NotificationViewController: UIViewController, UNNotificationContentExtension {
  private var recorder: NotificationContentRecorder?

  override func viewDidLoad() {
    super.viewDidLoad()
    Telemetry.start(.contentExtension)
    recorder = NotificationContentRecorder()
  }

  func didReceive(_ notification: UNNotification) {
    recorder?.didReceive(notification)
    // Draw it.
  }

  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
  ) {
    // A like leaves the view open; everything else closes it and goes to the app.
    let option: UNNotificationContentExtensionResponseOption =
      response.actionIdentifier == "like" ? .doNotDismiss : .dismissAndForwardAction
    guard let recorder else { return completion(option) }
    recorder.didReceive(response, answering: option, completionHandler: completion)
  }
}
