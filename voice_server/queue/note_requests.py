"""Requests for notes that are missing."""

from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.queue import queue
from voice_server.queue.names import LATE_NOTES


async def request(connection: AsyncConnection, platform: str, platform_id: str) -> None:
    """Ask for a call's notes, in the transaction in which it becomes known whose it was."""
    await queue.request(connection, queue.Request(LATE_NOTES, f"{platform}|{platform_id}"))
