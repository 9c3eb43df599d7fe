extension PayloadChecks {
  mutating func check(aps: PayloadNode) {
    checkMembers(of: aps)
    guard isWhole else { return }
    if push.isLiveActivity {
      checkLiveActivity(aps)
    } else {
      checkShape(aps)
    }
  }

  mutating func checkMembers(of aps: PayloadNode) {
    for member in aps.members ?? [] {
      if APSKeys.all.contains(member.key) {
        checkType(member)
      } else if APSKeys.isHeader(member.key) {
        checkHeader(member)
      } else if APSKeys.alert.contains(member.key) {
        note(
          "misplaced_key", .warning, key: member, "\(member.key) does nothing outside alert",
          "move it into aps.alert, as an object")
      } else {
        checkUnknown(member, in: "aps", among: APSKeys.all)
      }
    }
    if let alert = aps["alert"] { check(alert: alert) }
    if let category = aps["category"] { check(category: category) }
  }

  /// A key that stands in a dictionary of Apple's and is none of the keys that it knows there.
  mutating func checkUnknown(_ member: PayloadMember, in place: String, among keys: Set<String>) {
    if let meant = APSKeys.meant(by: member.key, among: keys) {
      note(
        "near_miss_key", .warning, key: member, "\(quoted(member.key)) is not \(meant)",
        "write it as \(meant)")
    } else {
      note(
        "custom_key_in_\(place)", .warning, key: member,
        "Apple knows no \(quoted(member.key)) in \(place)", "put keys of your own beside aps")
    }
  }

  // MARK: what it all makes

  private mutating func checkShape(_ aps: PayloadNode) {
    let isBackground = push.flag("content-available") == .on
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
    if aps["content-state"] != nil, aps["event"] == nil {
      note(
        "live_without_event", .error, aps, "nothing says what is to happen to the Live Activity",
        "add \"event\": \"start\", \"update\" or \"end\"")
    } else if !push.hasAlert, push.flag("content-available") == .off {
      checkEffect(aps)
    }
    checkButtons(aps)
  }

  /// A push without an alert that wakes nobody.
  private mutating func checkEffect(_ aps: PayloadNode) {
    let effects = ["badge", "sound"].filter { aps[$0] != nil }
    if effects == ["badge"] {
      note("badge_only", .note, aps, "only the badge changes", "it is in none of pushlift's rates")
    } else if effects.isEmpty, aps["event"] == nil {
      note(
        "aps_without_effect", .error, aps, "nothing in aps has an effect", "add an alert, a badge or a sound")
    }
  }

  private mutating func checkButtons(_ aps: PayloadNode) {
    let buttons = ["buttons", "action_buttons", "actionButtons"].contains { name in
      hasKey(name, in: root, depth: 0)
    }
    let countly = root["c"]?["b"]?.elements != nil
    guard buttons || countly, aps["category"] == nil else { return }
    note(
      "dynamic_category", .note, aps,
      "the buttons are made on the device, under a category that is not in the payload",
      "expect events of another category")
  }

  private func hasKey(_ name: String, in node: PayloadNode, depth: Int) -> Bool {
    guard depth < 4, let members = node.members else { return false }
    return members.contains {
      $0.key == name && $0.node.elements != nil || hasKey(name, in: $0.node, depth: depth + 1)
    }
  }

  private mutating func checkLiveActivity(_ aps: PayloadNode) {
    note(
      "live_activity", .note, aps, "this is for a Live Activity",
      "such pushes are in none of pushlift's rates")
    if aps["timestamp"] == nil {
      note(
        "live_without_timestamp", .error, aps, "a push to a Live Activity has to have a timestamp",
        "add the seconds since 1970 at which it was made")
    }
    guard aps["event"]?.string == "start" else { return }
    if !push.mentionsAlert {
      note(
        "live_start_without_alert", .error, aps,
        "a start without an alert is accepted by APNs and dropped by iOS",
        "add an alert")
    }
    for key in ["attributes-type", "attributes"] where aps[key] == nil {
      note(
        "live_start_incomplete", .error, aps, "a start without \(key) starts nothing",
        "add the \(key == "attributes" ? "attributes" : "name of the ActivityAttributes type")")
    }
  }
}
