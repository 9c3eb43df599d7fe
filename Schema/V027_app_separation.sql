-- A session that serves a key acts as pushlift_reader and sees the rows of the one app that its setting pushlift.app names,
-- whatever a query asks for. Where that is not set, its queries fail. It has no right to the log, the replies and the keys.

-- A server may be running: behind a rebuild and the job, and in the order in which reports take their tables.
select pg_advisory_xact_lock(7081004);
select pg_advisory_xact_lock(7081003);
lock table unit_outcome, unit_interaction, daily_rate, daily_implausible, log_tally, source_limit, category_registry,
  dead_letter, app in access exclusive mode;

do $$
declare
  separated text;
begin
  foreach separated in array array['app', 'category_registry', 'source_limit', 'dead_letter', 'unit_outcome',
    'unit_interaction', 'daily_rate', 'daily_implausible', 'log_tally']
  loop
    execute format('alter table %I enable row level security', separated);
    execute format(
      'create policy every_app on %I to pushlift_runtime, pushlift_writer, pushlift_aggregator, pushlift_analyst,
         pushlift_replies using (true)', separated);
  end loop;
  foreach separated in array array['app', 'category_registry', 'source_limit', 'dead_letter', 'unit_outcome',
    'daily_rate', 'daily_implausible']
  loop
    execute format(
      'create policy own_app on %I for select to pushlift_reader
         using (app_id = current_setting(''pushlift.app'')::integer)', separated);
  end loop;
end $$;

create policy own_app on unit_interaction for select to pushlift_reader
  using (exists (
    select from unit_outcome unit
    where unit.unit_id = unit_interaction.unit_id and unit.app_id = current_setting('pushlift.app')::integer));
