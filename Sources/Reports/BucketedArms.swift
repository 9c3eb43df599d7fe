internal import Projections
internal import Statistics

/// The cells of a comparison by bucket of devices, in both arms.
///
/// A bucket holds whole devices, so that buckets are independent of each other although a device's notifications are
/// not. That is what the variances are measured by.
struct BucketedArms: Sendable, Hashable {
  /// How many buckets devices are hashed into.
  static let bucketCount = 128

  private(set) var richUnits = [Double](repeating: 0, count: bucketCount)
  private(set) var richSuccesses = [Double](repeating: 0, count: bucketCount)
  private(set) var textUnits = [Double](repeating: 0, count: bucketCount)
  private(set) var textSuccesses = [Double](repeating: 0, count: bucketCount)

  init(_ cells: some Sequence<RateCell>) {
    for cell in cells {
      if cell.isRich {
        richUnits[cell.bucket] += Double(cell.units)
        richSuccesses[cell.bucket] += Double(cell.successes)
      } else {
        textUnits[cell.bucket] += Double(cell.units)
        textSuccesses[cell.bucket] += Double(cell.successes)
      }
    }
  }

  /// The totals over all buckets.
  func total() throws(StatisticsError) -> TwoProportions {
    TwoProportions(
      rich: try Proportion(successes: richSuccesses.reduce(0, +), trials: richUnits.reduce(0, +)),
      text: try Proportion(successes: textSuccesses.reduce(0, +), trials: textUnits.reduce(0, +)))
  }

  /// The arms of each bucket.
  func pairs() throws(StatisticsError) -> [TwoProportions] {
    var pairs: [TwoProportions] = []
    for bucket in 0..<Self.bucketCount {
      pairs.append(
        TwoProportions(
          rich: try Proportion(successes: richSuccesses[bucket], trials: richUnits[bucket]),
          text: try Proportion(successes: textSuccesses[bucket], trials: textUnits[bucket])))
    }
    return pairs
  }

  /// The rates with what the buckets say of their variance; nil where an arm is empty.
  func clustered() throws(StatisticsError) -> ClusteredComparison? {
    try ClusteredComparison(
      sharing: ClusterTotals(successes: richSuccesses, trials: richUnits),
      ClusterTotals(successes: textSuccesses, trials: textUnits))
  }

  /// By how much repeats on a device widen an interval. Never below 1: buckets that differ less than chance would have
  /// them do so by chance.
  static func applied(_ designEffect: Double?) -> Double { max(1, designEffect ?? 1) }
}
