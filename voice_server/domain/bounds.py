"""Bounds of all that is stored: the largest id, the days on which anybody can have lived, what a text may
hold."""

from datetime import date

LARGEST = 2**63 - 1  # of Postgres' bigint
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2200, 1, 1)


def storable(text: str) -> str:
    """Drop NUL, and replace halves of surrogate pairs: Postgres does not store them, JSON does not carry
    them."""
    return text.replace("\0", "").encode(errors="replace").decode()
