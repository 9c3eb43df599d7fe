-- Additive rows for the comparison: counts of units per day of delivery (in the app's zone), category, arm and bucket of
-- devices, measured within the app's attribution window. Kept in step with unit_outcome in the same transaction.

create table daily_rate (
  app_id           integer not null,
  day              date not null,
  category         text not null,
  intended         boolean not null,     -- the payload asked for media
  shown            boolean not null,     -- media was attached
  custom_interface boolean not null,
  bucket           smallint not null,    -- 0 to 127, from the device key
  delivered        bigint not null,
  interaction      bigint not null,
  expansion        bigint not null,
  open             bigint not null,
  action           bigint not null,
  reply            bigint not null,
  dismissal        bigint not null,
  primary key (app_id, day, category, intended, shown, custom_interface, bucket)
);

-- Rows that late data emptied are found and removed by this.
create index daily_rate_empty on daily_rate (app_id) where delivered = 0;

-- Events whose time cannot be believed: kept, never counted, always reported. By the day they were received.
create table daily_implausible (
  app_id   integer not null,
  day      date not null,
  category text not null,
  events   bigint not null,
  primary key (app_id, day, category)
);

grant select, insert, update, delete on daily_rate, daily_implausible to pushlift_runtime;
