"""What a prompt is made of, gathered in one query: the candidates that matter, however much there is."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.fact import Source
from voice_server.domain.memory import Memory
from voice_server.domain.person import CallerName
from voice_server.domain.relationship import Metrics, Relationship
from voice_server.queue import prompt_requests
from voice_server.store import session
from voice_server.store.inputs import prompt_inputs
from voice_server.store.inputs.prompt_inputs import GatheredMemory, PromptRequest
from voice_server.store.prompts.prompts import Target
from voice_server.store.tables import (
    addresses,
    agents,
    conversations,
    digests,
    facts,
    messages,
    open_threads,
    relationships,
    thoughts,
    users,
)

NOW = datetime(2026, 11, 17, 10, 30, tzinfo=UTC)
TODAY = NOW.date()
ADA, GRACE = Target("usr_ada", "agent_robin"), Target("usr_grace", "agent_robin")
OURS = {"user_id": ADA.user_id, "agent_id": ADA.agent_id}


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[AsyncConnection]:
    """A database in which Ada and Grace are known to Robin, and Ada to Wren."""
    engine = session.connect(database_url, 2)
    async with engine.begin() as connection:
        for agent in ("agent_robin", "agent_wren"):
            await connection.execute(sa.insert(agents).values(id=agent, platform="elevenlabs"))
        for target in (ADA, GRACE):
            await connection.execute(sa.insert(users).values(id=target.user_id))
        yield connection
    await engine.dispose()


async def gathered(connection: AsyncConnection, *targets: Target) -> dict[Target, GatheredMemory]:
    return await prompt_inputs.gather(
        connection, dict.fromkeys(targets or (ADA,), PromptRequest("UTC")), now=NOW
    )


async def memory(connection: AsyncConnection) -> Memory:
    return (await gathered(connection))[ADA].memory


async def add_facts(connection: AsyncConnection, *several: dict[str, Any]) -> None:
    usual = {
        **OURS, "about": "user", "certainty": 1.0, "salience": 0.5, "said_on": TODAY, "last_said_on": TODAY,
        "origin": "digest",
    }  # fmt: skip
    rows = [{**usual, "key": one["text"], **one} for one in several]
    for row in rows:
        await connection.execute(sa.insert(facts).values(row))


async def add_thread(connection: AsyncConnection, text: str, **more: Any) -> None:
    usual = {"positions": [0], "kind": "topic", "said_by": "user", "said_on": TODAY, "touched_at": NOW}
    await connection.execute(sa.insert(open_threads).values({**OURS, **usual, "text": text, **more}))


async def add_thought(connection: AsyncConnection, text: str, **more: Any) -> None:
    usual = {"expires_at": NOW + timedelta(days=1), "created_at": NOW}
    await connection.execute(sa.insert(thoughts).values({**OURS, **usual, "text": text, **more}))


async def add_call(connection: AsyncConnection, days_ago: int, **more: Any) -> int:
    """A call and its digest; its id."""
    started = NOW - timedelta(days=days_ago)
    row = {
        **OURS,
        "platform": "elevenlabs",
        "platform_id": f"conv_{days_ago}",
        "channel": "voice",
        "outcome": "talked",
        "started_at": started,
        "ended_at": started + timedelta(minutes=5),
    }
    made = await connection.execute(sa.insert(conversations).values(row).returning(conversations.c.id))
    id_ = int(made.scalar_one())
    digest = {"source": "extractive", "summary": "", "key_moments": [], "keywords": [], "stems": [], **more}
    await connection.execute(
        sa.insert(digests).values({"conversation_id": id_, "user_id": ADA.user_id, **digest})
    )
    return id_


async def texts(connection: AsyncConnection) -> list[str]:
    return [fact.text for fact in (await memory(connection)).facts]


async def test_of_someone_of_whom_nothing_is_known_there_is_nothing(connection: AsyncConnection) -> None:
    assert await memory(connection) == Memory(ADA.user_id, "UTC")


async def test_facts_thoughts_and_relationship_are_gathered_for_each_user_and_agent(
    connection: AsyncConnection,
) -> None:
    await add_facts(connection, {"text": "Ada's"}, {"text": "Ada's with Wren", "agent_id": "agent_wren"})
    await add_facts(connection, {"text": "Grace's", "user_id": GRACE.user_id})
    await add_thought(connection, "of Ada")
    await add_thought(connection, "of Grace", user_id=GRACE.user_id)

    found = await gathered(connection, ADA, GRACE)

    assert [[fact.text for fact in found[one].memory.facts] for one in (ADA, GRACE)] == [
        ["Ada's"],
        ["Grace's"],
    ]
    assert [[one.text for one in found[target].memory.thoughts] for target in (ADA, GRACE)] == [
        ["of Ada"],
        ["of Grace"],
    ]


async def test_superseded_excluded_and_flagged_facts_are_no_candidates(connection: AsyncConnection) -> None:
    await add_facts(connection, {"text": "told"}, {"text": "excluded", "excluded": True})
    newer = await connection.scalar(sa.select(facts.c.id).where(facts.c.text == "told"))
    await add_facts(connection, {"text": "flagged", "flagged": True}, {"text": "old", "superseded_by": newer})

    assert await texts(connection) == ["told"]


async def test_facts_that_are_never_told_are_known_for_what_says_the_same(
    connection: AsyncConnection,
) -> None:
    """All that a person excluded, in whatever state, and the newest of those that are flagged."""
    await add_facts(
        connection, {"text": "told"}, {"text": "Grace's", "user_id": GRACE.user_id, "excluded": True}
    )
    newer = await connection.scalar(sa.select(facts.c.id).where(facts.c.text == "told"))
    said = [{"conversation_id": 7, "positions": [1, 3]}]
    await add_facts(
        connection,
        {"text": "excluded", "excluded": True, "sources": said},
        {"text": "old", "excluded": True, "superseded_by": newer},
        {"text": "unsaid", "excluded": True, "times": 0},
        {"text": "flagged before", "flagged": True, "superseded_by": newer},
        *({"text": f"flagged {n:02}", "flagged": True, "sources": said} for n in range(30)),
    )

    found = (await memory(connection)).withheld

    assert {one.text: one.sources for one in found if one.excluded} == {
        "excluded": (Source(7, (1, 3)),),
        "old": (),
        "unsaid": (),
    }
    assert {one.text for one in found if not one.excluded} == {f"flagged {n}" for n in range(10, 30)}


async def test_what_holds_no_more_is_known_where_a_conversation_that_is_told_says_it(
    connection: AsyncConnection,
) -> None:
    told = await add_call(connection, 3)
    await add_facts(connection, {"text": "new", "sources": [{"conversation_id": 9, "positions": [5]}]})
    newer = await connection.scalar(sa.select(facts.c.id))
    gone = {"superseded_by": newer, "valid_to": TODAY - timedelta(days=1)}
    said = [{"conversation_id": told, "positions": [1]}]
    await add_facts(
        connection,
        {"text": "said", "sources": said, **gone},
        {"text": "said elsewhere", "sources": [{"conversation_id": told + 1, "positions": [1]}], **gone},
        {"text": "noted by hand", **gone},
        {"text": "excluded", "sources": said, "excluded": True, **gone},
        {"text": "until later", "sources": said, **gone, "valid_to": TODAY + timedelta(days=9)},
    )

    found = (await memory(connection)).superseded

    assert [(one.text, one.sources, one.instead) for one in found] == [
        ("said", (Source(told, (1,)),), (Source(9, (5,)),))
    ]


async def test_what_holds_until_a_day_to_come_is_a_candidate(connection: AsyncConnection) -> None:
    await add_facts(connection, {"text": "new", "valid_from": TODAY + timedelta(days=9)})
    newer = await connection.scalar(sa.select(facts.c.id))
    coming, gone = TODAY + timedelta(days=9), TODAY - timedelta(days=1)
    await add_facts(
        connection,
        {"text": "still", "superseded_by": newer, "valid_to": coming},
        {"text": "over", "superseded_by": newer, "valid_to": gone},
    )

    assert set(await texts(connection)) == {"new", "still"}


async def test_of_very_many_facts_those_with_a_claim_are_the_candidates(connection: AsyncConnection) -> None:
    await add_thread(connection, "How long do the plums keep in the cellar?")
    await connection.execute(
        sa.text(
            "insert into facts (user_id, agent_id, key, about, text, certainty, salience, said_on,"
            " last_said_on, origin, stems)"
            " select 'usr_ada', 'agent_robin', n, 'user', 'common ' || n, 1, 0.2, date '2026-11-01',"
            " date '2026-11-01', 'digest', array['ada', 'talk'] from generate_series(1, 300) n"
        )
    )
    long_ago = date(2024, 1, 1)
    await add_facts(
        connection,
        {"text": "pinned", "salience": 0.0, "last_said_on": long_ago, "pinned": True},
        {"text": "due", "salience": 0.0, "last_said_on": long_ago, "due": TODAY + timedelta(days=9)},
        {"text": "salient", "salience": 0.9, "last_said_on": date(2026, 6, 1)},
        {"text": "recent", "salience": 0.21},
        {"text": "relevant", "salience": 0.1, "stems": ["plum", "jam"]},
        {"text": "neither", "salience": 0.1},
    )

    found = await texts(connection)

    assert found[:5] == ["pinned", "due", "salient", "relevant", "recent"]
    assert "neither" not in found
    assert len(found) == 60


async def test_what_is_on_now_are_the_words_of_threads_and_of_the_last_conversation(
    connection: AsyncConnection,
) -> None:
    await add_call(connection, 0, keywords=["garden"])
    await add_call(connection, 1, keywords=["bicycl"])
    await add_thread(connection, "Who feeds the cats?")
    await add_thread(connection, "Closed.", status="closed")

    assert (await memory(connection)).topical_stems == ("cat", "feed", "garden")


async def test_what_an_earlier_release_retold_is_told_as_it_stands(connection: AsyncConnection) -> None:
    """Until it is digested anew; quotes of ours are told as quotes."""
    at = {"said_at": NOW.isoformat(), "position": 1}
    quote = {**at, "text": "It's 12 Oak Avenue.", "said_by": "user"}
    retold = {**at, "text": "The caller lives at 12 Oak Avenue now."}
    await add_call(connection, 1, summary='Caller: "It\'s 12 Oak Avenue."', key_moments=[quote])
    await add_call(connection, 2, summary="The caller lives at 12 Oak Avenue now.", key_moments=[retold])
    await add_call(connection, 3, summary='The caller said: "They\'re not in yet."')

    latest = (await memory(connection)).latest

    assert {one.started_at.day: one.is_quoted for one in latest} == {16: True, 15: False, 14: False}


async def test_when_something_was_said_is_told_of_chats_alone(connection: AsyncConnection) -> None:
    """As far as the last days go."""
    began, ended = NOW - timedelta(days=5), NOW
    for channel in ("voice", "text"):
        call = {"platform": "ours", "platform_id": channel, "channel": channel, "outcome": "talked"}
        row = {**OURS, **call, "started_at": began, "ended_at": ended}
        id_ = await connection.scalar(sa.insert(conversations).values(row).returning(conversations.c.id))
        digest = {"source": "extractive", "summary": "", "key_moments": [], "keywords": [], "stems": []}
        whose = {"conversation_id": id_, "user_id": ADA.user_id}
        await connection.execute(sa.insert(digests).values({**whose, **digest}))
        for position, at in enumerate((began, NOW - timedelta(days=2), ended)):
            said = {"position": position, "role": "user", "content": "Hello", "said_at": at}
            await connection.execute(sa.insert(messages).values({"conversation_id": id_, **said}))

    told = {one.channel: one.said for one in (await memory(connection)).latest}

    assert told == {"voice": (), "text": (NOW - timedelta(days=2), ended)}


async def test_who_else_spoke_from_the_number_is_known(connection: AsyncConnection) -> None:
    await connection.execute(sa.update(users).values(name="Robert Halloran", name_source="said"))
    for n, name in enumerate(("Ines", "Robert", None)):
        started = NOW - timedelta(days=n)
        call = {"platform": "elevenlabs", "platform_id": f"conv_{n}", "channel": "voice", "outcome": "talked"}
        row = {**OURS, **call, "started_at": started, "ended_at": started + timedelta(minutes=5)}
        id_ = await connection.scalar(sa.insert(conversations).values(row).returning(conversations.c.id))
        digest = {"source": "extractive", "summary": "Hi.", "key_moments": [], "keywords": [], "stems": []}
        whose = {"conversation_id": id_, "user_id": ADA.user_id}
        heard = msgspec.to_builtins(CallerName(name)) if name else None
        await connection.execute(sa.insert(digests).values({**whose, **digest, "caller_name": heard}))

    assert [one.caller for one in (await memory(connection)).latest] == ["Ines", "", ""]


async def test_a_thread_with_a_date_coming_up_is_among_very_many(connection: AsyncConnection) -> None:
    for n in range(60):
        await add_thread(connection, f"thread {n}")
    await add_thread(connection, "old but due", touched_at=NOW - timedelta(days=90), due=TODAY)
    await add_thread(connection, "old but pinned", touched_at=NOW - timedelta(days=90), pinned=True)

    found = [thread.text for thread in (await memory(connection)).open_threads]

    assert found[:2] == ["old but pinned", "old but due"]
    assert len(found) == 50


async def test_used_excluded_and_expired_thoughts_are_none(connection: AsyncConnection) -> None:
    await add_thought(connection, "current")
    await add_thought(connection, "used", used_at=NOW)
    await add_thought(connection, "excluded", excluded=True)
    await add_thought(connection, "expired", expires_at=NOW)

    assert [thought.text for thought in (await memory(connection)).thoughts] == ["current"]


async def test_the_relationship_is_what_was_set_and_what_was_gained(connection: AsyncConnection) -> None:
    values = {
        "chapter": "old friends", "score": 0.95, "metrics": {"trust": 0.5},
        "gained": {"score": 0.1, "trust": -0.05, "emotional_state": "glad"},
    }  # fmt: skip
    await connection.execute(sa.insert(relationships).values({**OURS, **values}))

    assert (await memory(connection)).relationship == Relationship(
        "old friends", 1.0, Metrics(trust=0.45), emotional_state="glad"
    )


@pytest.mark.parametrize("wrong", [{"metrics": {"trust": "high"}}, {"gained": {"score": "much"}}])
async def test_what_cannot_be_read_is_missing_and_the_rest_is_there(
    connection: AsyncConnection, wrong: dict[str, Any]
) -> None:
    await connection.execute(sa.insert(relationships).values({**OURS, **wrong}))
    await add_facts(connection, {"text": "known"})

    found = (await gathered(connection))[ADA]

    assert found.memory.relationship is None
    assert [fact.text for fact in found.memory.facts] == ["known"]
    assert list(found.missing) == ["relationship"]
    assert "Expected `float`, got `str`" in found.missing["relationship"]


async def test_who_asked_last_is_known(connection: AsyncConnection) -> None:
    assert (await gathered(connection))[ADA].trigger == ""

    await prompt_requests.request(connection, ADA.user_id, ADA.agent_id, trigger="upkeep")
    await prompt_requests.request(connection, ADA.user_id, ADA.agent_id, trigger="api")

    assert (await gathered(connection))[ADA].trigger == "api"


async def test_a_phone_number_tells_the_time_zone_before_the_agent_does(connection: AsyncConnection) -> None:
    number = sa.insert(addresses).values(address="tel:+493012345678", user_id=ADA.user_id)
    await connection.execute(number)

    found = await gathered(connection, ADA, GRACE)

    assert [one.memory.timezone for one in found.values()] == ["Europe/Berlin", "UTC"]


async def test_the_query_is_planned_for_the_first_few_and_not_for_each(connection: AsyncConnection) -> None:
    for _ in range(10):
        await gathered(connection)

    planned = await connection.scalar(
        sa.text(
            "select custom_plans from pg_prepared_statements where statement like '%wanted.conversations%'"
        )
    )
    assert planned <= 5, "Postgres makes a plan for each of the first five"
