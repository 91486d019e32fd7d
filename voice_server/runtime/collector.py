"""The garbage collector: now and then it walks all that it was not told to leave alone. With a large library
that takes a tenth of a second, in which no call is answered."""

import gc

_YOUNG = 700  # objects, for each walk of what is young: Python's own
_RARELY = 100  # walks of what has grown older, for one of what is old; Python makes it 10


def settle(young: int = _YOUNG) -> None:
    """Have the collector leave alone what is there by now, and walk rarely what grows old. Of twenty chats
    under way that takes 20 ms, and next to nothing is found. What is young is walked at so many objects at
    least: at more, each walk takes longer, and all together less. What is old is walked as often."""
    gc.collect()
    gc.freeze()
    now, older, _ = gc.get_threshold()
    gc.set_threshold(max(now, young), older, _RARELY * _YOUNG // young)
