/// Several limits in a byte: an import makes such a set for each record, and asks it more than once.
package struct LimitSet: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

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
}
