internal import Projections
internal import Statistics

/// The comparison by category: the picture, and the tables of its figures.
extension EngagementReport {
  var forest: HTML {
    guard !rates.categories.isEmpty else {
      return HTML.empty(rates.nothing)
    }
    return HTML.figure(
      ForestPlot(rates).picture,
      caption: """
        Dot and thick line: the uplift and its \(Format.confidence(rates.confidence)) interval, valid on this date only. \
        Thin line: the interval that holds however often one looks. Diamond: all categories together. Grey: no verdict, or \
        no difference shown.
        """, table: upliftTable)
  }

  private var upliftTable: HTML {
    let rows = rates.categories.map { comparison in
      [.name(comparison.scope.name, title: comparison.facts.title), "\(comparison.verdict.words)"]
        + upliftCells(comparison)
    }
    return HTML.table(
      [
        .init("Category", .name), .init("Verdict", .words), .init("Uplift"), .init("Interval"),
        .init("Always valid"),
        .init("Points"), .init("Interval"), .init("p"), .init("p, adjusted"), .init("Design effect"),
        .init("Why no verdict", .words),
      ], rows + [pooledRow, crudeRow])
  }

  private func upliftCells(_ comparison: Comparison) -> [HTML] {
    let reason = comparison.verdict.reason ?? ""
    guard comparison.isComparable else {
      return [HTML](repeating: "–", count: 7) + ["–", "\(reason)"]
    }
    return [
      figure(comparison.uplift), range(comparison.upliftInterval), range(comparison.alwaysValidUplift),
      points(comparison.difference), pointRange(comparison.differenceInterval), p(comparison.pValue),
      p(comparison.adjustedPValue), designEffect(comparison.designEffect), "\(reason)",
    ]
  }

  private var pooledRow: [HTML] {
    let pooled = rates.pooled
    return [
      "All together", "\(pooled.verdict.words)", figure(pooled.uplift), range(pooled.upliftInterval), "–",
      points(pooled.difference), pointRange(pooled.differenceInterval), p(pooled.pValue), "–", "–",
      "\(pooled.verdict.reason ?? "")",
    ]
  }

  private var crudeRow: [HTML] {
    ["All added up", "\(rates.crude.verdict.words)"] + upliftCells(rates.crude)
  }

  /// Both arms of each category, and of all added up.
  var armTable: HTML {
    guard !rates.categories.isEmpty else { return "" }
    let rows = (rates.categories + [rates.crude]).flatMap { comparison -> [[HTML]] in
      let name: HTML =
        comparison.scope == .crude
        ? "All added up" : .name(comparison.scope.name, title: comparison.facts.title)
      return [[name, "rich"] + cells(comparison.rich), [name, "text-only"] + cells(comparison.text)]
    }
    let table = HTML.table(
      [
        .init("Category", .name), .init("Arm", .words), .init("Delivered"), .init("Devices"), .init("Events"),
        .init("Rate"), .init("Interval"), .init("Design effect"),
      ], rows)
    return """
      <details>
      <summary>The counts and rates behind it</summary>
      \(table)
      </details>
      """
  }

  private func cells(_ arm: Comparison.Arm) -> [HTML] {
    [
      "\(Format.count(arm.counts.trials))", "\(Format.count(arm.devices))",
      arm.events.map { "\(Format.count($0))" } ?? "–", HTML.rate(arm.rate), HTML.rates(arm.interval),
      designEffect(arm.isMeasured ? arm.designEffect : nil),
    ]
  }

  private func designEffect(_ value: Double?) -> HTML {
    value.map { "\(Format.decimal($0, digits: 2))" } ?? "–"
  }

  private func figure(_ uplift: Double?) -> HTML { uplift.map { "\(Format.signedPercent($0))" } ?? "–" }

  private func range(_ interval: ConfidenceInterval?) -> HTML {
    interval.map { "\(rates.range($0))" } ?? "–"
  }

  private func points(_ difference: Double?) -> HTML {
    difference.map { "\(Format.signed($0 * 100, digits: 2))" } ?? "–"
  }

  private func pointRange(_ interval: ConfidenceInterval?) -> HTML {
    interval.map {
      "\(Format.signed($0.lower * 100, digits: 2)) to \(Format.signed($0.upper * 100, digits: 2))"
    } ?? "–"
  }

  private func p(_ value: Double?) -> HTML { value.map { "\(Format.pValue($0))" } ?? "–" }
}

extension HTML {
  static func rate(_ rate: Double?) -> HTML { rate.map { "\(Format.percent($0, digits: 2))" } ?? "–" }

  static func rates(_ interval: ConfidenceInterval?) -> HTML {
    interval.map {
      "\(Format.percent($0.lower, digits: 2)) to \(Format.percent($0.upper, digits: 2))"
    } ?? "–"
  }

  static func count(_ count: Double) -> HTML { "\(Format.count(count))" }
  static func count(_ count: Int) -> HTML { "\(Format.count(count))" }
}
