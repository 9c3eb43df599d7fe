"""What a team would write instead: FastAPI + asyncpg, one transaction a request, ON CONFLICT DO NOTHING.

"""
import datetime
import json
import os
import uuid
from contextlib import asynccontextmanager
from typing import Literal, Optional

import asyncpg
from fastapi import FastAPI
from pydantic import BaseModel


class Attachment(BaseModel):
    kind: Literal["image", "gif", "video", "audio"]
    bytes: Optional[int] = None


class Event(BaseModel):
    id: uuid.UUID
    type: Literal["delivered", "expanded", "action"]
    notificationId: str
    deviceId: str
    occurredAt: datetime.datetime
    category: str = ""
    intended: list[str] = []
    attachments: list[Attachment] = []
    actions: list[str] = []
    actionId: Optional[str] = None
    replyText: Optional[str] = None


TABLE = """create table if not exists peer_event(
    position bigint generated always as identity, id uuid primary key, type text, notification_id text, device_id text,
    occurred_at timestamptz, received_at timestamptz default now(), category text, intended text[], attachments jsonb,
    actions text[], action_id text, reply text)"""
INSERT = """insert into peer_event(id, type, notification_id, device_id, occurred_at, category, intended, attachments, actions, action_id, reply)
    values($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing"""


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.pool = await asyncpg.create_pool(host=os.environ.get("PGHOST"), port=os.environ.get("PGPORT"), user=os.environ.get("PGUSER", "postgres"), database=os.environ.get("PGDATABASE", "postgres"), min_size=4, max_size=8)
    try:
        await app.state.pool.execute(TABLE)
    except asyncpg.PostgresError:
        pass
    yield
    await app.state.pool.close()


app = FastAPI(lifespan=lifespan)


@app.post("/v1/events")
async def post(events: list[Event]):
    rows = [(e.id, e.type, e.notificationId, e.deviceId, e.occurredAt, e.category, e.intended, json.dumps([a.model_dump() for a in e.attachments]), e.actions, e.actionId, e.replyText) for e in events]
    async with app.state.pool.acquire() as connection:
        async with connection.transaction():
            await connection.executemany(INSERT, rows)
    return {"accepted": len(rows)}
