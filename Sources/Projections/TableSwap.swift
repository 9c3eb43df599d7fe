internal import EventStore
internal import Postgres

/// Puts the rebuilt tables in the place of the serving ones: with their indexes' names, their grants, policies and views.
///
/// The shape is read from the catalogue, so that a later migration has nothing to add here.
enum TableSwap {
  private static let suffix = ProjectionTables.rebuilt.suffix

  /// Makes the indexes that the serving table has, after the table was filled: in bulk they cost a fraction.
  static func makeIndexes(like table: ProjectionTables.Table, on connection: borrowing Connection) throws {
    let indexes = try connection.query(
      """
      select index.relname::text, indisunique, indisprimary, substring(pg_get_indexdef(indexrelid) from 'USING .*')
      from pg_index join pg_class index on index.oid = indexrelid
      where indrelid = \(table.name)::regclass order by index.relname
      """
    ).map { row in
      (
        name: try row.value(0, as: String.self), isUnique: try row.value(1, as: Bool.self),
        isPrimary: try row.value(2, as: Bool.self), method: try row.value(3, as: String.self)
      )
    }
    let made = ProjectionTables.rebuilt[table.name]
    for index in indexes {
      let name: SQL = "\(identifier: index.name + suffix)"
      try connection.execute(
        "create \(unsafeRaw: index.isUnique ? "unique " : "")index \(name) on \(made) \(unsafeRaw: index.method)"
      )
      if index.isPrimary {
        try connection.execute("alter table \(made) add constraint \(name) primary key using index \(name)")
      }
    }
  }

  /// Waits for reports under way, a moment at a time, so that new ones never wait longer than that.
  ///
  /// - Throws: `StoreError.overloaded` where reports were in the way all the time.
  static func run(on connection: borrowing Connection) throws {
    for _ in 0..<40 {
      do {
        try connection.withTransaction { (connection: borrowing Connection) in
          try connection.script(BriefLock.bound)
          // First those that nobody reads yet, but an autovacuum may.
          try connection.execute("lock table \(ProjectionTables.rebuilt.list) in access exclusive mode")
          try connection.execute("lock table \(ProjectionTables.serving.list) in access exclusive mode")
          try swap(on: connection)
        }
        return
      } catch let error as PostgresError where error.isLockDenied {
        continue
      }
    }
    throw StoreError(
      .overloaded, "Reports kept the tables busy for a minute, so that they could not be swapped.",
      remedy: "Run pushlift rebuild again when fewer run.")
  }

  private static func swap(on connection: borrowing Connection) throws {
    let views = try viewsOnServingTables(on: connection)
    let policies = try policiesOfServingTables(on: connection)
    for table in ProjectionTables.all {
      try grantAlike(table, on: connection)
      try connection.execute(
        "alter table \(identifier: table.name) rename to \(identifier: table.name + "_former")")
      try connection.execute(
        "alter table \(identifier: table.name + suffix) rename to \(identifier: table.name)")
    }
    // Views and policies go by the table and not by its name: made once more from their text, they find the new ones.
    for statement in views + policies { try connection.execute(SQL(unsafeRaw: statement)) }
    // At once, since a policy of one reads another.
    try connection.execute("drop table \(ProjectionTables(suffix: "_former").list)")
    for table in ProjectionTables.all { try renameIndexes(of: table, on: connection) }
    try connection.execute(
      """
      update projection_checkpoint serving set position = made.position, watermark = made.watermark
      from projection_checkpoint made
      where serving.name = \(ProjectionTables.serving.checkpoint) and made.name = \(ProjectionTables.rebuilt.checkpoint)
      """)
    try connection.execute(
      "delete from projection_checkpoint where name = \(ProjectionTables.rebuilt.checkpoint)")
  }

  /// What others may do with the serving table they may do with the new one.
  private static func grantAlike(_ table: ProjectionTables.Table, on connection: borrowing Connection) throws
  {
    let grants = try connection.query(
      """
      select format('grant %s on %I to %s', privilege_type, \(table.name + suffix),
        case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
      from pg_class, aclexplode(relacl)
      where oid = \(table.name)::regclass and grantee <> relowner
      order by 1
      """
    ).map { row in try row.value(0, as: String.self) }
    for grant in grants { try connection.execute(SQL(unsafeRaw: grant)) }
  }

  /// Statements that give tables of the serving ones' names the policies that these have.
  private static func policiesOfServingTables(on connection: borrowing Connection) throws -> [String] {
    let names = ProjectionTables.all.map(\.name)
    return try connection.query(
      """
      select format('alter table %I enable row level security', relname) as statement, 1 as step
      from pg_class where relrowsecurity and oid in (select name::regclass from unnest(\(names)) name)
      union all
      select format('create policy %I on %I as %s for %s to %s', polname, relname,
          case when polpermissive then 'permissive' else 'restrictive' end,
          case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
          (select string_agg(case role when 0 then 'public' else quote_ident(pg_get_userbyid(role)) end, ', ')
            from unnest(polroles) role))
        || coalesce(' using (' || pg_get_expr(polqual, polrelid) || ')', '')
        || coalesce(' with check (' || pg_get_expr(polwithcheck, polrelid) || ')', ''), 2
      from pg_policy join pg_class on pg_class.oid = polrelid
      where polrelid in (select name::regclass from unnest(\(names)) name)
      order by step, statement
      """
    ).map { row in try row.value(0, as: String.self) }
  }

  /// Statements that make the views anew which read a serving table directly.
  private static func viewsOnServingTables(on connection: borrowing Connection) throws -> [String] {
    let names = ProjectionTables.all.map(\.name)
    return try connection.query(
      """
      select distinct format('create or replace view %s %s as %s', view.oid::regclass,
        'with (' || array_to_string(view.reloptions, ', ') || ')', pg_get_viewdef(view.oid))
      from pg_depend join pg_rewrite rule on rule.oid = objid join pg_class view on view.oid = ev_class
      where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and view.relkind = 'v'
        and refobjid in (select name::regclass from unnest(\(names)) name)
      order by 1
      """
    ).map { row in try row.value(0, as: String.self) }
  }

  private static func renameIndexes(of table: ProjectionTables.Table, on connection: borrowing Connection)
    throws
  {
    let names = try connection.query(
      "select indexrelid::regclass::text from pg_index where indrelid = \(table.name)::regclass order by 1"
    ).map { row in try row.value(0, as: String.self) }
    for name in names where name.hasSuffix(suffix) {
      try connection.execute(
        "alter index \(identifier: name) rename to \(identifier: String(name.dropLast(suffix.count)))")
    }
  }
}
