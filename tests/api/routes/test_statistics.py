"""Statistics: how much there was of late, and what waits."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from api.conftest import Host
from api.routes.conversations.test_chats import tell
from conftest import House
from pretend.elevenlabs import GRACE

from voice_server.settings import Settings

DAY, HOUR = 86_400, 3600
BROKEN = b'{"type": "post_call_transcription", "data": {"conversation_id": "c%d"}}'


async def change(host: Host, statement: str, **given: object) -> None:
    async with host.house.worker.engine.begin() as connection:
        await connection.execute(sa.text(statement), given)


def hours(told: Any) -> dict[str, tuple[int, int]]:
    """Those in which something began, by when they began."""
    return {one["at"]: (one["calls"], one["chats"]) for one in told["hours"] if one["calls"] or one["chats"]}


async def test_a_new_server_has_nothing_to_tell(host: Host) -> None:
    told = host.get("/statistics")

    assert [one["at"] for one in (told["hours"][0], told["hours"][-1])] == [
        "2026-11-16T11:00:00Z",
        "2026-11-17T10:00:00Z",
    ]
    assert (len(told["hours"]), hours(told)) == (24, {})
    nothing = {"calls": 0, "p50": None, "p95": None}
    assert told["today"] == {"calls": 0, "chats": 0, "prompts": 0, "to_prompt": nothing}
    assert told["work"] == {"waiting": 0, "oldest_seconds": 0.0, "put_aside": []}


async def test_calls_and_chats_are_counted_by_the_hour_and_for_today(host: Host) -> None:
    ada = await host.call("conv_1")  # at 10:30
    host.house.clock.now += 13 * HOUR
    await host.call("conv_2", caller=GRACE)  # at 23:31
    host.house.clock.now += HOUR
    tell(host, ada, "user: I packed my bag.", "agent: Well done.", chat="trip")
    tell(host, ada, "user: And my map.", chat="continuous-like")

    told = host.get("/statistics")

    assert hours(told) == {
        "2026-11-17T10:00:00Z": (1, 0),
        "2026-11-17T23:00:00Z": (1, 0),
        "2026-11-18T00:00:00Z": (0, 2),
    }
    assert (told["today"]["calls"], told["today"]["chats"]) == (0, 2)
    host.house.clock.now += 10 * HOUR
    assert "2026-11-17T10:00:00Z" not in hours(host.get("/statistics")), "a day ago"


async def test_it_tells_how_soon_the_prompt_of_a_call_was_built(host: Host) -> None:
    for number, seconds in enumerate((2, 4, 30)):
        call = await host.call(f"conv_{number}", caller=f"+1415555010{number}")
        at = datetime.fromtimestamp(host.house.clock.now, UTC)
        await change(
            host,
            "update webhook_events set received_at = :at where conversation_id = :call",
            at=at,
            call=f"conv_{number}",
        )
        await change(
            host,
            "update generated_prompts set created_at = :at where user_id = :user",
            at=at + timedelta(seconds=seconds),
            user=call,
        )

    today = host.get("/statistics")["today"]

    assert today["prompts"] == 3
    assert today["to_prompt"] == {"calls": 3, "p50": 4.0, "p95": 27.4}
    host.house.clock.now += DAY
    assert host.get("/statistics")["today"]["prompts"] == 0, "they were yesterday's"


async def test_it_tells_what_the_model_took_of_what_a_day_may_have(
    open_house: Callable[[Settings], House], settings: Settings
) -> None:
    host = Host(open_house(settings.model_copy(update={"llm_tokens_per_day": 5000})))
    used = "insert into model_usage (day, calls, tokens_in, tokens_out) values (:day, 2, 1000, 200)"
    for day in (date(2026, 11, 17), date(2026, 10, 19), date(2026, 10, 18)):
        await change(host, used, day=day)

    model = host.get("/statistics")["model"]

    took = {"calls": 2, "tokens_in": 1000, "tokens_out": 200}
    assert (len(model["days"]), model["tokens_per_day"]) == (30, 5000)
    assert model["days"][0] == {"day": "2026-10-19", **took}
    assert model["days"][1]["calls"] == 0
    assert model["days"][-1] == {"day": "2026-11-17", **took}


async def test_without_a_limit_there_is_none(host: Host) -> None:
    assert host.get("/statistics")["model"]["tokens_per_day"] is None


async def test_it_tells_what_waits_and_why_some_was_put_aside(host: Host) -> None:
    for number in range(2):
        host.house.platform.post_call(BROKEN % number)
    await host.house.work()
    host.report("conv_1")
    await change(host, "update pgqueuer set created = created - interval '1 minute' where status = 'queued'")
    await change(
        host, "update pgqueuer set execute_after = now() - interval '1 minute' where status = 'queued'"
    )

    work = host.get("/statistics")["work"]

    assert work["waiting"] == 1
    assert work["oldest_seconds"] >= 60
    [reason] = work["put_aside"]
    assert (reason["type"], reason["number"]) == ("post_call_transcription", 2)
    assert "agent_id" in reason["reason"]


async def test_a_digest_that_was_put_aside_is_told_with_its_reason(host: Host) -> None:
    await host.call("conv_1")
    await change(host, "update conversations set digest_state = 'failed', digest_error = 'ValueError: no'")

    [reason] = host.get("/statistics")["work"]["put_aside"]

    assert reason == {"type": "digest", "reason": "ValueError: no", "number": 1}
