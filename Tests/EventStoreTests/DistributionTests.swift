import EventStore
import Postgres
import TestSupport
import Testing

/// What keeps the schema fit to be distributed by `unit_id` over several machines.
@Suite(.database)
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
    #expect(units.count == 2)
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
}
