#if PUSHLIFT_STANDIN || (canImport(UserNotifications) && canImport(Darwin))
  #if PUSHLIFT_STANDIN
    public import EngagementSDK
  #endif
  public import Foundation
  public import UserNotifications

  /// The notification centre's delegate that records responses and leaves everything else to the app's own.
  ///
  /// ```swift
  /// let recorder = EngagementNotificationDelegate(forwardingTo: self)
  /// UNUserNotificationCenter.current().delegate = recorder
  /// ```
  ///
  /// Set it before the app has finished launching, or a response that launched the app is lost. The centre holds
  /// its delegate weakly: keep this one.
  public final class EngagementNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
    private let engagement: Engagement?
    private weak var original: (any UNUserNotificationCenterDelegate)?

    /// - Parameters:
    ///   - original: the app's own delegate, held weakly; nil if it has none.
    ///   - engagement: nil for the shared one, as it is when a response comes.
    public init(forwardingTo original: (any UNUserNotificationCenterDelegate)?, engagement: Engagement? = nil)
    {
      self.original = original
      self.engagement = engagement
    }

    /// Records the response, and has the app's delegate handle it.
    public func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping () -> Void
    ) {
      (engagement ?? .shared)?.record(response)
      guard let original, original.forward(response, of: center, completionHandler) else {
        completionHandler()
        return
      }
    }

    #if canImport(ObjectiveC)
      /// The app's delegate is asked for everything that it implements, and the system's defaults stand for the rest.
      public override func responds(to selector: Selector!) -> Bool {
        super.responds(to: selector) || original?.responds(to: selector) == true
      }

      /// The app's delegate, for what this one does not implement.
      public override func forwardingTarget(for selector: Selector!) -> Any? {
        original?.responds(to: selector) == true ? original : super.forwardingTarget(for: selector)
      }
    #else
      /// Has the app's delegate decide.
      public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
      ) {
        guard let original else {
          completionHandler([])
          return
        }
        original.userNotificationCenter(
          center, willPresent: notification, withCompletionHandler: completionHandler)
      }

      /// Has the app's delegate open its settings.
      public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
      ) {
        original?.userNotificationCenter(center, openSettingsFor: notification)
      }
    #endif
  }

  extension UNUserNotificationCenterDelegate {
    /// Has this delegate handle a response; false where it does not implement that.
    fileprivate func forward(
      _ response: UNNotificationResponse, of center: UNUserNotificationCenter, _ handler: @escaping () -> Void
    ) -> Bool {
      #if canImport(ObjectiveC)
        let done: Void? = userNotificationCenter?(
          center, didReceive: response, withCompletionHandler: handler)
        return done != nil
      #else
        userNotificationCenter(center, didReceive: response, withCompletionHandler: handler)
        return true
      #endif
    }
  }
#endif
