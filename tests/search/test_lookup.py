"""The search: finds what was said, and nothing that is not this user's to be told."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pretend.talk import ADA, GRACE, ROBIN, Talk

from voice_server.digest.privacy.forgotten import hashed
from voice_server.domain.memory import ForgottenTopic
from voice_server.search.types import SCORE_DIGITS
from voice_server.store.search import search_index

CAKE = "user: I baked a plum cake for my sister's birthday."
TRAIN = "user: My train to Porto was late again."
QUESTION, ANSWER = "agent: What did you name the dog?", "user: Biscuit, because of his colour."


async def test_a_message_is_found_by_any_of_its_words(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", CAKE, TRAIN)
    await talk.index()

    assert (await talk.found("something about cakes and weather"))[0] == CAKE.removeprefix("user: ")


async def test_an_answer_is_found_by_the_words_of_its_question(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", TRAIN, QUESTION, ANSWER)
    await talk.index()

    assert "Biscuit, because of his colour." in await talk.found("name of the dog")


async def test_irregular_pasts_are_found_by_their_verb(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", "user: We bought a boat and went sailing.", TRAIN)
    await talk.index()

    assert (await talk.found("buy"))[0] == "We bought a boat and went sailing."


async def test_who_is_named_is_whom_the_other_one_calls_so(talk: Talk) -> None:
    for day in (9, 10, 11):
        await talk.call(
            f"2026-11-{day:02} 09:00",
            "agent: Hello, Ada! How are you?",
            "user: Fine, Robin! I painted the fence.",
            "agent: I painted the fence too, once.",
        )
    await talk.index()

    [ada] = {hit.role for hit in await talk.search("What did Ada paint?", limit=3) if hit.kind == "message"}
    [robin] = {
        hit.role for hit in await talk.search("What did Robin paint?", limit=3) if hit.kind == "message"
    }
    assert (ada, robin) == ("user", "agent")


async def test_who_is_named_is_whose_name_it_is(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", "agent: i painted the fence", "user: i painted the fence too")
    await talk.index()

    asked = [
        await talk.search(f"What did {name} paint?", names=("Ada", "Robin")) for name in ("Ada", "Robin")
    ]
    assert [hits[0].role for hits in asked] == ["user", "agent"]


async def test_what_is_written_in_several_messages_is_found_as_one(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", "user: about biscuit", "user: he ate the slippers", "agent: oh no")
    await talk.call("2026-11-11 09:00", "user: my aunt ate them all")
    await talk.call("2026-11-12 09:00", "user: a biscuit for everybody")
    await talk.index()

    assert set((await talk.found("biscuit ate"))[:2]) == {"about biscuit", "he ate the slippers"}


async def test_on_a_named_day_what_was_said_of_it_comes_before_what_was_said_besides(talk: Talk) -> None:
    await talk.call("2026-03-10 09:00", "agent: Hello!", "user: We sold the shed.", "agent: Good.")
    await talk.call("2026-11-10 09:00", "user: I bought a new shed.")
    await talk.index()

    assert (await talk.found("What about the shed in March?"))[0] == "We sold the shed."


async def test_a_named_day_comes_first(talk: Talk) -> None:
    await talk.call("2026-03-10 09:00", "user: I went to the dentist.")
    await talk.call("2026-11-10 09:00", "user: I went to the dentist!")
    await talk.index()

    assert (await talk.found("dentist in March"))[0] == "I went to the dentist."
    assert (await talk.found("dentist last week"))[0] == "I went to the dentist!"


async def test_of_equals_the_newer_comes_first(talk: Talk) -> None:
    for day in (8, 10, 9):
        await talk.call(f"2026-11-{day:02} 09:00", f"user: The heating broke.{' ' * day}")
    await talk.index()

    assert [hit.day.day for hit in await talk.search("heating")] == [10, 9, 8]


async def test_other_peoples_words_are_not_found(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", TRAIN)
    await talk.call("2026-11-10 09:00", CAKE, user_id=GRACE)
    await talk.index(ADA, GRACE)

    assert await talk.found("plum cake birthday") == []


async def test_talk_with_another_agent_is_not_found(talk: Talk) -> None:
    await talk.query("insert into agents (id, platform) values ('agent_wren', 'elevenlabs')")
    await talk.call("2026-11-10 09:00", CAKE, agent_id="agent_wren")
    await talk.index(agent_id="agent_wren")

    assert await talk.found("plum cake") == []


async def test_results_do_not_depend_on_other_users(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", CAKE, TRAIN, QUESTION, ANSWER)
    await talk.index()
    alone = await talk.search("cake for the dog")
    for hour in range(5):
        await talk.call(f"2026-11-11 {hour:02}:00", CAKE, "user: The dog ate the cake.", user_id=GRACE)
    await talk.index(GRACE)

    assert await talk.search("cake for the dog") == alone


async def test_what_was_not_to_be_remembered_is_not_found(talk: Talk) -> None:
    await talk.call(
        "2026-11-10 09:00", "user: My password is swordfish.", "user: Please don't remember that.", TRAIN
    )
    await talk.index()

    assert await talk.found("password swordfish") == []
    assert await talk.query("select * from search_words where lexeme = 'swordfish'") == []


async def test_a_call_that_was_declined_is_not_found(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", CAKE, outcome="declined")
    await talk.index()

    assert await talk.found("cake") == []


async def test_an_erased_conversation_is_not_found_from_the_moment_it_is_erased(talk: Talk) -> None:
    erased = await talk.call("2026-11-10 09:00", CAKE)
    await talk.call("2026-11-11 09:00", TRAIN)
    await talk.index()

    await talk.query("delete from conversations where id = :id", id=erased)

    assert await talk.found("cake") == []
    await talk.index()
    assert await talk.query("select * from search_words where lexeme = 'cake'") == []
    assert await talk.found("train") == [TRAIN.removeprefix("user: ")]


async def test_a_conversation_that_turns_out_to_be_anothers_is_found_by_them_alone(talk: Talk) -> None:
    moved = await talk.call("2026-11-10 09:00", CAKE)
    await talk.call("2026-11-11 09:00", TRAIN)
    await talk.index()

    await talk.query("update conversations set user_id = :user where id = :id", user=GRACE, id=moved)

    assert await talk.found("cake") == []
    await talk.index(ADA, GRACE)
    assert await talk.found("cake") == []
    assert await talk.found("cake", user_id=GRACE) == [CAKE.removeprefix("user: ")]
    ours = (
        "select lexeme from search_words w join search_timelines t on t.id = timeline_id where t.user_id = "
        ":user"
    )
    assert ("cake",) not in await talk.query(ours, user=ADA)


async def test_a_conversation_told_anew_is_found_as_it_was_told_last(talk: Talk) -> None:
    retold = await talk.call("2026-11-10 09:00", CAKE)
    await talk.index()

    await talk.query("update conversations set event_timestamp = 7 where id = :id", id=retold)
    await talk.query("update messages set content = 'I baked bread.' where conversation_id = :id", id=retold)

    assert await talk.found("cake") == []
    await talk.index()
    assert await talk.found("baked") == ["I baked bread."]
    assert await talk.query("select * from search_words where lexeme = 'cake'") == []


async def test_a_conversation_that_goes_on_is_indexed_from_where_it_was(talk: Talk) -> None:
    going_on = await talk.call("2026-11-10 09:00", CAKE)
    await talk.index()
    before = await talk.query("select next_place from search_timelines")
    await talk.query(
        "insert into messages (conversation_id, position, role, content, said_at)"
        " values (:id, 1, 'user', 'The oven broke.', '2026-11-10 09:01Z')",
        id=going_on,
    )

    await talk.index()

    assert await talk.found("oven") == ["The oven broke."]
    assert (before, await talk.query("select next_place from search_timelines")) == ([(1,)], [(2,)])


async def test_what_is_taken_back_later_in_a_conversation_is_forgotten(talk: Talk) -> None:
    going_on = await talk.call("2026-11-10 09:00", "user: My password is swordfish.")
    await talk.index()
    await talk.query(
        "insert into messages (conversation_id, position, role, content, said_at)"
        " values (:id, 1, 'user', 'Please don''t remember that.', '2026-11-10 09:01Z')",
        id=going_on,
    )

    await talk.index()

    assert await talk.query("select * from search_words where lexeme = 'swordfish'") == []


async def test_indexing_again_changes_nothing(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", CAKE, TRAIN)
    await talk.index()
    once = await talk.query("select * from search_words order by lexeme")

    await talk.index()

    assert await talk.query("select * from search_words order by lexeme") == once


async def test_a_day_is_the_users(talk: Talk) -> None:
    await talk.call("2026-11-10 23:30", "user: It snowed.")  # in Tokyo it is the 11th
    await talk.index()

    assert await talk.found("snow", timezone="Asia/Tokyo", day=date(2026, 11, 11)) == ["It snowed."]
    assert await talk.found("snow", timezone="Asia/Tokyo", day=date(2026, 11, 10)) == []
    assert await talk.found("snow", timezone="UTC", day=date(2026, 11, 10)) == ["It snowed."]


async def test_recent_days_count_from_the_users_today(talk: Talk) -> None:
    await talk.call("2026-11-15 10:00", "user: It snowed.")
    await talk.index()

    assert await talk.found("snow", recency_days=2) == []  # it is the 17th
    assert await talk.found("snow", recency_days=3) == ["It snowed."]


async def test_a_span_of_days_has_its_first_and_its_last(talk: Talk) -> None:
    for day in (9, 10, 11, 12):
        await talk.call(f"2026-11-{day:02} 23:30", f"user: It snowed.{' ' * day}", language="en")
    await talk.index()

    async def days(**span: Any) -> list[int]:
        return sorted(hit.day.day for hit in await talk.search("snow", **span))

    tenth, eleventh = date(2026, 11, 10), date(2026, 11, 11)
    assert await days(since=tenth, until=eleventh) == [10, 11]
    assert await days(since=eleventh) == [11, 12]
    assert await days(until=tenth) == [9, 10]
    assert await days(since=tenth, until=tenth, timezone="Asia/Tokyo") == [
        10
    ]  # there it is the next day at 23:30
    assert await days(since=tenth, day=eleventh) == [11]
    assert await days(until=tenth, recency_days=8) == [10]  # it is the 17th


async def test_scripts_without_spaces_are_found(talk: Talk) -> None:
    await talk.call(
        "2026-11-10 09:00", "user: 我昨天去了北京的博物馆。", "user: 今天天气很好。", language="zh"
    )
    await talk.call("2026-11-11 09:00", "user: ฉันชอบกินข้าวผัด", "user: วันนี้ฝนตก", language="th")
    await talk.call("2026-11-12 09:00", "user: 昨日、京都のお寺に行きました。", language="ja")
    await talk.index()

    assert (await talk.found("博物馆在哪里"))[0] == "我昨天去了北京的博物馆。"
    assert (await talk.found("ข้าวผัด"))[0] == "ฉันชอบกินข้าวผัด"
    assert (await talk.found("京都のお寺"))[0] == "昨日、京都のお寺に行きました。"


async def test_each_language_is_stemmed_by_its_own_rules(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", "user: Wir haben zwei Häuser gesehen.", language="de")
    await talk.index()

    assert await talk.found("haus") == ["Wir haben zwei Häuser gesehen."]


async def test_of_one_word_only_messages_that_say_it_are_found(talk: Talk) -> None:
    await talk.call(
        "2026-11-10 09:00", "agent: Good morning.", "user: I saw a lizard.", "agent: Where was it?"
    )
    await talk.index()

    assert await talk.found("lizard") == ["I saw a lizard."]


async def test_a_word_with_which_sentences_begin_is_no_name(talk: Talk) -> None:
    for day in (9, 10, 11):
        await talk.call(f"2026-11-{day:02} 09:00", "agent: Well, how are you?", "user: Great, thank you.")
    await talk.call("2026-11-12 09:00", "user: We flew to Wellington.", "user: Greatorex Street is far.")
    await talk.index()

    assert (await talk.found("the trip to Wellington"))[0] == "We flew to Wellington."
    assert (await talk.found("Greatorex"))[0] == "Greatorex Street is far."


async def test_a_name_that_is_spoken_of_as_often_is_looked_for(talk: Talk) -> None:
    for day in (9, 10, 11):
        await talk.call(
            f"2026-11-{day:02} 09:00",
            "agent: Lovely, Sam! Good night, Sam.",
            *(f"user: Samsung sent me phone number {number}." for number in range(8)),
        )
    await talk.index()

    assert all("Samsung" in text for text in await talk.found("What did Samsung do?"))


async def test_a_call_in_another_language_changes_no_score(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", "user: The name of the dog is Biscuit.", TRAIN, language="en")
    await talk.index()
    [alone, *_] = await talk.search("What is the name of the dog?")
    await talk.call("2026-11-11 09:00", "user: Wir haben the Voice gesehen.", language="de")
    await talk.index()

    [best, *_] = await talk.search("What is the name of the dog?")
    assert best.snippet == alone.snippet
    assert best.score > alone.score - 0.1


async def test_one_character_that_is_a_word_is_found(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", "user: 我养了一只猫。", language="zh")
    await talk.call("2026-11-11 09:00", "user: 집에서 책을 읽었어요.", language="ko")
    await talk.index()

    assert await talk.found("猫") == ["我养了一只猫。"]
    assert await talk.found("책") == ["집에서 책을 읽었어요."]


async def test_what_is_indexed_anew_meanwhile_is_found_all_the_same(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    erased = await talk.call("2026-11-09 09:00", QUESTION, ANSWER)
    await talk.call("2026-11-10 09:00", CAKE, TRAIN)
    await talk.index()
    read = search_index.passages
    meanwhile = [erased]

    async def then_index_anew(*arguments: Any) -> Any:
        found = await read(*arguments)
        if meanwhile:
            await talk.query("delete from conversations where id = :id", id=meanwhile.pop())
            await talk.index()
        return found

    monkeypatch.setattr(search_index, "passages", then_index_anew)

    assert await talk.found("plum cake") == [CAKE.removeprefix("user: ")]


async def test_a_conversation_nobody_may_find_any_more_leaves_no_word(talk: Talk) -> None:
    declined = await talk.call("2026-11-10 09:00", CAKE)
    await talk.index()
    await talk.query("update conversations set outcome = 'declined' where id = :id", id=declined)

    async with talk.engine.connect() as connection:
        assert (await search_index.behind(connection, 0, 100, 100)).timelines == [(ADA, ROBIN)]
    await talk.index()

    assert await talk.query("select * from search_words") == []


async def test_what_was_said_on_a_day_after_its_segment_is_of_that_day(talk: Talk) -> None:
    early = await talk.call("2026-11-10 09:00", CAKE)
    await talk.call("2026-11-10 15:00", "user: Another cake.")
    await talk.index()
    await talk.query(
        "insert into day_segments (user_id, agent_id, day, timezone, starts_at, ends_at, messages, sources,"
        " marks) values (:user, :agent, '2026-11-10', 'UTC', '2026-11-10 09:00Z', '2026-11-10 09:00Z', 1,"
        " array[cast(:id as bigint)], '{}')",
        user=ADA,
        agent=ROBIN,
        id=early,
    )

    assert len(await talk.found("cake", day=date(2026, 11, 10))) == 2


async def test_what_is_said_past_midnight_is_of_the_day_it_began(talk: Talk) -> None:
    night = await talk.call("2026-11-10 23:50", CAKE, "user: More cake!", apart=timedelta(minutes=20))
    await talk.index()
    await talk.query(
        "insert into day_segments (user_id, agent_id, day, timezone, starts_at, ends_at, messages, sources,"
        " marks) values (:user, :agent, '2026-11-10', 'UTC', '2026-11-10 23:50Z', '2026-11-11 00:10Z', 2,"
        " array[cast(:id as bigint)], '{}')",
        user=ADA,
        agent=ROBIN,
        id=night,
    )

    assert len(await talk.found("cake", day=date(2026, 11, 10))) == 2
    assert await talk.found("cake", day=date(2026, 11, 11)) == []
    assert len(await talk.found("cake", until=date(2026, 11, 10))) == 2
    assert await talk.found("cake", since=date(2026, 11, 11)) == []


async def test_what_the_summary_tells_counts_less_and_stays_before_what_says_less(talk: Talk) -> None:
    id_ = await talk.call("2026-11-10 09:00", CAKE)
    for hour in range(10, 15):
        await talk.call(f"2026-11-10 {hour}:00", f"user: Another cake, {hour}.", TRAIN)
    await talk.index()
    [alone, *_] = await talk.search("plum cake for the birthday")

    await talk.query(
        "insert into day_segments (user_id, agent_id, day, timezone, starts_at, ends_at, messages, sources,"
        " marks, summary) values (:user, :agent, '2026-11-10', 'UTC', '2026-11-10 09:00Z',"
        " '2026-11-10 09:00Z', 1, array[cast(:id as bigint)], '{}', :summary)",
        user=ADA,
        agent=ROBIN,
        id=id_,
        summary=CAKE.removeprefix("user: "),
    )

    day, covered, *others = await talk.search("plum cake for the birthday")
    assert (day.kind, covered.covered_by_summary) == ("summary", True)
    assert covered.snippet == alone.snippet
    assert alone.score > covered.score > max(other.score for other in others)


async def test_a_query_of_nothing_finds_nothing(talk: Talk) -> None:
    await talk.call("2026-11-10 09:00", CAKE)
    await talk.index()

    assert [await talk.found(text) for text in ("", "?!", "the of and", "\0", "🎂")] == [[]] * 5


async def test_a_user_who_never_spoke_finds_nothing(talk: Talk) -> None:
    assert await talk.search("cake", user_id="usr_nobody") == []


_LINES = st.lists(
    st.sampled_from(
        ("cake and tea", "tea at noon?", "the train was late", "a cake for Ada", "no tea, thanks", "Porto")
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(
    [["cake and tea"] * 2 + ["tea at noon?"] + ["Porto"] * 2, ["cake and tea"] + ["tea at noon?"] * 2],
    "cake",
    1,
    1,
    0.828125,
    1,
)
@given(
    calls=st.lists(_LINES, min_size=1, max_size=4),
    query=st.sampled_from(("cake", "tea cake", "train to Porto", "late tea?")),
    day=st.integers(1, 5),
    recency=st.integers(1, 20),
    score=st.floats(0, 1),
    limit=st.integers(1, 20),
)
async def test_filters_only_remove_and_the_limit_holds(
    talk: Talk, calls: list[list[str]], query: str, day: int, recency: int, score: float, limit: int
) -> None:
    async with talk.engine.begin() as connection:
        await connection.execute(sa.text("delete from conversations"))
    for number, lines in enumerate(calls, start=1):
        await talk.call(f"2026-11-{number:02} 09:00", *(f"user: {line}" for line in lines))
    await talk.index()

    everything = {hit.message_id for hit in await talk.search(query, limit=1000)}
    when = date(2026, 11, day)
    for hits in (
        await talk.search(query, limit=1000, day=when),
        await talk.search(query, limit=1000, recency_days=recency),
        await talk.search(query, limit=1000, min_score=score),
        await talk.search(query, limit=1000, since=when),
        await talk.search(query, limit=1000, until=when),
        await talk.search(query, limit=1000, day=when, recency_days=recency, min_score=score),
    ):
        assert {hit.message_id for hit in hits} <= everything
    assert {hit.day for hit in await talk.search(query, limit=1000, day=when)} <= {when}
    scores = [hit.score for hit in await talk.search(query, limit=1000, min_score=score)]
    assert all(score <= round(one, SCORE_DIGITS) and one <= 1 for one in scores)  # by the score as it is told
    best = await talk.search(query, limit=limit)
    assert len(best) == min(limit, len(everything))
    assert [hit.score for hit in best] == sorted((hit.score for hit in best), reverse=True)


async def test_what_is_to_be_forgotten_takes_nobodys_place(talk: Talk) -> None:
    hidden = [f"user: The landlord, the landlord raised my rent by {n} pounds." for n in range(5)]
    await talk.call(
        "2026-11-10 09:00", *hidden, "user: My sister pays less for a flat twice as big, in rent."
    )
    await talk.index()
    wish = ForgottenTopic(datetime(2026, 11, 11, tzinfo=UTC), (hashed("landlord"),))
    await talk.query(
        "update users set forgets = cast(:wish as jsonb)", wish=msgspec.json.encode([wish]).decode()
    )

    assert await talk.found("landlord rent", limit=1) == [
        "My sister pays less for a flat twice as big, in rent."
    ]
