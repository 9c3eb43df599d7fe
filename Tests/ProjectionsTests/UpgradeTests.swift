import EngagementEvents
import EventStore
import Postgres
import TestSupport
import Testing

@testable import Projections

/// A store that an earlier pushlift has filled has everything after its migration that a new one would have.
@Suite(.store)
struct UpgradeTests {
  @Test func whatIsNewInTheTablesIsFilledFromTheEvents() throws {
    let store = try EventStore.prepared()
    let app = try store.fill(notifications: 200)
    var told = try EventSample.delivered(of: ("told", "d"), appVersion: "2.0", level: .critical)
    told.source = .provider
    told.experiment = try ExperimentAssignment(name: "banner", arm: "on")
    try store.append(
      [told, .opened(of: ("told", "d")), .expanded(of: ("odd", "d")).received(after: 401 * 86_400)],
      to: app.id)
    try store.project()
    let superuser = try store.connectAsSuperuser()
    let expected = try ProjectedState(superuser)
    // One event that came and was not read yet.
    try store.append([.delivered(of: ("told", "d"), appVersion: "1.0")], to: app.id)
    // Back to the tables of version 11, as its job had left them.
    try superuser.script(
      """
      drop schema pushlift_views cascade; drop view erasure_key;
      do $$ declare policy record; begin
        for policy in select * from pg_policies where schemaname = 'pushlift' loop
          execute format('drop policy %I on pushlift.%I', policy.policyname, policy.tablename);
        end loop;
      end $$;
      drop index unit_outcome_sample, unit_outcome_sample_1, unit_outcome_sample_2, unit_outcome_sample_4,
        unit_outcome_sealed;
      alter table unit_outcome drop column source, drop column app_version, drop column interruption_level,
        drop column is_sealed;
      alter table daily_rate drop column in_experiment;
      alter table daily_implausible drop column dropped;
      drop table log_tally; drop table retired_partition; drop table category_registry;
      drop table source_limit;
      alter table reply drop column received_at;
      alter table dead_letter drop column file;
      drop table erasure; drop sequence erasure_number;
      drop function refuse_erased; drop function begin_erasure; drop function finish_erasures;
      drop function salted_device; drop function salted;
      drop table rate_frame, framed_rate, daily_action, dead_letter_tally;
      drop index unit_interaction_unit;
      alter table unit_interaction add primary key (unit_id, at, type, action_id, replied);
      delete from schema_migration where version > 11;
      """)
    #expect(try store.prepare().first == "V012_unit_facts.sql")
    #expect(try ProjectedState(store.connect(.aggregating)) == expected)
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
    _ = try store.project().caughtUp()
    #expect(try ProjectionCheck.run(on: store.connect(.asking)).isSound)
  }
}
