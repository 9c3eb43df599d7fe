/// The experiments that units name, and how many units of each are in either arm.
///
/// An experiment that sent only rich notifications, beside another that sent only text, compares two audiences: only one
/// with both arms drew lots between them. As the comparison does, each category counts for itself.
struct ExperimentArms: Sendable, Hashable {
  private struct Key: Sendable, Hashable {
    let category: String
    let experiment: String
  }

  private struct Units: Sendable, Hashable {
    var rich: Int
    var text: Int
    var sum: Int { rich + text }
    var isOneArmed: Bool { rich == 0 || text == 0 }
  }

  private var units: [Key: Units] = [:]

  /// Adds what one experiment has in one category.
  mutating func add(_ experiment: String, in category: String, rich: Int, text: Int) {
    units[Key(category: category, experiment: experiment)] = Units(rich: rich, text: text)
  }

  /// Those with one arm only; nil where all have both.
  ///
  /// - Parameter category: nil for all.
  func oneArmed(in category: String? = nil) -> OneArmedExperiments? {
    let all = units.filter { category == nil || $0.key.category == category }
    let oneArmed = all.filter(\.value.isOneArmed)
    let largest = oneArmed.max { left, right in
      (left.value.sum, right.key.experiment) < (right.value.sum, left.key.experiment)
    }
    guard let largest else { return nil }
    func sum(_ units: [Key: Units]) -> Double { Double(units.values.reduce(0) { $0 + $1.sum }) }
    return OneArmedExperiments(share: sum(oneArmed) / sum(all), largest: largest.key.experiment)
  }
}

/// Experiments whose units were all rich, or all text-only.
package struct OneArmedExperiments: Sendable, Hashable {
  /// Of the units counted that name an experiment, those of such ones; above 0, at most 1. Estimated where devices are.
  package let share: Double
  /// The name of the one with most units.
  package let largest: String

  package init(share: Double, largest: String) {
    self.share = share
    self.largest = largest
  }
}
