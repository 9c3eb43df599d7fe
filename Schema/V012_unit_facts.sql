-- More that is known of a unit: what the arms' balance is looked at by, and whether the log still has all of its events.

alter table unit_outcome
  add column source             smallint,  -- who reported its delivery, as event has it; null: not told
  add column app_version        text,
  add column interruption_level text,
  -- Events of it were dropped with their partition: it is kept as it was, since it can no longer be rebuilt from the log.
  add column is_sealed          boolean not null default false;

create index unit_outcome_sealed on unit_outcome (unit_id) where is_sealed;

update unit_outcome
set source = told.source, app_version = told.app_version, interruption_level = told.interruption_level
from (
  select unit_id, min(source) as source, min((detail ->> 'appVersion') collate "C") as app_version,
    min((detail ->> 'interruptionLevel') collate "C") as interruption_level
  from event
  where type = 0 and time_quality <> 2
    and position <= (select position from projection_checkpoint where name = 'engagement')
  group by unit_id
) told
where unit_outcome.unit_id = told.unit_id;

-- Units that name an experiment: what tells whether the comparison is randomised.
alter table daily_rate add column in_experiment bigint not null default 0;

update daily_rate
set in_experiment = counted.units
from (
  select app_id, (delivered_at at time zone zone)::date as day, category,
    coalesce(intended, attached, 0) <> 0 as intended, coalesce(attached, 0) <> 0 as shown, custom_interface,
    (get_byte(uuid_send(device_key), 15) & 127)::smallint as bucket, count(*) as units
  from unit_outcome join app using (app_id)
  where delivered_at is not null and experiment is not null
  group by 1, 2, 3, 4, 5, 6, 7
) counted
where (daily_rate.app_id, daily_rate.day, daily_rate.category, daily_rate.intended, daily_rate.shown,
    daily_rate.custom_interface, daily_rate.bucket)
  = (counted.app_id, counted.day, counted.category, counted.intended, counted.shown, counted.custom_interface,
    counted.bucket);

-- Of the events counted here, those that were dropped since.
alter table daily_implausible add column dropped bigint not null default 0;
