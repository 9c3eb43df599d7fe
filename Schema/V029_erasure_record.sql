-- One record an erasure, which had a second one for the key that the device gets where an export of it is imported.

alter table erasure add column exported_key uuid;  -- null in records of before, which have a row for each key

create index erasure_exported on erasure (exported_key);

create view erasure_key as
select erasure_id, app_id, key from erasure, unnest(array[device_key, exported_key]) key where key is not null;

grant select (exported_key) on erasure to pushlift_writer;

create or replace function refuse_erased(keys uuid[]) returns void
language plpgsql stable set search_path = pushlift, pg_temp set plan_cache_mode = force_generic_plan
as $$
begin
  if exists (select from erasure) then
    if exists (select from erasure where device_key = any (keys) or exported_key = any (keys)) then
      raise exception 'a device of this batch was erased' using errcode = 'integrity_constraint_violation';
    end if;
  end if;
end $$;

-- As before, for one device by all keys that it can have: its own, then the one of an export.
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
    delete from dead_letter where app_id = app and device_key = any (devices) returning 1
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

create or replace function finish_erasures() returns integer
language plpgsql security definer set search_path = pushlift, pg_temp
as $$
declare
  salt bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  wanted bigint[];
begin
  set local lock_timeout = '2min';
  set local client_min_messages = warning;
  perform pg_advisory_xact_lock(7081004);  -- a rebuild
  perform pg_advisory_xact_lock(7081003);  -- the job
  wanted := array(select erasure_id from erasure where finished_at is null);
  if wanted = '{}' then
    return 0;
  end if;
  -- What a killed rebuild has left.
  drop table if exists unit_outcome_rebuilt, unit_interaction_rebuilt, daily_rate_rebuilt, daily_implausible_rebuilt,
    log_tally_rebuilt;
  delete from projection_checkpoint where name = 'engagement_rebuilt';
  with changed as (
    update event set
      event_id = gen_random_uuid(), unit_id = salted(salt, event.unit_id),
      device_key = salted_device(salt, event.device_key), fingerprint = gen_random_uuid(),
      notification_id = 'erased-' || salted(salt || '\x00', event.unit_id), sequence = null,
      detail = event.detail - 'threadId'
    from erasure_key erased
    where erasure_id = any (wanted) and event.app_id = erased.app_id and event.device_key = erased.key
    returning erasure_id, greatest(event.occurred_at, event.corrected_at) as dated
  ), counted as (
    select erasure_id, count(*) as events, max(dated) as last from changed group by erasure_id
  )
  -- A clock may have been ahead: a retry of what it dated must not come in either.
  update erasure set events = counted.events, until = greatest(until, last)
  from counted where erasure.erasure_id = counted.erasure_id;
  update unit_interaction set unit_id = salted(salt, unit_id)
  where unit_id in (
    select unit_id from unit_outcome unit join erasure_key erased on unit.app_id = erased.app_id and device_key = erased.key
    where erasure_id = any (wanted));
  with changed as (
    update unit_outcome set
      unit_id = salted(salt, unit_id), device_key = salted_device(salt, unit_outcome.device_key)
    from erasure_key erased
    where erasure_id = any (wanted) and unit_outcome.app_id = erased.app_id and unit_outcome.device_key = erased.key
    returning erasure_id
  ), counted as (
    select erasure_id, count(*) as units from changed group by erasure_id
  )
  update erasure set units = counted.units from counted where erasure.erasure_id = counted.erasure_id;
  -- Writers that know an earlier date are waited for; those that come after see this.
  perform pg_advisory_xact_lock(7081002);
  update erasure set
    finished_at = clock_timestamp(), events = coalesce(events, 0), units = coalesce(units, 0)
  where erasure_id = any (wanted);
  return cardinality(wanted);
end $$;
