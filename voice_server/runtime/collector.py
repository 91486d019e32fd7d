"""The garbage collector: now and then it walks all that it was not told to leave alone. With a large library
that takes a tenth of a second, in which no call is answered."""

import gc

_RARELY = 100  # walks of what has grown older, for one of what is old; Python makes it 10


def settle(rarer: int = 1) -> None:
    """Have the collector leave alone what is there by now, and walk rarely what grows old. Of twenty chats
    under way that takes 20 ms, and next to nothing is found. What is young is walked `rarer`, so many
    times; each walk takes the longer, and all together less."""
    gc.collect()
    gc.freeze()
    young, older, _ = gc.get_threshold()
    gc.set_threshold(young * rarer, older, _RARELY // rarer)
