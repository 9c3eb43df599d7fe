internal import Postgres

/// The tables that come from all units. They are made as they are filled, since Postgres reads by several processes for that
/// and not for an insert.
///
/// Their shape is read from the catalogue, so that a later migration has nothing to add here.
enum BulkTable {
  static let names = ["unit_outcome", "unit_interaction", "daily_rate", "framed_rate", "daily_action"]

  /// The columns of each serving table in their order, as expressions with their collations. Merging goes by bytes, and
  /// leaves that collation on what it makes.
  static func columns(on connection: borrowing Connection) throws -> [String: SQL] {
    var columns: [String: SQL] = [:]
    for name in names {
      let list = try connection.value(
        of: """
          select string_agg(
            quote_ident(attname) || case when attcollation <> 0 then ' collate "default" as ' || quote_ident(attname) else '' end,
            ', ' order by attnum)
          from pg_attribute where attrelid = \(name)::regclass and attnum > 0 and not attisdropped
          """, as: String.self)
      columns[name] = SQL(unsafeRaw: list)
    }
    return columns
  }

  /// Gives made tables the defaults and the marks of what is never null that the serving ones have.
  static func adoptShape(_ tables: ProjectionTables, on connection: borrowing Connection) throws {
    for name in names {
      let changes = try connection.value(
        of: """
          select string_agg(change, ', ' order by attnum, change)
          from (
            select attnum, format('alter %I set not null', attname) as change
            from pg_attribute where attrelid = \(name)::regclass and attnum > 0 and attnotnull
            union all
            select attnum, format('alter %I set default %s', attname, pg_get_expr(adbin, adrelid))
            from pg_attribute join pg_attrdef on adrelid = attrelid and adnum = attnum
            where attrelid = \(name)::regclass and not attisdropped
          ) shape
          """, as: String.self)
      try connection.execute("alter table \(tables[name]) \(unsafeRaw: changes)")
    }
  }
}
