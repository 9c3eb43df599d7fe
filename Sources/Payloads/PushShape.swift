/// What kind of push a payload is, as far as iOS goes by it.
struct PushShape {
  let aps: PayloadNode?
  /// Another service's request in the place of a payload; nil where it is none.
  let envelope: PushEnvelope?
  /// Where aps lies that is not at the top; nil where it is, or nowhere.
  let nested: (path: [String], aps: PayloadNode)?

  /// - Parameter isWhole: false where the end of the file could not be read, so that aps may be in there.
  init(_ root: PayloadNode, isWhole: Bool = true) {
    aps = root["aps"].flatMap { $0.members == nil ? nil : $0 }
    let lacksAPS = isWhole && root["aps"] == nil
    envelope = lacksAPS ? PushEnvelope(root) : nil
    nested = lacksAPS ? Self.nested(in: root) : nil
  }

  /// The first aps with the fewest levels above it.
  private static func nested(in root: PayloadNode) -> (path: [String], aps: PayloadNode)? {
    var level: [(path: [String], node: PayloadNode)] = [([], root)]
    for _ in 0..<4 {
      var next: [(path: [String], node: PayloadNode)] = []
      for (path, node) in level {
        for member in node.members ?? [] where member.node.members != nil {
          if let aps = member.node["aps"], aps.members != nil { return (path + [member.key], aps) }
          next.append((path + [member.key], member.node))
        }
      }
      level = next
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
  var hasAlert: Bool { aps?["alert"].map(Self.hasText) ?? false }

  /// Whether an alert has a text to show, or one that cannot be read.
  static func hasText(_ alert: PayloadNode) -> Bool {
    if alert.isUnknown { return true }
    if let text = alert.string { return !text.isEmpty }
    return ["title", "subtitle", "body", "loc-key", "title-loc-key", "subtitle-loc-key"].contains {
      alert[$0].map { $0.isUnknown || $0.string?.isEmpty == false } ?? false
    }
  }

  var isLiveActivity: Bool {
    guard let event = aps?["event"]?.string else { return false }
    return event == "end" || aps?["content-state"] != nil || aps?["attributes-type"] != nil
  }

  /// Whether the system can take it for a background push although it has an alert: nothing else asks to be noticed.
  private var maybeBackground: Bool {
    flag("content-available") != .off && ["sound", "badge", "category"].allSatisfy { aps?[$0] == nil }
  }

  func extensionRuns(hasMedia: Bool) -> PayloadReport.ExtensionRuns {
    if envelope != nil || nested != nil { return .notApplicable }
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
