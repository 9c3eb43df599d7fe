/// Which devices are looked at to count them: all, or those of some buckets.
///
/// Distinct devices do not add up over days, so that they have to be counted unit by unit. Where there are too many units
/// for that, those of a few buckets stand for all: a bucket has each 128th device, whatever it does.
package struct DeviceSample: Sendable, Hashable {
  /// Buckets that are counted, 1 to 128.
  package let buckets: Int

  /// Every device.
  package static let everyDevice = DeviceSample(buckets: RateRow.bucketCount)

  /// Up to so many units, every device is counted.
  static let exactUnits = 500_000
  /// The buckets that the index `unit_outcome_sample` has, from 0.
  static let indexedBuckets = 8
  /// About so many units are looked at in a sample.
  private static let sampledUnits = 50_000

  init(buckets: Int) { self.buckets = buckets }

  /// - Parameter units: that the report counts.
  init(units: Int) {
    guard units > Self.exactUnits else {
      self = .everyDevice
      return
    }
    buckets = min(max(RateRow.bucketCount * Self.sampledUnits / units, 1), Self.indexedBuckets)
  }

  package var isEveryDevice: Bool { self == .everyDevice }

  /// The share of devices that were counted, above 0, at most 1.
  package var share: Double { Double(buckets) / Double(RateRow.bucketCount) }

  /// How many devices there are if so many were counted.
  func estimate(_ counted: Int) -> Int { counted * RateRow.bucketCount / buckets }

  /// How many of them were counted. Exact.
  package func counted(_ devices: Int) -> Int { devices * buckets / RateRow.bucketCount }
}
