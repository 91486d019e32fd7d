"""Topics that users asked to have forgotten: kept with the digest of the conversation that asks for it, and
with the user once that is erased. What a person clears is kept with the user, too: a digest made anew does
not bring it back."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.memory import ForgottenTopic
from voice_server.errors import NotFound

_decoder = msgspec.json.Decoder(tuple[ForgottenTopic, ...])


class Topic(Struct, frozen=True):
    """A topic as a person sees it. It is kept as hashes: `words` counts them, and what it is about stands in
    the conversation that asked for it."""

    id: str
    asked_at: datetime
    conversation_id: int | None
    words: int


def _wishes(user: str) -> str:
    """Return the SQL of the topics of a user that nobody cleared, as rows."""
    return f"""(
        select wish.* from (
            select c.id as conversation_id, c.started_at as at, wished as stems,
                cast(d.forgets_at ->> cast(number - 1 as int) as timestamptz) as wished_at
            from digests d join conversations c on c.id = d.conversation_id,
                jsonb_array_elements(d.forgets) with ordinality as one (wished, number)
            where d.user_id = {user} and d.forgets <> '[]'
            union all
            select null, (one.kept ->> 'at')::timestamptz, one.kept -> 'stems',
                (one.kept ->> 'wished_at')::timestamptz
            from users u, jsonb_array_elements(u.forgets) as one (kept)
            where u.id = {user} and not one.kept ? 'cleared'
        ) wish where not exists (
            select from users u, jsonb_array_elements(u.forgets) as one (kept)
            where u.id = {user} and one.kept ? 'cleared'
                and one.kept -> 'stems' = wish.stems and (one.kept ->> 'at')::timestamptz = wish.at
        )
    )"""  # noqa: S608 (the expression is ours)


def topics_of(user: str) -> str:
    """Return the SQL of a JSON array of a user's topics; `user` is an expression."""
    return f"""(
        select coalesce(json_agg(jsonb_build_object(
            'at', w.at, 'stems', w.stems, 'wished_at', w.wished_at, 'conversation_id', w.conversation_id
        )), '[]')
        from {_wishes(user)} w
    )"""  # noqa: S608 (the expression is ours)


_ID = "md5(w.stems::text || extract(epoch from w.at)::text)"
_OF = sa.text(f"select {topics_of(':user')}::text")
_PAGE = sa.text(f"""
select {_ID} as id, w.at as asked_at, max(w.conversation_id) as conversation_id,
    jsonb_array_length(w.stems) as words
from {_wishes(":user")} w where {_ID} > :after group by w.at, w.stems order by id limit :limit
""")  # noqa: S608 (the expressions are ours)
_CLEAR = sa.text(f"""
update users set forgets = forgets || jsonb_build_array(
    jsonb_build_object('at', w.at, 'stems', w.stems, 'cleared', true)
) from {_wishes(":user")} w where users.id = :user and {_ID} = :topic
""")  # noqa: S608 (the expressions are ours)
_KEEP = sa.text("""
update users u set forgets = u.forgets || (
    select jsonb_agg(jsonb_build_object(
        'at', c.started_at, 'stems', wished, 'wished_at', d.forgets_at -> cast(number - 1 as int)
    ))
    from jsonb_array_elements(d.forgets) with ordinality as one (wished, number)
) from digests d join conversations c on c.id = d.conversation_id
where d.conversation_id = :conversation and d.user_id = u.id and d.forgets <> '[]'
""")


async def topics(connection: AsyncConnection, user_id: str) -> tuple[ForgottenTopic, ...]:
    return _decoder.decode((await connection.execute(_OF, {"user": user_id})).scalar_one())


async def page(
    connection: AsyncConnection, user_id: str, *, after: str = "", limit: int = 50
) -> Sequence[Topic]:
    found = await connection.execute(_PAGE, {"user": user_id, "after": after, "limit": limit})
    return [Topic(**row) for row in found.mappings()]


async def clear(connection: AsyncConnection, user_id: str, topic: str) -> None:
    """Let what a topic held back be told again. Raises NotFound for one that the user has not."""
    cleared = await connection.execute(_CLEAR, {"user": user_id, "topic": topic})
    if not cleared.rowcount:
        raise NotFound(f"User {user_id} has no forgotten topic {topic}.")


async def keep_with_user(connection: AsyncConnection, conversation_id: int) -> None:
    """Keep with the user what a conversation asks to have forgotten. Before it is erased."""
    await connection.execute(_KEEP, {"conversation": conversation_id})
