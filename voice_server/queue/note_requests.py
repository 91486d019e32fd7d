"""Notes that are missing, asked for."""

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import queue
from voice_server.queue.names import NOTE_LATER


async def request(connection: AsyncConnection, platform: str, platform_id: str) -> None:
    """Ask for a call's in the transaction in which it became known whose it was."""
    await queue.request(connection, queue.Request(NOTE_LATER, f"{platform}|{platform_id}"))
