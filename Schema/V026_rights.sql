-- What each kind of work needs, and no more. Partitions of the log are nobody's but the owner's. pushlift_runtime keeps what
-- it has, so that a server of before goes on.

grant usage on schema pushlift to pushlift_writer, pushlift_aggregator, pushlift_analyst, pushlift_reader;

-- What every command looks at first, as its login.
grant select on schema_migration, secret_check
  to pushlift_writer, pushlift_aggregator, pushlift_analyst, pushlift_replies;

-- Adds events, texts and letters, and reads back what tells a resent one from a new one.
grant insert on event, reply, dead_letter, source_limit to pushlift_writer;
grant select (event_id, unit_id, day, fingerprint) on event to pushlift_writer;
grant select (event_id, unit_id, day) on reply to pushlift_writer;
grant select (app_id, source, event_index, device_key, code, body) on dead_letter to pushlift_writer;
grant select (device_key, until) on erasure to pushlift_writer;
grant select on app, api_key, category_registry, projection_checkpoint to pushlift_writer;
grant usage, select on sequence event_position to pushlift_writer;
grant usage on sequence dead_letter_number to pushlift_writer;
grant execute on function make_event_partitions, refuse_erased to pushlift_writer;

-- Reads the log and writes what is made from it.
grant select on event, event_position, app to pushlift_aggregator;
grant select, insert on unit_interaction to pushlift_aggregator;
grant select, insert, update on unit_outcome, daily_implausible, log_tally to pushlift_aggregator;
grant select, insert, update, delete on daily_rate to pushlift_aggregator;
grant select, update on projection_checkpoint to pushlift_aggregator;
grant execute on function make_event_partitions to pushlift_aggregator;

-- Reads everything but texts of replies and the hashes of keys, and writes nothing.
grant select on app, event, event_position, dead_letter, category_registry, source_limit, erasure, retired_partition,
  unit_outcome, unit_interaction, daily_rate, daily_implausible, log_tally, projection_checkpoint to pushlift_analyst;
grant select (key_id, app_id, scope, label, created_at, revoked_at) on api_key to pushlift_analyst;

-- Reads what a report of one app is made from: see V027.
grant select on app, category_registry, source_limit, unit_outcome, unit_interaction, daily_rate, daily_implausible,
  log_tally, projection_checkpoint to pushlift_reader;
grant select (app_id, received_at, code) on dead_letter to pushlift_reader;
