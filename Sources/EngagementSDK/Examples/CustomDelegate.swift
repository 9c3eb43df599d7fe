import EngagementSDK
import UserNotifications

/// For an app that wants no delegate between itself and the system.
final class CustomDelegate: NSObject, UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    Engagement.shared?.record(response)
    completionHandler()
  }
}
