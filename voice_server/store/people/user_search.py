"""Users found by a part of their name, or of a phone number of theirs.

Ids are searched in order: first a stretch that is read one by one, then those behind it, by an index. What
many have in common, enough of the stretch have; what few of it have, few have at all. So neither reads far.
"""

import re
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.tables import addresses, shared_lines, users

_STRETCH = 2000  # users
_SHORTEST = 3  # letters or digits side by side, as the index has them
_PUNCTUATION = re.compile(r"[\s+()./-]")  # of a phone number
_LIKE = re.compile(r"[%_\\]")  # what `like` does not take for itself

# As in the index, word for word: it has no parameter.
_HAS_NAME: "sa.ColumnElement[bool]" = sa.literal_column("users.name <> ''", sa.Boolean)

_Ids = sa.Select[tuple[str]]


class _Question(Struct, frozen=True):
    name: str
    digits: str


class _Span(Struct, frozen=True):
    after: str
    last: str | None

    def has(self, user_id: "sa.ColumnElement[Any]") -> "sa.ColumnElement[bool]":
        behind = user_id > self.after
        return behind if self.last is None else behind & (user_id <= self.last)


async def matching(connection: AsyncConnection, wanted: str, *, after: str = "", limit: int) -> list[str]:
    """Return ids of users, in order, whose name has `wanted` in it, or begins so where that is less than
    three letters; and where it is three digits or more, whose phone number or shared line has them in it."""
    question = _question(wanted)
    if not question.name:
        return []
    last, there = (await connection.execute(_stretch(after))).one()
    if not there:
        return []
    found = await _ids(connection, question, _Span(after, last), limit)
    if len(found) < limit and there == _STRETCH:
        found += await _ids(connection, question, _Span(last, None), limit - len(found))
    return found


def begins(text: str) -> "sa.ColumnElement[bool]":
    """Return the condition that a user's name begins so: as in the index."""
    pattern = sa.func.lower(sa.literal(_LIKE.sub(r"\\\g<0>", text) + "%"))
    return sa.func.lower(users.c.name).like(pattern) & _HAS_NAME


def _question(wanted: str) -> _Question:
    digits = _PUNCTUATION.sub("", wanted)
    is_part = len(digits) >= _SHORTEST and digits.isascii() and digits.isdigit()
    return _Question(" ".join(wanted.split()), digits if is_part else "")


def _stretch(after: str) -> "sa.Select[Any, Any]":
    ids = sa.select(users.c.id).where(users.c.id > after).order_by(users.c.id).limit(_STRETCH).subquery()
    return sa.select(sa.func.max(ids.c.id), sa.func.count())


async def _ids(connection: AsyncConnection, question: _Question, span: _Span, limit: int) -> list[str]:
    ways = [sa.select(users.c.id).where(span.has(users.c.id), _is_named(question.name, span))]
    if question.digits:
        ways += _known_by(question.digits, span)
    found = sa.union(*ways).subquery()
    return list((await connection.execute(sa.select(found.c.id).order_by(found.c.id).limit(limit))).scalars())


def _is_named(name: str, span: _Span) -> "sa.ColumnElement[bool]":
    if len(name) < _SHORTEST:
        return begins(name)
    has_it = sa.func.strpos(sa.func.lower(users.c.name), sa.func.lower(name)) > 0
    return has_it & _HAS_NAME & _has_grams(users.c.name, name) if span.last is None else has_it


def _known_by(digits: str, span: _Span) -> list[_Ids]:
    own = sa.select(addresses.c.user_id.label("id")).where(
        _has(addresses, digits), span.has(addresses.c.user_id)
    )
    sharing = sa.select(shared_lines.c.user_id).where(span.has(shared_lines.c.user_id))
    if span.last is not None:
        return [own, sharing.where(_has(shared_lines, digits))]
    is_like_it = _has_grams(_number(addresses), digits)
    lines = addresses.c.shared & (addresses.c.address == shared_lines.c.address)
    return [own.where(is_like_it), sharing.join(addresses, lines).where(_has(addresses, digits), is_like_it)]


def _has(table: sa.Table, digits: str) -> "sa.ColumnElement[bool]":
    is_phone: sa.ColumnElement[bool] = sa.literal_column(f"{table.name}.address like 'tel:+%'", sa.Boolean)
    return is_phone & (sa.func.strpos(_number(table), digits) > 0)


def _number(table: sa.Table) -> "sa.ColumnElement[str]":
    return sa.literal_column(f"substr({table.name}.address, 6)", sa.Text)


def _has_grams(text: "sa.ColumnElement[str]", part: str) -> "sa.ColumnElement[bool]":
    return sa.func.text_grams(text).bool_op("@>")(sa.func.text_grams(part))
