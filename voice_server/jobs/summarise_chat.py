"""Sum up the chat in the payload, when its history is about to leave something out. No turn waits for it."""

from voice_server.operations.sum_up_chat import ChatOf, ChatSummaries
from voice_server.queue import queue


class SummariseChat:
    def __init__(self, summaries: ChatSummaries) -> None:
        self._summaries = summaries

    async def run(self, payload: queue.Payload) -> None:
        chat = ChatOf(payload["chat_id"], payload["user_id"], payload["agent_id"])
        await self._summaries.make_due(chat)
