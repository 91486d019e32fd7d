"""What is said in turns, written down as every chat is."""

from collections.abc import Sequence
from datetime import timedelta

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.chat.turn import NewTurn
from voice_server.domain.conversation import ChatMessage
from voice_server.operations.chats import record_chat
from voice_server.operations.chats.record_chat import ChatUpdate, RecordingHook, RecordingRules
from voice_server.operations.chats.text_context import TextContexts
from voice_server.store.conversations.chats import Chat


class TurnRecorder(Struct, frozen=True):
    """`pause` is the silence that ends a sitting; `redacts`: transcripts have no secrets either."""

    contexts: TextContexts
    pause: timedelta
    redacts: bool

    async def write(self, asked: NewTurn, said: Sequence[ChatMessage], hook: RecordingHook) -> None:
        contexts, told = self.contexts, _update(asked, said)
        await record_chat.tell(contexts.engine, contexts.redis, told, contexts.count, self._when(asked), hook)

    async def add_words(
        self, connection: AsyncConnection, asked: NewTurn, user_id: str, chat: Chat | None
    ) -> Chat | None:
        """Write the user's words at the end of a chat, with the user locked; return the chat with them. None
        when they are so long that nothing may wait meanwhile."""
        contexts, told = self.contexts, _update(asked, [ChatMessage("user", asked.text)])
        return await record_chat.add(
            connection, contexts.redis, told, user_id, chat, contexts.count, self._when(asked)
        )

    def _when(self, asked: NewTurn) -> RecordingRules:
        sums_up = self.contexts.sums_up(asked.agent_id)
        return RecordingRules(self.contexts.now(), self.pause, self.redacts, sums_up)


def _update(asked: NewTurn, said: Sequence[ChatMessage]) -> ChatUpdate:
    return ChatUpdate(asked.chat_id, asked.user_id, asked.agent_id, tuple(said))
