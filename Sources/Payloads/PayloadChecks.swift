internal import EngagementEvents

/// The rules of a payload, one after the other.
struct PayloadChecks {
  var findings: [PayloadFinding] = []
  let root: PayloadNode
  let push: PushShape
  /// Those that the app registers; nil where that is not known.
  let categories: Set<String>?
  /// False where the end of the file could not be read: what is not there may well be in it.
  let isWhole: Bool

  init(root: PayloadNode, push: PushShape, categories: Set<String>?, isWhole: Bool = true) {
    self.root = root
    self.push = push
    self.categories = categories
    self.isWhole = isWhole
  }

  mutating func note(
    _ code: String, _ severity: PayloadFinding.Severity, _ node: PayloadNode?, _ message: String,
    _ remedy: String
  ) {
    findings.append(PayloadFinding(code, severity, at: node?.offset ?? root.offset, message, remedy))
  }

  mutating func note(
    _ code: String, _ severity: PayloadFinding.Severity, key member: PayloadMember, _ message: String,
    _ remedy: String
  ) {
    findings.append(PayloadFinding(code, severity, at: member.keyOffset, message, remedy))
  }

  mutating func checkAll(_ search: MediaSearch) {
    checkEnvelope()
    for member in root.members ?? [] { checkTop(member) }
    checkBundle()
    if let aps = push.aps {
      check(aps: aps)
    } else if let aps = push.nested?.aps {
      checkMembers(of: aps)
    }
    checkMedia(search)
    checkTexts(root)
    checkSize()
  }

  // MARK: the whole

  private mutating func checkEnvelope() {
    if let envelope = push.envelope {
      note(
        "envelope_\(envelope.rawValue)", .error, root,
        "this is a request to \(envelope.name), not a payload of APNs",
        "lint what reaches the device: the object with aps in it")
      if envelope == .firebaseLegacy, let inner = root["notification"] { checkLoose(inner, "notification.") }
    }
    guard let aps = root["aps"] else { return checkMissing() }
    if push.aps == nil, !aps.isUnknown {
      note("type_aps", .error, aps, "aps is \(aps.typeName)", "make it an object")
    }
  }

  private mutating func checkMissing() {
    guard isWhole else { return }
    if let near = root.members?.first(where: { MediaKeys.normalised($0.key) == "aps" }) {
      note(
        "no_aps", .error, key: near, "there is no aps, for \(quoted(near.key)) is not it", "write it as aps")
    } else if let (path, aps) = push.nested {
      let place = EventFault.escape(path.joined(separator: "."))
      note("no_aps", .error, aps, "aps lies under \(place), and not at the top", "lint that object alone")
    } else if let envelope = push.envelope {
      note(
        "no_aps", .error, root, "there is no aps: \(envelope.name) makes it", "lint what it sends to APNs")
    } else {
      note(
        "no_aps", .error, root, "there is no aps", "put alert, sound and the like into an object named aps")
      guard root["alert"] != nil else { return }
      note("looks_like_aps", .warning, root, "this looks like what belongs into aps", "wrap it: {\"aps\": …}")
      checkLoose(root, "")
    }
  }

  /// What lies somewhere else as it would in aps.
  private mutating func checkLoose(_ node: PayloadNode, _ place: String) {
    for member in node.members ?? [] {
      if APSKeys.all.contains(member.key) { checkType(member, place) }
      if !place.isEmpty { checkHeader(member) }
    }
  }

  // MARK: beside aps

  private mutating func checkTop(_ member: PayloadMember) {
    let key = member.key
    if push.aps != nil, APSKeys.flags.contains(key) || isLostHere(member) {
      note("misplaced_key", .warning, key: member, "\(key) does nothing outside aps", "move it into aps")
    } else if let meant = APSKeys.meant(by: key, among: near) {
      note(
        "near_miss_key", .warning, key: member, "\(quoted(key)) is not \(meant)", "write it as \(meant)")
    } else if key.lowercased().hasSuffix("target bundle"), key != APSKeys.bundle {
      note(
        "near_miss_key", .warning, key: member, "\(quoted(key)) is not \(APSKeys.bundle)",
        "write it as \(APSKeys.bundle)")
    }
    checkHeader(member)
    if key == "headers", let header = member.node.members?.first(where: { APSKeys.isHeader($0.key) }) {
      checkHeader(header)
    }
  }

  /// What a key at the top may have been meant for. Requests to others have spellings of their own.
  private var near: Set<String> {
    if push.envelope != nil { return [APSKeys.bundle] }
    return APSKeys.flags.union([APSKeys.bundle]).union(push.aps == nil ? [] : ["aps"])
  }

  /// Whether a key of aps stands beside it and is not in it, where the app's own would say something else.
  private func isLostHere(_ member: PayloadMember) -> Bool {
    guard isWhole, APSKeys.ofPushes.contains(member.key), push.aps?[member.key] == nil else { return false }
    switch member.key {
    case "badge", "relevance-score": return member.node.number != nil
    case "alert", "sound": return member.node.string != nil || member.node.members != nil
    default: return member.node.string != nil
    }
  }

  mutating func checkHeader(_ member: PayloadMember) {
    guard APSKeys.isHeader(member.key) else { return }
    note(
      "header_in_body", .warning, key: member, "\(quoted(member.key)) is a header of the request",
      "send it as one")
  }

  private mutating func checkBundle() {
    let bundle = (root.members ?? []).first { $0.key.lowercased().hasSuffix("target bundle") }
    if bundle?.key != APSKeys.bundle, isWhole {
      note(
        "no_target_bundle", .note, root, "no \(APSKeys.bundle) is named",
        "simctl push needs the bundle id as an argument then; a sender needs none")
    }
    guard let bundle, !bundle.node.isUnknown else { return }
    guard let id = bundle.node.string else {
      return note(
        "type", .error, bundle.node,
        "\(EventFault.escape(bundle.key)) is \(bundle.node.typeName), and has to be a string",
        "write it as in \"com.example.app\"")
    }
    guard !id.contains("{"), !Self.isBundleID(id) else { return }
    note(
      "bundle_id_format", .warning, bundle.node, "\(quoted(id)) is no bundle id",
      "write it as in com.example.app")
  }

  /// Two or more names of letters, digits and hyphens, joined by dots.
  private static func isBundleID(_ id: String) -> Bool {
    let names = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return names.count > 1
      && names.allSatisfy { name in
        !name.isEmpty && name.allSatisfy { PayloadParser.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private mutating func checkSize() {
    let members = (root.members ?? []).filter { $0.key != APSKeys.bundle }
    let size = PayloadNode(value: .object(members), offset: root.offset).minifiedSize
    guard size > PayloadLint.sizeLimit else { return }
    note(
      "too_large", .error, root,
      "the payload has \(size) bytes without blanks; APNs takes \(PayloadLint.sizeLimit)",
      "shorten the texts, or send an id and let the app fetch the rest")
  }
}
