"""Chats: what the host application tells us message by message. A chat is a row of sittings, each a
conversation of its own. Positions are counted through the whole chat.

    chat_id "family"   ├── sitting 0…41 ──┤├── sitting 42…97 ──┤├── sitting 98… goes on
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.conversation import CONTINUOUS, Channel, Message, Turn, continuous_id
from voice_server.errors import Conflict
from voice_server.store.json_rows import packed
from voice_server.store.search import vectors
from voice_server.store.session import Statement
from voice_server.store.tables import conversations, sittings

_NO_PLACE = 2**31 - 1  # behind every message
PLATFORM = "app"  # whose conversations they are: the host application's


class Sitting(Struct, frozen=True):
    """A sitting with its conversation, by the columns of `tables.sittings`. The latest message was said at
    `ended_at`."""

    conversation_id: int
    user_id: str
    agent_id: str
    ended_at: datetime
    goes_on: bool
    first: int
    size: int
    asked: int
    heard_at: datetime


class Chat(Struct, frozen=True):
    """A chat. What was erased is None."""

    messages: int
    user_id: str | None
    agent_id: str | None
    sitting: Sitting | None


class ChatOfUser(Struct, frozen=True):
    chat_id: str
    agent_id: str
    last_at: datetime
    messages: int
    began_with: str


class SilentSitting(Struct, frozen=True):
    chat_id: str
    user_id: str


class QuietSitting(Struct, frozen=True, order=True):
    """A sitting in which nobody writes just now. Sorted as they are asked for: no deadlock."""

    user_id: str
    agent_id: str
    id: int


async def find(connection: AsyncConnection, chat_id: str) -> Chat | None:
    for *sitting, owner, agent in await _LATEST.rows(connection, {"chat": chat_id}):
        latest = Sitting(*sitting)
        is_there = latest.conversation_id is not None
        return Chat(latest.first + latest.size, owner, agent, latest if is_there else None)
    return None


async def find_theirs(connection: AsyncConnection, chat_id: str, user_id: str, agent_id: str) -> Chat | None:
    """Return the chat as it is for this user and agent. Their continuous chat is theirs, though its latest
    sitting may have gone to somebody they were merged with for a time: then another one begins. Raises
    Conflict for a continuous chat that is not there and would be another's."""
    chat = await find(connection, chat_id)
    if chat_id != continuous_id(user_id, agent_id):
        if chat is None and chat_id.startswith(f"{CONTINUOUS}:"):
            raise Conflict(f"Chat {chat_id} is another's: name your own `{CONTINUOUS}`.")
        return chat
    if chat is None:
        return None
    is_theirs = chat.sitting is not None and chat.sitting.user_id == user_id
    return Chat(chat.messages, user_id, agent_id, chat.sitting if is_theirs else None)


async def begin(
    connection: AsyncConnection,
    chat_id: str,
    *,
    user_id: str,
    known_as: str,
    agent_id: str,
    first: int,
    at: datetime,
    channel: Channel,
) -> Sitting | None:
    """Begin a sitting at the position `first`. `known_as` is the id under which the user was named. None when
    somebody else begins this chat just now."""
    row = {
        "platform": PLATFORM,
        "name": f"{chat_id}:{first}",
        "agent": agent_id,
        "user": user_id,
        "channel": channel,
        "at": at,
        "known_as": known_as,
        "chat": chat_id,
        "first": first,
    }
    for (id_,) in await _BEGIN.rows(connection, row):
        return Sitting(id_, user_id, agent_id, at, goes_on=True, first=first, size=0, asked=0, heard_at=at)
    return None


async def append(
    connection: AsyncConnection,
    sitting: Sitting,
    said: Sequence[Message],
    *,
    at: datetime,
    language: str = "",
    verbatim: Sequence[str | None],
) -> Sitting:
    """Add messages. `language` "" leaves the sitting's; `verbatim` is how each was said, None: as it is.
    After `users.lock`."""
    ours = {"conversation_id": sitting.conversation_id}
    rows = [{**ours, **asdict(one), "verbatim": words} for one, words in zip(said, verbatim, strict=True)]
    longer = replace(sitting, ended_at=said[-1].said_at, goes_on=True, size=sitting.size + len(said))
    values = {
        "rows": packed(rows),
        "id": sitting.conversation_id,
        "ended_at": longer.ended_at,
        "by_user": any(one.role == "user" for one in said),
        "language": language,
        "size": longer.size,
        "at": at,
    }
    await _APPEND.rows(connection, values)
    return longer


async def end(connection: AsyncConnection, conversation_id: int) -> None:
    await connection.execute(
        sa.update(conversations).where(conversations.c.id == conversation_id).values(goes_on=False)
    )


async def asked(connection: AsyncConnection, sitting: Sitting) -> None:
    """Note that all that was said so far is to be understood."""
    ours = sittings.c.conversation_id == sitting.conversation_id
    await connection.execute(sa.update(sittings).where(ours).values(asked=sitting.size))


async def told(connection: AsyncConnection, chat_id: str, first: int, count: int) -> dict[int, Message]:
    """Return messages by position in the chat, without erased ones."""
    asked_for = {"chat": chat_id, "first": first, "end": first + count}
    rows = await _TOLD.rows(connection, asked_for)
    return {at: Message(*message) for at, *message in rows}


async def name_of(connection: AsyncConnection, chat_id: str, place: int | None) -> tuple[int, int] | None:
    """Return the conversation (our id) with the message at a place in the chat, and its position there; None
    for an erased one."""
    if place is None:
        return None
    ours = (sittings.c.chat_id == chat_id) & (sittings.c.first <= place)
    there = sa.select(sittings.c.conversation_id, place - sittings.c.first).where(
        ours, sittings.c.first + sittings.c.size > place, sittings.c.conversation_id.is_not(None)
    )
    row = (await connection.execute(there)).first()
    return (row[0], row[1]) if row else None


async def history(
    connection: AsyncConnection,
    whose: tuple[str, str],
    chat_id: str,
    opening: int,
    latest: int,
    before: int | None = None,
) -> tuple[list[Turn], int]:
    """Return the first `opening` and the `latest` messages of a chat, and how many there are in all; of those
    `before` a place, without erased ones. What there was of an answer that broke off is left out once its
    turn was answered anew."""
    until = _NO_PLACE if before is None else before
    user_id, agent_id = whose
    ours = {"chat": chat_id, "user": user_id, "agent": agent_id, "until": until}
    rows = await _HISTORY.rows(connection, {**ours, "opening": opening, "latest": latest})
    (there, anew, *_), *_ = rows
    read = [
        Turn(*message, conversation_id=id_, place=place)
        for _, _, id_, place, *message in rows
        if place is not None
    ]
    told = [*_without_broken_off(read, dict(anew or ()))]
    return told, there - (len(read) - len(told))


def _without_broken_off(messages: Sequence[Turn], anew: Mapping[int, int]) -> Iterator[Turn]:
    """Leave out what stands behind a question until the place of the answer that it had later."""
    answered_at = 0
    for one in messages:
        if one.role == "user":
            answered_at = anew.get(one.place, 0)
        if one.role == "user" or one.place >= answered_at:
            yield one


async def behind(
    connection: AsyncConnection, whose: tuple[str, str], chat_id: str, first: int, before: int | None = None
) -> int:
    """Count the messages from one place on, `before` another."""
    until = _NO_PLACE if before is None else before
    asked = {"chat": chat_id, "user": whose[0], "agent": whose[1], "first": first, "until": until}
    return int((await connection.execute(_BEHIND, asked)).scalar_one())


async def page(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str | None,
    *,
    before: tuple[datetime, str] | None = None,
    limit: int = 50,
) -> list[ChatOfUser]:
    last_at, chat_id = before or (None, None)
    asked = {"user": user_id, "agent": agent_id, "last": last_at, "chat": chat_id, "limit": limit}
    return [ChatOfUser(*row) for row in await connection.execute(_PAGE, asked)]


async def retell(
    connection: AsyncConnection, chat_id: str, contents: Mapping[int, str], *, verbatim: bool
) -> list[int]:
    """Replace messages by position in the chat; return their conversations, from which all is to be made
    anew. With `verbatim`, the old words are kept beside, for people."""
    if not contents:
        return []
    asked = {"chat": chat_id, "at": list(contents), "contents": list(contents.values()), "verbatim": verbatim}
    changed = sorted(set((await connection.execute(_RETELL, asked)).scalars()))
    for id_ in changed:
        await connection.execute(_TOLD_ANEW, {"id": id_})
        await vectors.remove(connection, id_)
    return changed


async def contents(connection: AsyncConnection, conversation_id: int, first: int) -> list[str]:
    rows = await _CONTENTS.rows(connection, {"conversation": conversation_id, "first": first})
    return [content for (content,) in rows]


async def over(connection: AsyncConnection, before: datetime, limit: int) -> list[SilentSitting]:
    return [
        SilentSitting(*row) for row in await connection.execute(_OVER, {"before": before, "limit": limit})
    ]


async def quiet(connection: AsyncConnection, before: datetime, limit: int) -> list[QuietSitting]:
    """Return sittings with words of the user that nobody asked to be understood, and note that somebody
    has."""
    rows = await connection.execute(_QUIET, {"before": before, "limit": limit})
    return sorted(QuietSitting(*row) for row in rows)


# The latest sitting, and whose the chat is: that of the latest that was not erased.
_LATEST = Statement("""
select c.id as conversation_id, c.user_id, c.agent_id, c.ended_at, c.goes_on, s.first, s.size, s.asked,
    s.heard_at, owner.user_id as owner, owner.agent_id as agent
from sittings s left join conversations c on c.id = s.conversation_id
left join lateral (
    select o.user_id, o.agent_id from sittings l join conversations o on o.id = l.conversation_id
    where l.chat_id = s.chat_id order by l.first desc limit 1
) owner on true
where s.chat_id = :chat order by s.first desc limit 1
""")
_TOLD = Statement("""
select s.first + m.position, m.position, m.role, m.content, m.said_at, m.tool_name
from sittings s join messages m on m.conversation_id = s.conversation_id
where s.chat_id = :chat and s.first < :end and s.first + s.size > :first
    and m.position >= :first - s.first and m.position < :end - s.first
""")
# First which positions of which sittings, then their messages, one sitting after the other (`offset 0`):
# joined at once, all messages of the database may be read. A row without one says how many there are.
_HISTORY = Statement("""
with ours as materialized (
    select s.conversation_id, s.first, least(s.first + s.size, :until) as ends
    from sittings s join conversations c on c.id = s.conversation_id
    where s.chat_id = :chat and s.first < :until and c.user_id = :user and c.agent_id = :agent
), ending as materialized (
    select greatest(max(ends) - :latest, least(:opening, :until)) as first from ours
), parts as materialized (
    select conversation_id, first, 0 as begins, least(:opening, ends) - first as ends from ours
    where first < :opening
    union all
    select o.conversation_id, o.first, e.first - o.first, o.ends - o.first from ours o cross join ending e
    where o.ends > e.first
), told as (
    select p.conversation_id, p.first + m.position as place, m.position, m.role, m.content, m.said_at,
        m.tool_name
    from parts p cross join lateral (
        select * from messages
        where conversation_id = p.conversation_id and position >= p.begins and position < p.ends offset 0
    ) m
)
select cast(t.there as int), t.anew, told.* from (
    select coalesce(sum(ends - first), 0) as there, (
        select array_agg(array[place, answer_first]) from chat_turns
        where chat_id = :chat and conversation_id in (select conversation_id from parts)
            and answer_first > place + 1
    ) as anew from ours
) t
left join told on true order by told.place
""")
_CONTENTS = Statement("""
select content from messages where conversation_id = :conversation and position >= :first
""")
# Nobody has asked to have it digested yet: done.
_BEGIN = Statement("""
with begun as (
    insert into conversations (platform, platform_id, agent_id, user_id, channel, outcome, started_at,
        ended_at, known_as, goes_on, digest_state)
    values (:platform, :name, :agent, :user, :channel, 'silent', :at, :at, :known_as, true, 'done')
    on conflict do nothing returning id
)
insert into sittings (chat_id, first, conversation_id) select :chat, :first, id from begun
returning conversation_id
""")
_APPEND = Statement("""
with added as (
    insert into messages (conversation_id, position, role, content, verbatim, tool_name, said_at)
    select conversation_id, position, role, content, verbatim, tool_name, said_at
    from json_populate_recordset(null::messages, cast(:rows as json))
), longer as (
    update sittings set size = :size, heard_at = :at where conversation_id = :id
)
update conversations set ended_at = :ended_at, goes_on = true,
    outcome = case when :by_user then 'talked' else outcome end,
    language = coalesce(nullif(:language, ''), language)
where id = :id
""")
_BEHIND = sa.text("""
select coalesce(sum(greatest(least(s.first + s.size, :until) - greatest(s.first, :first), 0)), 0)
from sittings s join conversations c on c.id = s.conversation_id
where s.chat_id = :chat and s.first < :until and c.user_id = :user and c.agent_id = :agent
""")
_PAGE = sa.text("""
with ours as (
    select s.chat_id, min(c.agent_id) as agent_id, max(c.ended_at) as last_at, sum(s.size) as messages,
        min(s.first) as first
    from conversations c join sittings s on s.conversation_id = c.id
    where c.user_id = :user and (cast(:agent as text) is null or c.agent_id = :agent)
    group by s.chat_id
)
select o.chat_id, o.agent_id, o.last_at, o.messages, coalesce((
    select left(m.content, 100) from sittings b join messages m on m.conversation_id = b.conversation_id
    where b.chat_id = o.chat_id and b.first = o.first and m.role = 'user' order by m.position limit 1
), '') from ours o
where cast(:last as timestamptz) is null or (o.last_at, o.chat_id) < (:last, :chat)
order by o.last_at desc, o.chat_id desc limit :limit
""")
_RETELL = sa.text("""
update messages m set content = one.content,
    verbatim = case when :verbatim then coalesce(m.verbatim, m.content) end
from unnest(cast(:at as int[]), cast(:contents as text[])) as one (place, content), sittings s
where s.chat_id = :chat and m.conversation_id = s.conversation_id and m.position = one.place - s.first
    and one.place >= s.first and one.place < s.first + s.size
returning m.conversation_id
""")
# The index knows by the timestamp that a conversation was told otherwise.
_TOLD_ANEW = sa.text("update conversations set event_timestamp = event_timestamp + 1 where id = :id")
_OVER = sa.text("""
select s.chat_id, c.user_id from conversations c join sittings s on s.conversation_id = c.id
where c.goes_on and s.heard_at < :before order by s.heard_at, c.id limit :limit
""")
_QUIET = sa.text("""
update sittings a set asked = a.size from (
    select c.id, c.user_id, c.agent_id from conversations c join sittings s on s.conversation_id = c.id
    where c.goes_on and s.heard_at < :before and s.size > s.asked and c.outcome = 'talked'
    order by s.heard_at, c.id limit :limit for update of s skip locked
) quiet where a.conversation_id = quiet.id returning quiet.user_id, quiet.agent_id, quiet.id
""")
