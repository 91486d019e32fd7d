"""The garbage collector: now and then it walks all that it was not told to leave alone. With a large library
that takes a tenth of a second, in which no call is answered."""

import gc
from collections.abc import Callable
from typing import TypeVar

_Loaded = TypeVar("_Loaded")


def loaded(load: Callable[[], _Loaded]) -> _Loaded:
    """Load what stays until the process ends. From then on the collector leaves alone what is there."""
    was_enabled = gc.isenabled()
    gc.disable()  # it would look through what is loaded again and again
    try:
        return load()
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
