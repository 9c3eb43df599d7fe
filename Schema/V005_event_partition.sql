-- Makes the weekly partitions that cover [first_day, last_day], and returns how many it made. Rows that had landed in the
-- default partition move over. Runs with the owner's rights, so that the runtime role needs no right to create or attach.

create function make_event_partitions(first_day date, last_day date) returns integer
language plpgsql security definer set search_path = pushlift, pg_temp
as $$
declare
  monday date := date_trunc('week', first_day::timestamp)::date;
  partition_name text;
  made integer := 0;
begin
  if last_day - first_day > 3700 then
    raise exception 'make_event_partitions: % to % is more than ten years', first_day, last_day
      using errcode = 'invalid_parameter_value';
  end if;
  -- One maker at a time; the key is only taken here.
  perform pg_advisory_xact_lock(7081001);
  while monday <= last_day loop
    partition_name := 'event_' || to_char(monday, 'IYYY"w"IW');
    if to_regclass('pushlift.' || partition_name) is null then
      execute format('create table %I (like event including defaults including constraints)', partition_name);
      -- Before the look, so that no row of that week is on its way in; to attach takes this lock anyway.
      lock table event_default in access exclusive mode;
      if exists (select from event_default where day >= monday and day < monday + 7) then
        execute format(
          'with moved as (delete from event_default where day >= %1$L and day < %2$L returning *)
           insert into %3$I select * from moved', monday, monday + 7, partition_name);
      end if;
      execute format(
        'alter table event attach partition %I for values from (%L) to (%L)', partition_name, monday, monday + 7);
      made := made + 1;
    end if;
    monday := monday + 7;
  end loop;
  return made;
end $$;

revoke all on function make_event_partitions from public;
grant execute on function make_event_partitions to pushlift_runtime;
