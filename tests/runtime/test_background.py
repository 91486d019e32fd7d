"""Tasks that run beside everything else."""

import asyncio
import contextlib

import pytest

from voice_server.runtime import background


async def test_who_misses_being_cancelled_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_AGAIN", 0.01)

    async def hard_of_hearing() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        await asyncio.sleep(60)

    task = background.start(hard_of_hearing(), "this")
    await asyncio.sleep(0)

    await asyncio.wait_for(background.end(task), 10)

    assert task.cancelled()
