internal import Arguments
internal import EventStore
internal import Foundation
internal import Postgres
internal import Projections
internal import Reports

/// `pushlift nightly`.
enum NightlyCommand {
  private static let output = Option<String>.required(
    "output", .path, help: "The folder to write to; made if need be.")
  private static let date = Option<CalendarDate?>.optional(
    "date", .date, help: "The day of delivery to report. Usually the last one whose windows have all closed.")
  private static let restate = Option<Bool>.flag(
    "restate",
    help: "Also write the files anew that late events have changed: all in the folder, or that of --date.")

  static let command = Command(
    "nightly", abstract: "Write the CSV of a day of deliveries, for all categories.",
    discussion: """
      Aggregates first. Writes rates-YYYY-MM-DD.csv under a temporary name and renames it, and prints its path. A day is \
      reported once the last attribution window of its notifications has closed, so that its figures stay. A file that is \
      there already is left as it is.

      Events that come later than that still count, on the day that they belong to. With --restate the days whose figures \
      they have changed are written anew; what a file said before is kept beside it as rates-YYYY-MM-DD.v1.csv, then .v2.csv, \
      and so on. What changed is listed.
      """,
    examples: [
      "pushlift nightly --output /srv/reports", "pushlift nightly --output . --date 2026-11-28",
      "pushlift nightly --output /srv/reports --restate",
    ],
    options: SharedOptions.store + [
      SharedOptions.app, ReportOptions.metric, ReportOptions.zone, ReportOptions.window,
      ReportOptions.richMeans, output, date, restate,
    ]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let job = try opened.store.connect(.aggregating)
      _ = try EngagementProjection().run(on: job, patience: .seconds(600)).caughtUp()
      let connection = try opened.store.connect(.asking)
      let query = try ReportOptions.nightlyQuery(arguments, on: connection)
      let day = try closedDay(arguments, query, on: connection)
      let folder = NightlyFolder(path: arguments[output])
      let restated = !arguments[restate] ? [] : arguments[date] == nil ? try folder.days() : [day]
      if restated.contains(day) {
        Terminal.print(folder.file(of: day))
      } else {
        Terminal.print(try write(day, query, to: folder, on: connection))
      }
      guard arguments[restate] else { return }
      try restate(restated.filter { folder.has($0) }, query, in: folder, on: connection)
    }
  }

  /// The day to report, once it can be.
  private static func closedDay(
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

  private static func csv(
    _ day: CalendarDate, _ query: RateQuery, on connection: borrowing Connection
  ) throws -> [UInt8] {
    var query = query
    query.firstDay = day.postgresDate
    query.lastDay = day.postgresDate
    return try RateReport(try RateReader.read(query, on: connection)).csv
  }

  /// - Returns: the path of the file.
  static func write(
    _ day: CalendarDate, _ query: RateQuery, to folder: NightlyFolder, on connection: borrowing Connection
  ) throws -> String {
    let path = folder.file(of: day)
    guard !folder.has(day) else {
      Terminal.complain(
        "\(path) is there already and stays as it is; --restate writes it anew if figures changed.")
      return path
    }
    try folder.write(try csv(day, query, on: connection), of: day)
    return path
  }

  /// Compares the days' files with what would be written now, and replaces those whose figures differ.
  private static func restate(
    _ days: [CalendarDate], _ query: RateQuery, in folder: NightlyFolder, on connection: borrowing Connection
  ) throws {
    var count = 0
    for day in days {
      let path = folder.file(of: day)
      let bytes = try csv(day, query, on: connection)
      let former = try NightlyTable(path: path)
      let current = try NightlyTable(name: path, bytes)
      guard former.reportsTheSame(as: current) else {
        Terminal.complain(
          "\(path) is the report of another app, zone, window or metric: it is left as it is. Give the options that it was made with."
        )
        continue
      }
      let changes = former.changes(to: current)
      guard !changes.isEmpty else { continue }
      let kept = try folder.replace(day, with: bytes)
      count += 1
      Terminal.print("\(path) restated, position \(former.position) → \(current.position); before: \(kept)")
      for line in changes { Terminal.print("  " + line) }
    }
    Terminal.print("\(count) of \(days.count) days restated")
  }
}
