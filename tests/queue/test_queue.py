"""The queue on a real Postgres: nothing lost, nothing overlapping, what fails is seen, what dies is taken
over."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import timedelta

import pytest
import sqlalchemy as sa
from pretend.trouble import Trouble, until
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.queue import queue
from voice_server.queue.queue import CoalescedJob, PassJob, Payload, PlainJob, Queue, Retries
from voice_server.settings import Settings
from voice_server.store import session

KIND = "tally"
RETRIES = Retries(attempts=3, heartbeat=1.0, concurrency=4)


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = session.connect(database_url, 5)
    yield made
    await made.dispose()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses as between real tries take seconds."""
    monkeypatch.setattr(queue, "_FIRST_PAUSE", queue._FIRST_PAUSE / 100)
    monkeypatch.setattr(queue, "_RECONNECT", 0.05)


async def ask(engine: AsyncEngine, key: str = "ada") -> None:
    async with engine.begin() as connection:
        await queue.request(connection, queue.Request(KIND, key))


async def rows(engine: AsyncEngine, sql: str) -> list[tuple[object, ...]]:
    async with engine.connect() as connection:
        return [tuple(row) for row in await connection.execute(sa.text(sql))]


class Tally:
    """A coalesced job that counts, with the number of requests its `prepare` could see."""

    def __init__(self, seconds: float = 0) -> None:
        self.seconds = seconds
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.running: Counter[str] = Counter()
        self.most = 0
        self.together: list[list[str]] = []
        self.applied: list[tuple[str, int]] = []
        self.started = asyncio.Event()

    async def prepare(self, connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        self.together.append(sorted(keys))
        self.running.update(keys)
        self.most = max(self.most, *self.running.values())
        requested = sa.text("select key, requested from pending_work where key = any(:keys)")
        seen = {row.key: row.requested for row in await connection.execute(requested, {"keys": list(keys)})}
        self.started.set()
        await asyncio.sleep(self.seconds)
        await self.may_go_on.wait()
        self.running.subtract(keys)

        async def apply(_connection: AsyncConnection, due: Sequence[str]) -> None:
            self.applied += [(key, seen[key]) for key in due]

        return apply


def worker(engine: AsyncEngine, prepare: queue.Prepare | None = None, retries: Retries = RETRIES) -> Queue:
    made = Queue(engine, retries)
    if prepare:
        made.register(CoalescedJob(KIND, prepare))
    return made


# -- asking


async def test_a_job_exists_if_and_only_if_its_transaction_commits(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(sa.text("select 1"))
        await queue.enqueue(connection, KIND, {})
        await connection.rollback()

    assert await rows(engine, "select * from pgqueuer") == []


async def test_enqueueing_before_the_first_statement_is_an_error(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        with pytest.raises(RuntimeError, match="before the first statement"):
            await queue.enqueue(connection, KIND, {})


async def test_a_key_waits_once(engine: AsyncEngine) -> None:
    for _ in range(3):
        await ask(engine)

    assert await rows(engine, "select count(*) from pgqueuer") == [(1,)]
    assert await rows(engine, "select requested, done from pending_work") == [(3, 0)]


# -- coalescing


async def test_ten_requests_make_one_run(engine: AsyncEngine) -> None:
    tally = Tally()
    for _ in range(10):
        await ask(engine)

    await worker(engine, tally.prepare).drain()

    assert tally.applied == [("ada", 10)]
    assert await rows(engine, "select requested = done from pending_work") == [(True,)]


async def test_what_is_asked_for_during_a_run_is_done_after_it(engine: AsyncEngine) -> None:
    tally = Tally()
    tally.may_go_on.clear()
    await ask(engine)
    draining = asyncio.create_task(worker(engine, tally.prepare).drain())
    await tally.started.wait()

    for _ in range(5):
        await ask(engine)
    tally.may_go_on.set()
    await draining

    assert tally.applied == [("ada", 1), ("ada", 6)]


async def test_what_was_read_before_it_was_superseded_is_never_applied(engine: AsyncEngine) -> None:
    tally, superseded = Tally(), asyncio.Event()

    async def prepare(connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        apply = await tally.prepare(connection, keys)
        await superseded.wait()
        return apply

    await ask(engine)
    draining = asyncio.create_task(worker(engine, prepare).drain())
    await tally.started.wait()
    async with engine.begin() as connection:
        await queue.supersede(connection, KIND, ["ada", "a key nobody asked for"])
        await queue.request(connection, queue.Request(KIND, "ada"))
    superseded.set()
    await draining

    assert tally.applied == [("ada", 2)]


async def test_one_key_never_runs_twice_at_a_time(engine: AsyncEngine, database_url: str) -> None:
    """Two workers on one database, requests all the time: the last run of each key has seen them all."""
    other = session.connect(database_url, 5)
    tally = Tally(seconds=0.01)
    stop = asyncio.Event()
    working = [asyncio.create_task(worker(one, tally.prepare).run(stop)) for one in (engine, other)]

    for _ in range(20):
        await asyncio.gather(ask(engine, "ada"), ask(other, "grace"), ask(other, "ada"))
    await until(lambda: _nothing_left(engine))
    stop.set()
    await asyncio.gather(*working)
    await other.dispose()

    assert tally.most == 1
    assert dict(tally.applied) == {"ada": 40, "grace": 20}


async def _nothing_left(engine: AsyncEngine) -> bool:
    left = (
        "select (select count(*) from pgqueuer), (select count(*) from pending_work where requested > done)"
    )
    return await rows(engine, left) == [(0, 0)]


async def test_a_run_that_had_finished_is_not_run_again(engine: AsyncEngine) -> None:
    """Killed between our commit and the queue's: the job's row is still there, its key is gone."""
    tally = Tally()
    await ask(engine)
    await worker(engine, tally.prepare).drain()
    async with engine.begin() as connection:
        await connection.execute(sa.text("select 1"))
        await queue.enqueue(connection, KIND, {"key": "ada"})

    await worker(engine, tally.prepare).drain()

    assert len(tally.applied) == 1


# -- passes


class Passes:
    """A job that makes passes, and notes them."""

    def __init__(self, engine: AsyncEngine, *answers: timedelta | None) -> None:
        self.made: list[tuple[str, str]] = []
        self.meanwhile: list[str] = []  # keys asked for while the next pass is made
        self._engine = engine
        self._answers = [*answers]

    async def work(self, key: str, trigger: str) -> timedelta | None:
        self.made.append((key, trigger))
        meanwhile, self.meanwhile = self.meanwhile, []
        for one in meanwhile:
            await ask(self._engine, one)
        return self._answers.pop(0) if self._answers else None

    async def drain(self) -> None:
        made = Queue(self._engine, RETRIES)
        made.register(PassJob(KIND, self.work))
        await made.drain()


async def test_a_pass_leaves_nothing_behind(engine: AsyncEngine) -> None:
    passes = Passes(engine)
    for _ in range(3):
        await ask(engine)

    await passes.drain()

    assert passes.made == [("ada", "")]
    assert await rows(engine, "select * from pending_work") == []
    assert await rows(engine, "select * from pgqueuer") == []


async def test_a_pass_knows_who_asked_last(engine: AsyncEngine) -> None:
    passes = Passes(engine)
    async with engine.begin() as connection:
        await queue.request(connection, queue.Request(KIND, "ada", "api"))
        await queue.request(connection, queue.Request(KIND, "ada", "edit"))

    await passes.drain()

    assert passes.made == [("ada", "edit")]


async def test_what_is_asked_for_during_a_pass_is_done_after_it(engine: AsyncEngine) -> None:
    passes = Passes(engine)
    passes.meanwhile = ["ada", "grace"]
    await ask(engine)

    await passes.drain()

    first, *then = [key for key, _ in passes.made]
    assert (first, sorted(then)) == ("ada", ["ada", "grace"])
    assert await rows(engine, "select * from pending_work") == []


async def test_a_pass_that_is_put_off_is_made_later(engine: AsyncEngine) -> None:
    passes = Passes(engine, timedelta(seconds=0.05), timedelta(seconds=0.05))
    await ask(engine)

    await passes.drain()

    assert [key for key, _ in passes.made] == ["ada"] * 3
    assert await rows(engine, "select * from pending_work") == []


async def test_a_pass_that_was_put_off_is_asked_for_once(engine: AsyncEngine) -> None:
    passes = Passes(engine, timedelta(hours=1))
    passes.meanwhile = ["ada"]
    await ask(engine)
    made = Queue(engine, RETRIES)
    made.register(PassJob(KIND, passes.work))
    stop = asyncio.Event()
    running = asyncio.create_task(made.run(stop))
    await until(lambda: passes.made != [])
    await until(lambda: _is_put_off(engine))
    stop.set()
    await running

    await ask(engine)

    assert await rows(engine, "select status::text, count(*) from pgqueuer group by 1") == [("queued", 1)]


async def _is_put_off(engine: AsyncEngine) -> bool:
    return await rows(engine, "select status::text from pgqueuer") == [("queued",)]


async def test_a_pass_that_fails_is_tried_again(engine: AsyncEngine) -> None:
    failing = Passes(engine)
    tries = []

    async def work(key: str, trigger: str) -> timedelta | None:
        tries.append(key)
        if len(tries) == 1:
            raise ValueError("not today")
        return await failing.work(key, trigger)

    await ask(engine)
    made = Queue(engine, RETRIES)
    made.register(PassJob(KIND, work))
    await made.drain()

    assert failing.made == [("ada", "")]
    assert await rows(engine, "select * from pending_work") == []


async def _end_waiting_for(
    connection: AsyncConnection, engine: AsyncEngine, passes: Passes
) -> "asyncio.Task[None]":
    """Make a pass whose end waits for this connection's transaction."""
    await ask(engine)
    await queue.exclusively(connection, KIND, "ada")
    draining = asyncio.create_task(passes.drain())
    await until(lambda: _somebody_waits(engine))
    return draining


async def test_a_pass_ends_behind_whoever_does_its_work_by_hand(engine: AsyncEngine) -> None:
    passes = Passes(engine)
    async with engine.begin() as by_hand:
        draining = await _end_waiting_for(by_hand, engine, passes)
        assert await rows(engine, "select requested, done from pending_work") == [(1, 0)]
    await draining

    assert passes.made == [("ada", "")]
    assert await rows(engine, "select * from pending_work") == []


async def test_what_is_asked_for_while_a_pass_waits_to_end_is_done_after_it(engine: AsyncEngine) -> None:
    passes = Passes(engine)
    async with engine.begin() as asking:
        draining = await _end_waiting_for(asking, engine, passes)
        await queue.request(asking, queue.Request(KIND, "ada", "edit"))
    await draining

    assert passes.made == [("ada", ""), ("ada", "edit")]
    assert await rows(engine, "select * from pending_work") == []


async def test_a_pass_whose_job_was_taken_over_ends_nothing_of_the_others(engine: AsyncEngine) -> None:
    async def work(_key: str, _trigger: str) -> None:
        async with engine.begin() as other:
            await _take_over(other)

    await ask(engine)
    made = Queue(engine, RETRIES)
    made.register(PassJob(KIND, work))
    await made.drain()

    assert await rows(engine, "select requested, done from pending_work") == [(1, 0)]


async def test_a_pass_that_loses_its_job_while_it_waits_to_end_ends_nothing(engine: AsyncEngine) -> None:
    passes = Passes(engine)
    async with engine.begin() as other:
        draining = await _end_waiting_for(other, engine, passes)
        await _take_over(other)
    await draining

    assert passes.made == [("ada", "")]
    assert await rows(engine, "select requested, done from pending_work") == [(1, 0)]


async def _take_over(connection: AsyncConnection) -> None:
    await connection.execute(sa.text("update pgqueuer set queue_manager_id = gen_random_uuid()"))


# -- several together


async def test_keys_that_wait_at_one_moment_are_worked_on_together(engine: AsyncEngine) -> None:
    tally = Tally()
    for key in ("ada", "grace"):
        await ask(engine, key)

    await worker(engine, tally.prepare).drain()

    assert tally.together == [["ada", "grace"]]
    assert sorted(tally.applied) == [("ada", 1), ("grace", 1)]


@pytest.mark.parametrize("at", ["prepare", "apply"])
async def test_what_fails_for_one_key_does_not_fail_another(engine: AsyncEngine, at: str) -> None:
    tally = Tally()

    async def prepare(connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        if at == "prepare" and "ada" in keys:
            raise ValueError("nothing can be made of this")
        tallied = await tally.prepare(connection, keys)

        async def apply(connection: AsyncConnection, due: Sequence[str]) -> None:
            if "ada" in due:
                await connection.execute(sa.text("select 1 / 0"))
            await tallied(connection, due)

        return apply

    for key in ("ada", "grace"):
        await ask(engine, key)

    await worker(engine, prepare).drain()

    assert tally.applied == [("grace", 1)]
    left = "select entrypoint, status::text, attempts from pgqueuer"
    assert await rows(engine, left) == [(KIND, "failed", RETRIES.attempts - 1)]
    assert await rows(engine, "select key, done from pending_work order by key") == [("ada", 0), ("grace", 1)]


async def test_a_key_that_somebody_holds_does_not_hold_up_another(
    engine: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    tally = Tally()
    for key in ("ada", "grace"):
        await ask(engine, key)

    async with engine.begin() as by_hand:
        await queue.exclusively(by_hand, KIND, "ada")
        draining = asyncio.create_task(worker(engine, tally.prepare).drain())
        await until(lambda: bool(tally.applied))
        held = list(tally.applied)
    await draining

    assert held == [("grace", 1)]
    assert tally.applied == [("grace", 1), ("ada", 1)]
    assert warnings_of(caplog) == []


@pytest.mark.parametrize("first", ["ada", "grace"])
async def test_who_asks_for_several_keys_never_deadlocks_with_their_run(
    engine: AsyncEngine, first: str, caplog: pytest.LogCaptureFixture
) -> None:
    tally = Tally()
    second = {"ada": "grace", "grace": "ada"}[first]
    applying, asked = asyncio.Event(), asyncio.Event()

    async def prepare(connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        tallied = await tally.prepare(connection, keys)

        async def apply(connection: AsyncConnection, due: Sequence[str]) -> None:
            applying.set()
            await asked.wait()
            await tallied(connection, due)

        return apply

    for key in ("ada", "grace"):
        await ask(engine, key)
    async with engine.begin() as connection:
        await queue.request(connection, queue.Request(KIND, first))
        draining = asyncio.create_task(worker(engine, prepare).drain())
        await applying.wait()
        asking = asyncio.create_task(queue.request(connection, queue.Request(KIND, second)))
        await until(lambda: _somebody_waits(engine))
        asked.set()
        await asking
    await draining

    assert dict(tally.applied) == {"ada": 2, "grace": 2}
    assert warnings_of(caplog) == []


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def _somebody_waits(engine: AsyncEngine) -> bool:
    waiting = (
        "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock' and datname = "
        "current_database()"
    )
    return await rows(engine, waiting) == [(True,)]


# -- failing


class FailsAtFirst:
    """A handler that fails so many times, and what it was told in the end."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.tries = 0
        self.gave_up: list[tuple[Payload, str]] = []

    async def run(self, _payload: Payload) -> None:
        self.tries += 1
        self.left -= 1
        if self.left >= 0:
            raise ValueError("not yet")

    async def give_up(self, payload: Payload, reason: str) -> None:
        self.gave_up.append((payload, reason))


async def enqueue(engine: AsyncEngine, name: str) -> None:
    async with engine.begin() as connection:
        await connection.execute(sa.text("select 1"))
        await queue.enqueue(connection, name, {"id": 7})


@pytest.mark.parametrize("times", [0, 1, 2])
async def test_a_job_that_fails_is_tried_again(engine: AsyncEngine, times: int) -> None:
    job = FailsAtFirst(times)
    made = worker(engine)
    made.register(PlainJob("plain", job.run, job.give_up))
    await enqueue(engine, "plain")

    await made.drain()

    assert (job.tries, job.gave_up) == (times + 1, [])
    assert await rows(engine, "select * from pgqueuer") == []


async def test_a_job_that_always_fails_is_put_aside_and_seen(engine: AsyncEngine) -> None:
    job = FailsAtFirst(99)
    made = worker(engine)
    made.register(PlainJob("plain", job.run, job.give_up))
    await enqueue(engine, "plain")

    await made.drain()

    assert job.tries == RETRIES.attempts
    assert job.gave_up == [({"id": 7}, "ValueError: not yet")]
    async with engine.connect() as connection:
        assert await queue.counts(connection) == {("plain", "failed"): 1}


async def test_a_pause_grows_from_try_to_try(engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "_FIRST_PAUSE", queue._FIRST_PAUSE * 500)
    job = FailsAtFirst(99)
    made = worker(engine)
    made.register(PlainJob("plain", job.run))
    await enqueue(engine, "plain")
    waits = []
    stop = asyncio.Event()
    working = asyncio.create_task(made.run(stop))

    for tries in (1, 2):
        await until(lambda tries=tries: _waits(engine, tries))
        [(wait,)] = await rows(
            engine, "select extract(epoch from execute_after - updated)::float from pgqueuer"
        )
        assert isinstance(wait, float)
        waits.append(wait)
        await _hurry(engine)
    stop.set()
    await working

    assert waits == pytest.approx([5, 10], abs=1)


async def _waits(engine: AsyncEngine, tries: int) -> bool:
    return await rows(engine, "select attempts, status::text from pgqueuer") == [(tries, "queued")]


async def _hurry(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(sa.text("update pgqueuer set execute_after = now()"))


async def test_a_coalesced_job_that_failed_is_revived(engine: AsyncEngine) -> None:
    tally, fails = Tally(), FailsAtFirst(RETRIES.attempts * 2)

    async def prepare(connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        await fails.run({})
        return await tally.prepare(connection, keys)

    await ask(engine)
    for _ in range(2):
        await worker(engine, prepare).drain()
        async with engine.connect() as connection:
            assert await queue.counts(connection) == {(KIND, "failed"): 1}
        assert await queue.wake_forgotten(engine) == 1

    await worker(engine, prepare).drain()

    assert tally.applied == [("ada", 1)]
    assert await rows(engine, "select * from pgqueuer") == []
    assert await queue.wake_forgotten(engine) == 0


async def test_a_new_request_starts_a_key_that_was_put_aside(engine: AsyncEngine) -> None:
    tally, fails = Tally(), FailsAtFirst(RETRIES.attempts)

    async def prepare(connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        await fails.run({})
        return await tally.prepare(connection, keys)

    await ask(engine)
    await worker(engine, prepare).drain()
    await ask(engine)
    await worker(engine, prepare).drain()

    assert tally.applied == [("ada", 2)]


async def test_a_key_whose_job_was_deleted_by_hand_is_woken(engine: AsyncEngine) -> None:
    tally = Tally()
    await ask(engine)
    async with engine.begin() as connection:
        await connection.execute(sa.text("delete from pgqueuer"))

    assert await queue.wake_forgotten(engine) == 1
    await worker(engine, tally.prepare).drain()

    assert tally.applied == [("ada", 1)]


# -- dying


async def test_a_worker_that_falls_silent_loses_its_job_to_another(engine: AsyncEngine) -> None:
    """Its row says picked, its heartbeat is old: what a SIGKILL leaves behind."""
    tally = Tally()
    await ask(engine)
    async with engine.begin() as connection:
        dead = (
            "update pgqueuer set status = 'picked', queue_manager_id = gen_random_uuid(), heartbeat = now() "
            "- interval '1 minute'"
        )
        await connection.execute(sa.text(dead))

    await _run_until(worker(engine, tally.prepare), lambda: _nothing_left(engine))

    assert tally.applied == [("ada", 1)]


async def test_who_lost_a_job_meanwhile_applies_nothing(engine: AsyncEngine) -> None:
    tally = Tally()

    async def prepare(connection: AsyncConnection, keys: Sequence[str]) -> queue.Apply:
        async with engine.begin() as other:
            await _take_over(other)
        return await tally.prepare(connection, keys)

    await ask(engine)
    await worker(engine, prepare).drain()

    assert tally.applied == []
    assert await rows(engine, "select requested, done from pending_work") == [(1, 0)]


async def test_a_worker_outlives_a_restart_of_postgres(fragile: Settings, trouble: Trouble) -> None:
    engine = session.connect(fragile.database_url, 5)
    tally = Tally()
    stop = asyncio.Event()
    working = asyncio.create_task(worker(engine, tally.prepare).run(stop))
    await ask(engine)
    await until(lambda: _nothing_left(engine))

    await trouble.restart("postgres")
    await until(lambda: _asked(engine))
    await until(lambda: len(tally.applied) == 2)

    stop.set()
    await working
    await engine.dispose()


async def _asked(engine: AsyncEngine) -> bool:
    try:
        await ask(engine)
    except session.ERRORS:
        return False
    return True


async def test_a_worker_stops_while_postgres_is_away(fragile: Settings, trouble: Trouble) -> None:
    engine = session.connect(fragile.database_url, 5)
    stop = asyncio.Event()
    working = asyncio.create_task(worker(engine, Tally().prepare).run(stop))
    await asyncio.sleep(0.1)

    trouble.take_down("postgres")
    await asyncio.sleep(0.1)
    stop.set()

    await asyncio.wait_for(working, 10)
    await engine.dispose()


async def test_an_outage_of_postgres_is_told_once(
    fragile: Settings, trouble: Trouble, caplog: pytest.LogCaptureFixture
) -> None:
    engine = session.connect(fragile.database_url, 5)
    stop = asyncio.Event()
    trouble.take_down("postgres")

    working = asyncio.create_task(worker(engine).run(stop))
    await asyncio.sleep(1)  # some tries, 50 ms apart and doubling
    stop.set()
    await asyncio.wait_for(working, 30)

    assert caplog.text.count("the queue lost Postgres") == 1
    await engine.dispose()


async def test_running_jobs_are_finished_before_a_worker_stops(engine: AsyncEngine) -> None:
    tally = Tally(seconds=0.2)
    await ask(engine)
    stop = asyncio.Event()
    working = asyncio.create_task(worker(engine, tally.prepare).run(stop))
    await tally.started.wait()

    stop.set()
    await working

    assert tally.applied == [("ada", 1)]


async def test_what_waits_goes_as_soon_as_whoever_is_in_the_greatest_hurry_wants(engine: AsyncEngine) -> None:
    for priority in (queue.BACKGROUND, queue.BEGUN, queue.NEW):
        async with engine.begin() as connection:
            await queue.request(connection, queue.Request(KIND, "ada", priority=priority))

    assert await rows(engine, "select priority from pgqueuer") == [(queue.BEGUN,)]


async def test_several_asked_for_at_once_are_a_job_each_in_its_own_hurry(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        ada, bob = queue.Request(KIND, "ada", "event", queue.BACKGROUND), queue.Request(KIND, "bob", "api")
        await queue.request(connection, ada, bob)
        await queue.request(connection)

    assert await rows(engine, "select dedupe_key, priority from pgqueuer order by id") == [
        (f"{KIND}:ada", queue.BACKGROUND),
        (f"{KIND}:bob", queue.NEW),
    ]
    assert await rows(engine, "select key, requested, trigger from pending_work order by key") == [
        ("ada", 1, "event"),
        ("bob", 1, "api"),
    ]


# -- housekeeping


async def test_the_log_says_what_became_of_a_job_and_nothing_else(engine: AsyncEngine) -> None:
    await ask(engine)
    await worker(engine, Tally().prepare).drain()

    assert await rows(engine, "select status::text from pgqueuer_log") == [("successful",)]


async def test_the_log_of_a_week_ago_is_pruned(engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some rows at a time."""
    monkeypatch.setattr(queue, "_PAGE", 1)
    await ask(engine)
    await worker(engine, Tally().prepare).drain()
    async with engine.begin() as connection:
        await connection.execute(sa.text("update pgqueuer_log set created = now() - interval '8 days'"))

    await queue.prune(engine)

    assert await rows(engine, "select count(*) from pgqueuer_log") == [(0,)]


async def test_the_log_has_no_index_that_no_statement_reads(engine: AsyncEngine) -> None:
    found = await rows(engine, "select indexname from pg_indexes where tablename = 'pgqueuer_log' order by 1")

    assert found == [("pgqueuer_log_created",), ("pgqueuer_log_job_id_status",), ("pgqueuer_log_pkey",)]


async def _run_until(made: Queue, true: Callable[[], Awaitable[bool]]) -> None:
    stop = asyncio.Event()
    working = asyncio.create_task(made.run(stop))
    await until(true)
    stop.set()
    await working
