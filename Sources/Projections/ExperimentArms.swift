/// The experiments that units name, and how many units of each are in either arm.
///
/// An experiment that sent only rich notifications, beside another that sent only text, compares two audiences: only one
/// with both arms drew lots between them. As the comparison does, each category counts for itself.
struct ExperimentArms: Sendable, Hashable {
  private struct Units: Sendable, Hashable {
    var rich: Int
    var text: Int
    var sum: Int { rich + text }
    var isOneArmed: Bool { rich == 0 || text == 0 }
  }

  private typealias Experiment = (name: String, units: Units)

  private var categories: [String: [String: Units]] = [:]

  /// Adds what one experiment has in one category.
  mutating func add(_ experiment: String, in category: String, rich: Int, text: Int) {
    categories[category, default: [:]][experiment] = Units(rich: rich, text: text)
  }

  /// Those with one arm only, over all categories; nil where all have both.
  var oneArmed: OneArmedExperiments? {
    Self.oneArmed(of: categories.values.joined().map { ($0.key, $0.value) })
  }

  /// The same of each category.
  var oneArmedByCategory: [String: OneArmedExperiments?] {
    categories.mapValues { Self.oneArmed(of: $0.map { ($0.key, $0.value) }) }
  }

  private static func oneArmed(of experiments: [Experiment]) -> OneArmedExperiments? {
    let oneArmed = experiments.filter(\.units.isOneArmed)
    let largest = oneArmed.max { left, right in (left.units.sum, right.name) < (right.units.sum, left.name) }
    guard let largest else { return nil }
    func sum(_ experiments: [Experiment]) -> Double { Double(experiments.reduce(0) { $0 + $1.units.sum }) }
    return OneArmedExperiments(share: sum(oneArmed) / sum(experiments), largest: largest.name)
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
