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

/// Hears what became of the events.
final class TelemetryLog: EngagementDelegate {
  func engagement(_ engagement: Engagement, didReport report: EngagementReport) {
    switch report {
    case .refused(let events, let status, _, let message):
      print("\(events) events refused with \(status): \(message ?? "no reason given")")
    case .keyRefused(let status, let code, _): print("The key is refused with \(status): \(code)")
    case .rejected(let events): print("Rejected: \(events)")
    case .dropped(let events, let reason): print("\(events) dropped: \(reason)")
    default: break
    }
  }
}
