"""One person with two numbers: merged, they are told of both; parted again, each of their own, and never of
the other's in between."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from conftest import House
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pretend.elevenlabs import ADA, GRACE, ended_call
from redis.asyncio import Redis

from voice_server.domain.addresses.address import Address
from voice_server.errors import Conflict
from voice_server.operations.people import change_addresses, merging
from voice_server.queue import prompt_requests
from voice_server.store.knowledge import facts
from voice_server.store.lifecycle.merges import Merge

HOUR = 3600
MOVED, WED, CALLERS = "Ada moved to Porto.", "Ada wed in May.", (ADA, GRACE)


def now(house: House) -> datetime:
    return datetime.fromtimestamp(house.clock(), UTC)


async def user(house: House, caller: str) -> str:
    [(user_id,)] = await house.query("select user_id from addresses where address = $1", f"tel:{caller}")
    return str(user_id)


async def call(house: House, conversation: str, caller: str, summary: str) -> None:
    """A call that was asked about, and has ended, and is digested."""
    report(house, conversation, caller, summary)
    await house.work()


def report(house: House, conversation: str, caller: str, summary: str) -> None:
    """A call that was asked about, and has ended."""
    told = house.platform.pre_call(caller, conversation=conversation)
    more = {"user_id": told["user_id"], "prompt_version": told["dynamic_variables"]["prompt_version"]}
    house.platform.post_call(
        ended_call(conversation, caller=caller, summary=summary, ended=house.clock(), **more)
    )


async def both_call(house: House) -> tuple[str, str]:
    """Their ids: of the one who moved, and of the one who wed."""
    report(house, "conv_1", ADA, MOVED)
    report(house, "conv_2", GRACE, WED)
    await house.work()
    return await user(house, ADA), await user(house, GRACE)


async def merge(house: House, from_user: str, into_user: str) -> Merge:
    async with house.worker.engine.begin() as connection:
        return await merging.merge(connection, house.worker.redis, from_user, into_user, now=now(house))


async def undo(house: House, made: Merge) -> Merge:
    async with house.worker.engine.begin() as connection:
        return await merging.undo(connection, house.worker.redis, made.id, now=now(house), days=30)


async def test_over_either_number_both_timelines_are_told(house: House) -> None:
    ada, other = await both_call(house)
    await merge(house, other, ada)
    await house.work()

    for caller in CALLERS:
        assert MOVED in house.platform.told(caller)
        assert WED in house.platform.told(caller)
        assert house.platform.pre_call(caller)["user_id"] == ada


async def test_parted_each_is_told_what_they_were_told_before(house: House) -> None:
    ada, other = await both_call(house)
    before = [house.platform.told(caller) for caller in CALLERS]
    made = await merge(house, other, ada)
    await house.work()

    await undo(house, made)
    await house.work()

    assert [house.platform.told(caller) for caller in CALLERS] == before


async def test_nobody_hears_of_the_other_in_between(house: House) -> None:
    ada, other = await both_call(house)
    made = await merge(house, other, ada)
    await house.work()

    await undo(house, made)

    for caller in CALLERS:
        told = house.platform.told(caller)
        assert MOVED not in told
        assert WED not in told
    assert await house.query("select * from cached_voice_prompts") == []


async def test_a_rebuild_that_had_read_of_both_is_not_told_to_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, other = await both_call(house)
    made = await merge(house, other, ada)
    build, begun, parted, told = house.worker.rebuild.build, False, False, list[str]()

    async def meanwhile(*arguments: Any, **more: Any) -> Any:
        nonlocal begun, parted
        built = await build(*arguments, **more)
        if parted:
            told.append(house.platform.told(ADA))
        if not begun:
            begun = True
            await undo(house, made)
            parted = True
        return built

    monkeypatch.setattr(house.worker.rebuild, "build", meanwhile)
    await house.work()

    assert parted
    assert not any(WED in one for one in told)
    assert WED not in house.platform.told(ADA)


async def test_a_call_going_on_while_they_are_merged_is_the_survivors(house: House) -> None:
    ada, other = await both_call(house)
    told = house.platform.pre_call(GRACE, conversation="conv_3")
    assert told["user_id"] == other
    await merge(house, other, ada)

    event = ended_call("conv_3", caller=GRACE, summary="Ada dances.", ended=house.clock(), user_id=other)
    house.platform.post_call(event)
    await house.work()

    assert "Ada dances." in house.platform.told(ADA)


@pytest.mark.parametrize("ends", ["before they part", "after they parted", "and is told anew then"])
async def test_a_call_while_they_were_one_goes_with_its_number(house: House, ends: str) -> None:
    ada, other = await both_call(house)
    made = await merge(house, other, ada)
    await house.work()
    assert house.platform.pre_call(GRACE, conversation="conv_3")["user_id"] == ada
    event = ended_call("conv_3", caller=GRACE, summary="Ada dances.", ended=house.clock(), user_id=ada)
    if ends != "after they parted":
        house.platform.post_call(event)
        await house.work()
    house.clock.now += 10
    await undo(house, made)
    if ends != "before they part":
        event["event_timestamp"] += 20
        house.platform.post_call(event)
    await house.work()

    assert "Ada dances." in house.platform.told(GRACE)
    assert "Ada dances." not in house.platform.told(ADA)


async def test_the_prompt_served_in_such_a_call_can_still_be_shown(house: House) -> None:
    ada, other = await both_call(house)
    made = await merge(house, other, ada)
    await house.work()
    await call(house, "conv_3", GRACE, "Ada dances.")
    await undo(house, made)

    [(whose, found)] = await house.query(
        "select c.user_id, p.prompt from conversations c join generated_prompts p"
        " on (p.user_id, p.agent_id, p.version) = (c.user_id, c.agent_id, c.prompt_version)"
        " where c.platform_id = 'conv_3'"
    )
    assert whose == other
    assert MOVED in found


async def test_the_next_call_after_a_merge_is_no_redial_once_notes_are_in(house: House) -> None:
    ada, other = await both_call(house)
    await merge(house, other, ada)
    await house.work()

    assert "notes of that call" not in house.platform.told(GRACE, conversation="conv_3")


async def test_who_is_one_already_is_not_merged_again(house: House) -> None:
    ada, other = await both_call(house)
    await merge(house, other, ada)

    with pytest.raises(Conflict, match="cannot be merged with themselves"):
        await merge(house, other, ada)


async def test_a_third_is_merged_with_all_of_them_by_any_id(house: House) -> None:
    ada, other = await both_call(house)
    await call(house, "conv_3", "+14155550107", "Ada dances.")
    await merge(house, other, ada)
    await merge(house, await user(house, "+14155550107"), other)
    await house.work()

    assert "Ada dances." in house.platform.told(GRACE)


async def test_without_redis_a_merge_is_made_and_the_cache_catches_up(house: House) -> None:
    ada, other = await both_call(house)
    nowhere = Redis.from_url("redis://127.0.0.1:1", socket_connect_timeout=0.1)
    async with house.worker.engine.begin() as connection:
        await merging.merge(connection, nowhere, other, ada, now=now(house))
    await nowhere.aclose()
    await house.work()
    await house.worker.upkeep.refill()

    assert MOVED in house.platform.told(GRACE)


async def test_a_number_given_while_they_were_one_stays_with_the_survivor(house: House) -> None:
    ada, other = await both_call(house)
    made = await merge(house, other, ada)
    async with house.worker.engine.begin() as connection:
        await change_addresses.link(connection, Address("tel:+14155550107"), ada)
    await undo(house, made)
    await house.work()

    assert await user(house, "+14155550107") == ada
    assert await user(house, GRACE) == other


# -- at any time

SAID = (
    "I moved to Porto with my sister Maria. Please remind me to call the landlord.",
    "I planted tomatoes in the garden behind the house. I will send you the photos tomorrow.",
    "My sister Maria visits the garden on Friday. Can you send me the recipe?",
    "I sold the old piano to a friend of Maria. I am flying to Lisbon next Friday.",
    "The landlord painted the house in green. I need a new tin for the bread.",
    "I bake bread every Sunday. I will call you on Monday about the garden.",
)
# what only one of them says, and is then pinned or excluded by hand
OWN = {
    ADA: (0, "The caller moved to Porto with their sister Maria."),
    GRACE: (1, "The caller planted tomatoes in the garden behind the house."),
}
CALLS = st.tuples(st.just("call"), st.sampled_from(CALLERS), st.integers(1, len(SAID) - 1)).map(
    lambda step: (step[0], step[1], OWN[step[1]][0] if step[2] == 1 else step[2])
)
FLAGS = st.tuples(st.sampled_from(["pinned", "excluded"]), st.sampled_from(CALLERS), st.just(0))
STEPS = st.one_of(
    CALLS, CALLS, FLAGS, st.tuples(st.sampled_from(["merge", "undo", "work"]), st.just(""), st.just(0))
)
MERGE, UNDO = ("merge", "", 0), ("undo", "", 0)
Steps = Sequence[tuple[str, str, int]]


class Machine:
    """A house, two callers, and a merge of them that comes and goes. Calls do not wait for anything."""

    def __init__(self, house: House) -> None:
        self.house = house

    async def run(self, steps: Steps, *, ends: str, starts_merged: bool = False) -> list[Any]:
        """Take the steps, let the worker finish, end `merged` or `parted`; what each is told and known of
        them."""
        await self._start_over()
        if starts_merged:
            await self._be("merged")
        for number, (step, caller, what) in enumerate(steps):
            self.house.clock.now += HOUR
            if step == "call":
                self._call(f"conv_{number}", caller, SAID[what])
            elif step in facts.Changes.__optional_keys__:
                await self._flag(caller, step)
            elif step == "work":
                await self.house.work()
            elif step != "nothing":
                await self._be("merged" if step == "merge" else "parted")
        self.house.clock.now = self.start + 50 * HOUR
        await self.house.work()
        await self._be(ends)
        await self.house.worker.upkeep.sweep()  # what was built days ago is told as it is now
        await self.house.work()
        return [await self._memory(caller) for caller in CALLERS]

    async def _start_over(self) -> None:
        tables = "agents, users, webhook_events, conversations, pending_work, pgqueuer, pgqueuer_log"
        await self.house.query(f"truncate {tables} cascade")
        await self.house.worker.redis.flushdb()
        self.house.clock.now = self.start = 1_794_911_400.0
        self.merge: Merge | None = None
        for caller in CALLERS:
            self._call(
                f"conv_of_{caller}", caller, "I would like to talk about my holidays in the mountains."
            )
        await self.house.work()
        self.ids = [await user(self.house, caller) for caller in CALLERS]

    def _call(self, conversation: str, caller: str, said: str) -> None:
        told = self.house.platform.pre_call(caller, conversation=conversation)
        event = ended_call(
            conversation, [f"user: {said}"], caller=caller, ended=self.house.clock(), user_id=told["user_id"]
        )
        assert self.house.platform.post_call(event).status_code == 200

    async def _flag(self, caller: str, flag: str) -> None:
        """Set a flag of the fact that only this caller says, if they have."""
        await self.house.work()
        found = await self.house.query("select id from facts where text = $1", OWN[caller][1])
        async with self.house.worker.engine.begin() as connection:
            for (id_,) in found:
                flags = facts.Changes(pinned=True) if flag == "pinned" else facts.Changes(excluded=True)
                row = await facts.change(connection, id_, None, at=now(self.house), **flags)
                await prompt_requests.request(connection, row.user_id, row.agent_id)

    async def _be(self, how: str) -> None:
        if how == "merged" and self.merge is None:
            self.merge = await merge(self.house, self.ids[1], self.ids[0])
        elif how == "parted" and self.merge is not None:
            await undo(self.house, self.merge)
            self.merge = None

    async def _memory(self, caller: str) -> Any:
        whose = await user(self.house, caller)
        answer = self.house.platform.pre_call(caller)
        assert answer["user_id"] == whose
        known = (
            "select text, times, said_on, last_said_on, pinned, excluded from facts where user_id = $1 order "
            "by 1, 2, 3, 4, 5, 6"
        )
        threads = "select kind, text, due, status from open_threads where user_id = $1 order by 1, 2, 3, 4"
        calls = (
            "select platform_id, keywords, summary from conversations join digests d on d.conversation_id = "
            "id where d.user_id = $1 order by 1"
        )
        found = [await self.house.query(sql, whose) for sql in (known, threads, calls)]
        return self.house.platform.told(caller), *found


@pytest.fixture
def machine(house: House) -> Machine:
    return Machine(house)


def _calls(steps: Steps) -> Steps:
    """The same calls at the same times, with nothing else in between."""
    return [("nothing", "", 0) if step[0] in ("merge", "undo", "work") else step for step in steps]


@given(steps=st.lists(STEPS, max_size=9))
@example(steps=[("call", ADA, 0), MERGE, ("call", GRACE, 2), UNDO, ("call", ADA, 3), MERGE])
@example(steps=[MERGE, ("call", GRACE, 1), ("excluded", GRACE, 0), ("call", ADA, 2), UNDO, MERGE])
@example(steps=[("call", GRACE, 1), ("call", GRACE, 3), ("work", "", 0)])
@example(steps=[("call", ADA, 0)] * 5)  # the same said over and over
@settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_merged_and_parted_at_any_time_each_has_exactly_their_own(
    machine: Machine, steps: Steps
) -> None:
    assert await machine.run(steps, ends="parted") == await machine.run(_calls(steps), ends="parted")


@given(steps=st.lists(STEPS, max_size=9))
@example(
    steps=[("call", ADA, 0), ("call", GRACE, 1), ("pinned", GRACE, 0), ("call", ADA, 2), ("call", GRACE, 5)]
)
@settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_merged_at_any_time_they_are_as_if_always_one(machine: Machine, steps: Steps) -> None:
    always = await machine.run(_calls(steps), ends="merged", starts_merged=True)

    assert await machine.run(steps, ends="merged") == always
