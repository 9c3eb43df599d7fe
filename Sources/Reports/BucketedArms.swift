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

  /// The buckets with units of an arm.
  func filled(isRich: Bool) -> Int { (isRich ? richUnits : textUnits).count { $0 > 0 } }

  /// What counts are divided by, in an arm and in the difference; nil where the buckets cannot tell, since nothing varies, or
  /// since all units lie in one of them.
  struct DesignEffects {
    var rich: Double?
    var text: Double?
    var difference: Double?
  }

  /// By how much repeats on a device widen an interval. Never below 1: buckets that differ less than chance would have
  /// them do so by chance. Above that, by how much less is known of them where few buckets have any device.
  func designEffects(_ level: ConfidenceLevel) throws(StatisticsError) -> DesignEffects {
    func applied(_ measured: Double?, _ buckets: Int) throws(StatisticsError) -> Double? {
      guard let measured, let few = try FewClusters.inflation(buckets, of: Self.bucketCount, level)
      else { return nil }
      return max(1, measured) * few
    }
    let (rich, text) = (filled(isRich: true), filled(isRich: false))
    return DesignEffects(
      rich: try applied(
        ClusterTotals(successes: richSuccesses, trials: richUnits).ratio()?.designEffect, rich),
      text: try applied(
        ClusterTotals(successes: textSuccesses, trials: textUnits).ratio()?.designEffect, text),
      difference: try applied(clustered()?.designEffect, min(rich, text)))
  }
}
