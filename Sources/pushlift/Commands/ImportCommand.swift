internal import Arguments
internal import EngagementEvents
internal import EventStore
internal import ForeignEvents
internal import Foundation
internal import Ingestion
internal import Postgres

/// `pushlift import`.
enum ImportCommand {
  private static let files = Argument<[String]>.repeated(
    "file", .path, minimum: 1, help: "The files, one after another; - is standard input.")
  private static let app = Option<String>.required(
    "app", .text.named("name"), help: "The app; pushlift key create makes one.")
  private static let format = Option<EventImport.Format?>.optional(
    "format", .choice,
    help:
      "How the files are written: ndjson and csv, usually told by their names, or another system's records.")
  private static let timezone = Option<String?>.optional(
    "timezone", .text.named("zone"), help: "The IANA zone of times that do not tell theirs.")
  private static let deriveIDs = Option<Bool>.flag(
    "derive-ids", help: "CSV without a column id: make the id of each row of its content.")
  private static let ignoreUnknown = Option<Bool>.flag(
    "ignore-unknown-columns", help: "CSV: leave out columns that the contract does not know.")
  private static let map = Option<String?>.optional(
    "map", .path, help: "CSV: a JSON file that tells which column is which field, and which value which type."
  )
  private static let campaigns = Option<String?>.optional(
    "campaigns", .path,
    help: "Other systems: a CSV file with campaign, category and media, which the records do not carry.")
  private static let ignoreSent = Option<Bool>.flag(
    "ignore-sent",
    help: "Other systems: leave out what was only sent, so that what devices confirmed is counted alone.")
  private static let dryRun = Option<Bool>.flag(
    "dry-run",
    help: "Write nothing: show what would be stored, what the source does not tell, and what that forbids.")
  private static let strict = Option<Bool>.flag(
    "strict", help: "Leave with exit code 1 if any event was rejected.")

  static let command = Command(
    "import", abstract: "Store the events of files: our own (NDJSON), CSV, or another system's export.",
    discussion: """
      Files of any size. Events keep their ids: a file that was imported before, or in part, changes nothing a second time, so \
      that an import which was interrupted is simply run again. They count as received now.

      Rejected events are named, and kept as dead letters with their file and line; the exit code is 0 all the same, unless --strict is \
      given. An import stops, with exit code 1, where a file cannot be read or its columns will not do.

      CSV: the columns are named as the fields of an event, nested ones with a dot (experiment.name, experiment.arm). Lists \
      (attachments, intended, actions) are written a|b, or as JSON; an empty cell is an absent field, and [] or none an empty list. \
      Separators are comma, semicolon or tab. --derive-ids makes an id of type, notification, device, time, sequence and action.

      With --map, columns can have any names. The file is {"columns": {"THEIRS": "OURS", …}, "types": {"THEIRS": "OURS", …}}, \
      where a type is sent, delivered, expanded, opened, dismissed, replied, action:ID or ignored; "type" names one for all \
      rows, "timeUnit" (seconds, milliseconds, microseconds) says what numbers mean. The field campaign is for --campaigns. \
      An opened row with a cell in the column that is actionId is that action.

      Other systems (segment, which is RudderStack's too, onesignal, braze, airship, firebase): a record a line, as JSON. Ids \
      are those of the source where they are UUIDs, otherwise hashes of what tells a record from others, so that exports may \
      overlap. Records about something else, such as e-mails, are counted and left out. What a source does not tell is kept \
      with the days and categories it is about, and reports say so.

      With --timezone, a local time that the clocks showed twice is taken for the earlier one; one that they skipped is rejected.
      """,
    examples: [
      "pushlift import events.ndjson --app shop",
      "pushlift import 2023.csv --app shop --derive-ids --timezone Europe/Berlin --history-from 2023-01-01",
      "zcat events.ndjson.gz | pushlift import - --app shop",
      "pushlift import streams.ndjson --format onesignal --campaigns campaigns.csv --app shop --dry-run",
    ],
    options: SharedOptions.store
      + [
        app, format, timezone, deriveIDs, ignoreUnknown, map, campaigns, ignoreSent,
        SharedOptions.historyFrom, dryRun, strict,
      ],
    arguments: [files]
  ) { arguments in
    let sources = try arguments[files].map { path in
      (source: try ByteSource(path: path), format: try fileFormat(path, arguments))
    }
    try check(arguments, sources.map(\.format))
    let foreign = try foreignOptions(arguments)
    let told = ImportReport(zone: arguments[timezone], isDry: arguments[dryRun])
    try await SharedOptions.withStore(arguments) { opened in
      let connection = try opened.store.connect(.ingesting)
      var run = try EventImport(
        opened.store, app: try App.find(arguments[app], on: connection),
        options: try options(arguments, foreign, on: connection))
      var progress = Progress("events read")
      do {
        for (source, format) in sources {
          try run.run(source, format: format) { progress.update($0.total) }
        }
      } catch {
        progress.end()
        if run.tally.total > 0 {
          try? told.print(run.tally)
          let outcome = arguments[dryRun] ? "nothing is stored" : "what is counted above is stored"
          Terminal.complain("The import stopped; \(outcome). Run it again when this is mended:")
        }
        throw error
      }
      progress.end()
      try told.print(run.tally)
      if arguments[dryRun] || sources.contains(where: { $0.format.foreign != nil }) || arguments[map] != nil {
        let limits = sources.reduce(into: LimitSet()) { limits, source in
          limits.formUnion(source.format.foreign?.limits ?? foreign.mapping?.limits ?? [])
        }
        try ImportSummary(run.tally, foreign, limits: limits, isDry: arguments[dryRun]).print()
      }
      if run.tally.hasNothingGood {
        told.hint(zip(arguments[files], sources).map { (path: $0, format: $1.format) })
      }
      if run.tally.stored > 0, !arguments[dryRun] {
        Terminal.complain("Before you ask for rates, run pushlift aggregate, or pushlift serve.")
      }
      if arguments[strict] { try refuse(run.tally) }
    }
  }

  /// What `--strict` leaves with 1 for.
  private static func refuse(_ tally: ImportTally) throws {
    if tally.rejected > 0 {
      throw ImportError(.format, "Rejected events: \(tally.rejected), and --strict was given.")
    }
    if tally.hasNothingGood {
      throw ImportError(.format, "All records were left out, and --strict was given.")
    }
  }

  private static func fileFormat(_ path: String, _ arguments: ParsedArguments) throws -> EventImport.Format {
    if path.lowercased().hasSuffix(".gz") {
      let format = arguments[format] ?? EventImport.Format(path: String(path.dropLast(3)))
      throw arguments.usageError(
        "\(path) is compressed; import it as: zcat \(path) | pushlift import - "
          + "--format \(format?.rawValue ?? "ndjson|csv") --app \(arguments[app])")
    }
    if let format = arguments[format] { return format }
    if path == "-" { return .ndjson }
    guard let format = EventImport.Format(path: path) else {
      throw arguments.usageError("the name of \(path) does not tell its format; give --format ndjson or csv.")
    }
    return format
  }

  private static func check(_ arguments: ParsedArguments, _ formats: [EventImport.Format]) throws {
    func refuse(_ options: [any DeclaredOption], _ reason: String) throws {
      for option in options where arguments.isGiven(option) {
        throw arguments.usageError("\(option.definition.spelling) is for \(reason) only.")
      }
    }
    let hasCSV = formats.contains(.csv)
    let hasForeign = formats.contains { $0.foreign != nil }
    if !hasCSV { try refuse([deriveIDs, ignoreUnknown, map], "CSV") }
    if !hasCSV, !hasForeign { try refuse([timezone], "CSV and records of other systems") }
    let isMapped = arguments[map] != nil
    if isMapped { try refuse([deriveIDs, ignoreUnknown], "CSV without --map") }
    if !hasForeign, !isMapped { try refuse([campaigns, ignoreSent], "records of other systems and --map") }
  }

  private static func foreignOptions(_ arguments: ParsedArguments) throws -> ForeignOptions {
    var options = ForeignOptions()
    options.mapping = try arguments[map].map { try ColumnMapping(ByteSource(path: $0)) }
    options.campaigns = try arguments[campaigns].map { try Campaigns(ByteSource(path: $0)) }
    options.ignoresSent = arguments[ignoreSent]
    return options
  }

  private static func options(
    _ arguments: ParsedArguments, _ foreign: ForeignOptions, on connection: borrowing Connection
  ) throws -> EventImport.Options {
    var options = EventImport.Options()
    options.foreign = foreign
    options.isDry = arguments[dryRun]
    options.derivesIDs = arguments[deriveIDs]
    options.ignoresUnknownColumns = arguments[ignoreUnknown]
    options.historyFrom = try SharedOptions.announcedHistory(arguments)
    if let name = arguments[timezone] {
      try arguments.requireZone(name, on: connection)
      guard let zone = TimeZone(identifier: name) else {
        throw StoreError(
          .invalidValue, "This machine does not know the time zone '\(name)'.",
          remedy: "Install its time zone data (tzdata).")
      }
      options.zone = zone
    }
    return options
  }
}
