internal import Arguments
internal import EventStore
internal import Foundation
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift nightly`.
enum NightlyCommand {
  private static let output = Option<String?>.optional(
    "output", .path, help: "The folder to write to; made if need be. Required, unless --verify is given.")
  private static let date = Option<CalendarDate?>.optional(
    "date", .date,
    help:
      "The day of delivery to report. Usually all that have closed and have no files yet, from the folder's first."
  )
  private static let restate = Option<Bool>.flag(
    "restate",
    help: "Also write the files anew that late events have changed: all in the folder, or that of --date.")
  private static let verify = Option<String?>.optional(
    "verify", .path.named("folder"), help: "Only compare the files of this folder with its manifest.json.")

  static let command = Command(
    "nightly", abstract: "Write the files of a day of deliveries, for all categories.",
    discussion: """
      Aggregates first. Writes rates-, actions-, trend- and quality-YYYY-MM-DD.csv and report-YYYY-MM-DD.html, each under a \
      temporary name until it is whole, and manifest.json with the SHA-256 of all. A day is reported once the last \
      attribution window of its notifications has closed, so that its figures stay. Nights that were missed are caught up. \
      Files that are there already are left as they are. The last line printed is a summary for monitoring.

      Events that come later than that still count, on the day that they belong to. With --restate the days whose figures \
      they have changed are written anew; what a file said before is kept beside it as rates-YYYY-MM-DD.v1.csv, then .v2.csv, \
      and so on. What changed is listed. The trends and pages of the days after them, which show these figures, too, are replaced \
      without a version. Files that are missing, or are not what the manifest says, are written anew as well.

      With --verify nothing is written and no store is asked: files that differ from the manifest are named, with exit code 1.
      """,
    examples: [
      "pushlift nightly --output /srv/reports", "pushlift nightly --output . --date 2026-11-28",
      "pushlift nightly --output /srv/reports --restate", "pushlift nightly --verify /srv/reports",
    ],
    options: SharedOptions.store + [
      SharedOptions.app, ReportOptions.metric, ReportOptions.zone, ReportOptions.window,
      ReportOptions.richMeans, output, date, restate, ReportOptions.byteOrderMark, verify,
    ]
  ) { arguments in
    if let folder = arguments[verify] {
      guard arguments[output] == nil else {
        throw arguments.usageError("--verify writes nothing: leave --output out.")
      }
      return try verify(NightlyFolder(path: folder))
    }
    guard let path = arguments[output] else {
      throw arguments.usageError("Give the folder to write to: --output PATH.")
    }
    try await SharedOptions.withStore(arguments) { opened in
      let job = try opened.store.connect(.aggregating)
      _ = try EngagementProjection().run(on: job, patience: .seconds(600)).caughtUp()
      let connection = try opened.store.connect(.asking)
      let query = try ReportOptions.nightlyQuery(arguments, on: connection)
      let last = try lastDay(arguments, query, on: connection)
      let folder = NightlyFolder(path: path)
      try folder.withLock { try run(arguments, query, upTo: last, in: folder, on: connection) }
    }
  }

  /// The last day to report, once it can be.
  private static func lastDay(
    _ arguments: ParsedArguments, _ query: RateQuery, on connection: borrowing Connection
  ) throws -> CalendarDate {
    guard let last = try ClosedDays.last(query, on: connection).flatMap({ CalendarDate($0.text) }) else {
      throw StoreError(
        .invalidValue, "Nothing has been aggregated yet, so there is no day to report.",
        remedy: "Post events first; a day can be reported one window after its end.")
    }
    let day = arguments[date] ?? last
    guard day <= last else {
      throw StoreError(
        .invalidValue,
        "The day \(day) is not closed yet: notifications delivered on it may still be interacted with.",
        remedy: "The last closed day is \(last). For provisional figures use pushlift rates --from --to."
      )
    }
    return day
  }

  private static func run(
    _ arguments: ParsedArguments, _ query: RateQuery, upTo last: CalendarDate, in folder: NightlyFolder,
    on connection: borrowing Connection
  ) throws {
    var manifest = try NightlyManifest.open(folder, for: query)
    try manifest.complete(in: folder)
    func files(_ day: CalendarDate) throws -> NightlyFiles {
      try NightlyFiles(
        day, query, hasByteOrderMark: arguments[ReportOptions.byteOrderMark], on: connection)
    }
    let former = try folder.days()
    let first = try ClosedDays.first(query, on: connection).flatMap { CalendarDate($0.text) }
    if arguments[date] != nil, let first, last < first, !former.contains(last) {
      throw StoreError(
        .invalidValue,
        "No notification was delivered on \(last): the first day of \(query.app.name) is \(first).",
        remedy: "Give --date that day or a later one.")
    }
    let missing =
      arguments[date] == nil
      ? missing(former, begun: try folder.begunDays().min(), from: first, upTo: last)
      : former.contains(last) ? [] : [last]
    if former.isEmpty, arguments[date] == nil, let first, first < last {
      Terminal.complain(
        "Deliveries are there from \(first) on; for files of these days run this once with --date \(first), then without."
      )
    }
    if !arguments[restate] { try tellDamage(of: folder, manifest, except: missing) }
    if missing.isEmpty, !arguments[restate] {
      Terminal.complain(
        "\(folder.file(of: last)) is there already and stays as it is; --restate writes it anew if figures changed."
      )
    }
    for day in missing {
      try folder.write(try files(day))
      try manifest.update(day, in: folder)
      // After each day, so that a long catching up that is broken off is not begun anew.
      try manifest.write(to: folder)
    }
    let wanted = former.filter { arguments[date] == nil || $0 == last }
    let restated =
      arguments[restate] ? try NightlyRestatement.run(wanted, in: folder, &manifest, files) : 0
    try manifest.write(to: folder)
    let position = try EngagementProjection.checkpoint(on: connection).position
    try Terminal.print(
      "nightly ok app=\(quoted(query.app.name)) written=\(missing.count) restated=\(restated) "
        + "last=\(try folder.days().last ?? last) position=\(position) output=\(quoted(folder.path))")
  }

  /// Writes the files of a day, and the manifest of a folder that is new.
  static func write(
    _ day: CalendarDate, _ query: RateQuery, to folder: NightlyFolder, on connection: borrowing Connection
  ) throws {
    try folder.withLock {
      var manifest = try NightlyManifest.open(folder, for: query)
      try folder.write(try NightlyFiles(day, query, on: connection))
      try manifest.update(day, in: folder)
      try manifest.write(to: folder)
    }
  }

  /// Files that are not as they were written, which only --restate mends.
  private static func tellDamage(
    of folder: NightlyFolder, _ manifest: NightlyManifest, except days: [CalendarDate]
  ) throws {
    let names = try manifest.damagedNames(in: folder, except: days)
    guard let first = names.first else { return }
    let more = names.count > 1 ? " and \(names.count - 1) more" : ""
    Terminal.complain(
      "\(folder.path)/\(first)\(more): missing, or not what was written. --verify names them, --restate writes them anew."
    )
  }

  /// The days that are not there from the first one on that the folder has anything of, or the first with a delivery where that
  /// is later; the last one where the folder has nothing.
  private static func missing(
    _ days: [CalendarDate], begun earliest: CalendarDate?, from delivery: CalendarDate?,
    upTo last: CalendarDate
  ) -> [CalendarDate] {
    guard let earliest else { return [last] }
    let first = max(earliest, delivery ?? earliest)
    let known = Set(days)
    let range = first.postgresDate.daysSince1970...max(first, last).postgresDate.daysSince1970
    return range.compactMap { CalendarDate(PostgresDate(daysSince1970: $0).text) }
      .filter { $0 <= last && !known.contains($0) }
  }

  /// As log formats of names and values have it.
  private static func quoted(_ text: String) -> String {
    let shown = TextTable.visible(text)
    return shown.contains { " \"=".contains($0) } ? "\"\(shown.replacing("\"", with: "\\\""))\"" : shown
  }

  private static func verify(_ folder: NightlyFolder) throws {
    guard let manifest = try NightlyManifest.read(folder) else {
      throw NightlyError("\(NightlyManifest.path(folder)) is not there.")
    }
    let differences = try manifest.differences(in: folder)
    for line in differences { try Terminal.print(line) }
    guard differences.isEmpty else {
      throw NightlyError(
        "\(differences.count) file\(differences.count == 1 ? "" : "s") of \(folder.path) \(differences.count == 1 ? "differs" : "differ") from manifest.json."
      )
    }
    let count = manifest.days.reduce(0) { $0 + $1.files.count }
    try Terminal.print(
      "nightly ok verified=\(count) days=\(manifest.days.count) output=\(quoted(folder.path))")
  }
}
