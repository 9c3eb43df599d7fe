-- Events that were refused, with the reason. The body has neither reply text nor device id in it.

create sequence dead_letter_number as bigint;

create table dead_letter (
  dead_letter_id bigint primary key default nextval('dead_letter_number'),
  app_id         integer not null,
  received_at    timestamptz not null,
  source         text not null,          -- how it came: http, import, …
  event_index    integer not null,       -- its place in the request or file, from 0
  event_id       text,                   -- as sent; null where it could not be read
  device_key     uuid,                   -- null where the device id could not be read
  field          text not null,          -- the field at fault; empty: the event as a whole
  code           text not null,
  message        text not null,
  body           bytea not null,
  replayed_at    timestamptz
);

create index dead_letter_app on dead_letter (app_id, dead_letter_id);
create index dead_letter_device on dead_letter (device_key) where device_key is not null;

grant select, insert on dead_letter to pushlift_runtime;
grant update (replayed_at) on dead_letter to pushlift_runtime;
grant usage on sequence dead_letter_number to pushlift_runtime;
