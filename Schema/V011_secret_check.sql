-- What the device secret hashes to, so that another secret is noticed before it splits every device in two.

create table secret_check (
  name text primary key,
  hash uuid not null
);

grant select, insert on secret_check to pushlift_runtime;
