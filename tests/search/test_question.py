"""A query as it is understood: who is meant by a name, which days, what kind of answer."""

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pretend.spoken import Spoken

from voice_server.search import question
from voice_server.search.question import parse
from voice_server.search.ranking import RankingQuery

NOW = datetime(2026, 11, 17, 23, 30, tzinfo=UTC)
HELLO, BYE = (
    ("agent: Hello, Ada!", "user: Hi Robin, I am well."),
    ("user: Bye, Robin!", "agent: Good night, Ada."),
)


def asked(
    text: str, *conversations: Sequence[str], zone: str = "UTC", names: tuple[str, str] = ("", "")
) -> RankingQuery:
    """Understood over talk of these conversations."""
    talk = Spoken(*conversations)
    return question.ask(parse(text, ["en"]), talk.corpus, talk.places, NOW, ZoneInfo(zone), names=names)


def test_who_the_other_one_calls_so_is_meant() -> None:
    assert asked("What did Ada bake?", HELLO, BYE).by_user is True
    assert asked("What did Robin bake?", HELLO, BYE).by_user is False


def test_whoever_is_called_so_once_is_not_known_by_the_name() -> None:
    assert asked("What did Ada bake?", HELLO).by_user is None


def test_somebody_both_speak_of_is_neither_of_them() -> None:
    nell = ("agent: Nell, then?", "user: Nell, yes.")

    assert asked("What did Nell bake?", nell, nell).by_user is None


def test_of_two_who_are_named_the_first_is_meant() -> None:
    assert asked("What did Ada tell Robin?", HELLO, BYE).by_user is True
    assert asked("What did Robin's sister give Ada?", HELLO, BYE).by_user is False


@pytest.mark.parametrize(
    "both", ["Ada and Robin", "Robin & Ada", "Ada's and Robin's", "Ada, Robin", "Ada y Robin"]
)
def test_of_two_who_are_named_as_one_none_is_meant(both: str) -> None:
    assert asked(f"What did {both} bake?", HELLO, BYE).by_user is None


NAMES = ("Ada Byron", "Robin")


def test_names_that_are_known_need_not_be_said() -> None:
    assert asked("What did Ada bake?", names=NAMES).by_user is True
    assert asked("What did Robin bake?", names=NAMES).by_user is False
    assert asked("What did Nell bake?", names=NAMES).by_user is None


@pytest.mark.parametrize(
    "text", ["Ms Byron's cake", "BYRON: cake", "what did ada say about the cake", "Adas Kuchen", "ADA, Cake?"]
)
def test_a_name_is_known_by_any_part_of_it_however_it_is_written(text: str) -> None:
    assert asked(text, names=NAMES).by_user is True


def test_accents_do_not_matter_in_a_name() -> None:
    assert asked("what did jose bake", names=("José", "Robin")).by_user is True


@pytest.mark.parametrize("text", ["Does Nell hope so?", "Will she bring Nell roses?"])
def test_a_word_that_is_no_name_here_is_none(text: str) -> None:
    assert asked(text, names=("Hope", "Rose")).by_user is None


def test_what_stands_between_the_parts_of_a_name_is_no_name() -> None:
    assert asked("the cake de Ana", names=("Ana de la Cruz", "Robin")).by_user is True
    assert asked("la torta de cumple", names=("Ana de la Cruz", "Robin")).by_user is None


def test_a_name_that_both_have_tells_nothing() -> None:
    both = asked("What did Ada bake?", names=("Ada", "Ada"))

    assert both.by_user is None
    assert len(both.places) == 1


def test_a_name_in_a_script_without_spaces_is_known() -> None:
    tanaka = asked("田中さんは何を食べた", names=("田中", "ロビン"))

    assert tanaka.by_user is True
    assert len(tanaka.places) < len(asked("田中さんは何を食べた").places)


def test_a_name_that_is_known_is_no_word_to_look_for() -> None:
    assert len(asked("What did Ada bake?", names=NAMES).places) == 1
    assert asked("What did Ada bake?", names=NAMES).text == "What did bake?"
    assert len(asked("Ada", names=NAMES).places) == 1


def test_short_names_are_learned_beside_the_names_that_are_known() -> None:
    mel = ("agent: Hey Mel!", "user: Hello.")

    assert asked("What did Mel bake?", mel, mel, names=("Melanie", "Robin")).by_user is True


@pytest.mark.parametrize(
    ("text", "by_user"),
    [
        ("What did the user bake?", True),
        ("the caller's cake", True),
        ("What did the assistant promise?", False),
        ("What did the agent tell the user?", False),
        ("What did the user and the agent bake?", None),
        ("What did the guest say?", None),
        ("What was baked?", None),
    ],
)
def test_a_role_is_as_good_as_a_name(text: str, *, by_user: bool | None) -> None:
    assert asked(text, HELLO, BYE).by_user is by_user


def test_a_short_name_is_enough_when_the_long_one_is_asked_for() -> None:
    mel = ("agent: Hey Mel!", "user: Hello.")

    assert asked("What did Melanie bake?", mel, mel).by_user is True


def test_the_name_of_the_one_meant_is_no_word_to_look_for() -> None:
    assert len(asked("What did Ada bake?", HELLO, BYE).places) == 1
    assert asked("What did Ada bake?", HELLO, BYE).text == "What did bake?"
    assert asked("What's Ada's, and Ada’s cake?", HELLO, BYE).text == "What's , and cake?"


def test_a_name_of_somebody_else_is_a_word_to_look_for() -> None:
    assert len(asked("What did Nell bake?", HELLO, BYE).places) == 2
    assert asked("What did Nell bake?", HELLO, BYE).text == "What did Nell bake?"


def test_a_query_of_a_name_alone_looks_for_the_name() -> None:
    ada = asked("Ada", HELLO, BYE)

    assert ada.by_user is True
    assert [len(places) > 0 for places in ada.places] == [True]


def test_days_are_those_of_the_users_clock() -> None:
    assert asked("cake yesterday", HELLO).days == [_day(2026, 11, 16, "UTC")]
    assert asked("cake yesterday", HELLO, zone="Asia/Tokyo").days == [_day(2026, 11, 17, "Asia/Tokyo")]


def test_days_are_named_in_the_languages_of_the_talk() -> None:
    talk = Spoken(HELLO)
    query = parse("gâteau hier", ["en", "fr"])

    assert question.ask(query, talk.corpus, talk.places, NOW, ZoneInfo("UTC")).days == [
        _day(2026, 11, 16, "UTC")
    ]


def test_the_night_the_clocks_change_has_an_hour_more() -> None:
    [(since, until)] = asked("on 25 October 2026", HELLO, zone="Europe/Berlin").days

    assert until - since == 25 * 3600


def _day(year: int, month: int, day: int, zone: str) -> tuple[int, int]:
    begins = datetime(year, month, day, tzinfo=ZoneInfo(zone)).timestamp()
    return int(begins), int(begins) + 86_400


@pytest.mark.parametrize(
    ("text", "time", "number"),
    [
        ("When did she bake?", True, False),
        ("Since when does she bake?", True, False),
        ("How long did it take?", True, True),
        ("Which month was it?", True, False),
        ("How many cakes?", False, True),
        ("How old is the dog?", False, True),
        ("What did she bake?", False, False),
        ("Whenever", False, False),
    ],
)
def test_what_kind_of_answer_is_asked_for(text: str, *, time: bool, number: bool) -> None:
    understood = asked(text, HELLO)

    assert (understood.asks_time, understood.asks_number) == (time, number)


def test_a_word_is_looked_for_once_and_in_all_languages_of_the_talk() -> None:
    assert [word.lexemes for word in parse("cake, cakes and cake", ["en"]).words] == [("cake",)]
    assert [word.lexemes for word in parse("Häuser", ["de", ""]).words] == [("hauser", "haus")]


def test_a_very_long_query_is_cut() -> None:
    assert len(parse(" ".join(f"word{n}" for n in range(1000)), ["en"]).words) == 24


@given(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(("Ada's Robin", "the user the agent", "When? \0 \ud800", "(Ada) [Robin] *")),
    )
)
def test_no_query_is_too_odd(text: str) -> None:
    understood = asked(text, HELLO, BYE)

    assert all(isinstance(one, bytes) for one in understood.places)
