-- How far each projection has read. Written in the transaction that wrote the projection's rows.

create table projection_checkpoint (
  name      text primary key,
  position  bigint not null,
  watermark timestamptz                  -- latest received_at up to that position; null: nothing read yet
);

insert into projection_checkpoint values ('engagement', 0, null);

grant select, update on projection_checkpoint to pushlift_runtime;
