/// What kind of push a payload is, as far as iOS goes by it.
struct PushShape {
  let aps: PayloadNode?
  /// Another service's request in the place of a payload; nil where it is none.
  let envelope: Envelope?
  private let root: PayloadNode

  /// Requests that hold a payload, or make one.
  enum Envelope: String {
    case firebase, firebaseLegacy = "firebase_legacy", expo, oneSignal = "onesignal", braze, airship, sns,
      beams
  }

  init(_ root: PayloadNode) {
    self.root = root
    aps = root["aps"].flatMap { $0.members == nil ? nil : $0 }
    envelope = root["aps"] == nil ? Self.envelope(root) : nil
  }

  private static func envelope(_ root: PayloadNode) -> Envelope? {
    let keys = Set((root.members ?? []).map(\.key))
    let to = root["to"]?.string ?? root["to"]?.elements?.first?.string ?? ""
    if to.hasPrefix("ExponentPushToken[") || to.hasPrefix("ExpoPushToken[") { return .expo }
    if keys.contains("app_id"), !keys.isDisjoint(with: ["contents", "headings", "included_segments"]) {
      return .oneSignal
    }
    if root["messages"]?["apple_push"] != nil || keys.contains("apple_push") { return .braze }
    if keys.contains("audience"), keys.contains("notification") { return .airship }
    if root["APNS"]?.string != nil || root["APNS_SANDBOX"]?.string != nil { return .sns }
    if keys.contains("interests"), keys.contains("apns") { return .beams }
    if root["message"]?.members != nil || root["apns"]?["payload"] != nil { return .firebase }
    if !keys.isDisjoint(with: ["to", "registration_ids"]), !keys.isDisjoint(with: ["notification", "data"]) {
      return .firebaseLegacy
    }
    return nil
  }

  /// A flag's value.
  enum Flag { case on, off, undefined }

  func flag(_ name: String) -> Flag {
    let values = (aps?.members ?? []).filter { $0.key == name }.map { member -> Flag in
      switch member.node.value {
      case .bool(let isOn): isOn ? .on : .off
      case .number: member.node.number == 1 ? .on : member.node.number == 0 ? .off : .undefined
      case .null: .off
      default: .undefined
      }
    }
    guard let first = values.first else { return .off }
    return values.allSatisfy { $0 == first } ? first : .undefined
  }

  /// Whether something is said, be it empty.
  var mentionsAlert: Bool { aps?["alert"] != nil }

  /// Whether there is a text to show.
  var hasAlert: Bool {
    guard let alert = aps?["alert"] else { return false }
    if let text = alert.string { return !text.isEmpty }
    return ["title", "subtitle", "body", "loc-key", "title-loc-key", "subtitle-loc-key"].contains {
      alert[$0]?.string?.isEmpty == false
    }
  }

  var isLiveActivity: Bool {
    guard let event = aps?["event"]?.string else { return false }
    return ["start", "update", "end"].contains(event)
      && (aps?["content-state"] != nil || aps?["attributes-type"] != nil || event == "end")
  }

  /// Whether the system can take it for a background push although it has an alert: nothing else asks to be noticed.
  private var maybeBackground: Bool {
    flag("content-available") != .off && ["sound", "badge", "category"].allSatisfy { aps?[$0] == nil }
  }

  func extensionRuns(hasMedia: Bool) -> PayloadReport.ExtensionRuns {
    if envelope != nil { return .notApplicable }
    guard aps != nil, hasAlert, !isLiveActivity else { return .no }
    switch flag("mutable-content") {
    case .off: return .no
    case .undefined: return .undefined
    case .on: return maybeBackground && !hasMedia ? .undefined : .yes
    }
  }

  func richness(hasMedia: Bool, isUsable: Bool) -> PayloadReport.Richness {
    guard envelope == nil, aps != nil, !isLiveActivity else { return .notApplicable }
    guard hasMedia else { return hasAlert ? .no : .notApplicable }
    let runs = extensionRuns(hasMedia: true)
    return isUsable && (runs == .yes || runs == .undefined) ? .yes : .declaredOnly
  }
}
