-- Keys are shown once and kept as a hash. The public half finds the row, the hash is then compared in constant time.

create table api_key (
  key_id      text primary key,
  app_id      integer not null references app,
  scope       text not null check (scope in ('write', 'read', 'admin')),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  label       text not null default '',
  created_at  timestamptz not null default now(),
  revoked_at  timestamptz
);

grant select, insert on api_key to pushlift_runtime;
grant update (revoked_at) on api_key to pushlift_runtime;
