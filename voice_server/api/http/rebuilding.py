"""A change to what a prompt says asks for one rebuild, in the transaction that makes the change."""

from typing import Protocol

from fastapi import APIRouter, Response
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.api.http import etag
from voice_server.api.http.dependencies import OfLockedUser, Writing
from voice_server.api.http.fields import OfAnyAgent
from voice_server.queue import prompt_requests
from voice_server.store.people import agents, users

router = APIRouter(tags=["prompts"])


class EditedRow(Protocol):
    @property
    def user_id(self) -> str: ...
    @property
    def agent_id(self) -> str: ...
    @property
    def version(self) -> int: ...


class RebuildRequested(BaseModel):
    """The agents whose prompts for this user are being rebuilt."""

    agents: list[str]


@router.post(
    "/users/{user_id}/rebuild", status_code=202, response_model=RebuildRequested, summary="Rebuild prompts"
)
async def rebuild_prompts(
    connection: Writing, user_id: OfLockedUser, agent_id: OfAnyAgent = None
) -> dict[str, list[str]]:
    """Rebuild the prompts of this user: with one agent, or with every agent they have to do with. Changes
    made through the API do that by themselves."""
    if agent_id is None:
        return {"agents": await of_all_agents(connection, user_id)}
    await agents.require(connection, agent_id)
    await prompt_requests.request(connection, user_id, agent_id, trigger="api")
    return {"agents": [agent_id]}


async def of_all_agents(connection: AsyncConnection, user_id: str) -> list[str]:
    """Return the agents that the user has to do with."""
    affected = await users.agents_of(connection, user_id)
    for agent_id in affected:  # in the order of their keys: no deadlock
        await prompt_requests.request(connection, user_id, agent_id, trigger="api")
    return affected


async def after(connection: AsyncConnection, row: EditedRow, response: Response) -> None:
    await prompt_requests.request(connection, row.user_id, row.agent_id, trigger="api")
    etag.tag(response, row.version)
