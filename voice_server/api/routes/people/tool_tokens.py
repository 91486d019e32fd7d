"""Tool tokens: with one, a client of /mcp uses the tools for one user with one agent."""

from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from voice_server.api.http import problem
from voice_server.api.http.dependencies import OfUser, Reading, TheDependencies
from voice_server.api.http.fields import AgentId, RequestBody, UserId
from voice_server.errors import Conflict
from voice_server.store.people import agents
from voice_server.tools import user_token
from voice_server.tools.user_token import TokenClaims

router = APIRouter(tags=["tool tokens"])


class NewToolToken(RequestBody):
    """With whom the tools are used, and for how long."""

    agent_id: AgentId
    days: Annotated[int, Field(ge=1, le=3650)] = 30


class ToolToken(BaseModel):
    """A token, which is kept nowhere. Changing TOOL_TOKEN_SECRET withdraws it with all others."""

    token: str = Field(description="Sent to /mcp as `Authorization: Bearer …`")
    expires_at: datetime


@router.post(
    "/users/{user_id}/tool-tokens",
    status_code=201,
    responses=problem.documented(409),
    summary="Make a tool token",
)
async def make_token(
    connection: Reading, dependencies: TheDependencies, user_id: UserId, _there: OfUser, given: NewToolToken
) -> ToolToken:
    """Make a token for a text agent of yours, or for this person's own client. Made for a user who was
    merged, it means them again once that is undone. 409 where there is no secret to sign it with."""
    await agents.require(connection, given.agent_id)
    if not dependencies.tool_token_secrets:
        raise Conflict("Set TOOL_TOKEN_SECRET where this server runs: tokens are signed with it.")
    expires = dependencies.now().replace(microsecond=0) + timedelta(days=given.days)
    bound = TokenClaims(user_id, given.agent_id, int(expires.timestamp()))
    return ToolToken(token=user_token.make(bound, dependencies.tool_token_secrets[0]), expires_at=expires)
