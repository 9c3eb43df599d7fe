internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import Foundation
internal import Ingestion
internal import Postgres
internal import Reports

/// `pushlift deadletters …`.
enum DeadLetterCommands {
  static let group = Command(
    "deadletters", abstract: "Look at events that were rejected, replay them, or let old ones go.",
    subcommands: [list, show, replay, prune])

  private static let code = Option<String?>.optional(
    "code", .text.named("code"), help: "Only letters of this code, such as unknown_value.")
  private static let since = Option<CalendarDate?>.optional(
    "since", .date, help: "Only letters that came on this UTC day or later.")
  private static let limit = Option<Int>(
    "limit", .integer(in: 1...1_000_000), default: 50, help: "How many to list at most.")

  private static func app(_ arguments: ParsedArguments, on connection: borrowing Connection) throws -> App? {
    try arguments[SharedOptions.someApp].map { try App.find($0, on: connection) }
  }

  private static func selection(
    _ arguments: ParsedArguments, on connection: borrowing Connection
  ) throws -> StoredDeadLetter.Selection {
    let app = try app(arguments, on: connection)
    let day = arguments[since].map { Int64($0.postgresDate.daysSince1970) * 86_400_000_000 }
    return StoredDeadLetter.Selection(
      app: app?.id, code: arguments[code], since: day.map(Timestamp.init(microseconds:)))
  }

  private static let list = Command(
    "list", abstract: "List dead letters, the newest first.",
    discussion: """
      A letter is an event that was rejected: it breaks a rule, or another event of its identity is stored already (the code \
      conflict). The place is its number in the request, from 0, or its line in an imported file, from 1. Files are told by their \
      names without folders, and - is standard input.
      """,
    examples: ["pushlift deadletters list", "pushlift deadletters list --code conflict --format csv"],
    options: SharedOptions.store + [SharedOptions.someApp, code, since, limit, SharedOptions.listFormat]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let selection = try selection(arguments, on: connection)
      let letters = try StoredDeadLetter.newest(selection, limit: arguments[limit], on: connection)
      var listing = Listing([
        "id", "received", "app", "source", "file", "place", "code", "field", "message", "event id",
        "replayed",
      ])
      for stored in letters {
        let letter = stored.letter
        listing.append([
          .number(Int(stored.id)), .time(letter.receivedAt), .text(stored.app), .text(letter.source),
          Listing.Cell(letter.file), .number(letter.index), .text(letter.code),
          .text(letter.field), .text(letter.message), Listing.Cell(letter.eventID),
          Listing.Cell(stored.replayedAt),
        ])
      }
      try listing.print(arguments[SharedOptions.listFormat], empty: "There are no such dead letters.")
      let all =
        letters.count < arguments[limit]
        ? letters.count
        : try StoredDeadLetter.count(selection, on: connection)
      if all > letters.count { Terminal.complain("\(all - letters.count) more; --limit shows them.") }
    }
  }

  private static let id = Argument<Int64>(
    "id", .integer(in: 1...Int64.max), help: "The letter's number, as listed.")

  private static let show = Command(
    "show", abstract: "Show one dead letter: the reason, and the event as it came.",
    discussion: "The device id and the text of a reply are not kept in letters.",
    examples: ["pushlift deadletters show 17"],
    options: SharedOptions.store + [SharedOptions.someApp], arguments: [id]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.asking)
      let stored = try StoredDeadLetter.find(
        arguments[id], of: app(arguments, on: connection), on: connection)
      for (name, value) in lines(of: stored) where !value.isEmpty {
        try Terminal.print("\(name.padding(toLength: 10, withPad: " ", startingAt: 0))\(value)")
      }
      let body = stored.letter.body
      try Terminal.write(
        [UInt8(ascii: "\n")] + (body.isEmpty ? Array(notKept.utf8) : body) + [UInt8(ascii: "\n")])
    }
  }

  private static let notKept = "The event is not kept: it had no names to tell what in it is private."

  private static func lines(of stored: StoredDeadLetter) -> [(String, String)] {
    let letter = stored.letter
    let place = letter.source == EventImport.source ? "line \(letter.index)" : "event \(letter.index)"
    let file = letter.file.map { "\(EventFault.escape($0)), " } ?? ""
    return [
      ("letter", "\(stored.id) of the app \(stored.app)"),
      ("received", "\(letter.receivedAt.rfc3339) by \(letter.source), \(file)\(place)"),
      ("sent", letter.sentAt?.rfc3339 ?? ""),
      ("event", EventFault.escape(letter.eventID ?? "")),
      ("device", letter.deviceKey.map { "key \($0)" } ?? ""),
      ("code", letter.code), ("field", letter.field), ("reason", letter.message),
      ("replayed", stored.replayedAt?.rfc3339 ?? ""),
    ]
  }

  private static let ids = Argument<[Int64]>.repeated(
    "id", .integer(in: 1...Int64.max), help: "The letters' numbers, instead of --code or --all.")
  private static let all = Option<Bool>.flag("all", help: "Every letter that was not replayed yet.")
  private static let dryRun = Option<Bool>.flag(
    "dry-run", help: "Only tell what would become of the letters; change nothing.")

  private static let replay = Command(
    "replay",
    abstract: "Try dead letters again by the present rules, and store the events that are good now.",
    discussion: """
      For events that were rejected by a rule that has changed since. They keep their identity, their time of arrival and their \
      device; a text of a reply is not kept in letters, so that a replayed action never counts as a reply. A replayed letter is \
      marked and stays; replaying it again does nothing. An event that is stored already, because its device sent it again, is a \
      duplicate. Conflicts are not replayed: the first event stays. Nor are letters of which the part that was wrong is not kept, \
      such as a reply's text.

      Letters of an import of history need --history-from here, too: an event over 400 days older than its import is left where it is \
      without it. What was posted with such a time is stored as it would have been, and never counted.
      """,
    examples: [
      "pushlift deadletters replay --code unknown_value --dry-run", "pushlift deadletters replay 17 18",
      "pushlift deadletters replay --all --history-from 2023-01-01",
    ],
    options: SharedOptions.store + [
      SharedOptions.someApp, code, since, all, SharedOptions.historyFrom, dryRun,
    ],
    arguments: [ids]
  ) { arguments in
    guard arguments[ids].isEmpty == (arguments[all] || arguments[code] != nil) else {
      throw arguments.usageError("name the letters by their ids, or by --code or --all.")
    }
    if !arguments[ids].isEmpty, arguments[since] != nil {
      throw arguments.usageError("--since goes with --code or --all; ids name the letters already.")
    }
    try await SharedOptions.withStore(arguments) { opened in
      let replay = try DeadLetterReplay(
        opened.store, historyFrom: SharedOptions.announcedHistory(arguments))
      var tally = ReplayTally(isDry: arguments[dryRun])
      let connection = try opened.store.connect(.asking)
      if arguments[ids].isEmpty {
        let selection = try selection(arguments, on: connection)
        try replay.run(selection, isDry: arguments[dryRun]) { tally.note($0, $1) }
      } else {
        let app = try app(arguments, on: connection)
        try replay.run(ids: arguments[ids], of: app, isDry: arguments[dryRun]) { tally.note($0, $1) }
      }
      try Terminal.print(tally.summary)
    }
  }

  private static let olderThan = Option<Duration>.required(
    "older-than", .duration(in: .seconds(86_400) ... .seconds(864_000_000)),
    help: "The age from which on letters go, 1d or more.")

  private static let prune = Command(
    "prune", abstract: "Remove old dead letters for good.",
    discussion: "Replayed or not. Events that were stored are not touched.",
    examples: ["pushlift deadletters prune --older-than 90d"],
    options: SharedOptions.store + [SharedOptions.someApp, olderThan]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.administering)
      let app = try app(arguments, on: connection)
      let seconds = arguments[olderThan].components.seconds
      let before = Int64(Date.now.timeIntervalSince1970) - seconds
      let removed = try StoredDeadLetter.prune(
        before: Timestamp(microseconds: before * 1_000_000), app: app?.id, on: connection)
      try Terminal.print("\(removed) \(Format.noun(removed, "dead letter")) removed")
    }
  }
}

/// What became of the letters of a replay.
private struct ReplayTally {
  let isDry: Bool
  private var stored = 0
  private var uncounted = 0
  private var duplicates = 0
  private var conflicts = 0
  private var rejected = 0
  private var before = 0
  private var notKept = 0
  private var unannounced = 0

  init(isDry: Bool) { self.isDry = isDry }

  mutating func note(_ letter: StoredDeadLetter, _ outcome: DeadLetterReplay.Outcome) {
    switch outcome {
    case .stored: stored += 1
    case .storedUncounted:
      stored += 1
      uncounted += 1
    case .duplicate: duplicates += 1
    case .conflict: conflicts += 1
    case .replayedBefore: before += 1
    case .rejected(let fault): reject(letter, fault.message)
    case .refused(let reason): reject(letter, reason)
    case .notKept(let reason):
      notKept += 1
      tell(letter, reason)
    case .unannouncedHistory(let reason):
      unannounced += 1
      tell(letter, reason)
    }
  }

  private mutating func reject(_ letter: StoredDeadLetter, _ reason: String) {
    rejected += 1
    tell(letter, reason)
  }

  private func tell(_ letter: StoredDeadLetter, _ reason: String) {
    if rejected + notKept + unannounced <= 10 { Terminal.complain("letter \(letter.id): \(reason)") }
  }

  var summary: String {
    var parts = [
      isDry ? "\(stored) good now, and would be stored unless they are already" : "\(stored) stored now",
      "\(rejected) still rejected",
    ]
    if uncounted > 0 {
      parts[0] += " (\(uncounted) of a time that cannot be believed: kept, never counted)"
    }
    if duplicates > 0 { parts.append("\(duplicates) stored already") }
    if conflicts > 0 { parts.append("\(conflicts) in conflict with a stored event, which stays") }
    if notKept > 0 { parts.append("\(notKept) not tried, since what was wrong with them is not kept") }
    if unannounced > 0 {
      parts.append("\(unannounced) over 400 days older than their import, and left: give --history-from")
    }
    if before > 0 { parts.append("\(before) replayed before") }
    return parts.joined(separator: "; ")
  }
}
