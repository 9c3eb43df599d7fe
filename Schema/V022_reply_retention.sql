-- How old the text of a reply is goes by its arrival as well as by its day, which is that of a clock that may be years off.

alter table reply add column received_at timestamptz;  -- null only where an older program wrote the row

update reply set received_at = event.received_at
from event
where (event.event_id, event.unit_id, event.day) = (reply.event_id, reply.unit_id, reply.day);

comment on column event.reply_length is
  'Bytes of UTF-8; null: no reply text came; -1: there was a reply, of which not even the length is kept.';
