-- Letters that were pruned or erased still count: how many events were refused on a day is a figure of that day, and stays.

create table dead_letter_tally (
  app_id      integer not null,
  received_at timestamptz not null,  -- the quarter of an hour in which they came, of which the days of every zone are made
  code        text not null,
  letters     bigint not null,
  primary key (app_id, received_at, code)
);

grant select on dead_letter_tally to pushlift_runtime, pushlift_analyst, pushlift_reader;

alter table dead_letter_tally enable row level security;
create policy every_app on dead_letter_tally to pushlift_runtime, pushlift_analyst using (true);
create policy own_app on dead_letter_tally for select to pushlift_reader
  using (app_id = current_setting('pushlift.app')::integer);

-- As before, and counts what it removes.
create or replace function prune_dead_letters(before timestamptz, only_app integer) returns bigint
language plpgsql security definer set search_path = pushlift, pg_temp
as $$
declare
  removed bigint;
begin
  if before > now() - interval '1 day' then
    raise exception 'prune_dead_letters: letters are kept for a day at least'
      using errcode = 'invalid_parameter_value';
  end if;
  with gone as (
    delete from dead_letter where received_at < before and (only_app is null or app_id = only_app)
    returning app_id, received_at, code
  ), tallied as (
    insert into dead_letter_tally
    select app_id, to_timestamp(floor(extract(epoch from received_at) / 900) * 900), code, count(*)
    from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (app_id, received_at, code) do update set letters = dead_letter_tally.letters + excluded.letters
  )
  select count(*) into removed from gone;
  return removed;
end $$;

create or replace function begin_erasure(app integer, devices uuid[], who text) returns bigint[]
language plpgsql security definer set search_path = pushlift, pg_temp
as $$
declare
  begun bigint[];
begin
  -- Writers under way are waited for; those that come after see the record.
  set local lock_timeout = '10s';
  perform pg_advisory_xact_lock(7081002);
  with gone_reply as (
    delete from reply where app_id = app and device_key = any (devices) returning 1
  ), gone_letter as (
    delete from dead_letter where app_id = app and device_key = any (devices) returning received_at, code
  ), tallied as (
    insert into dead_letter_tally
    select app, to_timestamp(floor(extract(epoch from received_at) / 900) * 900), code, count(*)
    from gone_letter group by 1, 2, 3 order by 1, 2, 3
    on conflict (app_id, received_at, code) do update set letters = dead_letter_tally.letters + excluded.letters
  ), record as (
    insert into erasure (app_id, device_key, exported_key, requested_by, position, until, replies, dead_letters)
    select app, devices[1], devices[2], who, case when is_called then last_value else 0 end, clock_timestamp(),
      (select count(*) from gone_reply), (select count(*) from gone_letter)
    from event_position
    returning erasure_id
  )
  select array_agg(erasure_id) into begun from record;
  return begun;
end $$;
