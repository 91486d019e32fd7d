"""What was said gets its vectors, when there is an embedder, whatever happens in between: over real HTTP and
Postgres."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from conftest import House
from pretend import embedder as pretend
from pretend.elevenlabs import ADA, AGENT, GRACE, Event, ended_call
from pretend.embedder import PretendEmbedder
from pretend.trouble import until

from voice_server import worker
from voice_server.errors import ConfigurationError
from voice_server.jobs import embed
from voice_server.operations.people import merging
from voice_server.queue import queue
from voice_server.settings import Settings
from voice_server.store.search import nearest
from voice_server.store.search.nearest import Neighbour, Space
from voice_server.worker import Worker

OpenHouse = Callable[[Settings], Awaitable[House]]

SAID = (
    "agent: Hello, what can I do for you?",
    "user: I moved to Lisbon last month.",
    "agent: How nice, I hope that you like it there.",
    "user: The bakery around the corner sells wonderful custard tarts.",
)
STORED = [("message", 0), ("message", 1), ("message", 2), ("message", 3), ("window", 0)]
MODEL = "openai:pretend"


@pytest.fixture
def given(settings: Settings, embedder: PretendEmbedder, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings with an embedder; what fails is tried again soon."""
    monkeypatch.setattr(queue, "_FIRST_PAUSE", timedelta(milliseconds=5))
    more = {"embedding_model": MODEL, "embedding_base_url": embedder.url, "embedding_timeout_seconds": 20.0}
    return settings.model_copy(update=more)


@pytest.fixture
def open_with(open_house: Callable[[Settings], House], embedder: PretendEmbedder) -> OpenHouse:
    """Opens a house in which nothing was asked of the embedder but by jobs."""

    async def opened(settings: Settings) -> House:
        asked = len(embedder.asked)
        house = open_house(settings)
        if settings.embedding_model:  # the web process makes itself ready for queries
            await until(lambda: len(embedder.asked) > asked)
            del embedder.asked[asked:]
        return house

    return opened


@pytest.fixture
async def house(open_with: OpenHouse, given: Settings) -> House:
    return await open_with(given)


def call(house: House, conversation: str = "conv_1", said: tuple[str, ...] = SAID, **more: Any) -> Event:
    return ended_call(conversation, said, ended=house.clock(), **more)


async def hear(house: House, *events: Event) -> None:
    for event in events:
        house.platform.post_call(event)
    await house.work()


async def stored(house: House) -> list[tuple[object, ...]]:
    return await house.query("select kind, first_position from vectors order by conversation_id, 1, 2")


async def counted(house: House) -> int:
    return len(await stored(house))


async def find(
    house: House, text: str, caller: str = ADA, model: str = MODEL, *, windows: bool = False
) -> list[Neighbour]:
    vector = np.array(pretend.hashed(text), dtype=np.float32)
    vector /= np.linalg.norm(vector)
    [(user_id,)] = await house.query("select user_id from addresses where address = $1", f"tel:{caller}")
    search = nearest.windows if windows else nearest.messages
    async with house.worker.engine.connect() as connection:
        space = Space(user_id, AGENT, model, len(vector))
        return await search(connection, space, vector, 10)


async def wake(house: House) -> None:
    """The upkeep's turn, and what follows from it."""
    assert house.worker.embed
    await house.worker.embed.wake()
    await house.work()


async def test_a_finished_call_has_a_vector_for_every_turn_and_for_windows(house: House) -> None:
    await hear(house, call(house))

    assert await stored(house) == STORED
    [best, *others] = await find(house, "custard tarts from the bakery")
    assert (best.position, len(others)) == (3, 3)
    [window] = await find(house, "Lisbon", windows=True)
    assert window.position == 0


async def test_without_an_embedder_nothing_is_embedded(open_with: OpenHouse, settings: Settings) -> None:
    house = await open_with(settings)

    await hear(house, call(house))

    assert await counted(house) == 0
    assert await house.query("select 1 from pgqueuer where entrypoint = 'embed'") == []


async def test_turns_are_sent_clean_and_in_batches(
    open_with: OpenHouse, given: Settings, embedder: PretendEmbedder
) -> None:
    house = await open_with(given.model_copy(update={"embedding_batch": 3}))

    await hear(house, call(house))

    assert embedder.read[:4] == [line.partition(": ")[2] for line in SAID]
    assert [len(each["input"]) for each in embedder.asked] == [3, 2]


async def test_what_is_done_is_not_done_again(house: House, embedder: PretendEmbedder) -> None:
    await hear(house, call(house))
    asked = len(embedder.asked)
    [(conversation_id,)] = await house.query("select id from conversations")

    assert house.worker.embed
    await house.worker.embed.run({"conversation_id": conversation_id})
    await wake(house)

    assert len(embedder.asked) == asked
    assert await stored(house) == STORED


async def test_what_is_not_to_be_remembered_is_never_sent(house: House, embedder: PretendEmbedder) -> None:
    secret = (
        "user: Off the record: I am going to quit my job at the harbour office next month.",
        "agent: I see.",
        "user: Now to the cake.",
    )

    await hear(house, call(house, said=(*SAID, *secret)))

    assert not [text for text in embedder.read if "quit" in text]
    assert ("message", 6) in await stored(house)


async def test_a_call_nobody_may_remember_has_no_vectors(house: House, embedder: PretendEmbedder) -> None:
    await hear(house, call(house, said=(*SAID, "user: Please forget this whole conversation.")))

    assert embedder.asked == []
    await wake(house)
    assert embedder.asked == []


async def test_a_call_told_anew_is_embedded_anew(house: House) -> None:
    await hear(house, call(house))
    house.clock.now += 10

    await hear(house, call(house, said=SAID[:2]))

    assert await stored(house) == [("message", 0), ("message", 1), ("window", 0)]


WRITTEN = """
insert into messages (conversation_id, position, role, content, said_at)
select id, $1, $2, $3, ended_at from conversations
"""


async def write(house: House, position: int, role: str, text: str) -> None:
    """A chat that was embedded goes on."""
    await house.query(WRITTEN, position, role, text)
    await wake(house)


async def test_a_chat_that_goes_on_is_embedded_as_it_goes(house: House) -> None:
    await hear(house, call(house))

    await write(house, 4, "user", "The ferry to Cacilhas leaves every half an hour.")

    assert ("message", 4) in await stored(house)
    assert (await find(house, "the ferry to Cacilhas"))[0].position == 4


async def test_what_is_taken_back_as_a_chat_goes_on_loses_its_vectors(house: House) -> None:
    await hear(house, call(house))

    await write(house, 4, "user", "Please don't remember that.")

    assert await stored(house) == STORED[:3] + STORED[4:]
    [window] = await find(house, "custard tarts", windows=True)
    assert window.similarity < 0.3


async def test_all_conversations_are_looked_at_only_now_and_then(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here only the newest one is looked at in between."""
    monkeypatch.setattr(embed, "_NEWEST", 1)
    await hear(house, call(house), call(house, "conv_2"))
    await wake(house)
    await house.query("delete from embeddings")

    found = []
    for minutes in (1, 60):
        await house.query("update rounds set begun_at = begun_at - $1 * interval '1 minute'", minutes)
        await wake(house)
        found.append(await counted(house))

    assert found == [len(STORED), 2 * len(STORED)]


async def test_all_conversations_are_looked_at_after_trouble(
    house: House, embedder: PretendEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "_NEWEST", 1)
    await hear(house, call(house), call(house, "conv_2"))
    await wake(house)
    await house.query("delete from embeddings")
    embedder.otherwise = pretend.status(503)
    await wake(house)

    embedder.otherwise = pretend.well
    house.clock.now += 61
    await wake(house)

    assert await stored(house) == STORED * 2


async def test_a_round_waits_while_the_embedder_has_enough_to_do(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here one job is enough, and a page is of one conversation."""
    for name, value in (("_NEWEST", 1), ("_WAITING", 1), ("_PAGE", 1), ("_REST", 0.01)):
        monkeypatch.setattr(embed, name, value)
    await hear(house, call(house), call(house, "conv_2"), call(house, "conv_3"))
    await house.query("delete from embeddings")
    assert house.worker.embed

    async def waiting() -> int:
        return len(await house.query("select from pgqueuer where entrypoint = 'embed'"))

    async def one_waits() -> bool:
        return await waiting() == 1

    going = asyncio.create_task(house.worker.embed.wake())
    await until(one_waits)
    await asyncio.sleep(0.1)

    assert (await waiting(), going.done()) == (1, False)
    while not going.done():
        await house.work()
        await asyncio.sleep(0.01)
    await house.work()
    assert await stored(house) == STORED * 3


async def test_until_then_none_of_the_old_vectors_is_found(house: House, embedder: PretendEmbedder) -> None:
    await hear(house, call(house))
    house.clock.now += 10
    embedder.otherwise = pretend.status(503)

    await hear(house, call(house, said=SAID[:2]))

    assert await find(house, "custard tarts from the bakery") == []


async def test_what_is_told_anew_while_it_is_embedded_is_embedded_as_it_is_now(
    house: House, embedder: PretendEmbedder
) -> None:
    async def hear_it_anew() -> None:
        house.platform.post_call(call(house, said=SAID[:2]))

        async def is_in() -> bool:
            return await house.query("select count(*) from messages") == [(2,)]

        await until(is_in)

    house.platform.post_call(call(house))
    house.clock.now += 10
    embedder.meanwhile = lambda: asyncio.run(hear_it_anew())
    await house.work()

    assert await stored(house) == [("message", 0), ("message", 1), ("window", 0)]


async def test_no_transaction_is_open_while_the_embedder_works(
    house: House, embedder: PretendEmbedder
) -> None:
    """It does not answer before all others are over: were one of ours open, they never would be."""
    sql = (
        "select count(*) from pg_stat_activity where state like 'idle in transaction%' and datname = "
        "current_database()"
    )

    async def none_is_open() -> bool:
        return await house.query(sql) == [(0,)]

    embedder.meanwhile = lambda: asyncio.run(until(none_is_open, patience=10))

    await hear(house, call(house))

    assert await stored(house) == STORED


async def test_a_moments_trouble_is_tried_again(house: House, embedder: PretendEmbedder) -> None:
    embedder.replies.extend([pretend.status(500), pretend.status(429), pretend.body("garbage")])

    await hear(house, call(house))

    assert await stored(house) == STORED


async def test_an_embedder_that_is_away_is_left_alone_and_nothing_is_lost(
    house: House, embedder: PretendEmbedder
) -> None:
    embedder.otherwise = pretend.status(503)
    await hear(house, call(house))
    asked = len(embedder.asked)
    await hear(house, call(house, "conv_2"))
    await wake(house)
    assert len(embedder.asked) == asked, "it is left alone"
    assert await counted(house) == 0

    embedder.otherwise = pretend.well
    house.clock.now += 61
    await wake(house)

    assert await stored(house) == STORED * 2


async def test_a_running_worker_finds_what_was_said_before_there_was_an_embedder(
    open_with: OpenHouse, settings: Settings, given: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_with(settings)
    await hear(house, call(house), call(house, "conv_2"))
    monkeypatch.setattr(worker, "_WAKE", 0.05)
    second, stop = Worker(given, house.clock), asyncio.Event()

    running = asyncio.create_task(second.run(stop))

    async def all_is_embedded() -> bool:
        return await stored(house) == STORED * 2

    await until(all_is_embedded)
    stop.set()
    await running


async def test_another_model_embeds_everything_anew(
    open_with: OpenHouse, house: House, given: Settings, embedder: PretendEmbedder
) -> None:
    await hear(house, call(house))
    longer = {"embedding_model": "openai:other", "embedding_dimensions": 96}
    second = await open_with(given.model_copy(update=longer))

    await wake(second)

    assert await house.query("select distinct vector_dims(embedding) from vectors") == [(96,)]
    assert await find(second, "Lisbon", model="openai:other") == [], "a query of another length"
    assert await find(second, "Lisbon") == [], "a query of the model there was"
    assert embedder.asked[-1]["model"] == "other"


async def test_a_text_too_long_for_the_server_is_shortened(house: House, embedder: PretendEmbedder) -> None:
    embedder.otherwise = pretend.refusing(longer_than=500)
    long = "user: " + "the old mill by the river " * 100

    await hear(house, call(house, said=(*SAID, long)))

    assert ("message", 4) in await stored(house)
    [best, *_] = await find(house, "custard tarts from the bakery")
    assert best.position == 3


async def test_a_text_that_is_refused_in_any_case_goes_without_a_vector_alone(
    house: House, embedder: PretendEmbedder
) -> None:
    embedder.otherwise = pretend.about("Lisbon", pretend.status(400))

    await hear(house, call(house))

    assert await stored(house) == [one for one in STORED if one not in (("message", 1), ("window", 0))]
    await wake(house)
    assert await house.query("select complete from embeddings") == [(True,)]


async def test_a_call_that_breaks_the_embedder_is_passed_over_in_the_end(
    house: House, embedder: PretendEmbedder
) -> None:
    embedder.otherwise = pretend.about("Lisbon", pretend.status(500))
    await hear(house, call(house), call(house, "conv_2", said=("user: Nothing special today, thanks.",)))
    for _ in range(20):
        house.clock.now += 3601
        await wake(house)
    asked = len(embedder.asked)

    house.clock.now += 3601
    await wake(house)

    assert len(embedder.asked) == asked
    assert await counted(house) == 2, "the other call's turn and window"
    assert await house.query("select tries from embeddings where not complete") == [(12,)]


async def test_erasing_a_user_erases_their_vectors(house: House) -> None:
    await hear(house, call(house), call(house, "conv_2", caller=GRACE))

    async with house.worker.engine.begin() as connection:
        await connection.execute(
            sa.text("delete from users where id = (select user_id from addresses where address = :ada)"),
            {"ada": f"tel:{ADA}"},
        )

    assert await stored(house) == STORED
    assert await find(house, "Lisbon", caller=GRACE) != []


async def test_a_call_that_was_somebody_elses_is_found_by_them_alone(house: House) -> None:
    await hear(house, call(house), call(house, "conv_2", said=("user: My cat is ill.",)))
    await hear(house, call(house, "conv_3", caller=GRACE, said=("user: Hello, it is me.",)))
    house.clock.now += 10

    await hear(house, call(house, caller=GRACE))

    assert "Lisbon" not in await _texts(house, await find(house, "Lisbon", caller=ADA))
    assert "Lisbon" in await _texts(house, await find(house, "Lisbon", caller=GRACE))


async def test_merged_users_find_what_both_said_and_parted_ones_their_own(
    house: House, embedder: PretendEmbedder
) -> None:
    await hear(house, call(house), call(house, "conv_2", caller=GRACE, said=("user: My cat is ill.",)))
    asked = len(embedder.asked)
    now = datetime.fromtimestamp(house.clock(), UTC)
    ids = "select user_id from addresses where address = $1"
    [[(ada,)], [(grace,)]] = [await house.query(ids, f"tel:{one}") for one in (ADA, GRACE)]

    async with house.worker.engine.begin() as connection:
        made = await merging.merge(connection, house.worker.redis, grace, ada, now=now)
    assert "cat" in await _texts(house, await find(house, "cat"))
    async with house.worker.engine.begin() as connection:
        await merging.undo(connection, house.worker.redis, made.id, now=now, days=30)
    await house.work()

    assert "cat" not in await _texts(house, await find(house, "cat"))
    assert "cat" in await _texts(house, await find(house, "cat", caller=GRACE))
    assert len(embedder.asked) == asked, "nothing was embedded again"


async def _texts(house: House, found: list[Neighbour]) -> str:
    rows = await house.query("select conversation_id, position, content from messages")
    said = {(conversation_id, position): content for conversation_id, position, content in rows}
    return " ".join(str(said[one.conversation_id, one.position]) for one in found)


async def test_where_postgres_cannot_keep_vectors_the_worker_says_so_and_stops(house: House) -> None:
    async with house.worker.engine.begin() as connection:
        for statement in ("drop table vectors", "drop extension vector cascade"):
            await connection.execute(sa.text(statement))

    with pytest.raises(ConfigurationError, match=r"EMBEDDING_MODEL needs pgvector 0\.7 or newer"):
        await Worker(house.settings, house.clock).run(asyncio.Event())


async def test_once_postgres_can_keep_vectors_the_worker_makes_their_table(house: House) -> None:
    async with house.worker.engine.begin() as connection:
        await connection.execute(sa.text("drop table vectors"))
    assert house.worker.embed
    await house.worker.embed.wake()

    await hear(house, call(house))

    assert await stored(house) == STORED
