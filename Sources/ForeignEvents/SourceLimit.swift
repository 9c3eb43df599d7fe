/// Something that a system's records do not tell, and that a report must not make up.
///
/// The raw values are in the store for good: add, never change.
package enum SourceLimit: String, Sendable, Hashable, CaseIterable, Comparable {
  /// That a notification reached the device: only that APNs or FCM accepted it.
  case delivery
  /// Whether it asked for media.
  case richness
  /// Which notification of a campaign it was, so that several to a device count as one.
  case notification
  case opening
  case action
  case reply
  case expansion
  case dismissal
  /// Whether the media were shown.
  case display

  /// In the order in which they are told.
  package static func < (one: SourceLimit, other: SourceLimit) -> Bool { one.place < other.place }

  var place: UInt8 {
    switch self {
    case .delivery: 0
    case .richness: 1
    case .notification: 2
    case .opening: 3
    case .action: 4
    case .reply: 5
    case .expansion: 6
    case .dismissal: 7
    case .display: 8
    }
  }

  /// What is not told, to stand behind "it does not tell".
  package var words: String {
    switch self {
    case .delivery: "whether a notification reached the device, only that it was sent"
    case .richness: "whether a notification was rich"
    case .notification: "which notification of a campaign it was: several to a device count as one"
    case .opening: "openings"
    case .action: "buttons"
    case .reply: "replies"
    case .expansion: "expansions"
    case .dismissal: "dismissals"
    case .display: "whether rich notifications were shown with their media"
    }
  }

  /// What that forbids, as a sentence without its end.
  package var consequence: String {
    switch self {
    case .delivery: "rates are of notifications sent, and do not compare with those of delivered ones"
    case .richness: "rich and text-only cannot be compared; --campaigns FILE tells which were rich"
    case .notification: "rates are of campaigns on devices"
    case .display: "rich are those meant to be, and fallbacks are not measurable"
    case .opening, .action, .reply, .expansion, .dismissal: "these are not measurable"
    }
  }

  /// Those that are about what is done with a notification, each of them a metric.
  package static let ofMetrics: [SourceLimit] = [.opening, .action, .reply, .expansion, .dismissal]
}
