internal import Projections

/// How soon people interact, and whether the arms are alike in other things than media.
extension EngagementReport {
  /// Empty where the details were not read.
  var armSections: HTML {
    guard let details = rates.result.details, !details.times.isEmpty else { return "" }
    return """
      <section>
      <h2>How soon people interact</h2>
      <p>From the delivery to the first interaction, of those notifications that had one within the window.</p>
      \(timeTable(details.times))
      </section>

      <section>
      <h2>Are the arms alike in other things?</h2>
      <p>The share of either arm that would have to be exchanged to make it up like the other. Where it is large, a difference \
      in rates may well come from this rather than from media.</p>
      \(balanceTable(details.breakdowns))
      </section>
      """
  }

  /// A warning that names what else the arms differ in; nil where they hardly do, or arms were drawn at random.
  var balanceWarning: String? {
    guard case .observational = rates.assignment, let details = rates.result.details else { return nil }
    // The answer compares each category within itself, whatever the arms' mix of them.
    let named = confounders(details.breakdowns.filter { $0.dimension != .category }).filter {
      $0.distance >= RateDetails.Breakdown.notableDistance
    }
    .map { "\($0.title) (\(Format.percent($0.distance, digits: 0)))" }
    guard !named.isEmpty else { return nil }
    return "The arms differ in other things than media: \(named.joined(separator: ", "))."
  }

  private func confounders(_ breakdowns: [RateDetails.Breakdown]) -> [(title: String, distance: Double)] {
    breakdowns.filter { $0.dimension.isConfounder && $0.isTold }.compactMap { breakdown in
      breakdown.distance.map { (breakdown.dimension.title, $0) }
    }
  }

  private func balanceTable(_ breakdowns: [RateDetails.Breakdown]) -> HTML {
    let rows = confounders(breakdowns).map { confounder -> [HTML] in
      let isNotable = confounder.distance >= RateDetails.Breakdown.notableDistance
      return [
        "\(confounder.title)", "\(Format.percent(confounder.distance))", isNotable ? "⚠ much" : "little",
      ]
    }
    return HTML.table([.init("By", .words), .init("To exchange"), .init("They differ", .words)], rows)
  }

  private func timeTable(_ times: [RateDetails.InteractionTimes]) -> HTML {
    let rows = times.flatMap { times -> [[HTML]] in
      let name: HTML = times.category.map { .name(Comparison.Scope.category($0).name) } ?? "All together"
      return [[name, "rich"] + cells(times.rich), [name, "text-only"] + cells(times.text)]
    }
    return HTML.table(
      [
        .init("Category", .name), .init("Arm", .words), .init("Interacted"), .init("A quarter within"),
        .init("Half within"), .init("Three quarters within"),
      ], rows)
  }

  private func cells(_ quartiles: RateDetails.Quartiles?) -> [HTML] {
    guard let quartiles else { return ["0", "–", "–", "–"] }
    return [HTML.count(quartiles.units)]
      + [quartiles.lower, quartiles.median, quartiles.upper].map { "\(Format.elapsed($0))" }
  }
}
