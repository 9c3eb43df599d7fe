internal import EventStore
package import Postgres
package import Projections
package import Statistics

/// What an app delivered lately: what an experiment could be made of.
package struct Traffic: Sendable, Hashable {
  package let app: String
  /// Nil for all categories together.
  package let category: String?
  package let firstDay: PostgresDate
  package let lastDay: PostgresDate
  package let days: Int
  /// Rich against text-only over these days.
  package let comparison: Comparison

  /// The text-only rate, 0 to 1; nil without text-only ones.
  package var base: Double? { comparison.text.rate }

  /// What repeats on a device multiply the variance of the difference by where each device is in one arm, at least 1.
  ///
  /// That of the traffic itself may be far smaller: what a device that is in both arms does alike cancels out of the
  /// difference, which it will not in an experiment.
  package var designEffect: Double {
    func variance(_ arm: Comparison.Arm) -> Double {
      arm.rate.map { $0 * (1 - $0) / arm.counts.trials } ?? 0
    }
    let (rich, text) = (variance(comparison.rich), variance(comparison.text))
    guard rich + text > 0 else { return comparison.designEffect ?? 1 }
    return (rich * (comparison.rich.designEffect ?? 1) + text * (comparison.text.designEffect ?? 1))
      / (rich + text)
  }

  /// Deliveries a day.
  package var richPerDay: Double { comparison.rich.counts.trials / Double(days) }
  package var textPerDay: Double { comparison.text.counts.trials / Double(days) }

  /// Reads the last closed days, or as many of them as there have been.
  ///
  /// - Parameter query: its days are set here.
  /// - Throws: `StoreError.invalidValue` where no day has closed yet.
  package static func read(
    _ query: RateQuery, lastDays: Int = 28, level: ConfidenceLevel, on connection: borrowing Connection
  ) throws -> Traffic {
    let earliest = try connection.value(
      of: "select min(day) from daily_rate where app_id = \(query.app.id.rawValue)", as: PostgresDate?.self)
    guard let earliest, let last = try ClosedDays.last(query, on: connection), earliest <= last else {
      throw StoreError(
        .invalidValue, "No day of \(query.app.name) has closed yet, so there is no traffic to plan by.",
        remedy: "Give --base and leave --app out.")
    }
    var query = query
    let days = min(Int32(lastDays), last.daysSince1970 - earliest.daysSince1970 + 1)
    let first = PostgresDate(daysSince1970: last.daysSince1970 - days + 1)
    query.firstDay = first
    query.lastDay = last
    let report = try RateReport(try RateReader.read(query, on: connection), level: level)
    return Traffic(
      app: query.app.name, category: query.category, firstDay: first, lastDay: last, days: Int(days),
      comparison: report.crude)
  }

  /// The days in which a plan's notifications are delivered; nil where an arm never gets any.
  ///
  /// - Parameter split: how all of the traffic would be shared out; nil to leave it as it is.
  package func days(for plan: ExperimentPlan, split: (rich: Double, text: Double)? = nil) -> Double? {
    let all = richPerDay + textPerDay
    let rich = split.map { all * $0.rich / ($0.rich + $0.text) } ?? richPerDay
    let text = split.map { all * $0.text / ($0.rich + $0.text) } ?? textPerDay
    guard rich > 0, text > 0 else { return nil }
    return max(plan.richUnits / rich, plan.textUnits / text).rounded(.up)
  }

  /// What it is, for people.
  package var sentence: String {
    let what =
      category.map { $0.isEmpty ? "notifications without a category" : TextTable.visible($0) }
      ?? "all categories"
    let rate = base.map { "text-only rate \(Format.percent($0, digits: 2))" } ?? "no text-only ones"
    return
      "\(TextTable.visible(app)), \(what), \(firstDay.text) to \(lastDay.text) (\(days) closed day\(days == 1 ? "" : "s")): "
      + "\(Format.decimal(richPerDay, digits: 1)) rich and \(Format.decimal(textPerDay, digits: 1)) text-only delivered a day, "
      + "\(rate), design effect \(Format.decimal(designEffect, digits: 2)) where a device is in one arm."
  }
}
