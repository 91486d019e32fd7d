"""The garbage collector looks no more through what stays, and goes on with all else."""

import gc
from collections.abc import Iterator

import pytest

from voice_server.runtime import collector


class Ring:
    """Garbage that only the collector finds, once nobody else knows it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


def rings() -> int:
    return sum(isinstance(one, Ring) for one in gc.get_objects())


def test_what_was_loaded_is_walked_no_more() -> None:
    before = gc.get_freeze_count()

    library = collector.loaded(lambda: [Ring() for _ in range(1000)])

    assert gc.get_freeze_count() - before >= len(library)
    assert rings() == 0
    assert gc.isenabled()


def test_what_comes_later_is_collected() -> None:
    collector.loaded(list)
    for _ in range(10):
        Ring()

    gc.collect()

    assert rings() == 0


def test_a_library_that_cannot_be_loaded_leaves_the_collector_at_work() -> None:
    def load() -> None:
        raise ImportError("there is none")

    with pytest.raises(ImportError):
        collector.loaded(load)

    assert gc.isenabled()


@pytest.mark.usefixtures("as_before")
def test_what_grows_old_in_a_settled_process_is_walked_rarely() -> None:
    collector.settle()
    before = gc.get_stats()[2]["collections"]

    old = [Ring() for _ in range(200_000)]

    assert len(old) > gc.get_threshold()[0]
    assert gc.get_stats()[2]["collections"] == before
