-- The two roles, the schema they share, and the ledger of applied migrations.
-- Runs as the login that migrates, which must be allowed to create roles unless both are there already.
-- Everything after this file runs as pushlift_owner.

do $$
begin
  create role pushlift_owner nologin;
exception when duplicate_object or unique_violation then null;  -- roles belong to the whole cluster
end $$;

do $$
begin
  create role pushlift_runtime nologin;
exception when duplicate_object or unique_violation then null;
end $$;

-- A login that is not a superuser has to be a member of the roles it takes on.
do $$
begin
  if not pg_has_role(current_user, 'pushlift_owner', 'member') then
    execute format('grant pushlift_owner to %I', current_user);
  end if;
  if not pg_has_role(current_user, 'pushlift_runtime', 'member') then
    execute format('grant pushlift_runtime to %I', current_user);
  end if;
end $$;

create schema if not exists pushlift authorization pushlift_owner;
revoke all on schema pushlift from public;
grant usage on schema pushlift to pushlift_runtime;

create table pushlift.schema_migration (
  version    integer primary key,
  name       text not null,
  checksum   text not null,
  applied_at timestamptz not null default now()
);
alter table pushlift.schema_migration owner to pushlift_owner;
grant select on pushlift.schema_migration to pushlift_runtime;
