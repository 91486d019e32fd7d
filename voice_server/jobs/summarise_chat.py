"""Sum up the chat of a sitting when its history is about to leave something out. No turn waits for it."""

from voice_server.operations.chats.sum_up_chat import ChatSummaries
from voice_server.queue import queue


class SummariseChat:
    def __init__(self, summaries: ChatSummaries) -> None:
        self._summaries = summaries

    async def run(self, payload: queue.Payload) -> None:
        await self._summaries.make_due(payload["conversation_id"])
