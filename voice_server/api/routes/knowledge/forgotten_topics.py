"""Forgotten topics: what users asked to have forgotten, to be seen and to be cleared."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from voice_server.api.http import paging, rebuilding
from voice_server.api.http.dependencies import OfLockedUser, OfUser, Reading, Writing
from voice_server.api.http.fields import Storable
from voice_server.api.http.paging import Page
from voice_server.queue import digest_requests
from voice_server.store.knowledge import forgotten

router = APIRouter(tags=["forgotten topics"])

TopicId = Annotated[str, Path(min_length=1, max_length=64), Storable]


class ForgottenTopic(BaseModel):
    """A topic: what was said of it before it was forgotten is not told."""

    id: str
    asked_at: datetime = Field(
        description="When the conversation began that asked: what was said before is not told"
    )
    conversation_id: int | None = Field(description="The conversation that asked; null when it was erased")
    words: int = Field(description="How many words name it. They are kept as hashes")


@router.get(
    "/users/{user_id}/forgotten-topics", response_model=Page[ForgottenTopic], summary="List forgotten topics"
)
async def list_topics(
    connection: Reading, user_id: OfUser, limit: paging.Limit = 50, cursor: paging.Cursor = None
) -> dict[str, Any]:
    """List what a user asked to have forgotten. The conversation that asked shows the topic itself."""
    after = paging.after(cursor, str) or ""
    rows = await forgotten.page(connection, user_id, after=after, limit=limit + 1)
    return paging.page(rows, limit, lambda row: row.id)


@router.delete(
    "/users/{user_id}/forgotten-topics/{topic}", status_code=204, summary="Clear a forgotten topic"
)
async def clear_topic(connection: Writing, user_id: OfLockedUser, topic: TopicId) -> None:
    """Clear a topic. What was said of it is told again after the next rebuild, and found by look-ups at once.
    The conversation that asked goes on withholding its own words."""
    await forgotten.clear(connection, user_id, topic)
    await digest_requests.request_earlier_ones(connection, user_id)
    await rebuilding.of_all_agents(connection, user_id)
