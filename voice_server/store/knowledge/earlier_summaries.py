"""Earlier summaries: what was said of a day before another text took its place.

They are kept only while the day grows, or is summed up anew with all that was said before. What is withdrawn
of a day takes them with it. Of a user who asked for something to be forgotten none is kept: any may tell of
it.
"""

from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.days import DaySource
from voice_server.store.session import Statement

MOST = 5  # of one day


class EarlierSummary(Struct, frozen=True):
    """An earlier summary, with how many messages the day had, and when it was made (UTC)."""

    summary: str
    source: DaySource
    messages: int
    made_at: datetime


class Replacement(Struct, frozen=True):
    """What is to stand for a day. `grown_from` is the `told` of the segment there is, where the new one tells
    all that, else ""."""

    user_id: str
    agent_id: str
    day: date
    summary: str
    basis: str
    grown_from: str


async def of_days(connection: AsyncConnection, day_ids: Sequence[int]) -> dict[int, list[EarlierSummary]]:
    rows = (await connection.execute(_OF_DAYS, {"days": list(day_ids)})).all()
    return {
        day_id: [EarlierSummary(*values) for _, *values in found]
        for day_id, found in groupby(rows, lambda row: int(row.day_id))
    }


async def before_saving(connection: AsyncConnection, made: Replacement) -> None:
    """Keep the summary that is about to be replaced, or forget all of a day that lost something."""
    asked = {name: getattr(made, name) for name in Replacement.__struct_fields__}
    await (_FORGET_LOSING if not made.grown_from else _KEEP_GROWING).rows(connection, asked)


async def before_model(connection: AsyncConnection, day_id: int, basis: str, summary: str) -> None:
    await connection.execute(_KEEP_WORDS, {"day_id": day_id, "basis": basis, "summary": summary})


async def forget(connection: AsyncConnection, user_ids: Sequence[str]) -> None:
    """Forget all earlier summaries of these users. After `day_requests.supersede`."""
    await connection.execute(_FORGET, {"users": list(user_ids), "conversation": None})


async def forget_telling(connection: AsyncConnection, user_id: str, conversation_id: int) -> None:
    """Forget those of a user's days that tell of a conversation. After `day_requests.supersede`."""
    await connection.execute(_FORGET, {"users": [user_id], "conversation": conversation_id})


_OF_DAYS = sa.text("""
select day_id, summary, source, messages, made_at from earlier_day_summaries
where day_id = any(cast(:days as bigint[])) order by day_id, id desc
""")
# `replaced` is the segment as it is. What users ask to have forgotten stands with digests, and with
# themselves.
_KEEP = f"""
with replaced as (select * from day_segments where {{which}} for update), kept as (
    insert into earlier_day_summaries (day_id, summary, source, messages, made_at)
    select r.id, r.summary, r.source, r.messages, r.updated_at from replaced r
    where r.summary <> '' and r.summary <> :summary and {{also}}
        and not exists (select from digests d where d.user_id = r.user_id and d.forgets <> '[]')
        and not exists (select from users u where u.id = r.user_id and u.forgets <> '[]')
    returning day_id
)
delete from earlier_day_summaries where day_id in (select day_id from kept) and id not in (
    select id from earlier_day_summaries where day_id in (select day_id from kept)
    order by id desc limit {MOST - 1}
)
"""  # noqa: S608 (all of it is ours)
_OF_DAY = "user_id = :user_id and agent_id = :agent_id and day = :day"
_KEEP_GROWING = Statement(
    _KEEP.format(which=_OF_DAY, also="r.told = :grown_from and not (r.source = 'model' and r.basis = :basis)")
)
_KEEP_WORDS = sa.text(
    _KEEP.format(which="id = :day_id", also="r.told <> '' and r.basis = :basis and r.awaits_model")
)
_FORGET_LOSING = Statement(
    f"delete from earlier_day_summaries where day_id = (select id from day_segments where {_OF_DAY})"  # noqa: S608 (our own names)
)
_FORGET = sa.text("""
delete from earlier_day_summaries e using day_segments s
where e.day_id = s.id and s.user_id = any(cast(:users as text[]))
    and (cast(:conversation as bigint) is null or :conversation = any(s.sources))
""")
