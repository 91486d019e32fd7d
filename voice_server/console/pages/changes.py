"""What a person may change of what is known: with the version they saw, so that nobody overwrites what
somebody else changed meanwhile."""

from collections.abc import Mapping
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from voice_server.api.routes.threads import days_anew
from voice_server.console import forms, reading
from voice_server.errors import Conflict
from voice_server.queue import prompt_requests
from voice_server.store.knowledge import facts, threads
from voice_server.store.people import users

_FACTS: Mapping[str, facts.Changes] = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "exclude": {"excluded": True},
    "tell": {"excluded": False},
}
_THREADS: Mapping[str, threads.Changes] = {
    "close": {"status": "closed"},
    "reopen": {"status": "open"},
    "exclude": {"status": "excluded"},
}


async def of_fact(request: Request) -> Response:
    """Pin or exclude it, or take that back."""
    given = await forms.fields(request)
    wanted, version = _known(_FACTS, given), _version(given)
    async with reading.transaction(request) as connection:
        await users.stay(connection)
        there = await facts.get(connection, request.path_params["fact_id"])
        now = await reading.dependencies(request).now_for(connection, there.user_id, there.agent_id)
        row = await facts.change(connection, there.id, version, at=now, **wanted)
        await _ask(connection, row)
    return RedirectResponse(f"/console/people/{row.user_id}#fact-{row.id}", 303)


async def of_thread(request: Request) -> Response:
    """Close or exclude it, or open it again."""
    given = await forms.fields(request)
    wanted, version = _known(_THREADS, given), _version(given)
    async with reading.transaction(request) as connection:
        await users.stay(connection)
        there = await threads.get(connection, request.path_params["thread_id"])
        now = await reading.dependencies(request).now_for(connection, there.user_id, there.agent_id)
        row = await threads.change(connection, there.id, version, at=now, **wanted)
        if row.conversation_id is not None:
            await days_anew(connection, row, row.conversation_id)
        await _ask(connection, row)
    return RedirectResponse(f"/console/people/{row.user_id}#thread-{row.id}", 303)


async def _ask(connection: AsyncConnection, row: facts.Row | threads.Row) -> None:
    await prompt_requests.request(connection, row.user_id, row.agent_id, trigger="api")


_Changes = TypeVar("_Changes", facts.Changes, threads.Changes)


def _known(what: Mapping[str, _Changes], given: Mapping[str, str]) -> _Changes:
    try:
        return what[given["do"]]
    except KeyError:
        raise Conflict("The form does not say what to do. Load the page again.") from None


def _version(given: Mapping[str, str]) -> int:
    if not given.get("version", "").isdecimal():
        raise Conflict("The form does not say which version was seen. Load the page again.")
    return int(given["version"])
