"""The garbage collector looks no more through what stays, and goes on with all else."""

import asyncio
import gc
from collections.abc import Iterator

import pytest
from pretend.trouble import until

from voice_server.runtime import collector
from voice_server.settings import Settings
from voice_server.worker import Worker


class Ring:
    """Garbage that only the collector finds, once nobody else knows it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.freeze()  # a million objects that the test process had frozen before
    gc.set_threshold(*thresholds)


def rings() -> int:
    return sum(isinstance(one, Ring) for one in gc.get_objects())


@pytest.mark.usefixtures("as_before")
def test_what_is_there_is_walked_no_more() -> None:
    library = [Ring() for _ in range(1000)]

    collector.settle()

    assert gc.get_freeze_count() >= len(library)
    assert rings() == 0
    assert gc.isenabled()


@pytest.mark.usefixtures("as_before")
def test_what_comes_later_is_collected() -> None:
    collector.settle()
    for _ in range(10):
        Ring()

    gc.collect()

    assert rings() == 0


@pytest.mark.usefixtures("as_before")
def test_what_grows_old_in_a_settled_process_is_walked_rarely() -> None:
    collector.settle()
    before = gc.get_stats()[2]["collections"]

    old = [Ring() for _ in range(200_000)]

    assert len(old) > gc.get_threshold()[0]
    assert gc.get_stats()[2]["collections"] == before


@pytest.mark.usefixtures("as_before")
def test_where_nobody_waits_what_is_young_is_walked_less_often_and_what_is_old_as_often() -> None:
    gc.set_threshold(700, 10, 10)

    collector.settle(14_000)
    collector.settle(14_000)

    assert gc.get_threshold() == (14_000, 10, 5)


@pytest.mark.usefixtures("as_before")
async def test_what_a_worker_has_read_by_the_time_it_is_ready_is_walked_no_more(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voice_server.worker._READY", 0.0)
    gc.unfreeze()
    stop = asyncio.Event()
    running = asyncio.create_task(Worker(settings).run(stop))

    await until(lambda: gc.get_freeze_count() > 0)
    stop.set()
    await running

    assert gc.get_freeze_count() > 100_000
