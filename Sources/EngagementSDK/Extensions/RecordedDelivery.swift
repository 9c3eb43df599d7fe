internal import EngagementEvents

/// A delivery that is on disk, and may still learn how it was shown.
struct RecordedDelivery: Sendable {
  private enum Standing {
    /// On disk as one that showed text; the true one will take its place.
    case held(EngagementEvent)
    /// On disk as it is, or recorded before; nothing more is to be told.
    case final
    /// Not on disk as far as is known, and to be tried again when there is more to tell; nil where it broke a rule.
    case failed(EngagementEvent?)
  }

  private let engagement: Engagement?
  private let standing: Standing

  /// Records, and tells the delegate where that fails.
  ///
  /// - Parameter hold: for how long the true one may take its place; nil where this one is.
  init(_ notification: IncomingNotification, _ engagement: Engagement?, hold: Duration?) {
    self.engagement = engagement
    guard let engagement else {
      standing = .final
      return
    }
    var made: EngagementEvent?
    do {
      let media = notification.media
      let event = try Self.event(
        notification, engagement, attachments: [], intended: media?.kind,
        fallback: media == nil ? nil : .timedOut)
      made = event
      let isNew = try engagement.record(
        event, as: .delivery(of: event.notificationID), holdingFor: hold)
      standing = isNew && hold != nil ? .held(event) : .final
    } catch {
      engagement.report(.notRecorded(error))
      standing = hold == nil ? .final : .failed(made)
    }
  }

  /// Records how the notification was shown.
  ///
  /// - Parameter notification: as it was shown, which the app may have changed since it came.
  func conclude(
    _ notification: IncomingNotification, attachments: [Attachment], intended: MediaKind?,
    fallback: FallbackReason?
  ) {
    guard let engagement else { return }
    do {
      switch standing {
      case .final: return
      case .held(let event):
        let shown = try Self.event(
          notification, engagement, attachments: attachments, intended: intended, fallback: fallback)
        try engagement.replace(with: shown.inPlace(of: event))
      case .failed(let made):
        let event = try Self.event(
          notification, engagement, attachments: attachments, intended: intended, fallback: fallback)
        let shown = if let made { try event.inPlace(of: made) } else { event }
        // The claim may have been made before the disk refused. Then it is the first one that is written now.
        if try engagement.record(shown, as: .delivery(of: shown.notificationID)), made != nil {
          try engagement.replace(with: shown)
        }
      }
    } catch {
      engagement.report(.notRecorded(error))
    }
  }

  private static func event(
    _ notification: IncomingNotification, _ engagement: Engagement, attachments: [Attachment],
    intended: MediaKind?, fallback: FallbackReason?
  ) throws(EngagementError) -> EngagementEvent {
    guard
      let delivery = notification.delivery(
        attachments: attachments, intended: intended, fallback: fallback, options: engagement.options)
    else {
      throw EngagementError(.invalidEvent, "the delivery of \(notification.reference.id) breaks a rule")
    }
    return try engagement.event(
      about: notification.reference, .delivered(delivery), from: .serviceExtension)
  }
}

extension EngagementEvent {
  /// This event with the id and the time of another.
  fileprivate func inPlace(of held: EngagementEvent) throws(EngagementError) -> EngagementEvent {
    do {
      return try EngagementEvent(
        id: held.id, notificationID: notificationID, deviceID: deviceID, category: category,
        occurredAt: held.occurredAt,
        sequence: sequence, source: source, experiment: experiment, detail: detail)
    } catch { throw EngagementError(error) }
  }
}
