package import Postgres

/// Lets the texts of old replies go. Their events stay, and with them that there was a reply and how long it was.
package enum ReplyRetention {
  /// Removes the texts that came more than so many days ago, of all apps.
  ///
  /// - Parameter connection: of the owner.
  /// - Returns: how many there were.
  package static func run(keptDays: Int32, on connection: borrowing Connection) throws -> Int {
    try connection.execute(
      """
      delete from reply
      where coalesce(received_at, day::timestamptz) < now() - \(keptDays) * interval '1 day'
      """)
  }
}
