"""Of every prompt built there is a record: what went in, what was left out and why, what asked for it."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from conftest import House
from pretend.elevenlabs import ADA, ended_call

from voice_server.context.prompt_builder import ORDER
from voice_server.domain.fact import Claim
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.store.knowledge import facts

OpenHouse = Callable[[Settings], House]
OF_ADA = "insert into {table} (user_id, agent_id, {columns}) select id, 'agent_robin', {values} from users"
FACT = "about, key, text, certainty, salience, said_on, last_said_on, origin"
JAR = "'user', {n}, 'Ada keeps jar {n}.', 1, 0.5, date '2026-11-10', date '2026-11-10', 'digest'"


@pytest.fixture
async def called(house: House) -> House:
    await a_call(house)
    return house


async def a_call(house: House, conversation: str = "conv_1") -> None:
    said = ("user: Please send me the plum cake recipe.", "agent: I'll send you the recipe on Friday.")
    house.platform.post_call(
        ended_call(conversation, said, summary="Ada wants the recipe.", ended=house.clock())
    )
    await house.work()


async def learn(house: House, table: str, columns: str, values: str) -> None:
    await house.query(OF_ADA.format(table=table, columns=columns, values=values))


async def rebuild(house: House) -> None:
    await house.query("update pending_work set requested = requested + 1")
    await house.worker.upkeep.sweep()
    await house.work()


async def snapshot(house: House) -> dict[str, Any]:
    [(found,)] = await house.query(
        "select context_snapshot::text from generated_prompts"
        " join cached_voice_prompts using (user_id, agent_id, version)"
    )
    decoded: dict[str, Any] = json.loads(found)
    return decoded


async def test_the_record_names_every_section_with_its_tokens_its_rows_and_what_was_left_out(
    called: House,
) -> None:
    for n in range(40):
        await learn(called, "facts", FACT, JAR.format(n=n))
    await rebuild(called)

    record = await snapshot(called)

    sections = {one["name"]: one for one in record["sections"]}
    assert list(sections) == ["persona", *ORDER, "response_style"]
    assert sum(one["tokens"] for one in sections.values()) == record["tokens"]
    memory = sections["long_term_memory"]
    assert memory["items_kept"] == len(memory["sources"]) == record["facts_count"] == 30
    assert all(source.startswith("facts/") for source in memory["sources"])
    left_out = [one for one in record["dropped"] if one["section"] == "long_term_memory"]
    assert len(left_out) == memory["items_dropped"] >= 10
    assert all(one["tokens"] > 0 and one["rule"] and one["item"].startswith("facts/") for one in left_out)


async def test_the_record_says_what_there_was(called: House) -> None:
    record = await snapshot(called)

    assert record["message_history_count"] == record["message_history_tokens"] == 0
    assert record["today_summary_present"]
    assert record["last_conversation_present"]
    assert record["open_threads_count"] > 0
    assert record["conversations"] == 1
    assert record["tokenizer"] == "o200k_base"
    assert record["template_version"] == called.worker.templates.agent("agent_robin").version
    assert record["build_ms"] > 0
    assert record["without"] == {}


async def test_the_record_says_what_asked_for_the_prompt(called: House) -> None:
    after_the_call = await snapshot(called)
    await learn(called, "thoughts", "text, expires_at", "'I wonder.', now() + interval '1000 days'")
    await called.query("update cached_voice_prompts set template_version = 'an older one'")
    await called.worker.upkeep.sweep()
    await called.work()

    assert after_the_call["trigger"] == "event"
    assert (await snapshot(called))["trigger"] == "upkeep"


async def test_what_cannot_be_read_costs_no_prompt_and_is_named(
    called: House, caplog: pytest.LogCaptureFixture
) -> None:
    await learn(called, "thoughts", "text, expires_at", "'I wonder.', now() + interval '1000 days'")
    await called.query("delete from relationships")
    await learn(called, "relationships", "metrics", """'{"trust": "high"}'""")

    await rebuild(called)

    assert "[INNER LIFE]" in called.platform.told(ADA)
    assert list((await snapshot(called))["without"]) == ["relationship"]
    assert "without relationship" in caplog.text


async def test_a_template_that_fails_on_these_facts_costs_its_section_alone(
    open_house: OpenHouse, settings: Settings, templates: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (templates / "default" / "last_time.jinja").write_text(
        '{% if "wants" in summary %}{{ 1 // 0 }}{% endif %}[LAST TIME]'
    )
    house = open_house(settings.model_copy(update={"prompt_templates": templates}))

    await a_call(house)

    told = house.platform.told(ADA)
    assert "[OPEN THREADS]" in told
    assert "[LAST TIME]" not in told
    assert list((await snapshot(house))["without"]) == ["last_time"]
    assert "last_time.jinja of agent agent_robin cannot be rendered" in caplog.text


async def test_a_thought_is_told_until_it_expires(called: House) -> None:
    await learn(
        called, "thoughts", "text, expires_at", "'I wonder about the plums.', timestamptz '2026-11-17 12:00Z'"
    )
    await rebuild(called)
    before = called.platform.told(ADA)

    called.clock.set_to("2026-11-17T12:00:01+00:00")
    await called.worker.upkeep.sweep()
    await called.work()

    assert "I wonder about the plums." in before
    assert "I wonder about the plums." not in called.platform.told(ADA)


async def test_what_is_announced_takes_over_on_its_day_without_another_word(called: House) -> None:
    await learn_by_hand(called, "Ada lives in Porto.")
    await learn_by_hand(called, "Ada will live in Lisbon.", valid_from=date(2026, 12, 1))
    await rebuild(called)
    before = called.platform.told(ADA)

    called.clock.set_to("2026-12-01T12:00:00+00:00")
    await called.worker.upkeep.sweep()
    await called.work()

    after = called.platform.told(ADA)
    assert "Ada lives in Porto. (until Dec 2026)" in before
    assert "Ada will live in Lisbon. (from Dec 2026)" in before
    assert "Porto" not in after
    assert "Ada will live in Lisbon. (since Dec 2026)" in after


async def learn_by_hand(house: House, text: str, valid_from: date | None = None) -> None:
    at = datetime.fromtimestamp(house.clock(), UTC)
    [(user_id,)] = await house.query("select id from users")
    claim = Claim("user", text, at.date(), topic="home", valid_from=valid_from)
    engine = session.connect(house.settings.database_url, 1)
    async with engine.begin() as connection:
        await facts.add(connection, user_id, "agent_robin", claim, at=at)
    await engine.dispose()
