internal import EngagementEvents
internal import EventStore
internal import Postgres
internal import Projections
internal import Statistics

extension RateReport {
  /// The report for a terminal, ended by a line break.
  package var table: String {
    var lines = heading
    guard !categories.isEmpty else {
      lines.append("Nothing was delivered or interacted with in this period.")
      return lines.joined(separator: "\n") + "\n"
    }
    var table = TextTable([
      ("category", .left), ("arm", .left), ("delivered", .right), ("devices", .right), (eventTitle, .right),
      ("rate", .right), (intervalTitle, .left),
    ])
    for comparison in categories + [total] {
      table.append([comparison.scope.name, "rich"] + cells(comparison.rich))
      table.append(["", "text"] + cells(comparison.text))
    }
    // Each comparison's verdict stands under its two arms.
    var rows = table.lines[...]
    lines.append(rows.removeFirst())
    for comparison in categories + [total] {
      lines += rows.prefix(2)
      rows = rows.dropFirst(2)
      lines.append("  → " + sentence(comparison))
      lines += remarks(comparison).map { "    " + $0 }
    }
    lines += ["", footnote]
    return lines.joined(separator: "\n") + "\n"
  }

  private var heading: [String] {
    let query = result.query
    let first = query.firstDay.map { "from \($0.text) " } ?? ""
    let last = query.lastDay.map { "to \($0.text) " } ?? ""
    let period = first.isEmpty && last.isEmpty ? "of all days " : first + last
    let watermark = result.checkpoint.watermark.map { Timestamp($0).rfc3339 } ?? "nothing read yet"
    return [
      "\(TextTable.visible(query.app.name)): \(query.metric.id) (definition \(Metric.definitionVersion)), "
        + "rich as \(query.armRule.rawValue), within \(Format.window(query.windowSeconds)) of the delivery",
      "Deliveries \(period)(\(query.zone)); read to position \(result.checkpoint.position), watermark \(watermark)",
      "",
    ]
  }

  private var eventTitle: String {
    switch result.query.metric {
    case .interaction: "interacted"
    case .expansion: "expanded"
    case .open: "opened"
    case .action, .customAction: "acted"
    case .reply: "replied"
    case .dismissal: "dismissed"
    case .fallback: "fell back"
    }
  }

  private var intervalTitle: String { "\(Format.decimal(confidence * 100, digits: 0)) % interval" }

  private func cells(_ arm: Comparison.Arm) -> [String] {
    let interval = arm.interval.map {
      "\(Format.percent($0.lower, digits: 2)) to \(Format.percent($0.upper, digits: 2))"
    }
    return [
      Format.count(arm.counts.trials), Format.count(arm.facts.devices), Format.count(arm.counts.successes),
      arm.rate.map { Format.percent($0, digits: 2) } ?? "–", interval ?? "–",
    ]
  }

  /// The verdict with the figures that carry it.
  private func sentence(_ comparison: Comparison) -> String {
    let verdict = comparison.verdict
    let words = verdict.reason.map { "\(verdict.words): \($0)" } ?? verdict.words
    guard comparison.isComparable, let uplift = comparison.upliftInterval,
      let difference = comparison.difference,
      let interval = comparison.differenceInterval, let p = comparison.pValue
    else { return words }
    let figure = comparison.uplift.map { Format.signedPercent($0) } ?? "undefined"
    return "\(words); uplift \(figure) (\(range(uplift))), "
      + "\(Format.signed(difference * 100, digits: 2)) points "
      + "(\(Format.signed(interval.lower * 100, digits: 2)) to \(Format.signed(interval.upper * 100, digits: 2))), "
      + Format.pValue(p)
  }

  private func range(_ interval: ConfidenceInterval) -> String {
    let upper = interval.upper.isFinite ? Format.signedPercent(interval.upper) : "no upper limit"
    return "\(Format.signedPercent(interval.lower)) to \(upper)"
  }

  /// What was left out, and what should be known beside the figures.
  private func remarks(_ comparison: Comparison) -> [String] {
    var remarks: [String] = []
    let immature = comparison.rich.facts.immature + comparison.text.facts.immature
    if immature > 0 {
      remarks.append("\(Format.count(immature)) delivered too recently to count: their window is still open")
    }
    if comparison.orphans > 0 {
      remarks.append(
        "\(Format.count(comparison.orphans)) interacted with, but never reported as delivered: not counted")
    }
    if comparison.implausible > 0 {
      remarks.append("\(Format.count(comparison.implausible)) events with a time that cannot be: not counted")
    }
    let intended = comparison.rich.facts.intendedRich + comparison.text.facts.intendedRich
    let fellBack = comparison.rich.facts.fellBack + comparison.text.facts.fellBack
    if fellBack > 0 {
      remarks.append(
        "\(Format.percent(Double(fellBack) / Double(intended))) of those meant to be rich were shown as text")
    }
    return remarks
  }

  private var footnote: String {
    "Rates: Wilson. Difference and uplift: Miettinen–Nurminen. p: N−1 chi-square. The row (all) adds the categories up."
  }
}
