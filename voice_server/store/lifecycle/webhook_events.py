"""Webhook events: what a platform sent, stored raw before anything can fail."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.event import Envelope
from voice_server.errors import NotFound
from voice_server.store.lifecycle import erasures
from voice_server.store.session import DirectConnections, Statement, among
from voice_server.store.tables import webhook_events

Status = Literal["received", "ingested", "ignored", "failed", "erased"]


_WITH_BODY = sa.text("status in ('ingested', 'ignored') and body <> ''")  # as in the index
_FAILED = (webhook_events.c.status == "failed") & (webhook_events.c.body != b"")
_GONE = erasures.gone("$1", "$5", "$7::text", "$8::text")


class StoredEvent(Struct, frozen=True):
    id: int
    platform: str
    kind: str
    type: str
    conversation_id: str
    status: Status
    reason: str
    received_at: datetime


class RecordedEvent(Struct, frozen=True):
    """What was made of an event as it came in: `received`, or `erased` and empty from the beginning."""

    id: int
    status: Status


async def record(
    direct: DirectConnections, envelope: Envelope, body: bytes, then: str, *values: object
) -> RecordedEvent | None:
    """Store an event and its job in one round trip, without what it says when that was erased; None when it
    is stored already. `then` are CTEs over the row `recorded (id)` of one that is to be ingested, `values`
    their parameters, from $10 on."""
    statement = f"""
    with stored as (
        insert into webhook_events
            (platform, key, kind, type, conversation_id, body, status, reason, processed_at)
        select $1, $2, $3, $4, $5, case when gone then '' else $6::bytea end,
            case when gone then 'erased' else 'received' end, case when gone then $9 else '' end,
            case when gone then now() end
        from (select {_GONE}) as asked (gone)
        on conflict do nothing returning id, status
    ), recorded as (select id from stored where status = 'received'), {then}
    select json_build_object('id', id, 'status', status)::text from stored"""  # noqa: S608 (`then` is ours)
    stored: str | None = await direct.value(
        statement,
        envelope.platform,
        envelope.key,
        envelope.kind,
        envelope.type,
        envelope.conversation_id,
        body,
        envelope.user_id,
        envelope.prompt_version,
        erasures.WHY,
        *values,
    )
    return None if stored is None else msgspec.json.decode(stored, type=RecordedEvent)


class UnfinishedEvent(NamedTuple):
    platform: str
    body: bytes


async def unfinished(connection: AsyncConnection, event_id: int) -> UnfinishedEvent | None:
    """Return an event to ingest; None when something has become of it: a job may run twice, and what it says
    may be kept no more."""
    rows = await _UNFINISHED.rows(connection, {"event": event_id})
    return next((UnfinishedEvent(*row) for row in rows), None)


async def finish(
    connection: AsyncConnection, event_id: int, status: Status, reason: str = "", body: bytes | None = None
) -> None:
    """Say what became of an event, and put this body in place of the raw one. One that was erased meanwhile
    stays so."""
    changes = {"status": status, "reason": reason[:2000], "body": body}
    await _FINISH.rows(connection, {"event": event_id, **changes})


async def received(connection: AsyncConnection, since: timedelta, after: int, limit: int) -> list[int]:
    events = webhook_events.c
    waiting = (events.status == "received") & (events.received_at < sa.func.now() - since)
    statement = sa.select(events.id).where(waiting, events.id > after).order_by(events.id).limit(limit)
    return list((await connection.execute(statement)).scalars())


async def reopen(connection: AsyncConnection, event_id: int) -> bool:
    """Make an event ready for another try; return whether it is there, and its body still kept."""
    statement = (
        sa.update(webhook_events)
        .where(webhook_events.c.id == event_id, webhook_events.c.body != b"")
        .values(status="received", reason="", processed_at=None)
        .returning(webhook_events.c.id)
    )
    return (await connection.execute(statement)).scalar_one_or_none() is not None


async def count_failed(connection: AsyncConnection) -> int:
    """Count those that can be made ready for another try."""
    statement = sa.select(sa.func.count()).select_from(webhook_events).where(_FAILED)
    number: int = (await connection.execute(statement)).scalar_one()
    return number


async def reopen_failed(connection: AsyncConnection) -> list[int]:
    again = {"status": "received", "reason": "", "processed_at": None}
    statement = sa.update(webhook_events).where(_FAILED).values(again).returning(webhook_events.c.id)
    return sorted((await connection.execute(statement)).scalars())


async def forget_bodies(connection: AsyncConnection, before: datetime, _after: int, limit: int) -> list[int]:
    """Empty the bodies of events finished before a moment; return their ids. Never of one that failed or is
    not finished: it may be ingested again."""
    events = webhook_events.c
    due = (
        sa.select(events.id)
        .where(_WITH_BODY, events.processed_at < before)
        .order_by(events.processed_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    statement = sa.update(webhook_events).where(among(events.id, due)).values(body=b"").returning(events.id)
    return list((await connection.execute(statement)).scalars())


async def get(connection: AsyncConnection, event_id: int) -> tuple[StoredEvent, bytes]:
    """Return an event and its body, which is empty when it is no longer kept. Raises NotFound."""
    columns = [webhook_events.c[name] for name in (*StoredEvent.__struct_fields__, "body")]
    row = (await connection.execute(sa.select(*columns).where(webhook_events.c.id == event_id))).first()
    if row is None:
        raise NotFound(f"There is no event {event_id}.")
    *values, body = row
    return StoredEvent(*values), body


async def latest(
    connection: AsyncConnection,
    *,
    status: Status | None = None,
    conversation_id: str | None = None,
    before: int | None = None,
    limit: int,
) -> list[StoredEvent]:
    events = webhook_events.c
    columns = [events[name] for name in StoredEvent.__struct_fields__]
    statement = sa.select(*columns).order_by(events.id.desc()).limit(limit)
    if status:
        statement = statement.where(events.status == status)
    if conversation_id is not None:
        statement = statement.where(events.conversation_id == conversation_id)
    if before is not None:
        statement = statement.where(events.id < before)
    return [StoredEvent(*row) for row in await connection.execute(statement)]


async def counts(connection: AsyncConnection, statuses: Sequence[Status]) -> dict[str, int]:
    statement = (
        sa.select(webhook_events.c.status, sa.func.count().label("number"))
        .where(webhook_events.c.status.in_(statuses))
        .group_by(webhook_events.c.status)
    )
    found = {row.status: row.number for row in await connection.execute(statement)}
    return {status: found.get(status, 0) for status in statuses}


async def last_received(connection: AsyncConnection) -> datetime | None:
    newest = sa.select(webhook_events.c.received_at).order_by(webhook_events.c.id.desc()).limit(1)
    return (await connection.execute(newest)).scalar_one_or_none()


_UNFINISHED = Statement(
    "select platform, body from webhook_events where id = :event and status in ('received', 'failed')"
)
_FINISH = Statement("""
update webhook_events set status = :status, reason = :reason, processed_at = now(),
    body = coalesce(cast(:body as bytea), body)
where id = :event and status <> 'erased'
""")
