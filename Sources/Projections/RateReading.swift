/// Everything that one report is made from, read in one snapshot.
package struct RateReading: Sendable, Hashable {
  /// As it was asked.
  package let query: RateQuery
  /// The counts of every category, also where the query names one: its p-value is adjusted over all of them. Details are
  /// here only where the query names none.
  package let result: RateResult
  /// Of the units that the query counts; nil where they were not read.
  package let unitDetails: RateDetails?
  package let details: EngagementDetails
  /// What was read.
  package let parts: ReportParts
}

/// What a report may show beside its counts. Some of it comes from rows that add up, the rest from each unit.
package struct ReportParts: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The rates over time.
  package static let days = ReportParts(rawValue: 1)
  /// What became of the notifications, step by step.
  package static let funnel = ReportParts(rawValue: 2)
  /// Events that were refused.
  package static let rejected = ReportParts(rawValue: 4)
  /// Buttons offered and taken.
  package static let actions = ReportParts(rawValue: 8)
  /// Why rich notifications were shown as text.
  package static let fallbacks = ReportParts(rawValue: 16)
  /// What the arms are made up of, and how soon people interact.
  package static let unitDetails = ReportParts(rawValue: 32)

  /// What costs little however many units there are, where rates are kept in the query's zone and window.
  package static let summed: ReportParts = [.days, .funnel, .rejected, .actions]
  /// What looks at each unit.
  package static let perUnit: ReportParts = [.fallbacks, .unitDetails]
  package static let all: ReportParts = [.summed, .perUnit]
}
