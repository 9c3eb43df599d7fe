-- What apps register of their notifications' categories, each time that they imported another one. The newest row of an app
-- counts. Earlier ones stay, so that a report of an earlier position has the titles and the options of its time.

create table category_registry (
  app_id      integer not null references app,
  imported_at timestamptz not null default clock_timestamp(),
  position    bigint not null,  -- the last one that was aggregated then
  document    jsonb not null,   -- as the file has it
  primary key (app_id, imported_at)
);

grant select, insert on category_registry to pushlift_runtime;
