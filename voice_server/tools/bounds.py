"""Bounds of arguments, for every tool, which its schema tells."""

import math
from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

from voice_server.domain.bounds import FIRST_DAY, LARGEST, LAST_DAY

Text = Annotated[str, Meta(min_length=1, max_length=300)]
Day = date
MinScore = Annotated[float, Meta(ge=0, le=1)]
RowId = Annotated[int, Meta(ge=1, le=LARGEST)]
MessageId = Annotated[str, Meta(max_length=30, pattern=r"^[0-9]{1,18}:[0-9]{1,9}$")]


def check(arguments: Struct) -> None:
    """Raise ValueError for what no schema rules out: nothing but spaces, a day nobody lived, no finite
    number."""
    for name in arguments.__struct_fields__:
        value = getattr(arguments, name)
        if isinstance(value, str) and not value.strip():
            raise ValueError(f"{name}: there is nothing in it")
        if isinstance(value, date) and not FIRST_DAY <= value <= LAST_DAY:
            raise ValueError(f"{name}: the day must be from {FIRST_DAY} to {LAST_DAY}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{name}: it must be a number")
