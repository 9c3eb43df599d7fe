import EngagementEvents

/// Counts a stream by the definitions of the metrics, in the plainest way.
struct StreamCounter {
  private struct Unit {
    var category = Category.none
    var delivery: (time: Timestamp, isRich: Bool, isFallback: Bool)?
    var responses: [(time: Timestamp, detail: EngagementEvent.Detail)] = []
  }
  private struct Key: Hashable {
    let notification: NotificationID
    let device: DeviceID
  }
  private var units: [Key: Unit] = [:]

  mutating func add(_ event: EngagementEvent) {
    let key = Key(notification: event.notificationID, device: event.deviceID)
    units[key, default: Unit()].category = event.category
    if case .delivered(let delivery) = event.detail {
      units[key]?.delivery = (event.occurredAt.instant, delivery.isRichAsIntended, delivery.fallback != nil)
    } else {
      units[key]?.responses.append((event.occurredAt.instant, event.detail))
    }
  }

  var orphans: Int { units.values.count { $0.delivery == nil } }

  func counts(of category: Category, isRich: Bool, end: Timestamp) -> [String: Int] {
    let day: Int64 = 86_400_000_000
    var counts: [String: Int] = [
      "delivered": 0, "fallbacks": 0, "interacted": 0, "expanded": 0, "opened": 0, "acted": 0, "replied": 0,
      "dismissed": 0, "matureDelivered": 0, "matureInteracted": 0,
    ]
    for unit in units.values where unit.category == category {
      guard let delivery = unit.delivery, delivery.isRich == isRich else { continue }
      var facts: Set<String> = ["delivered"]
      if delivery.isFallback { facts.insert("fallbacks") }
      for response in unit.responses {
        guard (0..<day).contains(response.time.microseconds - delivery.time.microseconds) else { continue }
        facts.formUnion(Self.facts(of: response.detail))
      }
      if delivery.time.microseconds + day <= end.microseconds {
        facts.insert("matureDelivered")
        if facts.contains("interacted") { facts.insert("matureInteracted") }
      }
      for fact in facts { counts[fact, default: 0] += 1 }
    }
    return counts
  }

  private static func facts(of detail: EngagementEvent.Detail) -> Set<String> {
    guard case .action(let action) = detail else { return ["expanded", "interacted"] }
    if action.actionID.isDismissal { return ["dismissed"] }
    if action.actionID.isDefault { return ["opened", "interacted"] }
    return action.replyText == nil ? ["acted", "interacted"] : ["acted", "replied", "interacted"]
  }
}
