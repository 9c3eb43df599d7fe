internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import Postgres
internal import Projections
internal import Statistics

extension RateReport {
  /// The report for a terminal, ended by a line break.
  package var table: String { table(fitting: nil) }

  /// The same with its rows no wider than a terminal, where that can be.
  package func table(fitting width: Int?) -> String {
    var lines = heading
    guard !categories.isEmpty else {
      lines.append(nothing)
      return lines.joined(separator: "\n") + "\n"
    }
    var rows = armRows(fitting: width)[...]
    lines.append(rows.removeFirst())
    for comparison in categories {
      lines += rows.prefix(2)
      rows = rows.dropFirst(2)
      lines.append("  → " + sentence(comparison))
      lines += remarks(comparison).map { "    " + $0 }
    }
    lines += [""] + pooledLines
    lines += rows.map { $0 }
    lines += detailLines + ["", assignment.sentence] + sourceLines + footnotes
    return lines.joined(separator: "\n") + "\n"
  }

  /// A header, and two rows a comparison, the crude one last. A title stands below its category.
  private func armRows(fitting width: Int?) -> [String] {
    var table = TextTable([
      ("category", .left), ("arm", .left), ("delivered", .right), ("devices", .right), (eventTitle, .right),
      ("rate", .right), ("\(Format.confidence(confidence)) interval", .left), ("deff", .right),
    ])
    for comparison in categories + [crude] {
      let name = comparison.scope == .crude ? "(all, crude)" : comparison.scope.name
      let isTold = !comparison.facts.limits.contains(.richness)
      table.append([name, "rich"] + (isTold ? cells(comparison.rich) : Array(repeating: "–", count: 6)))
      let title = comparison.facts.title.map { $0.count > 30 ? "“\($0.prefix(29))…”" : "“\($0)”" }
      table.append([title ?? "", isTold ? "text" : "unknown"] + cells(comparison.text))
    }
    return table.lines(fitting: width)
  }

  private var heading: [String] {
    let query = result.query
    let first = query.firstDay.map { "from \($0.text) " } ?? ""
    let last = query.lastDay.map { "to \($0.text) " } ?? ""
    let period = first.isEmpty && last.isEmpty ? "of all days " : first + last
    let watermark = result.checkpoint.watermark.map { Timestamp($0).rfc3339 } ?? "nothing read yet"
    return [
      headline,
      "\(TextTable.visible(query.app.name)): \(query.metric.id) (definition \(Metric.definitionVersion)), "
        + "rich as \(query.armRule.rawValue), within \(Format.window(query.windowSeconds)) of the delivery",
      "Deliveries \(period)(\(query.zone)); read to position \(result.checkpoint.position), watermark \(watermark)",
      "",
    ]
  }

  /// What is to be said where no category has anything.
  var nothing: String {
    switch result.query.metric {
    case .customAction, .fallback: "Nothing in this period can be counted by this metric."
    default: "Nothing was delivered or interacted with in this period."
    }
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

  private func cells(_ arm: Comparison.Arm) -> [String] {
    let interval = arm.interval.map {
      "\(Format.percent($0.lower, digits: 2)) to \(Format.percent($0.upper, digits: 2))"
    }
    return [
      Format.count(arm.counts.trials), Format.count(arm.devices), arm.events.map { Format.count($0) } ?? "–",
      arm.rate.map { Format.percent($0, digits: 2) } ?? "–", interval ?? "–",
      arm.isMeasured ? arm.designEffect.map { Format.decimal($0, digits: 2) } ?? "–" : "–",
    ]
  }
}
