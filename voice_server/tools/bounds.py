"""What an argument may be: bounds that hold for every tool, and that its schema tells."""

import math
from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

_LARGEST = 2**63 - 1  # of Postgres' bigint
_FIRST_DAY, _LAST_DAY = date(1900, 1, 1), date(2200, 1, 1)

Text = Annotated[str, Meta(min_length=1, max_length=300)]
Day = date
MinScore = Annotated[float, Meta(ge=0, le=1)]
RowId = Annotated[int, Meta(ge=1, le=_LARGEST)]
MessageId = Annotated[str, Meta(max_length=30, pattern=r"^[0-9]{1,18}:[0-9]{1,9}$")]


def check(arguments: Struct) -> None:
    """What no schema says. Raises ValueError: a text of nothing but spaces, a day nobody lived, no number."""
    for name in arguments.__struct_fields__:
        value = getattr(arguments, name)
        if isinstance(value, str) and not value.strip():
            raise ValueError(f"{name}: there is nothing in it")
        if isinstance(value, date) and not _FIRST_DAY <= value <= _LAST_DAY:
            raise ValueError(f"{name}: the day must be from {_FIRST_DAY} to {_LAST_DAY}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{name}: it must be a number")
