"""Conversations to be looked at: a user's timeline, and one conversation with all that came of it."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.conversation import Channel, Message
from voice_server.domain.digest import KeyMoment, Source
from voice_server.errors import NotFound
from voice_server.store.conversations.conversations import Outcome
from voice_server.store.prompts import prompt_history
from voice_server.store.tables import conversations, digests, messages, thoughts, webhook_events


class Place(NamedTuple):
    started_at: datetime
    id: int


class KnownConversation(NamedTuple):
    """A conversation, and who it was with: None while nobody knows."""

    id: int
    user_id: str | None


class Row(Struct, frozen=True):
    """A conversation in a list. `user_id` is None while nobody knows who it was with; `summary` is "" before
    it is digested."""

    id: int
    platform: str
    platform_id: str
    agent_id: str
    user_id: str | None
    channel: Channel
    outcome: Outcome
    started_at: datetime
    ended_at: datetime
    goes_on: bool
    language: str
    prompt_version: str
    summary: str


class SaidMessage(Message, frozen=True, kw_only=True):
    conversation_id: int


class DigestView(Struct, frozen=True):
    """What a digest says, and what a model was asked for it (0 without one)."""

    source: Source
    key_moments: tuple[KeyMoment, ...]
    model: str
    tokens_in: int
    tokens_out: int
    created_at: datetime


class ConversationView(Struct, frozen=True):
    """One conversation with all that came of it. `prompt_kept`: the prompt it began with can still be read;
    `thoughts_used` were in it."""

    conversation: Row
    messages: tuple[Message, ...]
    understood: DigestView | None
    prompt_kept: bool
    thoughts_used: tuple[int, ...]


class SaidPlace(NamedTuple):
    said_at: datetime
    conversation_id: int
    position: int


_SAID_BETWEEN = """
select m.position, m.role, coalesce(m.verbatim, m.content), m.said_at, m.tool_name, m.conversation_id
from messages m
where m.conversation_id = any(cast(:ids as bigint[])) and m.said_at between :first and :last
"""
_SAID_IN_ORDER = sa.text(f"{_SAID_BETWEEN} order by m.said_at, m.conversation_id, m.position")
_SAID_FIRST = sa.text(f"{_SAID_BETWEEN} order by m.said_at, m.conversation_id, m.position limit :limit")
_SAID_LAST = sa.text(f"""
{_SAID_BETWEEN}
    and (cast(:before_at as timestamptz) is null
        or (m.said_at, m.conversation_id, m.position)
            < (:before_at, :before_id, cast(:before_position as bigint)))
order by m.said_at desc, m.conversation_id desc, m.position desc limit :limit
""")
_LONGEST = timedelta(days=7)  # of a conversation: a call, or a sitting of a chat
_call, _digest = conversations.c, digests.c
_ROWS: sa.Select[Any] = sa.select(
    *(_call[name] for name in Row.__struct_fields__ if name != "summary"),
    sa.func.coalesce(_digest.summary, "").label("summary"),
).select_from(conversations.outerjoin(digests))


async def page(
    connection: AsyncConnection,
    user_id: str | None,
    agent_id: str | None,
    *,
    before: tuple[datetime, int] | None = None,
    limit: int = 50,
) -> list[Row]:
    """Return a user's conversations, or (None) nobody's, the latest first: those before this moment and
    id."""
    statement = _ROWS.where(_call.user_id.is_(None) if user_id is None else _call.user_id == user_id)
    if agent_id is not None:
        statement = statement.where(_call.agent_id == agent_id)
    if before is not None:
        statement = statement.where(sa.tuple_(_call.started_at, _call.id) < before)
    latest = statement.order_by(_call.started_at.desc(), _call.id.desc()).limit(limit)
    return [Row(*row) for row in await connection.execute(latest)]


class ConversationFilter(Struct, frozen=True):
    """Which conversations of everybody; None for any. `since` and `until` (UTC) are for their beginnings."""

    agent_id: str | None = None
    channel: Channel | None = None
    outcome: Outcome | None = None
    since: datetime | None = None
    until: datetime | None = None


async def of_everybody(
    connection: AsyncConnection,
    wanted: ConversationFilter,
    *,
    before: tuple[datetime, int] | None = None,
    limit: int = 50,
) -> list[Row]:
    statement = _ROWS
    for name in ("agent_id", "channel", "outcome"):
        if (value := getattr(wanted, name)) is not None:
            statement = statement.where(_call[name] == value)
    if wanted.since is not None:
        statement = statement.where(_call.started_at >= wanted.since)
    if wanted.until is not None:
        statement = statement.where(_call.started_at < wanted.until)
    if before is not None:
        statement = statement.where(sa.tuple_(_call.started_at, _call.id) < before)
    latest = statement.order_by(_call.started_at.desc(), _call.id.desc()).limit(limit)
    return [Row(*row) for row in await connection.execute(latest)]


async def begun_with_agents(connection: AsyncConnection, since: datetime) -> dict[str, int]:
    begun = sa.select(_call.agent_id, sa.func.count()).where(_call.started_at >= since)
    rows = await connection.execute(begun.group_by(_call.agent_id))
    return dict(rows.all())


async def of_ids(connection: AsyncConnection, ids: Sequence[int]) -> list[Row]:
    statement = _ROWS.where(_call.id.in_(list(ids))).order_by(_call.id)
    return [Row(*row) for row in await connection.execute(statement)]


async def said_between(
    connection: AsyncConnection, ids: Sequence[int], first: datetime, last: datetime
) -> list[SaidMessage]:
    """Return what was said between two moments, both included, as it was said."""
    asked = {"ids": list(ids), "first": first, "last": last}
    rows = await connection.execute(_SAID_IN_ORDER, asked)
    return [SaidMessage(*said, conversation_id=id_) for *said, id_ in rows]


async def last_said_between(
    connection: AsyncConnection,
    ids: Sequence[int],
    first: datetime,
    last: datetime,
    *,
    before: SaidPlace | None = None,
    limit: int,
) -> list[SaidMessage]:
    """Return the latest of these messages, in the order said."""
    at, id_, position = before or (None, None, None)
    place = {"before_at": at, "before_id": id_, "before_position": position}
    asked = {"ids": list(ids), "first": first, "last": last, **place, "limit": limit}
    rows = list(await connection.execute(_SAID_LAST, asked))
    return [SaidMessage(*said, conversation_id=id_) for *said, id_ in reversed(rows)]


async def of_events(connection: AsyncConnection, event_ids: Iterable[int]) -> dict[int, KnownConversation]:
    """Return, by event, the conversation that it tells of, where that is there."""
    events = webhook_events.c
    same = (_call.platform == events.platform) & (_call.platform_id == events.conversation_id)
    known = sa.select(events.id, _call.id, _call.user_id).join_from(webhook_events, conversations, same)
    rows = await connection.execute(known.where(events.id.in_(list(event_ids))))
    return {event_id: KnownConversation(id_, user_id) for event_id, id_, user_id in rows}


async def of_platform_id(connection: AsyncConnection, user_id: str, platform_id: str) -> Row | None:
    """Return the conversation of a user to which a platform gave this id; None for "", or where there is
    none."""
    if not platform_id:
        return None
    statement = _ROWS.where(_call.user_id == user_id, _call.platform_id == platform_id)
    row = (await connection.execute(statement.order_by(_call.id).limit(1))).first()
    return Row(*row) if row else None


async def first_said_between(
    connection: AsyncConnection, ids: Sequence[int], first: datetime, last: datetime, *, limit: int
) -> list[SaidMessage]:
    asked = {"ids": list(ids), "first": first, "last": last, "limit": limit}
    rows = await connection.execute(_SAID_FIRST, asked)
    return [SaidMessage(*said, conversation_id=id_) for *said, id_ in rows]


async def under_way_between(
    connection: AsyncConnection, user_id: str, agent_id: str | None, first: datetime, last: datetime
) -> list[Row]:
    whole = (_call.started_at >= first - _LONGEST) & (_call.started_at <= last) & (_call.ended_at >= first)
    statement = _ROWS.where(_call.user_id == user_id, whole)
    if agent_id is not None:
        statement = statement.where(_call.agent_id == agent_id)
    return [Row(*row) for row in await connection.execute(statement.order_by(_call.started_at, _call.id))]


async def get(connection: AsyncConnection, id_: int) -> ConversationView:
    """Return one conversation. Raises NotFound."""
    row = (await connection.execute(_ROWS.where(_call.id == id_))).first()
    if row is None:
        raise NotFound(f"There is no conversation {id_}.")
    conversation = Row(*row)
    return ConversationView(
        conversation,
        await _messages(connection, id_),
        await _understood(connection, id_),
        await _is_prompt_kept(connection, id_),
        await _thoughts_used(connection, id_),
    )


async def _messages(connection: AsyncConnection, id_: int) -> tuple[Message, ...]:
    said = {"content": sa.func.coalesce(messages.c.verbatim, messages.c.content)}
    columns = [said.get(name, messages.c[name]) for name in Message.__struct_fields__]
    statement = sa.select(*columns).where(messages.c.conversation_id == id_).order_by(messages.c.position)
    return tuple(Message(*row) for row in await connection.execute(statement))


async def _understood(connection: AsyncConnection, id_: int) -> DigestView | None:
    columns = [_digest[name] for name in DigestView.__struct_fields__]
    found = (await connection.execute(sa.select(*columns).where(_digest.conversation_id == id_))).first()
    if found is None:
        return None
    source, moments, *rest = found
    return DigestView(source, msgspec.convert(moments, tuple[KeyMoment, ...]), *rest)


async def _is_prompt_kept(connection: AsyncConnection, id_: int) -> bool:
    served = prompt_history.served(sa.literal(id_)).subquery()
    return (await connection.execute(sa.select(served.c.version))).first() is not None


async def _thoughts_used(connection: AsyncConnection, id_: int) -> tuple[int, ...]:
    statement = sa.select(thoughts.c.id).where(thoughts.c.used_in == id_).order_by(thoughts.c.id)
    return tuple((await connection.execute(statement)).scalars())
