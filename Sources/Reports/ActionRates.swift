internal import EngagementEvents
internal import Projections
internal import Statistics

/// How often one action of a category was taken where it was offered.
package struct ActionRates: Sendable, Hashable {
  package let category: String
  package let action: String
  /// Units that took it, of those whose category offered it.
  package let rates: ArmRates
  /// Units that took it although nobody reported it as offered; in no rate.
  package let takenUnoffered: Int
  /// Its title in the app's registry; nil where it has none.
  package var title: String?

  package var offered: Double { rates.rich.counts.trials + rates.text.counts.trials }

  /// In the order of the cells: category, action.
  static func all(
    _ cells: [ActionCell], titles: [ActionName: String], level: ConfidenceLevel
  ) throws(StatisticsError) -> [ActionRates] {
    var actions: [ActionRates] = []
    var rest = cells[...]
    while let first = rest.first {
      let own = rest.prefix { $0.category.isExactly(first.category) && $0.action.isExactly(first.action) }
      rest = rest.dropFirst(own.count)
      let rates = try ArmRates(
        own.map { cell in
          RateCell(
            category: cell.category, isRich: cell.isRich, bucket: cell.bucket, units: cell.offered,
            successes: cell.taken)
        }, level: level)
      actions.append(
        ActionRates(
          category: first.category, action: first.action, rates: rates,
          takenUnoffered: own.reduce(0) { $0 + $1.takenUnoffered },
          title: titles[ActionName(first.category, first.action)]))
    }
    return actions
  }
}
