"""A telephone companionship of two voices over eight months, invented for these tests, with questions whose
answers are known: `tests/search/dialogue`.

`ada.jsonl` are Ada's calls, `grace.jsonl` those of somebody with much the same life, `questions.jsonl` what
is asked of Ada's. `kind` says what a line is: `call` (`id`, `at`: UTC, `outcome` unless it was talked: an
`erased` one was, until it was erased), `said` (`id`: the call's and its place there, `role`, `text`),
`question` (`sort`, `text`, `gold`: ids of the messages that answer it). The questions were written before the
search had seen any of it, and stay as they are.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from pretend.talk import ADA, GRACE, Talk
from redis.asyncio import Redis

from voice_server.domain.conversation import message_id
from voice_server.operations.people import erasing

ASKED = datetime(2026, 8, 20, 12, tzinfo=UTC)  # four days after the last call
_PLACE = Path(__file__).parent.parent / "search" / "dialogue"
_ERASED, _DECLINED = "erased", "declined"
# Of Ada's calls: what she asked not to be remembered, her asking, and what the agent says to it.
_OFF_THE_RECORD = ("c03-19", "c03-20", "c07-19", "c07-20", "c07-21", "c07-22", "c10-19", "c10-20")


class Asked(Struct, frozen=True):
    """A question, and the ids of the messages that answer it."""

    text: str
    sort: str
    gold: frozenset[str]


class Companionship(Struct, frozen=True):
    """What was fed to the store: texts by the ids they have there. `forbidden` is what Ada must never be
    told, `erased` and others' talk included; `said` is the rest of hers."""

    questions: tuple[Asked, ...]
    said: dict[str, str]
    forbidden: dict[str, str]


async def feed(talk: Talk, redis: Redis) -> Companionship:
    """All calls, stored and indexed; then one of them is erased, and the index made anew."""
    ids, said, forbidden = {}, dict[str, str](), dict[str, str]()
    for user_id, name in ((ADA, "ada"), (GRACE, "grace")):
        for call in _calls(name):
            lines = [f"{one['role']}: {one['text']}" for one in call["said"]]
            outcome = _DECLINED if call.get("outcome") == _DECLINED else "talked"
            conversation = await talk.call(
                call["at"], *lines, user_id=user_id, outcome=outcome, language="en"
            )
            for position, one in enumerate(call["said"]):
                ids[one["id"]] = message_id(conversation, position)
                hers = user_id == ADA and "outcome" not in call and one["id"] not in _OFF_THE_RECORD
                (said if hers else forbidden)[ids[one["id"]]] = one["text"]
    await talk.index(ADA, GRACE)
    [(erased,)] = await talk.query("select id from conversations where started_at = :at", at=_erased_at())
    async with talk.engine.begin() as connection:
        await erasing.conversation(connection, redis, erased)
    await talk.index(ADA)
    return Companionship(tuple(_questions(ids)), said, forbidden)


def _calls(name: str) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = []
    for row in _read(name):
        if row["kind"] == "call":
            calls.append(row | {"said": []})
        else:
            calls[-1]["said"].append(row)
    return calls


def _erased_at() -> datetime:
    [at] = [call["at"] for call in _calls("ada") if call.get("outcome") == _ERASED]
    return datetime.fromisoformat(at).replace(tzinfo=UTC)


def _questions(ids: dict[str, str]) -> Iterator[Asked]:
    for row in _read("questions"):
        yield Asked(row["text"], row["sort"], frozenset(ids[one] for one in row["gold"]))


def _read(name: str) -> Iterator[dict[str, Any]]:
    for line in (_PLACE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
