"""Summaries of chats, asked for: after each exchange, of an agent whose chats are summed up. The job finds
out whether there is anything to do.
"""

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import queue
from voice_server.queue.names import SUMMARISE_CHAT


async def request(connection: AsyncConnection, chat_id: str, user_id: str, agent_id: str) -> None:
    """In the transaction that makes it necessary."""
    payload = {"chat_id": chat_id, "user_id": user_id, "agent_id": agent_id}
    await queue.enqueue(connection, SUMMARISE_CHAT, payload, key=f"{SUMMARISE_CHAT}:{chat_id}")
