"""Looking up facts: those that hold and may be told, of this user with this agent, by the words they
share."""

from typing import Any

import msgspec
import pytest
from pretend.timeline import ADA, ROBIN, Timeline, at, claim, on

from voice_server.digest.privacy.forgotten import ForgetFilter, hashed
from voice_server.domain.memory import ForgottenTopic
from voice_server.search import fact_lookup, types
from voice_server.search.types import FactHit
from voice_server.store import session
from voice_server.store.knowledge import facts
from voice_server.store.knowledge.facts import CurrentFact, Row

GRACE = "usr_grace"
DOG, CAT = "The caller has a spaniel called Biscuit.", "The caller has a cat called Minka."
PORTO, LISBON = "The caller lives in Porto.", "The caller lives in Lisbon."


@pytest.fixture
async def timeline(database_url: str) -> Any:
    """Ada and Grace, of whom nothing is known."""
    engine = session.connect(database_url, 5)
    made = Timeline(engine)
    await made.begin(GRACE)
    yield made
    await engine.dispose()


async def add(timeline: Timeline, text: str, day: int = 10, *, user_id: str = ADA, **more: Any) -> Row:
    async with timeline.transaction() as connection:
        return await facts.add(connection, user_id, ROBIN, claim(text, day, **more), at=at(day))


async def look_up(
    timeline: Timeline,
    text: str,
    *,
    user_id: str = ADA,
    agent_id: str = ROBIN,
    today: int = 17,
    limit: int = 6,
    min_score: float | None = None,
) -> list[FactHit]:
    async with timeline.transaction() as connection:
        return await fact_lookup.find(
            connection,
            types.Timeline(user_id, agent_id, "UTC"),
            text,
            limit=limit,
            min_score=min_score,
            today=on(today),
        )


async def found(timeline: Timeline, text: str, **more: Any) -> list[str]:
    return [hit.text for hit in await look_up(timeline, text, **more)]


async def test_a_fact_is_found_by_any_of_its_words_and_told_as_it_is(timeline: Timeline) -> None:
    row = await add(timeline, DOG, 9)
    await add(timeline, PORTO)

    [hit] = await look_up(timeline, "What are spaniels like?")

    assert (hit.fact_id, hit.text, hit.about, hit.said_on, hit.origin) == (row.id, DOG, "user", on(9), "api")
    assert 0 < hit.score <= 1


@pytest.mark.parametrize(
    ("language", "fact", "query"),
    [
        ("zh", "王芳喜欢龙井茶。", "龙井茶"),
        ("zh", "王芳喜欢龙井茶。", "茶"),
        ("ja", "息子の名前は健太です。", "健太"),
        ("de", "Ulrike mag Äpfel und Erdnüsse nicht.", "Apfel"),
        ("ru", "Он живёт в Петербурге.", "Петербург"),
        ("de", "The caller has an orchard.", "orchards"),
    ],
)
async def test_facts_are_found_in_the_users_language(
    timeline: Timeline, language: str, fact: str, query: str
) -> None:
    await timeline.query("update users set language = :language", language=language)
    await add(timeline, fact)

    assert await found(timeline, query) == [fact]


async def test_what_shares_no_word_is_not_found(timeline: Timeline) -> None:
    await add(timeline, DOG)

    assert await found(timeline, "the weather in Porto") == []
    assert await found(timeline, "of the and") == []
    assert await found(timeline, "\0 🎂") == []


async def test_a_fact_that_was_superseded_is_not_found(timeline: Timeline) -> None:
    await timeline.digest(1, claim(PORTO, 1, topic="home"))
    await timeline.digest(3, claim(LISBON, 3, topic="home"))

    assert await found(timeline, "Where does the caller live? Porto?") == [LISBON]


async def test_a_fact_that_will_give_way_is_found_until_that_day(timeline: Timeline) -> None:
    await timeline.digest(1, claim(PORTO, 1, topic="home"))
    await timeline.digest(3, claim(LISBON, 3, topic="home", valid_from=on(25)))
    await timeline.query("update facts set valid_to = '2026-11-25' where text = :text", text=PORTO)

    assert PORTO in await found(timeline, "Porto", today=24)
    assert await found(timeline, "Porto", today=25) == []


@pytest.mark.parametrize("hidden", ["excluded = true", "flagged = true", "times = 0"])
async def test_what_may_not_be_told_is_not_found(timeline: Timeline, hidden: str) -> None:
    await add(timeline, DOG)
    await add(timeline, CAT)

    await timeline.query(f"update facts set {hidden} where text = :text", text=DOG)  # noqa: S608 (a case above)

    assert await found(timeline, "the spaniel or the cat called Biscuit") == [CAT]


async def test_what_was_excluded_does_not_change_the_scores_of_others(timeline: Timeline) -> None:
    for text in (CAT, PORTO):
        await add(timeline, text)
    before = await look_up(timeline, "the cat in Porto")
    await add(timeline, DOG)

    await timeline.query("update facts set excluded = true where text = :text", text=DOG)

    assert await look_up(timeline, "the cat in Porto") == before


async def test_facts_of_another_user_or_with_another_agent_are_not_found(timeline: Timeline) -> None:
    await add(timeline, DOG, user_id=GRACE)

    assert await found(timeline, "spaniel") == []
    assert await found(timeline, "spaniel", user_id=GRACE) == [DOG]
    assert await found(timeline, "spaniel", user_id=GRACE, agent_id="agent_wren") == []


async def test_other_users_facts_do_not_change_the_scores(timeline: Timeline) -> None:
    for text in (DOG, CAT):
        await add(timeline, text)
    before = await look_up(timeline, "a spaniel and a cat")

    for n in range(5):
        await add(timeline, f"{CAT} And {n} more cats.", user_id=GRACE)

    assert await look_up(timeline, "a spaniel and a cat") == before


async def test_what_has_more_of_the_words_comes_first_and_a_rare_word_counts_more(timeline: Timeline) -> None:
    for text in (PORTO, CAT, DOG):
        await add(timeline, text)

    assert await found(timeline, "called Biscuit") == [DOG, CAT]
    assert (await found(timeline, "does the spaniel live or call"))[0] == DOG


async def test_a_fact_that_has_all_words_that_any_has_scores_one(timeline: Timeline) -> None:
    for text in (DOG, CAT):
        await add(timeline, text)

    [dog, cat] = await look_up(timeline, "a zeppelin called Biscuit")

    assert dog.score == pytest.approx(1)
    assert 0 < cat.score < 1


async def test_of_equals_the_one_said_last_comes_first(timeline: Timeline) -> None:
    for day in (5, 9, 7):
        await add(timeline, f"The caller met {day} geese.", day)

    assert [hit.said_on.day for hit in await look_up(timeline, "geese")] == [9, 7, 5]


async def test_a_least_score_and_a_limit_only_take_away(timeline: Timeline) -> None:
    for text in (DOG, CAT, PORTO):
        await add(timeline, text)
    everything = await look_up(timeline, "Biscuit and Minka called from Porto")

    for least in (0, 0.3, 0.5, 1):
        hits = await look_up(timeline, "Biscuit and Minka called from Porto", min_score=least)
        assert hits == [hit for hit in everything if hit.score >= least]
    assert await look_up(timeline, "Biscuit and Minka called from Porto", limit=1) == everything[:1]


async def test_facts_in_another_language_are_found_by_their_words(timeline: Timeline) -> None:
    await add(timeline, "Anrufer wohnt in Köln.")
    await add(timeline, "Ходит в хор.")

    assert await found(timeline, "Köln") == ["Anrufer wohnt in Köln."]
    assert await found(timeline, "хор") == ["Ходит в хор."]


# -- whose facts are meant

KNOWN = {
    "nurse": ("user", '"I work as a nurse at the children\'s hospital."'),
    "thanks": ("agent", '"Thank you, Marta, I have noted that."'),
    "cello": ("user", '"My daughter Ines plays the cello."'),
    "prices": ("agent", '"I\'ll send Marta the price list."'),
    "photos": ("user", '"I promise I\'ll bring the photos."'),
    "surgeon": ("agent", '"I promised to ask the surgeon."'),
    "latex": ("user", '"I am allergic to latex."'),
    "closing": ("agent", '"We close at six, Marta, on Saturdays."'),
    "landlord": ("user", '"My landlord Robin raised the rent."'),
    "hours": ("agent", '"I work from eight to four."'),
}
HELD = [
    CurrentFact(n, about, text, on(10), "digest")  # type: ignore[arg-type]  # a literal, of the table above
    for n, (about, text) in enumerate(KNOWN.values())
]
NAMES = ("Marta Klein", "Robin")


def answers(text: str) -> list[str]:
    hits = fact_lookup.scored(HELD, ForgetFilter(()), text, "en", NAMES)
    return [list(KNOWN)[hit.fact_id] for hit in hits]


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("What does Marta do for work?", "nurse"),
        ("What is Marta Klein allergic to?", "latex"),
        ("marta's daughter", "cello"),
        ("When does Robin work?", "hours"),
        ("What did Robin promise?", "surgeon"),
        ("what did marta promise", "photos"),
        ("What did the agent promise?", "surgeon"),
        ("What did the caller promise?", "photos"),
        ("What does Robin send Marta?", "prices"),
    ],
)
def test_who_is_named_says_whose_facts_are_meant(text: str, best: str) -> None:
    assert answers(text)[0] == best


def test_a_query_that_is_nothing_but_a_name_means_all_that_is_known_of_them() -> None:
    found = answers("Who is Marta?")

    assert set(found[:5]) == {"nurse", "cello", "photos", "latex", "landlord"}


def test_a_name_is_a_word_where_no_fact_has_any_other() -> None:
    assert answers("gossip about Robin") == ["landlord"]


# -- what is to be forgotten

RENT = ForgottenTopic(at(16), (hashed("landlord"),))


@pytest.mark.parametrize("others", [0, 201], ids=["a few facts", "more than are read at once"])
async def test_a_fact_that_is_to_be_forgotten_is_not_found(timeline: Timeline, others: int) -> None:
    await add(timeline, "The caller's landlord raised the rent.")
    await add(timeline, "The caller pays no rent for the garage.")
    await timeline.query(
        "insert into facts (user_id, agent_id, about, text, key, said_on, last_said_on, origin, certainty,"
        " salience)"
        " select user_id, agent_id, about, 'Met ' || n || ' geese.', key || n, said_on, last_said_on, origin,"
        " certainty, salience from facts, generate_series(1, :others) n where text like '%garage%'",
        others=others,
    )
    await timeline.query(
        "update users set forgets = cast(:wish as jsonb)", wish=msgspec.json.encode([RENT]).decode()
    )

    assert await found(timeline, "rent") == ["The caller pays no rent for the garage."]
