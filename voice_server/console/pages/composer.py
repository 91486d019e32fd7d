"""Writing to an agent as a person: the form, the answer as it comes, the button that stops it."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from urllib.parse import parse_qs, urlencode

from msgspec import Struct
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from voice_server.api.http.fields import LONGEST_MESSAGE
from voice_server.api.routes.conversations.chat import NewMessage
from voice_server.chat.events import TurnEvents
from voice_server.chat.turn import NewTurn
from voice_server.console import connections, event_stream, forms, portions, view
from voice_server.console.event_stream import AT_ONCE, STREAM, Listener
from voice_server.domain.conversation import CONTINUOUS, chat_named, continuous_id
from voice_server.errors import Conflict, NotFound
from voice_server.store import session
from voice_server.store.conversations import chat_turns, chats
from voice_server.store.conversations.chat_turns import ChatTurn, TurnKey
from voice_server.store.people import agents, users

_NEW = ""  # in place of a chat's id
_AGENTS, _CHATS = 50, 20
_OPTION = 40  # bytes of one in a list, beside its words
_LOOK = 1.0  # seconds without news after which it is asked whether the server stops
_EACH = 12  # bytes of a character in a form, at most
_PAUSE = 0.15  # seconds in which more of an answer gathers: each time all of it is sent


class Recipient(Struct, frozen=True):
    """An agent in a chat; `shown` is for people."""

    agent_id: str
    chat_id: str
    shown: str

    @property
    def value(self) -> str:
        return urlencode({"agent": self.agent_id, "chat": self.chat_id})


class Composer(Struct, frozen=True):
    """What the form needs. `turn` is being answered, or was the last written here."""

    has_model: bool
    recipients: list[Recipient]
    chosen: str
    turn_id: str
    turn: ChatTurn | None
    answer: str
    words: str


async def gather(request: Request, connection: AsyncConnection, user_id: str) -> Composer | None:
    """Return None where nothing may be changed."""
    if request.app.state.read_only:
        return None
    turns = connections.dependencies(request).turns
    turn = await _turn(request, connection, user_id)
    answer, _ = await turns.answer_of(turn) if turn else ("", None)
    recipients = await _recipients(connection, user_id)
    chosen = (
        Recipient(turn.agent_id, _short(turn, user_id), f"{turn.agent_id}, in this chat") if turn else None
    )
    if chosen and chosen.value not in {one.value for one in recipients}:
        recipients.insert(0, chosen)  # a chat is listed only when something is kept of it
    return Composer(
        turns.has_model,
        recipients,
        chosen.value if chosen else "",
        secrets.token_urlsafe(9),
        turn,
        answer,
        await _words(connection, turn) if turn else "",
    )


def size(writing: Composer) -> int:
    """Count the bytes that it takes of a page, about."""
    options = sum(_OPTION + portions.weight(one.value, one.shown) for one in writing.recipients)
    return options + portions.weight(writing.answer, writing.words)


async def write(request: Request) -> Response:
    given = await forms.fields(request, _EACH * LONGEST_MESSAGE + forms.ROOM)
    asked = _asked(request.path_params["user_id"], given)
    session.expect_nothing()  # but the turn before
    events = await connections.dependencies(request).turns.begin(asked)
    return _to_answer(asked, events.chat_id or asked.chat_id)


async def stop(request: Request) -> Response:
    given = await forms.fields(request)
    user_id, turns = request.path_params["user_id"], connections.dependencies(request).turns
    turn = await turns.find(given.get("chat", ""), given.get("turn", ""), user_id)
    if turn is None:
        raise NotFound("There is no such turn.")
    await turns.stop(turn)
    return RedirectResponse(_path(user_id, turn), 303)


async def listen(request: Request) -> Response:
    if request.method == "HEAD":
        return Response()
    asked, turns = request.query_params, connections.dependencies(request).turns
    turn = await turns.find(asked.get("chat", ""), asked.get("turn", ""), request.path_params["user_id"])
    if turn is None:
        raise NotFound("There is no such turn.")
    session.expect_nothing()
    events = await turns.listen(turn)
    return StreamingResponse(_answer(events, Listener(request)), media_type=STREAM, headers=AT_ONCE)


async def _answer(events: TurnEvents, listener: Listener) -> AsyncIterator[bytes]:
    number = 0
    while not (events.has_ended or listener.server_stops):
        if not await listener.is_let_in():
            yield event_stream.named(event_stream.CHANGED)
            return
        news = await events.after(number, _LOOK)
        number += len(news)
        shown = view.part("_answer.html", text=events.text)
        yield event_stream.content(shown) if news else event_stream.ALIVE
        await asyncio.sleep(_PAUSE)
    if events.has_ended:
        yield event_stream.content(view.part("_answer.html", text=events.text))
        yield event_stream.named(event_stream.CHANGED)


async def _turn(request: Request, connection: AsyncConnection, user_id: str) -> ChatTurn | None:
    """Find the turn in the page's address, else whichever is being answered."""
    asked = request.query_params
    named = None
    if asked.get("chat") and asked.get("turn"):
        named = await chat_turns.find(connection, TurnKey(asked["chat"], asked["turn"]))
    if named is not None and await users.survivor(connection, named.user_id) == user_id:
        return named
    return await chat_turns.latest_running(connection, user_id)


async def _recipients(connection: AsyncConnection, user_id: str) -> list[Recipient]:
    theirs = await users.agents_of(connection, user_id)
    others = [one.id for one in await agents.page(connection, limit=_AGENTS) if one.id not in theirs]
    there = await chats.page(connection, user_id, None, limit=_CHATS)
    found = []
    for agent_id in [*theirs, *others]:
        found += [Recipient(agent_id, _NEW, f"{agent_id}, in a new chat")]
        found += [Recipient(agent_id, CONTINUOUS, f"{agent_id}, in the continuous one")]
        own = [one for one in there if one.agent_id == agent_id]
        ours = continuous_id(user_id, agent_id)
        found += [
            Recipient(agent_id, one.chat_id, f"{agent_id}, where it began with: {one.began_with[:40]}")
            for one in own
            if one.chat_id != ours
        ]
    return found


async def _words(connection: AsyncConnection, turn: ChatTurn) -> str:
    if turn.place is None:
        return ""
    there = await chats.told(connection, turn.chat_id, turn.place, 1)
    return there[turn.place].content if turn.place in there else ""


def _asked(user_id: str, given: Mapping[str, str]) -> NewTurn:
    to = {name: values[0] for name, values in parse_qs(given.get("to", "")).items()}
    agent_id, turn_id, text = to.get("agent", ""), given.get("turn", ""), given.get("text", "").strip()
    if not 0 < len(text) <= LONGEST_MESSAGE:
        raise Conflict(f"Write something, {LONGEST_MESSAGE:,} characters at most.")
    chat_id = to.get("chat", _NEW) or f"console-{turn_id}"
    asked = {"agent_id": agent_id, "chat_id": chat_id, "turn_id": turn_id, "text": text}
    try:
        NewMessage.model_validate({"user_id": user_id, **asked})
    except ValidationError:
        raise Conflict("The form does not say to whom. Load the page again.") from None
    return NewTurn(user_id, agent_id, chat_named(chat_id, user_id, agent_id), turn_id, text)


def _to_answer(asked: NewTurn, chat_id: str) -> Response:
    query = urlencode({"chat": chat_id, "turn": asked.turn_id})
    return RedirectResponse(f"{view.timeline_path(asked.user_id, 'today')}?{query}#answer", 303)


def _path(user_id: str, turn: ChatTurn) -> str:
    query = urlencode({"chat": turn.chat_id, "turn": turn.turn_id})
    return f"{view.timeline_path(user_id, 'today')}?{query}#answer"


def _short(turn: ChatTurn, user_id: str) -> str:
    is_continuous = turn.chat_id == continuous_id(user_id, turn.agent_id)
    return CONTINUOUS if is_continuous else turn.chat_id
