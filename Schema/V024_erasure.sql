-- Devices that asked to be forgotten. What they sent up to then is in the log as of nobody, and cannot come again.
--
-- The log stays as long as it was: its rows are counted by, at their positions. But what tells whose they were goes, and
-- no table says which random names took the place of which device.

create sequence erasure_number as bigint;

create table erasure (
  erasure_id   bigint primary key default nextval('erasure_number'),
  app_id       integer not null references app,
  device_key   uuid not null,            -- keyed hash; leads to no row of an event that was erased
  requested_by text not null,            -- a key's id, or the command line
  begun_at     timestamptz not null default clock_timestamp(),
  position     bigint not null,          -- the last one then
  until        timestamptz not null,     -- events of the device that are dated up to here are not stored any more
  replies      bigint not null,          -- texts that were removed
  dead_letters bigint not null,
  finished_at  timestamptz,              -- null: the log and the projections are still to be gone through
  events       bigint,
  units        bigint
);

create index erasure_device on erasure (device_key);

grant select on erasure to pushlift_runtime, pushlift_replies;

-- Called by a writer, once it holds the barrier, for the devices of its batch: raises where one of them was erased. What it
-- raises is a data fault, so that the writer looks which.
create function refuse_erased(keys uuid[]) returns void
language plpgsql stable set search_path = pushlift, pg_temp
as $$
begin
  if exists (select from erasure where device_key = any (keys)) then
    raise exception 'a device of this batch was erased' using errcode = 'integrity_constraint_violation';
  end if;
end $$;

-- First half, a moment: from its commit on, no writer stores what the devices sent before, and their texts and letters are gone.
create function begin_erasure(app integer, devices uuid[], who text) returns bigint[]
language plpgsql security definer set search_path = pushlift, pg_temp
as $$
declare
  begun bigint[];
begin
  -- Writers under way are waited for; those that come after see the record.
  set local lock_timeout = '10s';
  perform pg_advisory_xact_lock(7081002);
  with gone_reply as (
    delete from reply where app_id = app and device_key = any (devices) returning device_key
  ), gone_letter as (
    delete from dead_letter where app_id = app and device_key = any (devices) returning device_key
  ), record as (
    insert into erasure (app_id, device_key, requested_by, position, until, replies, dead_letters)
    select app, device, who, case when is_called then last_value else 0 end, clock_timestamp(),
      (select count(*) from gone_reply where device_key = device),
      (select count(*) from gone_letter where device_key = device)
    from unnest(devices) device, event_position
    returning erasure_id
  )
  select array_agg(erasure_id) into begun from record;
  return begun;
end $$;

-- What takes the place of an id: nothing leads back without the salt, and nobody keeps that.
create function salted(salt bytea, id uuid) returns uuid
language sql immutable strict
return encode(substr(sha256(salt || uuid_send(id)), 1, 16), 'hex')::uuid;

-- The same with the low seven bits of a device's key, by which devices are sampled and clustered.
create function salted_device(salt bytea, id uuid) returns uuid
language sql immutable strict
return encode(
  set_byte(
    uuid_send(salted(salt, id)), 15,
    get_byte(uuid_send(salted(salt, id)), 15) & 128 | get_byte(uuid_send(id), 15) & 127), 'hex')::uuid;

-- Second half, of all erasures that were begun: gives the devices' events, units and interactions other names. Bucket, position,
-- times and all that is counted stay, so that every figure does. Waits for the job and for a rebuild, which hold the former names.
create function finish_erasures() returns integer
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
    from erasure
    where erasure_id = any (wanted) and event.app_id = erasure.app_id and event.device_key = erasure.device_key
    returning erasure_id, greatest(event.occurred_at, event.corrected_at) as dated
  ), counted as (
    select erasure_id, count(*) as events, max(dated) as last from changed group by erasure_id
  )
  -- A clock may have been ahead: a retry of what it dated must not come in either.
  update erasure set events = counted.events, until = greatest(until, last)
  from counted where erasure.erasure_id = counted.erasure_id;
  update unit_interaction set unit_id = salted(salt, unit_id)
  where unit_id in (
    select unit_id from unit_outcome join erasure using (app_id, device_key) where erasure_id = any (wanted));
  with changed as (
    update unit_outcome set
      unit_id = salted(salt, unit_id), device_key = salted_device(salt, unit_outcome.device_key)
    from erasure
    where erasure_id = any (wanted) and unit_outcome.app_id = erasure.app_id
      and unit_outcome.device_key = erasure.device_key
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

revoke all on function begin_erasure, finish_erasures, salted, salted_device from public;
grant execute on function begin_erasure, finish_erasures, refuse_erased to pushlift_runtime;
