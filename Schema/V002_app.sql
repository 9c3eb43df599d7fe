-- An app whose notifications are measured. Its zone and window say how its daily rows are kept.

create sequence app_number as integer;

create table app (
  app_id             integer primary key default nextval('app_number'),
  name               text not null unique check (octet_length(name) between 1 and 128),
  zone               text not null default 'UTC',
  attribution_window interval not null default interval '24 hours'
                     check (attribution_window between interval '1 minute' and interval '30 days'),
  created_at         timestamptz not null default now()
);

grant select, insert on app to pushlift_runtime;
grant usage on sequence app_number to pushlift_runtime;
