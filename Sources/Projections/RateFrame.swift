package import EventStore
package import Postgres

/// A zone that days are cut in and a window that interactions count in, for which an app's rates are kept: reports in it are
/// read from few rows, and those in any other are counted from the units.
package struct RateFrame: Sendable, Hashable {
  /// 0 for the app's own zone and window.
  package let id: Int16
  package let zone: String
  package let windowSeconds: Int

  /// How many an app may have beside its own: each of them costs the job.
  package static let limit = 8

  package init(id: Int16, zone: String, windowSeconds: Int) {
    self.id = id
    self.zone = zone
    self.windowSeconds = windowSeconds
  }
}

extension RateFrame {
  /// app_id, frame_id, zone, attribution_window of all apps' own frames and those that they keep beside.
  static let all: SQL = """
    (
      select app_id, 0::smallint as frame_id, zone, attribution_window from app
      union all
      select app_id, frame_id, zone, attribution_window from rate_frame
    ) frame
    """

  /// The app's own frame.
  package static func own(of app: App) -> RateFrame {
    RateFrame(id: 0, zone: app.zone, windowSeconds: app.windowSeconds)
  }

  /// Those that an app keeps beside its own, by zone and window.
  package static func kept(by app: AppID, on connection: borrowing Connection) throws -> [RateFrame] {
    try connection.query(
      """
      select frame_id, zone, extract(epoch from attribution_window)::bigint from rate_frame
      where app_id = \(app.rawValue) order by zone collate "C", attribution_window
      """
    ).map { row in
      RateFrame(id: try row.value(0), zone: try row.value(1), windowSeconds: try row.value(2))
    }
  }

  /// The frame that a query asks for; nil where it is not kept.
  static func find(_ query: RateQuery, on connection: borrowing Connection) throws -> RateFrame? {
    let own = own(of: query.app)
    if own.zone == query.zone, own.windowSeconds == query.windowSeconds { return own }
    return try kept(by: query.app.id, query.zone, query.windowSeconds, on: connection)
  }

  private static func kept(
    by app: AppID, _ zone: String, _ windowSeconds: Int, on connection: borrowing Connection
  ) throws -> RateFrame? {
    try kept(by: app, on: connection).first { $0.zone == zone && $0.windowSeconds == windowSeconds }
  }
}

extension RateFrame {
  /// Keeps the rates of an app in one more zone and window, beginning with what was aggregated.
  ///
  /// While it works through the app's units, which takes seconds a million, the job stands still; reports go on.
  ///
  /// - Parameter connection: of the role that aggregates.
  /// - Returns: false where it is kept already.
  /// - Throws: `StoreError.invalidValue` for a zone that Postgres does not know, a window out of range, or one frame too many;
  ///   `StoreError.overloaded` where the job or a rebuild was in the way for too long.
  package static func add(
    zone: String, windowSeconds: Int, to app: App, on connection: borrowing Connection
  ) throws -> Bool {
    var query = RateQuery(app: app)
    (query.zone, query.windowSeconds) = (zone, windowSeconds)
    try query.requireValid(on: connection)
    return try withStillTables(on: connection) { (connection: borrowing Connection) in
      if try find(query, on: connection) != nil { return false }
      let taken = Set(try kept(by: app.id, on: connection).map(\.id))
      guard let id = (1...Int16(limit)).first(where: { !taken.contains($0) }) else {
        throw StoreError(
          .invalidValue,
          "The app '\(app.name)' keeps \(limit) zones and windows beside its own, which is the most.",
          remedy: "Give one up: pushlift frame remove.")
      }
      try connection.execute(
        """
        insert into rate_frame (app_id, frame_id, zone, attribution_window)
        values (\(app.id.rawValue), \(id), \(zone), \(windowSeconds) * interval '1 second')
        """)
      for statement in fill(id, of: app.id) { try connection.execute(statement) }
      return true
    }
  }

  /// Keeps the rates of an app in a zone and window no longer.
  ///
  /// - Parameter connection: of the role that aggregates.
  /// - Returns: false where they were not kept.
  /// - Throws: `StoreError.overloaded` where the job or a rebuild was in the way for too long.
  package static func remove(
    zone: String, windowSeconds: Int, from app: App, on connection: borrowing Connection
  ) throws -> Bool {
    try withStillTables(on: connection) { (connection: borrowing Connection) in
      guard let frame = try kept(by: app.id, zone, windowSeconds, on: connection) else { return false }
      for table in ["rate_frame", "framed_rate", "daily_action"] {
        try connection.execute(
          "delete from \(identifier: table) where app_id = \(app.id.rawValue) and frame_id = \(frame.id)")
      }
      return true
    }
  }

  /// Lends a transaction during which neither the job nor a rebuild works.
  private static func withStillTables<Value>(
    on connection: borrowing Connection, _ body: (borrowing Connection) throws -> Value
  ) throws -> Value {
    try ProjectionRebuild.withoutRebuild(on: connection) { (connection: borrowing Connection) in
      try RunnerLock.withLock(on: connection) { (connection: borrowing Connection) in
        try connection.withTransaction(first: ProjectionTables.share, body)
      }
    }
  }

  /// The statements that work out a frame's rows from the units.
  private static func fill(_ id: Int16, of app: AppID) -> [SQL] {
    let app = SQL(unsafeRaw: "app_id = \(app.rawValue)")
    let units: SQL = "(select * from unit_outcome where \(app) and delivered_at is not null)"
    let frames: SQL = "(select * from rate_frame where \(app) and frame_id = \(unsafeRaw: "\(id)")) frame"
    let sums = RateRow.sums(of: units, weight: "1", in: frames)
    let taken = ActionRow.taken(by: units, of: "unit_interaction", in: frames)
    return RateRow.byHash("create temporary table frame_sum on commit drop as \(sums)") + [
      """
      insert into framed_rate (frame_id, \(RateRow.keyColumns), \(RateRow.counts.list))
      \(RateRow.framedRates(from: "frame_sum"))
      """,
      """
      insert into daily_action (\(ActionRow.keyColumns), \(ActionRow.counts.list))
      \(ActionRow.actions(offeredIn: "frame_sum", taken: taken))
      """,
    ]
  }
}
