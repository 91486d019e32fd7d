"""Who answers a turn, decided in one transaction, which writes down the user's words, too."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.chat.recorder import TurnRecorder
from voice_server.chat.turn import NewTurn
from voice_server.digest.secrets.messages import may_be_of
from voice_server.errors import ChatRefused, Conflict
from voice_server.store import model_usage
from voice_server.store.conversations import chat_turns, chats
from voice_server.store.conversations.chat_turns import Attempt, ChatTurn
from voice_server.store.conversations.chats import Chat
from voice_server.store.people import agents, users

_BETWEEN = "\n\n"  # messages of one answer


class TurnClaim(Struct, frozen=True):
    """A turn that is ours to answer, in the chat as it was found. `place` is of the user's words; None for
    long ones, which are still to be written."""

    user_id: str
    attempt: Attempt
    place: int | None
    chat: Chat | None


class EarlierAnswer(Struct, frozen=True):
    turn: ChatTurn
    text: str


class RunningTurn(Struct, frozen=True):
    """The turn that is being answered: this one, or another of its chat."""

    turn_id: str


class Claims:
    """`lease` is in seconds, `now` in UTC; `tokens_per_day` of 0 is no limit."""

    def __init__(
        self,
        engine: AsyncEngine,
        recorder: TurnRecorder,
        lease: float,
        tokens_per_day: int,
        now: Callable[[], datetime],
    ) -> None:
        self._engine = engine
        self._recorder = recorder
        self._lease = lease
        self._tokens_per_day = tokens_per_day
        self._now = now

    async def claim(self, asked: NewTurn, *, has_room: bool) -> TurnClaim | EarlierAnswer | RunningTurn:
        """Claim a turn, and write down the user's words, unless it is answered or running. Raises NotFound
        for a user or an agent nobody knows; Conflict when chat or turn are another's, or the turn had other
        words; ChatRefused without room, and when the model may cost no more today."""
        async with self._engine.begin() as connection:
            await users.stay(connection)
            user_id = await users.hold(connection, asked.user_id)
            await agents.require(connection, asked.agent_id)
            await chat_turns.lock_chat(connection, asked.chat_id)
            chat = await chats.find_theirs(connection, asked.chat_id, user_id, asked.agent_id)
            _check_whose(chat, asked, user_id)
            turn, running = await chat_turns.find_beside(connection, asked.key)
            if turn is not None:
                await _check_same(connection, turn, asked, user_id)
                if turn.status == "done":
                    return EarlierAnswer(turn, await answer_of(connection, turn))
            if running is not None and running.is_leased:
                return RunningTurn(running.turn_id)
            if running is not None:
                await chat_turns.break_off(connection, running)
            _check_room(has_room=has_room)
            await self._check_cost(connection)
            attempt = await chat_turns.claim(connection, asked.key, user_id, asked.agent_id, self._lease)
            claimed = TurnClaim(user_id, attempt, turn.place if turn else None, chat)
            return (
                claimed if claimed.place is not None else await self._with_words(connection, asked, claimed)
            )

    async def _with_words(self, connection: AsyncConnection, asked: NewTurn, claimed: TurnClaim) -> TurnClaim:
        chat = await self._recorder.add_words(connection, asked, claimed.user_id, claimed.chat)
        if chat is None or chat.sitting is None:
            return claimed
        place = chat.messages - 1
        await chat_turns.written_down(connection, claimed.attempt, place, chat.sitting.conversation_id)
        return replace(claimed, place=place, chat=chat)

    async def running(self, chat_id: str) -> bool:
        """Tell whether the chat has a turn under way, without waiting for a lock."""
        async with self._engine.connect() as connection:
            turn = await chat_turns.running(connection, chat_id)
        return turn is not None and turn.is_leased

    async def check(self, *, has_room: bool) -> None:
        """Raise ChatRefused without room, and when the model may cost no more today."""
        _check_room(has_room=has_room)
        if self._tokens_per_day:
            async with self._engine.connect() as connection:
                await self._check_cost(connection)

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


async def answer_of(connection: AsyncConnection, turn: ChatTurn) -> str:
    """Return the answer, whole or not, without what was erased since."""
    if turn.answer_first is None or turn.answer_last is None:
        return ""
    number = turn.answer_last - turn.answer_first + 1
    there = await chats.told(connection, turn.chat_id, turn.answer_first, number)
    return _BETWEEN.join(there[place].content for place in sorted(there) if there[place].role == "agent")


def _check_room(*, has_room: bool) -> None:
    if not has_room:
        raise ChatRefused(503, "busy", "Too many chats are being answered. Send it again in a moment.", 5)


def other_words(asked: NewTurn) -> Conflict:
    return Conflict(
        f"Turn {asked.turn_id} of chat {asked.chat_id} had other words: give each turn an id of its own."
    )


def not_theirs(asked: NewTurn) -> Conflict:
    return Conflict(f"Turn {asked.turn_id} of chat {asked.chat_id} is another user's or agent's.")


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
        raise not_theirs(asked)
    if turn.place is None:
        return
    there = (await chats.told(connection, asked.chat_id, turn.place, 1)).get(turn.place)
    if there is not None and not (there.role == "user" and may_be_of(there.content, asked.text)):
        raise other_words(asked)
