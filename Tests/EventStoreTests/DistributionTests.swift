import EventStore
import Postgres
import TestSupport
import Testing

/// What keeps the schema fit to be distributed by `unit_id` over several machines.
@Suite(.store)
struct DistributionTests {
  @Test func everyUniqueKeyHoldsUnitAndDay() throws {
    let connection = try EventStore.prepared().connectAsSuperuser()
    let keys = try connection.query(
      """
      select i.indexrelid::regclass::text, array(
          select attname::text from pg_attribute where attrelid = i.indrelid and attnum = any (i.indkey) order by 1)
      from pg_index i join pg_class c on c.oid = i.indrelid
      where i.indisunique and (c.relname like 'event%' or c.relname = 'reply') and c.relnamespace = 'pushlift'::regnamespace
      """
    ).map { row in (index: try row.value(0, as: String.self), columns: try row.value(1, as: [String].self)) }
    #expect(keys.count > 50)
    for key in keys {
      #expect(key.columns.contains("unit_id"), "\(key.index)")
      #expect(key.columns.contains("day"), "\(key.index)")
    }
    let units = try connection.query(
      """
      select array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any (indkey))
      from pg_index where indisunique and indrelid in ('unit_outcome'::regclass, 'unit_interaction'::regclass)
      """
    ).map { row in try row.value(0, as: [String].self) }
    #expect(units.count == 1)
    #expect(units.allSatisfy { $0.contains("unit_id") })
  }

  @Test func theBigTablesHaveNeitherTriggersNorForeignKeysNorIdentities() throws {
    let connection = try EventStore.prepared().connectAsSuperuser()
    let big = """
      (select oid from pg_class where relnamespace = 'pushlift'::regnamespace
        and (relname like 'event%' or relname in ('reply', 'unit_outcome', 'unit_interaction')))
      """
    for (what, catalogue) in [
      ("trigger", "pg_trigger where tgrelid in \(big)"),
      ("foreign key", "pg_constraint where contype = 'f' and (conrelid in \(big) or confrelid in \(big))"),
      ("identity column", "pg_attribute where attidentity <> '' and attrelid in \(big)"),
      ("rule", "pg_rewrite where ev_class in \(big)"),
    ] {
      let count = try connection.value(of: "select count(*) from \(unsafeRaw: catalogue)", as: Int.self)
      #expect(count == 0, "\(what)")
    }
  }

  /// Positions come from a plain sequence, which the coordinator keeps.
  @Test func noDefaultButTheSequenceIsWorkedOutByRow() throws {
    let connection = try EventStore.prepared().connectAsSuperuser()
    let defaults = try connection.query(
      """
      select attname || ' ' || pg_get_expr(adbin, adrelid) from pg_attrdef
      join pg_attribute on attrelid = adrelid and attnum = adnum
      where adrelid in ('event'::regclass, 'reply'::regclass, 'unit_outcome'::regclass, 'unit_interaction'::regclass)
      order by 1
      """
    ).map { row in try row.value(0, as: String.self) }
    #expect(defaults == ["is_sealed false", "position nextval('event_position'::regclass)"])
  }

  @Test func withoutCitusItIsSaidWhatIsMissing() throws {
    let store = try EventStore.prepared()
    let error = #expect(throws: StoreError.self) { try Distribution.apply(on: store.connect(.owning)) }
    #expect(error?.code == .schema)
    #expect(error?.message.contains("extension citus is not in this database") == true)
    #expect(error?.remedy?.contains("citus_add_node") == true)
    #expect(try Distribution.distributedTables(on: store.connect(.asking)).isEmpty)
  }

  /// With functions and a table of Citus's names that write down what they are asked for.
  @Test func theBigTablesAreDistributedByUnitOnceAndLieTogether() throws {
    let store = try EventStore.prepared()
    try store.connectAsSuperuser().script(
      """
      create table pg_dist_partition (logicalrelid oid, distributed_by text, colocated text);
      create function create_distributed_table(name text, by text, colocate_with text) returns void language sql
        as 'insert into pushlift.pg_dist_partition values (name::regclass, by, colocate_with)';
      grant all on pg_dist_partition to public;
      """)
    #expect(try Distribution.apply(on: store.connect(.owning)) == Distribution.tables)
    #expect(try Distribution.apply(on: store.connect(.owning)) == [])
    let calls = try store.connectAsSuperuser().query(
      "select logicalrelid::regclass || ' ' || distributed_by || ' ' || colocated from pg_dist_partition"
    ).map { row in try row.value(0, as: String.self) }
    #expect(
      calls == [
        "event unit_id none", "reply unit_id event", "unit_outcome unit_id event",
        "unit_interaction unit_id event",
      ])
  }
}
