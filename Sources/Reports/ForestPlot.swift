internal import Projections
internal import Statistics

/// The uplift of each category with its intervals, one below the other, and that of all together.
struct ForestPlot: Sendable {
  /// Pixels.
  private static let rowHeight = 46.0
  private static let head = 34.0
  private static let foot = 26.0
  /// A share of the width; the rest of the line is for the figures, also on a phone.
  private static let nameWidth = 0.45

  private static let arrowRoot = 0.011

  private let report: RateReport
  private let scale: UpliftScale

  init(_ report: RateReport) {
    self.report = report
    // What nothing bounds, or next to nothing is known of, would press the others together.
    let intervals = report.categories.filter { $0.verdict.reason == nil }.flatMap { comparison in
      [comparison.upliftInterval, comparison.alwaysValidUplift].compactMap { $0 }
    }.filter(\.upper.isFinite)
    scale = UpliftScale(
      holding: (intervals + [report.pooled.upliftInterval].compactMap { $0 }).flatMap {
        [$0.lower, $0.upper]
      })
  }

  var picture: Picture {
    let rows = Double(report.categories.count + 1) * Self.rowHeight
    var picture = Picture(
      "forest", title: "Uplift of rich over text-only notifications, by category", description: description,
      height: Int(Self.head + rows + Self.foot))
    drawScale(in: &picture, to: Self.head + rows)
    for (place, comparison) in report.categories.enumerated() {
      draw(comparison, in: &picture, at: Self.head + Double(place) * Self.rowHeight)
    }
    drawPooled(in: &picture, at: Self.head + rows - Self.rowHeight)
    return picture
  }

  private var description: String {
    let lines = report.categories.map { "\($0.scope.name): \(report.sentence($0))" }
    return (lines + ["All together: \(report.pooledSentence)"]).joined(separator: ". ") + "."
  }

  private func drawScale(in picture: inout Picture, to bottom: Double) {
    if report.result.query.metric == .interaction {
      let (from, to) = (scale.place(Claim.range.lowerBound), scale.place(Claim.range.upperBound))
      picture.rectangle(from, Self.head - 2, to, bottom - Self.head + 2, "claim bar")
      // Beside the band where that is at the edge.
      let isFarRight = (from + to) / 2 > 0.8
      picture.text("30–40 % claimed", isFarRight ? to : (from + to) / 2, 29, isFarRight ? .end : .middle)
    }
    for tick in scale.ticks {
      let place = scale.place(tick.uplift)
      picture.line(place, Self.head, place, bottom, tick.uplift == 0 ? "zero" : "grid")
      picture.text(tick.label, scale.labelPlace(tick.uplift), bottom + 18, .middle)
    }
    picture.text("← text-only gets more", 0, 12)
    picture.text("rich gets more →", 1, 12, .end)
  }

  private func draw(_ comparison: Comparison, in picture: inout Picture, at top: Double) {
    picture.clippedText(comparison.scope.name, top + 17, width: Self.nameWidth)
    let style = comparison.verdict.colour
    let middle = top + 32
    guard comparison.isComparable, let interval = comparison.upliftInterval else {
      picture.text(comparison.verdict.words, 1, top + 17, .end, "faint")
      return
    }
    if let always = comparison.alwaysValidUplift { draw(always, in: &picture, at: middle, "thin \(style)") }
    draw(
      interval, in: &picture, at: middle,
      comparison.verdict.reason == nil ? "thick \(style)" : "thin \(style)")
    guard comparison.verdict.reason == nil else {
      picture.text(comparison.verdict.words, 1, top + 17, .end, "faint")
      return
    }
    if let uplift = comparison.uplift {
      if !scale.isBelow(uplift), !scale.isAbove(uplift) {
        picture.dot(scale.place(uplift), middle, radius: 6, style)
      }
      picture.text(figure(uplift, interval), 1, top + 17, .end, "figure")
    } else {
      picture.text("\(UpliftWords.range(interval))", 1, top + 17, .end, "figure")
    }
  }

  private func draw(_ interval: ConfidenceInterval, in picture: inout Picture, at y: Double, _ style: String)
  {
    let (isBelow, isAbove) = (scale.isBelow(interval.lower), scale.isAbove(interval.upper))
    // A line that goes on beyond the edge ends under the head of its arrow.
    let from = isBelow ? Self.arrowRoot : scale.place(interval.lower)
    let to = isAbove ? 1 - Self.arrowRoot : scale.place(interval.upper)
    picture.line(min(from, to), y, max(from, to), y, style)
    if isBelow { picture.arrow(0, y, pointsLeft: true, style.colourOnly) }
    if isAbove { picture.arrow(1, y, pointsLeft: false, style.colourOnly) }
  }

  private func drawPooled(in picture: inout Picture, at top: Double) {
    picture.line(0, top + 1, 1, top + 1, "grid")
    picture.clippedText("All together", top + 19, width: Self.nameWidth)
    guard let uplift = report.pooled.uplift, let interval = report.pooled.upliftInterval,
      report.pooled.verdict.reason == nil
    else {
      picture.text(report.pooled.verdict.words, 1, top + 19, .end, "faint")
      return
    }
    picture.diamond(
      scale.place(interval.lower), scale.place(uplift), scale.place(interval.upper), top + 34,
      report.pooled.verdict.colour)
    picture.text(figure(uplift, interval), 1, top + 19, .end, "figure strong")
  }

  private func figure(_ uplift: Double, _ interval: ConfidenceInterval) -> String {
    "\(Format.signedPercent(uplift)) (\(UpliftWords.range(interval)))"
  }
}

extension Verdict {
  /// The class of shapes that show it.
  fileprivate var colour: String {
    switch self {
    case .richIsHigher: "rich"
    case .textIsHigher: "text"
    default: "none"
    }
  }
}

extension String {
  fileprivate var colourOnly: String { split(separator: " ").last.map(String.init) ?? self }
}
