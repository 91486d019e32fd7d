"""The voice context: what a pre-call would answer, for calls before which the platform never asks."""

import logging

from fastapi import APIRouter, Response
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.api.http.dependencies import Dependencies, OfUser, Reading, TheDependencies
from voice_server.api.http.fields import OfAgent
from voice_server.cache import prompt_cache
from voice_server.context.layout import slots
from voice_server.context.layout.slots import CachedPrompt, Call
from voice_server.store.people import users
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import Target

log = logging.getLogger(__name__)

router = APIRouter(tags=["prompts"])

_SHOWN = {"application/json": {"schema": {"type": "object"}}}


@router.get(
    "/users/{user_id}/voice-context",
    response_class=Response,
    responses={
        200: {"description": "The platform's own format, with every dynamic variable", "content": _SHOWN}
    },
    summary="What the agent would be told now",
)
async def voice_context(
    connection: Reading, dependencies: TheDependencies, user_id: OfUser, agent_id: OfAgent
) -> Response:
    """Return what a pre-call of this user would answer now: for outbound calls, where the platform does not
    ask, and for web widgets. A user without a prompt of their own gets the agent's default prompt."""
    entry = await prompts.copy_of(connection, Target(user_id, agent_id))
    prompt = slots.unpack(entry) if entry else None
    redial = prompt is not None and await _is_redial(connection, dependencies, agent_id, prompt)
    call = Call(dependencies.clock(), redial, user_id)
    return Response(
        slots.fill(prompt or dependencies.defaults.of(agent_id), call), media_type="application/json"
    )


async def _is_redial(
    connection: AsyncConnection, dependencies: Dependencies, agent_id: str, prompt: CachedPrompt
) -> bool:
    """Tell whether the notes of a call of theirs are still missing. Without Redis nobody knows."""
    known_as = await users.addresses_of(connection, prompt.user_id)
    try:
        latest = await prompt_cache.latest_call(dependencies.redis, agent_id, known_as)
    except (RedisError, OSError) as error:
        log.warning("no redial mark for %s: Redis: %r", prompt.user_id, error)
        return False
    return latest is not None and latest not in prompt.recent_calls
