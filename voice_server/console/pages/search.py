"""Where was that said?"""

from datetime import date

from starlette.requests import Request
from starlette.responses import Response

from voice_server.api.routes.search import found_facts, found_talk
from voice_server.console import connections, view
from voice_server.domain.bounds import FIRST_DAY, LAST_DAY
from voice_server.search.types import Query
from voice_server.store.people import user_profiles, users

_MOST, _WEEK = 30, 7
_SCOPES = {"all": "all that was said", "week": "the last seven days", "facts": "what is known"}
_LONGEST = 400  # characters


async def show(request: Request) -> Response:
    asked = request.query_params
    query, scope, day = asked.get("q", "").strip()[:_LONGEST], asked.get("in", "all"), _day(asked.get("day"))
    async with connections.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        person = await user_profiles.get(connection, user_id)
        agents = await users.agents_of(connection, user_id)
        agent_id = asked.get("agent", "")
        talk, known = [], []
        wanted = Query(
            query, _MOST, day=day if scope == "day" else None, recency_days=_WEEK if scope == "week" else None
        )
        for one in ([agent_id] if agent_id else agents) if query else ():
            whose = connection, connections.dependencies(request), user_id, one
            if scope == "facts":
                known += await found_facts(*whose, wanted)
            else:
                talk += [(one, found) for found in await found_talk(*whose, wanted)]
    return await view.page(
        "search.html",
        person=person,
        agents=agents,
        agent_id=agent_id,
        query=query,
        scope=scope,
        scopes={**({"day": view.day(day)} if day else {}), **_SCOPES},
        day=day,
        talk=sorted(talk, key=lambda found: (found[1].message_id is not None, -found[1].score))[:_MOST],
        by_meaning=connections.dependencies(request).semantics is not None,
        facts=sorted(known, key=lambda found: -found.score)[:_MOST],
    )


def _day(named: str | None) -> date | None:
    try:
        day = date.fromisoformat(named or "")
    except ValueError:
        return None
    return day if FIRST_DAY <= day <= LAST_DAY else None
