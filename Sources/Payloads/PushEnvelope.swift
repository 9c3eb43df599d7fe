/// Requests that hold a payload, or make one: what is sent to another service in the place of APNs.
enum PushEnvelope: String {
  case firebase, firebaseLegacy = "firebase_legacy", expo, oneSignal = "onesignal", braze, airship, sns,
    beams

  /// As people call it.
  var name: String {
    switch self {
    case .firebase: "Firebase"
    case .firebaseLegacy: "Firebase's former interface"
    case .expo: "Expo"
    case .oneSignal: "OneSignal"
    case .braze: "Braze"
    case .airship: "Airship"
    case .sns: "Amazon SNS"
    case .beams: "Pusher Beams"
    }
  }

  /// What an object without aps is a request to; nil where nothing tells.
  init?(_ root: PayloadNode) {
    let keys = Set((root.members ?? []).map(\.key))
    func names(_ words: [String]) -> Bool { !keys.isDisjoint(with: words) }
    let to = root["to"]?.string ?? root["to"]?.elements?.first?.string ?? ""
    if to.hasPrefix("ExponentPushToken[") || to.hasPrefix("ExpoPushToken[") {
      self = .expo
    } else if keys.contains("app_id") && names(Self.ofOneSignal) || names(Self.includedByOneSignal) {
      self = .oneSignal
    } else if root["messages"]?["apple_push"] != nil || names(["apple_push", "trigger_properties"]) {
      self = .braze
    } else if keys.contains("audience"), names(["notification", "device_types", "in_app"]) {
      self = .airship
    } else if Self.isAmazons(root) {
      self = .sns
    } else if keys.contains("apns"), names(["interests", "users"]) {
      self = .beams
    } else if Self.isFirebases(root, keys) {
      self = .firebase
    } else if names(["to", "registration_ids"]), names(["notification", "data"]) {
      self = .firebaseLegacy
    } else {
      return nil
    }
  }

  private static let includedByOneSignal = [
    "include_aliases", "include_subscription_ids", "include_player_ids", "include_external_user_ids",
    "include_ios_tokens", "included_segments",
  ]
  private static let ofOneSignal = ["contents", "headings", "template_id", "filters"]

  /// A topic's message, or the message of each platform as a text.
  private static func isAmazons(_ root: PayloadNode) -> Bool {
    if root["Message"]?.string != nil {
      return ["MessageStructure", "TopicArn", "TargetArn"].contains { root[$0] != nil }
    }
    return (root.members ?? []).contains { member in
      (member.key == "APNS" || member.key.hasPrefix("APNS_")) && member.node.string != nil
    }
  }

  /// The request with its `message`, the message alone, or its part for APNs.
  private static func isFirebases(_ root: PayloadNode, _ keys: Set<String>) -> Bool {
    if let message = root["message"], message.members != nil {
      let parts = Set((message.members ?? []).map(\.key))
      return !parts.isDisjoint(with: [
        "token", "topic", "condition", "notification", "data", "apns", "android",
      ])
    }
    if root["apns"]?["payload"] != nil { return true }
    return !keys.isDisjoint(with: ["token", "tokens", "topic", "condition"])
      && ["notification", "data", "android", "webpush"].contains { root[$0]?.members != nil }
  }
}
