"""Facts: what is known, made again from all claims whenever one of them changes.

    gather (one query) → digest.facts.reconcile (pure, in a thread) → write the rows that changed

Rows of origin `api`, `tool` and `excerpt` were said by hand: they take part as claims of their own. Of the
others only pins and exclusions are set by hand. An edit is a row of its own that names the words it replaced,
and has the `provenance` of the first of them.
"""

import asyncio
import secrets
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from typing import Any, TypedDict, Unpack

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.context.screening.hygiene import is_suspicious
from voice_server.digest.facts import reconcile
from voice_server.digest.facts.reconcile import ConversationClaims, FactState
from voice_server.digest.language.stems import content_stems
from voice_server.domain.fact import About, Claim, Origin, Provenance, Source
from voice_server.errors import Conflict, NotFound
from voice_server.store.json_rows import inserting, packed, replacing
from voice_server.store.knowledge import editing, excerpts
from voice_server.store.session import Statement
from voice_server.store.tables import conversations, facts

_GATHER = Statement("""
select
    (select json_agg(json_build_object(
        'conversation_id', c.id, 'at', c.started_at, 'order', c.platform_id, 'claims', d.claims
    ))::text from digests d join conversations c on c.id = d.conversation_id
    where d.user_id = :user and c.agent_id = :agent) as told,
    (select json_agg(f)::text from facts f where user_id = :user and agent_id = :agent) as rows
""")
_LINK = Statement("""
update facts f set superseded_by = newer.id
from unnest(cast(:keys as text[]), cast(:superseded_by as text[])) as one (key, superseded_by)
    left join facts newer
        on newer.user_id = :user and newer.agent_id = :agent and newer.key = one.superseded_by
where f.user_id = :user and f.agent_id = :agent and f.key = one.key
    and f.superseded_by is distinct from newer.id
""")
_BEFORE = sa.text("""
select f.id, f.text, f.topic, f.last_said_on from facts f
join conversations c on c.id = :conversation and f.user_id = c.user_id and f.agent_id = c.agent_id
where (f.superseded_by is null or f.valid_to > c.started_at::date)
    and not f.excluded and not f.flagged and f.times > 0 and f.conversation_id is distinct from c.id and (
    f.origin <> 'digest' or exists (
        select from jsonb_array_elements(f.sources) s where (s ->> 'conversation_id')::bigint <> c.id
    )
)
order by f.pinned desc, f.last_said_on desc, f.id desc limit :limit
""")
_NOTED = sa.text("""
select f.id from facts f left join facts instead on instead.id = f.superseded_by
where f.user_id = :user and f.agent_id = :agent and f.origin = 'tool' and f.said_in = :said_in
    and f.text = :text
    and (instead.id is null or instead.text = f.text or instead.pinned or instead.excluded)
""")
_OF_A_ROW = ("id", "version", "user_id", "agent_id", "said_in", "created_at", "updated_at")


class EarlierWording(Struct, frozen=True):
    """The words before an edit ("": they were erased), and where the first of them came from."""

    text: str
    origin: Origin
    said_on: date
    said_in: str


class Row(Struct, frozen=True, gc=False):
    """A fact as a person sees it, by the columns of `tables.facts`. `superseded_by` took its place on the day
    `valid_to`."""

    id: int
    user_id: str
    agent_id: str
    key: str
    about: About
    text: str
    topic: str
    stems: tuple[str, ...]
    certainty: float
    salience: float
    times: int
    said_on: date
    last_said_on: date
    valid_from: date | None
    valid_to: date | None
    due: date | None
    origin: Origin
    said_in: str
    pinned: bool
    excluded: bool
    flagged: bool
    supersedes: str
    superseded_by: int | None
    sources: tuple[Source, ...]
    conversation_id: int | None
    positions: tuple[int, ...]
    version: int
    created_at: datetime
    updated_at: datetime
    provenance: Provenance | None = None

    @property
    def edited(self) -> EarlierWording | None:
        if (first := self.provenance) is None:
            return None
        return EarlierWording(self.supersedes, first.origin, first.said_on, first.said_in)


class Changes(TypedDict, total=False):
    """What a person can change: pins and exclusions in place; all else makes a new fact that supersedes the
    old."""

    about: About
    text: str
    topic: str
    certainty: float
    salience: float
    valid_from: date | None
    due: date | None
    pinned: bool
    excluded: bool


_FLAGS = {"pinned", "excluded"}
_told = msgspec.json.Decoder(list[ConversationClaims])
_rows = msgspec.json.Decoder(list[Row])


async def page(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str | None = None,
    *,
    after: int = 0,
    limit: int = 50,
    current_on: date | None = None,
) -> list[Row]:
    """Return facts by id; with `current_on`, those that hold on this day and are told."""
    wanted = editing.listed(facts, user_id, agent_id, after=after, limit=limit)
    if current_on is not None:
        wanted = wanted.where(_is_told(current_on))
    return await editing.rows(connection, wanted, Row)


async def latest(connection: AsyncConnection, user_id: str, *, limit: int) -> list[Row]:
    """Return facts, whatever became of them: pinned ones first, then those said last."""
    columns = (facts.c.pinned, facts.c.last_said_on, facts.c.id)
    return await editing.rows(connection, editing.latest(facts, user_id, columns, limit=limit), Row)


async def count(connection: AsyncConnection, user_id: str, *, current_on: date, most: int) -> int:
    wanted = editing.listed(facts, user_id, None, after=0, limit=most).where(_is_told(current_on))
    return await editing.count(connection, wanted)


def _is_told(today: date) -> "sa.ColumnElement[bool]":
    holds = facts.c.superseded_by.is_(None) | (facts.c.valid_to > today)
    return holds & ~facts.c.excluded & ~facts.c.flagged & (facts.c.times > 0)


class CurrentFact(Struct, frozen=True):
    id: int
    about: About
    text: str
    last_said_on: date
    origin: Origin


async def held(
    connection: AsyncConnection, user_id: str, agent_id: str, today: date
) -> tuple[list[CurrentFact], str]:
    """Return the facts that hold today and may be told; and the user's language: as set, else of the latest
    conversation whose is known, else ""."""
    theirs = (facts.c.user_id == user_id) & (facts.c.agent_id == agent_id) & _is_told(today)
    columns = [facts.c[name] for name in CurrentFact.__struct_fields__]
    rows = [CurrentFact(*row) for row in await connection.execute(sa.select(*columns).where(theirs))]
    language = (await connection.execute(_LANGUAGE, {"user": user_id})).scalar_one_or_none() if rows else ""
    return rows, language or ""


_LANGUAGE = sa.text("""
select coalesce(nullif(u.language, ''), (
    select language from conversations where user_id = u.id and language <> ''
    order by started_at desc, id desc limit 1
)) from users u where u.id = :user
""")


async def get(connection: AsyncConnection, id_: int) -> Row:
    """Return one fact. Raises NotFound."""
    return await editing.row(connection, facts, id_, Row, "fact")


class EarlierFact(Struct, frozen=True, order=True):
    id: int
    text: str
    topic: str
    last_said_on: date


async def before(connection: AsyncConnection, conversation_id: int, limit: int) -> list[EarlierFact]:
    """Return the facts that hold whatever a conversation says: the latest said, in the order of their ids."""
    rows = await connection.execute(_BEFORE, {"conversation": conversation_id, "limit": limit})
    return sorted(EarlierFact(*row) for row in rows)


async def add(
    connection: AsyncConnection,
    user_id: str,
    agent_id: str,
    claim: Claim,
    *,
    at: datetime,
    pinned: bool = False,
) -> Row:
    """Add a fact by hand; it wins over what conversations said before. Ask for a rebuild. What reads like an
    instruction is kept and flagged. Raises NotFound for an unknown user or agent."""
    user_id = await editing.adding(connection, user_id, agent_id)
    id_ = await _insert(connection, _Entry(user_id, agent_id, claim, at, "api", pinned=pinned))
    await refresh(connection, user_id, agent_id)
    return await get(connection, id_)


async def promote(
    connection: AsyncConnection, user_id: str, agent_id: str, claim: Claim, source: Source, *, at: datetime
) -> Row:
    """Make an excerpt a pinned fact that goes with its conversation. Ask for a rebuild. Raises Conflict when
    it is one already, NotFound for an unknown user or agent."""
    user_id = await editing.adding(connection, user_id, agent_id)
    key = await excerpts.key(connection, source)
    is_it = (facts.c.user_id == user_id) & (facts.c.agent_id == agent_id) & (facts.c.key == key)
    there = (await connection.execute(sa.select(facts.c.id).where(is_it))).scalar_one_or_none()
    if there is not None:
        raise Conflict(f"Fact {there} is what these messages say: change that one.")
    entry = _Entry(user_id, agent_id, claim, at, "excerpt", pinned=True, key=key, source=source)
    id_ = await _insert(connection, entry)
    await refresh(connection, user_id, agent_id)
    return await get(connection, id_)


async def note(
    connection: AsyncConnection, user_id: str, agent_id: str, claim: Claim, *, at: datetime, said_in: str
) -> bool:
    """Add what a tool was told; return False when the same was noted in that conversation already. Ask for a
    rebuild. `said_in` is the platform's id of the conversation, or "". A text noted in two conversations has
    two rows, and one holds: when its conversation goes, the other does. Raises NotFound for an unknown user
    or agent."""
    user_id = await editing.adding(connection, user_id, agent_id)
    asked = {"user": user_id, "agent": agent_id, "text": claim.text, "said_in": said_in}
    if (await connection.execute(_NOTED, asked)).first():
        return False
    await _insert(connection, _Entry(user_id, agent_id, claim, at, "tool", said_in=said_in))
    await refresh(connection, user_id, agent_id)
    return True


async def take_back(connection: AsyncConnection, conversation_id: int, user_id: str) -> bool:
    """Take back what tools added for a user in a conversation; return whether there was any. What a person
    pinned or excluded since stays. `refresh` afterwards."""
    its_name = sa.select(conversations.c.platform_id).where(conversations.c.id == conversation_id)
    added = (
        (facts.c.user_id == user_id)
        & (facts.c.said_in == its_name.scalar_subquery())
        & (facts.c.origin == "tool")
        & ~facts.c.pinned
        & ~facts.c.excluded
    )
    gone = await connection.execute(sa.delete(facts).where(added).returning(facts.c.id))
    return gone.first() is not None


async def change(
    connection: AsyncConnection, id_: int, version: int | None, *, at: datetime, **changes: Unpack[Changes]
) -> Row:
    """Change a fact by hand; return it as it is afterwards. Ask for a rebuild. Pins and exclusions change the
    row; anything else makes a new fact that supersedes it on the day of `at`, which is now in the user's time
    zone, and takes over its flags and where it comes from. Raises NotFound, and Conflict when it was changed
    meanwhile."""
    row = await editing.changing(connection, get, id_, version)
    flags = {name: value for name, value in asdict(row).items() if name in _FLAGS} | {
        name: value for name, value in changes.items() if name in _FLAGS
    }
    edits = {
        name: value for name, value in changes.items() if name not in _FLAGS and value != getattr(row, name)
    }
    if edits:
        await _flag(connection, row, pinned=False, excluded=row.excluded)
        id_ = await _insert_edit(connection, row, edits, flags, at)
    elif any(getattr(row, name) != value for name, value in flags.items()):
        await _flag(connection, row, **flags)
    await refresh(connection, row.user_id, row.agent_id)
    try:
        return await get(connection, id_)
    except NotFound:  # nothing but the pin or exclusion had kept it
        return replace(row, **flags, version=row.version + 1)


async def undo(connection: AsyncConnection, id_: int, version: int | None, *, at: datetime) -> Row:
    """Take an edit back; return the fact with the words before, its flags those of the edit. Ask for a
    rebuild. Where nothing says these words any more, they are written over the edit. Raises NotFound, and
    Conflict when there is nothing to take back, or it was changed meanwhile."""
    row = await editing.changing(connection, get, id_, version)
    await _check_is_latest_edit(connection, row)
    before = await _before_edit(connection, row)
    if before is None and row.text == row.supersedes:
        raise Conflict(f"What fact {id_} was before is not there any more.")
    if before is None:
        return await change(connection, id_, row.version, at=at, text=row.supersedes)
    await _flag(connection, before, pinned=row.pinned, excluded=row.excluded)
    await connection.execute(sa.delete(facts).where(facts.c.id == id_))
    await refresh(connection, row.user_id, row.agent_id)
    return await get(connection, before.id)


async def _check_is_latest_edit(connection: AsyncConnection, row: Row) -> None:
    if row.provenance is None or not row.supersedes:
        raise Conflict(f"Fact {row.id} has no earlier words to go back to.")
    if row.superseded_by is None:
        return
    later = await get(connection, row.superseded_by)
    if later.provenance is not None and later.supersedes == row.text:
        raise Conflict(f"Fact {row.id} was edited since: take back fact {later.id} first.")


async def _before_edit(connection: AsyncConnection, edit: Row) -> Row | None:
    """Find the row that was edited: an excluded edit may not supersede it, and others may have its words."""
    worded = (facts.c.user_id == edit.user_id) & (facts.c.agent_id == edit.agent_id)
    worded &= (facts.c.text == edit.supersedes) & (facts.c.id < edit.id)
    replaced = facts.c.superseded_by.is_not_distinct_from(edit.id)
    wanted = sa.select(facts).where(worded).order_by(replaced.desc(), facts.c.id.desc()).limit(1)
    return next(iter(await editing.rows(connection, wanted, Row)), None)


async def refresh(connection: AsyncConnection, user_id: str, agent_id: str) -> bool:
    """Make the facts anew; return whether anything changed. In the transaction in which claims or facts
    changed, after `users.lock`."""
    arguments = {"user": user_id, "agent": agent_id}
    [(told, rows)] = await _GATHER.rows(connection, arguments)
    if told is None and rows is None:
        return False
    # in a thread: thousands of facts take a good part of a second
    made = await asyncio.to_thread(_make, told or "[]", rows or "[]")
    await _write(connection, user_id, agent_id, made)
    return bool(made.gone or made.changed)


class _FactChanges(Struct, frozen=True):
    """`linked` are those of `changed` that another fact supersedes, or superseded before."""

    gone: list[int]
    changed: list[FactState]
    linked: list[FactState]


def _make(told: str, rows: str) -> _FactChanges:
    there = _rows.decode(rows)
    keys = {row.id: row.key for row in there}
    before = {row.key: _known(row, keys) for row in there}
    after = reconcile.facts(_told.decode(told), before.values())
    kept = {one.key for one in after}
    superseded = {key for key, one in before.items() if one.superseded_by}
    changed = [one for one in after if before.get(one.key) != one]
    return _FactChanges(
        [row.id for row in there if row.key not in kept],
        changed,
        [one for one in changed if one.superseded_by or one.key in superseded],
    )


def _known(row: Row, keys: Mapping[int, str]) -> FactState:
    values = {name: value for name, value in asdict(row).items() if name not in _OF_A_ROW}
    values["superseded_by"] = keys.get(row.superseded_by or 0, "")
    if row.origin == "digest":
        return FactState(**values)
    return FactState(**values, made_at=row.created_at, entry=row.id)


async def _write(connection: AsyncConnection, user_id: str, agent_id: str, made: _FactChanges) -> None:
    if made.gone:
        await connection.execute(sa.delete(facts).where(facts.c.id.in_(made.gone)))
    if not made.changed:
        return
    rows = [{"user_id": user_id, "agent_id": agent_id, **_columns(one)} for one in made.changed]
    await _writing(tuple(rows[0])).rows(connection, {"rows": packed(rows)})
    if made.linked:
        links = {
            "keys": [one.key for one in made.linked],
            "superseded_by": [one.superseded_by for one in made.linked],
        }
        await _LINK.rows(connection, {"user": user_id, "agent": agent_id, **links})


@cache
def _writing(columns: tuple[str, ...]) -> Statement:
    named = ("user_id", "agent_id", "key")
    new = replacing([name for name in columns if name not in named])
    over = f"on conflict ({', '.join(named)}) do update set {new}, updated_at = now()"
    return Statement(f"{inserting('facts', columns)} {over}")


def _columns(known: FactState) -> dict[str, Any]:
    values = {
        name: value
        for name, value in asdict(known).items()
        if name not in ("superseded_by", "made_at", "entry")
    }
    return {
        **values,
        "stems": list(known.stems),
        "positions": list(known.positions),
        "sources": msgspec.to_builtins(known.sources),
        "provenance": msgspec.to_builtins(known.provenance),
    }


class _Entry(Struct, frozen=True):
    user_id: str
    agent_id: str
    claim: Claim
    at: datetime
    origin: Origin
    said_in: str = ""
    pinned: bool = False
    excluded: bool = False
    key: str = ""
    source: Source | None = None
    provenance: Provenance | None = None


async def _insert(connection: AsyncConnection, entry: _Entry) -> int:
    claim = entry.claim
    values = {
        name: value for name, value in asdict(claim).items() if name not in ("positions", "changes")
    } | {
        "user_id": entry.user_id,
        "agent_id": entry.agent_id,
        "key": entry.key or f"{entry.origin}:{secrets.token_hex(8)}",
        "stems": list(dict.fromkeys(content_stems(claim.text))),
        "last_said_on": claim.said_on,
        "flagged": claim.flagged or is_suspicious(claim.text),
        "origin": entry.origin,
        "said_in": entry.said_in,
        "pinned": entry.pinned,
        "excluded": entry.excluded,
        "created_at": entry.at,
    }
    if entry.source is not None:
        values |= {
            "conversation_id": entry.source.conversation_id,
            "positions": list(entry.source.positions),
            "sources": msgspec.to_builtins([entry.source]),
        }
    if entry.provenance is not None:
        values |= {"provenance": msgspec.to_builtins(entry.provenance)}
    statement = insert(facts).values(values).returning(facts.c.id)
    id_: int = (await connection.execute(statement)).scalar_one()
    return id_


async def _insert_edit(
    connection: AsyncConnection, row: Row, edits: Mapping[str, Any], flags: Mapping[str, bool], at: datetime
) -> int:
    old = Claim(
        **{
            name: getattr(row, name)
            for name in Claim.__struct_fields__
            if name not in ("positions", "flagged", "changes")
        }
    )
    claim = replace(old, **{"said_on": at.date(), **edits, "supersedes": row.text})
    pinned, excluded = flags["pinned"], flags["excluded"]
    entry = _Entry(
        row.user_id,
        row.agent_id,
        claim,
        at,
        "api",
        pinned=pinned,
        excluded=excluded,
        provenance=_provenance(row),
    )
    return await _insert(connection, entry)


def _provenance(row: Row) -> Provenance:
    first = row.provenance or row
    return Provenance(first.origin, first.said_on, row.last_said_on, first.said_in, row.sources)


async def _flag(connection: AsyncConnection, row: Row, *, pinned: bool, excluded: bool) -> None:
    statement = sa.update(facts).where(facts.c.id == row.id)
    await connection.execute(
        statement.values(pinned=pinned, excluded=excluded, version=row.version + 1, updated_at=sa.func.now())
    )
