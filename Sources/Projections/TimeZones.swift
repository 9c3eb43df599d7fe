internal import EventStore
package import Postgres

/// The zones that days can be cut in: the database's own, so that every day is cut by the same rules.
package enum TimeZones {
  /// - Throws: `StoreError.invalidValue` unless Postgres knows the zone by exactly this name.
  package static func require(_ zone: String, on connection: borrowing Connection) throws {
    // Postgres lists its zones by reading a folder of files, which takes longer than all the rest of a report.
    guard zone != "UTC" else { return }
    let isKnown = try connection.value(
      of: "select exists (select from pg_timezone_names where name = \(zone))", as: Bool.self)
    guard !isKnown else { return }
    let likely = try connection.query(
      """
      select name from pg_timezone_names
      where name ilike '%' || regexp_replace(\(zone), '^.*/', '') || '%' and name not like 'posix/%'
      order by name limit 3
      """
    ).map { row in try row.value(0, as: String.self) }
    let hint = likely.isEmpty ? "" : " Did you mean \(likely.joined(separator: ", "))?"
    throw StoreError(
      .invalidValue, "There is no time zone named '\(zone)'.\(hint)",
      remedy: "Give an IANA name such as Europe/Berlin or UTC.")
  }
}
