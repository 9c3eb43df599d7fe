/// The arm of a randomised experiment that a device was assigned to.
public struct ExperimentAssignment: Sendable, Hashable {
  private let exactName: ExactText
  private let exactArm: ExactText
  /// The experiment, 1–128 bytes of UTF-8.
  public var name: String { exactName.string }
  /// The arm, 1–128 bytes of UTF-8.
  public var arm: String { exactArm.string }

  /// Checks both names.
  ///
  /// - Throws: `empty`, `too_long` or `null_character`, for `experiment.name` or `experiment.arm`.
  public init(name: String, arm: String) throws(EventFault) {
    exactName = try ExactText(name, field: "experiment.name", bytes: EventLimits.experimentBytes)
    exactArm = try ExactText(arm, field: "experiment.arm", bytes: EventLimits.experimentBytes)
  }
}
