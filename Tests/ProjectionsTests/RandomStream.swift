import EngagementEvents
import EventStore
import Simulation
import TestSupport

/// A small stream with everything odd in it: few devices and notifications, so that events meet; times on the edges of
/// windows and in the hours when clocks change; late, implausible and skewed ones; orphans; units delivered twice.
struct RandomStream {
  /// Each event once.
  private(set) var samples: [EventSample] = []
  let zone: String
  let windowSeconds: Int
  /// The UTC day, since 1970, that it all happens around.
  let day: Int
  private var generator: SeededGenerator

  static let zones = [
    "UTC", "Asia/Kolkata", "America/Toronto", "America/Havana", "Atlantic/Azores", "Australia/Lord_Howe",
    "Pacific/Chatham",
  ]
  static let windows = [60, 3_600, 86_400, 90_000, 7 * 86_400, 30 * 86_400]
  /// Two of them are one for Swift, and two for a database.
  static let buttons = ["like", "answer", "r\u{e9}agir", "re\u{301}agir"]
  /// Likewise.
  static let categories = ["news", "promo", "", "caf\u{e9}", "cafe\u{301}", "K1", "\u{212a}1"]

  /// The days of 2026 on which clocks change: 8 March and 1 November, 29 March and 25 October, 5 April and 4 October.
  private static let changes = [
    "America/Toronto": [20_520, 20_758], "America/Havana": [20_520, 20_758],
    "Atlantic/Azores": [20_541, 20_751], "Australia/Lord_Howe": [20_548, 20_730],
    "Pacific/Chatham": [20_547, 20_722],
  ]

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    zone = Self.zones.randomElement(using: &generator)!
    windowSeconds = [3_600, 86_400, 7 * 86_400].randomElement(using: &generator)!
    let changes = Self.changes[zone] ?? []
    day = (changes + [20_700]).randomElement(using: &generator)!
    for notification in 0..<Int.random(in: 3...6, using: &generator) {
      for device in 0..<Int.random(in: 1...4, using: &generator) {
        try addUnit(("n\(notification)", "d\(device)"))
      }
    }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
  private mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < share
  }

  /// After the beginning of `day`, in seconds: in steps of half an hour, at times a microsecond to the side.
  private mutating func moment() -> Double {
    Double(Int.random(in: -24...72, using: &generator)) * 1_800 + pick([0, 0, 0, 0.000_001, -0.000_001])
  }

  private mutating func addUnit(_ unit: (notification: String, device: String)) throws {
    let delivered = moment()
    let categories = chance(0.9) ? [pick(Self.categories)] : Self.categories
    let offered = pick([[], Self.buttons, ["like"], [Self.buttons[2]]])
    let deliveries = pick([0, 1, 1, 1, 1, 2])
    for number in 0..<deliveries {
      try addDelivery(
        unit, pick(categories), at: number == 0 ? delivered : delivered + pick([-7_200, -1, 1, 90_000]),
        offered)
    }
    for _ in 0..<pick([0, 0, 1, 1, 2, 3, 5]) {
      let edge = Double(pick(Self.windows))
      let offset = pick([-3_600, 0, 1, 30, edge - 0.000_001, edge, edge + 0.000_001, 20_000, 100_000])
      try addInteraction(unit, pick(categories), at: delivered + offset)
    }
  }

  private mutating func addDelivery(
    _ unit: (notification: String, device: String), _ category: String, at seconds: Double,
    _ offered: [String]
  ) throws {
    let media: [[MediaKind]] = [[], [], [.image], [.video, .gif]]
    add(
      try EventSample.delivered(
        of: unit, in: category, at: 0, showing: pick(media), meaning: chance(0.5) ? pick(media) : nil,
        offering: chance(0.8) ? offered : [], customInterface: chance(0.2)), at: seconds)
  }

  private mutating func addInteraction(
    _ unit: (notification: String, device: String), _ category: String, at seconds: Double
  ) throws {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: add(.expanded(of: unit, in: category), at: seconds)
    case 1: add(try .opened(of: unit, in: category), at: seconds)
    case 2: add(try .action(ActionID.dismiss.text, of: unit, in: category), at: seconds)
    case 3: add(try .action("like", of: unit, in: category), at: seconds)
    case 4: add(try .action(pick(Array(Self.buttons.suffix(2))), of: unit, in: category), at: seconds)
    default:
      add(
        try .action("answer", of: unit, in: category, reply: chance(0.5) ? pick(["", "yes"]) : nil),
        at: seconds)
    }
  }

  private mutating func add(_ sample: EventSample, at seconds: Double) {
    var sample = sample
    sample.id = EventID(high: generator.next(), low: generator.next())
    let happened = Timestamp(microseconds: Int64(day) * 86_400_000_000).advanced(bySeconds: seconds)
    let received = happened.advanced(bySeconds: pick([0, 0.5, 60, 7_200, 86_400, 29 * 86_400]))
    sample.occurredAt = happened
    sample.receivedAt = received
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: sample.occurredAt = received.advanced(bySeconds: 86_401)
    case 1: sample.occurredAt = received.advanced(bySeconds: -401 * 86_400)
    case 2:
      // The device's clock is five hours ahead, and the request says so.
      sample.occurredAt = happened.advanced(bySeconds: 5 * 3_600)
      sample.sentAt = received.advanced(bySeconds: 5 * 3_600)
    default: break
    }
    samples.append(sample)
  }
}

extension RandomStream {
  /// The events as they might arrive: in any order, some twice, in batches of any size.
  mutating func makeArrival() -> [[EventSample]] {
    var arriving = samples + samples.filter { _ in chance(0.3) }
    arriving.shuffle(using: &generator)
    var batches: [[EventSample]] = []
    while !arriving.isEmpty {
      let size = min(arriving.count, Int.random(in: 1...15, using: &generator))
      batches.append(Array(arriving.prefix(size)))
      arriving.removeFirst(size)
    }
    return batches
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func isLucky(_ share: Double) -> Bool { chance(share) }

  mutating func choose<Value>(_ values: [Value]) -> Value { pick(values) }
}
