-- Partitions of the log that were dropped, so that nobody looks back to what is gone.

create table retired_partition (
  name             text not null,
  week             date not null,        -- its Monday
  events           bigint not null,
  last_received_at timestamptz not null,
  retired_at       timestamptz not null default now(),
  primary key (name, retired_at)         -- a week can be made once more, for an import
);

grant select on retired_partition to pushlift_runtime;
