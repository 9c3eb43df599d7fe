internal import EngagementEvents

/// What Segment's calls call the fields of the contract.
enum SegmentNames {
  /// A verdict with the names that the client knows. Letters hold events in the contract's form, and keep its names.
  static func told(_ verdict: Submission.Verdict) -> Submission.Verdict {
    let path = verdict.field
    let first = String(path.prefix { $0 != "." && $0 != "[" })
    guard let field = EventField(rawValue: first) else { return verdict }
    let (name, other) = names(of: field)
    let rest = path.dropFirst(first.count)
    let message =
      verdict.message.hasPrefix(path)
      ? name + rest + (other.map { " (or \($0))" } ?? "") + verdict.message.dropFirst(path.count)
      : verdict.message
    return Submission.Verdict(
      index: verdict.index, id: verdict.id, field: name + rest, code: verdict.code, message: message)
  }

  /// - Returns: the first place that is looked at, and another.
  private static func names(of field: EventField) -> (String, String?) {
    switch field {
    case .id: ("messageId", nil)
    case .type: ("event", nil)
    case .deviceId: ("context.device.id", "anonymousId")
    case .occurredAt: ("originalTimestamp", "timestamp")
    case .appVersion: ("context.app.version", nil)
    case .locale: ("context.locale", nil)
    default: ("properties." + field.rawValue, nil)
    }
  }
}
