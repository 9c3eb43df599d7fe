-- Zones and windows in which an app's rates are kept beside its own, and the buttons of each category: what reports would
-- otherwise count from the units.

-- A server may be running: behind a rebuild and the job.
select pg_advisory_xact_lock(7081004);
select pg_advisory_xact_lock(7081003);

create table rate_frame (
  app_id             integer not null,
  frame_id           smallint not null check (frame_id > 0),  -- 0 stands for the app's own zone and window
  zone               text not null,                           -- an IANA name
  attribution_window interval not null,
  primary key (app_id, frame_id),
  unique (app_id, zone, attribution_window)
);

-- As daily_rate, in the zone and window of the frame.
create table framed_rate (
  app_id           integer not null,
  frame_id         smallint not null,
  day              date not null,
  category         text not null,
  intended         boolean not null,
  shown            boolean not null,
  custom_interface boolean not null,
  bucket           smallint not null,
  delivered        bigint not null,
  in_experiment    bigint not null,
  interaction      bigint not null,
  expansion        bigint not null,
  open             bigint not null,
  action           bigint not null,
  reply            bigint not null,
  dismissal        bigint not null,
  primary key (app_id, frame_id, day, category, intended, shown, custom_interface, bucket)
);
create index framed_rate_empty on framed_rate (app_id) where delivered = 0;

-- The same for each action, over the units that were offered it: in the app's own zone and window, which are frame 0, and in
-- the frames.
create table daily_action (
  app_id           integer not null,
  frame_id         smallint not null,
  day              date not null,
  category         text not null,
  intended         boolean not null,
  shown            boolean not null,
  custom_interface boolean not null,
  bucket           smallint not null,
  action_id        text not null,
  offered          bigint not null,
  in_experiment    bigint not null,  -- of those offered it
  interaction      bigint not null,  -- of those offered it, with any interaction within the window
  taken            bigint not null,  -- of those offered it, that took it within the window
  unoffered        bigint not null,  -- took it within the window, and are not known to have been offered it
  primary key (app_id, frame_id, day, category, intended, shown, custom_interface, bucket, action_id)
);
create index daily_action_empty on daily_action (app_id) where offered = 0 and unoffered = 0;

grant select on rate_frame, framed_rate, daily_action
  to pushlift_runtime, pushlift_aggregator, pushlift_analyst, pushlift_reader, pushlift_replies;
grant insert, delete on rate_frame to pushlift_aggregator;
grant insert, update, delete on framed_rate, daily_action to pushlift_aggregator;

do $$
declare
  separated text;
begin
  foreach separated in array array['rate_frame', 'framed_rate', 'daily_action'] loop
    execute format('alter table %I enable row level security', separated);
    execute format(
      'create policy every_app on %I to pushlift_runtime, pushlift_writer, pushlift_aggregator, pushlift_analyst,
         pushlift_replies using (true)', separated);
    execute format(
      'create policy own_app on %I for select to pushlift_reader
         using (app_id = current_setting(''pushlift.app'')::integer)', separated);
  end loop;
end $$;

-- What the units say already.
insert into daily_action
with unit as (
  select unit_id, app_id, (delivered_at at time zone zone)::date as day, category,
    coalesce(intended, attached, 0) <> 0 as intended, coalesce(attached, 0) <> 0 as shown, custom_interface,
    (get_byte(uuid_send(device_key), 15) & 127)::smallint as bucket, coalesce(offered::jsonb, '[]') as offered,
    experiment is not null as in_experiment, delivered_at, delivered_at + attribution_window as window_end,
    coalesce(least(expanded_at, opened_at, acted_at) < delivered_at + attribution_window, false) as interacted
  from unit_outcome join app using (app_id)
  where delivered_at is not null
), part as (
  select app_id, day, category, intended, shown, custom_interface, bucket, action_id, 1 as offered,
    in_experiment::integer as in_experiment, interacted::integer as interaction, 0 as taken, 0 as unoffered
  from unit cross join lateral (select distinct action_id from jsonb_array_elements_text(offered) action_id) offer
  union all
  select app_id, day, category, intended, shown, custom_interface, bucket, action_id, 0, 0, 0,
    (offered ? action_id)::integer, (not offered ? action_id)::integer
  from (
    select distinct unit.*, action_id
    from unit join unit_interaction using (unit_id)
    where type = 2 and at >= delivered_at and at < window_end
      and (offered ? action_id or action_id not in (
        'com.apple.UNNotificationDefaultActionIdentifier', 'com.apple.UNNotificationDismissActionIdentifier'))
  ) took
)
select app_id, 0, day, category, intended, shown, custom_interface, bucket, action_id, sum(offered), sum(in_experiment),
  sum(interaction), sum(taken), sum(unoffered)
from part
group by app_id, day, category, intended, shown, custom_interface, bucket, action_id;
