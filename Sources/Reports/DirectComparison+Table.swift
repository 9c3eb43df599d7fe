internal import Statistics

extension DirectComparison {
  /// The comparison for a terminal, ended by a line break.
  package var table: String {
    var table = TextTable([
      ("", .left), ("estimate", .right), ("method", .left),
      ("\(Format.confidence(confidence)) interval", .left),
    ])
    append("rich rate", counts.rich.rate.map(rate) ?? "none", richIntervals, rate, to: &table)
    append("text-only rate", counts.text.rate.map(rate) ?? "none", textIntervals, rate, to: &table)
    append("difference, points", difference.map(points) ?? "none", differenceIntervals, points, to: &table)
    append(
      "uplift", uplift.map { Format.signedPercent($0) } ?? (counts.hasEmptyArm ? "none" : "undefined"),
      upliftIntervals, { Format.signedPercent($0) }, to: &table)
    for (place, test) in tests.enumerated() {
      table.append([
        place == 0 ? "no difference" : "", test.pValue.map(Format.pValue) ?? "none", test.method,
        test.reason ?? "",
      ])
    }
    return (heading + table.lines + [""] + conclusions).joined(separator: "\n") + "\n"
  }

  private var heading: [String] {
    [
      "Rich: \(Format.count(counts.rich.successes)) of \(Format.count(counts.rich.trials)). "
        + "Text-only: \(Format.count(counts.text.successes)) of \(Format.count(counts.text.trials)).", "",
    ]
  }

  private func append(
    _ title: String, _ estimate: String, _ intervals: [MethodInterval], _ limit: (Double) -> String,
    to table: inout TextTable
  ) {
    for (place, method) in intervals.enumerated() {
      table.append([
        place == 0 ? title : "", place == 0 ? estimate : "", method.method, text(method.interval, limit),
      ])
    }
  }

  private func text(_ interval: ConfidenceInterval?, _ limit: (Double) -> String) -> String {
    guard let interval else { return whyNone(nil, nil) ?? "" }
    let upper = interval.upper.isFinite ? limit(interval.upper) : "no upper limit"
    return "\(limit(interval.lower)) to \(upper)"
  }

  private func rate(_ value: Double) -> String { Format.percent(value, digits: 2) }

  private func points(_ value: Double) -> String { Format.signed(value * 100, digits: 2) }

  private var conclusions: [String] {
    let words = verdict.reason.map { "\(verdict.words): \($0)" } ?? verdict.words
    let independence =
      designEffect > 1
      ? "All of it on counts divided by \(Format.decimal(designEffect, digits: 2)), the design effect of repeats on a device."
      : "Notifications are taken as independent; where devices get several, say by how much that is wrong: --design-effect."
    return [
      "→ \(words); \(claim.sentence).", independence,
      "The first method of each is what reports use. Valid for one look, and for the arms as they came about: unless",
      "they were drawn at random, a difference may come from what made senders choose rich ones.",
    ]
  }
}

extension Format {
  /// `95 %`, `99.9 %`: a share with no more decimals than it has, up to four.
  package static func confidence(_ share: Double) -> String {
    var text = decimal(share * 100, digits: 4)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text + " %"
  }
}
