// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents these.

@_exported public import UserNotifications

public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
  case doNotDismiss, dismiss, dismissAndForwardAction
}

/// The principal class of a content extension.
public protocol UNNotificationContentExtension {
  func didReceive(_ notification: UNNotification)
  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void)
}
