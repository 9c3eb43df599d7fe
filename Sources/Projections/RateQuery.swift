package import EventStore
package import Postgres

/// Which units a report counts, and how.
package struct RateQuery: Sendable, Hashable {
  package var app: App
  package var metric: Metric
  /// First and last day of delivery, inclusive, in `zone`; nil for no bound.
  package var firstDay: PostgresDate?
  package var lastDay: PostgresDate?
  /// IANA zone that days are cut in.
  package var zone: String
  /// Attribution window in seconds, 60 to 2,592,000; half-open from the delivery.
  package var windowSeconds: Int
  package var armRule: ArmRule
  /// Only this category; nil for all. The empty string is the category of notifications without one.
  package var category: String?

  /// A query over everything, as the app's own daily rows are kept.
  package init(app: App) {
    self.app = app
    metric = .interaction
    zone = app.zone
    windowSeconds = app.windowSeconds
    armRule = .intended
  }

  /// The longest and shortest windows.
  package static let windowRange = 60...2_592_000

  /// - Throws: `StoreError.invalidValue` for a window out of range, or a zone that Postgres does not know.
  func requireValid(on connection: borrowing Connection) throws {
    guard Self.windowRange.contains(windowSeconds) else {
      throw StoreError(
        .invalidValue, "The window of \(windowSeconds) s is out of range.",
        remedy: "Choose 1 minute to 30 days.")
    }
    try TimeZones.require(zone, on: connection)
  }
}

/// Units of one category, arm and bucket of devices.
package struct RateCell: Sendable, Hashable {
  package let category: String
  package let isRich: Bool
  /// 0 to 127.
  package let bucket: Int
  /// The denominator.
  package let units: Int
  /// The numerator, at most `units`.
  package let successes: Int

  package init(category: String, isRich: Bool, bucket: Int, units: Int, successes: Int) {
    self.category = category
    self.isRich = isRich
    self.bucket = bucket
    self.units = units
    self.successes = successes
  }
}

/// What a report has to know of a category and arm beyond its cells.
package struct ArmFacts: Sendable, Hashable {
  /// Units counted.
  package let units: Int
  /// Distinct devices among them; an estimate where the result's `deviceSample` is not every device.
  package var devices: Int
  /// Of the units counted, those that name an experiment.
  package let unitsInExperiment: Int
  /// Units whose window had not closed at the watermark; not counted.
  package let immature: Int
  /// Of the units counted, those intended rich.
  package let intendedRich: Int
  /// Of these, those shown without media.
  package let fellBack: Int
  /// Of the units counted, those with any interaction within the window, whatever the metric.
  package let interacting: Int
  /// Of the units counted, those of which it is only known that they were sent. Looked up where another system's records
  /// tell no more; 0 otherwise.
  package var onlySent = 0

  package init(
    units: Int = 0, devices: Int = 0, unitsInExperiment: Int = 0, immature: Int = 0, intendedRich: Int = 0,
    fellBack: Int = 0, interacting: Int = 0
  ) {
    self.units = units
    self.devices = devices
    self.unitsInExperiment = unitsInExperiment
    self.immature = immature
    self.intendedRich = intendedRich
    self.fellBack = fellBack
    self.interacting = interacting
  }
}

/// What a report has to know of a category beyond its arms.
package struct CategoryFacts: Sendable, Hashable {
  package var rich = ArmFacts()
  package var text = ArmFacts()
  /// Distinct devices among the units counted, whatever their arm.
  package var devices = 0
  /// Units with interactions and no delivery.
  package var orphans = 0
  /// Events whose time cannot be believed.
  package var implausible = 0
  /// Whether any unit of the category, whenever, could have been and was expanded. Looked up for the metrics `expansion`
  /// and `dismissal`; false for others.
  package var reportsExpansion = false
  /// Whether any unit of the category, whenever, reported a dismissal; likewise.
  package var reportsDismissal = false
  /// Experiments that had one arm only; nil where all had both, or not all units are in experiments.
  package var oneArmedExperiments: OneArmedExperiments?
  /// What deliveries of the period that were brought in from other systems do not tell.
  package var limits = SourceLimits()
  /// The category's title in the app's registry; nil where it has none, or is not registered.
  package var title: String?
  /// Whether the registry says that a content extension draws the category; nil where it is not registered.
  package var hasContentExtension: Bool?
  /// Whether the registry says that iOS is asked to tell of dismissals; likewise.
  package var asksForDismissal: Bool?

  package init() {}

  /// Whether an expansion could have been reported: what the registry says, or else what was.
  package var measuresExpansion: Bool { hasContentExtension ?? reportsExpansion }
  /// Whether a dismissal could have been reported, likewise.
  package var measuresDismissal: Bool { asksForDismissal ?? reportsDismissal }

  /// Whether there are units, and each names an experiment.
  package var isOnlyExperiments: Bool {
    let units = rich.units + text.units
    return units > 0 && rich.unitsInExperiment + text.unitsInExperiment == units
  }

  /// Distinct devices with units in both arms.
  package var devicesInBothArms: Int { rich.devices + text.devices - devices }
}

/// The counts behind a comparison, and the state of the store they were read from.
package struct RateResult: Sendable, Hashable {
  package let query: RateQuery
  package let checkpoint: EngagementProjection.Checkpoint
  /// Ordered by category, text before rich, bucket.
  package let cells: [RateCell]
  /// By category; every category of the cells is there, and those with nothing but facts.
  package let facts: [String: CategoryFacts]
  /// Over all categories: the sums, and the devices counted once each.
  package let total: CategoryFacts
  /// The devices that were looked at to count devices.
  package var deviceSample = DeviceSample.everyDevice
  /// Nil where it was not asked for.
  package var details: RateDetails?

  /// What a query for one category alone would have given.
  package func narrowed(to category: String) -> RateResult {
    var query = query
    query.category = category
    let facts = facts.filter { $0.key == category }
    return RateResult(
      query: query, checkpoint: checkpoint, cells: cells.filter { $0.category == category }, facts: facts,
      total: facts[category] ?? CategoryFacts(), deviceSample: deviceSample)
  }
}
