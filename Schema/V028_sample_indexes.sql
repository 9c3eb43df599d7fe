-- Behind a policy an index is not searched by an expression that could give rows away, such as a device's bucket, but
-- chosen by its condition all the same: so there is one for each size of sample.
create index unit_outcome_sample_1 on unit_outcome (app_id, delivered_at)
  include (device_key, category, intended, attached, custom_interface)
  where (get_byte(uuid_send(device_key), 15) & 127) < 1 and delivered_at is not null;
create index unit_outcome_sample_2 on unit_outcome (app_id, delivered_at)
  include (device_key, category, intended, attached, custom_interface)
  where (get_byte(uuid_send(device_key), 15) & 127) < 2 and delivered_at is not null;
create index unit_outcome_sample_4 on unit_outcome (app_id, delivered_at)
  include (device_key, category, intended, attached, custom_interface)
  where (get_byte(uuid_send(device_key), 15) & 127) < 4 and delivered_at is not null;
