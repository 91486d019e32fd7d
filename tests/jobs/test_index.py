"""What was said becomes findable, by whom it belongs to and nobody else: from the webhook to the search, on
real services."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from conftest import House
from pretend.elevenlabs import ADA, AGENT, GRACE, Event, ended_call
from pretend.trouble import until

from voice_server.jobs import index
from voice_server.operations.people import identification, merging
from voice_server.operations.people.identification import Call
from voice_server.queue import index_requests
from voice_server.search import lookup
from voice_server.search.types import Query, Timeline
from voice_server.worker import Worker

CAKE, TRAIN = "I baked a plum cake for my sister.", "My train to Porto was late again."


def call(house: House, conversation: str, *said: str, caller: str = ADA, **more: Any) -> Event:
    return ended_call(
        conversation, [f"user: {one}" for one in said], caller=caller, ended=house.clock(), **more
    )


async def hear(house: House, *events: Event) -> None:
    for event in events:
        house.platform.post_call(event)
    await house.work()


async def user(house: House, caller: str = ADA) -> str:
    [(user_id,)] = await house.query("select user_id from addresses where address = $1", f"tel:{caller}")
    return str(user_id)


async def found(house: House, text: str, caller: str = ADA) -> set[str]:
    """What somebody's agent finds for them."""
    timeline = Timeline(await user(house, caller), AGENT, "UTC")
    async with house.worker.engine.connect() as connection:
        hits = await lookup.messages_and_days(connection, timeline, Query(text, limit=20), now=now(house))
    return {hit.snippet for hit in hits if hit.kind == "message"}


async def words(house: House, caller: str = ADA) -> set[str]:
    """All that the index has of somebody."""
    rows = await house.query(
        "select lexeme from search_words w join search_timelines t on t.id = timeline_id where user_id = $1",
        await user(house, caller),
    )
    return {str(lexeme) for (lexeme,) in rows}


async def rows(house: House) -> list[list[tuple[Any, ...]]]:
    tables = ("timelines", "conversations", "passages", "words")
    return [await house.query(f"select * from search_{one} s order by s::text") for one in tables]  # noqa: S608 (our own names)


def now(house: House) -> datetime:
    return datetime.fromtimestamp(house.clock(), UTC)


async def test_what_was_said_in_a_call_is_found_after_it(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE, TRAIN))

    assert await found(house, "the cake") == {CAKE}


async def test_a_call_that_was_silent_after_all_is_not_found(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN))
    house.clock.now += 10

    await hear(house, call(house, "conv_1", duration=0))

    assert await found(house, "cake train") == {TRAIN}
    assert "cake" not in await words(house)


async def test_a_call_that_is_not_to_be_remembered_is_not_found(house: House) -> None:
    declined = call(house, "conv_1", CAKE)
    declined["data"]["conversation_initiation_client_data"]["dynamic_variables"]["memory_consent"] = "no"

    await hear(house, declined, call(house, "conv_2", TRAIN))

    assert await found(house, "cake train") == {TRAIN}
    assert "cake" not in await words(house)


async def test_a_call_that_turns_out_to_be_somebody_elses_is_found_by_them_alone(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN))
    await hear(house, call(house, "conv_3", "Good morning.", caller=GRACE))

    async with house.worker.engine.begin() as connection:
        named = Call("elevenlabs", "conv_1")
        await identification.identify(
            connection, house.worker.redis, named, await user(house, GRACE), anywhere=True
        )

    assert await found(house, "cake train") == {TRAIN}, "from the moment it is known"
    await house.work()
    assert await found(house, "cake train") == {TRAIN}
    assert await found(house, "cake train", GRACE) == {CAKE}
    assert "cake" not in await words(house)


async def test_merged_users_find_what_both_said_and_parted_ones_their_own(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN, caller=GRACE))
    ada, grace = await user(house), await user(house, GRACE)

    async with house.worker.engine.begin() as connection:
        made = await merging.merge(connection, house.worker.redis, grace, ada, now=now(house))
    await house.work()
    assert await found(house, "cake train") == {CAKE, TRAIN}
    assert {"cake", "train"} <= await words(house)
    assert await house.query("select count(*) from search_passages") == [(2,)]

    async with house.worker.engine.begin() as connection:
        await merging.undo(connection, house.worker.redis, made.id, now=now(house), days=30)
    assert await found(house, "cake train") == {CAKE}, "from the moment they are parted"
    await house.work()
    assert await found(house, "cake train") == {CAKE}
    assert await found(house, "cake train", GRACE) == {TRAIN}
    assert "train" not in await words(house)
    assert "cake" not in await words(house, GRACE)


async def test_a_call_while_two_were_one_goes_with_its_number(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN, caller=GRACE))
    ada, grace = await user(house), await user(house, GRACE)
    async with house.worker.engine.begin() as connection:
        made = await merging.merge(connection, house.worker.redis, grace, ada, now=now(house))
    await hear(house, call(house, "conv_3", "The ferry was early.", caller=GRACE))
    assert await found(house, "ferry") == {"The ferry was early."}

    async with house.worker.engine.begin() as connection:
        await merging.undo(connection, house.worker.redis, made.id, now=now(house), days=30)
    await house.work()

    assert await found(house, "ferry") == set()
    assert await found(house, "ferry", GRACE) == {"The ferry was early."}


async def test_a_merge_of_users_who_are_not_indexed_yet_loses_nothing(house: House) -> None:
    for event in (call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN, caller=GRACE)):
        house.platform.post_call(event)
    await house.work()
    await house.query("delete from search_timelines")
    ada, grace = await user(house), await user(house, GRACE)

    async with house.worker.engine.begin() as connection:
        await merging.merge(connection, house.worker.redis, grace, ada, now=now(house))
    await house.work()

    assert await found(house, "cake train") == {CAKE, TRAIN}


async def test_an_erased_user_leaves_no_row(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN, caller=GRACE))
    ada = await user(house)

    await house.query("delete from users where id = $1", ada)

    assert await house.query("select count(*) from search_timelines") == [(1,)]
    assert await house.query("select count(*) from search_passages") == [(1,)]
    assert await house.query("select 1 from search_words where lexeme = 'cake'") == []
    assert await found(house, "train", GRACE) == {TRAIN}


async def test_an_erased_conversation_is_swept_out_of_the_index(house: House) -> None:
    """Whoever deletes it in the database need not know of the index: the upkeep sees the gap."""
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN))

    await house.query("delete from conversations where platform_id = 'conv_1'")
    assert await found(house, "cake train") == {TRAIN}
    await index.catch_up(house.worker.engine)
    await house.work()

    assert "cake" not in await words(house)
    assert await found(house, "train") == {TRAIN}


async def test_talk_from_before_there_was_an_index_is_indexed(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN, caller=GRACE))
    before = await found(house, "cake")
    await house.query("delete from search_timelines")
    assert await found(house, "cake") == set()

    await index.catch_up(house.worker.engine)
    await house.work()

    assert await found(house, "cake") == before
    assert await found(house, "train", GRACE) == {TRAIN}


async def test_a_page_at_a_time_nothing_is_missed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_PAGE", 2)
    monkeypatch.setattr(index, "_BATCH", 1)
    callers = (ADA, GRACE, "+14155550102", "+14155550103")
    await hear(house, *(call(house, f"conv_{caller}", CAKE, caller=caller) for caller in callers))
    await house.query("delete from search_timelines where id > 1")
    await house.query("delete from search_passages")

    await index.catch_up(house.worker.engine)
    await house.work()

    assert [await found(house, "cake", caller) for caller in callers] == [{CAKE}] * 4


async def test_when_all_is_indexed_there_is_nothing_to_catch_up_with(house: House) -> None:
    await hear(
        house, call(house, "conv_1", CAKE), call(house, "conv_2", duration=0), call(house, "conv_3", " ")
    )

    await index.catch_up(house.worker.engine)

    assert await house.query("select 1 from pgqueuer where entrypoint = 'index'") == []


async def test_a_job_run_twice_changes_nothing(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN))
    once = await rows(house)

    async with house.worker.engine.begin() as connection:
        await index_requests.request(connection, await user(house), AGENT)
    await house.work()

    assert await rows(house) == once


async def test_workers_side_by_side_keep_the_numbers_apart(house: House) -> None:
    for n in range(12):
        house.platform.post_call(call(house, f"conv_{n}", f"Letter {n} about cake."))
    second = Worker(house.settings, house.clock)

    await asyncio.gather(house.work(), second.queue.drain())
    await second.close()

    assert await found(house, "cake") == {f"Letter {n} about cake." for n in range(12)}
    numbers = await house.query("select base, size from search_passages order by base")
    assert numbers == [(n, 1) for n in range(12)]


async def test_a_job_that_is_late_takes_nothing_back_from_whose_call_it_is(house: House) -> None:
    """It had read that the call is Ada's; meanwhile it turned out to be Grace's, and was indexed for her."""
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", "Good morning.", caller=GRACE))
    ada, grace = await user(house), await user(house, GRACE)
    await house.query("delete from search_timelines")
    async with house.worker.engine.connect() as connection:
        late = await index.Index().prepare(connection, [f"{ada}|{AGENT}"])

    async with house.worker.engine.begin() as connection:
        named = Call("elevenlabs", "conv_1")
        await identification.identify(connection, house.worker.redis, named, grace, anywhere=True)
    await house.work()
    async with house.worker.engine.begin() as connection:
        await late(connection, [f"{ada}|{AGENT}"])

    assert await found(house, "cake", GRACE) == {CAKE}
    assert await found(house, "cake") == set()
    await index.catch_up(house.worker.engine)
    await house.work()
    assert await words(house) == set()


async def test_a_call_takes_along_what_was_being_indexed_while_it_moved(house: House) -> None:
    """Ada's job had not committed when the call became Grace's: Grace's waits for it, and takes all away."""
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", "Good morning.", caller=GRACE))
    ada, grace = [f"{await user(house, one)}|{AGENT}" for one in (ADA, GRACE)]
    await house.query("delete from search_timelines")
    engine = house.worker.engine

    async with engine.begin() as of_ada, engine.begin() as of_grace:
        await (await index.Index().prepare(of_ada, [ada]))(of_ada, [ada])
        await house.query(
            "update conversations set user_id = $1 where platform_id = 'conv_1'", await user(house, GRACE)
        )
        apply = await index.Index().prepare(of_grace, [grace])
        waiting = asyncio.ensure_future(apply(of_grace, [grace]))
        await until(lambda: _waits_for_another(house))
        await of_ada.commit()
        await waiting

    assert await found(house, "cake", GRACE) == {CAKE}
    await index.catch_up(engine)
    await house.work()
    assert await words(house) == set()


async def _waits_for_another(house: House) -> bool:
    waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    return await house.query(waiting) != []


async def test_what_is_erased_while_it_is_indexed_is_not_found(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE), call(house, "conv_2", TRAIN))
    key = f"{await user(house)}|{AGENT}"
    await house.query("delete from search_timelines")
    async with house.worker.engine.connect() as connection:
        apply = await index.Index().prepare(connection, [key])

    await house.query("delete from conversations where platform_id = 'conv_1'")
    async with house.worker.engine.begin() as connection:
        await apply(connection, [key])

    assert await found(house, "cake train") == {TRAIN}
    await index.catch_up(house.worker.engine)
    await house.work()
    assert "cake" not in await words(house)


async def test_who_is_erased_before_their_talk_is_indexed_leaves_no_row(house: House) -> None:
    await hear(house, call(house, "conv_1", CAKE))
    async with house.worker.engine.begin() as connection:
        await index_requests.request(connection, await user(house), AGENT)

    await house.query("delete from users")
    await house.work()

    assert await rows(house) == [[], [], [], []]
    assert await house.query("select 1 from pgqueuer where entrypoint = 'index'") == []


async def test_a_call_of_200_messages_is_indexed_in_one_go(house: House) -> None:
    said = [f"Page {n}: we spoke of cake number {n}, of the weather and of nothing else." for n in range(200)]
    house.platform.post_call(call(house, "conv_1", *said))
    await house.work()
    key = f"{await user(house)}|{AGENT}"
    await house.query("delete from search_timelines")

    async with house.worker.engine.connect() as connection:
        apply = await index.Index().prepare(connection, [key])
    async with house.worker.engine.begin() as connection:
        await apply(connection, [key])

    assert await found(house, "page 137") >= {said[137]}
    assert await house.query("select sum(size)::int from search_passages") == [(200,)]
