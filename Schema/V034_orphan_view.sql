-- As reports count them: whoever dismissed a notification has not interacted with it.

create or replace view pushlift_views.orphan as
select first_seen_at as time, name as app, case category when '' then '(none)' else category end as category
from unit_outcome unit join app using (app_id)
where delivered_at is null and exists (
  select from unit_interaction i
  where i.unit_id = unit.unit_id
    and not (i.type = 2 and i.action_id = 'com.apple.UNNotificationDismissActionIdentifier'));
