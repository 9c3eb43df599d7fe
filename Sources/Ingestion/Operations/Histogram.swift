/// How often values fell below each of some bounds.
struct Histogram: Sendable {
  /// Ascending; a last bucket without a bound is implied.
  let bounds: [Double]
  /// One more than the bounds, each of its own bucket alone.
  private(set) var counts: [Int]
  private(set) var sum = 0.0

  init(_ bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  mutating func observe(_ value: Double) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }

  /// Seconds that something takes, a millisecond to ten seconds.
  static let seconds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

  /// How many of something there are, one to five thousand.
  static let sizes: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]
}
