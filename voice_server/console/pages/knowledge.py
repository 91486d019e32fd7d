"""What is known of a person: facts, open threads, thoughts, relationships."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from voice_server.console import connections, portions, view
from voice_server.domain.relationship import Metrics
from voice_server.errors import NotFound
from voice_server.store.conversations import conversation_views
from voice_server.store.knowledge import facts, relationships, thoughts, threads
from voice_server.store.people import user_profiles, users
from voice_server.store.people.user_profiles import Profile
from voice_server.store.prompts import prompt_sources

_READ = 5000
_FORM = 3500  # bytes of a relationship, beside its backstory
_ROOM, _ROW = 54_000, 1000  # bytes of all rows, and of one beside its text, which is there twice
_MENTIONS, _MENTION = 100, 700  # on a page, and the bytes of one beside what it was about
_GIST = 160  # characters of what was said in a conversation
_NEVER = datetime.min.replace(tzinfo=UTC)
CURRENT, OPEN, CARRIED, ALL = "current", "open", "carried", "all"


class Mention(Struct, frozen=True):
    """A conversation that said a fact, and the first of the messages that did. None: it is gone, or no
    message says so."""

    talk: conversation_views.Row | None
    position: int | None


async def of_facts(request: Request) -> Response:
    """Show pinned facts first, then those said last."""
    async with connections.connection(request) as connection:
        person, today = await _person(request, connection)
        rows = await facts.latest(connection, person.id, limit=_READ)
        told = await prompt_sources.facts_told_now(connection, person.id)
    states = {row.id: fact_state(row, today) for row in rows}
    listed = _listed(request, rows, states, CURRENT)
    return await view.page("facts.html", person=person, told=told & states.keys(), **listed)


async def of_fact(request: Request) -> Response:
    """Show where a fact was said: which conversations, and whether they are still there."""
    now = connections.dependencies(request).now()
    async with connections.connection(request) as connection:
        person, today = await _person(request, connection)
        row = await facts.get(connection, request.path_params["fact_id"])
        if row.user_id != person.id:
            raise NotFound(f"There is no fact {row.id} of user {person.id}.")
        timezone = await users.timezone(connection, person.id, at=now) or "UTC"
        talks = await conversation_views.of_ids(connection, [one.conversation_id for one in row.sources])
        noted = await conversation_views.of_platform_id(connection, person.id, row.said_in)
    said = mentions(row, talks, noted)
    return await view.page(
        "fact.html",
        person=person,
        fact=row,
        state=fact_state(row, today),
        timezone=timezone,
        besides=max(0, row.times - len(said)),
        listed=portions.portion(said, _mention_size, _place(request), room=_ROOM, most=_MENTIONS),
    )


def mentions(
    row: facts.Row, talks: Iterable[conversation_views.Row], noted: conversation_views.Row | None
) -> list[Mention]:
    """Return the conversations that said a fact, the latest first, then those that are gone."""
    by_id = {one.id: one for one in talks}
    said = [Mention(by_id.get(one.conversation_id), min(one.positions, default=None)) for one in row.sources]
    if row.said_in and noted not in by_id.values():
        said.append(Mention(noted, None))
    return sorted(said, key=lambda one: one.talk.started_at if one.talk else _NEVER, reverse=True)


async def of_threads(request: Request) -> Response:
    async with connections.connection(request) as connection:
        person, _ = await _person(request, connection)
        rows = await threads.latest(connection, person.id, limit=_READ)
    states: dict[int, str] = {row.id: row.status for row in rows}
    return await view.page("threads.html", person=person, **_listed(request, rows, states, OPEN))


async def of_thoughts(request: Request) -> Response:
    now = connections.dependencies(request).now()
    async with connections.connection(request) as connection:
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
    async with connections.connection(request) as connection:
        person, _ = await _person(request, connection)
        agents = await users.agents_of(connection, person.id)
        rows = [await relationships.get(connection, person.id, one) for one in agents]
        timezone = await users.timezone(connection, person.id, at=connections.dependencies(request).now())
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
    now = await connections.dependencies(request).now_for(connection, user_id, "")
    return await user_profiles.get(connection, user_id), now.date()


def _place(request: Request) -> int:
    return portions.place(request.query_params.get("start"))


def _form_size(row: relationships.Row) -> int:
    return _FORM + 2 * portions.weight(row.state.backstory)


def _mention_size(mention: Mention) -> int:
    return _MENTION + portions.weight(mention.talk.summary[:_GIST] if mention.talk else "")


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
