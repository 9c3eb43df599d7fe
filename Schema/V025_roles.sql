-- A role for each kind of work, where nearly all of it was done as pushlift_runtime, which administers from now on.
-- Runs as the login that migrates, as V001 does.

do $$
declare
  made text;
begin
  foreach made in array array['pushlift_writer', 'pushlift_aggregator', 'pushlift_analyst', 'pushlift_reader'] loop
    begin
      execute format('create role %I nologin', made);
    exception when duplicate_object or unique_violation then null;  -- roles belong to the whole cluster
    end;
    -- Each may do less than pushlift_runtime: logins that have worked as that go on without a change.
    if not pg_has_role('pushlift_runtime', made, 'member') then
      execute format('grant %I to pushlift_runtime', made);
    end if;
  end loop;
end $$;
