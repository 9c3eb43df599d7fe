/// Several limits in a number: an import makes such a set for each record, and asks it more than once.
package struct LimitSet: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package init(_ limit: SourceLimit) { self.init(rawValue: 1 << limit.place) }

  /// In the order in which they are told.
  package var limits: [SourceLimit] { SourceLimit.allCases.filter { contains(LimitSet($0)) } }

  package static let delivery = LimitSet(.delivery)
  package static let richness = LimitSet(.richness)
  package static let notification = LimitSet(.notification)
  package static let opening = LimitSet(.opening)
  package static let action = LimitSet(.action)
  package static let reply = LimitSet(.reply)
  package static let expansion = LimitSet(.expansion)
  package static let dismissal = LimitSet(.dismissal)
  package static let display = LimitSet(.display)
}

extension LimitSet {
  /// The metrics that are not told, such as `buttons and replies`; nil for none.
  package var untold: String? {
    Self.listed(SourceLimit.ofMetrics.filter { contains(LimitSet($0)) }.map(\.words))
  }

  /// Those that are.
  package var told: String? {
    Self.listed(SourceLimit.ofMetrics.filter { !contains(LimitSet($0)) }.map(\.words))
  }

  /// What interactions consist of, such as `openings alone`; nil where not even openings are told.
  package var interactions: String? {
    guard !contains(.opening) else { return nil }
    let others: [SourceLimit] = [.action, .expansion]
    let parts = [SourceLimit.opening.words] + others.filter { !contains(LimitSet($0)) }.map(\.words)
    return parts.count == 1 ? parts[0] + " alone" : Self.listed(parts)
  }

  /// What rich and text-only notifications can be compared by, as a sentence without its end.
  package var comparison: String {
    guard let told else { return "nothing can be compared: what is done with a notification is not told" }
    guard !contains(.richness) else {
      return "\(told) can be measured, but rich and text-only not be compared"
    }
    return "rich and text-only can be compared by \(told)"
      + (interactions.map { ", and by interactions, which are \($0)" } ?? "")
  }

  private static func listed(_ words: [String]) -> String? {
    guard let last = words.last else { return nil }
    return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " and " + last
  }
}
