-- A role for dashboards, and the schema that is all it sees. Runs as the login that migrates, as V001 does.

do $$
begin
  if not exists (select from pg_roles where rolname = 'pushlift_dashboard') then
    create role pushlift_dashboard nologin;
  end if;
exception when duplicate_object or unique_violation then null;  -- roles belong to the whole cluster
end $$;

create schema if not exists pushlift_views authorization pushlift_owner;
revoke all on schema pushlift_views from public;
grant usage on schema pushlift_views to pushlift_dashboard;
