"""Deliveries in any order, twice, with failures and reruns between the steps: the prompt is the one of
orderly delivery."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import sqlalchemy as sa
from conftest import House
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pretend.elevenlabs import ADA, Event, ended_call, payload, prompt_of

from voice_server.jobs.digest_conversations import DigestJob
from voice_server.queue import digest_requests, queue
from voice_server.queue.names import INGEST, REBUILD
from voice_server.settings import Settings
from voice_server.worker import Worker

NOW = 1_794_911_400
HOUR = 3600

# Long enough that not everything can be kept, and with so many words in common that what is worth
# keeping of one call depends on what the others were about.
TALK = {
    "bread": """
        I baked a rye bread with my neighbour Tom yesterday and it was far too dark.
        My oven is an old one that my grandmother left me in Turin.
        The dough had rested in the greenhouse because the kitchen was cold.
        Tom brought butter and a jar of honey from his sister.
        We ate the whole bread on the bench behind the house.
        I want to bake a lighter one for the children of my sister.
        The flour came from the mill beyond the river.
        My grandmother always baked with water from the well.
        Tom says that honey makes every crust dark.
        I dropped the first loaf on the floor of the kitchen.
        The dog of my neighbour was very happy about it.
        I need a new tin for a square bread.
    """,
    "garden": """
        The rye bread came out well, and now I plant tomatoes in the garden behind the house.
        My neighbour Tom gave me twelve plants from his greenhouse on Friday.
        The soil behind the house is heavy with clay.
        I carried water from the well to the garden every evening.
        My grandmother had tomatoes in Turin on every window.
        The dog dug out two plants near the bench.
        I will call you on Monday about the garden.
        I put straw from the mill around every plant.
        Tom sits on the bench and tells me what I do wrong.
        A storm broke the roof of the greenhouse last night.
        I want to grow beans along the fence by the river.
        The honey jar is now full of nails for the fence.
    """,
    "sister": """
        My sister Clara visits me from Turin next week with her two children.
        She loves tomatoes, and the children love the garden behind the house.
        The dog of my neighbour Tom is their best friend.
        Clara wants to learn how to bake a rye bread.
        I painted the bench for them in a bright blue.
        The children will sleep in the room above the kitchen.
        My oven broke on Sunday, and a man from the mill repaired it.
        Clara works in a bank and never sees a river.
        I bought a tent so that they can sleep near the fence.
        My nephew Leo is afraid of storms and of geese.
        We will visit the grave of our grandmother together.
        The butter has to come from Tom this time.
    """,
}
SAID = {name: [f"user: {line.strip()}" for line in talk.strip().splitlines()] for name, talk in TALK.items()}


def _corrected(event: Event, summary: str) -> Event:
    """The same call, told again five seconds later."""
    corrected: Event = json.loads(json.dumps(event))
    corrected["event_timestamp"] += 5
    corrected["data"]["analysis"] = {"transcript_summary": summary}
    return corrected


def _with_zone(event: Event, zone: str) -> Event:
    event["data"]["metadata"]["timezone"] = zone
    return event


def _failure() -> Event:
    event = payload("call_initiation_failure")
    event["event_timestamp"] = NOW - HOUR
    event["data"] |= {"agent_id": "agent_robin", "conversation_id": "conv_failed"}
    event["data"]["metadata"]["body"] |= {"To": ADA, "Called": ADA}
    return event


BREAD = ended_call("conv_bread", SAID["bread"], ended=NOW - 30 * HOUR)
GARDEN = _with_zone(ended_call("conv_garden", SAID["garden"], ended=NOW - 6 * HOUR), "Europe/Rome")
SISTER = _with_zone(ended_call("conv_sister", SAID["sister"], ended=NOW - 2 * HOUR), "America/New_York")
# in the order in which they came about
EVENTS: list[Event] = [
    BREAD,
    _corrected(BREAD, "Ada baked a rye bread that was too dark."),
    ended_call("conv_silent", ["agent: Hello?"], ended=NOW - 20 * HOUR),
    GARDEN,
    SISTER,
    _failure(),
    _corrected(SISTER, "Ada's sister visits next week."),
]

NUMBERS = st.integers(0, len(EVENTS) - 1)
STEPS = st.one_of(
    st.tuples(st.just("deliver"), NUMBERS),
    st.tuples(st.sampled_from(["work", "work of two", "again", "rerun of a finished rebuild"]), st.just(0)),
    st.tuples(st.just("a commit fails"), st.integers(1, 6)),
    st.tuples(st.just("cut off"), st.integers(1, 40)),
)
Steps = Sequence[tuple[str, int]]


class Machine:
    """A house with two workers, and what can happen to it."""

    def __init__(self, house: House, second: Worker) -> None:
        self.house = house
        self.second = second
        self.expected: Any = None  # the answer after orderly delivery, once it is known

    async def start_over(self) -> None:
        tables = "agents, users, webhook_events, conversations, pending_work, pgqueuer, pgqueuer_log"
        await self.house.query(f"truncate {tables} cascade")
        await self.house.worker.redis.flushdb()

    async def run(self, steps: Steps) -> Any:
        """Take the steps, deliver what was not delivered yet, let the workers finish; the next answer."""
        await self.start_over()
        for step, number in steps:
            await self.take(step, number)
        for event in EVENTS:
            self.house.platform.post_call(event)
        await self.house.work()
        answer = self.house.platform.pre_call(ADA)
        return prompt_of(answer), answer["dynamic_variables"]

    async def take(self, step: str, number: int) -> None:
        if step == "deliver":
            assert self.house.platform.post_call(EVENTS[number]).status_code == 200
        elif step == "work":
            await self.house.work()
        elif step == "work of two":
            await asyncio.gather(self.house.work(), self.second.queue.drain())
        elif step == "again":
            await self._enqueue_everything_again()
        elif step == "rerun of a finished rebuild":
            await self._rerun_rebuilds()
        elif step == "a commit fails":
            await self._work_while_a_commit_fails(number)
        else:
            await self._cut_off(number / 1000)

    async def _enqueue_everything_again(self) -> None:
        """As after a worker was killed between its commit and the queue's."""
        async with self.house.worker.engine.begin() as connection:
            for event_id in (await connection.execute(sa.text("select id from webhook_events"))).scalars():
                await queue.enqueue(connection, INGEST, {"event_id": event_id})
            called = sa.text("select id, user_id, agent_id from conversations where user_id is not null")
            for id_, user_id, agent_id in await connection.execute(called):
                await digest_requests.request(connection, id_, user_id, agent_id, "conversation")

    async def _rerun_rebuilds(self) -> None:
        async with self.house.worker.engine.begin() as connection:
            for key in (await connection.execute(sa.text("select key from pending_work"))).scalars():
                await queue.enqueue(connection, REBUILD, {"key": key})

    async def _work_while_a_commit_fails(self, which: int) -> None:
        left = which

        def fail(_connection: sa.Connection) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise ConnectionResetError("the commit did not get through")

        engine = self.house.worker.engine.sync_engine
        sa.event.listen(engine, "commit", fail)
        try:
            await self.house.work()
        finally:
            sa.event.remove(engine, "commit", fail)

    async def _cut_off(self, seconds: float) -> None:
        """A worker that is gone in the middle of its work, and whose jobs another takes over."""
        cut = asyncio.create_task(self.second.queue.drain())
        await asyncio.wait([cut], timeout=seconds)
        cut.cancel()
        await asyncio.wait([cut])
        left_behind = (
            "update pgqueuer set status = 'queued', queue_manager_id = null where status in ('picked', "
            "'canceled')"
        )
        await self.house.query(left_behind)


@pytest.fixture
async def machine(house: House, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(queue, "_FIRST_PAUSE", queue._FIRST_PAUSE / 100)
    second = Worker(settings, house.clock)
    yield Machine(house, second)
    await second.close()


async def orderly(machine: Machine) -> Any:
    """The answer when everything comes in order and nothing goes wrong."""
    steps = [step for number in range(len(EVENTS)) for step in (("deliver", number), ("work", 0))]
    return await machine.run(steps)


async def test_orderly_delivery_tells_everything(machine: Machine) -> None:
    told, variables = await orderly(machine)

    assert "Ada's sister visits next week." in told
    assert "05:30 on Tuesday 17 November 2026" in told, "the zone of the latest call that has one"
    assert "You have had 3 earlier conversations" in told
    assert variables["prompt_version"]


@given(steps=st.lists(STEPS, min_size=7, max_size=16))  # few and long: what comes before and after costs more
@example(steps=[("deliver", number) for number in reversed(range(len(EVENTS)))])
@example(steps=[step for number in (6, 3, 4, 0, 1) for step in (("deliver", number), ("work", 0))])
@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_any_order_with_any_mishap_ends_in_the_same_prompt(machine: Machine, steps: Steps) -> None:
    machine.expected = machine.expected or await orderly(machine)

    assert await machine.run(steps) == machine.expected


# -- one job twice


MADE = {
    "conversations": "id, to_jsonb(conversations) - 'digest_asked_at'",
    "messages": "*",
    "digests": "*",
    "open_threads": "text, kind, due",
    "cached_voice_prompts": "version, entry",
}


async def test_every_job_run_twice_leaves_the_same(machine: Machine) -> None:
    async def made() -> dict[str, list[tuple[Any, ...]]]:
        asked = {table: f"select {what} from {table} order by 1, 2" for table, what in MADE.items()}  # noqa: S608 (our own)
        return {table: await machine.house.query(sql) for table, sql in asked.items()}

    await machine.run([])
    before = await made()

    await machine.take("again", 0)
    await machine.house.work()

    assert all(before.values())
    assert await made() == before


async def test_a_call_retold_while_it_is_digested_is_digested_as_it_was_retold(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest has read the first telling; the second is stored before the first one's notes are."""
    understand: Callable[..., Any] = DigestJob.understand
    retold = _corrected(SISTER, "Ada's sister visits next week.")

    def meanwhile(self: DigestJob, basis: Any) -> Any:
        if basis.conversation.platform_summary == "":
            house.platform.post_call(retold)
            asyncio.run(_ingest_only(house))
        return understand(self, basis)

    monkeypatch.setattr(DigestJob, "understand", meanwhile)
    house.platform.post_call(SISTER)
    await house.work()

    assert await house.query("select summary from digests") == [("Ada's sister visits next week.",)]


async def _ingest_only(house: House) -> None:
    """Another worker, that does nothing but ingest."""
    other = Worker(house.settings, house.clock)
    other.queue._handlers = {INGEST: other.queue._handlers[INGEST]}
    await other.queue.drain()
    await other.close()
