package import ForeignEvents
package import Postgres

/// That deliveries of a day and category, brought in from another system, do not tell something.
package struct DeclaredLimit: Sendable, Hashable {
  package let app: AppID
  /// UTC, in days since 1970.
  package let day: Int32
  package let category: String
  /// The system, such as `onesignal`.
  package let source: String
  package let limit: SourceLimit

  package init(app: AppID, day: Int32, category: String, source: String, limit: SourceLimit) {
    self.app = app
    self.day = day
    self.category = category
    self.source = source
    self.limit = limit
  }

  /// Writes down what is not there yet. It comes before the events that it is about, so that these never stand alone.
  ///
  /// In order, so that those who write the same at the same time wait for each other one way.
  package static func declare(_ limits: some Collection<DeclaredLimit>, on connection: borrowing Connection)
    throws
  {
    guard !limits.isEmpty else { return }
    _ = try connection.execute(
      """
      insert into source_limit (app_id, day, category, source, lack, position)
      select app_id, day, category, source, lack, case when is_called then last_value else 0 end
      from event_position, unnest(
        \(limits.map(\.app.rawValue)), \(limits.map { PostgresDate(daysSince1970: $0.day) }),
        \(limits.map(\.category)), \(limits.map(\.source)), \(limits.map(\.limit.rawValue)))
        as new (app_id, day, category, source, lack)
      order by app_id, day, category, source, lack
      on conflict do nothing
      """)
  }
}
