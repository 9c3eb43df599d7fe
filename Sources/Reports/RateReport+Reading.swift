internal import EngagementEvents
internal import EventStore
package import Projections
package import Statistics

extension RateReport {
  /// The report of what was read: of all categories, or of the one that the query names.
  ///
  /// - Throws: `StoreError.invalidValue` where the named category has nothing in the period.
  package init(
    _ reading: RateReading, level: ConfidenceLevel = .ninetyFive, split: (rich: Double, text: Double) = (1, 1)
  ) throws {
    let family = try RateReport(reading.result, level: level, split: split)
    guard let category = reading.query.category else {
      self = family
      return
    }
    guard
      let narrowed = try family.narrowed(
        to: category, details: reading.unitDetails, level: level, split: split)
    else {
      let names = family.categories.map { TextTable.visible($0.scope.name) }.joined(separator: ", ")
      let hasNameless = family.categories.contains { $0.scope == .category("") }
      let nameless = hasNameless ? " An empty name, '', chooses (none): those without a category." : ""
      throw StoreError(
        .invalidValue,
        "The app \(TextTable.visible(reading.query.app.name)) has nothing in the category "
          + "'\(TextTable.visible(category))' in this period.",
        remedy: names.isEmpty ? "It has nothing in any." : "Choose one of these: \(names).\(nameless)")
    }
    self = narrowed
  }
}
