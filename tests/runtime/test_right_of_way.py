"""Who goes first: what cannot wait, over all that gives it the right of way."""

import asyncio
import gc
from collections.abc import AsyncIterator, Generator

import pytest

from voice_server.runtime import right_of_way
from voice_server.runtime.right_of_way import RightOfWay


@pytest.fixture
def way() -> RightOfWay:
    return RightOfWay()


@pytest.fixture
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than a busy machine takes for anything here."""
    monkeypatch.setattr(right_of_way, "_PATIENCE", 60.0)


@pytest.fixture
async def _spread() -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    right_of_way.spread()
    yield
    loop.set_task_factory(before)


async def steps(done: list[int], number: int = 3) -> str:
    for step in range(number):
        done.append(step)
        await asyncio.sleep(0)
    return "the end"


async def some_turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.usefixtures("_patient")
async def test_no_step_is_made_while_a_call_is_under_way(way: RightOfWay) -> None:
    done: list[int] = []
    way.taken += 1
    task = asyncio.create_task(way.let_pass(steps(done)))
    await some_turns()
    before = list(done)

    way.taken -= 1

    assert (await task, before, done) == ("the end", [], [0, 1, 2])


@pytest.mark.usefixtures("_patient")
async def test_a_call_that_arrives_between_two_steps_goes_before_the_second(way: RightOfWay) -> None:
    done: list[int] = []
    answer = asyncio.get_running_loop().create_future()

    async def work() -> None:
        done.append(0)
        await answer
        done.append(1)

    task = asyncio.create_task(way.let_pass(work()))
    await some_turns()
    way.taken += 1
    answer.set_result(None)
    await some_turns()
    before = list(done)
    way.taken -= 1
    await task

    assert (before, done) == ([0], [0, 1])


async def test_calls_without_end_keep_nobody_from_all_work(way: RightOfWay) -> None:
    way.taken += 1

    assert await way.let_pass(steps([])) == "the end"


async def test_what_goes_wrong_is_told(way: RightOfWay) -> None:
    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("this")

    with pytest.raises(ValueError, match="this"):
        await way.let_pass(fails())


async def test_what_a_future_ends_with_reaches_the_work(way: RightOfWay) -> None:
    answer = asyncio.get_running_loop().create_future()

    async def asks() -> str:
        try:
            await answer
        except ValueError as error:
            return f"heard of {error}"
        return ""

    task = asyncio.create_task(way.let_pass(asks()))
    await some_turns()
    answer.set_exception(ValueError("that"))

    assert await task == "heard of that"


@pytest.mark.usefixtures("_patient")
@pytest.mark.parametrize("taken", [0, 1], ids=["at work", "waiting"])
async def test_a_cancelled_task_cleans_up(way: RightOfWay, taken: int) -> None:
    cleaned: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            cleaned.append("up")

    task = asyncio.create_task(way.let_pass(work()))
    await some_turns()
    way.taken += taken
    task.cancel()
    await some_turns()
    way.taken = 0

    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned == ["up"]


async def test_a_deadline_ends_what_lets_pass(way: RightOfWay) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(way.let_pass(asyncio.sleep(60)), 0.01)


@pytest.mark.usefixtures("_patient", "_spread")
async def test_tasks_that_it_starts_let_pass_too(way: RightOfWay) -> None:
    done: list[int] = []

    async def starts_another() -> None:
        way.taken += 1
        another = asyncio.create_task(steps(done))
        afresh = asyncio.create_task(steps(done), context=right_of_way.fresh_context())
        asyncio.get_running_loop().call_later(0.01, tell)
        await asyncio.gather(another, afresh)

    before: list[int] = []

    def tell() -> None:
        before.extend(done)
        way.taken -= 1

    await way.let_pass(starts_another())

    assert (before, done) == ([], [0, 0, 1, 1, 2, 2])


@pytest.mark.usefixtures("_patient", "_spread")
async def test_a_task_of_somebody_else_waits_for_nothing(way: RightOfWay) -> None:
    way.taken += 1

    assert await asyncio.create_task(steps([])) == "the end"


@pytest.mark.usefixtures("_spread")
async def test_a_task_that_is_cancelled_before_it_begins_leaves_nothing(way: RightOfWay) -> None:
    done: list[int] = []

    async def starts_none() -> None:
        task = asyncio.create_task(steps(done))
        task.cancel()
        await asyncio.wait((task,))

    await way.let_pass(starts_none())
    gc.collect()  # a coroutine that was never awaited is told of, and warnings are errors

    assert done == []


def test_work_that_is_given_up_is_closed(way: RightOfWay) -> None:
    closed: list[str] = []

    class Waits:
        def __await__(self) -> Generator[None, None, None]:
            yield

    async def work() -> None:
        try:
            await Waits()
        finally:
            closed.append("closed")

    given_up = way.let_pass(work())
    given_up.send(None)
    given_up.close()

    assert closed == ["closed"]
