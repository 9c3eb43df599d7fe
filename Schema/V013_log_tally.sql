-- How many events the job has read of each week of the log, so that what a partition holds can be reconciled with it.

create table log_tally (
  week    date primary key,              -- its Monday; events by their UTC day, as partitions go
  events  bigint not null,
  dropped bigint not null default 0      -- of these, events that were dropped with their partition
);

insert into log_tally (week, events)
select date_trunc('week', day::timestamp)::date, count(*)
from event
where position <= (select position from projection_checkpoint where name = 'engagement')
group by 1;

grant select, insert, update, delete on log_tally to pushlift_runtime;
