package import EngagementEvents
package import Postgres

/// What a page shows beside the comparison: its days, its funnel, its actions, its fallbacks.
///
/// Everything but `rejected` counts the units that the query counts, whatever its metric: delivered in the period, in a
/// category that is wanted, their window closed.
package struct EngagementDetails: Sendable, Hashable {
  /// By day and, where `isByCategory`, category.
  package var days: [DayCell] = []
  package var isByCategory = false
  /// The first and the last of the days, inclusive; nil for no bound.
  package var firstDay: PostgresDate?
  package var lastDay: PostgresDate?
  /// Days between them that never were: a zone that crosses the date line leaves one out.
  package var skippedDays: Set<PostgresDate> = []
  package var funnel: [FunnelCell] = []
  /// Categories whose expansions nobody can report, since the app's registry says that no content extension draws them, or since
  /// none ever was: the funnel's expansions leave them out.
  package var categoriesWithoutExpansion: [String] = []
  /// The actions of each category, most offered or taken first where there are too many of them.
  package var actions: [ActionCell] = []
  /// The titles of actions in the app's registry, whether or not they are among `actions`.
  package var actionTitles: [ActionName: String] = [:]
  package var fallbacks: [FallbackCount] = []
  /// Events that were refused on arrival, by code, and came on the period's days.
  package var rejected: [String: Int] = [:]

  package init() {}
}

/// An action of a category, by their identifiers.
package struct ActionName: Sendable, Hashable {
  private let category: ExactText
  private let action: ExactText

  package init(_ category: String, _ action: String) {
    self.category = ExactText(category)
    self.action = ExactText(action)
  }
}

/// Units of one day of delivery, arm and bucket of devices, by the query's metric.
package struct DayCell: Sendable, Hashable {
  package let day: PostgresDate
  /// Its category is empty where categories are not told apart.
  package let cell: RateCell

  package init(day: PostgresDate, cell: RateCell) {
    self.day = day
    self.cell = cell
  }
}

/// What became of the units of one arm and bucket of devices.
package struct FunnelCell: Sendable, Hashable {
  package let isRich: Bool
  package let bucket: Int
  package let delivered: Int
  /// Units with the event within the window, each step by itself.
  package let interacted: Int
  package let expanded: Int
  package let opened: Int
  package let acted: Int
  package let replied: Int
  /// Of those delivered, units of categories whose expansions could be reported: `expanded` is of these.
  package let expandable: Int

  /// - Parameter expandable: nil for all that were delivered.
  package init(
    isRich: Bool, bucket: Int, delivered: Int, interacted: Int = 0, expanded: Int = 0, opened: Int = 0,
    acted: Int = 0, replied: Int = 0, expandable: Int? = nil
  ) {
    self.expandable = expandable ?? delivered
    self.isRich = isRich
    self.bucket = bucket
    self.delivered = delivered
    self.interacted = interacted
    self.expanded = expanded
    self.opened = opened
    self.acted = acted
    self.replied = replied
  }
}

/// Units of one category, arm and bucket of devices by one custom action.
package struct ActionCell: Sendable, Hashable {
  package let category: String
  package let action: String
  package let isRich: Bool
  package let bucket: Int
  /// Units whose category offered it.
  package let offered: Int
  /// Of these, units that took it within the window.
  package let taken: Int
  /// Units that took it although nobody reported it as offered.
  package let takenUnoffered: Int

  package init(
    category: String, action: String, isRich: Bool, bucket: Int, offered: Int, taken: Int,
    takenUnoffered: Int = 0
  ) {
    self.category = category
    self.action = action
    self.isRich = isRich
    self.bucket = bucket
    self.offered = offered
    self.taken = taken
    self.takenUnoffered = takenUnoffered
  }
}

/// Units of a category that were meant to be rich and shown as text.
package struct FallbackCount: Sendable, Hashable {
  package let category: String
  /// Nil where the device did not tell.
  package let reason: FallbackReason?
  package let units: Int

  package init(category: String, reason: FallbackReason?, units: Int) {
    self.category = category
    self.reason = reason
    self.units = units
  }
}
