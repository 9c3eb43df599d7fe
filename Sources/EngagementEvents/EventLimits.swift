/// The limits of the event contract, in one place.
///
/// Sizes are in bytes: of UTF-8 for text, of JSON as sent for an event and a body.
public enum EventLimits {
  /// One event as JSON; beyond it that event is rejected.
  public static let eventBytes = 32 * 1024
  /// Events in one request; beyond it the request is refused and nothing is stored.
  public static let eventsPerRequest = 2_500
  /// One request body, as sent and after inflating.
  public static let bodyBytes = 4 * 1024 * 1024
  /// Reply text; a longer one is rejected, never cut.
  public static let replyTextBytes = 8 * 1024
  /// Levels of objects and arrays in one event.
  public static let nestingDepth = 64

  /// The notification's id.
  public static let notificationIDBytes = 1...256
  /// The installation's id.
  public static let deviceIDBytes = 1...256
  /// The category; empty means none.
  public static let categoryBytes = 0...128
  /// The identifier of one action.
  public static let actionIDBytes = 1...256
  /// The name of an experiment, and of one of its arms.
  public static let experimentBytes = 1...128
  /// The thread's id; empty means none.
  public static let threadIDBytes = 0...256
  /// The app's version; empty means none.
  public static let appVersionBytes = 0...128
  /// The locale's identifier; empty means none.
  public static let localeBytes = 0...128

  /// The years, in UTC, that an event may lie in: from the first iPhone on.
  public static let years = 2007...2100
  /// Characters of a rejected value that a message may repeat.
  public static let echoedCharacters = 64
}
