"""Requests for summaries of chats: after each exchange, where chats are summed up. The job finds out whether
there is anything to do."""

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import queue
from voice_server.queue.names import SUMMARISE_CHAT


async def request(connection: AsyncConnection, conversation_id: int) -> None:
    """Ask for a summary. The key names the sitting, as the chat's own id may name somebody."""
    payload = {"conversation_id": conversation_id}
    await queue.enqueue(connection, SUMMARISE_CHAT, payload, key=f"{SUMMARISE_CHAT}:{conversation_id}")
