-- What dashboards may see: counts, times and names of categories; no device, no notification, no reply. The views read with
-- their owner's rights, so that the role needs none on what lies beneath.

create view pushlift_views.app as
select name as app, zone, extract(epoch from attribution_window)::bigint as window_seconds from app;
comment on view pushlift_views.app is 'The apps, the zone that their days are cut in, and their attribution window.';

create view pushlift_views.engagement as
select day::timestamp at time zone zone as time, name as app, day,
  case category when '' then '(none)' else category end as category,
  case when intended then 'rich' else 'text' end as arm,
  -- The last window of the day had closed at the watermark: these figures only change by events that come late.
  coalesce(day < ((watermark - attribution_window) at time zone zone)::date, false) as is_closed,
  sum(delivered)::bigint as delivered, sum(interaction)::bigint as interacted, sum(expansion)::bigint as expanded,
  sum(open)::bigint as opened, sum(action)::bigint as acted, sum(reply)::bigint as replied,
  sum(dismissal)::bigint as dismissed,
  sum(case when intended and not shown then delivered else 0 end)::bigint as shown_as_text
from daily_rate join app using (app_id)
  cross join (select watermark from projection_checkpoint where name = 'engagement') read_so_far
group by app_id, day, category, intended, name, zone, attribution_window, watermark;
comment on view pushlift_views.engagement is
  'Notifications on devices by day of delivery in the app''s zone, category and arm as intended: delivered, and with each kind of event within the window.';

create view pushlift_views.orphan as
select first_seen_at as time, name as app, case category when '' then '(none)' else category end as category
from unit_outcome join app using (app_id)
where delivered_at is null;
comment on view pushlift_views.orphan is 'Notifications interacted with that nobody reported as delivered, a row each.';

create view pushlift_views.fallback as
select delivered_at as time, name as app, case category when '' then '(none)' else category end as category,
  coalesce((array['tooLarge', 'timedOut', 'downloadFailed', 'unsupportedType', 'invalid'])[fallback + 1], 'unknown')
    as reason
from unit_outcome join app using (app_id)
where delivered_at is not null and coalesce(intended, attached, 0) <> 0 and coalesce(attached, 0) = 0;
comment on view pushlift_views.fallback is 'Notifications meant to be rich and shown as text, a row each, with the reason.';

create view pushlift_views.implausible as
select day::timestamp at time zone zone as time, name as app, day,
  case category when '' then '(none)' else category end as category, events
from daily_implausible join app using (app_id);
comment on view pushlift_views.implausible is 'Events with a time that cannot be, by the day on which they came.';

create view pushlift_views.dead_letter as
select received_at as time, name as app, source, field, code, replayed_at is not null as is_replayed
from pushlift.dead_letter join app using (app_id);
comment on view pushlift_views.dead_letter is 'Events that were refused, a row each, without what was in them.';

-- The last 200,000 events, found by position: cheap at any size of the log.
create view pushlift_views.ingestion as
select date_trunc('minute', received_at) as time, name as app,
  (array['delivered', 'expanded', 'action'])[type + 1] as type, count(*) as events,
  percentile_cont(0.5) within group (order by extract(epoch from received_at - occurred_at))::float8 as median_delay_seconds,
  max(extract(epoch from received_at - occurred_at))::float8 as longest_delay_seconds
from event join app using (app_id)
where position > (select last_value - 200000 from event_position)
group by 1, 2, 3;
comment on view pushlift_views.ingestion is
  'The last 200,000 events by minute of arrival, with the time from the device''s clock to arrival.';

create view pushlift_views.state as
select now() as time, case when is_called then last_value else 0 end as last_position, position as aggregated_position,
  greatest(case when is_called then last_value else 0 end - position, 0) as lag_positions, watermark,
  extract(epoch from now() - watermark)::float8 as watermark_age_seconds
from event_position, projection_checkpoint
where name = 'engagement';
comment on view pushlift_views.state is 'How far the log goes and how far it is aggregated. Positions have gaps.';

-- Wilson's score interval of a rate (1927). Notifications are taken as independent of each other.
create function pushlift_views.wilson(events numeric, delivered numeric, out rate float8, out lower float8, out upper float8)
language sql immutable parallel safe
as $$
  select p, case when x = 0 then 0 else greatest(middle - half, 0) end, case when x = n then 1 else least(middle + half, 1) end
  from (select events::float8 as x, nullif(delivered, 0)::float8 as n, 1.959963984540054::float8 as z) given,
    lateral (select x / n as p) rate,
    lateral (select (p + z * z / (2 * n)) / (1 + z * z / n) as middle,
      z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n) as half) interval
$$;
comment on function pushlift_views.wilson is
  'A rate with its 95 % Wilson interval, notifications taken as independent: narrower than that of pushlift rates, which allows for repeats on a device.';

-- Katz, Baptista, Azen and Pike (1978): the interval of a ratio of rates on the log scale, less one.
create function pushlift_views.katz_uplift(
  rich_events numeric, rich_delivered numeric, text_events numeric, text_delivered numeric,
  out uplift float8, out lower float8, out upper float8)
language sql immutable parallel safe
as $$
  select ratio - 1, ratio * exp(-1.959963984540054 * error) - 1, ratio * exp(1.959963984540054 * error) - 1
  from (
    select (rich_events / rich_delivered)::float8 / nullif((text_events / text_delivered)::float8, 0) as ratio,
      sqrt(greatest(
        1 / nullif(rich_events, 0) - 1 / rich_delivered + 1 / nullif(text_events, 0) - 1 / text_delivered, 0))::float8 as error
    where rich_delivered > 0 and text_delivered > 0
  ) estimate
$$;
comment on function pushlift_views.katz_uplift is
  'The uplift rich / text - 1 with its 95 % Katz log interval, notifications taken as independent: an approximation, narrower than that of pushlift rates. Decide by pushlift rates.';

revoke all on all functions in schema pushlift_views from public;
grant execute on all functions in schema pushlift_views to pushlift_dashboard;
grant select on all tables in schema pushlift_views to pushlift_dashboard;
