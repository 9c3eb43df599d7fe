internal import EngagementEvents
internal import EventStore
internal import Projections
internal import Statistics

/// The parts of a report that have commands of their own, for a terminal.
extension EngagementReport {
  /// The rates day by day, ended by a line break.
  ///
  /// - Parameter width: of the terminal; nil where there is none.
  package func trendTable(fitting width: Int? = nil) -> String {
    let hasUnits = trend.points.contains { $0.rates.rich.counts.trials + $0.rates.text.counts.trials > 0 }
    if let obstacle = trendObstacle ?? (hasUnits ? nil : "Nothing counts in this period.") {
      return ([frameLine, "", obstacle] + young).joined(separator: "\n") + "\n"
    }
    var table = Self.armTable([trend.step == 1 ? "day" : "from"], "delivered", "events")
    for point in trend.points { table.append([point.firstDay.text] + Self.armCells(point.rates)) }
    let all = trend.points.flatMap { [$0.rates.rich.rate, $0.rates.text.rate] }.compactMap { $0 }
    let top = all.max() ?? 0
    let lines = [
      ("rich", trend.points.map(\.rates.rich.rate)), ("text", trend.points.map(\.rates.text.rate)),
    ]
    .map { "\($0.0)  \(Sparkline.text($0.1, upTo: top))" }
    let scale = "0 to \(Format.percent(top, digits: 2)), all categories added up"
    return ([frameLine, ""] + table.lines(fitting: width) + [""] + lines + [scale] + trendRemarks + young)
      .joined(separator: "\n") + "\n"
  }

  /// Why there are no rates of all categories over time; nil where there are.
  var trendObstacle: String? {
    rates.categories.isEmpty || rates.crude.rich.isMeasured ? nil : words(rates.crude.verdict)
  }

  /// What is to be known of the sums over all categories: why their arms cannot be compared, and which they leave out.
  package var trendRemarks: [String] {
    var remarks: [String] = []
    if !rates.crude.isComparable, !rates.categories.isEmpty { remarks.append(words(rates.crude.verdict)) }
    let omitted = rates.omitted.sorted().map(\.string)
    if !omitted.isEmpty {
      remarks.append("Left out of the sums, as their arms cannot be compared: \(Format.list(omitted)).")
    }
    return remarks
  }

  private func words(_ verdict: Verdict) -> String {
    let words = verdict.words.prefix(1).uppercased() + verdict.words.dropFirst()
    return words + (verdict.reason.map { ": \($0)" } ?? "") + "."
  }

  /// How often each action was taken where it was offered, ended by a line break.
  package func actionTable(fitting width: Int? = nil) -> String {
    guard !actions.isEmpty else {
      let counted = rates.result.total.rich.units + rates.result.total.text.units
      let none =
        counted > 0 ? "No category offered a button, and none was used." : "Nothing counts in this period."
      return ([frameLine, "", none] + young).joined(separator: "\n") + "\n"
    }
    var table = Self.armTable(["category", "action"], "offered", "taken", "unoffered")
    for action in actions {
      table.append(
        [action.categoryName, action.action] + Self.armCells(action.rates)
          + [Format.count(action.takenUnoffered)])
    }
    let note = "unoffered: taken though nobody reported the button as offered; in no rate."
    return ([frameLine, ""] + table.lines(fitting: width) + ["", note] + young).joined(separator: "\n")
      + "\n"
  }

  /// What is too young to be counted, set off from what precedes it.
  private var young: [String] { rates.immatureSentence.map { ["", $0] } ?? [] }

  /// What was counted.
  var frameLine: String {
    "\(TextTable.visible(query.app.name)): \(query.metric.id), rich as \(query.armRule.rawValue), within "
      + "\(Format.window(query.windowSeconds)) of the delivery; \(rates.deliveries) (\(query.zone)), "
      + "position \(rates.result.checkpoint.position)"
  }

  private static func armTable(_ names: [String], _ of: String, _ events: String, _ more: String...)
    -> TextTable
  {
    TextTable(
      names.map { ($0, .left) }
        + ["rich", "text"].flatMap { arm -> [(title: String, alignment: TextTable.Alignment)] in
          [("\(arm) \(of)", .right), (events, .right), ("rate", .right), ("interval", .left)]
        } + more.map { ($0, .right) })
  }

  private static func armCells(_ rates: ArmRates) -> [String] {
    [rates.rich, rates.text].flatMap { arm in
      [
        Format.count(arm.counts.trials), Format.count(arm.counts.successes),
        arm.rate.map { Format.percent($0, digits: 2) } ?? "–",
        arm.interval.map {
          "\(Format.percent($0.lower, digits: 2)) to \(Format.percent($0.upper, digits: 2))"
        } ?? "–",
      ]
    }
  }
}
