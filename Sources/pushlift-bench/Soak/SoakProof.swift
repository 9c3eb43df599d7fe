internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Postgres
internal import Projections

/// Holds what a store has after a soak against what was sent.
struct SoakProof {
  /// One thing that has to hold.
  struct Verdict {
    let name: String
    let holds: Bool
    let figures: String
  }

  private(set) var verdicts: [Verdict] = []

  private let bench: BenchStore
  private let state: SoakLedger.State

  init(_ bench: BenchStore, _ state: SoakLedger.State) {
    self.bench = bench
    self.state = state
  }

  mutating func check(_ name: String, _ holds: Bool, _ figures: String) {
    verdicts.append(Verdict(name: name, holds: holds, figures: figures))
  }

  /// Aggregates what is left, and looks through the whole store.
  mutating func checkStore() throws {
    let connection = try bench.store.connect(.aggregating)
    _ = try EngagementProjection().run(on: connection, patience: .seconds(120)).caughtUp()
    try checkEvents(connection)
    try checkErasures(bench.store.connect(.administering))
    let result = try ProjectionCheck.run(on: bench.store.connect(.asking))
    let rows = result.tables.map { "\($0.name) \($0.rows)" }.joined(separator: ", ")
    check("verify: the figures are what the events say", result.isSound, rows)
  }

  /// What was found of the events that were sent.
  private struct Found {
    var events = 0
    var replies = 0
    var doubled = 0
    var missing = 0
    /// Batches without an answer, by whether they are there.
    var whole = 0
    var absent = 0
    var half = 0
    var unexpected = 0
  }

  private mutating func checkEvents(_ connection: borrowing Connection) throws {
    var found = Found()
    for poster in Set(state.entries.map(\.poster)).sorted() { try count(poster, into: &found, connection) }
    let erased = state.erasures.reduce(0) { $0 + $1.numbers.count }
    let all: Int = try connection.value(of: "select count(*) from event")
    let acknowledged = state.entries.filter { $0.fate == .acknowledged }.reduce(0) { $0 + $1.numbers.count }
    check(
      "every acknowledged event is stored exactly once", found.missing == 0 && found.doubled == 0,
      "\(acknowledged) acknowledged: \(acknowledged - erased - found.missing) there, \(erased) erased, "
        + "\(found.missing) missing, \(found.doubled) twice")
    check(
      "nothing is stored that was not sent", all == found.events + erased && found.unexpected == 0,
      "\(all) events: \(found.events) under their ids, \(all - found.events) of nobody, \(found.unexpected) unknown"
    )
    check(
      "no batch is stored in part", found.half == 0,
      "\(found.whole + found.absent + found.half) batches without an answer: \(found.whole) there, \(found.absent) not, "
        + "\(found.half) in part")
    try checkReplies(found.replies)
  }

  /// As the login: who aggregates may not look into the vault.
  private mutating func checkReplies(_ replies: Int) throws {
    let vault = try Connection(bench.database).query(
      """
      select count(*), count(event.event_id)
      from pushlift.reply left join pushlift.event using (event_id, unit_id, day)
      """
    ).map { row in (texts: try row.value(0, as: Int.self), matched: try row.value(1, as: Int.self)) }[0]
    check(
      "each reply's text lies beside its event", vault.texts == replies && vault.matched == replies,
      "\(replies) replies, \(vault.texts) texts, \(vault.matched) beside theirs")
  }

  /// Goes through a poster's events and what was sent, both by number.
  private func count(_ poster: Int, into found: inout Found, _ connection: borrowing Connection) throws {
    let entries = state.entries.filter { $0.poster == poster }.sorted {
      $0.numbers.lowerBound < $1.numbers.lowerBound
    }
    let erased = Set(state.erasures.filter { $0.poster == poster }.flatMap { Array($0.numbers) })
    let end = entries.last?.numbers.upperBound ?? 0
    var copies = [UInt8](repeating: 0, count: end)
    var unexpected = 0
    let range = (SoakBatch.id(0, of: poster), UUID128(high: SoakBatch.id(0, of: poster).high, low: .max))
    let statement: SQL = "select event_id from event where event_id between \(range.0) and \(range.1)"
    try connection.forEachRow(of: statement) { row in
      let number = SoakBatch.number(try row.value(0))
      if number < end { copies[number] &+= 1 } else { unexpected += 1 }
    }
    found.unexpected += unexpected
    for entry in entries {
      let present = entry.numbers.count { copies[$0] > 0 }
      for number in entry.numbers {
        found.events += Int(copies[number])
        if SoakBatch.isReply(number) { found.replies += Int(copies[number]) }
        if copies[number] > 1 { found.doubled += 1 }
        if entry.fate == .acknowledged, !erased.contains(number), copies[number] == 0 { found.missing += 1 }
      }
      guard entry.fate == .abandoned else { continue }
      if present == 0 {
        found.absent += 1
      } else if present == entry.numbers.count {
        found.whole += 1
      } else {
        found.half += 1
      }
    }
  }

  private mutating func checkErasures(_ connection: borrowing Connection) throws {
    let sent = state.erasures.reduce(0) { $0 + $1.numbers.count }
    let nobodys: Int = try connection.value(
      of: "select count(*) from event where notification_id like 'erased-%'")
    var recorded = 0
    var left = 0
    for erasure in state.erasures {
      let keys = bench.store.secret.deviceKeys(app: bench.app, device: try DeviceID(erasure.device))
      recorded += try connection.value(
        of: "select coalesce(sum(events), 0)::bigint from erasure where device_key = any(\(keys))")
      let trace: Int = try connection.value(
        of: "select count(*) from event where device_key = any(\(keys))")
      // What came of it afterwards is its own.
      left += trace - 1
    }
    check(
      "an erased device's events are nobody's, each of them",
      nobodys == sent && recorded == sent && left == 0,
      "\(state.erasures.count) devices, \(sent) events: \(nobodys) of nobody, \(recorded) recorded, \(left) left"
    )
  }
}
