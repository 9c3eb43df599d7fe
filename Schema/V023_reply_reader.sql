-- Who reads the texts of replies does so in a role of its own; who writes them and aggregates cannot.
-- Runs as the login that migrates, as V001 does; what follows the role is the owner's.

do $$
begin
  create role pushlift_replies nologin;
exception when duplicate_object or unique_violation then null;  -- roles belong to the whole cluster
end $$;

do $$
begin
  if not pg_has_role(current_user, 'pushlift_replies', 'member') then
    execute format('grant pushlift_replies to %I', current_user);
  end if;
end $$;

set local role pushlift_owner;
set local search_path = pushlift, pg_temp;

revoke select on reply from pushlift_runtime;
grant select (event_id, unit_id, day, app_id, device_key, received_at) on reply to pushlift_runtime;

grant usage on schema pushlift to pushlift_replies;
grant select on app, event, reply, dead_letter, event_position to pushlift_replies;
-- What tells which replies a report counts.
grant select on unit_outcome, unit_interaction, daily_rate, daily_implausible, log_tally, projection_checkpoint,
  retired_partition, category_registry to pushlift_replies;
