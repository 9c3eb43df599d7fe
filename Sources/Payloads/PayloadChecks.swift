internal import EngagementEvents

/// The rules of a payload, one after the other.
struct PayloadChecks {
  var findings: [PayloadFinding] = []
  let root: PayloadNode
  let push: PushShape
  private let categories: Set<String>?

  init(root: PayloadNode, push: PushShape, categories: Set<String>?) {
    self.root = root
    self.push = push
    self.categories = categories
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
    checkTop()
    if let aps = push.aps { check(aps: aps) }
    checkMedia(search)
    checkTexts(root, path: [])
    checkSize()
  }

  // MARK: the whole

  private mutating func checkEnvelope() {
    if let envelope = push.envelope {
      note(
        "envelope_\(envelope.rawValue)", .error, root,
        "this is a request to \(envelope.rawValue), not a payload of APNs",
        "lint what reaches the device: the object with aps in it")
    } else if let aps = root["aps"], push.aps == nil {
      note("type_aps", .error, aps, "aps is \(aps.typeName)", "make it an object")
    } else if push.aps == nil {
      note(
        "no_aps", .error, root, "there is no aps", "put alert, sound and the like into an object named aps")
      if root["alert"] != nil {
        note(
          "looks_like_aps", .warning, root, "this looks like what belongs into aps", "wrap it: {\"aps\": …}")
      }
    }
  }

  private mutating func checkTop() {
    for member in root.members ?? [] {
      if APSKeys.flags.contains(member.key), push.aps != nil {
        note(
          "misplaced_key", .warning, key: member, "\(member.key) does nothing outside aps", "move it into aps"
        )
      } else if let meant = APSKeys.meant(by: member.key, among: APSKeys.flags.union([APSKeys.bundle])) {
        note(
          "near_miss_key", .warning, key: member, "\(quoted(member.key)) is not \(meant)",
          "write it as \(meant)")
      } else if member.key.lowercased().hasSuffix("target bundle"), member.key != APSKeys.bundle {
        note(
          "near_miss_key", .warning, key: member, "\(quoted(member.key)) is not \(APSKeys.bundle)",
          "write it as \(APSKeys.bundle)")
      }
      if member.key.hasPrefix("apns-") {
        note(
          "header_in_body", .warning, key: member, "\(quoted(member.key)) is a header of the request",
          "send it as one")
      }
    }
    let bundle = (root.members ?? []).first { $0.key.lowercased().hasSuffix("target bundle") }
    if bundle?.key != APSKeys.bundle {
      note(
        "no_target_bundle", .note, root, "no \(APSKeys.bundle) is named",
        "simctl push needs the bundle id as an argument then; a sender needs none")
    }
    if let bundle, let id = bundle.node.string, !id.contains("{"),
      !Self.isBundleID(id)
    {
      note(
        "bundle_id_format", .warning, bundle.node, "\(quoted(id)) is no bundle id",
        "write it as in com.example.app")
    }
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

  // MARK: texts anywhere

  private mutating func checkTexts(_ node: PayloadNode, path: [String]) {
    switch node.value {
    case .object(let members):
      for member in members {
        if Placeholder.isOne(member.key) { notePlaceholder(member.key, member.keyOffset) }
        if ["token", "devicetoken", "password", "secret", "apikey", "authorization"].contains(
          MediaKeys.normalised(member.key)), member.node.string != nil
        {
          note(
            "secret_in_payload", .warning, key: member, "\(quoted(member.key)) looks like a secret",
            "leave it out: payloads are logged on the way")
        }
        checkTexts(member.node, path: path + [member.key])
      }
    case .array(let elements): for element in elements { checkTexts(element, path: path) }
    case .string(let text): if Placeholder.isOne(text) { notePlaceholder(text, node.offset) }
    default: return
    }
  }

  private mutating func notePlaceholder(_ text: String, _ offset: Int) {
    findings.append(
      PayloadFinding(
        "placeholder", .warning, at: offset, "\(quoted(text)) is a placeholder that was never filled in",
        "put in the value"))
  }

  // MARK: categories

  mutating func check(category node: PayloadNode) {
    // Byte for byte, as iOS compares.
    guard let name = node.string, let categories, !name.isEmpty,
      !categories.contains(where: { $0.utf8.elementsEqual(name.utf8) })
    else { return }
    let skeleton = name.skeleton
    let twin = categories.sorted().first { $0.skeleton == skeleton }
    let known = categories.sorted().prefix(5).map { quoted($0) }.joined(separator: ", ")
    let remedy =
      twin.map { "is “\(EventFault.escape($0))” meant? Case, blanks and what cannot be seen matter" }
      ?? (categories.isEmpty
        ? "register it" : "register it, or use one that is: \(known)\(categories.count > 5 ? " …" : "")")
    note(
      "unknown_category", .warning, node, "the app registers no category “\(EventFault.escape(name))”", remedy
    )
  }
}
