"""Vectors in pgvector: the nearest are found, of one user and agent alone, and where there is no pgvector we
start."""

import uuid
from collections.abc import AsyncIterator

import asyncpg
import numpy as np
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from voice_server.embedded.services import EmbeddedServices
from voice_server.errors import ConfigurationError
from voice_server.store import session
from voice_server.store.conversations import conversations
from voice_server.store.migrate import migrate
from voice_server.store.search import nearest, vectors
from voice_server.store.search.nearest import Neighbour, Space
from voice_server.store.search.vectors import MESSAGE, WINDOW, EmbeddedSpan, Place, StoredVectors, Vector

ADA, GRACE, AGENT, MODEL = "ada", "grace", "agent_1", "openai:small"
LENGTH = 48
_PEOPLE = (
    "insert into agents (id, platform) values (:agent, 'p'), ('agent_2', 'p')",
    "insert into users (id) values (:ada), (:grace)",
    """insert into conversations
        (id, platform, platform_id, agent_id, user_id, channel, outcome, started_at, ended_at)
    select n, 'p', n, :agent, case when n % 2 = 0 then :ada else :grace end, 'voice', 'talked', now(), now()
    from generate_series(1, 40) n""",
)


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[AsyncConnection]:
    """A database in which Ada and Grace had calls 1 to 40 in turns."""
    engine = session.connect(database_url, 2)
    async with engine.begin() as opened:
        await _people(opened)
        yield opened
    await engine.dispose()


async def _people(connection: AsyncConnection) -> None:
    for statement in _PEOPLE:
        await connection.execute(sa.text(statement), {"ada": ADA, "grace": GRACE, "agent": AGENT})


def some(seed: int, count: int) -> list[Vector]:
    """Directions by chance."""
    made = np.random.default_rng(seed).normal(size=(count, LENGTH)).astype(np.float32)
    return [one / np.linalg.norm(one) for one in made]


async def keep(
    connection: AsyncConnection,
    conversation_id: int,
    made: list[Vector],
    user: str = ADA,
    kind: str = MESSAGE,
) -> None:
    kept = [EmbeddedSpan(kind, n, n + 1, vector) for n, vector in enumerate(made)]
    await vectors.save(connection, conversation_id, user, AGENT, MODEL, kept, until=len(made) - 1)


async def near(
    connection: AsyncConnection,
    vector: Vector,
    limit: int,
    *,
    user: str = ADA,
    agent: str = AGENT,
    model: str = MODEL,
) -> list[Neighbour]:
    space = Space(user, agent, model, len(vector))
    return await nearest.messages(connection, space, vector, limit)


async def near_windows(connection: AsyncConnection, vector: Vector) -> list[Neighbour]:
    space = Space(ADA, AGENT, MODEL, len(vector))
    return await nearest.windows(connection, space, vector, 10)


async def test_the_nearest_are_those_with_the_greatest_product(connection: AsyncConnection) -> None:
    made = {n: some(n, 100) for n in range(2, 41, 2)}
    for conversation_id, theirs in made.items():
        await keep(connection, conversation_id, theirs)
    [asked] = some(99, 1)

    found = await near(connection, asked, 10)

    products = {(n, p): float(one @ asked) for n, theirs in made.items() for p, one in enumerate(theirs)}
    expected = sorted(products, key=lambda key: -products[key])[:10]
    assert [(one.conversation_id, one.position) for one in found] == expected
    assert [one.similarity for one in found] == pytest.approx([products[key] for key in expected], abs=2e-3)


async def test_a_limit_of_all_finds_all(connection: AsyncConnection) -> None:
    for conversation_id in range(2, 41, 2):
        await keep(connection, conversation_id, some(conversation_id, 100))

    found = await near(connection, some(99, 1)[0], 10_000)

    assert len({(one.conversation_id, one.position) for one in found}) == len(found) == 2000


async def test_other_users_agents_models_and_kinds_are_not_there(connection: AsyncConnection) -> None:
    [asked] = some(1, 1)
    await keep(connection, 1, [asked], user=GRACE)
    await keep(connection, 2, [asked], kind=WINDOW)

    assert await near(connection, asked, 10) == []
    assert await near(connection, asked, 10, user=GRACE, agent="agent_2") == []
    assert await near(connection, asked, 10, user=GRACE, model="openai:large") == []
    [window] = await near_windows(connection, asked)
    assert (window.conversation_id, window.position) == (2, 0)


async def test_many_others_change_nothing_of_what_is_found(connection: AsyncConnection) -> None:
    await keep(connection, 2, some(2, 100))
    [asked] = some(99, 1)
    before = await near(connection, asked, 20)

    for conversation_id in range(1, 40, 2):
        await keep(connection, conversation_id, [asked] * 100, user=GRACE)

    assert await near(connection, asked, 20) == before


async def test_of_what_is_said_a_thousand_times_the_newest_is_found(connection: AsyncConnection) -> None:
    greeting, other = some(1, 2)
    for conversation_id in (2, 4, 6):
        await keep(connection, conversation_id, [other, *[greeting] * 400])

    found = await near(connection, greeting, 3)

    assert [(one.conversation_id, one.position) for one in found] == [(6, 400), (6, 399), (6, 398)]


async def test_a_call_that_turns_out_to_be_anothers_is_found_with_them_alone(
    connection: AsyncConnection,
) -> None:
    [asked] = some(1, 1)
    await keep(connection, 2, [asked])
    await keep(connection, 4, some(4, 3))

    await conversations.move(connection, 2, GRACE)

    assert {one.conversation_id for one in await near(connection, asked, 10)} == {4}
    assert [one.conversation_id for one in await near(connection, asked, 10, user=GRACE)] == [2]


async def test_a_vector_of_another_length_is_no_error(connection: AsyncConnection) -> None:
    await keep(connection, 2, some(2, 3))

    assert await near(connection, np.ones(7, np.float32), 10) == []


async def test_more_vectors_than_fit_one_statement_are_kept(connection: AsyncConnection) -> None:
    await keep(connection, 2, some(2, 1201))

    assert len(await near(connection, some(1, 1)[0], 5000)) == 1201


async def test_what_is_said_later_is_found_beside_what_there_was(connection: AsyncConnection) -> None:
    first, second, third = some(1, 3)
    await keep(connection, 2, [first, second])

    await vectors.extend(connection, 2, [EmbeddedSpan(MESSAGE, 7, 7, third)], gone=[], until=7)

    found = await near(connection, third, 10)
    assert found[0].position == 7
    assert {one.position for one in found} == {0, 1, 7}


async def test_a_window_that_is_gone_makes_room_for_one_that_begins_as_it_did(
    connection: AsyncConnection,
) -> None:
    old, new = some(1, 2)
    await keep(connection, 2, [old], kind=WINDOW)

    await vectors.extend(
        connection, 2, [EmbeddedSpan(WINDOW, 0, 5, new)], gone=[Place(WINDOW, 0, 1)], until=5
    )

    [window] = await near_windows(connection, new)
    assert window.position == 0
    assert window.similarity == pytest.approx(1, abs=2e-3)


async def test_what_has_vectors_is_known_by_model_and_length(connection: AsyncConnection) -> None:
    [one] = some(1, 1)
    kept = [EmbeddedSpan(MESSAGE, 3, 3, one), EmbeddedSpan(WINDOW, 3, 5, one)]
    await vectors.save(connection, 2, ADA, AGENT, MODEL, kept, until=6)

    whole = StoredVectors(6, frozenset([Place(MESSAGE, 3, 3), Place(WINDOW, 3, 5)]))
    assert await vectors.stored(connection, 2, MODEL, LENGTH) == whole
    assert await vectors.stored(connection, 2, MODEL, 0) == whole
    assert await vectors.stored(connection, 2, MODEL, LENGTH + 1) is None
    assert await vectors.stored(connection, 2, "openai:large", 0) is None
    assert await vectors.stored(connection, 4, MODEL, 0) is None


async def test_asking_in_vain_leaves_the_vectors_of_the_same_model_alone(connection: AsyncConnection) -> None:
    await keep(connection, 2, some(1, 1))

    await vectors.count_try(connection, 2, ADA, AGENT, MODEL)
    assert await vectors.is_complete(connection, 2, MODEL)

    await vectors.count_try(connection, 2, ADA, AGENT, "openai:large")
    assert not await vectors.is_complete(connection, 2, "openai:large")


async def test_erasing_a_conversation_erases_its_vectors(connection: AsyncConnection) -> None:
    await keep(connection, 2, some(2, 3))
    await keep(connection, 4, some(4, 3))

    await connection.execute(sa.text("delete from conversations where id = 2"))

    for table in ("vectors", "embeddings"):
        rows = await connection.execute(sa.text(f"select distinct conversation_id from {table}"))  # noqa: S608 (our own)
        assert list(rows.scalars()) == [4]


async def test_what_has_no_vectors_of_a_model_awaits_them_the_latest_first(
    connection: AsyncConnection,
) -> None:
    for conversation_id in range(5, 41):
        await keep(connection, conversation_id, some(1, 1), user=GRACE if conversation_id % 2 else ADA)
    await vectors.count_try(connection, 4, ADA, AGENT, MODEL)
    await connection.execute(sa.text("update conversations set outcome = 'short' where id = 2"))

    assert await vectors.awaiting(connection, MODEL, 12, 10, page=100) == ([4, 3, 1], 0)
    assert await vectors.awaiting(connection, MODEL, 1, 10, page=100) == ([3, 1], 0)
    assert len((await vectors.awaiting(connection, "openai:large", 12, 100, page=100))[0]) == 39


async def test_conversations_that_await_vectors_are_found_page_by_page(connection: AsyncConnection) -> None:
    await keep(connection, 40, some(1, 1))

    assert await vectors.awaiting(connection, MODEL, 12, 10, page=3) == ([39, 38], 38)
    assert await vectors.awaiting(connection, MODEL, 12, 10, below=38, page=3) == ([37, 36, 35], 35)


async def test_a_page_of_which_more_await_vectors_than_wanted_is_gone_on_with(
    connection: AsyncConnection,
) -> None:
    assert await vectors.awaiting(connection, MODEL, 12, 2, page=10) == ([40, 39], 39)


async def test_what_goes_on_awaits_vectors_again(connection: AsyncConnection) -> None:
    await keep(connection, 2, some(1, 2))
    written = """
    insert into messages (conversation_id, position, role, content, said_at)
    values (2, :position, 'user', 'Hello', now())"""

    complete = []
    for position in range(3):
        await connection.execute(sa.text(written), {"position": position})
        complete.append(await vectors.is_complete(connection, 2, MODEL))

    assert complete == [True, True, False]
    found, _ = await vectors.awaiting(connection, MODEL, 12, 100, page=100)
    assert 2 in found


@pytest.fixture
async def poor(services: EmbeddedServices) -> AsyncIterator[tuple[str, AsyncEngine]]:
    """An empty database for a user who may install no extensions, as if there were no pgvector; and one who
    may."""
    name = f"test_{uuid.uuid4().hex}"
    owner = services.database_url.replace("+asyncpg", "")
    connection = await asyncpg.connect(owner)
    await connection.execute(f"create database {name} template template0")
    await connection.execute(f"create role {name} login password 'poor'")
    rich = create_async_engine(services.database_url.replace("@/app", f"@/{name}"))
    async with rich.begin() as inside:
        await inside.execute(sa.text(f"grant create on schema public to {name}"))
    yield str(rich.url.set(username=name, password="poor").render_as_string(hide_password=False)), rich
    await rich.dispose()
    await connection.execute(f"drop database {name} with (force)")
    await connection.execute(f"drop role {name}")
    await connection.close()


async def test_without_pgvector_the_database_is_migrated_all_the_same(poor: tuple[str, AsyncEngine]) -> None:
    url, rich = poor

    assert await migrate(url)

    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await _people(connection)
        await vectors.remove(connection, 1)
        with pytest.raises(ConfigurationError, match="needs pgvector"):
            await vectors.prepare(connection)
    async with rich.begin() as connection:
        await connection.execute(sa.text("create extension vector"))
    async with engine.begin() as connection:
        await vectors.prepare(connection)
        await vectors.prepare(connection)
        await keep(connection, 2, some(2, 3))
    await engine.dispose()
