"""How pages are written."""

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from voice_server.console import view

PEOPLE = 200


async def test_while_a_long_page_is_written_others_take_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_PIECE", 0.0)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    page = await view.page("people.html", **people())
    beside.cancel()

    assert turns > PEOPLE
    assert bytes(page.body).count(b"Nobody 1") > 0


def people() -> dict[str, Any]:
    moment = datetime(2026, 11, 17, tzinfo=UTC)
    listed = [
        SimpleNamespace(
            id=f"usr_{n}", name=f"Nobody {n}", addresses=[], language="en", timezone="UTC", created_at=moment
        )
        for n in range(PEOPLE)
    ]
    counts = {one.id: SimpleNamespace(last_seen=moment, conversations=1) for one in listed}
    return {
        "people": listed,
        "counts": counts,
        "most": 1000,
        "following": None,
        "wanted": "",
        "has_more": False,
    }
