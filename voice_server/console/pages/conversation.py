"""A call or a sitting of a chat: what was said, and what was understood."""

from starlette.requests import Request
from starlette.responses import Response

from voice_server.console import reading, view
from voice_server.store.conversations import conversation_views
from voice_server.store.people import user_profiles, users


async def show(request: Request) -> Response:
    async with reading.connection(request) as connection:
        whole = await conversation_views.get(connection, request.path_params["conversation_id"])
        talk = whole.conversation
        person, timezone = None, "UTC"
        if talk.user_id:
            person = await user_profiles.get(connection, talk.user_id)
            timezone = await users.timezone(connection, talk.user_id, at=talk.ended_at) or "UTC"
    return await view.page("conversation.html", whole=whole, talk=talk, person=person, timezone=timezone)
