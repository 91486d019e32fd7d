"""What users asked to have forgotten by its name: kept with the digest of the conversation that asks for it, and with
the user once that conversation is erased."""

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.memory import Forgotten

_decoder = msgspec.json.Decoder(tuple[Forgotten, ...])


def topics_of(user: str) -> str:
    """The SQL of a JSON array of all topics of a user; `user` is an expression for the id."""
    return f"""(
        select coalesce(json_agg(topic), '[]') from (
            select jsonb_build_object('at', c.started_at, 'stems', wished) as topic
            from digests d join conversations c on c.id = d.conversation_id, jsonb_array_elements(d.forgets) as one (wished)
            where d.user_id = {user} and d.forgets <> '[]'
            union all
            select jsonb_array_elements(kept.forgets) from users kept where kept.id = {user}
        ) wishes
    )"""  # noqa: S608 (the expression is ours)


_OF = sa.text(f"select {topics_of(':user')}::text")
_KEEP = sa.text("""
update users u set forgets = u.forgets || (
    select jsonb_agg(jsonb_build_object('at', c.started_at, 'stems', wished)) from jsonb_array_elements(d.forgets) as one (wished)
) from digests d join conversations c on c.id = d.conversation_id
where d.conversation_id = :conversation and d.user_id = u.id and d.forgets <> '[]'
""")


async def topics(connection: AsyncConnection, user_id: str) -> tuple[Forgotten, ...]:
    """All that a user asked to have forgotten by its name."""
    return _decoder.decode((await connection.execute(_OF, {"user": user_id})).scalar_one())


async def keep_with_user(connection: AsyncConnection, conversation_id: int) -> None:
    """Keep with the user what a conversation asks to have forgotten, before it is erased."""
    await connection.execute(_KEEP, {"conversation": conversation_id})
