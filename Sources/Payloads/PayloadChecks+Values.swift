internal import EngagementEvents

/// What the values of aps may be.
extension PayloadChecks {
  /// - Parameter place: what stands before the key's name in a message; another than `aps.` where it does not lie in aps.
  mutating func checkType(_ member: PayloadMember, _ place: String = "aps.") {
    let node = member.node
    switch member.key {
    case "content-available", "mutable-content": check(flag: member, place)
    case "badge": check(badge: member, place)
    case "alert": require(member, node.string != nil || node.members != nil, "a string or an object", place)
    case "sound": check(sound: member, place)
    case "category", "thread-id", "target-content-id", "filter-criteria", "attributes-type":
      require(member, node.string != nil, "a string", place)
    case "event": check(word: member, among: APSKeys.liveEvents, "event", place)
    case "interruption-level":
      check(word: member, among: APSKeys.interruptionLevels, "interruption level", place)
    case "timestamp", "stale-date", "dismissal-date": check(time: member, place)
    case "content-state", "attributes": require(member, node.members != nil, "an object", place)
    case "relevance-score":
      require(member, node.number != nil, "a number", place)
      // Of a Live Activity it may be any.
      guard let score = node.number, !push.isLiveActivity, !(0...1).contains(score) else { return }
      noteValue(member, .warning, "goes from 0 to 1", "write a share such as 0.5", place)
    default: return
    }
  }

  private mutating func require(
    _ member: PayloadMember, _ isRight: Bool, _ what: String, _ place: String
  ) {
    guard !isRight, !member.node.isUnknown else { return }
    let subject = EventFault.escape(place + member.key)
    note(
      "type", .error, member.node,
      place.hasPrefix("aps.")
        ? "\(subject) is \(member.node.typeName), and has to be \(what)"
        : "\(subject) is \(member.node.typeName); in aps it has to be \(what)",
      "write it as \(what)")
  }

  private mutating func noteValue(
    _ member: PayloadMember, _ severity: PayloadFinding.Severity, _ rule: String, _ remedy: String,
    _ place: String
  ) {
    let what = member.node.string.map(quoted) ?? member.node.typeName
    note(
      "value", severity, member.node, "\(EventFault.escape(place + member.key)) is \(what), but \(rule)",
      remedy)
  }

  private mutating func check(flag member: PayloadMember, _ place: String) {
    switch member.node.value {
    case .bool:
      note(
        "flag_bool", .warning, member.node,
        "\(place)\(member.key) is a Boolean; Apple documents the number 1", "write 1")
    case .number:
      guard let number = member.node.number, number != 0, number != 1 else { return }
      note(
        "value", .error, member.node, "\(place)\(member.key) is \(member.node.typeName); only 1 is defined",
        "write 1")
    case .null: return
    default: require(member, false, "the number 1", place)
    }
  }

  private mutating func check(badge member: PayloadMember, _ place: String) {
    require(member, member.node.isWhole, "a whole number", place)
    // What an Int of iOS holds.
    guard member.node.isWhole, let number = member.node.number, !(0..<0x1p63).contains(number) else { return }
    noteValue(
      member, .error, "a badge is 0 or more, of at most 19 digits",
      "write how many are unread; 0 takes it away",
      place)
  }

  private mutating func check(
    word member: PayloadMember, among words: Set<String>, _ what: String, _ place: String
  ) {
    require(member, member.node.string != nil, "a string", place)
    guard let word = member.node.string, !words.contains(word) else { return }
    note(
      "value", .error, member.node, "iOS knows no \(what) \(quoted(word))",
      "use \(words.sorted().joined(separator: ", "))")
  }

  private mutating func check(time member: PayloadMember, _ place: String) {
    require(member, member.node.number != nil, "a number of seconds since 1970", place)
    // In seconds it is the year 5138.
    guard let number = member.node.number, number >= 1e11 else { return }
    noteValue(member, .warning, "seconds since 1970 are meant", "divide the milliseconds by 1,000", place)
  }

  private mutating func check(sound member: PayloadMember, _ place: String) {
    let node = member.node
    require(
      member, node.string != nil || node.members != nil, "a string, or an object for critical alerts", place)
    let inner = "\(place)sound."
    for part in node.members ?? [] {
      switch part.key {
      case "critical": check(flag: part, inner)
      case "name": require(part, part.node.string != nil, "a string", inner)
      case "volume":
        require(part, part.node.number != nil, "a number", inner)
        guard let volume = part.node.number, !(0...1).contains(volume) else { continue }
        noteValue(part, .warning, "goes from 0 to 1", "write a share such as 0.5", inner)
      default:
        let meant = APSKeys.meant(by: part.key, among: APSKeys.sound)
        note(
          meant == nil ? "custom_key_in_sound" : "near_miss_key", .warning, key: part,
          "Apple knows no \(quoted(part.key)) in sound",
          meant.map { "write it as \($0)" } ?? "known are critical, name and volume")
      }
    }
    guard node["critical"]?.number == 1 else { return }
    note(
      "critical_sound", .note, node, "this is a critical alert", "the app needs Apple's entitlement for it")
  }
}
