internal import Simulation

/// One draw of the plan: what every unit is and does, a byte each.
struct SimulatedReplication: Sendable {
  /// For each unit, device by device: bit 0 rich, bit 1 the category, bit 2 interacted with.
  private(set) var flags: [UInt8] = []
  /// For each unit, the night by which it counts, from 0.
  private(set) var nights: [UInt8] = []
  /// Distinct devices with rich (text-only) units up to each night.
  private(set) var richDevices: [Int]
  private(set) var textDevices: [Int]

  /// A beta-binomial world: a device has a rate of its own for the cell with the highest mean, and that of any other
  /// cell is the same share of it as the means are. So every mean is exact, and a device that likes one likes all.
  init(_ plan: CoveragePlan, number: Int) {
    var generator = SeededGenerator(seed: plan.seed ^ UInt64(number + 1) &* 0xD1B5_4A32_D192_ED03)
    richDevices = Array(repeating: 0, count: plan.nights)
    textDevices = richDevices
    flags.reserveCapacity(plan.units)
    nights.reserveCapacity(plan.units)
    for _ in 0..<plan.devices {
      let ownRate = generator.beta(mean: plan.highestRate, correlation: plan.correlation)
      let ownArm = generator.chance(0.5)
      var firstNights: (rich: Int?, text: Int?)
      for _ in 0..<plan.perDevice {
        let isRich = plan.isOneArm ? ownArm : generator.chance(0.5)
        let category = generator.index(below: CoveragePlan.categories.count)
        let night = generator.index(below: plan.nights)
        let share = plan.rate(category, isRich: isRich) / plan.highestRate
        let isHit = generator.chance(ownRate * share)
        flags.append((isRich ? 1 : 0) | UInt8(category) << 1 | (isHit ? 4 : 0))
        nights.append(UInt8(night))
        if isRich {
          firstNights.rich = min(firstNights.rich ?? night, night)
        } else {
          firstNights.text = min(firstNights.text ?? night, night)
        }
      }
      if let night = firstNights.rich { richDevices[night] += 1 }
      if let night = firstNights.text { textDevices[night] += 1 }
    }
    for night in 1..<max(plan.nights, 1) {
      richDevices[night] += richDevices[night - 1]
      textDevices[night] += textDevices[night - 1]
    }
  }
}
