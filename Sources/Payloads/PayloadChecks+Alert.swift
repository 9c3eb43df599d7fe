internal import EngagementEvents

extension PayloadChecks {
  mutating func check(alert: PayloadNode) {
    checkWords(alert)
    for member in alert.members ?? [] where !APSKeys.alert.contains(member.key) {
      if APSKeys.all.contains(member.key) {
        note(
          "misplaced_key", .warning, key: member, "\(member.key) does nothing within alert",
          "move it one level up, into aps")
      } else {
        checkUnknown(member, in: "alert", among: APSKeys.alert)
      }
    }
    for member in alert.members ?? [] { checkAlertType(member) }
    for text in ["", "title-", "subtitle-"] { checkArguments(of: "\(text)loc-key", "\(text)loc-args", alert) }
    if let key = alert.member("loc-key") ?? alert.member("title-loc-key") ?? alert.member("subtitle-loc-key")
    {
      note(
        "localised_alert", .note, key: key, "the text is looked up in the app",
        "the app needs the key in its strings")
    }
  }

  /// Whether there is something to read.
  private mutating func checkWords(_ alert: PayloadNode) {
    guard isWhole else { return }
    if !PushShape.hasText(alert) {
      return note("alert_empty", .warning, alert, "the alert has no text", "give it a title or a body")
    }
    let isLocalised = ["loc-key", "title-loc-key", "subtitle-loc-key"].contains { alert[$0] != nil }
    let texts = [alert.string] + ["title", "subtitle", "body"].map { alert[$0]?.string }
    let words = texts.compactMap(\.self)
    guard !isLocalised, !words.isEmpty,
      words.allSatisfy({ $0.unicodeScalars.allSatisfy(\.isInvisible) })
    else { return }
    note(
      "alert_blank", .warning, alert, "the alert has nothing that can be seen", "give it a title or a body")
  }

  private mutating func checkAlertType(_ member: PayloadMember) {
    let node = member.node
    switch member.key {
    case "title", "subtitle", "body", "loc-key", "title-loc-key", "subtitle-loc-key", "action-loc-key",
      "launch-image", "action", "summary-arg":
      guard node.string == nil, !node.isUnknown else { return }
      note(
        "type", .error, node, "aps.alert.\(member.key) is \(node.typeName), and has to be a string",
        "write it as a string")
    case "summary-arg-count":
      guard !node.isWhole, !node.isUnknown else { return }
      note(
        "type", .error, node, "aps.alert.summary-arg-count is \(node.typeName), and has to be a whole number",
        "write it as a whole number")
    default: return
    }
  }

  private mutating func checkArguments(of key: String, _ arguments: String, _ alert: PayloadNode) {
    guard let node = alert[arguments], !node.isUnknown else { return }
    guard let elements = node.elements, elements.allSatisfy({ $0.string != nil || $0.isUnknown }) else {
      return note(
        "type", .error, node, "aps.alert.\(arguments) has to be a list of strings", "write it as [\"…\"]")
    }
    if alert[key] == nil, isWhole {
      note(
        "loc_args_without_key", .warning, node, "\(arguments) does nothing without \(key)",
        "add \(key), or leave it out")
    }
    note(
      "personal_data_in_loc_args", .note, node, "\(arguments) often carries names and messages",
      "keep logs of payloads short-lived")
  }
}
