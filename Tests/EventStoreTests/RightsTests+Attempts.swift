extension RightsTests {
  static let attempts = log + partitions + vault + letters + keys + projections + changes + shape + escalation

  private static let log = [
    Attempt("select * from event", .runtime, .aggregator, .analyst, .replies),
    Attempt("select device_key from event", .runtime, .aggregator, .analyst, .replies),
    Attempt(
      "select event_id, unit_id, day, fingerprint, app_id from event", .runtime, .writer, .aggregator,
      .analyst,
      .replies),
    Attempt(
      """
      insert into event (event_id, unit_id, day, app_id, device_key, fingerprint, occurred_at, received_at, corrected_at,
        type, time_quality, notification_id, category, occurred_at_raw)
      select gen_random_uuid(), gen_random_uuid(), '2026-11-04', 1, gen_random_uuid(), gen_random_uuid(), now(), now(),
        now(), 1, 0, 'n', '', ''
      """, .runtime, .writer),
    Attempt(
      """
      insert into event (event_id, unit_id, day) values (null, null, null)
      on conflict (event_id, unit_id, day) do update set category = ''
      """),
    Attempt("update event set day = day"), Attempt("update event set app_id = 2 where false"),
    Attempt("delete from event"), Attempt("delete from event where false"), Attempt("truncate event"),
    Attempt("select nextval('event_position')", .runtime, .writer),
    Attempt("select setval('event_position', 1)"), Attempt("copy event to '/tmp/pushlift-refused'"),
  ]

  /// What may be done with the log is done by way of the log.
  private static let partitions = ["event_default", week].flatMap { partition in
    [
      Attempt("select * from \(partition)"), Attempt("select count(*) from \(partition)"),
      Attempt("insert into \(partition) (event_id) values (null)"),
      Attempt("update \(partition) set day = day"), Attempt("delete from \(partition)"),
      Attempt("truncate \(partition)"), Attempt("drop table \(partition)"),
      Attempt("alter table event detach partition \(partition)"),
    ]
  }

  private static let vault = [
    Attempt("select text from reply", .replies), Attempt("select * from reply", .replies),
    Attempt("select reply from reply", .replies),
    Attempt(
      "select from event join reply using (event_id, unit_id, day) where text like '%m%'", .replies),
    Attempt(
      "create view pg_temp.texts as select text from pushlift.reply; select * from pg_temp.texts", .replies),
    Attempt("select event_id from reply", .runtime, .writer, .replies),
    Attempt("select device_key from reply", .runtime, .replies),
    Attempt(
      """
      insert into reply (event_id, unit_id, day, app_id, device_key, received_at, text)
      select gen_random_uuid(), gen_random_uuid(), '2026-11-04', 1, gen_random_uuid(), now(), 'more'
      on conflict (event_id, unit_id, day) do nothing
      """, .runtime, .writer),
    Attempt(
      """
      insert into reply (event_id, unit_id, day, text) values (null, null, null, '')
      on conflict (event_id, unit_id, day) do update set text = ''
      """),
    Attempt("update reply set text = ''"), Attempt("delete from reply"), Attempt("truncate reply"),
  ]

  private static let letters = [
    Attempt("select * from dead_letter", .runtime, .analyst, .replies),
    Attempt("select file from dead_letter", .runtime, .writer, .analyst, .replies),
    Attempt("select body from dead_letter", .runtime, .writer, .analyst, .replies),
    Attempt("select code from dead_letter", .runtime, .writer, .analyst, .reader, .replies),
    Attempt("select message from dead_letter", .runtime, .analyst, .replies),
    Attempt(
      """
      insert into dead_letter (app_id, received_at, source, event_index, field, code, message, body)
      values (1, now(), 'http', 0, '', '', '', '')
      """, .runtime, .writer),
    Attempt("update dead_letter set replayed_at = now()", .runtime),
    Attempt("update dead_letter set message = ''"), Attempt("delete from dead_letter"),
    Attempt("select prune_dead_letters('2000-01-01', 1)", .runtime),
    Attempt("select * from dead_letter_tally", .runtime, .analyst, .reader),
    Attempt("insert into dead_letter_tally values (1, now(), '', 1)"),
    Attempt("update dead_letter_tally set letters = 0"), Attempt("delete from dead_letter_tally"),
  ]

  private static let keys = [
    Attempt("select secret_hash from api_key", .runtime, .writer),
    Attempt("select * from api_key", .runtime, .writer),
    Attempt("select key_id, label from api_key", .runtime, .writer, .analyst),
    Attempt(
      "insert into api_key (key_id, app_id, scope, secret_hash) values ('x', 1, 'admin', sha256(''))",
      .runtime),
    Attempt("update api_key set revoked_at = now()", .runtime),
    Attempt("update api_key set secret_hash = sha256('')"), Attempt("update api_key set scope = 'admin'"),
    Attempt("delete from api_key"),
    Attempt(
      "select hash from secret_check", .runtime, .writer, .aggregator, .analyst, .replies),
    Attempt("update secret_check set hash = gen_random_uuid()"), Attempt("delete from secret_check"),
  ]

  private static let projections = [
    Attempt("select * from unit_outcome", .runtime, .aggregator, .analyst, .reader, .replies),
    Attempt("select * from unit_interaction", .runtime, .aggregator, .analyst, .reader, .replies),
    Attempt("select * from daily_rate", .runtime, .aggregator, .analyst, .reader, .replies),
    Attempt("select * from rate_frame", .runtime, .aggregator, .analyst, .reader, .replies),
    Attempt("select * from framed_rate", .runtime, .aggregator, .analyst, .reader, .replies),
    Attempt("select * from daily_action", .runtime, .aggregator, .analyst, .reader, .replies),
    Attempt("insert into rate_frame values (1, 1, 'UTC', '1 h')", .runtime, .aggregator),
    Attempt("delete from rate_frame", .runtime, .aggregator), Attempt("update rate_frame set zone = 'UTC'"),
    Attempt("delete from framed_rate", .runtime, .aggregator), Attempt("truncate framed_rate"),
    Attempt("update daily_action set taken = 0", .runtime, .aggregator), Attempt("truncate daily_action"),
    Attempt("select * from log_tally", .runtime, .aggregator, .analyst, .reader, .replies),
    Attempt(
      "insert into unit_outcome select * from unit_outcome where false on conflict (unit_id) do update set category = ''",
      .runtime, .aggregator),
    Attempt(
      "insert into unit_interaction values (gen_random_uuid(), now(), 1, '', false)", .runtime, .aggregator),
    Attempt("update unit_interaction set replied = false", .runtime),
    Attempt("delete from unit_outcome", .runtime), Attempt("delete from unit_interaction", .runtime),
    Attempt("delete from daily_rate", .runtime, .aggregator), Attempt("truncate daily_rate"),
    Attempt("update log_tally set events = 0", .runtime, .aggregator),
    Attempt("update projection_checkpoint set position = position", .runtime, .aggregator),
    Attempt("insert into projection_checkpoint values ('x', 0, null)"),
    Attempt("select * from pushlift_views.engagement", .dashboard),
    Attempt("select * from pushlift_views.dead_letter", .dashboard),
  ]

  private static let changes = [
    Attempt("insert into app (name) values ('another')", .runtime),
    Attempt("update app set zone = 'UTC'"), Attempt("delete from app"),
    Attempt("insert into category_registry values (1, now(), 0, '{}')", .runtime),
    Attempt("update category_registry set position = 0"), Attempt("delete from category_registry"),
    Attempt(
      "insert into source_limit values (1, '2026-11-04', '', 'braze', 'opening', 0)", .runtime, .writer),
    Attempt("delete from source_limit"),
    Attempt("select * from erasure", .runtime, .analyst, .replies),
    Attempt("select device_key, exported_key, until from erasure", .runtime, .writer, .analyst, .replies),
    Attempt("delete from erasure"), Attempt("update erasure set until = '2000-01-01'"),
    Attempt("truncate erasure"), Attempt("insert into erasure select * from erasure"),
    Attempt("select * from erasure_key"), Attempt("select salted('\\x00', gen_random_uuid())"),
    Attempt("select begin_erasure(1, array[gen_random_uuid()], '')", .runtime),
    Attempt("select finish_erasures()", .runtime),
    Attempt("select refuse_erased('{}')", .runtime, .writer, .analyst, .replies),
    Attempt("select make_event_partitions('2026-11-04', '2026-11-04')", .runtime, .writer, .aggregator),
  ]

  private static let shape = [
    Attempt("create table pushlift.another ()"), Attempt("create table public.another ()"),
    Attempt(
      "create table pushlift.event_more partition of event for values from ('2001-01-01') to ('2001-01-08')"),
    Attempt("alter table event add column more text"), Attempt("create index on event (category)"),
    Attempt("create function pushlift.f() returns int language sql as 'select 1'"),
    Attempt("drop schema pushlift cascade"), Attempt("alter table event disable trigger all"),
    Attempt("alter table unit_outcome disable row level security"),
    Attempt("drop policy own_app on unit_outcome"),
    Attempt("create policy more on unit_outcome using (true)"),
    Attempt("update schema_migration set checksum = ''"), Attempt("delete from schema_migration"),
  ]

  private static let escalation = [
    Attempt("set role pushlift_owner"), Attempt("set role postgres"),
    Attempt("set session authorization postgres"),
    Attempt("reset role; set role pushlift_owner"),
    Attempt("set role pushlift_runtime", .runtime), Attempt("set role pushlift_replies", .replies),
    Attempt("set role pushlift_dashboard", .dashboard),
    Attempt("set role pushlift_writer", .runtime, .writer),
    Attempt("set role pushlift_aggregator", .runtime, .aggregator),
    Attempt("set role pushlift_analyst", .runtime, .analyst),
    Attempt("set role pushlift_reader", .runtime, .reader),
    Attempt("grant pushlift_owner to pushlift_writer"), Attempt("alter role pushlift_reader bypassrls"),
  ]
}
