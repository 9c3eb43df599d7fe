-- The vault of reply texts, apart from the events, so that other people's words can be kept, emptied or withheld alone.

create table reply (
  event_id   uuid not null,
  unit_id    uuid not null,
  day        date not null,
  app_id     integer not null,
  device_key uuid not null,
  text       text not null,
  primary key (event_id, unit_id, day)
);

create index reply_device on reply (app_id, device_key);

grant select, insert on reply to pushlift_runtime;
