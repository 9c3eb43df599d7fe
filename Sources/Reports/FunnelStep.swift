internal import ForeignEvents
internal import Projections
internal import Statistics

/// A step on the way from delivery to action: the units that took it, of those delivered.
package struct FunnelStep: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case delivered, interacted, expanded, opened, acted, replied
  }

  package let kind: Kind
  /// Of the units delivered, expansions of those that could report one; 1 for those delivered themselves.
  package let rates: ArmRates

  static func all(_ cells: [FunnelCell], level: ConfidenceLevel) throws(StatisticsError) -> [FunnelStep] {
    var steps: [FunnelStep] = []
    for kind in Kind.allCases {
      let rates = try ArmRates(
        cells.map { cell in
          RateCell(
            category: "", isRich: cell.isRich, bucket: cell.bucket,
            units: kind == .expanded ? cell.expandable : cell.delivered,
            successes: kind.units(of: cell))
        }, level: level)
      steps.append(FunnelStep(kind: kind, rates: rates))
    }
    return steps
  }
}

extension FunnelStep.Kind {
  /// Whether the records tell it, so that none is none.
  func isTold(_ limits: SourceLimits) -> Bool {
    switch self {
    case .delivered: true
    case .interacted, .opened: !limits.contains(.opening)
    case .expanded: !limits.contains(.expansion)
    case .acted: !limits.contains(.action)
    case .replied: !limits.contains(.reply)
    }
  }

  fileprivate func units(of cell: FunnelCell) -> Int {
    switch self {
    case .delivered: cell.delivered
    case .interacted: cell.interacted
    case .expanded: cell.expanded
    case .opened: cell.opened
    case .acted: cell.acted
    case .replied: cell.replied
    }
  }

  /// For people.
  var words: String {
    switch self {
    case .delivered: "delivered"
    case .interacted: "any interaction"
    case .expanded: "expanded"
    case .opened: "opened by a tap"
    case .acted: "acted on with a button"
    case .replied: "replied to with text"
    }
  }
}
