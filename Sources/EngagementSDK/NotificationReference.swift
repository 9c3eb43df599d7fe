public import EngagementEvents
public import Foundation

/// What tells one notification from the others, and what every event about it repeats.
public struct NotificationReference: Sendable, Hashable {
  /// The APNs id or the request's identifier, 1–256 bytes; upper-case UUIDs mean the same as lower-case ones.
  public var id: String
  /// The `aps.category`; empty if there is none.
  public var category: String
  /// The experiment's arm; nil if the notification belongs to none.
  public var experiment: ExperimentAssignment?
  /// When the system says that it was delivered; nil where it does not.
  ///
  /// It tells apart the deliveries of notifications that share their identifier, as repeating local ones do.
  public var date: Date?

  /// Makes a reference of its parts.
  public init(id: String, category: String = "", experiment: ExperimentAssignment? = nil, date: Date? = nil) {
    self.id = id
    self.category = category
    self.experiment = experiment
    self.date = date
  }
}
