-- What became of each unit (one notification on one device), merged from its events by operations that commute and
-- repeat harmlessly: earliest times, unions of facts. Derived: it can be rebuilt from the events at any time.

create table unit_outcome (
  unit_id          uuid primary key,
  app_id           integer not null,
  device_key       uuid not null,
  first_seen_at    timestamptz not null, -- earliest plausible event of any type
  delivered_at     timestamptz,          -- earliest delivery; null: an orphan, interactions without a delivery
  category         text not null,        -- of its deliveries, or of its interactions while it is an orphan
  intended         smallint,             -- union of what payloads asked for; null: never told
  attached         smallint,             -- union of what was attached; null while an orphan
  custom_interface boolean not null,
  fallback         smallint,
  offered          text,                 -- JSON array of the action identifiers that its category offered; null: not told
  experiment       text,
  arm              text,
  -- The first of each kind at or after the delivery; null: none, or an orphan.
  expanded_at      timestamptz,
  opened_at        timestamptz,
  acted_at         timestamptz,
  replied_at       timestamptz,
  dismissed_at     timestamptz
);

create index unit_outcome_delivered on unit_outcome (app_id, delivered_at) where delivered_at is not null;
create index unit_outcome_orphan on unit_outcome (app_id, first_seen_at) where delivered_at is null;

-- The distinct interactions of each unit: what a delivery that arrives later, or turns out to be earlier, is measured by.
create table unit_interaction (
  unit_id   uuid not null,
  at        timestamptz not null,
  type      smallint not null,           -- 1 expanded, 2 action
  action_id text not null,               -- empty for expanded
  replied   boolean not null,            -- carried reply text
  primary key (unit_id, at, type, action_id, replied)
);

grant select, insert, update, delete on unit_outcome, unit_interaction to pushlift_runtime;
