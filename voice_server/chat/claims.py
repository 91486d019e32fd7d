"""Whose turn it is to answer: in one transaction a turn becomes ours, or is found answered, or running."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.chat.turn import NewTurn
from voice_server.digest.secrets.messages import may_be_of
from voice_server.errors import ChatRefused, Conflict
from voice_server.operations import record_chat
from voice_server.store import model_usage
from voice_server.store.conversations import chat_turns, chats
from voice_server.store.conversations.chat_turns import ChatTurn, TurnResult
from voice_server.store.conversations.chats import Chat
from voice_server.store.people import agents, users

BROKEN_OFF = " […]"  # ends an answer that is not whole


class TurnClaim(Struct, frozen=True):
    """A turn that is ours to answer. `place` is that of the user's words in the chat."""

    user_id: str
    place: int


class EarlierAnswer(Struct, frozen=True):
    """The turn was answered before, so."""

    turn: ChatTurn
    text: str


class RunningTurn(Struct, frozen=True):
    """The turn, or the one before it, is being answered."""

    turn_id: str


class Claims:
    """`lease` in seconds; `tokens_per_day` of the model, 0 for no limit. `now` is in UTC."""

    def __init__(
        self, engine: AsyncEngine, lease: float, tokens_per_day: int, now: Callable[[], datetime]
    ) -> None:
        self._engine = engine
        self._lease = lease
        self._tokens_per_day = tokens_per_day
        self._now = now

    async def claim(self, asked: NewTurn) -> TurnClaim | EarlierAnswer | RunningTurn:
        """Raises NotFound for a user or an agent nobody knows; Conflict when chat or turn are another's, or
        the turn had other words; ChatRefused when the model may cost no more today."""
        async with self._engine.begin() as connection:
            user_id = await users.require(connection, asked.user_id)
            await users.lock(connection, user_id)
            await agents.require(connection, asked.agent_id)
            chat = await chats.find(connection, asked.chat_id)
            _check_whose(chat, asked, user_id)
            turn = await chat_turns.find(connection, asked.key)
            if turn is not None:
                await _check_same(connection, turn, asked, user_id)
                if turn.runs:
                    return RunningTurn(turn.turn_id)
                if text := await answer_of(connection, turn):
                    return EarlierAnswer(turn, text)
            if before := await _before(connection, asked):
                return before
            await self._check_cost(connection)
            place = turn.place if turn is not None else chat.messages if chat is not None else 0
            await chat_turns.claim(connection, asked.key, user_id, asked.agent_id, place, self._lease)
        return TurnClaim(user_id, place)

    async def _check_cost(self, connection: AsyncConnection) -> None:
        if not self._tokens_per_day:
            return
        now = self._now()
        used = await model_usage.on(connection, now.date())
        if used.tokens >= self._tokens_per_day:
            midnight = datetime(now.year, now.month, now.day, tzinfo=UTC) + timedelta(days=1)
            raise ChatRefused(
                429,
                "used_up",
                "The model's tokens for today are used up (LLM_TOKENS_PER_DAY). Send it again after "
                f"{midnight:%H:%M} UTC.",
                int((midnight - now).total_seconds()),
            )


async def answer_of(connection: AsyncConnection, turn: ChatTurn) -> str | None:
    """The whole answer of a turn, if there is one. A process may have been killed just after it was written
    down."""
    if turn.status not in ("done", "running"):
        return None
    first = max(turn.place + 1, (turn.answer or 0) - record_chat.LONGEST)
    there = await chats.told(connection, turn.chat_id, first, record_chat.LONGEST)
    said = list[str]()
    for place in sorted(there):
        message = there[place]
        if turn.answer is None and message.role == "user":
            break  # what follows is of other turns
        if turn.answer is not None and place > turn.answer:
            break
        if message.role == "user" or message.content.endswith(BROKEN_OFF):
            said.clear()
        elif message.role == "agent":
            said.append(message.content)
    return "\n\n".join(said) or None


def other_words(asked: NewTurn) -> Conflict:
    return Conflict(
        f"Turn {asked.turn_id} of chat {asked.chat_id} had other words: give each turn an id of its own."
    )


def _check_whose(chat: Chat | None, asked: NewTurn, user_id: str) -> None:
    if chat is None or chat.user_id is None:
        return
    if (chat.user_id, chat.agent_id) != (user_id, asked.agent_id):
        raise Conflict(
            f"Chat {asked.chat_id} is not one of user {user_id} with agent {asked.agent_id}: give each chat "
            "an id of its own."
        )


async def _check_same(connection: AsyncConnection, turn: ChatTurn, asked: NewTurn, user_id: str) -> None:
    whose = await users.survivor(connection, turn.user_id), turn.agent_id
    if whose != (user_id, asked.agent_id):
        raise Conflict(f"Turn {asked.turn_id} of chat {asked.chat_id} is another user's or agent's.")
    there = (await chats.told(connection, asked.chat_id, turn.place, 1)).get(turn.place)
    if there is not None and not (there.role == "user" and may_be_of(there.content, asked.text)):
        raise other_words(asked)


async def _before(connection: AsyncConnection, asked: NewTurn) -> RunningTurn | None:
    """Another turn of the chat that is being answered. One whose process is gone is over."""
    before = await chat_turns.running(connection, asked.chat_id)
    if before is None or before.key == asked.key:
        return None
    if before.runs:
        return RunningTurn(before.turn_id)
    await chat_turns.end(connection, before.key, TurnResult("interrupted"))
    return None
