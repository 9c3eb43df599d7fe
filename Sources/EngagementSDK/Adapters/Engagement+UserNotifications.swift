#if PUSHLIFT_STANDIN || (canImport(UserNotifications) && canImport(Darwin))
  #if PUSHLIFT_STANDIN
    public import EngagementSDK
  #endif
  internal import EngagementEvents
  internal import Foundation
  public import UserNotifications

  extension Engagement {
    /// Records a response: an opening, a dismissal, an action, a reply. It is on disk when this returns, so call it before the
    /// completion handler, after which iOS may suspend the app.
    ///
    /// What cannot be recorded is told to the delegate.
    ///
    /// - Returns: false if the response was recorded before, or could not be.
    @discardableResult
    public func record(
      _ response: UNNotificationResponse, from role: EngagementOptions.Role? = nil
    ) -> Bool {
      note(response.facts(keys: options.payload), from: role ?? options.role)
    }
  }

  extension UNNotificationResponse {
    /// The response in the SDK's own terms.
    package func facts(keys: PayloadKeys) -> ResponseFacts {
      let (reference, faults) = notification.reference(keys: keys)
      return ResponseFacts(
        notification: reference, action: actionIdentifier,
        text: (self as? UNTextInputNotificationResponse)?.userText, faults: faults)
    }
  }

  extension UNNotification {
    /// The notification in the SDK's own terms, and what its payload has and could not be taken.
    package func reference(
      keys: PayloadKeys
    ) -> (reference: NotificationReference, faults: [EngagementError]) {
      let payload = PayloadReader(request.content.userInfo, keys: keys)
      let reference = payload.reference(
        requestID: request.identifier, category: request.content.categoryIdentifier, date: date)
      return (reference, payload.faults)
    }
  }

  extension IncomingNotification {
    /// The notification as a service extension gets it.
    ///
    /// - Parameter requestID: the identifier of the request that the content is of.
    package init(_ content: UNNotificationContent, requestID: String, keys: PayloadKeys) {
      self.init(
        requestID: requestID, category: content.categoryIdentifier, userInfo: content.userInfo,
        keys: keys, threadID: content.threadIdentifier,
        interruptionLevel: InterruptionLevel(content.interruptionLevel),
        relevanceScore: content.relevanceScore)
    }
  }

  extension InterruptionLevel {
    /// Nil for levels that are younger than this code.
    fileprivate init?(_ level: UNNotificationInterruptionLevel) {
      switch level {
      case .passive: self = .passive
      case .active: self = .active
      case .timeSensitive: self = .timeSensitive
      case .critical: self = .critical
      @unknown default: return nil
      }
    }
  }
#endif
