internal import EngagementEvents

/// The experiments that units name, and how many units of each of their arms are rich or text-only.
///
/// An experiment that sent only rich notifications, beside another that sent only text, compares two audiences; one whose arms
/// each have both drew lots about something else than media. Only one that has arms of rich notifications and arms of text-only
/// ones drew lots between them. As the comparison does, each category counts for itself.
struct ExperimentArms {
  /// An experiment's units by arm.
  private struct Arms {
    private var arms: [ExactText: (rich: Int, text: Int)] = [:]

    mutating func add(_ arm: String, rich: Int, text: Int) {
      let known = arms[ExactText(arm)] ?? (0, 0)
      arms[ExactText(arm)] = (known.rich + rich, known.text + text)
    }

    var rich: Int { arms.values.reduce(0) { $0 + $1.rich } }
    var text: Int { arms.values.reduce(0) { $0 + $1.text } }
    var sum: Int { rich + text }
    var isOneArmed: Bool { rich == 0 || text == 0 }

    /// Whether some arms are of rich notifications, the others of text-only ones.
    var partsMedia: Bool {
      let isRich = arms.values.filter { $0.rich + $0.text > 0 }.map { arm -> Bool? in
        let odd = Double(min(arm.rich, arm.text)) / Double(arm.rich + arm.text)
        return odd > ExperimentArms.toleratedShare ? nil : arm.rich > arm.text
      }
      return isRich.contains(true) && isRich.contains(false) && !isRich.contains(nil)
    }
  }

  /// The share of an arm's units that may be of the other kind: a sender's mishaps are no other design.
  private static let toleratedShare = 0.01

  private var categories: [ExactText: [ExactText: Arms]] = [:]

  /// Adds units of one arm of an experiment in one category.
  mutating func add(_ experiment: String, arm: String, in category: String, rich: Int, text: Int) {
    categories[ExactText(category), default: [:]][ExactText(experiment), default: Arms()]
      .add(arm, rich: rich, text: text)
  }

  /// What is odd about the experiments of one category, or of all.
  struct Oddities {
    /// Those that are all rich or all text-only; nil where there is none.
    let oneArmed: ExperimentShare?
    /// Those that have both, and no arms by it; likewise.
    let mixed: ExperimentShare?
  }

  /// Over all categories.
  var oddities: Oddities { Self.oddities(of: categories.values.flatMap(Array.init)) }

  var odditiesByCategory: [ExactText: Oddities] { categories.mapValues { Self.oddities(of: Array($0)) } }

  private static func oddities(of experiments: [(key: ExactText, value: Arms)]) -> Oddities {
    let sum = experiments.reduce(0) { $0 + $1.value.sum }
    func share(_ isOdd: (Arms) -> Bool) -> ExperimentShare? {
      let odd = experiments.filter { isOdd($0.value) }
      let largest = odd.max { left, right in (left.value.sum, right.key) < (right.value.sum, left.key) }
      guard let largest else { return nil }
      return ExperimentShare(
        share: Double(odd.reduce(0) { $0 + $1.value.sum }) / Double(sum), largest: largest.key.string)
    }
    return Oddities(
      oneArmed: share(\.isOneArmed), mixed: share { !$0.isOneArmed && !$0.partsMedia })
  }
}

/// Some of the experiments that units name.
package struct ExperimentShare: Sendable, Hashable {
  /// Of the units counted that name an experiment, those of such ones; above 0, at most 1. Estimated where devices are.
  package let share: Double
  /// The name of the one with most units.
  package let largest: String

  package init(share: Double, largest: String) {
    self.share = share
    self.largest = largest
  }
}
