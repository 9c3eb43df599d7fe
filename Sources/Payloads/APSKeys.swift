/// The keys that Apple documents, from "Generating a remote notification" and "Starting and updating Live Activities".
enum APSKeys {
  static let alert: Set = [
    "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
    "subtitle-loc-args", "loc-key", "loc-args", "action-loc-key", "action", "summary-arg",
    "summary-arg-count",
  ]

  static let all: Set = [
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
    "target-content-id",
    "interruption-level", "relevance-score", "filter-criteria", "stale-date", "content-state", "timestamp",
    "event",
    "dismissal-date", "attributes-type", "attributes", "input-push-token", "input-push-channel", "url-args",
    "content-changed", "account-id", "mdm",
  ]

  /// Those that change what happens, so that one in the wrong place or spelling matters.
  static let flags: Set = ["content-available", "mutable-content"]

  /// Those that mean nothing beside aps, although apps have keys of these names for themselves.
  static let ofPushes: Set = [
    "alert", "badge", "sound", "category", "thread-id", "interruption-level", "relevance-score",
    "target-content-id",
  ]

  static let sound: Set = ["critical", "name", "volume"]
  static let liveEvents: Set = ["start", "update", "end"]

  private static let headers: Set = [
    "apnsid", "apnspushtype", "apnstopic", "apnsexpiration", "apnspriority", "apnscollapseid",
    "apnschannelid", "apnsrequestid", "apnsuniqueid",
  ]

  /// Whether a key is a header of the request to APNs.
  static func isHeader(_ key: String) -> Bool {
    key.hasPrefix("apns-") || headers.contains(MediaKeys.normalised(key))
  }

  static let bundle = "Simulator Target Bundle"
  static let interruptionLevels: Set = ["passive", "active", "time-sensitive", "critical"]

  /// The key that somebody meant who wrote it in another spelling; nil where none is like it.
  static func meant(by key: String, among keys: Set<String>) -> String? {
    guard !keys.contains(key) else { return nil }
    let word = MediaKeys.normalised(key)
    return keys.sorted().first { MediaKeys.normalised($0) == word }
  }
}
