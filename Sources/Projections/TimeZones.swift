internal import EventStore
package import Postgres

/// The zones that days can be cut in: the database's own, so that every day is cut by the same rules.
package enum TimeZones {
  /// - Throws: `StoreError.invalidValue` unless Postgres knows the zone by exactly this name.
  package static func require(_ zone: String, on connection: borrowing Connection) throws {
    // Listing all names takes Postgres longer than most reports; the usual ones are known without. Whoever brings events in may
    // not look at the frames.
    var sources: [SQL] = [
      "select \(zone) = 'UTC' or exists (select from app where zone = \(zone))",
      "select exists (select from pg_timezone_names where name = \(zone))",
    ]
    if try connection.value(of: "select has_table_privilege('rate_frame', 'select')", as: Bool.self) {
      sources.insert("select exists (select from rate_frame where zone = \(zone))", at: 1)
    }
    for source in sources {
      guard try !connection.value(of: source, as: Bool.self) else { return }
    }
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
