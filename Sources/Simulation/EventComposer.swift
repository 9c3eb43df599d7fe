import EngagementEvents

/// Writes what happened to a unit as the events that its device would send.
struct EventComposer: Sendable {
  private let world: SimulatedWorld
  private let offered: [[ActionID]]
  private let assignments: (rich: ExperimentAssignment, text: ExperimentAssignment)?
  private let replies: [ReplyText]

  /// - Throws: `invalid_name` for an experiment whose name the contract refuses.
  init(_ world: SimulatedWorld) throws(SimulationError) {
    self.world = world
    offered = world.plan.categories.map(\.offeredButtons)
    do {
      replies = try Phrases.replies.map { text throws(EventFault) in try ReplyText(text) }
      if let name = world.plan.experiment?.name {
        assignments = (
          try ExperimentAssignment(name: name, arm: "rich"), try ExperimentAssignment(name: name, arm: "text")
        )
      } else {
        assignments = nil
      }
    } catch {
      throw SimulationError(code: .invalidName, description: error.message)
    }
  }

  /// The delivery for ordinal 0, then the happenings from 1 on.
  func event(_ ordinal: Int, of unit: SimulatedUnit, sequence: Int64) -> EngagementEvent {
    let happening = ordinal == 0 ? nil : unit.happenings[ordinal - 1]
    let traits = DeviceTraits(seed: world.seed, device: unit.device)
    var ids = SeededGenerator(seed: world.seed, stream: .eventID, index: unit.index << 20 | ordinal)
    let id = ids.uuid()
    let instant = Timestamp(microseconds: unit.deliveredAt + (happening?.delay ?? 0))
    let source: EventSource =
      switch happening?.kind {
      case nil: .serviceExtension
      case .expanded: .contentExtension
      default: .app
      }
    do {
      return try EngagementEvent(
        id: EventID(high: id.high, low: id.low),
        notificationID: NotificationID(uuidText(.notificationID, unit.index)),
        deviceID: DeviceID(uuidText(.deviceID, unit.device)),
        category: world.plan.categories[unit.category].category,
        occurredAt: EventTime(traits.localTime(of: instant)), sequence: sequence, source: source,
        experiment: assignments.map { unit.isRich ? $0.rich : $0.text },
        detail: happening.map { detail(of: $0.kind, unit) } ?? .delivered(delivery(of: unit, traits)))
    } catch {
      preconditionFailure("a valid plan makes valid events: \(error)")
    }
  }

  private func uuidText(_ stream: SeededGenerator.Stream, _ index: Int) -> String {
    var generator = SeededGenerator(seed: world.seed, stream: stream, index: index)
    let (high, low) = generator.uuid()
    return EventID(high: high, low: low).text
  }

  private func detail(of kind: SimulatedUnit.Kind, _ unit: SimulatedUnit) -> EngagementEvent.Detail {
    let buttons = offered[unit.category]
    return switch kind {
    case .expanded: .expanded
    case .opened: .action(ActionTaken(actionID: .defaultAction))
    case .dismissed: .action(ActionTaken(actionID: .dismiss))
    case .button(let place): .action(ActionTaken(actionID: buttons[place]))
    case .replied(let phrase):
      .action(ActionTaken(actionID: buttons[buttons.count - 1], replyText: replies[phrase]))
    }
  }

  private func delivery(of unit: SimulatedUnit, _ traits: DeviceTraits) throws(EventFault) -> Delivery {
    let category = world.plan.categories[unit.category]
    var attachments: [Attachment] = []
    if let media = unit.media, unit.fallback == nil {
      attachments = [try attachment(media, index: unit.index)]
    }
    return try Delivery(
      attachments: attachments, intended: unit.media.map { [$0] } ?? [], fallback: unit.fallback,
      customInterface: category.hasContentExtension, actions: offered[unit.category],
      interruptionLevel: unit.index % 8 == 0 ? .passive : .active,
      relevanceScore: Double(unit.index % 5) / 4, threadID: category.category.text,
      appVersion: traits.appVersion, locale: traits.locale)
  }

  private func attachment(_ kind: MediaKind, index: Int) throws(EventFault) -> Attachment {
    let bytes = Int64(40_000 + index % 97 * 9_000)
    let (width, height): (Int64?, Int64?) = kind == .audio ? (nil, nil) : (1200, 675)
    let seconds: Double? = kind == .audio || kind == .video ? 3 + Double(index % 40) / 4 : nil
    return try Attachment(kind: kind, bytes: bytes, width: width, height: height, seconds: seconds)
  }
}

/// What stays the same over all events of a device.
private struct DeviceTraits {
  let locale: String
  let appVersion: String
  let offset: (minutes: Int, suffix: String)

  init(seed: UInt64, device: Int) {
    var generator = SeededGenerator(seed: seed, stream: .device, index: device)
    _ = generator.uniform()  // the arm of an experiment, which must not go with the traits
    locale = Phrases.locales[generator.index(below: Phrases.locales.count)]
    appVersion = Phrases.appVersions[generator.index(below: Phrases.appVersions.count)]
    offset = Phrases.offsets[generator.index(below: Phrases.offsets.count)]
  }

  /// RFC 3339 on the device's own clock, such as `2026-11-30T09:15:00.250+05:30`.
  func localTime(of instant: Timestamp) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    let local = instant.microseconds + Int64(offset.minutes) * 60_000_000
    Timestamp(microseconds: local).appendRFC3339(to: &bytes)
    bytes.removeLast()  // the Z
    bytes.append(contentsOf: offset.suffix.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }
}
