"""What is known of a person: facts, open threads, thoughts, relationships."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from voice_server.console import portions, reading, view
from voice_server.domain.relationship import Metrics
from voice_server.store.knowledge import facts, relationships, thoughts, threads
from voice_server.store.people import user_profiles, users
from voice_server.store.people.user_profiles import Profile
from voice_server.store.prompts import prompt_sources

_READ = 5000
_FORM = 3500  # bytes of a relationship, beside its backstory
_ROOM, _ROW = 54_000, 1000  # bytes of all rows, and of one beside its text, which is there twice
CURRENT, OPEN, CARRIED, ALL = "current", "open", "carried", "all"


async def of_facts(request: Request) -> Response:
    """Show pinned facts first, then those said last."""
    async with reading.connection(request) as connection:
        person, today = await _person(request, connection)
        rows = await facts.latest(connection, person.id, limit=_READ)
        told = await prompt_sources.facts_told_now(connection, person.id)
    states = {row.id: fact_state(row, today) for row in rows}
    listed = _listed(request, rows, states, CURRENT)
    return await view.page("facts.html", person=person, told=told & states.keys(), **listed)


async def of_threads(request: Request) -> Response:
    async with reading.connection(request) as connection:
        person, _ = await _person(request, connection)
        rows = await threads.latest(connection, person.id, limit=_READ)
    states: dict[int, str] = {row.id: row.status for row in rows}
    return await view.page("threads.html", person=person, **_listed(request, rows, states, OPEN))


async def of_thoughts(request: Request) -> Response:
    now = reading.dependencies(request).now()
    async with reading.connection(request) as connection:
        person, _ = await _person(request, connection)
        timezone = await users.timezone(connection, person.id, at=now) or "UTC"
        rows = await thoughts.latest(connection, person.id, limit=_READ)
    states = {row.id: thought_state(row, now) for row in rows}
    listed = _listed(request, rows, states, CARRIED)
    return await view.page("thoughts.html", person=person, timezone=timezone, **listed)


async def of_relationship(request: Request) -> Response:
    return await relationship(request, 200, "", {})


async def relationship(request: Request, status: int, message: str, given: Mapping[str, str]) -> Response:
    """Show the page with what was `given` for one agent and refused, and why."""
    async with reading.connection(request) as connection:
        person, _ = await _person(request, connection)
        agents = await users.agents_of(connection, person.id)
        rows = [await relationships.get(connection, person.id, one) for one in agents]
        timezone = await users.timezone(connection, person.id, at=reading.dependencies(request).now())
    at = agents.index(given["agent"]) if given.get("agent") in agents else _place(request)
    return await view.page(
        "relationship.html",
        status,
        message=message,
        given=given,
        person=person,
        timezone=timezone or "UTC",
        listed=portions.portion(rows, _form_size, at),
        metrics=Metrics.__struct_fields__,
    )


def fact_state(row: facts.Row, today: date) -> str:
    if row.excluded:
        return "excluded"
    if row.flagged:
        return "flagged"
    if row.superseded_by is not None and (row.valid_to is None or row.valid_to <= today):
        return "superseded"
    return CURRENT if row.times else "said no more"


def thought_state(row: thoughts.Row, now: datetime) -> str:
    if row.excluded:
        return "excluded"
    if row.used_at is not None:
        return "used"
    return CARRIED if row.expires_at > now else "expired"


async def _person(request: Request, connection: AsyncConnection) -> tuple[Profile, date]:
    user_id = await users.require(connection, request.path_params["user_id"])
    now = await reading.dependencies(request).now_for(connection, user_id, "")
    return await user_profiles.get(connection, user_id), now.date()


def _place(request: Request) -> int:
    return portions.place(request.query_params.get("start"))


def _form_size(row: relationships.Row) -> int:
    return _FORM + 2 * portions.weight(row.state.backstory)


def _size(row: facts.Row | threads.Row | thoughts.Row) -> int:
    edited = row.edited if isinstance(row, facts.Row) else None
    return _ROW + 2 * portions.weight(row.text) + portions.weight(edited.text if edited else "")


def _listed(
    request: Request,
    rows: Sequence[facts.Row | threads.Row | thoughts.Row],
    states: Mapping[int, str],
    otherwise: str,
) -> dict[str, Any]:
    """Cut the rows of one state into pages, from the row `of` or the number `start` on. What was just changed
    stays in its place, with what undoes that, although it is in another state now."""
    show = request.query_params.get("show") or otherwise
    of = request.query_params.get("of", "")
    shown = [row for row in rows if show in (ALL, states[row.id]) or of == str(row.id)]
    counts = Counter(states.values())
    ids = [str(row.id) for row in shown]
    at = ids.index(of) if of in ids else _place(request)
    return {
        "listed": portions.portion(shown, _size, at, room=_ROOM),
        "states": states,
        "counts": {**counts, ALL: counts.total()},
        "show": show,
    }
