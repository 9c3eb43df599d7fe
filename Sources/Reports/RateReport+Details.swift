internal import Projections
internal import Statistics

extension RateDetails.Breakdown {
  /// The total variation distance between the arms: half the sum of the differences of shares, 0 for arms that are made
  /// up alike to 1 for arms that have nothing in common. Nil where an arm is empty.
  package var distance: Double? {
    let rich = groups.reduce(0) { $0 + $1.rich.units }
    let text = groups.reduce(0) { $0 + $1.text.units }
    guard rich > 0, text > 0 else { return nil }
    return groups.reduce(0.0) { sum, group in
      sum + abs(Double(group.rich.units) / Double(rich) - Double(group.text.units) / Double(text))
    } / 2
  }

  /// From here on a difference in rates may well come from this.
  package static let notableDistance = 0.1

  /// Whether the events told anything.
  package var isTold: Bool { groups.contains { $0.value != nil } }
}

extension RateDetails.Dimension {
  /// In words.
  package var title: String {
    switch self {
    case .category: "category"
    case .intendedMedia: "media intended"
    case .shownMedia: "media shown"
    case .experiment: "experiment / arm"
    case .appVersion: "app version"
    case .source: "reported by"
    case .hour: "hour of delivery"
    case .interruptionLevel: "interruption level"
    }
  }
}

extension RateReport {
  /// What the arms are made up of, and how soon people interact; empty where it was not asked for.
  var detailLines: [String] {
    guard let details = result.details else { return [] }
    return breakdownLines(details.breakdowns) + timeLines(details.times)
  }

  /// Groups that are shown of a dimension; the largest, and the rest together.
  private static let shownGroups = 24

  private func breakdownLines(_ breakdowns: [RateDetails.Breakdown]) -> [String] {
    var table = TextTable([
      ("by", .left), ("", .left), ("rich", .right), ("share", .right), ("rate", .right), ("text", .right),
      ("share", .right), ("rate", .right),
    ])
    for breakdown in breakdowns where breakdown.isTold {
      let rich = breakdown.groups.reduce(0) { $0 + $1.rich.units }
      let text = breakdown.groups.reduce(0) { $0 + $1.text.units }
      for (number, group) in shown(breakdown.groups).enumerated() {
        let value = group.isRest ? "(others)" : group.value.map(Format.name) ?? "(not told)"
        table.append(
          [number == 0 ? breakdown.dimension.title : "", value] + cells(group.rich, of: rich)
            + cells(group.text, of: text))
      }
    }
    let distances = breakdowns.filter { $0.dimension.isConfounder && $0.isTold }.compactMap { breakdown in
      breakdown.distance.map { distance in
        "\(breakdown.dimension.title) \(Format.percent(distance))"
          + (distance >= RateDetails.Breakdown.notableDistance ? " ⚠" : "")
      }
    }
    let note =
      distances.isEmpty
      ? "One arm is empty, so that there is nothing to compare its make-up with."
      : "Share by which the arms' make-up differs: " + distances.joined(separator: ", ") + "."
    return ["", "What the arms are made up of:"] + table.lines + [note]
  }

  private func cells(_ count: RateDetails.ArmCount, of total: Int) -> [String] {
    let units = Double(count.units)
    return [
      Format.count(count.units), total > 0 ? Format.percent(units / Double(total)) : "–",
      count.units > 0 ? Format.percent(Double(count.successes) / units, digits: 2) : "–",
    ]
  }

  private func shown(_ groups: [RateDetails.Group]) -> [RateDetails.Group] {
    guard groups.count > Self.shownGroups else { return groups }
    func size(_ group: RateDetails.Group) -> Int { group.rich.units + group.text.units }
    let least = groups.map(size).sorted(by: >)[Self.shownGroups - 2]
    var kept: [RateDetails.Group] = []
    var rest = RateDetails.Group(value: nil)
    rest.isRest = true
    for group in groups {
      if size(group) >= least, kept.count < Self.shownGroups - 1 {
        kept.append(group)
      } else {
        rest.rich.units += group.rich.units
        rest.rich.successes += group.rich.successes
        rest.text.units += group.text.units
        rest.text.successes += group.text.successes
      }
    }
    return kept + [rest]
  }

  private func timeLines(_ times: [RateDetails.InteractionTimes]) -> [String] {
    guard !times.isEmpty else { return [] }
    var table = TextTable([
      ("category", .left), ("arm", .left), ("interacted", .right), ("a quarter within", .right),
      ("half", .right),
      ("three quarters", .right),
    ])
    for row in times {
      let name = row.category.map(Format.name) ?? "(all)"
      table.append([name, "rich"] + cells(row.rich))
      table.append(["", "text"] + cells(row.text))
    }
    return ["", "How soon after the delivery people first interact, of those who do:"] + table.lines
  }

  private func cells(_ quartiles: RateDetails.Quartiles?) -> [String] {
    guard let quartiles else { return ["0", "–", "–", "–"] }
    return [Format.count(quartiles.units)]
      + [quartiles.lower, quartiles.median, quartiles.upper].map(Format.elapsed)
  }
}
