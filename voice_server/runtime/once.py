"""Make something once, though several threads ask for it at the same time."""

from collections.abc import Callable
from functools import cache, wraps
from threading import RLock
from typing import TypeVar, TypeVarTuple, Unpack, cast

_Asked = TypeVarTuple("_Asked")
_Made = TypeVar("_Made")

# One for all: what is made asks for other things that are made once, and two locks could be taken in either
# order.
_MAKING = RLock()


def once(make: Callable[[Unpack[_Asked]], _Made]) -> Callable[[Unpack[_Asked]], _Made]:
    """Cache as functools.cache does, for positional arguments alone; threads that ask at the same time wait
    for the first.

    For language data: a worker that starts with many calls waiting would compile it in each thread, and
    msgspec 0.22 ends the process with a segmentation fault when one thread converts to a struct whose type
    another is still looking at.
    """
    made: dict[object, _Made] = {}

    @wraps(make)
    def make_once(*asked: *_Asked) -> _Made:
        with _MAKING:
            if asked not in made:
                made[asked] = make(*asked)
            return made[asked]

    return cast("Callable[[Unpack[_Asked]], _Made]", cache(make_once))
