import EngagementEvents
import EventStore
import Foundation
import Postgres
import TestSupport

@testable import Projections

/// The rates worked out once more, from the definitions alone: unit by unit, in plain Swift, with no SQL and nothing
/// kept between events.
struct RateModel {
  private struct Interaction {
    let at: Int64
    /// Nil for expanded.
    let action: ActionID?
    let hasReply: Bool

    var isDismissal: Bool { action?.isDismissal == true }
  }

  private struct Unit {
    let deviceKey: UUID128
    var firstSeenAt = Int64.max
    var deliveries: [(at: Int64, category: String, delivery: Delivery)] = []
    var interactions: [Interaction] = []
    var interactionCategories: [String] = []

    var deliveredAt: Int64? { deliveries.map(\.at).min() }

    var category: String {
      let named = (deliveries.isEmpty ? interactionCategories : deliveries.map(\.category)).filter {
        !$0.isEmpty
      }
      return named.min { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? ""
    }

    var isShownRich: Bool { deliveries.contains { !$0.delivery.attachments.isEmpty } }

    var isIntendedRich: Bool {
      let told = deliveries.compactMap(\.delivery.intended)
      return told.isEmpty ? isShownRich : told.contains { !$0.isEmpty }
    }

    var hasInterface: Bool { deliveries.contains { $0.delivery.customInterface } }

    func offers(_ action: String) -> Bool {
      deliveries.contains { $0.delivery.actions.contains { $0.text.isExactly(action) } }
    }

    func isRich(_ rule: ArmRule) -> Bool {
      switch rule {
      case .intended: isIntendedRich
      case .shown: isShownRich
      case .shownOrInterface: isShownRich || hasInterface
      }
    }

    /// Whether the unit did what the metric counts, within a window in microseconds.
    func did(_ metric: Metric, within window: Int64) -> Bool {
      guard let start = deliveredAt else { return false }
      if metric == .fallback { return !isShownRich }
      return interactions.contains { interaction in
        guard interaction.at >= start, interaction.at < start + window else { return false }
        return switch metric {
        case .interaction: !interaction.isDismissal
        case .expansion: interaction.action == nil
        case .open: interaction.action?.isDefault == true
        case .action: interaction.action?.isCustom == true
        case .customAction(let name): interaction.action?.text.isExactly(name) == true
        case .reply: interaction.action?.isCustom == true && interaction.hasReply
        case .dismissal: interaction.isDismissal
        case .fallback: false
        }
      }
    }

    func isInDenominator(_ metric: Metric) -> Bool {
      switch metric {
      case .customAction(let name): offers(name)
      case .fallback: isIntendedRich
      default: true
      }
    }
  }

  private var units: [UUID128: Unit] = [:]
  private var implausible: [(receivedAt: Int64, category: String)] = []
  private var watermark: Int64?

  /// - Parameter rows: each event once.
  init(_ rows: [EventRow]) {
    for row in rows {
      watermark = max(watermark ?? .min, row.receivedAt.microseconds)
      guard row.timing.quality != .implausible else {
        implausible.append((row.receivedAt.microseconds, row.event.category.text))
        continue
      }
      add(row)
    }
  }

  private mutating func add(_ row: EventRow) {
    var unit = units[row.key.unitID] ?? Unit(deviceKey: row.deviceKey)
    let at = row.timing.corrected.microseconds
    unit.firstSeenAt = min(unit.firstSeenAt, at)
    switch row.event.detail {
    case .delivered(let delivery): unit.deliveries.append((at, row.event.category.text, delivery))
    case .expanded: unit.interactions.append(Interaction(at: at, action: nil, hasReply: false))
    case .action(let action):
      unit.interactions.append(
        Interaction(at: at, action: action.actionID, hasReply: action.replyText != nil))
    }
    if row.event.type != .delivered { unit.interactionCategories.append(row.event.category.text) }
    units[row.key.unitID] = unit
  }
}

extension RateModel {
  struct Answer: Equatable {
    var cells: Set<RateCell> = []
    var facts: [ExactText: CategoryFacts] = [:]
    var total = CategoryFacts()
  }

  func answer(_ query: RateQuery) -> Answer {
    guard let watermark else { return Answer() }
    let zone = LocalDays(query.zone)
    func isWanted(_ category: String) -> Bool { query.category?.isExactly(category) != false }
    func isInPeriod(_ day: Int) -> Bool {
      day >= query.firstDay.map { Int($0.daysSince1970) } ?? .min
        && day <= query.lastDay.map { Int($0.daysSince1970) } ?? .max
    }
    var tally = Tally()
    for unit in units.values where isWanted(unit.category) {
      guard let deliveredAt = unit.deliveredAt else {
        guard isInPeriod(zone.day(of: unit.firstSeenAt)) else { continue }
        if unit.interactions.allSatisfy(\.isDismissal) {
          tally.dismissedOrphans[ExactText(unit.category), default: 0] += 1
        } else {
          tally.orphans[ExactText(unit.category), default: 0] += 1
        }
        continue
      }
      guard isInPeriod(zone.day(of: deliveredAt)), unit.isInDenominator(query.metric) else { continue }
      let window = Int64(query.windowSeconds) * 1_000_000
      tally.add(
        category: ExactText(unit.category), isRich: unit.isRich(query.armRule), deviceKey: unit.deviceKey,
        isMature: deliveredAt + window <= watermark, isIntendedRich: unit.isIntendedRich,
        isShownRich: unit.isShownRich, isInteracting: unit.did(.interaction, within: window),
        isSuccess: unit.did(query.metric, within: window))
    }
    let appZone = LocalDays(query.app.zone)
    for event in implausible where isWanted(event.category) {
      guard isInPeriod(appZone.day(of: event.receivedAt)) else { continue }
      tally.implausible[ExactText(event.category), default: 0] += 1
    }
    let needsKinds = query.metric == .expansion || query.metric == .dismissal
    return tally.answer(kinds: needsKinds ? reportedKinds(query.app) : [:])
  }

  /// What a category has ever reported, within the app's own window.
  private func reportedKinds(_ app: App) -> [ExactText: (expansion: Bool, dismissal: Bool)] {
    var kinds: [ExactText: (expansion: Bool, dismissal: Bool)] = [:]
    let window = Int64(app.windowSeconds) * 1_000_000
    for unit in units.values where unit.deliveredAt != nil {
      let known = kinds[ExactText(unit.category)] ?? (false, false)
      kinds[ExactText(unit.category)] = (
        known.expansion || unit.hasInterface || unit.did(.expansion, within: window),
        known.dismissal || unit.did(.dismissal, within: window)
      )
    }
    return kinds
  }
}

/// Counts by category and arm.
private struct Tally {
  private struct Key: Hashable {
    let category: ExactText
    let isRich: Bool
  }

  private struct CellKey: Hashable {
    let arm: Key
    let bucket: Int
  }

  private struct Arm {
    var units = 0
    var devices: Set<UUID128> = []
    var immature = 0
    var intendedRich = 0
    var fellBack = 0
    var interacting = 0

    var facts: ArmFacts {
      ArmFacts(
        units: units, devices: devices.count, immature: immature, intendedRich: intendedRich,
        fellBack: fellBack,
        interacting: interacting)
    }

    mutating func merge(_ other: Arm) {
      units += other.units
      devices.formUnion(other.devices)
      immature += other.immature
      intendedRich += other.intendedRich
      fellBack += other.fellBack
      interacting += other.interacting
    }
  }

  private var cells: [CellKey: (units: Int, successes: Int)] = [:]
  private var arms: [Key: Arm] = [:]
  var orphans: [ExactText: Int] = [:]
  var dismissedOrphans: [ExactText: Int] = [:]
  var implausible: [ExactText: Int] = [:]

  mutating func add(
    category: ExactText, isRich: Bool, deviceKey: UUID128, isMature: Bool, isIntendedRich: Bool,
    isShownRich: Bool,
    isInteracting: Bool, isSuccess: Bool
  ) {
    let key = Key(category: category, isRich: isRich)
    var arm = arms[key] ?? Arm()
    defer { arms[key] = arm }
    guard isMature else {
      arm.immature += 1
      return
    }
    arm.units += 1
    arm.devices.insert(deviceKey)
    if isIntendedRich { arm.intendedRich += 1 }
    if isIntendedRich, !isShownRich { arm.fellBack += 1 }
    if isInteracting { arm.interacting += 1 }
    var cell = cells[CellKey(arm: key, bucket: Int(deviceKey.low & 127))] ?? (0, 0)
    cell.units += 1
    cell.successes += isSuccess ? 1 : 0
    cells[CellKey(arm: key, bucket: Int(deviceKey.low & 127))] = cell
  }

  func answer(kinds: [ExactText: (expansion: Bool, dismissal: Bool)]) -> RateModel.Answer {
    var answer = RateModel.Answer()
    for (key, cell) in cells {
      answer.cells.insert(
        RateCell(
          category: key.arm.category.string, isRich: key.arm.isRich, bucket: key.bucket, units: cell.units,
          successes: cell.successes))
    }
    var all: [Bool: Arm] = [:]
    var devices: [ExactText: Set<UUID128>] = [:]
    for (key, arm) in arms {
      var facts = answer.facts[key.category] ?? CategoryFacts()
      if key.isRich { facts.rich = arm.facts } else { facts.text = arm.facts }
      answer.facts[key.category] = facts
      all[key.isRich, default: Arm()].merge(arm)
      devices[key.category, default: []].formUnion(arm.devices)
    }
    for (category, keys) in devices { answer.facts[category]?.devices = keys.count }
    answer.total.devices = devices.values.reduce(into: Set()) { $0.formUnion($1) }.count
    for (category, count) in orphans { answer.facts[category, default: CategoryFacts()].orphans = count }
    for (category, count) in dismissedOrphans {
      answer.facts[category, default: CategoryFacts()].dismissedOrphans = count
    }
    for (category, count) in implausible {
      answer.facts[category, default: CategoryFacts()].implausible = count
    }
    for (category, kind) in kinds where answer.facts[category] != nil {
      answer.facts[category]?.reportsExpansion = kind.expansion
      answer.facts[category]?.reportsDismissal = kind.dismissal
    }
    answer.total.rich = all[true]?.facts ?? ArmFacts()
    answer.total.text = all[false]?.facts ?? ArmFacts()
    for facts in answer.facts.values {
      answer.total.orphans += facts.orphans
      answer.total.dismissedOrphans += facts.dismissedOrphans
      answer.total.implausible += facts.implausible
      answer.total.reportsExpansion = answer.total.reportsExpansion || facts.reportsExpansion
      answer.total.reportsDismissal = answer.total.reportsDismissal || facts.reportsDismissal
    }
    return answer
  }
}

/// The days of a zone by Foundation's rules.
struct LocalDays {
  private let zone: TimeZone

  init(_ name: String) {
    guard let zone = TimeZone(identifier: name) else { preconditionFailure("no zone \(name)") }
    self.zone = zone
  }

  /// Days since 1970.
  func day(of microseconds: Int64) -> Int {
    let seconds = Int((Double(microseconds) / 1_000_000).rounded(.down))
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    return Int((Double(seconds + offset) / 86_400).rounded(.down))
  }
}
