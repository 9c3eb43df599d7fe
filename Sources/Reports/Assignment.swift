internal import EngagementEvents
internal import ForeignEvents
internal import Projections
internal import Statistics

/// How notifications came to be rich or not.
package enum Assignment: Sendable, Hashable {
  /// By chance, one arm a device, within experiments whose arms are of rich or of text-only notifications alone, as the
  /// events' `experiment` says. `sampleRatioPValue` tests whether the arms have as many devices as they should.
  case randomised(sampleRatioPValue: Double)
  /// In some other way: a difference may come from what made them so.
  case observational(reason: String)

  /// Below this the split is not what was meant, and nothing else of the experiment can be trusted.
  package static let sampleRatioAlarm = 0.001

  /// The share of units of experiments with one arm only, or none by media, that may be chance: of one with few units, both
  /// arms need not be among the devices that were looked at.
  static let oneArmedLimit = 0.01

  /// - Parameter sample: the devices that were counted. A sample of all is one of either arm alike, and is tested as what
  ///   it is, so that an estimate's error raises no alarm.
  init(
    _ facts: CategoryFacts, split: (rich: Double, text: Double), sample: DeviceSample
  ) throws(StatisticsError) {
    let units = facts.rich.units + facts.text.units
    let inExperiment = facts.rich.unitsInExperiment + facts.text.unitsInExperiment
    guard units > 0, inExperiment > 0 else {
      self = .observational(reason: "the events name no experiment")
      return
    }
    guard !facts.limits.contains(.richness) else {
      self = .observational(reason: "not all records tell which notifications were rich")
      return
    }
    guard facts.isOnlyExperiments else {
      self = .observational(
        reason:
          "\(Format.count(units - inExperiment)) of \(Format.count(units)) notifications are in no experiment"
      )
      return
    }
    guard facts.devicesInBothArms == 0 else {
      self = .observational(reason: "\(Format.count(facts.devicesInBothArms)) devices are in both arms")
      return
    }
    if let oneArmed = facts.oneArmedExperiments, oneArmed.share > Self.oneArmedLimit {
      self = .observational(
        reason:
          "\(Format.percent(oneArmed.share, digits: 0)) of the notifications are of experiments with one arm only, "
          + "like \(EventFault.quote(oneArmed.largest))")
      return
    }
    if let mixed = facts.mixedExperiments, mixed.share > Self.oneArmedLimit {
      self = .observational(
        reason:
          "\(Format.percent(mixed.share, digits: 0)) of the notifications are of experiments whose arms do not differ in "
          + "media, like \(EventFault.quote(mixed.largest)): rich and text-only ones share an arm")
      return
    }
    let observed = [facts.rich.devices, facts.text.devices].map { Double(sample.counted($0)) }
    let test = try SampleRatio(observed: observed, weights: [split.rich, split.text]).chiSquareTest()
    self = .randomised(sampleRatioPValue: test.p)
  }

  /// Whether the arms' sizes differ from the experiment's design.
  package var isSampleRatioMismatch: Bool {
    guard case .randomised(let pValue) = self else { return false }
    return pValue < Self.sampleRatioAlarm
  }

  /// `randomised` or `observational`.
  package var name: String {
    switch self {
    case .randomised: "randomised"
    case .observational: "observational"
    }
  }

  /// A sentence for people.
  package var sentence: String {
    switch self {
    case .observational(let reason):
      "Observational: \(reason). A difference may come from what made senders choose rich ones."
    case .randomised(let pValue) where pValue < Self.sampleRatioAlarm:
      "Randomised, but the arms are not of the sizes meant (\(Format.pValue(pValue))): trust nothing before that is explained."
    case .randomised(let pValue):
      "Randomised, and the arms are of the sizes meant (\(Format.pValue(pValue)))."
    }
  }
}
