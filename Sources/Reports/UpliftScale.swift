/// Where uplifts lie in a picture: by the logarithm of the ratio, so that twice as many is as far from none as half.
struct UpliftScale: Sendable {
  /// Ratios of rates at the edges.
  private let lowest: Double
  private let highest: Double

  /// The plot's edges, as shares of the picture's width.
  private static let margin = 0.02
  /// Limits beyond these are drawn as arrows: a category with next to no data must not press the others together.
  private static let reach = 0.1...10.0

  /// - Parameter uplifts: what should be in the picture where that is reasonable; what is not finite plays no part.
  init(holding uplifts: some Sequence<Double>) {
    let ratios = uplifts.filter(\.isFinite).map {
      min(max($0 + 1, Self.reach.lowerBound), Self.reach.upperBound)
    }
    lowest = min(0.85, ratios.min() ?? 1) / 1.04
    highest = max(1.5, ratios.max() ?? 1) * 1.04
  }

  /// A share of the picture's width, kept inside the plot.
  func place(_ uplift: Double) -> Double {
    guard uplift > lowest - 1 else { return Self.margin }
    guard uplift < highest - 1 else { return 1 - Self.margin }
    let span = Logarithm.natural(highest / lowest)
    return Self.margin + (1 - 2 * Self.margin) * Logarithm.natural((uplift + 1) / lowest) / span
  }

  func isBelow(_ uplift: Double) -> Bool { uplift < lowest - 1 }
  func isAbove(_ uplift: Double) -> Bool { uplift > highest - 1 }

  /// Marks from fine to coarse, in percent. The first that leave each other room are taken.
  private static let marks: [[Int]] = [
    stride(from: -90, through: 200, by: 10).map { $0 }, stride(from: -80, through: 400, by: 20).map { $0 },
    [-75, -50, -25, 0, 25, 50, 75, 100, 150, 200, 300, 500], [-90, -75, -50, -25, 0, 50, 100, 200, 400, 800],
    [-90, -75, -50, 0, 100, 300, 800], [-90, 0, 800],
  ]

  /// The width of a mark's label on a phone, as a share of the picture's.
  private static let labelWidth = 0.15

  /// Where a mark's label has its middle: inside the picture.
  func labelPlace(_ uplift: Double) -> Double {
    min(max(place(uplift), Self.labelWidth / 2), 1 - Self.labelWidth / 2)
  }

  var ticks: [(uplift: Double, label: String)] {
    for marks in Self.marks {
      let inside = marks.map { Double($0) / 100 }.filter { !isBelow($0) && !isAbove($0) }
      let places = inside.map(labelPlace)
      guard zip(places, places.dropFirst()).allSatisfy({ $1 - $0 >= Self.labelWidth }) else { continue }
      return inside.map { ($0, $0 == 0 ? "0" : Format.signedPercent($0, digits: 0)) }
    }
    return [(0, "0")]
  }
}
