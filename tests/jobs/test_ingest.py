"""Ingest and what follows: what takes long stays off the loop, what differs fails no event."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from conftest import House
from pretend.elevenlabs import ended_call

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message
from voice_server.domain.event import EndedCall
from voice_server.jobs import ingest
from voice_server.platforms.elevenlabs import post_call

SAID = ("agent: Hello!", "user: I moved to Lisbon.", "agent: How lovely.", "user: My PIN is 4711.")


async def test_wishes_in_a_call_are_looked_for_off_the_loop(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_the_loop, withheld = list[bool](), consent.withheld

    def watched(messages: Sequence[Message], understood: frozenset[int] = frozenset()) -> frozenset[int]:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            on_the_loop.append(False)
        else:
            on_the_loop.append(True)
        return withheld(messages, understood)

    monkeypatch.setattr(consent, "withheld", watched)
    house.platform.post_call(ended_call("conv_1", SAID, ended=house.clock()))

    await house.work()

    assert "I moved to Lisbon." in house.platform.told()
    assert on_the_loop
    assert not any(on_the_loop)


def parsed(*said: str) -> EndedCall:
    event: dict[str, Any] = ended_call("conv_1", said, ended=1_795_000_000)
    call = post_call.parse_post_call(json.dumps(event).encode(), "US")
    assert isinstance(call, EndedCall)
    return call


def test_transcripts_keep_what_was_said_also_where_a_message_is_missing() -> None:
    without = parsed(*SAID[:3], "user: My PIN is [PIN].", "agent: Thank you.")

    assert ingest._verbatim(without, parsed(*SAID)) == {3: "My PIN is 4711."}
    assert ingest._verbatim(parsed(*SAID[:3]), parsed(*SAID)) == {}
