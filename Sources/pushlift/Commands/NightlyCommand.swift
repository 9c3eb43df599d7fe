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

  static let command = Command(
    "nightly", abstract: "Write the CSV of a day of deliveries, for all categories.",
    discussion: """
      Aggregates first. Writes rates-YYYY-MM-DD.csv under a temporary name and renames it, and prints its path. A day is \
      reported once the last attribution window of its notifications has closed, so that its figures stay. A file that is \
      there already is left as it is.
      """,
    examples: ["pushlift nightly --output /srv/reports", "pushlift nightly --output . --date 2026-11-28"],
    options: SharedOptions.store + [
      SharedOptions.app, ReportOptions.metric, ReportOptions.zone, ReportOptions.window,
      ReportOptions.richMeans, output,
      date,
    ]
  ) { arguments in
    try await SharedOptions.withStore(arguments) { opened in
      let job = try opened.store.connect(.aggregating)
      _ = try EngagementProjection().run(on: job)
      let connection = try opened.store.connect(.asking)
      let query = try nightlyQuery(arguments, on: connection)
      try Terminal.print(write(query, to: arguments[output], on: connection))
    }
  }

  private static func nightlyQuery(
    _ arguments: ParsedArguments, on connection: borrowing Connection
  ) throws -> RateQuery {
    var query = try ReportOptions.nightlyQuery(arguments, on: connection)
    guard let last = try ClosedDays.last(query, on: connection) else {
      throw StoreError(
        .invalidValue, "Nothing has been aggregated yet, so there is no day to report.",
        remedy: "Post events first; a day can be reported one window after its end.")
    }
    let day = arguments[date]?.postgresDate ?? last
    guard day <= last else {
      throw StoreError(
        .invalidValue,
        "The day \(day.text) is not closed yet: notifications delivered on it may still be interacted with.",
        remedy: "The last closed day is \(last.text). For provisional figures use pushlift rates --from --to."
      )
    }
    query.firstDay = day
    query.lastDay = day
    return query
  }

  /// - Returns: the path of the file.
  static func write(_ query: RateQuery, to folder: String, on connection: borrowing Connection) throws
    -> String
  {
    guard let day = query.firstDay else { preconditionFailure("a nightly report is of one day") }
    let path = folder + "/rates-\(day.text).csv"
    guard !FileManager.default.fileExists(atPath: path) else {
      Terminal.complain("\(path) is there already and stays as it is; remove it to have it made anew.")
      return path
    }
    let report = try RateReport(try RateReader.read(query, on: connection))
    try OutputFile.makeFolder(folder)
    try OutputFile.write(report.csv, to: path)
    return path
  }
}
