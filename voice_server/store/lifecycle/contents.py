"""The database as a whole: how much is in it, whether it is in use, and how its empty tables go."""

from collections.abc import Sequence

import sqlalchemy as sa
from msgspec import Struct
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.tables import metadata

_TELLING = ("users", "addresses", "conversations", "webhook_events", "erasures", "erased_users")
# Tables of earlier releases: a database may be of one, and so may the file that takes its place.
_FORMER = ("vector_codes", "vector_indexes", "vector_places")
_COUNT = sa.text(
    "select (select count(*) from users where merged_into is null), (select count(*) from conversations)"
)
_THERE = sa.text("select to_regclass(:name) is not null")
# Autovacuum has no user; others have one, and may be seen, whatever rights we have.
_OTHERS = sa.text("""
select count(*) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and usename is not null
""")
_REMOVE_FUNCTIONS = "drop function if exists pgqueuer_log_leaves_out(), text_grams(text) cascade;"
_REFUSE = """
do $$ begin
  if %s then raise exception 'the database has got users or events meanwhile'; end if;
end $$;
"""


class Contents(Struct, frozen=True):
    """How many users, merged ones apart, and conversations there are."""

    users: int
    conversations: int

    def __str__(self) -> str:
        return f"{_several(self.users, 'user')} and {_several(self.conversations, 'conversation')}"


async def count(connection: AsyncConnection) -> Contents:
    users, conversations = (await connection.execute(_COUNT)).one()
    return Contents(users, conversations)


async def has_tables(connection: AsyncConnection) -> bool:
    return await _is_there(connection, "alembic_version")


async def knows_anybody(connection: AsyncConnection) -> bool:
    """Tell whether there is a user, a conversation or an event: what a start alone does not make."""
    for name in _TELLING:
        if not await _is_there(connection, name):
            continue
        if (await connection.execute(sa.select(sa.exists(metadata.tables[name].select())))).scalar():
            return True
    return False


async def count_others(connection: AsyncConnection) -> int:
    # What was seen before in this transaction goes.
    await connection.execute(sa.text("select pg_stat_clear_snapshot()"))
    return int((await connection.execute(_OTHERS)).scalar_one())


async def removal(connection: AsyncConnection) -> str:
    """Return the script that drops our tables and the queue's, with all that is in them; nobody else's, no
    extension. It fails when somebody is known by then."""
    telling = [name for name in _TELLING if await _is_there(connection, name)]
    names = ", ".join(sorted({"alembic_version", *metadata.tables, *_FORMER}))
    has_queue = await _is_there(connection, "pgqueuer")
    queue = QueryBuilderEnvironment().build_uninstall_query() if has_queue else ""
    tables = f"drop table if exists {names} cascade;\n{queue}\n{_REMOVE_FUNCTIONS}\n"
    return f"{_refusal(telling) if telling else ''}{tables}"


def _refusal(telling: Sequence[str]) -> str:
    known = " or ".join(f"exists (table {name})" for name in telling)
    return f"lock table {', '.join(telling)};\n{_REFUSE % known}"


def _several(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


async def _is_there(connection: AsyncConnection, name: str) -> bool:
    return bool((await connection.execute(_THERE, {"name": name})).scalar())
