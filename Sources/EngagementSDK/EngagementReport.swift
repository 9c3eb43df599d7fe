/// Hears what became of the events.
///
/// It is called on any thread. What it is told of is over: there is nothing to repeat.
public protocol EngagementDelegate: AnyObject, Sendable {
  /// Takes note of a report.
  func engagement(_ engagement: Engagement, didReport report: EngagementReport)
}

/// What became of events.
public enum EngagementReport: Sendable, Hashable {
  /// The server has them on disk: new ones, and ones that it had already.
  case uploaded(accepted: Int, duplicates: Int)
  /// The server put these aside, each with its reason. A fault in the app most often.
  case rejected([RejectedEvent])
  /// The server refused a request, and these events are gone: a fault in the address or the app.
  case refused(events: Int, status: Int, code: String?, message: String?)
  /// The server does not take the key, with 401 or 403. The events wait, each for a day at least, for the key to be put right.
  ///
  /// It is told once an hour at most.
  case keyRefused(status: Int, code: String, message: String?)
  /// These were given up before the server had them.
  case dropped(events: Int, reason: DropReason)
  /// A try failed; the next one follows after this time.
  case delayed(seconds: Double, reason: String)
  /// An event could not be recorded, and is lost.
  case notRecorded(EngagementError)
  /// A reply's text could not be kept, and its action was recorded without it.
  case replyLeftOut(EngagementError)
  /// A payload has something under one of the ``PayloadKeys`` that could not be taken, such as a fraction for an id. The event was
  /// recorded without it.
  case payloadIgnored(EngagementError)

  /// Why events were given up.
  public enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// More waited than ``EngagementOptions/maximumEvents``; these were the oldest.
    case tooMany
    /// They had waited for longer than ``EngagementOptions/maximumAge``.
    case tooOld
    /// The server has not taken the key for over a day, and these had waited for over a day.
    case keyRefused
    /// One event alone was more than the server takes.
    case tooLarge
    /// Their file was damaged; the number is that of files, since nobody knows how many events lay in one.
    case damaged
  }
}
