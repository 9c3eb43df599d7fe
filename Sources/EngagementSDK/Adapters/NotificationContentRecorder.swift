#if PUSHLIFT_STANDIN || (canImport(UserNotificationsUI) && canImport(Darwin))
  #if PUSHLIFT_STANDIN
    public import EngagementSDK
  #endif
  public import UserNotifications
  public import UserNotificationsUI

  /// What a `UNNotificationContentExtension` forwards its two calls to.
  public struct NotificationContentRecorder: Sendable {
    private let engagement: Engagement?

    /// - Parameter engagement: nil for the shared one, as it is when the recorder is made.
    public init(engagement: Engagement? = nil) { self.engagement = engagement ?? .shared }

    /// To be called by the extension's method of the same name.
    ///
    /// The expansion is recorded once for each notification, however often the system calls: it does again for others of
    /// the thread, and for the same one.
    public func didReceive(_ notification: UNNotification) {
      guard let engagement else { return }
      let (reference, faults) = notification.reference(keys: engagement.options.payload)
      engagement.noteExpanded(reference, faults: faults)
    }

    /// To be called by the extension's method of the same name: records the response, and then answers.
    ///
    /// With `dismissAndForwardAction` the app gets the response as well, and does not record it again.
    public func didReceive(
      _ response: UNNotificationResponse, answering option: UNNotificationContentExtensionResponseOption,
      completionHandler: (UNNotificationContentExtensionResponseOption) -> Void
    ) {
      engagement?.record(response, from: .contentExtension)
      completionHandler(option)
    }
  }
#endif
