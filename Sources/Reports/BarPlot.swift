internal import Statistics

/// Bars from a common start, in named groups, with intervals where they have one.
struct BarPlot: Sendable {
  struct Bar: Sendable {
    /// `rich`, `text` or `none`.
    let style: String
    /// At the bar's end.
    let label: String
    let value: Double
    var interval: ConfidenceInterval?
  }

  struct Group: Sendable {
    let name: String
    let bars: [Bar]
    /// Groups of one measure have one scale.
    var measure = 0
  }

  /// Pixels.
  private static let barHeight = 16.0
  private static let barDistance = 21.0
  private static let nameHeight = 22.0
  private static let gap = 12.0
  /// The share of the width that the longest bar takes; the rest is for its label.
  private static let reach = 0.78

  let groups: [Group]
  var hasLegend = true

  func picture(_ id: String, title: String, description: String) -> Picture {
    let head = hasLegend ? 26.0 : 0
    let heights = groups.map { Self.nameHeight + Double($0.bars.count) * Self.barDistance + Self.gap }
    var picture = Picture(
      id, title: title, description: description, height: Int(head + heights.reduce(0, +)))
    if hasLegend { picture.legend() }
    var top = head
    for (group, height) in zip(groups, heights) {
      draw(group, in: &picture, at: top)
      top += height
    }
    return picture
  }

  private func draw(_ group: Group, in picture: inout Picture, at top: Double) {
    let longest =
      groups.filter { $0.measure == group.measure }.flatMap(\.bars)
      .map { max($0.value, $0.interval?.upper ?? 0) }.max() ?? 0
    func place(_ value: Double) -> Double { longest > 0 ? value / longest * Self.reach : 0 }
    picture.clippedText(group.name, top + 15, width: 1)
    for (number, bar) in group.bars.enumerated() {
      let y = top + Self.nameHeight + Double(number) * Self.barDistance
      picture.rectangle(0, y, place(bar.value), Self.barHeight, "\(bar.style) bar")
      if let interval = bar.interval {
        let middle = y + Self.barHeight / 2
        picture.line(place(interval.lower), middle, place(interval.upper), middle, "whisker")
      }
      let end = max(place(bar.value), bar.interval.map { place($0.upper) } ?? 0)
      picture.text(bar.label, end + 0.012, y + 12.5, .start, "figure")
    }
  }
}

extension Picture {
  /// Which colour is which arm.
  mutating func legend() {
    add(
      """
      <rect x="0" y="1" width="12" height="12" class="rich bar"/><text x="18" y="12" class="axis">rich</text>
      <rect x="62" y="1" width="12" height="12" class="text bar"/><text x="80" y="12" class="axis">text-only</text>
      """)
  }
}
