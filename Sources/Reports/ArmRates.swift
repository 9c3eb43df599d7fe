package import Projections
package import Statistics

/// A rate in each arm, with intervals that allow for repeats on a device.
package struct ArmRates: Sendable, Hashable {
  package struct Arm: Sendable, Hashable {
    package let counts: Proportion
    /// Wilson's interval on effective counts; nil without units, and where several may all be one device's.
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
    let effects = try buckets.designEffects(level)
    rich = try Arm(pair.rich, effects.rich, level, buckets: buckets.filled(isRich: true))
    text = try Arm(pair.text, effects.text, level, buckets: buckets.filled(isRich: false))
  }
}

extension ArmRates.Arm {
  fileprivate init(
    _ counts: Proportion, _ designEffect: Double?, _ level: ConfidenceLevel, buckets: Int
  ) throws(StatisticsError) {
    self.counts = counts
    interval =
      buckets < 2 && counts.trials > 1
      ? nil : try counts.effective(designEffect: designEffect ?? 1).wilsonInterval(level)
  }
}
