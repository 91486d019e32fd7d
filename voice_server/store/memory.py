"""Everything one prompt is made of, gathered in one query (one combined query: 134 µs; eight: 412)."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.address import Address
from voice_server.domain.conversation import Channel
from voice_server.domain.digest import KeyMoment
from voice_server.domain.memory import KnownThread, Memory, Remembered

_DAYS_BACK = timedelta(days=3)  # today and yesterday, anywhere on earth
_CONVERSATIONS, _THREADS, _RECENT = 40, 50, 5

_QUERY = sa.text(f"""
with talked as (
    select id, channel, started_at, ended_at, collected
    from conversations where user_id = :user and agent_id = :agent and outcome = 'talked'
), told as (
    select t.id, t.channel, t.started_at, extract(epoch from t.ended_at - t.started_at)::int as duration,
           t.collected, d.summary, d.key_moments
    from talked t join digests d on d.conversation_id = t.id
    where t.started_at >= least(:since, (select max(s.started_at) from talked s join digests e on e.conversation_id = s.id))
    order by t.started_at desc, t.id desc limit {_CONVERSATIONS}
), open as (
    select id, kind, said_by, text, said_on, positions, due, touched_at
    from open_threads where user_id = :user and agent_id = :agent and status = 'open'
    order by touched_at desc, id desc limit {_THREADS}
), recent as (
    select platform_id from conversations c where user_id = :user and agent_id = :agent
        and (outcome <> 'talked' or exists (select from digests d where d.conversation_id = c.id))
    order by started_at desc, id desc limit {_RECENT}
)
select json_build_object(
    'timezone', coalesce(nullif(u.timezone, ''), (
        select timezone from conversations where user_id = :user and timezone <> ''
        order by started_at desc, id desc limit 1
    ), ''),
    'conversations', (select count(*) from talked),
    'last_contact', (select max(ended_at) from talked),
    'latest', (select coalesce(json_agg(told), '[]') from told),
    'open_threads', (select coalesce(json_agg(open), '[]') from open),
    'recent_calls', (select coalesce(json_agg(platform_id), '[]') from recent),
    'addresses', (select coalesce(json_agg(address order by address), '[]') from addresses where user_id = :user)
)::text
from users u where u.id = :user
""")  # noqa: S608 (the numbers are ours)


class _Told(Struct):
    id: int
    channel: Channel
    started_at: datetime
    duration: int
    collected: dict[str, Any]
    summary: str
    key_moments: tuple[KeyMoment, ...]


class _Row(Struct):
    timezone: str
    conversations: int
    last_contact: datetime | None
    latest: list[_Told]
    open_threads: tuple[KnownThread, ...]
    recent_calls: tuple[str, ...]
    addresses: list[Address]


_decoder = msgspec.json.Decoder(_Row)


class Gathered(Struct, frozen=True):
    """A user's memory with one agent, and the addresses under which to cache what is made of it."""

    memory: Memory
    addresses: tuple[Address, ...]


async def gather(
    connection: AsyncConnection, user_id: str, agent_id: str, *, now: datetime, timezone: str
) -> Gathered | None:
    """All facts for one prompt, or None when there is no such user. `timezone` for users without one."""
    arguments = {"user": user_id, "agent": agent_id, "since": now - _DAYS_BACK}
    answer = (await connection.execute(_QUERY, arguments)).scalar_one_or_none()
    if answer is None:
        return None
    row = _decoder.decode(answer)
    memory = Memory(
        user_id=user_id,
        timezone=row.timezone or timezone,
        conversations=row.conversations,
        last_contact=row.last_contact,
        latest=tuple(_remembered(one) for one in row.latest),
        open_threads=row.open_threads,
        recent_calls=row.recent_calls,
    )
    return Gathered(memory, tuple(row.addresses))


def _remembered(told: _Told) -> Remembered:
    noted = tuple(
        f"{name.removesuffix('_json').replace('_', ' ')}: {_said(value)}"
        for name, value in told.collected.items()
    )
    return Remembered(
        told.id, told.channel, told.started_at, told.duration, told.summary, told.key_moments, noted
    )


def _said(value: object) -> str:
    """A collected value as one would say it. Lists arrive as JSON inside a string (CONTRACT 2.7)."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value[:1] in "[{":
        return _flat(value)
    return str(value)


def _flat(json: str) -> str:
    try:
        value = msgspec.json.decode(json)
    except msgspec.DecodeError:
        return json
    entries = value if isinstance(value, list) else [value]
    return "; ".join(_first(entry) if isinstance(entry, dict) else str(entry) for entry in entries)


def _first(entry: dict[str, Any]) -> str:
    """`{"fact": "only mornings", "kind": "preference"}` says `only mornings`."""
    return str(next(iter(entry.values()), ""))
