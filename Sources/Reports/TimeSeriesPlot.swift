internal import Postgres
internal import Projections
internal import Statistics

/// The rates of both arms over time, each with its interval as a band.
struct TimeSeriesPlot: Sendable {
  /// Pixels.
  private static let head = 38.0
  private static let plotHeight = 210.0
  private static let foot = 28.0
  /// Shares of the width: the axis has its labels left of the data.
  private static let left = 0.09
  private static let right = 0.985
  /// So many points have a dot each.
  private static let dottedPoints = 31

  private let points: [Trend.Point]
  private let scale: RateScale

  init(_ trend: Trend) {
    points = trend.points
    let arms = trend.points.flatMap { [$0.rates.rich, $0.rates.text] }
    scale = RateScale(rates: arms.compactMap(\.rate), limits: arms.compactMap { $0.interval?.upper })
  }

  func picture(title: String) -> Picture {
    var picture = Picture(
      "trend", title: title, description: description,
      height: Int(Self.head + Self.plotHeight + Self.foot))
    picture.legend()
    for tick in scale.ticks {
      let y = self.y(tick.rate)
      picture.line(0, y, 1, y, tick.rate == 0 ? "zero" : "grid")
      picture.text(tick.label, 0, y - 4)
    }
    drawCurves(in: &picture)
    drawDots(in: &picture)
    drawDays(in: &picture)
    return picture
  }

  private var description: String {
    guard let first = points.first, let last = points.last else { return "No day." }
    return "From \(first.firstDay.text) to \(last.lastDay.text): rich "
      + "\(Self.words(first.rates.rich)) at first and \(Self.words(last.rates.rich)) at last, text-only "
      + "\(Self.words(first.rates.text)) at first and \(Self.words(last.rates.text)) at last."
  }

  private static func words(_ arm: ArmRates.Arm) -> String {
    arm.rate.map { Format.percent($0, digits: 2) } ?? "without a delivery"
  }

  /// A share of the width.
  private func x(_ place: Int) -> Double {
    Self.left + (Self.right - Self.left) * (Double(place) + 0.5) / Double(points.count)
  }

  private func y(_ rate: Double) -> Double { Self.head + Self.plotHeight * (1 - rate / scale.top) }

  private static let arms = [(style: "text", isRich: false), (style: "rich", isRich: true)]

  /// Points in a row that have a rate.
  private func runs(isRich: Bool) -> [[Int]] {
    points.indices.reduce(into: []) { runs, place in
      guard points[place].rates.arm(isRich: isRich).rate != nil else { return }
      if let last = runs.last?.last, last == place - 1 {
        runs[runs.count - 1].append(place)
      } else {
        runs.append([place])
      }
    }
  }

  /// Bands and lines: paths have no shares of a width, so they lie in a picture of their own that is stretched.
  private func drawCurves(in picture: inout Picture) {
    var paths: HTML = ""
    for (style, isRich) in Self.arms {
      for run in runs(isRich: isRich) where run.count > 1 {
        let upper = run.map { point($0, points[$0].rates.arm(isRich: isRich).interval?.upper ?? 0) }
        let lower = run.reversed().map {
          point($0, points[$0].rates.arm(isRich: isRich).interval?.lower ?? 0)
        }
        let line = run.map { point($0, points[$0].rates.arm(isRich: isRich).rate ?? 0) }
        paths += """
          <path d="M\((upper + lower).joined(separator: "L"))Z" class="\(style) band"/>
          <path d="M\(line.joined(separator: "L"))" class="\(style) path" vector-effect="non-scaling-stroke"/>

          """
      }
    }
    let height = Format.decimal(Self.plotHeight, digits: 0)
    picture.add(
      """
      <svg x="0" y="\(Format.decimal(Self.head, digits: 0))" width="100%" height="\(height)" \
      viewBox="0 0 1000 \(height)" preserveAspectRatio="none">\(paths)</svg>
      """)
  }

  private func point(_ place: Int, _ rate: Double) -> String {
    "\(Format.decimal(x(place) * 1_000, digits: 1)) \(Format.decimal(y(rate) - Self.head, digits: 1))"
  }

  /// A point by itself has no band: its interval is a line, beside that of the other arm.
  private func drawDots(in picture: inout Picture) {
    for (style, isRich) in Self.arms {
      for run in runs(isRich: isRich) {
        let isAlone = run.count == 1
        for place in run where isAlone || points.count <= Self.dottedPoints {
          let found = points[place].rates.arm(isRich: isRich)
          guard let rate = found.rate else { continue }
          let share = x(place) + (isAlone ? style == "rich" ? -0.008 : 0.008 : 0)
          if isAlone, let interval = found.interval {
            picture.line(share, y(interval.lower), share, max(Self.head, y(interval.upper)), "thin \(style)")
          }
          picture.dot(share, y(rate), radius: isAlone ? 5 : 3, style)
        }
      }
    }
  }

  private func drawDays(in picture: inout Picture) {
    let bottom = Self.head + Self.plotHeight + 19
    guard points.count > 2, let first = points.first, let last = points.last else {
      for (place, point) in points.enumerated() {
        picture.text(point.firstDay.text, x(place), bottom, .middle)
      }
      return
    }
    picture.text(first.firstDay.text, Self.left, bottom)
    let middle = points.count / 2
    if points.count > 4 { picture.text(points[middle].firstDay.text, x(middle), bottom, .middle) }
    picture.text(last.lastDay.text, 1, bottom, .end)
  }
}
