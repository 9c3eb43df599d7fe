import EngagementSDK
import UIKit
import UserNotifications

final class AppDelegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
  private var recorder: EngagementNotificationDelegate?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Telemetry.start(.app)
    recorder = EngagementNotificationDelegate(forwardingTo: self)
    UNUserNotificationCenter.current().delegate = recorder
    if let categories = Telemetry.categories {
      UNUserNotificationCenter.current().setNotificationCategories(categories.makeNotificationCategories())
    }
    return true
  }

  // As before: the recorder calls it after the response is on disk.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    completionHandler()
  }
}
