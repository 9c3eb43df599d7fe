internal import EngagementEvents
internal import Foundation

/// What can be told beside the address, the key and the device.
public struct EngagementOptions: Sendable, Hashable {
  /// Who records, where a recorder does not say so itself.
  public var role: Role = .app
  /// Whether events are sent by themselves soon after they were recorded; if not, by ``Engagement/upload()`` alone.
  public var uploadsAutomatically = true
  /// How long to wait for more before events are sent.
  public var uploadDelay: Duration = .seconds(2)
  /// Events in one request, from 1 to 2,500.
  public var batchEvents = 500
  /// Bytes in one request before compression, at most 4 MiB, which the server's limit is.
  public var batchBytes = 1 << 20
  /// Events that may wait; beyond it the oldest are given up when the server cannot be reached.
  public var maximumEvents = 20_000
  /// How long an event may wait; one that is older is given up when the server cannot be reached.
  public var maximumAge: Duration = .seconds(60 * 86_400)
  /// The waits between tries.
  public var backoff = Backoff()
  /// Where a payload names its media, and what else it tells.
  public var payload = PayloadKeys()
  /// What the app's categories offer, so that deliveries can tell it: ``NotificationCategories/offers`` of the app's file.
  public var categories: [CategoryOffer] = []
  /// The app's version; nil if it shall not be told.
  public var appVersion: String? = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
  /// The device's locale; nil if it shall not be told.
  public var locale: String? = Locale.current.identifier

  /// The defaults.
  public init() {}

  /// The process that records.
  public enum Role: Sendable, Hashable {
    /// The app itself.
    case app
    /// The notification service extension.
    case serviceExtension
    /// The notification content extension.
    case contentExtension

    var source: EventSource {
      switch self {
      case .app: .app
      case .serviceExtension: .serviceExtension
      case .contentExtension: .contentExtension
      }
    }
  }
}

/// What a category offers whoever gets a notification of it.
public struct CategoryOffer: Sendable, Hashable {
  /// The `UNNotificationCategory`'s identifier.
  public var identifier: String
  /// The identifiers of its actions.
  public var actions: [String]
  /// Whether a content extension draws the expanded view.
  public var hasContentExtension: Bool

  /// Makes an offer of its parts.
  public init(identifier: String, actions: [String] = [], hasContentExtension: Bool = false) {
    self.identifier = identifier
    self.actions = actions
    self.hasContentExtension = hasContentExtension
  }
}

/// Where a payload has what the SDK reads; nested keys are joined by dots, also those that have dots in their own names, as
/// `com.batch.at.u` has in the first.
public struct PayloadKeys: Sendable, Hashable {
  /// The media's address; the first key that has a text wins.
  public var media = ["media-url"]
  /// The media's type, for addresses that end without one: a kind, a file name's extension or a MIME type.
  public var mediaType = "media-type"
  /// The notification's id, a text or an integer; nil, and where the payload has none: the request's identifier.
  public var notificationID: String?
  /// An object with `name` and `arm`, each a text or an integer, where arms are drawn at random.
  public var experiment = "experiment"

  /// The defaults.
  public init() {}
}
