"""What a person may change: with the version they saw, so that nobody overwrites another's change."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import HTTPException
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.api.http.fields import Prose, Sentence, Share, Word
from voice_server.api.routes.knowledge.facts import NewFact, promote
from voice_server.api.routes.knowledge.threads import days_anew
from voice_server.console import connections, forms, view
from voice_server.console.pages import knowledge
from voice_server.domain.conversation import parse_message_id
from voice_server.domain.relationship import Metrics
from voice_server.errors import Conflict, NotFound
from voice_server.queue import prompt_requests
from voice_server.store.conversations import conversation_views
from voice_server.store.knowledge import facts, relationships, thoughts, threads
from voice_server.store.people import users

_EDIT, _UNDO = "edit", "undo"
_PIN: Mapping[str, Mapping[str, object]] = {"pin": {"pinned": True}, "unpin": {"pinned": False}}
_TELL: Mapping[str, Mapping[str, object]] = {"exclude": {"excluded": True}, "tell": {"excluded": False}}
_STATUS: Mapping[str, Mapping[str, object]] = {
    "close": {"status": "closed"},
    "reopen": {"status": "open"},
    "exclude": {"status": "excluded"},
}
_SENTENCE: TypeAdapter[str] = TypeAdapter(Sentence)
_WORDS: TypeAdapter[str] = TypeAdapter(Word)
_PROSE: TypeAdapter[str] = TypeAdapter(Prose)
_SHARE: TypeAdapter[float] = TypeAdapter(Share)
_LONGEST = 40_000  # bytes of a form

_Row = facts.Row | threads.Row | thoughts.Row


async def of_fact(request: Request) -> Response:
    async def change(connection: AsyncConnection, given: Mapping[str, str]) -> facts.Row:
        there = await facts.get(connection, request.path_params["fact_id"])
        now = await connections.dependencies(request).now_for(connection, there.user_id, there.agent_id)
        if given.get("do") == _UNDO:
            return await facts.undo(connection, there.id, _version(given), at=now)
        wanted: Any = _wanted({**_PIN, **_TELL}, given)
        return await facts.change(connection, there.id, _version(given), at=now, **wanted)

    return await _changed(request, "fact", change, facts.get)


async def of_thread(request: Request) -> Response:
    async def change(connection: AsyncConnection, given: Mapping[str, str]) -> threads.Row:
        there = await threads.get(connection, request.path_params["thread_id"])
        now = await connections.dependencies(request).now_for(connection, there.user_id, there.agent_id)
        wanted: Any = _wanted({**_PIN, **_STATUS}, given)
        row = await threads.change(connection, there.id, _version(given), at=now, **wanted)
        if row.conversation_id is not None:
            await days_anew(connection, row, row.conversation_id)
        return row

    return await _changed(request, "thread", change, threads.get)


async def of_thought(request: Request) -> Response:
    async def change(connection: AsyncConnection, given: Mapping[str, str]) -> thoughts.Row:
        wanted: Any = _wanted({**_PIN, **_TELL}, given)
        return await thoughts.change(connection, request.path_params["thought_id"], _version(given), **wanted)

    return await _changed(request, "thought", change, thoughts.get)


async def remember(request: Request) -> Response:
    given = await forms.fields(request)
    dependencies, named = connections.dependencies(request), given.get("message", "")
    if (message := parse_message_id(named)) is None:
        raise Conflict("The form does not say which message. Load the page again.")
    async with connections.transaction(request) as connection:
        await users.stay(connection)
        talk = await conversation_views.of_ids(connection, [message[0]])
        if not talk or talk[0].user_id is None:
            raise NotFound(f"There is no message {named} of anybody known.")
        await users.lock(connection, talk[0].user_id)
        asked = NewFact(agent_id=talk[0].agent_id, message_ids=[named])
        try:
            row = await promote(connection, dependencies, talk[0].user_id, asked, [named])
        except HTTPException as error:
            raise Conflict(str(error.detail).partition(": ")[2]) from None
        await prompt_requests.request(connection, row.user_id, row.agent_id, trigger="api")
    return RedirectResponse(f"/console/people/{row.user_id}/facts?of={row.id}#fact-{row.id}", 303)


async def of_relationship(request: Request) -> Response:
    given = await forms.fields(request, _LONGEST)
    user_id, agent_id = request.path_params["user_id"], given.get("agent", "")
    now = connections.dependencies(request).now()
    try:
        async with connections.transaction(request) as connection:
            there = await relationships.get(connection, await users.require(connection, user_id), agent_id)
            row = await relationships.set_by_hand(
                connection, user_id, agent_id, _version(given), at=now, **_relationship(given, there)
            )
            await prompt_requests.request(connection, row.user_id, row.agent_id, trigger="api")
    except Conflict as error:
        return await knowledge.relationship(request, 409, str(error), given)
    return RedirectResponse(f"/console/people/{row.user_id}/relationship", 303)


async def _changed(
    request: Request,
    noun: str,
    change: Callable[[AsyncConnection, Mapping[str, str]], Awaitable[_Row]],
    get: Callable[[AsyncConnection, int], Awaitable[_Row]],
) -> Response:
    """Go back to the list; show both versions where somebody else was faster."""
    given = await forms.fields(request, _LONGEST)
    try:
        async with connections.transaction(request) as connection:
            await users.stay(connection)
            row = await change(connection, given)
            await prompt_requests.request(connection, row.user_id, row.agent_id, trigger="api")
    except Conflict as error:
        async with connections.connection(request) as connection:
            there = await get(connection, request.path_params[f"{noun}_id"])
            while "text" in given and isinstance(there, facts.Row) and there.superseded_by is not None:
                there = await get(connection, there.superseded_by)  # what was written takes the place of that
        return await view.page(
            "conflict.html",
            409,
            noun=noun,
            path=f"/console/{noun}s/{there.id}",
            message=str(error),
            there=there,
            given=given,
        )
    shown = given.get("show", "")
    return RedirectResponse(
        f"/console/people/{row.user_id}/{noun}s?show={shown}&of={row.id}#{noun}-{row.id}", 303
    )


def _wanted(known: Mapping[str, Mapping[str, object]], given: Mapping[str, str]) -> Mapping[str, object]:
    does = given.get("do", "")
    if does == _EDIT:
        return {"text": _read(_SENTENCE, given.get("text", ""), "The text")}
    if does not in known:
        raise Conflict("The form does not say what to do. Load the page again.")
    return known[does]


def _version(given: Mapping[str, str]) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", given.get("version", "")):
        raise Conflict("The form does not say which version was seen. Load the page again.")
    return int(given["version"])


def _relationship(given: Mapping[str, str], there: relationships.Row) -> relationships.Changes:
    """Keep what differs from the form: setting a measure starts all of them anew."""
    words = ("chapter", "engagement", "emotional_state", "conflict_state")
    read: dict[str, object] = {name: _read(_WORDS, given[name], name) for name in words if name in given}
    if "backstory" in given:
        read["backstory"] = _read(_PROSE, given["backstory"], "backstory")
    if "score" in given:
        read["score"] = _read(_SHARE, given["score"], "score")
    if any(name in given for name in Metrics.__struct_fields__):
        measures = {name: _read(_SHARE, given.get(name, ""), name) for name in Metrics.__struct_fields__}
        read["metrics"] = Metrics(**measures)
    told: Any = {name: value for name, value in read.items() if _as_shown(there, name) != value}
    changes: relationships.Changes = told
    return changes


def _as_shown(there: relationships.Row, name: str) -> object:
    """Round as the form does."""
    value = getattr(there.state, name)
    if isinstance(value, Metrics):
        return Metrics(*(round(getattr(value, one), 2) for one in Metrics.__struct_fields__))
    return round(value, 2) if isinstance(value, float) else value


def _read(type_: TypeAdapter[Any], written: str, what: str) -> Any:
    try:
        return type_.validate_python(written)
    except ValidationError as error:
        raise Conflict(f"{what}: {error.errors()[0]['msg']}. Go back and write it otherwise.") from None
