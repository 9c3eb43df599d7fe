public import EngagementEvents
internal import Foundation

extension Engagement {
  /// Records that a notification reached the device.
  ///
  /// Only a service extension knows that of a push; `NotificationServiceRecorder` does this there, and more.
  ///
  /// - Parameters:
  ///   - notification: which one.
  ///   - delivery: how it was shown.
  ///   - role: the process that saw it; nil for that of the options.
  /// - Returns: false if the notification's delivery has been recorded before, and this one is not.
  /// - Throws: where a value breaks the contract, or the disk does not take the event.
  @discardableResult
  public func recordDelivered(
    _ notification: NotificationReference, _ delivery: Delivery, from role: EngagementOptions.Role? = nil
  ) throws(EngagementError) -> Bool {
    let event = try event(about: notification, .delivered(delivery), from: role)
    return try record(event, as: .delivery(of: event.notificationID))
  }

  /// Records that a person opened a notification's expanded view.
  ///
  /// - Parameters:
  ///   - notification: which one.
  ///   - role: the process that saw it; nil for that of the options.
  /// - Returns: false if that has been recorded before.
  /// - Throws: where a value breaks the contract, or the disk does not take the event.
  @discardableResult
  public func recordExpanded(
    _ notification: NotificationReference, from role: EngagementOptions.Role? = nil
  ) throws(EngagementError) -> Bool {
    let event = try event(about: notification, .expanded, from: role)
    return try record(event, as: .expansion(of: event.notificationID))
  }

  /// Records what a person did with a notification.
  ///
  /// The same action on the same notification, with the same text, is one event, whichever process reports it and
  /// however often: a cold start reports a response twice, and an action that a content extension forwards comes to the app too.
  ///
  /// - Parameters:
  ///   - action: the action's identifier, or one of the system's two.
  ///   - notification: which one.
  ///   - replyText: what was typed, at most 8 KiB; nil where nothing was asked for.
  ///   - role: the process that saw it; nil for that of the options.
  /// - Returns: false if that has been recorded before.
  /// - Throws: where a value breaks the contract, or the disk does not take the event.
  @discardableResult
  public func recordAction(
    _ action: String, on notification: NotificationReference, replyText: String? = nil,
    from role: EngagementOptions.Role? = nil
  ) throws(EngagementError) -> Bool {
    let taken: ActionTaken
    do {
      taken = ActionTaken(
        actionID: try ActionID(action),
        replyText: try replyText.map { text throws(EventFault) in try ReplyText(text) })
    } catch { throw EngagementError(error) }
    let event = try event(about: notification, .action(taken), from: role)
    return try record(event, as: .action(taken, on: event.notificationID, deliveredAt: notification.date))
  }

  /// An event with an id and the time of now.
  func event(
    about notification: NotificationReference, _ detail: EngagementEvent.Detail,
    from role: EngagementOptions.Role?
  ) throws(EngagementError) -> EngagementEvent {
    do {
      return try EngagementEvent(
        id: .makeRandom(), notificationID: NotificationID(notification.id), deviceID: device,
        category: Category(notification.category), occurredAt: EventTime(clock.now),
        source: (role ?? options.role).source, experiment: notification.experiment, detail: detail)
    } catch { throw EngagementError(error) }
  }

  /// Writes an event that may happen but once.
  ///
  /// - Parameter hold: for how long another one with the same id may come in its place; nil for one that stands.
  func record(
    _ event: EngagementEvent, as occurrence: Occurrence, holdingFor hold: Duration? = nil
  ) throws(EngagementError) -> Bool {
    let isNew = try claims.record(queued(event, holdingFor: hold), as: occurrence)
    if options.uploadsAutomatically { uploadSoon() }
    return isNew
  }

  /// Writes an event in the place of one that was held.
  func replace(with event: EngagementEvent) throws(EngagementError) {
    try queue.append(queued(event))
    if options.uploadsAutomatically { uploadSoon() }
  }

  private func queued(_ event: EngagementEvent, holdingFor hold: Duration? = nil) -> QueuedEvent {
    let now = clock.now
    return QueuedEvent(
      id: event.id, recordedAt: now, heldUntil: hold.map { now.advanced(by: $0) }, json: event.jsonBytes)
  }
}

extension Occurrence {
  static func delivery(of notification: NotificationID) -> Occurrence {
    Occurrence(["delivered", notification.text])
  }

  static func expansion(of notification: NotificationID) -> Occurrence {
    Occurrence(["expanded", notification.text])
  }

  /// - Parameter date: to the second, which is as far as processes will agree.
  static func action(_ action: ActionTaken, on notification: NotificationID, deliveredAt date: Date?)
    -> Occurrence
  {
    let second = date.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) }
    return Occurrence([
      "action", notification.text, action.actionID.text, second.map(String.init) ?? "",
      action.replyText.map { "text " + $0.text } ?? "",
    ])
  }
}
