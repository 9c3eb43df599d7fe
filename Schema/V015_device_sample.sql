-- A sixteenth of all devices, for reports over so many units that counting every device would take seconds.

create index unit_outcome_sample
  on unit_outcome (app_id, (get_byte(uuid_send(device_key), 15) & 127), delivered_at)
  include (device_key, category, intended, attached, custom_interface)
  where (get_byte(uuid_send(device_key), 15) & 127) < 8 and delivered_at is not null;
