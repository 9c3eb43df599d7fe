internal import EngagementEvents

/// What a person did with a notification, as any process of the app gets to know it.
package struct ResponseFacts: Sendable, Hashable {
  package var notification: NotificationReference
  /// The action's identifier, or one of the system's two.
  package var action: String
  /// What was typed; nil where nothing was asked for.
  package var text: String?
  /// What the payload has and could not be taken.
  package var faults: [EngagementError]

  package init(
    notification: NotificationReference, action: String, text: String? = nil, faults: [EngagementError] = []
  ) {
    self.notification = notification
    self.action = action
    self.text = text
    self.faults = faults
  }
}

extension Engagement {
  /// Records a response, and tells the delegate where that fails: whoever handles a response has better things to do.
  ///
  /// - Returns: whether it is new.
  @discardableResult
  package func note(_ response: ResponseFacts, from role: EngagementOptions.Role) -> Bool {
    // Afterwards, since whoever hears of it may take its time.
    defer { report(ignored: response.faults) }
    var text = response.text
    if let typed = text {
      do { _ = try ReplyText(typed) } catch {
        // A text that the server would refuse must not take the action along.
        report(.replyLeftOut(EngagementError(error)))
        text = nil
      }
    }
    do {
      return try recordAction(
        response.action, on: response.notification, replyText: text, from: role)
    } catch {
      report(.notRecorded(error))
      return false
    }
  }

  /// Records an expansion, and tells the delegate where that fails.
  ///
  /// - Parameter faults: what the payload has and could not be taken.
  /// - Returns: whether it is new.
  @discardableResult
  package func noteExpanded(_ notification: NotificationReference, faults: [EngagementError] = []) -> Bool {
    defer { report(ignored: faults) }
    do { return try recordExpanded(notification, from: .contentExtension) } catch {
      report(.notRecorded(error))
      return false
    }
  }

  /// Tells the delegate what a payload has and could not be taken.
  func report(ignored faults: [EngagementError]) {
    for fault in faults { report(.payloadIgnored(fault)) }
  }
}
