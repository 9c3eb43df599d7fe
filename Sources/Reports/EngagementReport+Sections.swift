internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import Postgres
internal import Projections
internal import Statistics

/// What stands below the comparison, each section a picture and the same as a table.
extension EngagementReport {
  var trendFigure: HTML {
    if let obstacle = trendObstacle { return HTML.empty(obstacle) }
    guard trend.points.contains(where: { $0.rates.rich.rate != nil || $0.rates.text.rate != nil }) else {
      return HTML.empty("No notification of this period counts yet.")
    }
    let rows = trend.points.map { point in
      ["\(point.firstDay.text)"] + Self.armCells(point.rates)
    }
    return HTML.figure(
      TimeSeriesPlot(trend).picture(title: "Rates of rich and text-only notifications over time"),
      caption: "Bands and vertical lines: \(Format.confidence(rates.confidence)) intervals.",
      table: HTML.table(
        [.init(trend.step == 1 ? "Day" : "From")] + Self.armColumns("Delivered", "Events"), rows))
  }

  var funnelFigure: HTML {
    guard let delivered = funnel.first?.rates, delivered.rich.counts.trials + delivered.text.counts.trials > 0
    else { return HTML.empty("No notification of this period counts yet.") }
    let drawn: [FunnelStep.Kind] = [.delivered, .expanded, .opened, .acted]
    let groups = funnel.filter { drawn.contains($0.kind) }.map { step in
      BarPlot.Group(
        name: step.kind == .delivered ? "Delivered" : "… of these " + step.kind.words,
        bars: step.kind == .delivered ? Self.countBars(step.rates) : Self.rateBars(step.rates),
        measure: step.kind == .delivered ? 0 : 1)
    }
    let rows = funnel.map { step in ["\(step.kind.words)"] + Self.armCells(step.rates) }
    return HTML.figure(
      BarPlot(groups: groups).picture(
        "funnel", title: "From delivery to action, rich and text-only",
        description: funnel.map { "\($0.kind.words): \(Self.words($0.rates))" }.joined(separator: ". ") + "."),
      caption:
        "Shares are of those delivered, on a scale of their own. Lines: \(Format.confidence(rates.confidence)) intervals.\(expansionNote)",
      table: HTML.table([.init("Step", .words)] + Self.armColumns("Delivered", "Took it"), rows))
  }

  /// Which categories expansions are no share of.
  private var expansionNote: String {
    let shown = Set(rates.categories.map(\.scope))
    let names = categoriesWithoutExpansion.filter { shown.contains(.category($0)) }
    guard !names.isEmpty else { return "" }
    let reason = "where no content extension is registered or none was ever reported"
    return " Expansions are not measurable, and left out, \(reason): \(Format.list(names))."
  }

  /// So many have a bar; all are in the table.
  private static let drawnActions = 12

  /// What stands in a section that was not read.
  private static let notRead = HTML.empty("Not read here, since it takes a look at each single notification.")

  /// What stands in a section of which other systems do not tell; nil where all do.
  private func whyNotTold(_ limit: SourceLimit) -> String? {
    rates.result.total.limits.names(of: limit).map { "Records of \($0) do not tell \(limit.words)." }
  }

  var actionFigure: HTML {
    guard parts.contains(.actions) else { return Self.notRead }
    guard !actions.isEmpty else {
      return HTML.empty(whyNotTold(.action) ?? "No category offered a button, and none was used.")
    }
    let drawn = actions.filter { $0.offered > 0 }.sorted { $0.offered > $1.offered }.prefix(Self.drawnActions)
    let groups = drawn.map { action in
      BarPlot.Group(name: "\(action.categoryName) · \(action.action)", bars: Self.rateBars(action.rates))
    }
    let rows = actions.map { action in
      [.name(action.categoryName), .name(action.action, title: action.title)] + Self.armCells(action.rates)
        + [HTML.count(action.takenUnoffered)]
    }
    let table = HTML.table(
      [.init("Category", .name), .init("Action", .name)] + Self.armColumns("Offered", "Taken")
        + [.init("Taken, never offered")], rows)
    guard !groups.isEmpty else { return table }
    let description = drawn.map { "\($0.categoryName), \($0.action): \(Self.words($0.rates))" }
    return HTML.figure(
      BarPlot(groups: groups).picture(
        "actions", title: "Actions taken of those offered, rich and text-only",
        description: description.joined(separator: ". ") + "."),
      caption: actions.count > drawn.count
        ? "The \(drawn.count) offered most often; all \(actions.count) are in the table."
        : "All categories and their buttons.",
      table: table)
  }

  var fallbackFigure: HTML {
    let facts = rates.result.facts.values.filter { !$0.limits.contains(.display) }
    let intended = facts.reduce(0) { $0 + $1.rich.intendedRich + $1.text.intendedRich }
    guard intended > 0 else {
      return HTML.empty(whyNotTold(.display) ?? "No notification that counts was meant to be rich.")
    }
    guard parts.contains(.fallbacks) else {
      let fellBack = facts.reduce(0) { $0 + $1.rich.fellBack + $1.text.fellBack }
      let share = Format.percent(Double(fellBack) / Double(intended), digits: 2)
      return """
        <p>\(Format.count(fellBack)) of \(Format.count(intended)), \(share).</p>
        \(Self.notRead)
        """
    }
    guard !fallbacks.isEmpty else {
      return HTML.empty("None: all that were meant to be rich were shown so.")
    }
    let names = FallbackReason.allCases.map(Optional.some) + [nil]
    let counts = names.map { reason in
      (reason: reason, units: fallbacks.filter { $0.reason == reason }.reduce(0) { $0 + $1.units })
    }.filter { $0.units > 0 }
    func share(_ units: Int) -> String { Format.percent(Double(units) / Double(intended), digits: 2) }
    let groups = counts.map { count in
      BarPlot.Group(
        name: count.reason.words,
        bars: [BarPlot.Bar(style: "none", label: share(count.units), value: Double(count.units))])
    }
    let rows = fallbacks.map { count in
      [
        .name(Comparison.Scope.category(count.category).name), "\(count.reason.words)",
        HTML.count(count.units),
      ]
    }
    return HTML.figure(
      BarPlot(groups: groups, hasLegend: false).picture(
        "fallbacks", title: "Why rich notifications were shown as text",
        description: counts.map { "\($0.reason.words): \(Format.count($0.units))" }.joined(separator: ". ")
          + "."),
      caption:
        "Shares are of the \(Format.count(intended)) notifications meant to be rich whose window has closed.",
      table: HTML.table([.init("Category", .name), .init("Reason", .words), .init("Notifications")], rows))
  }

  var leftOut: HTML {
    let total = rates.result.total
    var parts: [HTML] = []
    let rows = rates.categories.map { ($0.scope.name, $0.facts) }.filter { $0.1.leftOut > 0 }
    if rows.isEmpty {
      parts.append(HTML.empty("Nothing of what arrived in this period was left out of the figures."))
    } else {
      let cells =
        rows.map { [HTML.name($0.0)] + Self.leftOutCells($0.1) } + [["All"] + Self.leftOutCells(total)]
      parts.append(
        HTML.table(
          [
            .init("Category", .name), .init("Too recent"), .init("Never delivered"), .init("Impossible time"),
          ], cells))
      parts.append(
        """
        <p>Too recent: the window from the delivery is still open. Never delivered: interacted with, and no device reported \
        the delivery, so that nobody knows the arm. Impossible time: events over a day in the future or over 400 days old.</p>
        """)
    }
    if !rejected.isEmpty {
      let counts = rejected.sorted { $0.key < $1.key }
      parts.append("<p>Events refused as they came, on these days:</p>")
      parts.append(
        HTML.table(
          [.init("Reason", .words), .init("Events")], counts.map { ["\($0.key)", HTML.count($0.value)] }))
    }
    return HTML(parts, separator: "\n")
  }

  private static func leftOutCells(_ facts: CategoryFacts) -> [HTML] {
    [
      HTML.count(facts.rich.immature + facts.text.immature), HTML.count(facts.orphans),
      HTML.count(facts.implausible),
    ]
  }
}

/// Both arms side by side.
extension EngagementReport {
  private static func armColumns(_ of: String, _ events: String) -> [HTML.Column] {
    ["rich", "text-only"].flatMap { arm in
      [.init("\(of), \(arm)"), .init("\(events), \(arm)"), .init("Rate, \(arm)"), .init("Interval, \(arm)")]
    }
  }

  private static func armCells(_ rates: ArmRates) -> [HTML] {
    [rates.rich, rates.text].flatMap { arm in
      [
        HTML.count(arm.counts.trials), HTML.count(arm.counts.successes), HTML.rate(arm.rate),
        HTML.rates(arm.interval),
      ]
    }
  }

  private static func words(_ rates: ArmRates) -> String {
    func words(_ arm: ArmRates.Arm) -> String {
      let share = arm.rate.map { " (\(Format.percent($0, digits: 2)))" } ?? ""
      return "\(Format.count(arm.counts.successes)) of \(Format.count(arm.counts.trials))\(share)"
    }
    return "rich \(words(rates.rich)), text-only \(words(rates.text))"
  }

  private static func countBars(_ rates: ArmRates) -> [BarPlot.Bar] {
    [("rich", rates.rich), ("text", rates.text)].map { style, arm in
      BarPlot.Bar(style: style, label: Format.count(arm.counts.trials), value: arm.counts.trials)
    }
  }

  private static func rateBars(_ rates: ArmRates) -> [BarPlot.Bar] {
    [("rich", rates.rich), ("text", rates.text)].map { style, arm in
      BarPlot.Bar(
        style: style, label: arm.rate.map { Format.percent($0, digits: 2) } ?? "none", value: arm.rate ?? 0,
        interval: arm.interval)
    }
  }
}

extension ActionRates {
  /// "(none)" where there is no such name.
  var categoryName: String { Comparison.Scope.category(category).name }
}

extension CategoryFacts {
  fileprivate var leftOut: Int { rich.immature + text.immature + orphans + implausible }
}

extension FallbackReason? {
  /// For people.
  fileprivate var words: String {
    switch self {
    case .tooLarge?: "the media was too large"
    case .timedOut?: "the time ran out"
    case .downloadFailed?: "the download failed"
    case .unsupportedType?: "the type of the media is not supported"
    case .invalid?: "the media or its address was broken"
    case nil: "not told"
    }
  }
}
