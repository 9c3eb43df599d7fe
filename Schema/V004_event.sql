-- The append-only log of events.
--
-- Partitioned by the UTC day of the raw occurredAt, which a retry repeats, so that the unique key can hold the partition
-- column. Every unique key also holds unit_id, by which the table could be distributed. No foreign keys, triggers or
-- identity columns, for the same reason.

create sequence event_position as bigint;

create table event (
  event_id         uuid not null,
  unit_id          uuid not null,       -- hash of app, notification and device: what rates count
  day              date not null,       -- UTC day of occurred_at
  position         bigint not null default nextval('event_position'),
  app_id           integer not null,
  device_key       uuid not null,       -- keyed hash; the device id itself is never stored
  fingerprint      uuid not null,       -- keyed hash of the canonical event: equal content, equal fingerprint
  occurred_at      timestamptz not null,
  sent_at          timestamptz,
  received_at      timestamptz not null,
  corrected_at     timestamptz not null,
  sequence         bigint,
  reply_length     integer,             -- bytes of UTF-8; null: no reply text came
  type             smallint not null check (type in (0, 1, 2)),          -- delivered, expanded, action
  time_quality     smallint not null check (time_quality in (0, 1, 2)),  -- client, corrected, implausible
  source           smallint,            -- 0 serviceExtension, 1 contentExtension, 2 app, 3 provider
  intended         smallint,            -- media kinds as bits (1 image, 2 gif, 4 video, 8 audio); null: not told
  attached         smallint,            -- likewise, as really attached; null unless delivered
  fallback         smallint,            -- 0 tooLarge, 1 timedOut, 2 downloadFailed, 3 unsupportedType, 4 invalid
  custom_interface boolean,
  notification_id  text not null,
  category         text not null,
  action_id        text,
  experiment       text,
  arm              text,
  occurred_at_raw  text not null,       -- as it was sent
  detail           jsonb,               -- the delivery's attachments, actions and confounders as the contract has them
  primary key (event_id, unit_id, day)
) partition by range (day);

create index event_position_key on event (position);

-- Times that no week has been made for: clocks that are years off.
create table event_default partition of event default;

grant select, insert on event to pushlift_runtime;
grant usage, select on sequence event_position to pushlift_runtime;
