internal import EngagementEvents
internal import Postgres

/// Takes the rows of a report's statements and sums them up.
struct RateTally {
  private(set) var cells: [RateCell] = []
  private(set) var facts: [ExactText: CategoryFacts] = [:]
  /// Devices over all categories, which do not add up.
  private var allDevices = CategoryFacts()
  private var experiments = ExperimentArms()

  /// The facts of a category, made if it is new.
  subscript(category name: String) -> CategoryFacts {
    get { facts[ExactText(name)] ?? CategoryFacts() }
    set { facts[ExactText(name)] = newValue }
  }

  /// Units counted.
  var units: Int { cells.reduce(0) { $0 + $1.units } }

  /// A row of `RateStatements.cells`.
  mutating func addCell(_ row: borrowing Row) throws {
    let category = try row.value(0, as: String.self)
    let isRich = try row.value(1, as: Bool.self)
    let arm = ArmFacts(
      units: try row.value(3), unitsInExperiment: try row.value(5), immature: try row.value(9),
      intendedRich: try row.value(6), fellBack: try row.value(7), interacting: try row.value(8))
    if isRich { self[category: category].rich += arm } else { self[category: category].text += arm }
    guard arm.units > 0 else { return }
    cells.append(
      RateCell(
        category: category, isRich: isRich, bucket: Int(try row.value(2, as: Int16.self)), units: arm.units,
        successes: try row.value(4)))
  }

  /// Categories with units, in order.
  var categories: [String] { Set(cells.map { ExactText($0.category) }).sorted().map(\.string) }

  func has(_ category: String) -> Bool { facts[ExactText(category)] != nil }

  /// A row of `RateStatements.devices`: so many devices with units in the same slots.
  mutating func addDevices(_ counted: Int, in slots: String, of categories: [String], _ sample: DeviceSample)
  {
    let devices = sample.estimate(counted)
    let isTaken = slots.utf8.map { $0 == UInt8(ascii: "1") }
    var isInText = false
    var isInRich = false
    for (number, category) in categories.enumerated() where isTaken[2 * number] || isTaken[2 * number + 1] {
      self[category: category].add(devices, text: isTaken[2 * number], rich: isTaken[2 * number + 1])
      isInText = isInText || isTaken[2 * number]
      isInRich = isInRich || isTaken[2 * number + 1]
    }
    allDevices.add(devices, text: isInText, rich: isInRich)
  }

  /// Whether there is a category whose units are all in experiments.
  var hasOnlyExperiments: Bool { facts.values.contains(where: \.isOnlyExperiments) }

  /// A row of `RateStatements.experiments`.
  mutating func addExperiment(_ row: borrowing Row) throws {
    experiments.add(
      try row.value(1), arm: try row.value(2), in: try row.value(0), rich: try row.value(3),
      text: try row.value(4))
  }

  /// After the last of them.
  mutating func judgeExperiments() {
    for (category, oddities) in experiments.odditiesByCategory {
      facts[category, default: CategoryFacts()].oneArmedExperiments = oddities.oneArmed
      facts[category, default: CategoryFacts()].mixedExperiments = oddities.mixed
    }
  }

  /// A row of `RateStatements.reportedKinds`, which has categories that the report does not.
  mutating func addReportedKinds(_ row: borrowing Row) throws {
    let category = try row.value(0, as: String.self)
    guard has(category) else { return }
    self[category: category].reportsExpansion = try row.value(1)
    self[category: category].reportsDismissal = try row.value(2)
  }

  /// What the app has registered of the report's categories.
  mutating func add(_ registry: CategoryRegistry) {
    for name in facts.keys.map(\.string) {
      guard let category = registry[name] else { continue }
      self[category: name].title = registry.shown(category.title)
      self[category: name].hasContentExtension = category.hasContentExtension
      self[category: name].asksForDismissal = category.reportsDismissal
    }
  }

  /// Over all categories.
  var total: CategoryFacts {
    var total = CategoryFacts()
    for category in facts.values {
      total.rich += category.rich
      total.text += category.text
      total.orphans += category.orphans
      total.dismissedOrphans += category.dismissedOrphans
      total.implausible += category.implausible
      total.reportsExpansion = total.reportsExpansion || category.measuresExpansion
      total.reportsDismissal = total.reportsDismissal || category.measuresDismissal
      total.limits.formUnion(category.limits)
    }
    // Where the registry rules it out for each of them, it does for all.
    if !facts.isEmpty {
      total.hasContentExtension = facts.values.allSatisfy { $0.hasContentExtension == false } ? false : nil
      total.asksForDismissal = facts.values.allSatisfy { $0.asksForDismissal == false } ? false : nil
    }
    let oddities = experiments.oddities
    total.oneArmedExperiments = oddities.oneArmed
    total.mixedExperiments = oddities.mixed
    total.rich.devices = allDevices.rich.devices
    total.text.devices = allDevices.text.devices
    total.devices = allDevices.devices
    return total
  }
}

extension CategoryFacts {
  /// Adds devices that have units in these arms.
  fileprivate mutating func add(_ count: Int, text isInText: Bool, rich isInRich: Bool) {
    devices += count
    if isInText { text.devices += count }
    if isInRich { rich.devices += count }
  }
}

extension ArmFacts {
  /// Adds what adds up: all but the devices.
  fileprivate static func += (sum: inout ArmFacts, more: ArmFacts) {
    let onlySent = sum.onlySent + more.onlySent
    defer { sum.onlySent = onlySent }
    sum = ArmFacts(
      units: sum.units + more.units, devices: sum.devices,
      unitsInExperiment: sum.unitsInExperiment + more.unitsInExperiment,
      immature: sum.immature + more.immature,
      intendedRich: sum.intendedRich + more.intendedRich, fellBack: sum.fellBack + more.fellBack,
      interacting: sum.interacting + more.interacting)
  }
}
