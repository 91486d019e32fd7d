"""The garbage collector: now and then it walks all that it was not told to leave alone. With a large library
that takes a tenth of a second, in which no call is answered."""

import gc

_RARELY = 100  # walks of what is young, for one of what is old; Python makes it 10


def settle() -> None:
    """Have the collector leave alone what is there by now, and walk rarely what grows old. Of twenty chats
    under way that takes 20 ms, and next to nothing is found."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], _RARELY)
