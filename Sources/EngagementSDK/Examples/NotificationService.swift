import EngagementSDK
import UserNotifications

final class NotificationService: UNNotificationServiceExtension {
  private let recorder: NotificationServiceRecorder

  override init() {
    Telemetry.start(.serviceExtension)
    recorder = NotificationServiceRecorder()
    super.init()
  }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    recorder.didReceive(request, withContentHandler: contentHandler)
  }

  override func serviceExtensionTimeWillExpire() {
    recorder.serviceExtensionTimeWillExpire()
  }
}
