internal import EngagementEvents
internal import EventStore
internal import Postgres
internal import Projections
package import Statistics

/// The uplift of one period against that of another, in each category and over all.
package struct PeriodComparison: Sendable {
  /// One category, or all of them.
  package struct Change: Sendable, Hashable {
    /// Nil: all categories that can be compared in both periods.
    package let category: String?
    /// Rich rate / text rate, of the later and the earlier period; nil where it cannot be had.
    package let now: RatioWithInterval?
    package let before: RatioWithInterval?
    /// How many times the later ratio is the earlier one. The jackknife leaves devices out of both periods at a time, so that
    /// it knows of devices that are in both.
    package let change: RatioWithInterval?
    /// Of no change; nil without one.
    package let pValue: Double?
    /// The same adjusted over the categories.
    package fileprivate(set) var adjustedPValue: Double?
    /// Why the category is not compared: what one of the periods lacks; nil where it is, or for all categories.
    package fileprivate(set) var reason: String?
  }

  /// A ratio with its interval, from the logarithm's jackknife.
  package struct RatioWithInterval: Sendable, Hashable {
    package let value: Double
    package let interval: ConfidenceInterval
  }

  package let now: RateReport
  package let before: RateReport
  /// By category, and all together last.
  package let changes: [Change]

  /// - Parameters:
  ///   - now: the later period.
  ///   - before: the earlier one, read in the same snapshot.
  package init(now: RateReport, before: RateReport, level: ConfidenceLevel) throws(StatisticsError) {
    self.now = now
    self.before = before
    let names = Set((now.categories + before.categories).compactMap(Self.name)).sorted().map(\.string)
    let comparable = names.filter { name in
      [now, before].allSatisfy { report in
        report.categories.contains { $0.scope == .category(name) && $0.isComparable }
      }
    }
    var changes: [Change] = []
    for name in names {
      let reason = Self.whyNot(name, now, before)
      let isCompared = comparable.contains { $0.isExactly(name) } && reason == nil
      changes.append(try Self.change(name, isCompared ? [name] : [], now, before, level))
      changes[changes.endIndex - 1].reason = reason
    }
    let family = changes.indices.filter { changes[$0].pValue != nil }
    let adjusted = try PValueFamily(family.compactMap { changes[$0].pValue }).benjaminiHochberg()
    for (place, value) in zip(family, adjusted) { changes[place].adjustedPValue = value }
    self.changes = changes + [try Self.change(nil, comparable, now, before, level)]
  }

  /// What the report of one of the periods lacks to say anything of a category by itself.
  private static func whyNot(_ name: String, _ now: RateReport, _ before: RateReport) -> String? {
    for (period, report) in [("now", now), ("before", before)] {
      guard let comparison = report.categories.first(where: { $0.scope == .category(name) }) else {
        return "\(period): nothing delivered that counts"
      }
      if let reason = comparison.verdict.reason { return "\(period): \(reason)" }
    }
    return nil
  }

  private static func name(_ comparison: Comparison) -> ExactText? {
    if case .category(let name) = comparison.scope { ExactText(name) } else { nil }
  }

  private static func change(
    _ category: String?, _ names: [String], _ now: RateReport, _ before: RateReport, _ level: ConfidenceLevel
  ) throws(StatisticsError) -> Change {
    var strata: [[TwoProportions]] = []
    for report in [now, before] {
      for name in names {
        strata.append(try BucketedArms(report.result.cells.filter { $0.category.isExactly(name) }).pairs())
      }
    }
    func buckets(_ strata: some Collection<[TwoProportions]>) throws(StatisticsError) -> BucketedProportions {
      try BucketedProportions((0..<BucketedArms.bucketCount).map { bucket in strata.map { $0[bucket] } })
    }
    func logRatio(_ strata: ArraySlice<TwoProportions>) -> Double? {
      StratifiedProportions(Array(strata)).mantelHaenszelLogRiskRatio
    }
    let later = try buckets(strata.prefix(names.count)).mantelHaenszelLogRiskRatio()
    let earlier = try buckets(strata.dropFirst(names.count)).mantelHaenszelLogRiskRatio()
    let change = try buckets(strata).jackknife { all in
      guard let now = logRatio(all.strata.prefix(names.count)),
        let before = logRatio(all.strata.dropFirst(names.count))
      else { return nil }
      return now - before
    }
    return Change(
      category: category, now: try RatioWithInterval(later, level),
      before: try RatioWithInterval(earlier, level),
      change: try RatioWithInterval(change, level), pValue: try change?.p())
  }
}

extension PeriodComparison.RatioWithInterval {
  fileprivate init?(_ estimate: JackknifeEstimate?, _ level: ConfidenceLevel) throws(StatisticsError) {
    guard let estimate, let interval = try estimate.interval(level) else { return nil }
    value = Logarithm.exponential(estimate.value)
    self.interval = ConfidenceInterval(
      lower: Logarithm.exponential(interval.lower), upper: Logarithm.exponential(interval.upper),
      confidence: level.value)
  }
}

extension PeriodComparison.Change {
  /// "(all)" for all categories.
  var name: String { category.map { Comparison.Scope.category($0).name } ?? "(all)" }

  /// What is to be said, at a level of confidence.
  func verdict(_ confidence: Double) -> String {
    guard let change, let p = adjustedPValue ?? pValue else { return "cannot be compared" }
    guard p < 1 - confidence else { return "no difference shown" }
    return change.value > 1 ? "higher than before" : "lower than before"
  }
}

extension PeriodComparison {
  /// For a terminal, ended by a line break.
  package func table(fitting width: Int? = nil) -> String {
    var table = TextTable([
      ("category", .left), ("uplift now", .right), ("interval", .left), ("before", .right),
      ("interval", .left),
      ("ratio", .right), ("interval", .left), ("p", .left), ("", .left),
    ])
    for change in changes {
      table.append(
        [change.name] + Self.uplift(change.now) + Self.uplift(change.before)
          + [
            change.change.map { Format.decimal($0.value, digits: 2) } ?? "–",
            change.change.map {
              "\(Format.decimal($0.interval.lower, digits: 2)) to \(Format.decimal($0.interval.upper, digits: 2))"
            } ?? "–",
            (change.adjustedPValue ?? change.pValue).map(Format.pValue) ?? "–",
            change.verdict(now.confidence) + (change.reason.map { ": \($0)" } ?? ""),
          ])
    }
    let query = now.result.query
    let heading = [
      "\(TextTable.visible(query.app.name)): \(query.metric.id), rich as \(query.armRule.rawValue), within "
        + "\(Format.window(query.windowSeconds)) of the delivery (\(query.zone)); position \(now.result.checkpoint.position)",
      "Now: \(now.deliveries). Before: \(before.deliveries).", "",
    ]
    let notes = [
      "",
      "ratio: (1 + uplift now) / (1 + uplift before), above 1 where rich gained on text. Intervals "
        + "(\(Format.confidence(now.confidence))) and p: jackknife over \(BucketedArms.bucketCount) buckets of devices,",
      "which leaves them out of both periods at a time. p of categories adjusted (Benjamini–Hochberg). (all): categories that can be",
      "compared in both, each within itself (Mantel–Haenszel).",
    ]
    let young = [("Now", now), ("Before", before)].compactMap { name, report in
      report.immatureSentence.map { "\(name): \($0)" }
    }
    return (heading + table.lines(fitting: width) + notes + (young.isEmpty ? [] : [""] + young)).joined(
      separator: "\n") + "\n"
  }

  private static func uplift(_ ratio: RatioWithInterval?) -> [String] {
    guard let ratio else { return ["–", "–"] }
    return [
      Format.signedPercent(ratio.value - 1),
      "\(Format.signedPercent(ratio.interval.lower - 1)) to \(Format.signedPercent(ratio.interval.upper - 1))",
    ]
  }

  /// A row for each category, and one for all.
  package var rows: ReportRows {
    let figures = ["now", "before"].flatMap { ["\($0)_uplift", "\($0)_uplift_lower", "\($0)_uplift_upper"] }
    let header =
      [
        "app", "first_day", "last_day", "before_first_day", "before_last_day", "zone", "window_seconds",
        "metric",
        "definition_version", "rich_means", "position", "watermark", "confidence", "scope", "category",
      ] + figures + ["ratio", "ratio_lower", "ratio_upper", "p_value", "p_adjusted", "verdict", "reason"]
    let earlier = before.result.query
    return ReportRows(
      header,
      changes.map { change in
        var cells = now.frame
        cells["before_first_day"] = .text(earlier.firstDay?.text ?? "")
        cells["before_last_day"] = .text(earlier.lastDay?.text ?? "")
        cells["scope"] = .text(
          change.category == nil ? "pooled" : Comparison.Scope.category(change.category ?? "").kind)
        cells["category"] = .text(change.category.map { Comparison.Scope.category($0).cell } ?? "(all)")
        for (name, ratio, offset) in [
          ("now_uplift", change.now, 1.0), ("before_uplift", change.before, 1), ("ratio", change.change, 0),
        ] {
          cells[name] = .decimal(ratio.map { $0.value - offset }, digits: 8)
          cells["\(name)_lower"] = .decimal(ratio.map { $0.interval.lower - offset }, digits: 8)
          cells["\(name)_upper"] = .decimal(ratio.map { $0.interval.upper - offset }, digits: 8)
        }
        cells["p_value"] = .decimal(change.pValue, digits: 10)
        cells["p_adjusted"] = .decimal(change.adjustedPValue, digits: 10)
        cells["verdict"] = .text(change.verdict(now.confidence))
        cells["reason"] = .text(change.reason ?? "")
        return cells
      })
  }
}
