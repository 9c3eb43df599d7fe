package import Projections
package import Statistics

/// A rate in each arm, with intervals that allow for repeats on a device.
package struct ArmRates: Sendable, Hashable {
  package struct Arm: Sendable, Hashable {
    package let counts: Proportion
    /// Wilson's interval on effective counts; nil without units.
    package let interval: ConfidenceInterval?

    /// 0 to 1; nil without units.
    package var rate: Double? { counts.rate }
  }

  package let rich: Arm
  package let text: Arm

  func arm(isRich: Bool) -> Arm { isRich ? rich : text }

  /// Adds the cells up, whatever their category.
  package init(_ cells: some Sequence<RateCell>, level: ConfidenceLevel) throws(StatisticsError) {
    let buckets = BucketedArms(cells)
    let pair = try buckets.total()
    let clustered = try buckets.clustered()
    rich = try Arm(pair.rich, clustered?.rich.designEffect, level)
    text = try Arm(pair.text, clustered?.text.designEffect, level)
  }
}

extension ArmRates.Arm {
  fileprivate init(
    _ counts: Proportion, _ designEffect: Double?, _ level: ConfidenceLevel
  ) throws(StatisticsError) {
    self.counts = counts
    interval = try counts.effective(designEffect: BucketedArms.applied(designEffect)).wilsonInterval(level)
  }
}
