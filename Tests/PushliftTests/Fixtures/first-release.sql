-- The first release's store: migrations V001 to V011, with what its program had stored and aggregated by then, as pg_dump
-- gives it, less comments and empty partitions. The device secret is that of the sandbox.
do $$ begin create role pushlift_owner nologin; exception when duplicate_object or unique_violation then null; end $$;
do $$ begin create role pushlift_runtime nologin; exception when duplicate_object or unique_violation then null; end $$;

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA pushlift;

ALTER SCHEMA pushlift OWNER TO pushlift_owner;

CREATE FUNCTION pushlift.make_event_partitions(first_day date, last_day date) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pushlift', 'pg_temp'
    AS $_$
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
end $_$;

ALTER FUNCTION pushlift.make_event_partitions(first_day date, last_day date) OWNER TO pushlift_owner;

CREATE FUNCTION pushlift.prune_dead_letters(before timestamp with time zone, only_app integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pushlift', 'pg_temp'
    AS $$
declare
  removed bigint;
begin
  if before > now() - interval '1 day' then
    raise exception 'prune_dead_letters: letters are kept for a day at least'
      using errcode = 'invalid_parameter_value';
  end if;
  delete from dead_letter where received_at < before and (only_app is null or app_id = only_app);
  get diagnostics removed = row_count;
  return removed;
end $$;

ALTER FUNCTION pushlift.prune_dead_letters(before timestamp with time zone, only_app integer) OWNER TO pushlift_owner;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE pushlift.api_key (
    key_id text NOT NULL,
    app_id integer NOT NULL,
    scope text NOT NULL,
    secret_hash bytea NOT NULL,
    label text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT api_key_scope_check CHECK ((scope = ANY (ARRAY['write'::text, 'read'::text, 'admin'::text]))),
    CONSTRAINT api_key_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);

ALTER TABLE pushlift.api_key OWNER TO pushlift_owner;

CREATE SEQUENCE pushlift.app_number
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE pushlift.app_number OWNER TO pushlift_owner;

CREATE TABLE pushlift.app (
    app_id integer DEFAULT nextval('pushlift.app_number'::regclass) NOT NULL,
    name text NOT NULL,
    zone text DEFAULT 'UTC'::text NOT NULL,
    attribution_window interval DEFAULT '24:00:00'::interval NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT app_attribution_window_check CHECK (((attribution_window >= '00:01:00'::interval) AND (attribution_window <= '30 days'::interval))),
    CONSTRAINT app_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 128)))
);

ALTER TABLE pushlift.app OWNER TO pushlift_owner;

CREATE TABLE pushlift.daily_implausible (
    app_id integer NOT NULL,
    day date NOT NULL,
    category text NOT NULL,
    events bigint NOT NULL
);

ALTER TABLE pushlift.daily_implausible OWNER TO pushlift_owner;

CREATE TABLE pushlift.daily_rate (
    app_id integer NOT NULL,
    day date NOT NULL,
    category text NOT NULL,
    intended boolean NOT NULL,
    shown boolean NOT NULL,
    custom_interface boolean NOT NULL,
    bucket smallint NOT NULL,
    delivered bigint NOT NULL,
    interaction bigint NOT NULL,
    expansion bigint NOT NULL,
    open bigint NOT NULL,
    action bigint NOT NULL,
    reply bigint NOT NULL,
    dismissal bigint NOT NULL
);

ALTER TABLE pushlift.daily_rate OWNER TO pushlift_owner;

CREATE SEQUENCE pushlift.dead_letter_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE pushlift.dead_letter_number OWNER TO pushlift_owner;

CREATE TABLE pushlift.dead_letter (
    dead_letter_id bigint DEFAULT nextval('pushlift.dead_letter_number'::regclass) NOT NULL,
    app_id integer NOT NULL,
    received_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    source text NOT NULL,
    event_index integer NOT NULL,
    event_id text,
    device_key uuid,
    field text NOT NULL,
    code text NOT NULL,
    message text NOT NULL,
    body bytea NOT NULL,
    replayed_at timestamp with time zone
);

ALTER TABLE pushlift.dead_letter OWNER TO pushlift_owner;

CREATE SEQUENCE pushlift.event_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE pushlift.event_position OWNER TO pushlift_owner;

CREATE TABLE pushlift.event (
    event_id uuid NOT NULL,
    unit_id uuid NOT NULL,
    day date NOT NULL,
    "position" bigint DEFAULT nextval('pushlift.event_position'::regclass) NOT NULL,
    app_id integer NOT NULL,
    device_key uuid NOT NULL,
    fingerprint uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    received_at timestamp with time zone NOT NULL,
    corrected_at timestamp with time zone NOT NULL,
    sequence bigint,
    reply_length integer,
    type smallint NOT NULL,
    time_quality smallint NOT NULL,
    source smallint,
    intended smallint,
    attached smallint,
    fallback smallint,
    custom_interface boolean,
    notification_id text NOT NULL,
    category text NOT NULL,
    action_id text,
    experiment text,
    arm text,
    occurred_at_raw text NOT NULL,
    detail jsonb,
    CONSTRAINT event_time_quality_check CHECK ((time_quality = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT event_type_check CHECK ((type = ANY (ARRAY[0, 1, 2])))
)
PARTITION BY RANGE (day);

ALTER TABLE pushlift.event OWNER TO pushlift_owner;

CREATE TABLE pushlift.event_2026w46 (
    event_id uuid NOT NULL,
    unit_id uuid NOT NULL,
    day date NOT NULL,
    "position" bigint DEFAULT nextval('pushlift.event_position'::regclass) NOT NULL,
    app_id integer NOT NULL,
    device_key uuid NOT NULL,
    fingerprint uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    received_at timestamp with time zone NOT NULL,
    corrected_at timestamp with time zone NOT NULL,
    sequence bigint,
    reply_length integer,
    type smallint NOT NULL,
    time_quality smallint NOT NULL,
    source smallint,
    intended smallint,
    attached smallint,
    fallback smallint,
    custom_interface boolean,
    notification_id text NOT NULL,
    category text NOT NULL,
    action_id text,
    experiment text,
    arm text,
    occurred_at_raw text NOT NULL,
    detail jsonb,
    CONSTRAINT event_time_quality_check CHECK ((time_quality = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT event_type_check CHECK ((type = ANY (ARRAY[0, 1, 2])))
);

ALTER TABLE pushlift.event_2026w46 OWNER TO pushlift_owner;

CREATE TABLE pushlift.event_2026w47 (
    event_id uuid NOT NULL,
    unit_id uuid NOT NULL,
    day date NOT NULL,
    "position" bigint DEFAULT nextval('pushlift.event_position'::regclass) NOT NULL,
    app_id integer NOT NULL,
    device_key uuid NOT NULL,
    fingerprint uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    received_at timestamp with time zone NOT NULL,
    corrected_at timestamp with time zone NOT NULL,
    sequence bigint,
    reply_length integer,
    type smallint NOT NULL,
    time_quality smallint NOT NULL,
    source smallint,
    intended smallint,
    attached smallint,
    fallback smallint,
    custom_interface boolean,
    notification_id text NOT NULL,
    category text NOT NULL,
    action_id text,
    experiment text,
    arm text,
    occurred_at_raw text NOT NULL,
    detail jsonb,
    CONSTRAINT event_time_quality_check CHECK ((time_quality = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT event_type_check CHECK ((type = ANY (ARRAY[0, 1, 2])))
);

ALTER TABLE pushlift.event_2026w47 OWNER TO pushlift_owner;

CREATE TABLE pushlift.event_default (
    event_id uuid NOT NULL,
    unit_id uuid NOT NULL,
    day date NOT NULL,
    "position" bigint DEFAULT nextval('pushlift.event_position'::regclass) NOT NULL,
    app_id integer NOT NULL,
    device_key uuid NOT NULL,
    fingerprint uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    received_at timestamp with time zone NOT NULL,
    corrected_at timestamp with time zone NOT NULL,
    sequence bigint,
    reply_length integer,
    type smallint NOT NULL,
    time_quality smallint NOT NULL,
    source smallint,
    intended smallint,
    attached smallint,
    fallback smallint,
    custom_interface boolean,
    notification_id text NOT NULL,
    category text NOT NULL,
    action_id text,
    experiment text,
    arm text,
    occurred_at_raw text NOT NULL,
    detail jsonb,
    CONSTRAINT event_time_quality_check CHECK ((time_quality = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT event_type_check CHECK ((type = ANY (ARRAY[0, 1, 2])))
);

ALTER TABLE pushlift.event_default OWNER TO pushlift_owner;

CREATE TABLE pushlift.projection_checkpoint (
    name text NOT NULL,
    "position" bigint NOT NULL,
    watermark timestamp with time zone
);

ALTER TABLE pushlift.projection_checkpoint OWNER TO pushlift_owner;

CREATE TABLE pushlift.reply (
    event_id uuid NOT NULL,
    unit_id uuid NOT NULL,
    day date NOT NULL,
    app_id integer NOT NULL,
    device_key uuid NOT NULL,
    text text NOT NULL
);

ALTER TABLE pushlift.reply OWNER TO pushlift_owner;

CREATE TABLE pushlift.schema_migration (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE pushlift.schema_migration OWNER TO pushlift_owner;

CREATE TABLE pushlift.secret_check (
    name text NOT NULL,
    hash uuid NOT NULL
);

ALTER TABLE pushlift.secret_check OWNER TO pushlift_owner;

CREATE TABLE pushlift.unit_interaction (
    unit_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    type smallint NOT NULL,
    action_id text NOT NULL,
    replied boolean NOT NULL
);

ALTER TABLE pushlift.unit_interaction OWNER TO pushlift_owner;

CREATE TABLE pushlift.unit_outcome (
    unit_id uuid NOT NULL,
    app_id integer NOT NULL,
    device_key uuid NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    delivered_at timestamp with time zone,
    category text NOT NULL,
    intended smallint,
    attached smallint,
    custom_interface boolean NOT NULL,
    fallback smallint,
    offered text,
    experiment text,
    arm text,
    expanded_at timestamp with time zone,
    opened_at timestamp with time zone,
    acted_at timestamp with time zone,
    replied_at timestamp with time zone,
    dismissed_at timestamp with time zone
);

ALTER TABLE pushlift.unit_outcome OWNER TO pushlift_owner;

ALTER TABLE ONLY pushlift.event ATTACH PARTITION pushlift.event_2026w46 FOR VALUES FROM ('2026-11-09') TO ('2026-11-16');

ALTER TABLE ONLY pushlift.event ATTACH PARTITION pushlift.event_2026w47 FOR VALUES FROM ('2026-11-16') TO ('2026-11-23');

ALTER TABLE ONLY pushlift.event ATTACH PARTITION pushlift.event_default DEFAULT;

COPY pushlift.api_key (key_id, app_id, scope, secret_hash, label, created_at, revoked_at) FROM stdin;
a7cb569868ea	1	write	\\x758fa0b8f57eb50e530f6766d6856a238f2e3e3aab6c6e1c0031ff398d50eebc		2026-11-30 22:23:03.573922+00	\N
e1c4094cb370	2	write	\\x2bdbd5b10d0d4a5ca90148141d3ce69381ff38593d6903034a7fc6f4e8d5ecbe		2026-11-30 22:23:03.699828+00	\N
\.

COPY pushlift.app (app_id, name, zone, attribution_window, created_at) FROM stdin;
1	shop	UTC	24:00:00	2026-11-30 22:23:03.572321+00
2	news	Europe/Berlin	24:00:00	2026-11-30 22:23:03.697555+00
\.

COPY pushlift.daily_implausible (app_id, day, category, events) FROM stdin;
1	2026-11-30	social_post	1
\.

COPY pushlift.daily_rate (app_id, day, category, intended, shown, custom_interface, bucket, delivered, interaction, expansion, open, action, reply, dismissal) FROM stdin;
2	2026-11-14	chat	f	f	t	82	1	0	0	0	0	0	0
1	2026-11-14	social_post	t	t	t	78	1	0	0	0	0	0	0
2	2026-11-14	news	f	f	f	82	1	0	0	0	0	0	0
1	2026-11-13	news	t	t	f	30	1	0	0	0	0	0	0
1	2026-11-14	chat	f	f	t	78	1	0	0	0	0	0	0
1	2026-11-19	chat	f	f	t	78	1	0	0	0	0	0	0
1	2026-11-18	news	t	t	f	78	1	0	0	0	0	0	0
1	2026-11-19	promo	f	f	f	78	2	0	0	0	0	0	2
1	2026-11-19	news	t	t	f	78	2	0	0	0	0	0	0
1	2026-11-18	chat	t	t	t	78	1	0	0	0	0	0	0
1	2026-11-15	chat	t	t	t	25	1	0	0	0	0	0	0
2	2026-11-17	chat	f	f	t	82	1	0	0	0	0	0	0
1	2026-11-15	social_post	t	t	t	30	1	0	0	0	0	0	0
2	2026-11-16	promo	t	t	f	82	1	0	0	0	0	0	0
1	2026-11-18	social_post	f	f	t	30	1	0	0	0	0	0	1
1	2026-11-17	chat	f	f	t	78	1	0	0	0	0	0	0
1	2026-11-17	news	t	t	f	30	2	0	0	0	0	0	0
1	2026-11-15	chat	t	f	t	78	1	0	0	0	0	0	0
2	2026-11-14	social_post	f	f	t	82	1	0	0	0	0	0	0
1	2026-11-18	chat	f	f	t	25	1	0	0	0	0	0	0
1	2026-11-17	social_post	t	t	t	78	1	0	0	0	0	0	0
2	2026-11-16	social_post	t	t	t	82	1	0	0	0	0	0	0
1	2026-11-14	news	f	f	f	78	1	0	0	0	0	0	0
1	2026-11-15	chat	t	t	t	78	1	1	1	0	0	0	0
1	2026-11-13	promo	f	f	f	78	1	0	0	0	0	0	1
1	2026-11-13	news	t	t	f	25	1	0	0	0	0	0	0
2	2026-11-15	news	t	t	f	82	1	0	0	0	0	0	0
2	2026-11-17	news	t	t	f	82	2	0	0	0	0	0	0
1	2026-11-15	chat	f	f	t	30	1	0	0	0	0	0	0
1	2026-11-17	promo	f	f	f	78	1	0	0	0	0	0	0
1	2026-11-15	news	f	f	f	78	1	0	0	0	0	0	0
1	2026-11-16	news	f	f	f	78	1	0	0	0	0	0	0
1	2026-11-19	news	f	f	f	25	1	0	0	0	0	0	0
2	2026-11-18	chat	f	f	t	82	2	0	0	0	0	0	0
1	2026-11-18	social_post	t	t	f	102	1	1	0	0	1	1	0
1	2026-11-18	promo	t	t	f	78	1	0	0	0	0	0	0
1	2026-11-14	social_post	f	f	t	78	1	0	0	0	0	0	1
1	2026-11-16	news	t	t	f	78	2	0	0	0	0	0	0
1	2026-11-17	news	f	f	f	78	1	0	0	0	0	0	0
1	2026-11-15	social_post	t	t	t	78	1	0	0	0	0	0	0
1	2026-11-14	chat	f	f	t	25	1	0	0	0	0	0	0
1	2026-11-13	social_post	t	t	t	78	2	0	0	0	0	0	0
1	2026-11-16	promo	f	f	f	78	1	0	0	0	0	0	1
1	2026-11-14	chat	t	t	t	78	1	0	0	0	0	0	0
1	2026-11-13	social_post	t	t	t	25	1	1	0	1	0	0	0
2	2026-11-14	news	t	t	f	82	1	0	0	0	0	0	0
2	2026-11-13	news	f	f	f	82	1	0	0	0	0	0	0
2	2026-11-19	social_post	t	t	t	82	1	0	0	0	0	0	0
1	2026-11-18	promo	t	f	f	78	1	0	0	0	0	0	1
1	2026-11-14	promo	f	f	f	25	1	0	0	0	0	0	0
2	2026-11-19	chat	f	f	t	82	1	0	0	0	0	0	0
2	2026-11-16	news	f	f	f	82	1	0	0	0	0	0	0
1	2026-11-16	news	t	t	f	25	1	1	0	0	1	0	0
1	2026-11-18	social_post	t	t	t	30	1	0	0	0	0	0	0
1	2026-11-13	social_post	f	f	t	78	1	0	0	0	0	0	0
1	2026-11-16	chat	f	f	t	78	1	1	1	0	1	1	0
2	2026-11-15	social_post	f	f	t	82	1	0	0	0	0	0	0
1	2026-11-19	news	f	f	f	78	1	0	0	0	0	0	0
1	2026-11-18	news	t	t	f	25	1	0	0	0	0	0	0
1	2026-11-16	social_post	t	t	t	78	1	0	0	0	0	0	0
1	2026-11-19	news	t	t	f	30	1	0	0	0	0	0	0
1	2026-11-13	chat	t	t	t	25	1	1	0	0	1	1	0
1	2026-11-19	social_post	t	t	t	30	1	0	0	0	0	0	0
1	2026-11-15	promo	t	t	f	30	1	0	0	0	0	0	0
1	2026-11-16	promo	t	t	f	78	1	1	0	0	1	0	0
2	2026-11-13	social_post	t	t	t	82	1	0	0	0	0	0	0
2	2026-11-19	promo	f	f	f	82	1	0	0	0	0	0	0
1	2026-11-13	news	t	t	f	78	1	0	0	0	0	0	0
1	2026-11-17	promo	t	t	f	25	1	0	0	0	0	0	0
1	2026-11-16	promo	t	t	f	25	1	0	0	0	0	0	0
1	2026-11-18	social_post	f	f	t	78	1	0	0	0	0	0	0
1	2026-11-14	promo	t	t	f	25	1	0	0	0	0	0	0
1	2026-11-17	chat	f	f	t	30	1	0	0	0	0	0	0
2	2026-11-18	news	t	t	f	82	1	0	0	0	0	0	0
\.

COPY pushlift.dead_letter (dead_letter_id, app_id, received_at, sent_at, source, event_index, event_id, device_key, field, code, message, body, replayed_at) FROM stdin;
1	1	2026-11-30 22:23:03.906435+00	\N	import	2	0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0002	4a8e9587-713d-321d-13e7-1671c1b5cf66	type	unknown_value	type is “tapped”; send one of delivered, expanded, action	\\x7b226964223a2230613463653361322d366434662d346330652d396135332d316636663366366630303032222c2274797065223a22746170706564222c226e6f74696669636174696f6e4964223a226e2d31222c226465766963654964223a6e756c6c2c226f636375727265644174223a22323032362d31312d31385431303a30313a30302b30313a3030227d	\N
2	1	2026-11-30 22:23:03.906435+00	\N	import	4	0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0003	4a8e9587-713d-321d-13e7-1671c1b5cf66	id	conflict	another event with this id, notification, device and day is stored with other content; the first one stays: give each event an id of its own, and send a retry unchanged	\\x7b226964223a2230613463653361322d366434662d346330652d396135332d316636663366366630303033222c2274797065223a22616374696f6e222c226e6f74696669636174696f6e4964223a226e2d31222c2263617465676f7279223a22736f6369616c5f706f7374222c226f636375727265644174223a22323032362d31312d31385431303a30323a30302b30313a3030222c22616374696f6e4964223a227265706c79227d	\N
\.

COPY pushlift.event_2026w46 (event_id, unit_id, day, "position", app_id, device_key, fingerprint, occurred_at, sent_at, received_at, corrected_at, sequence, reply_length, type, time_quality, source, intended, attached, fallback, custom_interface, notification_id, category, action_id, experiment, arm, occurred_at_raw, detail) FROM stdin;
0142a131-23cb-4a81-8562-3be1b8de284d	b88b00f4-01ef-0a18-a83e-375e87b7d82c	2026-11-13	2	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	916ec039-4434-94be-2cba-686106c92f97	2026-11-13 09:53:19.806+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 09:53:19.806+00	2	19	2	0	2	\N	\N	\N	\N	c5311e7d-ed25-4f50-8937-426a682a66a7	chat	reply	\N	\N	2026-11-13T11:53:19.806+02:00	\N
0a04513d-07fd-4d5a-bcc6-c6e5bd616746	d491cf3a-f11f-37be-31e8-751cb76b6bee	2026-11-15	3	1	b836fa08-7671-efe2-6bbd-93be8f022ace	28bc6d00-4b5e-2ede-0a2b-44223325a482	2026-11-15 07:45:53.16+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 07:45:53.16+00	13	\N	0	0	0	4	4	\N	t	c26d5b99-0ab6-4628-86a0-4d1b5c1033bc	social_post	\N	\N	\N	2026-11-14T23:45:53.160-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.2.0", "attachments": [{"kind": "video", "bytes": 202000, "width": 1200, "height": 675, "seconds": 7.5}], "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
12c28cb9-aa31-4b18-a04f-35aadd73824f	4160a17a-2171-131b-56c4-9c4f9e31dc27	2026-11-13	5	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	b295c36e-6e7c-c0ce-76d0-cd0d4e024787	2026-11-13 19:34:28.593+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 19:34:28.593+00	4	\N	0	0	0	4	4	\N	t	84d82436-9002-44b6-a420-237ed8ebf57f	social_post	\N	\N	\N	2026-11-13T21:34:28.593+02:00	{"locale": "ar_EG", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.2.1", "attachments": [{"kind": "video", "bytes": 94000, "width": 1200, "height": 675, "seconds": 4.5}], "relevanceScore": 0.25, "customInterface": true, "interruptionLevel": "active"}
18704b3c-96ff-41af-8c00-754f783c9863	b17b80a7-151a-1d83-9c49-5f5ce2887982	2026-11-13	8	1	b836fa08-7671-efe2-6bbd-93be8f022ace	c8fe9d45-a0a9-1a8d-382c-5938d172540c	2026-11-13 15:09:59.118+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 15:09:59.118+00	3	\N	0	0	0	0	0	\N	t	f6460283-fc92-4855-8a08-0031cf447faa	social_post	\N	\N	\N	2026-11-13T07:09:59.118-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": [], "threadId": "social_post", "appVersion": "5.2.0", "relevanceScore": 1.0, "customInterface": true, "interruptionLevel": "active"}
1a19bb92-c491-4c89-8683-e78624e091d9	cafa2ce3-101f-2855-44c6-9dcb366dba9e	2026-11-13	9	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	1a487575-85e3-49dc-9998-bc9ebbd8d317	2026-11-13 23:21:06.104+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 23:21:06.104+00	1	\N	0	0	0	1	1	\N	f	53058419-29ca-4980-a452-77681bb256fc	news	\N	\N	\N	2026-11-13T23:21:06.104Z	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.1.0", "attachments": [{"kind": "image", "bytes": 112000, "width": 1200, "height": 675}], "relevanceScore": 0.75, "interruptionLevel": "passive"}
1dd28880-b17f-495d-b57f-a9f963659e16	f3fc100e-c046-5992-6da2-9b33fa769270	2026-11-15	11	1	b836fa08-7671-efe2-6bbd-93be8f022ace	ec438087-f968-a634-7f06-25bf9a7c3a30	2026-11-15 13:45:29.866+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 13:45:29.866+00	14	\N	0	0	0	8	8	\N	t	8b8a962d-6f34-438d-ba0d-bef226b2f1f1	chat	\N	\N	\N	2026-11-15T05:45:29.866-08:00	{"locale": "en_US", "actions": ["mute", "reply"], "intended": ["audio"], "threadId": "chat", "appVersion": "5.2.0", "attachments": [{"kind": "audio", "bytes": 220000, "seconds": 8.0}], "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "active"}
29517029-619b-4c33-b778-381f12db8142	831c7fbb-75ea-f32e-b35e-ccaaa7d8809b	2026-11-14	16	1	b836fa08-7671-efe2-6bbd-93be8f022ace	8ac2e2a8-8731-9e59-6859-ff3568d64b50	2026-11-14 13:55:06.601+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 13:55:06.601+00	8	\N	0	0	0	4	4	\N	t	0da5e5cd-af2f-42cc-aa88-bf1f79fbdeea	social_post	\N	\N	\N	2026-11-14T05:55:06.601-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.2.0", "attachments": [{"kind": "video", "bytes": 148000, "width": 1200, "height": 675, "seconds": 6.0}], "relevanceScore": 0.5, "customInterface": true, "interruptionLevel": "active"}
2f18f85e-61f6-4f2c-a613-a52aa69b4022	7fd303f4-844f-3aa3-8c8d-7dd07183bf92	2026-11-14	18	1	b836fa08-7671-efe2-6bbd-93be8f022ace	84ed5df3-0bc5-c907-a5f8-0c7fd2d3133f	2026-11-14 10:46:06.927+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 10:46:06.927+00	7	\N	0	0	0	0	0	\N	t	9152a58b-092f-406a-b0b0-35b431199b20	chat	\N	\N	\N	2026-11-14T02:46:06.927-08:00	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.0", "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "active"}
36c220c5-2a1a-4b98-87b7-c8706af8aa12	2a0e05ae-83d2-5939-1746-e78bb2de4ccf	2026-11-14	20	1	b836fa08-7671-efe2-6bbd-93be8f022ace	030dca3a-ad9a-1160-258b-4a2911b686dd	2026-11-14 17:30:11.574+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 17:30:11.574+00	10	\N	2	0	2	\N	\N	\N	\N	46badec8-20c8-4b20-be1e-3312c451662a	social_post	com.apple.UNNotificationDismissActionIdentifier	\N	\N	2026-11-14T09:30:11.574-08:00	\N
45aabfaf-a082-428c-96bd-066afd7de770	06c9277f-af5c-540b-ded6-a2a64c2ca92c	2026-11-15	25	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	1cc78a55-8798-bb81-e457-33489d7d328d	2026-11-15 16:26:58.801+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 16:26:58.801+00	9	\N	0	0	0	1	1	\N	t	19145c21-4101-448f-b4b2-ed4e157b155a	chat	\N	\N	\N	2026-11-15T18:26:58.801+02:00	{"locale": "ar_EG", "actions": ["mute", "reply"], "intended": ["image"], "threadId": "chat", "appVersion": "5.2.1", "attachments": [{"kind": "image", "bytes": 229000, "width": 1200, "height": 675}], "relevanceScore": 0.25, "customInterface": true, "interruptionLevel": "active"}
4f9699fd-c89a-4185-8e4d-54333d799c5b	551441a7-dfdd-f77e-e765-5660c8bd2636	2026-11-15	27	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	fb54b823-6af2-cca3-0537-41e36e194e5a	2026-11-15 17:00:50.217+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 17:00:50.217+00	4	\N	0	0	0	4	4	\N	t	0179929f-a3ce-4916-96e8-3531c3d89577	social_post	\N	\N	\N	2026-11-15T17:00:50.217Z	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.1.0", "attachments": [{"kind": "video", "bytes": 238000, "width": 1200, "height": 675, "seconds": 8.5}], "relevanceScore": 0.5, "customInterface": true, "interruptionLevel": "active"}
6120e993-5949-4c0c-9dc7-3b14f16c794d	a039549b-5f9f-2b35-f237-dc3a0a8b0801	2026-11-14	29	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	26a853f5-5438-91d9-b662-fd42a57d009d	2026-11-14 23:01:39.92+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 23:01:39.92+00	8	\N	0	0	0	0	0	\N	f	f168e7a2-b3bc-418e-9074-ab4ca752106f	promo	\N	\N	\N	2026-11-15T01:01:39.920+02:00	{"locale": "ar_EG", "actions": ["shop"], "intended": [], "threadId": "promo", "appVersion": "5.2.1", "relevanceScore": 0.25, "interruptionLevel": "passive"}
71b52037-2aa7-4ba5-90cf-a505115d416c	3da39ef1-f966-cbbe-65d8-90273da2a864	2026-11-14	31	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	946f9fa5-fa59-5045-0f60-45fc14af1b59	2026-11-14 11:51:57.573+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 11:51:57.573+00	7	\N	0	0	0	0	0	\N	t	8265d771-d160-4bf9-9445-93847c0a8cc2	chat	\N	\N	\N	2026-11-14T13:51:57.573+02:00	{"locale": "ar_EG", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.1", "relevanceScore": 0.25, "customInterface": true, "interruptionLevel": "active"}
748e7543-68b8-4af6-9aec-971795330fbe	e4c05532-5d7f-1a40-3d63-2eb217819bc4	2026-11-15	32	1	b836fa08-7671-efe2-6bbd-93be8f022ace	adb8b91c-444c-b4e4-fdd4-b7ef37c9d81c	2026-11-15 19:35:57.733+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 19:35:57.733+00	16	\N	0	0	0	1	0	1	t	d224b76a-7cda-42a8-999f-566e7c963aab	chat	\N	\N	\N	2026-11-15T11:35:57.733-08:00	{"locale": "en_US", "actions": ["mute", "reply"], "fallback": "timedOut", "intended": ["image"], "threadId": "chat", "appVersion": "5.2.0", "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
7d2a81d8-46ba-405a-bdcc-3adce4169386	9c4a9e2f-8a9c-f9ef-f2ff-fc769c28c075	2026-11-14	37	1	b836fa08-7671-efe2-6bbd-93be8f022ace	0d621f96-2c27-fb86-b57d-87adf483e414	2026-11-14 19:37:15.169+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 19:37:15.169+00	12	\N	0	0	0	1	1	\N	t	6fb4aa1e-992f-445e-8427-71241995cc32	chat	\N	\N	\N	2026-11-14T11:37:15.169-08:00	{"locale": "en_US", "actions": ["mute", "reply"], "intended": ["image"], "threadId": "chat", "appVersion": "5.2.0", "attachments": [{"kind": "image", "bytes": 175000, "width": 1200, "height": 675}], "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "active"}
879f668c-43b3-467f-a994-7c0d5420d3a2	48e376bd-0ac1-674d-191b-ea36190e7882	2026-11-14	39	1	b836fa08-7671-efe2-6bbd-93be8f022ace	862483f1-8945-f612-cbce-233c893cca94	2026-11-14 18:03:24.196+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 18:03:24.196+00	11	\N	0	0	0	0	0	\N	f	c32e4661-0a78-4e97-9ed1-50b52d6fa87f	news	\N	\N	\N	2026-11-14T10:03:24.196-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.0", "relevanceScore": 1.0, "interruptionLevel": "active"}
8bef86b9-64c5-4892-9bd6-6e11df0fb4ff	4e5947d9-7f03-3a3b-1d6f-d1c6d75f82a9	2026-11-13	40	1	b836fa08-7671-efe2-6bbd-93be8f022ace	1bd05999-b360-9dd8-066c-e455735fc67d	2026-11-13 13:14:39.771+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 13:14:39.771+00	2	\N	0	0	0	4	4	\N	t	f2dc6248-f9d0-45fc-ba1f-4e466b361c98	social_post	\N	\N	\N	2026-11-13T05:14:39.771-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.2.0", "attachments": [{"kind": "video", "bytes": 67000, "width": 1200, "height": 675, "seconds": 3.75}], "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
956c9181-1512-45b5-8fcb-8a73bf889aea	003244a4-e2d5-f390-8907-34ab411d80d4	2026-11-13	41	1	b836fa08-7671-efe2-6bbd-93be8f022ace	bc241332-7a92-6b10-269c-e906d802f6ec	2026-11-13 19:27:19.134+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 19:27:19.134+00	5	\N	2	0	2	\N	\N	\N	\N	65fe44e0-486f-47eb-b16b-a0e752a1bd5f	promo	com.apple.UNNotificationDismissActionIdentifier	\N	\N	2026-11-13T11:27:19.134-08:00	\N
9b9684b2-2df4-4912-86fa-e3daf20880c6	cb6e6cec-c609-e88f-8681-b38693eaeee6	2026-11-15	43	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	3cc8b8d3-2d4f-b46b-bc4f-03a58cc047ee	2026-11-15 00:38:33.739+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 00:38:33.739+00	2	\N	0	0	0	2	2	\N	f	93d1fbd2-60dc-4555-96da-c978d3bbe3ed	promo	\N	\N	\N	2026-11-15T00:38:33.739Z	{"locale": "en_US", "actions": ["shop"], "intended": ["gif"], "threadId": "promo", "appVersion": "5.1.0", "attachments": [{"kind": "gif", "bytes": 193000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "active"}
a57ae22a-ae7d-4d20-861b-566645d6ae19	4160a17a-2171-131b-56c4-9c4f9e31dc27	2026-11-13	46	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	4e5905d0-4547-2cb7-dc8e-115011a4391b	2026-11-13 20:33:59.689+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 20:33:59.689+00	5	\N	2	0	2	\N	\N	\N	\N	84d82436-9002-44b6-a420-237ed8ebf57f	social_post	com.apple.UNNotificationDefaultActionIdentifier	\N	\N	2026-11-13T22:33:59.689+02:00	\N
ae375917-2d70-4584-b750-577d75300ef5	2f1618aa-d863-1c09-6f25-e574cb582118	2026-11-15	49	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	b9626d34-9323-bddd-f11e-b7f36a133c52	2026-11-15 10:27:24.656+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 10:27:24.656+00	3	\N	0	0	0	0	0	\N	t	cc9c75bc-f36a-40ac-8104-5de9a41f3265	chat	\N	\N	\N	2026-11-15T10:27:24.656Z	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.1.0", "relevanceScore": 1.0, "customInterface": true, "interruptionLevel": "active"}
b470e9af-ac7a-404e-adef-1380df0e04dc	9250c67b-185e-abf3-efd2-ddc13dc01f47	2026-11-13	52	1	b836fa08-7671-efe2-6bbd-93be8f022ace	3a856021-9def-a2b7-1f9c-0baa3c22f466	2026-11-13 20:20:52.921+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 20:20:52.921+00	6	\N	0	0	0	1	1	\N	f	337c375e-db95-4816-9eaa-6ea589d124c6	news	\N	\N	\N	2026-11-13T12:20:52.921-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.2.0", "attachments": [{"kind": "image", "bytes": 103000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "active"}
ba2b113b-c4a6-4200-917d-2e7b346c02d2	003244a4-e2d5-f390-8907-34ab411d80d4	2026-11-13	55	1	b836fa08-7671-efe2-6bbd-93be8f022ace	d3d402b8-fd1f-994e-9f32-75774fe70f04	2026-11-13 18:06:47.044+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 18:06:47.044+00	4	\N	0	0	0	0	0	\N	f	65fe44e0-486f-47eb-b16b-a0e752a1bd5f	promo	\N	\N	\N	2026-11-13T10:06:47.044-08:00	{"locale": "en_US", "actions": ["shop"], "intended": [], "threadId": "promo", "appVersion": "5.2.0", "relevanceScore": 0.0, "interruptionLevel": "active"}
c8ae72e2-9a8d-41b9-8320-6b04aa3f2867	fd61efd2-7192-67be-bb99-b0bfa479bfec	2026-11-15	59	1	b836fa08-7671-efe2-6bbd-93be8f022ace	cca945c7-cc5b-98da-da12-550c09b7d2f1	2026-11-15 20:57:00.776+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 20:57:00.776+00	17	\N	0	0	0	0	0	\N	f	4280716a-e764-4885-ad26-8166c65de128	news	\N	\N	\N	2026-11-15T12:57:00.776-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.0", "relevanceScore": 1.0, "interruptionLevel": "passive"}
d0d34d7c-1058-457d-9802-2bcf373f4c0c	a0a098c4-c9f6-2cc6-f02c-45061e5658f9	2026-11-14	63	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	5fd8c36f-7ae2-ee08-370e-477863e58906	2026-11-14 08:31:04.301+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 08:31:04.301+00	6	\N	0	0	0	4	4	\N	f	d7f23b41-99f9-46cd-b521-81282babf7a0	promo	\N	\N	\N	2026-11-14T10:31:04.301+02:00	{"locale": "ar_EG", "actions": ["shop"], "intended": ["video"], "threadId": "promo", "appVersion": "5.2.1", "attachments": [{"kind": "video", "bytes": 121000, "width": 1200, "height": 675, "seconds": 5.25}], "relevanceScore": 1.0, "interruptionLevel": "active"}
e3e7a16e-d7a4-48d2-a6e6-3ee39772dd81	760b989e-863f-83be-f740-e411c19d268f	2026-11-13	68	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	1da5a626-acee-7b30-e344-f1dd6e4e88ea	2026-11-13 11:10:46.568+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 11:10:46.568+00	3	\N	0	0	0	2	2	\N	f	e5d4d26c-65b4-4997-9748-08feca89f3ef	news	\N	\N	\N	2026-11-13T13:10:46.568+02:00	{"locale": "ar_EG", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.2.1", "attachments": [{"kind": "gif", "bytes": 58000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "active"}
e9ad9442-902b-45a0-8432-043c330d4eb6	b88b00f4-01ef-0a18-a83e-375e87b7d82c	2026-11-13	71	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	d4fd6ae1-4b91-1907-740a-7c3ae44e57b8	2026-11-13 07:22:59.27+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 07:22:59.27+00	1	\N	0	0	0	8	8	\N	t	c5311e7d-ed25-4f50-8937-426a682a66a7	chat	\N	\N	\N	2026-11-13T09:22:59.270+02:00	{"locale": "ar_EG", "actions": ["mute", "reply"], "intended": ["audio"], "threadId": "chat", "appVersion": "5.2.1", "attachments": [{"kind": "audio", "bytes": 40000, "seconds": 3.0}], "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "passive"}
f97b290b-ab21-4d4b-8dd7-8b85ef0278e5	ea7882bf-6060-f7fd-b7e1-df72c44d0795	2026-11-13	72	1	b836fa08-7671-efe2-6bbd-93be8f022ace	425f1d58-6f59-e480-1beb-f262fcbcc001	2026-11-13 10:01:47.873+00	\N	2026-11-30 22:23:03.838146+00	2026-11-13 10:01:47.873+00	1	\N	0	0	0	1	1	\N	t	01bd7ace-e41e-44a1-a7b5-f0d5ce7b5880	social_post	\N	\N	\N	2026-11-13T02:01:47.873-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["image"], "threadId": "social_post", "appVersion": "5.2.0", "attachments": [{"kind": "image", "bytes": 49000, "width": 1200, "height": 675}], "relevanceScore": 0.25, "customInterface": true, "interruptionLevel": "active"}
fd710d95-5c33-44d6-942e-d221a2b3b6ce	f3fc100e-c046-5992-6da2-9b33fa769270	2026-11-15	73	1	b836fa08-7671-efe2-6bbd-93be8f022ace	66394dee-4b28-3494-1240-d9ffb596012a	2026-11-15 13:46:35.421+00	\N	2026-11-30 22:23:03.838146+00	2026-11-15 13:46:35.421+00	15	\N	1	0	1	\N	\N	\N	\N	8b8a962d-6f34-438d-ba0d-bef226b2f1f1	chat	\N	\N	\N	2026-11-15T05:46:35.421-08:00	\N
fdac31ee-b1f7-43ee-ac68-3475eb7431fe	2a0e05ae-83d2-5939-1746-e78bb2de4ccf	2026-11-14	74	1	b836fa08-7671-efe2-6bbd-93be8f022ace	e9516099-a920-070e-0a11-e6118ab82817	2026-11-14 17:29:51.196+00	\N	2026-11-30 22:23:03.838146+00	2026-11-14 17:29:51.196+00	9	\N	0	0	0	0	0	\N	t	46badec8-20c8-4b20-be1e-3312c451662a	social_post	\N	\N	\N	2026-11-14T09:29:51.196-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": [], "threadId": "social_post", "appVersion": "5.2.0", "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
31288de2-3343-4edd-b23f-8c884ee9cdaa	5883af82-812e-b084-8035-9890c4e46136	2026-11-15	80	2	507ca130-6df6-ca6c-f857-76d056a01552	14ac8d95-6f45-a304-ce2c-0d65d9ef221f	2026-11-15 13:20:42.583+00	\N	2026-11-30 22:23:04.00069+00	2026-11-15 13:20:42.583+00	7	\N	0	0	0	0	0	\N	t	d282af7b-9a68-4f35-b16f-3e9685930acd	social_post	\N	\N	\N	2026-11-15T18:50:42.583+05:30	{"locale": "en_US", "actions": ["like", "comment"], "intended": [], "threadId": "social_post", "appVersion": "5.2.1", "relevanceScore": 0.25, "customInterface": true, "interruptionLevel": "active"}
46fd49c1-bd52-4cce-ba83-e152a8f2d8f1	c01ca94c-0a13-a367-e548-e8e0e2916b2d	2026-11-14	83	2	507ca130-6df6-ca6c-f857-76d056a01552	f5bcf606-dd39-1648-abd5-a6262865e66f	2026-11-14 11:02:46.217+00	\N	2026-11-30 22:23:04.00069+00	2026-11-14 11:02:46.217+00	4	\N	0	0	0	2	2	\N	f	5985ff0d-dc28-4479-9135-d70368b60dcd	news	\N	\N	\N	2026-11-14T16:32:46.217+05:30	{"locale": "en_US", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.2.1", "attachments": [{"kind": "gif", "bytes": 67000, "width": 1200, "height": 675}], "relevanceScore": 0.75, "interruptionLevel": "active"}
5f458e82-92ab-4886-be6a-fc82c4fd72fa	6adf66a3-a76c-2469-b87e-b864d91ad81e	2026-11-14	84	2	507ca130-6df6-ca6c-f857-76d056a01552	e5b8768b-513a-f455-5e29-745f3450ac16	2026-11-14 00:57:16.203+00	\N	2026-11-30 22:23:04.00069+00	2026-11-14 00:57:16.203+00	3	\N	0	0	0	0	0	\N	f	945bc223-5de9-42a1-bfea-95805c3516ba	news	\N	\N	\N	2026-11-14T06:27:16.203+05:30	{"locale": "en_US", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.1", "relevanceScore": 0.5, "interruptionLevel": "active"}
698ec552-94ca-4b86-a568-cdd5ec08e8f5	b0866bb2-f192-bdfe-7036-f60bd760a8cb	2026-11-13	86	2	507ca130-6df6-ca6c-f857-76d056a01552	728754af-a49f-0c84-55d5-019c78857931	2026-11-13 12:44:18.466+00	\N	2026-11-30 22:23:04.00069+00	2026-11-13 12:44:18.466+00	2	\N	0	0	0	0	0	\N	f	55b80845-a5ab-47c9-85c7-0e9c4dc8ae1e	news	\N	\N	\N	2026-11-13T18:14:18.466+05:30	{"locale": "en_US", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.1", "relevanceScore": 0.25, "interruptionLevel": "active"}
9bb5b580-fac9-4e68-ac72-80b155ae6e23	e6ec0c63-aaa8-f631-04f7-8496e7df43a2	2026-11-14	93	2	507ca130-6df6-ca6c-f857-76d056a01552	ad1865ba-2592-deec-a462-939d6347cfbc	2026-11-14 22:19:24.617+00	\N	2026-11-30 22:23:04.00069+00	2026-11-14 22:19:24.617+00	6	\N	0	0	0	0	0	\N	t	0be43a74-0c8a-4d50-9c81-bcef5d1105a1	chat	\N	\N	\N	2026-11-15T03:49:24.617+05:30	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.1", "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "active"}
de907903-d930-42f5-a95b-5f5ac183933f	b896c686-c5ed-31c8-3d2f-4f8c2d6202f1	2026-11-15	94	2	507ca130-6df6-ca6c-f857-76d056a01552	d921125b-2424-6acc-c2b3-7f4d0c8c73c2	2026-11-15 14:12:11.2+00	\N	2026-11-30 22:23:04.00069+00	2026-11-15 14:12:11.2+00	8	\N	0	0	0	2	2	\N	f	44ca7267-ec62-469f-9b03-9f32d3ba0990	news	\N	\N	\N	2026-11-15T19:42:11.200+05:30	{"locale": "en_US", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.2.1", "attachments": [{"kind": "gif", "bytes": 103000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "active"}
f49993be-75b2-45ec-9b87-ed8ebd2d104f	f217f0b9-263b-fada-a63d-03bf1af5c862	2026-11-13	96	2	507ca130-6df6-ca6c-f857-76d056a01552	199f87f3-d023-14b7-59ff-e8df2f444d4a	2026-11-13 08:28:32.46+00	\N	2026-11-30 22:23:04.00069+00	2026-11-13 08:28:32.46+00	1	\N	0	0	0	4	4	\N	t	48567687-1c6c-445f-9654-9e06896dd864	social_post	\N	\N	\N	2026-11-13T13:58:32.460+05:30	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.2.1", "attachments": [{"kind": "video", "bytes": 40000, "width": 1200, "height": 675, "seconds": 3.0}], "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "passive"}
fdd1ff06-a8a3-4332-86ef-444a52789025	5fa3df4c-96b8-9b41-0c42-74c40710f94f	2026-11-14	98	2	507ca130-6df6-ca6c-f857-76d056a01552	109b39fd-c430-cb56-709c-a1ffb6fbaba0	2026-11-14 18:00:41.437+00	\N	2026-11-30 22:23:04.00069+00	2026-11-14 18:00:41.437+00	5	\N	0	0	0	0	0	\N	t	8d9edb5b-58ca-4eac-a21b-bb78eb4555b6	social_post	\N	\N	\N	2026-11-14T23:30:41.437+05:30	{"locale": "en_US", "actions": ["like", "comment"], "intended": [], "threadId": "social_post", "appVersion": "5.2.1", "relevanceScore": 1.0, "customInterface": true, "interruptionLevel": "active"}
\.

COPY pushlift.event_2026w47 (event_id, unit_id, day, "position", app_id, device_key, fingerprint, occurred_at, sent_at, received_at, corrected_at, sequence, reply_length, type, time_quality, source, intended, attached, fallback, custom_interface, notification_id, category, action_id, experiment, arm, occurred_at_raw, detail) FROM stdin;
004b4b02-dad4-47aa-a3f4-00c98b0dfa8d	368948b7-bcc7-19be-61f4-0894f5361068	2026-11-17	1	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	d42e56f6-dadb-cb93-bb97-0c019af550f5	2026-11-17 03:46:04.714+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 03:46:04.714+00	12	\N	2	0	2	\N	\N	\N	\N	77b3883d-89d2-4837-9d37-3765cb0012d2	news	save	\N	\N	2026-11-17T05:46:04.714+02:00	\N
0e3c90e3-db51-484e-a986-900c661ece38	9d4997bf-9401-8cdb-b004-0d2b6987f256	2026-11-16	4	1	b836fa08-7671-efe2-6bbd-93be8f022ace	0e8c6d5f-7c07-4cb8-4210-d8f649c87275	2026-11-16 17:01:58.169+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 17:01:58.169+00	24	\N	0	0	0	0	0	\N	f	b28600d1-107e-4e74-a93e-158771398689	promo	\N	\N	\N	2026-11-16T09:01:58.169-08:00	{"locale": "en_US", "actions": ["shop"], "intended": [], "threadId": "promo", "appVersion": "5.2.0", "relevanceScore": 0.0, "interruptionLevel": "active"}
132faeab-d443-4b32-a2ca-59b5c1c0f6da	8ce87ad6-8fe6-a723-b283-a37a826122b1	2026-11-17	6	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	f2fb602b-9260-d6de-1ee7-33e0910d0c57	2026-11-17 19:19:06.731+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 19:19:06.731+00	7	\N	0	0	0	1	1	\N	f	f0bc35af-13c5-45cd-9ced-4629f0a67535	news	\N	\N	\N	2026-11-17T19:19:06.731Z	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.1.0", "attachments": [{"kind": "image", "bytes": 400000, "width": 1200, "height": 675}], "relevanceScore": 0.0, "interruptionLevel": "passive"}
139c2bc1-b359-4518-baf3-e74d6542b700	39bb6c52-2bbc-a241-e01b-9f40073a304a	2026-11-18	7	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	bef51aae-3431-45e3-995d-0e445f68e524	2026-11-18 15:43:40.171+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 15:43:40.171+00	15	\N	0	0	0	2	2	\N	f	5b2adc8e-6155-48f8-b439-43a9241e9478	news	\N	\N	\N	2026-11-18T17:43:40.171+02:00	{"locale": "ar_EG", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.2.1", "attachments": [{"kind": "gif", "bytes": 463000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "active"}
1daa9f41-9fec-4c28-bed5-0ece7f71a4c5	db039cc0-1c5f-ddc3-cdb2-e1b256685546	2026-11-19	10	1	b836fa08-7671-efe2-6bbd-93be8f022ace	403f9ad6-3735-4f90-8c61-1efba19fdc48	2026-11-19 20:56:42.88+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 20:56:42.88+00	45	\N	0	0	0	1	1	\N	f	2e575583-c1f0-4da8-a632-ebf582be9813	news	\N	\N	\N	2026-11-19T12:56:42.880-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.2.0", "attachments": [{"kind": "image", "bytes": 562000, "width": 1200, "height": 675}], "relevanceScore": 0.75, "interruptionLevel": "active"}
20d4caa4-b667-4c90-8088-283d77a76f22	2289df7a-fee3-35f0-c3d2-2ad12576d983	2026-11-16	12	1	b836fa08-7671-efe2-6bbd-93be8f022ace	28e20d5a-487e-76fc-a4d3-92585aa40ce3	2026-11-16 09:55:27.082+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 09:55:27.082+00	22	\N	0	0	0	1	1	\N	f	51383305-f06a-417e-9cea-728479100fa9	news	\N	\N	\N	2026-11-16T01:55:27.082-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.2.0", "attachments": [{"kind": "image", "bytes": 283000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "active"}
234a6de9-be56-43d9-a446-dcfc287484ff	8e62cbc9-389a-007f-d941-f69bee13b26d	2026-11-18	13	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	84f02bd5-f23c-fe74-edb7-42ecc6aedb21	2026-11-18 03:09:53.465+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 03:09:53.465+00	8	\N	0	0	0	1	1	\N	t	a3fdec86-2106-43f7-9f11-4bba71bc2ede	social_post	\N	\N	\N	2026-11-18T03:09:53.465Z	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["image"], "threadId": "social_post", "appVersion": "5.1.0", "attachments": [{"kind": "image", "bytes": 427000, "width": 1200, "height": 675}], "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
242f54c1-500e-4f80-93b3-7c21d75863dc	39d8779d-828f-316e-4f01-65f5030bd2c6	2026-11-19	14	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	e2cf56e7-b724-e569-b5c8-7b706fa3b80f	2026-11-19 15:13:08.299+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 15:13:08.299+00	12	\N	0	0	0	2	2	\N	f	d9d4f09f-6187-471b-86c4-02a434976a3a	news	\N	\N	\N	2026-11-19T15:13:08.299Z	{"locale": "en_US", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.1.0", "attachments": [{"kind": "gif", "bytes": 535000, "width": 1200, "height": 675}], "relevanceScore": 0.0, "interruptionLevel": "active"}
2877c3cc-0826-4531-9b71-3550d5edf3dd	e9056de7-b7aa-74e9-972b-fdb733a2a0fb	2026-11-19	15	1	b836fa08-7671-efe2-6bbd-93be8f022ace	57e141f1-0f1f-43d8-79c7-4f87e4c3d131	2026-11-19 09:57:18.486+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 09:57:18.486+00	40	\N	0	0	0	0	0	\N	f	03ca928a-8e36-44c9-a5f2-93b7b7a05da3	promo	\N	\N	\N	2026-11-19T01:57:18.486-08:00	{"locale": "en_US", "actions": ["shop"], "intended": [], "threadId": "promo", "appVersion": "5.2.0", "relevanceScore": 0.75, "interruptionLevel": "active"}
2cc5de08-96f3-469f-ab1a-ccab31bf0e51	982a439b-112f-04ea-7d6a-9c8af8baf16d	2026-11-18	17	1	b836fa08-7671-efe2-6bbd-93be8f022ace	d7cebe33-4d67-d82a-5fff-b32b4797728f	2026-11-18 12:11:33.49+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 12:11:33.49+00	34	\N	0	0	0	8	8	\N	t	49688316-9e26-4fe1-bc7d-3e6b1c5f9595	chat	\N	\N	\N	2026-11-18T04:11:33.490-08:00	{"locale": "en_US", "actions": ["mute", "reply"], "intended": ["audio"], "threadId": "chat", "appVersion": "5.2.0", "attachments": [{"kind": "audio", "bytes": 445000, "seconds": 4.25}], "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "active"}
3538125b-d725-42bd-81b7-550a0e6a4207	1363a45f-5799-0df2-a29a-402344995029	2026-11-17	19	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	795558b0-9fd5-20c0-af35-9f6883f5da45	2026-11-17 07:20:53.615+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 07:20:53.615+00	5	\N	0	0	0	0	0	\N	t	fe7d3c5c-4c99-4ed3-9aa9-766b95669658	chat	\N	\N	\N	2026-11-17T07:20:53.615Z	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.1.0", "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "active"}
3af6782e-1082-4d7b-8155-e184765039ed	e9056de7-b7aa-74e9-972b-fdb733a2a0fb	2026-11-19	21	1	b836fa08-7671-efe2-6bbd-93be8f022ace	9ba4f494-5e32-7a0d-fbe6-b0329df2aa6d	2026-11-19 10:00:41.467+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 10:00:41.467+00	41	\N	2	0	2	\N	\N	\N	\N	03ca928a-8e36-44c9-a5f2-93b7b7a05da3	promo	com.apple.UNNotificationDismissActionIdentifier	\N	\N	2026-11-19T02:00:41.467-08:00	\N
3e60b837-a19f-4e04-8909-4d6b093151ad	0b50c151-9950-c937-b57a-6a184b596bb2	2026-11-19	22	1	b836fa08-7671-efe2-6bbd-93be8f022ace	eb36fbb9-193c-0dd1-ba8a-0215cc3e1cfb	2026-11-19 12:58:48.987+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 12:58:48.987+00	42	\N	0	0	0	0	0	\N	f	f2eef7b2-ace7-4d25-84fc-6fc7b4ed85ed	news	\N	\N	\N	2026-11-19T04:58:48.987-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.0", "relevanceScore": 1.0, "interruptionLevel": "active"}
40a227c6-0de6-4238-937c-ccd16e34c2b0	de3ba403-bf11-2e5c-6e52-9fd2402c0ad5	2026-11-16	23	1	b836fa08-7671-efe2-6bbd-93be8f022ace	37ca44bb-db64-94b2-df07-84b7b6e0e4d7	2026-11-16 02:13:24.129+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 02:13:24.129+00	18	\N	0	0	0	0	0	\N	t	3b2404b4-d52a-4914-99e5-c4c649094d56	chat	\N	\N	\N	2026-11-15T18:13:24.129-08:00	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.0", "relevanceScore": 0.0, "customInterface": true, "interruptionLevel": "active"}
42738d1d-56bd-4219-9b64-1f4c12901924	9d4997bf-9401-8cdb-b004-0d2b6987f256	2026-11-16	24	1	b836fa08-7671-efe2-6bbd-93be8f022ace	3ed4d5db-459b-0943-4691-3af1fcf4bee6	2026-11-16 17:27:55.247+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 17:27:55.247+00	25	\N	2	0	2	\N	\N	\N	\N	b28600d1-107e-4e74-a93e-158771398689	promo	com.apple.UNNotificationDismissActionIdentifier	\N	\N	2026-11-16T09:27:55.247-08:00	\N
4bd5ad96-3ef3-436c-97f1-49de562c49bd	845b13e9-c925-2990-2434-5d042960a19a	2026-11-18	26	1	b836fa08-7671-efe2-6bbd-93be8f022ace	11dc2582-2925-1887-52ea-db0f04b29335	2026-11-18 01:01:21.169+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 01:01:21.169+00	33	\N	0	0	0	1	1	\N	f	99a277c2-3910-4e81-a173-5863bc37fbeb	news	\N	\N	\N	2026-11-17T17:01:21.169-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.2.0", "attachments": [{"kind": "image", "bytes": 418000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "active"}
5133190a-6d56-4a42-91ce-46ad6856cff9	fad9245e-b48a-7c15-1a81-2b679ad90577	2026-11-16	28	1	b836fa08-7671-efe2-6bbd-93be8f022ace	aac21a54-5f6d-622f-f45e-a6b07835ac1f	2026-11-16 08:01:27.086+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 08:01:27.086+00	21	\N	0	0	0	0	0	\N	f	daeebc3e-3022-4f59-b00d-4db0c1a68f39	news	\N	\N	\N	2026-11-16T00:01:27.086-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.0", "relevanceScore": 0.25, "interruptionLevel": "active"}
6363868a-421f-4f5c-a8fe-c91a06b97568	d8e72264-b9ef-a138-5e57-f9c413b5f4a4	2026-11-18	30	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	3a91c782-7457-3236-ebac-1c4f2ec5e45f	2026-11-18 19:12:17.549+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 19:12:17.549+00	9	\N	0	0	0	0	0	\N	t	b81fdd09-9e1f-48b1-b5a0-a976c4e9a790	social_post	\N	\N	\N	2026-11-18T19:12:17.549Z	{"locale": "en_US", "actions": ["like", "comment"], "intended": [], "threadId": "social_post", "appVersion": "5.1.0", "relevanceScore": 1.0, "customInterface": true, "interruptionLevel": "active"}
75fbd889-c37a-4d3c-9329-ff1a2084cb90	6fa379e3-35a5-482c-b5db-7419afcd45d9	2026-11-19	33	1	b836fa08-7671-efe2-6bbd-93be8f022ace	65bf3697-e0cd-388a-32cb-fb058a710c18	2026-11-19 01:43:24.726+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 01:43:24.726+00	39	\N	0	0	0	1	1	\N	f	b16b26c5-29b3-430c-89ba-c2192852b3fb	news	\N	\N	\N	2026-11-18T17:43:24.726-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.2.0", "attachments": [{"kind": "image", "bytes": 499000, "width": 1200, "height": 675}], "relevanceScore": 0.25, "interruptionLevel": "active"}
77015bde-aa00-4474-ab3f-7fa27b1073df	3c41f044-dea6-4a63-a3d0-505c811dc845	2026-11-18	34	1	b836fa08-7671-efe2-6bbd-93be8f022ace	d088a666-cd8b-4b79-c110-fde0f65a9bce	2026-11-18 22:07:36.374+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 22:07:36.374+00	38	\N	0	0	0	4	4	\N	f	77ebbf49-d62b-4a4f-baad-5ae2e0b8660e	promo	\N	\N	\N	2026-11-18T14:07:36.374-08:00	{"locale": "en_US", "actions": ["shop"], "intended": ["video"], "threadId": "promo", "appVersion": "5.2.0", "attachments": [{"kind": "video", "bytes": 490000, "width": 1200, "height": 675, "seconds": 5.5}], "relevanceScore": 0.0, "interruptionLevel": "active"}
78e7f228-9e89-48a1-a559-4dae684b8b08	de3ba403-bf11-2e5c-6e52-9fd2402c0ad5	2026-11-16	35	1	b836fa08-7671-efe2-6bbd-93be8f022ace	d48ad49f-802a-1c4a-b318-8a435ba6d3de	2026-11-16 02:25:41.783+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 02:25:41.783+00	20	6	2	0	2	\N	\N	\N	\N	3b2404b4-d52a-4914-99e5-c4c649094d56	chat	reply	\N	\N	2026-11-15T18:25:41.783-08:00	\N
7c1190a7-878b-4648-b6bc-97c7b976ab84	4e1cc413-310d-39a2-a76e-7caa7591b29c	2026-11-17	36	1	b836fa08-7671-efe2-6bbd-93be8f022ace	b7e7fa44-7679-0f1d-75aa-fe72576745af	2026-11-17 15:38:47.829+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 15:38:47.829+00	31	\N	0	0	0	0	0	\N	t	f657a847-1418-46e2-9140-dfc0889a91da	chat	\N	\N	\N	2026-11-17T07:38:47.829-08:00	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.0", "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
80cd777e-484c-4570-9f9d-cdded84d5f25	368948b7-bcc7-19be-61f4-0894f5361068	2026-11-16	38	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	5886554c-b0fb-dc7f-65cc-c20d7e727103	2026-11-16 19:37:41.949+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 19:37:41.949+00	11	\N	0	0	0	2	2	\N	f	77b3883d-89d2-4837-9d37-3765cb0012d2	news	\N	\N	\N	2026-11-16T21:37:41.949+02:00	{"locale": "ar_EG", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.2.1", "attachments": [{"kind": "gif", "bytes": 328000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "passive"}
96a9feb3-7d32-49c9-aec8-dd79c9b42192	d23ec8fd-663b-f0a1-d4ff-aa8e5ece59b8	2026-11-17	42	1	b836fa08-7671-efe2-6bbd-93be8f022ace	f271bfdf-e33e-b1b7-042c-2c1f20f7e198	2026-11-17 21:08:03.604+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 21:08:03.604+00	32	\N	0	0	0	0	0	\N	f	39c45940-46c6-4ec2-90b2-e2fd5de4ce00	promo	\N	\N	\N	2026-11-17T13:08:03.604-08:00	{"locale": "en_US", "actions": ["shop"], "intended": [], "threadId": "promo", "appVersion": "5.2.0", "relevanceScore": 0.25, "interruptionLevel": "active"}
9d2d1499-33f4-4711-94d1-5cfb31f8efba	33729877-8c28-1ee6-a895-d3fa25b34517	2026-11-16	44	1	b836fa08-7671-efe2-6bbd-93be8f022ace	d34b4a2e-4686-86b5-1a04-d7f9afe66b2c	2026-11-16 23:18:45.093+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 23:18:45.093+00	28	\N	2	0	2	\N	\N	\N	\N	3665cbf9-615b-4f02-b47a-f8ed387cce57	promo	shop	\N	\N	2026-11-16T15:18:45.093-08:00	\N
a51fa9ad-048f-4a16-9981-863b69ea7fa6	b6c18c15-7c06-ddaa-e51d-9e36bc7785f4	2026-11-19	45	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	b7633828-692e-d514-e7e7-e98a5c360e0f	2026-11-19 17:28:01.198+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 17:28:01.198+00	16	\N	0	0	0	0	0	\N	f	4345d7c7-c60f-4517-baff-3cb3733fc855	news	\N	\N	\N	2026-11-19T19:28:01.198+02:00	{"locale": "ar_EG", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.1", "relevanceScore": 0.25, "interruptionLevel": "passive"}
a931aba1-f20a-4645-bfca-24f1bcf6880a	7cf309b1-d7a8-205e-896c-85123db6df0e	2026-11-17	47	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	1f6205ac-7a59-62d3-ed58-6f0c1d3e9dc3	2026-11-17 17:05:00.965+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 17:05:00.965+00	6	\N	0	0	0	2	2	\N	f	b74b3ec8-a965-4f50-bb19-7e820825447c	news	\N	\N	\N	2026-11-17T17:05:00.965Z	{"locale": "en_US", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.1.0", "attachments": [{"kind": "gif", "bytes": 391000, "width": 1200, "height": 675}], "relevanceScore": 1.0, "interruptionLevel": "active"}
a9e699f1-191d-4d46-bf6c-8ff7288d50ea	3fcefbf1-641a-d697-ae89-696ca7cee5f8	2026-11-18	48	1	b836fa08-7671-efe2-6bbd-93be8f022ace	20ddbdd3-4d13-8511-645c-c4fcc9f7b4f0	2026-11-18 18:28:16.344+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 18:28:16.344+00	37	\N	2	0	2	\N	\N	\N	\N	1df31a2e-dae0-4050-aac4-1a713318c1bc	promo	com.apple.UNNotificationDismissActionIdentifier	\N	\N	2026-11-18T10:28:16.344-08:00	\N
b0dd62f3-5fa1-44fb-93bb-761ef2291ea3	8a32c4ad-337a-2652-f07f-84860b9c09be	2026-11-16	50	1	b836fa08-7671-efe2-6bbd-93be8f022ace	6a67d4b3-1df2-dece-5a8d-7771cde8c4d9	2026-11-16 22:15:11.061+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 22:15:11.061+00	27	\N	0	0	0	4	4	\N	t	1fd141a3-1ce8-46b0-9754-4bc8379d4d64	social_post	\N	\N	\N	2026-11-16T14:15:11.061-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.2.0", "attachments": [{"kind": "video", "bytes": 337000, "width": 1200, "height": 675, "seconds": 11.25}], "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
b2233efe-8be7-475d-86bc-2cf0cd857455	de3ba403-bf11-2e5c-6e52-9fd2402c0ad5	2026-11-16	51	1	b836fa08-7671-efe2-6bbd-93be8f022ace	cf7c9195-5e49-5f79-dec8-c64e86ab8332	2026-11-16 02:25:35.155+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 02:25:35.155+00	19	\N	1	0	1	\N	\N	\N	\N	3b2404b4-d52a-4914-99e5-c4c649094d56	chat	\N	\N	\N	2026-11-15T18:25:35.155-08:00	\N
b558634b-0c6d-458d-9fcb-95c436f46772	aa6accc7-9557-b5bc-2d06-bd5194a7a0b0	2026-11-19	53	1	b836fa08-7671-efe2-6bbd-93be8f022ace	14187dbb-56ba-b536-bf47-e974907a2896	2026-11-19 21:38:52.732+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 21:38:52.732+00	46	\N	0	0	0	0	0	\N	t	b04b831d-6024-4e8d-934a-220444cde28c	chat	\N	\N	\N	2026-11-19T13:38:52.732-08:00	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.0", "relevanceScore": 1.0, "customInterface": true, "interruptionLevel": "active"}
b76b548d-e419-46bd-a501-b00469b6ea38	b77916c9-f1a3-40e8-3ddd-b8f83ef69eac	2026-11-16	54	1	b836fa08-7671-efe2-6bbd-93be8f022ace	3bc8608f-c7c3-4a6f-2737-392ebcbdb35a	2026-11-16 14:33:00.28+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 14:33:00.28+00	23	\N	0	0	0	1	1	\N	f	b891cc43-d5c2-4a68-95ab-7dee9b6ddb53	news	\N	\N	\N	2026-11-16T06:33:00.280-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.2.0", "attachments": [{"kind": "image", "bytes": 301000, "width": 1200, "height": 675}], "relevanceScore": 1.0, "interruptionLevel": "active"}
c21853ae-e3ea-4e2c-b65f-63f5afe41ece	3fcefbf1-641a-d697-ae89-696ca7cee5f8	2026-11-18	56	1	b836fa08-7671-efe2-6bbd-93be8f022ace	43ae45c9-80d7-4ce2-ece6-d786fe6d54ea	2026-11-18 18:24:25.129+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 18:24:25.129+00	36	\N	0	0	0	4	0	2	f	1df31a2e-dae0-4050-aac4-1a713318c1bc	promo	\N	\N	\N	2026-11-18T10:24:25.129-08:00	{"locale": "en_US", "actions": ["shop"], "fallback": "downloadFailed", "intended": ["video"], "threadId": "promo", "appVersion": "5.2.0", "relevanceScore": 0.75, "interruptionLevel": "passive"}
c3b3f73a-d879-4f65-bfe6-9a249fe0d298	33729877-8c28-1ee6-a895-d3fa25b34517	2026-11-16	57	1	b836fa08-7671-efe2-6bbd-93be8f022ace	0a0f18b8-2097-e8ff-abf9-797002f00762	2026-11-16 17:48:53.278+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 17:48:53.278+00	26	\N	0	0	0	4	4	\N	f	3665cbf9-615b-4f02-b47a-f8ed387cce57	promo	\N	\N	\N	2026-11-16T09:48:53.278-08:00	{"locale": "en_US", "actions": ["shop"], "intended": ["video"], "threadId": "promo", "appVersion": "5.2.0", "attachments": [{"kind": "video", "bytes": 319000, "width": 1200, "height": 675, "seconds": 10.75}], "relevanceScore": 0.25, "interruptionLevel": "active"}
c8087672-91d7-4262-9ce1-1b3658ea3ec1	eeb95326-9555-ef0e-def9-b45d3086c20a	2026-11-16	58	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	9b8d9e7c-ccbb-53d9-5ac6-bd9ba3645e3b	2026-11-16 12:21:20.375+00	\N	2026-11-30 22:23:03.838146+00	2026-11-16 12:21:20.375+00	10	\N	0	0	0	4	4	\N	f	96d36f7b-5f2c-4b5f-ae68-93b151dd7905	promo	\N	\N	\N	2026-11-16T14:21:20.375+02:00	{"locale": "ar_EG", "actions": ["shop"], "intended": ["video"], "threadId": "promo", "appVersion": "5.2.1", "attachments": [{"kind": "video", "bytes": 292000, "width": 1200, "height": 675, "seconds": 10.0}], "relevanceScore": 0.75, "interruptionLevel": "active"}
c9a6fdb2-50b7-4c16-8270-6b799e587645	aa1caab7-4cb4-d2a3-bbb3-4d880ab60c7f	2026-11-19	60	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	4170406c-5ddc-aec8-2394-8ca8947b4077	2026-11-19 06:45:21.671+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 06:45:21.671+00	11	\N	0	0	0	4	4	\N	t	7f8ceae2-88f6-4df8-98c8-7ab4a699da77	social_post	\N	\N	\N	2026-11-19T06:45:21.671Z	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.1.0", "attachments": [{"kind": "video", "bytes": 508000, "width": 1200, "height": 675, "seconds": 6.0}], "relevanceScore": 0.5, "customInterface": true, "interruptionLevel": "active"}
ca31835e-553f-468e-94dd-936c7f76a50d	084942ca-c28d-1274-534b-5c1e1c9c64f4	2026-11-17	61	1	b836fa08-7671-efe2-6bbd-93be8f022ace	8eca30da-6681-5748-69f2-4cd0d246ca94	2026-11-17 04:00:39.164+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 04:00:39.164+00	29	\N	0	0	0	4	4	\N	t	f6862f2e-e229-45ae-93f8-ee1e793f459a	social_post	\N	\N	\N	2026-11-16T20:00:39.164-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.2.0", "attachments": [{"kind": "video", "bytes": 346000, "width": 1200, "height": 675, "seconds": 11.5}], "relevanceScore": 1.0, "customInterface": true, "interruptionLevel": "active"}
ccc888c1-5a05-42cd-a647-1f57d6cdec4f	010ec95e-2093-7e59-563c-f3795efd3194	2026-11-19	62	1	b836fa08-7671-efe2-6bbd-93be8f022ace	883ffc51-edbb-897d-3802-4c67d58095be	2026-11-19 18:14:38.777+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 18:14:38.777+00	43	\N	0	0	0	0	0	\N	f	671a253f-260b-4deb-9b80-92ab9834ab53	promo	\N	\N	\N	2026-11-19T10:14:38.777-08:00	{"locale": "en_US", "actions": ["shop"], "intended": [], "threadId": "promo", "appVersion": "5.2.0", "relevanceScore": 0.5, "interruptionLevel": "active"}
dee6837a-1a01-40ad-ae51-c114b2aa8b12	010ec95e-2093-7e59-563c-f3795efd3194	2026-11-19	64	1	b836fa08-7671-efe2-6bbd-93be8f022ace	596e3208-2207-aa6e-2543-2449cfc6a919	2026-11-19 18:19:16.212+00	\N	2026-11-30 22:23:03.838146+00	2026-11-19 18:19:16.212+00	44	\N	2	0	2	\N	\N	\N	\N	671a253f-260b-4deb-9b80-92ab9834ab53	promo	com.apple.UNNotificationDismissActionIdentifier	\N	\N	2026-11-19T10:19:16.212-08:00	\N
df848786-d978-483e-b7a9-99862f91cb36	e1214046-6384-a4eb-0ba0-74a390579e70	2026-11-17	65	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	cc38599b-b3ef-07dd-8522-16f79482e615	2026-11-17 11:18:22.011+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 11:18:22.011+00	13	\N	0	0	0	4	4	\N	f	29d661c6-d8a0-4d64-8543-0e252d1f815e	promo	\N	\N	\N	2026-11-17T13:18:22.011+02:00	{"locale": "ar_EG", "actions": ["shop"], "intended": ["video"], "threadId": "promo", "appVersion": "5.2.1", "attachments": [{"kind": "video", "bytes": 364000, "width": 1200, "height": 675, "seconds": 12.0}], "relevanceScore": 0.25, "interruptionLevel": "active"}
e17c9e08-b102-456a-8c19-0ace931b8896	856cc858-5c43-0ffa-12eb-d16dfd51124c	2026-11-18	66	1	b836fa08-7671-efe2-6bbd-93be8f022ace	4ecebb68-b8dc-7f46-736b-cf2381452283	2026-11-18 14:43:44.825+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 14:43:44.825+00	35	\N	0	0	0	0	0	\N	t	802a5b17-8672-48a7-8029-69d5e5c55433	social_post	\N	\N	\N	2026-11-18T06:43:44.825-08:00	{"locale": "en_US", "actions": ["like", "comment"], "intended": [], "threadId": "social_post", "appVersion": "5.2.0", "relevanceScore": 0.25, "customInterface": true, "interruptionLevel": "active"}
e371b0ae-5602-4427-8244-6271fff123fe	6ea3c52a-f2c9-9ff2-6c41-f988f28d2255	2026-11-18	67	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	970f853a-7677-5b9f-3339-2c192ea30bc0	2026-11-18 08:40:31.354+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 08:40:31.354+00	14	\N	0	0	0	0	0	\N	t	812ef97f-2273-46a2-a087-ce62e7432969	chat	\N	\N	\N	2026-11-18T10:40:31.354+02:00	{"locale": "ar_EG", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.1", "relevanceScore": 1.0, "customInterface": true, "interruptionLevel": "active"}
e60664bc-99db-4071-a569-fdda202a7e56	6e09e6d2-e33f-8b63-d9de-a5981f73a44c	2026-11-17	69	1	b836fa08-7671-efe2-6bbd-93be8f022ace	93449df7-8469-cead-03c5-e6d1ee864a25	2026-11-17 13:19:05.332+00	\N	2026-11-30 22:23:03.838146+00	2026-11-17 13:19:05.332+00	30	\N	0	0	0	0	0	\N	f	e42ce6a6-5bb6-483c-8624-44633b9df3a2	news	\N	\N	\N	2026-11-17T05:19:05.332-08:00	{"locale": "en_US", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.0", "relevanceScore": 0.5, "interruptionLevel": "active"}
e87e2d62-787b-4d87-be41-70e39c1f9d79	d8e72264-b9ef-a138-5e57-f9c413b5f4a4	2026-11-18	70	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	7386b9ca-e5d7-b528-8e75-9837efb7d175	2026-11-18 19:38:44.78+00	\N	2026-11-30 22:23:03.838146+00	2026-11-18 19:38:44.78+00	10	\N	2	0	2	\N	\N	\N	\N	b81fdd09-9e1f-48b1-b5a0-a976c4e9a790	social_post	com.apple.UNNotificationDismissActionIdentifier	\N	\N	2026-11-18T19:38:44.780Z	\N
0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0001	a4da54dc-b291-8ae9-0ea7-fe22ece5e681	2026-11-18	75	1	4a8e9587-713d-321d-13e7-1671c1b5cf66	4fcd8dd5-9f89-f20f-91d5-2aed48d6b789	2026-11-18 09:00:00+00	\N	2026-11-30 22:23:03.906435+00	2026-11-18 09:00:00+00	\N	\N	0	0	0	1	1	\N	f	n-1	social_post	\N	\N	\N	2026-11-18T10:00:00+01:00	{"actions": ["like", "reply"], "intended": ["image"], "appVersion": "1.4", "attachments": [{"kind": "image", "bytes": 204800}]}
0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0003	a4da54dc-b291-8ae9-0ea7-fe22ece5e681	2026-11-18	76	1	4a8e9587-713d-321d-13e7-1671c1b5cf66	d904b4a5-d90a-4161-2ff6-169ed9877346	2026-11-18 09:02:00+00	\N	2026-11-30 22:23:03.906435+00	2026-11-18 09:02:00+00	\N	28	2	0	\N	\N	\N	\N	\N	n-1	social_post	reply	\N	\N	2026-11-18T10:02:00+01:00	\N
0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0004	f927d89b-687e-d6f1-f971-55db0fab37b8	2026-11-18	77	1	4a8e9587-713d-321d-13e7-1671c1b5cf66	5356862b-5c4b-7d94-2b9d-743d32d1dda5	2026-11-18 11:00:00+00	\N	2026-11-30 22:23:03.906435+00	2026-11-18 11:00:00+00	\N	\N	1	0	\N	\N	\N	\N	\N	n-2	social_post	\N	\N	\N	2026-11-18T11:00:00Z	\N
270ec1c6-9534-4cea-8727-0b59366c3c62	8bc30b0c-0f9c-a741-9e03-d773126fc844	2026-11-18	79	2	507ca130-6df6-ca6c-f857-76d056a01552	68044799-37dc-780b-a290-7b7c441b7a56	2026-11-18 10:38:46.649+00	\N	2026-11-30 22:23:04.00069+00	2026-11-18 10:38:46.649+00	16	\N	0	0	0	2	2	\N	f	825f851d-1542-4330-9932-789771962eea	news	\N	\N	\N	2026-11-18T16:08:46.649+05:30	{"locale": "en_US", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.2.1", "attachments": [{"kind": "gif", "bytes": 175000, "width": 1200, "height": 675}], "relevanceScore": 0.0, "interruptionLevel": "active"}
39bfc756-730e-46cb-9bea-8a1e053b1940	6d705f55-0783-7d26-9b0b-3b8237eae7c3	2026-11-17	81	2	507ca130-6df6-ca6c-f857-76d056a01552	312fbbe1-a56b-60d3-aaf1-2bcea4a4db6a	2026-11-17 13:33:47.726+00	\N	2026-11-30 22:23:04.00069+00	2026-11-17 13:33:47.726+00	13	\N	0	0	0	2	2	\N	f	f205902c-5c4e-464c-918c-e57b7d13deee	news	\N	\N	\N	2026-11-17T19:03:47.726+05:30	{"locale": "en_US", "actions": ["save", "share"], "intended": ["gif"], "threadId": "news", "appVersion": "5.2.1", "attachments": [{"kind": "gif", "bytes": 148000, "width": 1200, "height": 675}], "relevanceScore": 0.5, "interruptionLevel": "active"}
4271eb25-75ba-4b44-981c-1052e880d55a	90c4a175-b49d-500b-2966-bfc4ebf44aa1	2026-11-17	82	2	507ca130-6df6-ca6c-f857-76d056a01552	1443c027-a0ad-97cb-fc4f-3da43c135838	2026-11-17 20:51:49.365+00	\N	2026-11-30 22:23:04.00069+00	2026-11-17 20:51:49.365+00	14	\N	0	0	0	0	0	\N	t	7bcd2b00-05b5-4999-873e-3d4c0032d6e2	chat	\N	\N	\N	2026-11-18T02:21:49.365+05:30	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.1", "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
64350e9c-7b3e-4089-a7d7-d723df08ac91	894c2f21-c9c9-ff37-f1c0-abedb2f787a9	2026-11-16	85	2	507ca130-6df6-ca6c-f857-76d056a01552	648f410b-d2f9-ba16-56fc-d773f3bf6ee8	2026-11-16 09:56:37.608+00	\N	2026-11-30 22:23:04.00069+00	2026-11-16 09:56:37.608+00	10	\N	0	0	0	1	1	\N	f	88fb4b6e-76f1-48e5-93f8-22fb32b65640	promo	\N	\N	\N	2026-11-16T15:26:37.608+05:30	{"locale": "en_US", "actions": ["shop"], "intended": ["image"], "threadId": "promo", "appVersion": "5.2.1", "attachments": [{"kind": "image", "bytes": 121000, "width": 1200, "height": 675}], "relevanceScore": 1.0, "interruptionLevel": "active"}
7efd5ae8-6e1e-4846-bc55-d8ca1ce3a555	678533b4-9956-6181-4846-e818c4bd213d	2026-11-19	87	2	507ca130-6df6-ca6c-f857-76d056a01552	7db9e010-66a9-2928-4135-0134912d399c	2026-11-19 10:10:48.241+00	\N	2026-11-30 22:23:04.00069+00	2026-11-19 10:10:48.241+00	18	\N	0	0	0	0	0	\N	t	20c94780-af8f-415f-9133-44441ef3b297	chat	\N	\N	\N	2026-11-19T15:40:48.241+05:30	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.1", "relevanceScore": 0.5, "customInterface": true, "interruptionLevel": "active"}
81b5a52d-34d7-49d9-b887-cd66dc6af0ec	aac12f27-f0b3-077d-579e-f29fc21f43cc	2026-11-16	88	2	507ca130-6df6-ca6c-f857-76d056a01552	d8d07e50-4a0a-e7ba-6b2a-30ee5bdc6d9a	2026-11-16 07:40:48.281+00	\N	2026-11-30 22:23:04.00069+00	2026-11-16 07:40:48.281+00	9	\N	0	0	0	1	1	\N	t	bcabd779-4c0c-4262-9ff3-ffa68f81a132	social_post	\N	\N	\N	2026-11-16T13:10:48.281+05:30	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["image"], "threadId": "social_post", "appVersion": "5.2.1", "attachments": [{"kind": "image", "bytes": 112000, "width": 1200, "height": 675}], "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "passive"}
83eead6a-e0c4-439b-ae01-96441f69038f	497cfb0e-5268-3fe2-592a-7c57397c7683	2026-11-19	89	2	507ca130-6df6-ca6c-f857-76d056a01552	b5f032a5-aafa-c7fd-7898-5f65ba3f675b	2026-11-19 13:04:11.527+00	\N	2026-11-30 22:23:04.00069+00	2026-11-19 13:04:11.527+00	19	\N	0	0	0	4	4	\N	t	2a798e46-cf6b-4508-a458-db01596eb998	social_post	\N	\N	\N	2026-11-19T18:34:11.527+05:30	{"locale": "en_US", "actions": ["like", "comment"], "intended": ["video"], "threadId": "social_post", "appVersion": "5.2.1", "attachments": [{"kind": "video", "bytes": 202000, "width": 1200, "height": 675, "seconds": 7.5}], "relevanceScore": 0.75, "customInterface": true, "interruptionLevel": "active"}
840610b7-6aa5-4540-b6f4-9dca63759030	48988685-457f-c9b3-9bed-950121b57638	2026-11-17	90	2	507ca130-6df6-ca6c-f857-76d056a01552	54a549d1-c858-3cfb-c862-9c329d99506f	2026-11-17 08:49:00.551+00	\N	2026-11-30 22:23:04.00069+00	2026-11-17 08:49:00.551+00	12	\N	0	0	0	1	1	\N	f	c2abc1c4-075c-4df6-a49d-6ea15df5cdbe	news	\N	\N	\N	2026-11-17T14:19:00.551+05:30	{"locale": "en_US", "actions": ["save", "share"], "intended": ["image"], "threadId": "news", "appVersion": "5.2.1", "attachments": [{"kind": "image", "bytes": 139000, "width": 1200, "height": 675}], "relevanceScore": 0.25, "interruptionLevel": "active"}
85bc1756-bc99-4275-a8d7-e46c4d7e6a56	dcdca85c-1272-c507-4df3-08e69e7b6af4	2026-11-18	91	2	507ca130-6df6-ca6c-f857-76d056a01552	59f363ff-dfd1-5cc7-ccc7-c4a8bbd67f2e	2026-11-18 09:49:28.065+00	\N	2026-11-30 22:23:04.00069+00	2026-11-18 09:49:28.065+00	15	\N	0	0	0	0	0	\N	t	c6c77019-3713-4d87-8340-248a48d63c19	chat	\N	\N	\N	2026-11-18T15:19:28.065+05:30	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.1", "relevanceScore": 1.0, "customInterface": true, "interruptionLevel": "active"}
8f51dcaf-53f1-4329-b7b1-169e0f4a4c7e	d34815fd-5b7d-b1ff-68be-92f7d1be7bfa	2026-11-16	92	2	507ca130-6df6-ca6c-f857-76d056a01552	0e860b9c-7264-f789-17f4-5df16430f0f3	2026-11-16 20:03:51.524+00	\N	2026-11-30 22:23:04.00069+00	2026-11-16 20:03:51.524+00	11	\N	0	0	0	0	0	\N	f	55df15a9-2dc0-460c-9e73-ded25fa395df	news	\N	\N	\N	2026-11-17T01:33:51.524+05:30	{"locale": "en_US", "actions": ["save", "share"], "intended": [], "threadId": "news", "appVersion": "5.2.1", "relevanceScore": 0.0, "interruptionLevel": "active"}
e42f2512-2923-44fb-a403-8aaaa973c8f9	e80be5b4-34d9-5a89-1d95-7942cbd41843	2026-11-19	95	2	507ca130-6df6-ca6c-f857-76d056a01552	c1a1cbde-3f40-bccf-e23d-e446841bca44	2026-11-19 18:50:53.867+00	\N	2026-11-30 22:23:04.00069+00	2026-11-19 18:50:53.867+00	20	\N	0	0	0	0	0	\N	f	d4752384-cc55-483a-87a9-bdd5d5db6404	promo	\N	\N	\N	2026-11-20T00:20:53.867+05:30	{"locale": "en_US", "actions": ["shop"], "intended": [], "threadId": "promo", "appVersion": "5.2.1", "relevanceScore": 1.0, "interruptionLevel": "active"}
f6dc63a7-0e95-4540-a18d-57a89958695d	663ab952-ea85-1ae7-aef2-f853a35a3c31	2026-11-18	97	2	507ca130-6df6-ca6c-f857-76d056a01552	13c6cabb-dc43-d410-e7e7-ebfd490491a9	2026-11-18 20:36:14.367+00	\N	2026-11-30 22:23:04.00069+00	2026-11-18 20:36:14.367+00	17	\N	0	0	0	0	0	\N	t	79e282c4-7d1e-48f0-b772-6e105299786c	chat	\N	\N	\N	2026-11-19T02:06:14.367+05:30	{"locale": "en_US", "actions": ["mute", "reply"], "intended": [], "threadId": "chat", "appVersion": "5.2.1", "relevanceScore": 0.25, "customInterface": true, "interruptionLevel": "passive"}
0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0006	f927d89b-687e-d6f1-f971-55db0fab37b8	2026-11-18	99	1	4a8e9587-713d-321d-13e7-1671c1b5cf66	af0cf3f3-5f24-279b-71e0-4ed1def6a29e	2026-11-18 10:50:00+00	\N	2026-11-30 22:23:04.363323+00	2026-11-18 10:50:00+00	\N	\N	0	0	0	0	0	\N	f	n-2	social_post	\N	\N	\N	2026-11-18T10:50:00Z	{"intended": []}
\.

COPY pushlift.event_default (event_id, unit_id, day, "position", app_id, device_key, fingerprint, occurred_at, sent_at, received_at, corrected_at, sequence, reply_length, type, time_quality, source, intended, attached, fallback, custom_interface, notification_id, category, action_id, experiment, arm, occurred_at_raw, detail) FROM stdin;
0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0005	d9b8cb6f-95cf-9891-c28b-e741e5a92f19	2027-06-01	78	1	2a3b0434-df8f-6523-efd8-cb953182b58b	9fcd984c-1766-69d1-3d6c-780db3523251	2027-06-01 00:00:00+00	\N	2026-11-30 22:23:03.906435+00	2027-06-01 00:00:00+00	\N	\N	1	2	\N	\N	\N	\N	\N	n-3	social_post	\N	\N	\N	2027-06-01T00:00:00Z	\N
\.

COPY pushlift.projection_checkpoint (name, "position", watermark) FROM stdin;
engagement	98	2026-11-30 22:23:04.00069+00
\.

COPY pushlift.reply (event_id, unit_id, day, app_id, device_key, text) FROM stdin;
0142a131-23cb-4a81-8562-3be1b8de284d	b88b00f4-01ef-0a18-a83e-375e87b7d82c	2026-11-13	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	win\r\nlines\tand tabs
78e7f228-9e89-48a1-a559-4dae684b8b08	de3ba403-bf11-2e5c-6e52-9fd2402c0ad5	2026-11-16	1	b836fa08-7671-efe2-6bbd-93be8f022ace	c:\\dir
0a4ce3a2-6d4f-4c0e-9a53-1f6f3f6f0003	a4da54dc-b291-8ae9-0ea7-fe22ece5e681	2026-11-18	1	4a8e9587-713d-321d-13e7-1671c1b5cf66	Lovely! 👍🏽 it's "good"
\.

COPY pushlift.schema_migration (version, name, checksum, applied_at) FROM stdin;
1	V001_roles.sql	5043205b68173e3a7ab2f4bc0b8143ad2f43cb27f2b76832ed3c18705cd6ba2c	2026-11-30 22:23:03.402343+00
2	V002_app.sql	b133f7cd95a82d6e9574a30aaab4fd708735b7c33f2d74ad2dd67a346f5bed07	2026-11-30 22:23:03.410137+00
3	V003_api_key.sql	dfd3544824399ea94af69a35fa5557afe378b67226e672f8c29f21759a5d206b	2026-11-30 22:23:03.412113+00
4	V004_event.sql	6a256db471b0a41d409eaaad964cfce4f5cd3ffa6d2b7afb33f735b708f4fbf3	2026-11-30 22:23:03.417696+00
5	V005_event_partition.sql	e187e9b829c8b3c73cbb3f58b617b05f7bb635c9d96b209dfc2e33f18dab540b	2026-11-30 22:23:03.420547+00
6	V006_reply.sql	bb9170f3ca3399e925e5b2aaeb899d92cab745eefca9e344282ef15fd690f6d8	2026-11-30 22:23:03.421615+00
7	V007_dead_letter.sql	8b83021fa119ed2aac6edee34de4077c9036f8ea77b5ddfb1341ffa348c7b29b	2026-11-30 22:23:03.424984+00
8	V008_unit_outcome.sql	d25fc9905490af315dd338a36dfecb01c1dfcc662cc6866f10ea8d8944ea8017	2026-11-30 22:23:03.433779+00
9	V009_daily_rate.sql	8d9e0f4ecf858b4ece5ccf9a443b13f9d3e6dfea1a62e69d632c5781be4c6b34	2026-11-30 22:23:03.435882+00
10	V010_projection_checkpoint.sql	beee5cd166f1bffdbce492fa9dbd607dc5f417585c774cc11101bfacbf21655e	2026-11-30 22:23:03.437671+00
11	V011_secret_check.sql	60c2a139ca0ca0d6b43ecd8ab82cbb0c22a50f073dce245649f2f182aa0ad9f9	2026-11-30 22:23:03.43857+00
\.

COPY pushlift.secret_check (name, hash) FROM stdin;
device	b956728b-4944-53ee-2fb1-deac2893eafd
\.

COPY pushlift.unit_interaction (unit_id, at, type, action_id, replied) FROM stdin;
003244a4-e2d5-f390-8907-34ab411d80d4	2026-11-13 19:27:19.134+00	2	com.apple.UNNotificationDismissActionIdentifier	f
010ec95e-2093-7e59-563c-f3795efd3194	2026-11-19 18:19:16.212+00	2	com.apple.UNNotificationDismissActionIdentifier	f
2a0e05ae-83d2-5939-1746-e78bb2de4ccf	2026-11-14 17:30:11.574+00	2	com.apple.UNNotificationDismissActionIdentifier	f
33729877-8c28-1ee6-a895-d3fa25b34517	2026-11-16 23:18:45.093+00	2	shop	f
368948b7-bcc7-19be-61f4-0894f5361068	2026-11-17 03:46:04.714+00	2	save	f
3fcefbf1-641a-d697-ae89-696ca7cee5f8	2026-11-18 18:28:16.344+00	2	com.apple.UNNotificationDismissActionIdentifier	f
4160a17a-2171-131b-56c4-9c4f9e31dc27	2026-11-13 20:33:59.689+00	2	com.apple.UNNotificationDefaultActionIdentifier	f
9d4997bf-9401-8cdb-b004-0d2b6987f256	2026-11-16 17:27:55.247+00	2	com.apple.UNNotificationDismissActionIdentifier	f
a4da54dc-b291-8ae9-0ea7-fe22ece5e681	2026-11-18 09:02:00+00	2	reply	t
b88b00f4-01ef-0a18-a83e-375e87b7d82c	2026-11-13 09:53:19.806+00	2	reply	t
d8e72264-b9ef-a138-5e57-f9c413b5f4a4	2026-11-18 19:38:44.78+00	2	com.apple.UNNotificationDismissActionIdentifier	f
de3ba403-bf11-2e5c-6e52-9fd2402c0ad5	2026-11-16 02:25:35.155+00	1		f
de3ba403-bf11-2e5c-6e52-9fd2402c0ad5	2026-11-16 02:25:41.783+00	2	reply	t
e9056de7-b7aa-74e9-972b-fdb733a2a0fb	2026-11-19 10:00:41.467+00	2	com.apple.UNNotificationDismissActionIdentifier	f
f3fc100e-c046-5992-6da2-9b33fa769270	2026-11-15 13:46:35.421+00	1		f
f927d89b-687e-d6f1-f971-55db0fab37b8	2026-11-18 11:00:00+00	1		f
\.

COPY pushlift.unit_outcome (unit_id, app_id, device_key, first_seen_at, delivered_at, category, intended, attached, custom_interface, fallback, offered, experiment, arm, expanded_at, opened_at, acted_at, replied_at, dismissed_at) FROM stdin;
003244a4-e2d5-f390-8907-34ab411d80d4	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-13 18:06:47.044+00	2026-11-13 18:06:47.044+00	promo	0	0	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	2026-11-13 19:27:19.134+00
010ec95e-2093-7e59-563c-f3795efd3194	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-19 18:14:38.777+00	2026-11-19 18:14:38.777+00	promo	0	0	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	2026-11-19 18:19:16.212+00
06c9277f-af5c-540b-ded6-a2a64c2ca92c	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-15 16:26:58.801+00	2026-11-15 16:26:58.801+00	chat	1	1	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
084942ca-c28d-1274-534b-5c1e1c9c64f4	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-17 04:00:39.164+00	2026-11-17 04:00:39.164+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
0b50c151-9950-c937-b57a-6a184b596bb2	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-19 12:58:48.987+00	2026-11-19 12:58:48.987+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
1363a45f-5799-0df2-a29a-402344995029	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-17 07:20:53.615+00	2026-11-17 07:20:53.615+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
2289df7a-fee3-35f0-c3d2-2ad12576d983	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-16 09:55:27.082+00	2026-11-16 09:55:27.082+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
2a0e05ae-83d2-5939-1746-e78bb2de4ccf	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-14 17:29:51.196+00	2026-11-14 17:29:51.196+00	social_post	0	0	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	2026-11-14 17:30:11.574+00
2f1618aa-d863-1c09-6f25-e574cb582118	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-15 10:27:24.656+00	2026-11-15 10:27:24.656+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
33729877-8c28-1ee6-a895-d3fa25b34517	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-16 17:48:53.278+00	2026-11-16 17:48:53.278+00	promo	4	4	f	\N	["shop"]	\N	\N	\N	\N	2026-11-16 23:18:45.093+00	\N	\N
368948b7-bcc7-19be-61f4-0894f5361068	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-16 19:37:41.949+00	2026-11-16 19:37:41.949+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	2026-11-17 03:46:04.714+00	\N	\N
39bb6c52-2bbc-a241-e01b-9f40073a304a	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-18 15:43:40.171+00	2026-11-18 15:43:40.171+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
39d8779d-828f-316e-4f01-65f5030bd2c6	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-19 15:13:08.299+00	2026-11-19 15:13:08.299+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
3c41f044-dea6-4a63-a3d0-505c811dc845	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-18 22:07:36.374+00	2026-11-18 22:07:36.374+00	promo	4	4	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
3da39ef1-f966-cbbe-65d8-90273da2a864	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-14 11:51:57.573+00	2026-11-14 11:51:57.573+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
3fcefbf1-641a-d697-ae89-696ca7cee5f8	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-18 18:24:25.129+00	2026-11-18 18:24:25.129+00	promo	4	0	f	2	["shop"]	\N	\N	\N	\N	\N	\N	2026-11-18 18:28:16.344+00
4160a17a-2171-131b-56c4-9c4f9e31dc27	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-13 19:34:28.593+00	2026-11-13 19:34:28.593+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	2026-11-13 20:33:59.689+00	\N	\N	\N
48988685-457f-c9b3-9bed-950121b57638	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-17 08:49:00.551+00	2026-11-17 08:49:00.551+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
48e376bd-0ac1-674d-191b-ea36190e7882	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-14 18:03:24.196+00	2026-11-14 18:03:24.196+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
497cfb0e-5268-3fe2-592a-7c57397c7683	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-19 13:04:11.527+00	2026-11-19 13:04:11.527+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
4e1cc413-310d-39a2-a76e-7caa7591b29c	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-17 15:38:47.829+00	2026-11-17 15:38:47.829+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
4e5947d9-7f03-3a3b-1d6f-d1c6d75f82a9	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-13 13:14:39.771+00	2026-11-13 13:14:39.771+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
551441a7-dfdd-f77e-e765-5660c8bd2636	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-15 17:00:50.217+00	2026-11-15 17:00:50.217+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
5883af82-812e-b084-8035-9890c4e46136	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-15 13:20:42.583+00	2026-11-15 13:20:42.583+00	social_post	0	0	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
5fa3df4c-96b8-9b41-0c42-74c40710f94f	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-14 18:00:41.437+00	2026-11-14 18:00:41.437+00	social_post	0	0	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
663ab952-ea85-1ae7-aef2-f853a35a3c31	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-18 20:36:14.367+00	2026-11-18 20:36:14.367+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
678533b4-9956-6181-4846-e818c4bd213d	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-19 10:10:48.241+00	2026-11-19 10:10:48.241+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
6adf66a3-a76c-2469-b87e-b864d91ad81e	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-14 00:57:16.203+00	2026-11-14 00:57:16.203+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
6d705f55-0783-7d26-9b0b-3b8237eae7c3	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-17 13:33:47.726+00	2026-11-17 13:33:47.726+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
6e09e6d2-e33f-8b63-d9de-a5981f73a44c	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-17 13:19:05.332+00	2026-11-17 13:19:05.332+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
6ea3c52a-f2c9-9ff2-6c41-f988f28d2255	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-18 08:40:31.354+00	2026-11-18 08:40:31.354+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
6fa379e3-35a5-482c-b5db-7419afcd45d9	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-19 01:43:24.726+00	2026-11-19 01:43:24.726+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
760b989e-863f-83be-f740-e411c19d268f	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-13 11:10:46.568+00	2026-11-13 11:10:46.568+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
7cf309b1-d7a8-205e-896c-85123db6df0e	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-17 17:05:00.965+00	2026-11-17 17:05:00.965+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
7fd303f4-844f-3aa3-8c8d-7dd07183bf92	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-14 10:46:06.927+00	2026-11-14 10:46:06.927+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
831c7fbb-75ea-f32e-b35e-ccaaa7d8809b	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-14 13:55:06.601+00	2026-11-14 13:55:06.601+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
845b13e9-c925-2990-2434-5d042960a19a	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-18 01:01:21.169+00	2026-11-18 01:01:21.169+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
856cc858-5c43-0ffa-12eb-d16dfd51124c	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-18 14:43:44.825+00	2026-11-18 14:43:44.825+00	social_post	0	0	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
894c2f21-c9c9-ff37-f1c0-abedb2f787a9	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-16 09:56:37.608+00	2026-11-16 09:56:37.608+00	promo	1	1	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
8a32c4ad-337a-2652-f07f-84860b9c09be	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-16 22:15:11.061+00	2026-11-16 22:15:11.061+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
8bc30b0c-0f9c-a741-9e03-d773126fc844	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-18 10:38:46.649+00	2026-11-18 10:38:46.649+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
8ce87ad6-8fe6-a723-b283-a37a826122b1	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-17 19:19:06.731+00	2026-11-17 19:19:06.731+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
8e62cbc9-389a-007f-d941-f69bee13b26d	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-18 03:09:53.465+00	2026-11-18 03:09:53.465+00	social_post	1	1	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
90c4a175-b49d-500b-2966-bfc4ebf44aa1	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-17 20:51:49.365+00	2026-11-17 20:51:49.365+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
9250c67b-185e-abf3-efd2-ddc13dc01f47	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-13 20:20:52.921+00	2026-11-13 20:20:52.921+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
982a439b-112f-04ea-7d6a-9c8af8baf16d	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-18 12:11:33.49+00	2026-11-18 12:11:33.49+00	chat	8	8	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
9c4a9e2f-8a9c-f9ef-f2ff-fc769c28c075	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-14 19:37:15.169+00	2026-11-14 19:37:15.169+00	chat	1	1	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
9d4997bf-9401-8cdb-b004-0d2b6987f256	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-16 17:01:58.169+00	2026-11-16 17:01:58.169+00	promo	0	0	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	2026-11-16 17:27:55.247+00
a039549b-5f9f-2b35-f237-dc3a0a8b0801	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-14 23:01:39.92+00	2026-11-14 23:01:39.92+00	promo	0	0	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
a0a098c4-c9f6-2cc6-f02c-45061e5658f9	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-14 08:31:04.301+00	2026-11-14 08:31:04.301+00	promo	4	4	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
a4da54dc-b291-8ae9-0ea7-fe22ece5e681	1	4a8e9587-713d-321d-13e7-1671c1b5cf66	2026-11-18 09:00:00+00	2026-11-18 09:00:00+00	social_post	1	1	f	\N	["like", "reply"]	\N	\N	\N	\N	2026-11-18 09:02:00+00	2026-11-18 09:02:00+00	\N
aa1caab7-4cb4-d2a3-bbb3-4d880ab60c7f	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-19 06:45:21.671+00	2026-11-19 06:45:21.671+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
aa6accc7-9557-b5bc-2d06-bd5194a7a0b0	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-19 21:38:52.732+00	2026-11-19 21:38:52.732+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
aac12f27-f0b3-077d-579e-f29fc21f43cc	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-16 07:40:48.281+00	2026-11-16 07:40:48.281+00	social_post	1	1	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
b0866bb2-f192-bdfe-7036-f60bd760a8cb	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-13 12:44:18.466+00	2026-11-13 12:44:18.466+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
b17b80a7-151a-1d83-9c49-5f5ce2887982	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-13 15:09:59.118+00	2026-11-13 15:09:59.118+00	social_post	0	0	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
b6c18c15-7c06-ddaa-e51d-9e36bc7785f4	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-19 17:28:01.198+00	2026-11-19 17:28:01.198+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
b77916c9-f1a3-40e8-3ddd-b8f83ef69eac	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-16 14:33:00.28+00	2026-11-16 14:33:00.28+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
b88b00f4-01ef-0a18-a83e-375e87b7d82c	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-13 07:22:59.27+00	2026-11-13 07:22:59.27+00	chat	8	8	t	\N	["mute", "reply"]	\N	\N	\N	\N	2026-11-13 09:53:19.806+00	2026-11-13 09:53:19.806+00	\N
b896c686-c5ed-31c8-3d2f-4f8c2d6202f1	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-15 14:12:11.2+00	2026-11-15 14:12:11.2+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
c01ca94c-0a13-a367-e548-e8e0e2916b2d	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-14 11:02:46.217+00	2026-11-14 11:02:46.217+00	news	2	2	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
cafa2ce3-101f-2855-44c6-9dcb366dba9e	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-13 23:21:06.104+00	2026-11-13 23:21:06.104+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
cb6e6cec-c609-e88f-8681-b38693eaeee6	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-15 00:38:33.739+00	2026-11-15 00:38:33.739+00	promo	2	2	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
d23ec8fd-663b-f0a1-d4ff-aa8e5ece59b8	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-17 21:08:03.604+00	2026-11-17 21:08:03.604+00	promo	0	0	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
d34815fd-5b7d-b1ff-68be-92f7d1be7bfa	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-16 20:03:51.524+00	2026-11-16 20:03:51.524+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
d491cf3a-f11f-37be-31e8-751cb76b6bee	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-15 07:45:53.16+00	2026-11-15 07:45:53.16+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
d8e72264-b9ef-a138-5e57-f9c413b5f4a4	1	1516b8a6-57ee-acc7-0f28-b7d17648121e	2026-11-18 19:12:17.549+00	2026-11-18 19:12:17.549+00	social_post	0	0	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	2026-11-18 19:38:44.78+00
db039cc0-1c5f-ddc3-cdb2-e1b256685546	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-19 20:56:42.88+00	2026-11-19 20:56:42.88+00	news	1	1	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
dcdca85c-1272-c507-4df3-08e69e7b6af4	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-18 09:49:28.065+00	2026-11-18 09:49:28.065+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
de3ba403-bf11-2e5c-6e52-9fd2402c0ad5	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-16 02:13:24.129+00	2026-11-16 02:13:24.129+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	2026-11-16 02:25:35.155+00	\N	2026-11-16 02:25:41.783+00	2026-11-16 02:25:41.783+00	\N
e1214046-6384-a4eb-0ba0-74a390579e70	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-17 11:18:22.011+00	2026-11-17 11:18:22.011+00	promo	4	4	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
e4c05532-5d7f-1a40-3d63-2eb217819bc4	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-15 19:35:57.733+00	2026-11-15 19:35:57.733+00	chat	1	0	t	1	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
e6ec0c63-aaa8-f631-04f7-8496e7df43a2	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-14 22:19:24.617+00	2026-11-14 22:19:24.617+00	chat	0	0	t	\N	["mute", "reply"]	\N	\N	\N	\N	\N	\N	\N
e80be5b4-34d9-5a89-1d95-7942cbd41843	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-19 18:50:53.867+00	2026-11-19 18:50:53.867+00	promo	0	0	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
e9056de7-b7aa-74e9-972b-fdb733a2a0fb	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-19 09:57:18.486+00	2026-11-19 09:57:18.486+00	promo	0	0	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	2026-11-19 10:00:41.467+00
ea7882bf-6060-f7fd-b7e1-df72c44d0795	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-13 10:01:47.873+00	2026-11-13 10:01:47.873+00	social_post	1	1	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
eeb95326-9555-ef0e-def9-b45d3086c20a	1	c5852a7c-2ddb-b40c-b690-cd2ba6305c19	2026-11-16 12:21:20.375+00	2026-11-16 12:21:20.375+00	promo	4	4	f	\N	["shop"]	\N	\N	\N	\N	\N	\N	\N
f217f0b9-263b-fada-a63d-03bf1af5c862	2	507ca130-6df6-ca6c-f857-76d056a01552	2026-11-13 08:28:32.46+00	2026-11-13 08:28:32.46+00	social_post	4	4	t	\N	["like", "comment"]	\N	\N	\N	\N	\N	\N	\N
f3fc100e-c046-5992-6da2-9b33fa769270	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-15 13:45:29.866+00	2026-11-15 13:45:29.866+00	chat	8	8	t	\N	["mute", "reply"]	\N	\N	2026-11-15 13:46:35.421+00	\N	\N	\N	\N
f927d89b-687e-d6f1-f971-55db0fab37b8	1	4a8e9587-713d-321d-13e7-1671c1b5cf66	2026-11-18 11:00:00+00	\N	social_post	\N	\N	f	\N	\N	\N	\N	\N	\N	\N	\N	\N
fad9245e-b48a-7c15-1a81-2b679ad90577	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-16 08:01:27.086+00	2026-11-16 08:01:27.086+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
fd61efd2-7192-67be-bb99-b0bfa479bfec	1	b836fa08-7671-efe2-6bbd-93be8f022ace	2026-11-15 20:57:00.776+00	2026-11-15 20:57:00.776+00	news	0	0	f	\N	["save", "share"]	\N	\N	\N	\N	\N	\N	\N
\.

SELECT pg_catalog.setval('pushlift.app_number', 2, true);

SELECT pg_catalog.setval('pushlift.dead_letter_number', 2, true);

SELECT pg_catalog.setval('pushlift.event_position', 99, true);

ALTER TABLE ONLY pushlift.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY pushlift.app
    ADD CONSTRAINT app_name_key UNIQUE (name);

ALTER TABLE ONLY pushlift.app
    ADD CONSTRAINT app_pkey PRIMARY KEY (app_id);

ALTER TABLE ONLY pushlift.daily_implausible
    ADD CONSTRAINT daily_implausible_pkey PRIMARY KEY (app_id, day, category);

ALTER TABLE ONLY pushlift.daily_rate
    ADD CONSTRAINT daily_rate_pkey PRIMARY KEY (app_id, day, category, intended, shown, custom_interface, bucket);

ALTER TABLE ONLY pushlift.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (dead_letter_id);

ALTER TABLE ONLY pushlift.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (event_id, unit_id, day);

ALTER TABLE ONLY pushlift.event_2026w46
    ADD CONSTRAINT event_2026w46_pkey PRIMARY KEY (event_id, unit_id, day);

ALTER TABLE ONLY pushlift.event_2026w47
    ADD CONSTRAINT event_2026w47_pkey PRIMARY KEY (event_id, unit_id, day);

ALTER TABLE ONLY pushlift.event_default
    ADD CONSTRAINT event_default_pkey PRIMARY KEY (event_id, unit_id, day);

ALTER TABLE ONLY pushlift.projection_checkpoint
    ADD CONSTRAINT projection_checkpoint_pkey PRIMARY KEY (name);

ALTER TABLE ONLY pushlift.reply
    ADD CONSTRAINT reply_pkey PRIMARY KEY (event_id, unit_id, day);

ALTER TABLE ONLY pushlift.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY pushlift.secret_check
    ADD CONSTRAINT secret_check_pkey PRIMARY KEY (name);

ALTER TABLE ONLY pushlift.unit_interaction
    ADD CONSTRAINT unit_interaction_pkey PRIMARY KEY (unit_id, at, type, action_id, replied);

ALTER TABLE ONLY pushlift.unit_outcome
    ADD CONSTRAINT unit_outcome_pkey PRIMARY KEY (unit_id);

CREATE INDEX daily_rate_empty ON pushlift.daily_rate USING btree (app_id) WHERE (delivered = 0);

CREATE INDEX dead_letter_app ON pushlift.dead_letter USING btree (app_id, dead_letter_id);

CREATE INDEX dead_letter_device ON pushlift.dead_letter USING btree (device_key) WHERE (device_key IS NOT NULL);

CREATE INDEX dead_letter_import ON pushlift.dead_letter USING btree (app_id, event_index) WHERE (source = 'import'::text);

CREATE INDEX event_position_key ON ONLY pushlift.event USING btree ("position");

CREATE INDEX event_2026w46_position_idx ON pushlift.event_2026w46 USING btree ("position");

CREATE INDEX event_2026w47_position_idx ON pushlift.event_2026w47 USING btree ("position");

CREATE INDEX event_default_position_idx ON pushlift.event_default USING btree ("position");

CREATE INDEX reply_device ON pushlift.reply USING btree (app_id, device_key);

CREATE INDEX unit_outcome_delivered ON pushlift.unit_outcome USING btree (app_id, delivered_at) WHERE (delivered_at IS NOT NULL);

CREATE INDEX unit_outcome_orphan ON pushlift.unit_outcome USING btree (app_id, first_seen_at) WHERE (delivered_at IS NULL);

ALTER INDEX pushlift.event_pkey ATTACH PARTITION pushlift.event_2026w46_pkey;

ALTER INDEX pushlift.event_position_key ATTACH PARTITION pushlift.event_2026w46_position_idx;

ALTER INDEX pushlift.event_pkey ATTACH PARTITION pushlift.event_2026w47_pkey;

ALTER INDEX pushlift.event_position_key ATTACH PARTITION pushlift.event_2026w47_position_idx;

ALTER INDEX pushlift.event_pkey ATTACH PARTITION pushlift.event_default_pkey;

ALTER INDEX pushlift.event_position_key ATTACH PARTITION pushlift.event_default_position_idx;

ALTER TABLE ONLY pushlift.api_key
    ADD CONSTRAINT api_key_app_id_fkey FOREIGN KEY (app_id) REFERENCES pushlift.app(app_id);

GRANT USAGE ON SCHEMA pushlift TO pushlift_runtime;

REVOKE ALL ON FUNCTION pushlift.make_event_partitions(first_day date, last_day date) FROM PUBLIC;
GRANT ALL ON FUNCTION pushlift.make_event_partitions(first_day date, last_day date) TO pushlift_runtime;

REVOKE ALL ON FUNCTION pushlift.prune_dead_letters(before timestamp with time zone, only_app integer) FROM PUBLIC;
GRANT ALL ON FUNCTION pushlift.prune_dead_letters(before timestamp with time zone, only_app integer) TO pushlift_runtime;

GRANT SELECT,INSERT ON TABLE pushlift.api_key TO pushlift_runtime;

GRANT UPDATE(revoked_at) ON TABLE pushlift.api_key TO pushlift_runtime;

GRANT USAGE ON SEQUENCE pushlift.app_number TO pushlift_runtime;

GRANT SELECT,INSERT ON TABLE pushlift.app TO pushlift_runtime;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE pushlift.daily_implausible TO pushlift_runtime;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE pushlift.daily_rate TO pushlift_runtime;

GRANT USAGE ON SEQUENCE pushlift.dead_letter_number TO pushlift_runtime;

GRANT SELECT,INSERT ON TABLE pushlift.dead_letter TO pushlift_runtime;

GRANT UPDATE(replayed_at) ON TABLE pushlift.dead_letter TO pushlift_runtime;

GRANT SELECT,USAGE ON SEQUENCE pushlift.event_position TO pushlift_runtime;

GRANT SELECT,INSERT ON TABLE pushlift.event TO pushlift_runtime;

GRANT SELECT,UPDATE ON TABLE pushlift.projection_checkpoint TO pushlift_runtime;

GRANT SELECT,INSERT ON TABLE pushlift.reply TO pushlift_runtime;

GRANT SELECT ON TABLE pushlift.schema_migration TO pushlift_runtime;

GRANT SELECT,INSERT ON TABLE pushlift.secret_check TO pushlift_runtime;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE pushlift.unit_interaction TO pushlift_runtime;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE pushlift.unit_outcome TO pushlift_runtime;

