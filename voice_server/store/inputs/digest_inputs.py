"""All that a digest is made from, in two statements: it is read before each digest, and once more in the
transaction that keeps it. A wish to forget what was told another time takes one more."""

import asyncio
from datetime import datetime
from itertools import groupby
from operator import itemgetter

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.privacy import consent
from voice_server.domain.addresses.number_zone import number_zone
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread
from voice_server.domain.memory import ForgottenTopic
from voice_server.store.conversations import conversations
from voice_server.store.conversations.conversations import DigestibleConversation
from voice_server.store.knowledge import digests, forgotten, threads
from voice_server.store.people import users
from voice_server.store.prompts import prompt_history
from voice_server.store.session import Statement

MOST_KNOWN = 40  # threads that a conversation is asked whether it settles
_LATEST = 5  # earlier conversations in which a wish to forget may find what it means


class DigestSources(Struct, frozen=True):
    """`meant` are the latest earlier conversations, newest first, where a wish to forget may mean them."""

    conversation: DigestibleConversation
    forgotten: tuple[ForgottenTopic, ...]
    timezone: str
    earlier: list[list[str]]
    served: str
    known: tuple[EarlierThread, ...]
    meant: tuple[tuple[Message, ...], ...] = ()
    conversation_id: int = 0


class EarlierDigest(Struct, frozen=True):
    """What was understood before. `basis` names what that was made from, "" when a release before made it;
    `forgets` is what it says is to be forgotten, and `forgets_at` when it was wished for."""

    source: str
    basis: str
    awaits_model: bool
    stems: list[str]
    forgets: list[list[str]]
    forgets_at: list[datetime]


async def read(
    connection: AsyncConnection, conversation_id: int
) -> tuple[DigestSources, EarlierDigest | None] | None:
    """Return the sources of a digest, and the one before. None when the conversation is gone or nothing was
    said."""
    rows = await _READ.rows(connection, {"conversation": conversation_id})
    if not rows:
        return None
    *told, timezone, addresses, served, forgotten_topics, earlier, known, understood = rows[0]
    conversation = await conversations.with_messages(connection, conversation_id, told)
    sources = DigestSources(
        conversation,
        _forgotten.decode(forgotten_topics),
        timezone or number_zone(addresses, conversation.started_at),
        _earlier.decode(earlier),
        served or "",
        _known.decode(known),
        await _meant(connection, conversation_id, conversation),
        conversation_id,
    )
    return sources, _understood.decode(understood)


async def _meant(
    connection: AsyncConnection, conversation_id: int, conversation: DigestibleConversation
) -> tuple[tuple[Message, ...], ...]:
    # in a thread: a long conversation takes its time
    if not await asyncio.to_thread(consent.asks_of_earlier, conversation.messages):
        return ()
    asked = {
        "user": conversation.user_id,
        "asking": conversation_id,
        "before": conversation.messages[-1].said_at,
        "latest": _LATEST,
    }
    rows = await _EARLIER.rows(connection, asked)
    return tuple(tuple(Message(*said) for _, *said in one) for _, one in groupby(rows, itemgetter(0)))


_forgotten = msgspec.json.Decoder(tuple[ForgottenTopic, ...])
_earlier = msgspec.json.Decoder(list[list[str]])
_known = msgspec.json.Decoder(tuple[EarlierThread, ...])
_understood = msgspec.json.Decoder(EarlierDigest | None)

_UNDERSTOOD = """coalesce((
    select json_build_object(
        'source', source, 'basis', basis, 'awaits_model', awaits_model, 'stems', stems, 'forgets', forgets,
        'forgets_at', forgets_at
    )
    from digests where conversation_id = conversations.id
), 'null')"""
_AS_JSON = {
    "forgotten": forgotten.topics_of("conversations.user_id"),
    "earlier": digests.stems_before("conversations.user_id", "conversations.started_at"),
    "known": threads.earlier("conversations.id", MOST_KNOWN),
    "understood": _UNDERSTOOD,
}
_READ = Statement(
    conversations.TO_DIGEST.add_columns(
        sa.literal_column(users.timezone_of("conversations.user_id", "conversations.started_at")).label(
            "timezone"
        ),
        sa.literal_column(f"array({users.addresses_by('conversations.user_id')})").label("addresses"),
        sa.select(
            prompt_history.served(sa.bindparam("conversation", type_=sa.BigInteger)).subquery().c.prompt
        )
        .scalar_subquery()
        .label("served"),
        *(sa.literal_column(f"{sql}::text").label(name) for name, sql in _AS_JSON.items()),
    )
)
_EARLIER = Statement("""
select c.id, m.position, m.role, m.content, m.said_at, m.tool_name
from (
    select id, started_at from conversations
    where user_id = :user and id <> :asking and started_at < :before and outcome = 'talked'
    order by started_at desc, id desc limit :latest
) c join messages m on m.conversation_id = c.id
order by c.started_at desc, c.id desc, m.position
""")
