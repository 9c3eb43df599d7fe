-- Events that were refused, with the reason. The body has neither reply text nor device id in it.

create sequence dead_letter_number as bigint;

create table dead_letter (
  dead_letter_id bigint primary key default nextval('dead_letter_number'),
  app_id         integer not null,
  received_at    timestamptz not null,
  sent_at        timestamptz,            -- of the request; null where it did not tell
  source         text not null,          -- how it came: http, import, …
  event_index    integer not null,       -- its place in the request, from 0; in a file its line, from 1
  event_id       text,                   -- as sent; null where it could not be read
  device_key     uuid,                   -- null where the device id could not be read
  field          text not null,          -- the field at fault; empty: the event as a whole
  code           text not null,
  message        text not null,
  body           bytea not null,
  replayed_at    timestamptz
);

create index dead_letter_app on dead_letter (app_id, dead_letter_id);
create index dead_letter_import on dead_letter (app_id, event_index) where source = 'import';
create index dead_letter_device on dead_letter (device_key) where device_key is not null;

grant select, insert on dead_letter to pushlift_runtime;
grant update (replayed_at) on dead_letter to pushlift_runtime;
grant usage on sequence dead_letter_number to pushlift_runtime;

-- Retention. The runtime role has no DELETE: it removes letters through this, whole days after they came and never before.
create function prune_dead_letters(before timestamptz, only_app integer) returns bigint
language plpgsql security definer set search_path = pushlift, pg_temp
as $$
declare
  removed bigint;
begin
  if before > now() - interval '1 day' then
    raise exception 'prune_dead_letters: letters are kept for a day at least'
      using errcode = 'invalid_parameter_value';
  end if;
  delete from dead_letter where received_at < before and (only_app is null or app_id = only_app);
  get diagnostics removed = row_count;
  return removed;
end $$;

revoke all on function prune_dead_letters from public;
grant execute on function prune_dead_letters to pushlift_runtime;
