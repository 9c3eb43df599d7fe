extension PayloadChecks {
  mutating func check(aps: PayloadNode) {
    for member in aps.members ?? [] {
      if let meant = APSKeys.meant(by: member.key, among: APSKeys.all) {
        note(
          "near_miss_key", .warning, key: member, "\(quoted(member.key)) is not \(meant)",
          "write it as \(meant)")
      } else if !APSKeys.all.contains(member.key) {
        note(
          "custom_key_in_aps", .warning, key: member, "Apple knows no \(quoted(member.key)) in aps",
          "put keys of your own beside aps")
      } else {
        checkType(member)
      }
    }
    if let alert = aps["alert"] { check(alert: alert) }
    if let category = aps["category"] { check(category: category) }
    checkShape(aps)
  }

  // MARK: types

  private mutating func checkType(_ member: PayloadMember) {
    let node = member.node
    switch member.key {
    case "content-available", "mutable-content": check(flag: member)
    case "badge": require(member, node.isWhole, "a whole number")
    case "alert": require(member, node.string != nil || node.members != nil, "a string or an object")
    case "sound":
      require(member, node.string != nil || node.members != nil, "a string, or an object for critical alerts")
    case "category", "thread-id", "target-content-id", "filter-criteria", "event", "attributes-type":
      require(member, node.string != nil, "a string")
    case "timestamp", "stale-date", "dismissal-date":
      require(member, node.number != nil, "a number of seconds since 1970")
    case "content-state", "attributes": require(member, node.members != nil, "an object")
    case "relevance-score": require(member, node.number != nil, "a number")
    case "interruption-level":
      require(member, node.string != nil, "a string")
      if let level = node.string, !APSKeys.interruptionLevels.contains(level) {
        note(
          "value", .error, node, "iOS knows no interruption level \(quoted(level))",
          "use \(APSKeys.interruptionLevels.sorted().joined(separator: ", "))")
      }
    default: return
    }
    if member.key == "sound", node["critical"]?.number == 1 {
      note(
        "critical_sound", .note, node, "this is a critical alert", "the app needs Apple's entitlement for it")
    }
  }

  private mutating func require(_ member: PayloadMember, _ isRight: Bool, _ what: String) {
    guard !isRight else { return }
    note(
      "type", .error, member.node, "aps.\(member.key) is \(member.node.typeName), and has to be \(what)",
      "write it as \(what)")
  }

  private mutating func check(flag member: PayloadMember) {
    switch member.node.value {
    case .bool:
      note(
        "flag_bool", .warning, member.node, "aps.\(member.key) is a Boolean; Apple documents the number 1",
        "write 1")
    case .number:
      guard let number = member.node.number, number != 0, number != 1 else { return }
      note(
        "value", .error, member.node, "aps.\(member.key) is \(member.node.typeName); only 1 is defined",
        "write 1")
    case .null: return
    default: require(member, false, "the number 1")
    }
  }

  // MARK: the alert

  private mutating func check(alert: PayloadNode) {
    if !push.hasAlert {
      note("alert_empty", .warning, alert, "the alert has no text", "give it a title or a body")
    }
    for member in alert.members ?? [] where !APSKeys.alert.contains(member.key) {
      if APSKeys.all.contains(member.key) {
        note(
          "misplaced_key", .warning, key: member, "\(member.key) does nothing within alert",
          "move it one level up, into aps")
      } else if let meant = APSKeys.meant(by: member.key, among: APSKeys.alert) {
        note(
          "near_miss_key", .warning, key: member, "\(quoted(member.key)) is not \(meant)",
          "write it as \(meant)")
      } else {
        note(
          "custom_key_in_alert", .warning, key: member, "Apple knows no \(quoted(member.key)) in alert",
          "put keys of your own beside aps")
      }
    }
    for key in ["title", "subtitle", "body", "loc-key", "title-loc-key"] {
      guard let node = alert[key], node.string == nil else { continue }
      note(
        "type", .error, node, "aps.alert.\(key) is \(node.typeName), and has to be a string",
        "write it as a string")
    }
    for key in ["loc-args", "title-loc-args", "subtitle-loc-args"] {
      guard let node = alert[key] else { continue }
      guard let elements = node.elements, elements.allSatisfy({ $0.string != nil }) else {
        note("type", .error, node, "aps.alert.\(key) has to be a list of strings", "write it as [\"…\"]")
        continue
      }
      note(
        "personal_data_in_loc_args", .note, node, "\(key) often carries names and messages",
        "keep logs of payloads short-lived")
    }
    if let key = alert.member("loc-key") ?? alert.member("title-loc-key") {
      note(
        "localised_alert", .note, key: key, "the text is looked up in the app",
        "the app needs the key in its strings")
    }
  }

  // MARK: what it all makes

  private mutating func checkShape(_ aps: PayloadNode) {
    let isBackground = push.flag("content-available") == .on
    if push.isLiveActivity {
      note(
        "live_activity", .note, aps, "this is for a Live Activity",
        "such pushes are in none of pushlift's rates")
      if aps["event"]?.string == "start", !push.mentionsAlert {
        note(
          "live_start_without_alert", .error, aps,
          "a start without an alert is accepted by APNs and dropped by iOS",
          "add an alert")
      }
      return
    }
    if isBackground, push.hasAlert {
      note(
        "background_with_alert", .warning, aps,
        "content-available beside an alert: which it is depends on apns-push-type",
        "send apns-push-type: alert, or leave content-available out")
    } else if isBackground, !push.mentionsAlert {
      note("background", .note, aps, "this push is never displayed", "it is in none of pushlift's rates")
    }
    if push.flag("mutable-content") != .off, !push.hasAlert {
      note(
        "mutable_without_alert", .warning, aps, "mutable-content does nothing without an alert",
        "add an alert, or leave it out")
    }
    let effects = ["badge", "sound"].filter { aps[$0] != nil }
    if !push.hasAlert, !isBackground, push.flag("content-available") == .off {
      if effects == ["badge"] {
        note("badge_only", .note, aps, "only the badge changes", "it is in none of pushlift's rates")
      } else if effects.isEmpty, aps["event"] == nil {
        note(
          "aps_without_effect", .error, aps, "nothing in aps has an effect",
          "add an alert, a badge or a sound")
      }
    }
    let buttons = ["buttons", "action_buttons", "actionButtons"].contains { name in
      hasKey(name, in: root, depth: 0)
    }
    let countly = root["c"]?["b"]?.elements != nil
    if buttons || countly, aps["category"] == nil {
      note(
        "dynamic_category", .note, aps,
        "the buttons are made on the device, under a category that is not in the payload",
        "expect events of another category")
    }
  }

  private func hasKey(_ name: String, in node: PayloadNode, depth: Int) -> Bool {
    guard depth < 4, let members = node.members else { return false }
    return members.contains {
      $0.key == name && $0.node.elements != nil || hasKey(name, in: $0.node, depth: depth + 1)
    }
  }
}
