internal import EngagementEvents

/// A delivery that is on disk, and may still learn how it was shown.
struct RecordedDelivery: Sendable {
  private enum Standing {
    /// On disk as one that showed text; the true one will take its place.
    case held(EngagementEvent)
    /// On disk as it is, or recorded before.
    case final
    /// Not on disk.
    case failed
  }

  private let notification: IncomingNotification
  private let engagement: Engagement?
  private let standing: Standing

  /// Records, and tells the delegate where that fails.
  init(_ notification: IncomingNotification, _ engagement: Engagement?, hold: Duration) {
    self.notification = notification
    self.engagement = engagement
    guard let engagement else {
      standing = .final
      return
    }
    do {
      let media = notification.media
      let event = try Self.event(
        notification, engagement, attachments: [], intended: media?.kind,
        fallback: media == nil ? nil : .timedOut)
      let isNew = try engagement.record(
        event, as: .delivery(of: event.notificationID), holdingFor: media == nil ? nil : hold)
      standing = isNew && media != nil ? .held(event) : .final
    } catch {
      engagement.report(.notRecorded(error))
      standing = .failed
    }
  }

  /// Records how the notification was shown.
  func conclude(attachments: [Attachment], intended: MediaKind, fallback: FallbackReason?) {
    guard let engagement else { return }
    do {
      switch standing {
      case .final: return
      case .held(let event):
        guard
          let detail = notification.delivery(
            attachments: attachments, intended: intended, fallback: fallback, options: engagement.options)
        else { return }
        try engagement.replace(with: event.with(.delivered(detail)))
      case .failed:
        let event = try Self.event(
          notification, engagement, attachments: attachments, intended: intended, fallback: fallback)
        _ = try engagement.record(event, as: .delivery(of: event.notificationID))
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
  /// The same event with another detail.
  fileprivate func with(_ detail: Detail) throws(EngagementError) -> EngagementEvent {
    do {
      return try EngagementEvent(
        id: id, notificationID: notificationID, deviceID: deviceID, category: category,
        occurredAt: occurredAt,
        sequence: sequence, source: source, experiment: experiment, detail: detail)
    } catch { throw EngagementError(error) }
  }
}
