"""What is made once is made once, whoever asks."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

import pytest

from voice_server.runtime.once import once

THREADS = 8


def _ask_together(ask: Callable[[int], object]) -> list[object]:
    together = Barrier(THREADS)

    def one(place: int) -> object:
        together.wait(10)
        return ask(place)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


def test_threads_that_ask_at_the_same_time_get_the_same_thing_made_once() -> None:
    made = []

    @once
    def thing() -> object:
        sleep(0.05)
        made.append(object())
        return made[-1]

    assert _ask_together(lambda _: thing()) == made * THREADS
    assert len(made) == 1


def test_each_argument_has_its_own() -> None:
    @once
    def doubled(number: int) -> list[int]:
        return [number, number]

    assert _ask_together(lambda place: doubled(place % 2)) == [[0, 0], [1, 1]] * (THREADS // 2)
    assert doubled(1) is doubled(1)


def test_what_cannot_be_made_is_tried_again() -> None:
    tries = []

    @once
    def fragile() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("no such file")
        return "made"

    with pytest.raises(OSError, match="no such file"):
        fragile()
    assert fragile() == "made"


def test_what_is_made_of_each_other_by_two_threads_at_once_waits_for_neither() -> None:
    """A lock for each would be taken in either order."""

    @once
    def left(deep: int) -> int:
        sleep(0.01)
        return right(deep - 1) + 1 if deep else 0

    @once
    def right(deep: int) -> int:
        sleep(0.01)
        return left(deep - 1) + 1 if deep else 0

    assert _ask_together(lambda place: (left, right)[place % 2](4)) == [4] * THREADS
