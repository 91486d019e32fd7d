"""A call or a sitting of a chat: what was said, and what was understood."""

from starlette.requests import Request
from starlette.responses import Response

from voice_server.console import connections, portions, view
from voice_server.domain.conversation import Message
from voice_server.errors import NotFound
from voice_server.store.conversations import conversation_views
from voice_server.store.people import user_profiles, users

MESSAGE = 320  # bytes of a message beside its words
_MOST = 100


async def show(request: Request) -> Response:
    at = portions.place(request.query_params.get("at"))  # a message's position is its place
    async with connections.connection(request) as connection:
        whole = await conversation_views.get(connection, request.path_params["conversation_id"])
        talk = whole.conversation
        person, timezone = None, "UTC"
        if talk.user_id:
            person = await user_profiles.get(connection, talk.user_id)
            timezone = await users.timezone(connection, talk.user_id, at=talk.ended_at) or "UTC"
    return await view.page(
        "conversation.html",
        whole=whole,
        talk=talk,
        person=person,
        timezone=timezone,
        said=portions.portion(whole.messages, message_size, at, most=_MOST),
    )


async def one_message(request: Request) -> Response:
    position = request.path_params["position"]
    async with connections.connection(request) as connection:
        whole = await conversation_views.get(connection, request.path_params["conversation_id"])
    for one in whole.messages:
        if one.position == position:
            return view.plain(one.content)
    raise NotFound(f"There is no message {position} in this conversation.")


def message_size(message: Message) -> int:
    return MESSAGE + portions.weight(portions.shortened(message.content))
