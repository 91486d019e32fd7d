"""Long timelines get an HNSW index each: what is found stays right whatever is said, moved or erased meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import asyncpg
import numpy as np
import pytest
import sqlalchemy as sa
from pretend.trouble import until
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.jobs import vector_indexes as vector_indexes_job
from voice_server.jobs.vector_indexes import Due, VectorIndexes, due
from voice_server.store import conversations, nearest, session, vectors
from voice_server.store.nearest import Near
from voice_server.store.vector_indexes import Index, are_possible
from voice_server.store.vectors import MESSAGE, WINDOW, Embedded, Vector

ADA, GRACE, AGENT, MODEL = "ada", "grace", "agent_1", "openai:small"
LENGTH, CALL, LEAST = 64, 20, 500
_PEOPLE = (
    "insert into agents (id, platform) values (:agent, 'p')",
    "insert into users (id) values (:ada), (:grace)",
    """insert into conversations (id, platform, platform_id, agent_id, user_id, channel, outcome, started_at, ended_at)
    select n, 'p', n, :agent, case when n < 100 then :ada else :grace end, 'voice', 'talked', now(), now()
    from generate_series(1, 200) n""",
)
_INDEXES = "select relname::text from pg_class where relname like 'vector\\_codes\\_hnsw\\_%' order by 1"
_SCANS = """
select coalesce(sum(idx_scan), 0) from pg_stat_user_indexes where indexrelname like 'vector\\_codes\\_hnsw\\_%'
"""


class Talk:
    """What Ada said in calls 1 to 99, and Grace in those after, as vectors of some hundred subjects."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._random = np.random.default_rng(7)
        self._subjects = self._random.normal(size=(100, LENGTH)).astype(np.float32)

    def some(self, count: int) -> list[Vector]:
        """So many vectors, each near some subject."""
        made = self._subjects[self._random.integers(0, 100, count)]
        made = made + 0.7 * self._random.normal(size=made.shape).astype(np.float32)
        return list(made / np.linalg.norm(made, axis=1, keepdims=True))

    async def say(self, ids: Sequence[int], model: str = MODEL) -> None:
        """Calls with vectors of all their messages, and of two windows."""
        async with self.engine.begin() as connection:
            for id_ in ids:
                whose = ADA if id_ < 100 else GRACE
                kept = [Embedded(MESSAGE, at, at, one) for at, one in enumerate(self.some(CALL))]
                kept += [Embedded(WINDOW, 10 * at, 10 * at + 9, one) for at, one in enumerate(self.some(2))]
                await vectors.save(connection, id_, whose, AGENT, model, kept, until=CALL - 1)

    async def add(self, id_: int, position: int, vector: Vector) -> None:
        """One message more in a call."""
        async with self.engine.begin() as connection:
            kept = [Embedded(MESSAGE, position, position, vector)]
            await vectors.extend(connection, id_, kept, gone=[], until=position)

    async def near(self, vector: Vector, limit: int = 10, user: str = ADA) -> list[Near]:
        """The nearest messages."""
        async with session.single_statements(self.engine).connect() as connection:
            space = await nearest.space(connection, user, AGENT, MODEL, LENGTH)
            return await nearest.messages(connection, space, vector, limit)

    async def windows(self, vector: Vector, limit: int = 10) -> list[Near]:
        """The nearest windows."""
        async with session.single_statements(self.engine).connect() as connection:
            space = await nearest.space(connection, ADA, AGENT, MODEL, LENGTH)
            return await nearest.windows(connection, space, vector, limit)

    async def wake(self, model: str = MODEL, most: int = 10) -> None:
        """The job's turn."""
        await VectorIndexes(self.engine, model, least=LEAST, most=most).wake()

    async def is_making(self) -> bool:
        """Whether Postgres is at it."""
        making = "select count(*) from pg_stat_progress_create_index where datname = current_database()"
        return await self.value(making) > 0

    async def indexed(self) -> int:
        """Calls in an index."""
        return int(await self.value("select count(*) from embeddings where index_id is not null"))

    async def indexes(self) -> list[str]:
        """The names of those in Postgres."""
        return [str(row[0]) for row in await self.rows(_INDEXES)]

    async def value(self, statement: str) -> int:
        """The first value of the first row."""
        return int((await self.rows(statement))[0][0])

    async def rows(self, statement: str) -> Sequence[sa.Row[Any]]:
        """What a statement returns, if it returns rows."""
        async with self.engine.begin() as connection:
            result = await connection.execute(sa.text(statement.replace(":", "\\:")))
            return result.all() if result.returns_rows else []


@pytest.fixture
async def talk(database_url: str) -> AsyncIterator[Talk]:
    """Ada has had 40 calls, Grace 10."""
    engine = session.connect(database_url, 5)
    async with engine.begin() as connection:
        for statement in _PEOPLE:
            await connection.execute(sa.text(statement), {"ada": ADA, "grace": GRACE, "agent": AGENT})
    made = Talk(engine)
    await made.say([*range(1, 41), *range(100, 110)])
    yield made
    await engine.dispose()


@pytest.fixture
async def long(talk: Talk) -> Talk:
    """Ada's talk has its index."""
    await talk.wake()
    return talk


async def test_a_long_timeline_gets_an_index_for_messages_and_one_for_windows(long: Talk) -> None:
    assert await long.indexes() == ["vector_codes_hnsw_1_message", "vector_codes_hnsw_1_window"]
    assert await long.indexed() == 40


async def test_the_index_is_what_is_searched(long: Talk) -> None:
    async with session.single_statements(long.engine).connect() as connection:
        space = await nearest.space(connection, ADA, AGENT, MODEL, LENGTH)
        await nearest.messages(connection, space, long.some(1)[0], 10)
        await connection.execute(sa.text("select pg_stat_force_next_flush()"))

    assert await long.value(_SCANS) > 0


async def test_by_the_index_the_ten_nearest_are_found_as_without_it(talk: Talk) -> None:
    asked = talk.some(20)
    scanned = [set(await talk.near(one)) for one in asked]
    windows = [set(await talk.windows(one)) for one in asked]

    await talk.wake()

    by_index = [set(await talk.near(one)) for one in asked]
    shared = sum(len(one & other) for one, other in zip(scanned, by_index, strict=True))
    assert shared >= 190  # of 200; which links HNSW makes is chance
    by_index = [set(await talk.windows(one)) for one in asked]
    assert sum(len(one & other) for one, other in zip(windows, by_index, strict=True)) >= 190


async def test_as_many_are_found_as_are_asked_for(long: Talk) -> None:
    assert len(await long.near(long.some(1)[0], 250)) == 250


async def test_what_others_say_is_not_found(long: Talk) -> None:
    [asked] = long.some(1)
    before = await long.near(asked, 50)

    await long.add(100, CALL, asked)

    assert await long.near(asked, 50) == before


async def test_what_is_said_after_it_was_made_is_found_at_once(long: Talk) -> None:
    new, later = long.some(2)
    await long.say([50])
    await long.add(50, CALL, new)
    await long.add(1, CALL, later)

    [found, *_] = await long.near(new)
    assert (found.conversation_id, found.position) == (50, CALL)
    [found, *_] = await long.near(later)
    assert (found.conversation_id, found.position) == (1, CALL)


async def test_a_call_that_goes_on_is_scanned_until_it_is_taken_up_again(long: Talk) -> None:
    [later] = long.some(1)
    await long.add(1, CALL, later)
    assert await long.indexed() == 39
    found = await long.near(later, 800)
    assert len({(one.conversation_id, one.position) for one in found}) == len(found)

    await long.say(range(41, 66))
    await long.wake()

    assert await long.indexed() == 65
    [best, *_] = await long.near(later)
    assert (best.conversation_id, best.position) == (1, CALL)


async def test_much_that_is_said_since_is_taken_up(long: Talk) -> None:
    await long.say(range(41, 51))
    await long.wake()
    assert await long.indexed() == 40  # 200 messages: scanned

    await long.say(range(51, 66))
    await long.wake()

    assert await long.indexed() == 65


async def test_a_call_that_is_another_users_is_found_with_them_alone(long: Talk) -> None:
    [asked] = long.some(1)
    await long.add(1, CALL, asked)

    async with long.engine.begin() as connection:
        for id_ in (1, 2):
            await conversations.move(connection, id_, GRACE)

    assert all(one.conversation_id > 2 for one in await long.near(asked, 50))
    [best, *_] = await long.near(asked, user=GRACE)
    assert (best.conversation_id, best.position) == (1, CALL)

    await long.wake()

    assert await long.value("select count(*) from vector_places where conversation_id < 3") == 0
    [best, *_] = await long.near(asked, user=GRACE)
    assert best.conversation_id == 1


async def test_two_long_timelines_have_an_index_each(long: Talk) -> None:
    [asked] = long.some(1)
    await long.say(range(110, 140))
    await long.add(120, CALL, asked)
    await long.wake()

    assert len(await long.indexes()) == 4
    [best, *_] = await long.near(asked, user=GRACE)
    assert (best.conversation_id, best.position) == (120, CALL)
    assert all(one.conversation_id < 100 for one in await long.near(asked, 50))


async def test_a_call_from_one_long_timeline_to_another_changes_its_index(long: Talk) -> None:
    await long.say(range(110, 140))
    await long.wake()
    async with long.engine.begin() as connection:
        for id_ in range(1, 3):
            await conversations.move(connection, id_, GRACE)

    await long.wake()
    assert (
        await long.value("select count(*) from embeddings where conversation_id < 3 and index_id is null")
        == 2
    )

    await long.say(range(140, 165))
    await long.wake()
    assert await long.value(
        "select count(*) from vector_places where conversation_id < 3 and index_id = 2"
    ) == 2 * (CALL + 2)


async def test_what_is_erased_or_told_anew_is_not_found(long: Talk) -> None:
    [asked] = long.some(1)
    await long.add(1, CALL, asked)
    await long.add(2, CALL, asked)

    async with long.engine.begin() as connection:
        await vectors.remove(connection, 1)
        await connection.execute(sa.text("delete from conversations where id = 2"))

    assert all(one.conversation_id > 2 for one in await long.near(asked, 50))


async def test_what_was_deleted_takes_no_room_among_what_is_found(long: Talk) -> None:
    await long.say(range(1, 36))  # all anew: what was there before is dead in the index

    assert len(await long.near(long.some(1)[0], 200)) == 200


async def test_a_timeline_that_is_short_again_loses_its_index(long: Talk) -> None:
    await long.rows("delete from conversations where id between 11 and 40")
    await long.wake()

    assert await long.indexes() == []
    assert len(await long.near(long.some(1)[0], 50)) == 50


async def test_vectors_of_another_model_end_an_index(long: Talk) -> None:
    await long.say(range(1, 41), "openai:large")
    await long.wake("openai:large")

    assert await long.indexes() == ["vector_codes_hnsw_2_message", "vector_codes_hnsw_2_window"]
    assert await long.near(long.some(1)[0]) == []


async def test_an_index_goes_with_its_user(long: Talk) -> None:
    await long.rows("delete from conversations where user_id = 'ada'")
    await long.rows("delete from users where id = 'ada'")
    await long.wake()

    assert await long.indexes() == []


async def test_an_index_that_was_cut_short_is_made_anew(talk: Talk) -> None:
    await talk.rows(
        f"insert into vector_indexes (user_id, agent_id, model, length) values ('ada', '{AGENT}', '{MODEL}', {LENGTH})"  # noqa: S608 (our own)
    )
    await talk.rows("insert into vector_codes values (1, 'message', 7, B'0'), (1, 'message', 8, B'1')")
    driver = await session.dial(talk.engine)
    with pytest.raises(asyncpg.UniqueViolationError):
        await driver.execute(
            "create unique index concurrently vector_codes_hnsw_1_message on vector_codes (kind)"
        )
    await driver.close()

    await talk.wake()

    broken = "select count(*) from pg_index where not indisvalid"
    assert await talk.value(broken) == 0
    assert await talk.value("select count(*) from vector_indexes where ready") == 1
    assert len(await talk.indexes()) == 2


async def test_a_worker_that_stops_while_one_is_made_leaves_it_to_the_next(talk: Talk) -> None:
    async with talk.engine.begin() as reader:  # what was begun before is waited for
        await reader.execute(sa.text("select count(*) from vector_codes"))
        waking = asyncio.create_task(talk.wake())
        await until(talk.is_making)
        waking.cancel()
        await asyncio.wait([waking])
    assert not await talk.value("select count(*) from vector_indexes where ready")

    await talk.wake()

    assert await talk.value("select count(*) from vector_indexes where ready") == 1
    assert await talk.value("select count(*) from pg_index where not indisvalid") == 0
    assert len(await talk.indexes()) == 2


async def test_workers_that_look_at_once_make_it_once(talk: Talk) -> None:
    await asyncio.gather(*(talk.wake() for _ in range(3)))

    assert len(await talk.indexes()) == 2
    assert await talk.value("select count(*) from vector_indexes where ready") == 1


async def test_beyond_the_most_indexes_there_may_be_a_timeline_is_scanned(long: Talk) -> None:
    await long.say(range(110, 140))
    await long.wake(most=1)

    assert len(await long.indexes()) == 2
    assert len(await long.near(long.some(1)[0], user=GRACE)) == 10


async def test_while_it_is_made_all_is_scanned(talk: Talk) -> None:
    [asked] = talk.some(1)
    scanned = await talk.near(asked, 50)

    await talk.rows(
        f"insert into vector_indexes (user_id, agent_id, model, length) values ('ada', '{AGENT}', '{MODEL}', {LENGTH})"  # noqa: S608 (our own)
    )
    await talk.rows("update embeddings set index_id = 1 where user_id = 'ada'")

    assert await talk.near(asked, 50) == scanned


async def test_without_pgvector_there_is_nothing_to_do(talk: Talk) -> None:
    await talk.rows("drop extension vector cascade")
    await talk.rows("drop table vectors, vector_codes, vector_places")

    await talk.wake()

    assert await talk.value("select count(*) from vector_indexes") == 0


async def test_what_is_said_a_thousand_times_leads_the_search_no_way_astray(talk: Talk) -> None:
    greeting, other = talk.some(2)
    async with talk.engine.begin() as connection:
        for id_ in range(1, 41):
            kept = [Embedded(MESSAGE, at, at, greeting if at % 2 else other) for at in range(50)]
            kept += [Embedded(MESSAGE, 50 + at, 50 + at, one) for at, one in enumerate(talk.some(20))]
            await vectors.save(connection, id_, ADA, AGENT, MODEL, kept, until=69)
    asked = [*talk.some(20), greeting]
    scanned = [[one.similarity for one in await talk.near(vector)] for vector in asked]

    await talk.wake()

    by_index = [[one.similarity for one in await talk.near(vector)] for vector in asked]
    missed = [one for one, other in zip(scanned, by_index, strict=True) if other[5:] < one[5:]]
    assert len(missed) <= 3
    assert len(by_index[-1]) == 10
    assert await talk.near(greeting, 200) != []
    copies = [one.conversation_id for one in await talk.near(greeting) if one.similarity > 0.99]
    assert copies == [40] * 10  # the newest of a thousand


async def test_of_copies_as_many_are_found_as_are_asked_for(talk: Talk) -> None:
    [greeting] = talk.some(1)
    async with talk.engine.begin() as connection:
        for id_ in range(1, 41):
            kept = [Embedded(MESSAGE, at, at, greeting) for at in range(20)]
            await vectors.save(connection, id_, ADA, AGENT, MODEL, kept, until=19)
    await talk.wake()

    assert await talk.value("select count(*) from vector_codes") == 1
    assert len(await talk.near(greeting, 300)) == 300


async def test_a_long_chat_is_taken_up_a_few_hundred_messages_at_a_time(
    long: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes_job, "_MESSAGES", 100)
    async with long.engine.begin() as connection:
        kept = [Embedded(MESSAGE, at, at, one) for at, one in enumerate(long.some(650))]
        await vectors.save(connection, 50, ADA, AGENT, MODEL, kept, until=649)

    await long.wake()

    assert await long.indexed() == 41
    assert await long.value("select count(*) from vector_places where conversation_id = 50") == 650


async def test_what_moved_away_takes_no_room_among_what_is_found(long: Talk) -> None:
    await long.say(range(41, 61))
    async with long.engine.begin() as connection:
        for id_ in range(5, 41):
            await conversations.move(connection, id_, GRACE)

    assert len(await long.near(long.some(1)[0], 600)) == (4 + 20) * CALL

    await long.say(range(61, 80))
    await long.wake()

    assert len(await long.near(long.some(1)[0], 400)) == 400
    away = "select count(*) from vector_places where index_id = 1 and conversation_id between 5 and 40"
    assert await long.value(away) == 0


async def test_what_is_gone_or_moved_away_is_no_candidate(long: Talk) -> None:
    [asked] = long.some(1)
    async with long.engine.begin() as connection:
        kept = [Embedded(MESSAGE, at, at, one) for at, one in enumerate([asked, *long.some(5)])]
        await vectors.save(connection, 99, ADA, AGENT, MODEL, kept, until=5)
    near = await long.near(asked, 800)
    gone = {one.conversation_id for one in near} - {near[-1].conversation_id, 99}
    away = [id_ for id_ in gone if id_ % 2]
    for id_ in away:
        await long.add(id_, CALL, long.some(1)[0])  # is scanned, while its places are in the index
    async with long.engine.begin() as connection:
        for id_ in gone:
            if id_ in away:
                await conversations.move(connection, id_, GRACE)
            else:
                await vectors.remove(connection, id_)
    await long.rows("update vector_indexes set ready = true")  # as if all this came while it was made

    assert len(await long.near(asked, 100)) == CALL + 6


async def test_codes_go_with_the_last_that_had_them(long: Talk) -> None:
    before = await long.value("select count(*) from vector_codes where index_id = 1")
    await long.rows("delete from conversations where id between 1 and 10")
    await long.say(range(41, 66))
    await long.wake()

    after = await long.value("select count(*) from vector_codes where index_id = 1")
    assert after == before + 15 * (CALL + 2)


async def test_an_index_that_somebody_dropped_is_made_anew(long: Talk) -> None:
    await long.rows("drop index vector_codes_hnsw_1_message")

    await long.wake()

    assert len(await long.indexes()) == 2


async def test_an_index_that_cannot_be_made_holds_up_no_other(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    await talk.say(range(110, 140))
    await talk.rows("create table vector_codes_hnsw_1_message (of text)")

    await talk.wake()

    assert await talk.value("select count(*) from vector_indexes where ready") == 1
    assert "vector index 1 has to wait" in caplog.text


async def test_indexes_of_an_old_model_leave_their_place_to_others_at_once(long: Talk) -> None:
    await long.say(range(1, 41), "openai:large")

    await long.wake("openai:large", most=1)

    assert await long.indexes() == ["vector_codes_hnsw_2_message", "vector_codes_hnsw_2_window"]


async def test_where_not_all_may_have_one_the_longest_has(talk: Talk) -> None:
    await talk.say(range(110, 170))

    await talk.wake(most=1)

    assert await talk.rows("select user_id from vector_indexes") == [(GRACE,)]


async def test_talk_with_another_agent_is_another_timeline(long: Talk) -> None:
    [asked] = long.some(1)
    await long.rows("insert into agents (id, platform) values ('agent_2', 'p')")
    await long.add(1, CALL, asked)
    await long.rows("update embeddings set agent_id = 'agent_2' where conversation_id between 1 and 10")

    assert all(one.conversation_id > 10 for one in await long.near(asked, 100))

    await long.rows("update vector_indexes set ready = false")
    await long.wake()

    assert await long.value("select count(*) from vector_indexes where ready") == 1
    assert await long.indexed() == 30
    assert all(one.conversation_id > 10 for one in await long.near(asked, 100))


def test_pgvector_keeps_them_from_0_8_on() -> None:
    assert are_possible("0.8.5")
    assert are_possible("1.0")
    assert not are_possible("0.7.4")


@pytest.mark.parametrize(
    ("ready", "messages", "outside", "what"),
    [
        (False, 30_000, 30_000, Due.MAKE),
        (True, 30_000, 0, Due.NOTHING),
        (True, 30_000, 999, Due.NOTHING),
        (True, 30_000, 1_000, Due.PUT_RIGHT),
        (True, 10_000, 0, Due.NOTHING),
        (True, 9_999, 0, Due.DROP),
        (False, 9_999, 0, Due.DROP),
    ],
)
def test_what_is_due_hangs_on_how_much_is_there(
    *, ready: bool, messages: int, outside: int, what: Due
) -> None:
    index = Index(1, ADA, AGENT, MODEL, 384, ready, messages, outside)

    assert due(index, MODEL, 20_000) is what
    assert due(index, "openai:large", 20_000) is Due.DROP
