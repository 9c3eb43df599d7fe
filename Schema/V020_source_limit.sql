-- What deliveries that were brought in from another system do not tell, so that no report makes it up. Rows are never
-- changed: a report of an earlier position knows which were there.

create table source_limit (
  app_id   integer not null,
  day      date not null,     -- UTC, of the deliveries
  category text not null,
  source   text not null,     -- the system, such as onesignal
  lack     text not null,     -- what is not told
  position bigint not null,   -- the log's last when the first such delivery came
  primary key (app_id, day, category, source, lack)
);

grant select, insert on source_limit to pushlift_runtime;
