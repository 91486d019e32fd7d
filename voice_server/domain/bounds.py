"""Bounds of what is stored, the same at every door: the largest id, the days on which anybody can have
lived, what a text may hold."""

from datetime import date

LARGEST = 2**63 - 1  # of Postgres' bigint
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2200, 1, 1)


def storable(text: str) -> str:
    """Without what Postgres stores not, and JSON carries not: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "").encode(errors="replace").decode()
