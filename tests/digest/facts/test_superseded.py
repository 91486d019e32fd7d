"""What another fact took the place of is quoted no more."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from pretend.memories import call, memory, served

from voice_server.digest.facts.superseded import without_superseded
from voice_server.domain.digest import KeyMoment
from voice_server.domain.fact import Source, SupersededFact
from voice_server.domain.memory import Memory

AT = datetime(2026, 9, 20, 12, tzinfo=UTC)
HOME = SupersededFact(
    '"I live at 12 Mill Lane."', (Source(1, (2,)),), "address", '"I have a new address."', "address"
)


def called(*said: tuple[int, str], id_: int = 1, also: int = 2) -> Memory:
    """A call, and one after it, with these quotes of messages."""
    moments = tuple(KeyMoment(AT, text, position, "user") for position, text in said)
    first = replace(call(id_, AT), key_moments=moments, is_quoted=True)
    return memory(replace(call(also, AT + timedelta(days=9)), is_quoted=True), first)


def told(known: Memory) -> str:
    return served(without_superseded(replace(known, superseded=(HOME,))))


def test_the_quote_that_says_it_is_not_told_and_the_rest_of_its_call_is() -> None:
    text = told(called((2, '"I live at 12 Mill Lane."'), (4, '"I have two cats."')))

    assert "Mill Lane" not in text
    assert "two cats" in text


@pytest.mark.parametrize(
    ("position", "said"),
    [(2, '"I walk down to the market."'), (6, '"I live at 12 Mill Lane."')],
    ids=["else in its message", "in another message"],
)
def test_what_is_no_quote_of_it_is_told(position: int, said: str) -> None:
    assert said.strip('"') in told(called((position, said)))


def test_the_agent_who_only_reads_it_back_is_not_told_either() -> None:
    number = replace(
        HOME, text='"07700 900123"', topic="phone", by='"My number\'s changed."', by_topic="phone"
    )
    known = called((2, '"07700 900123"'))
    [latest, first] = known.latest
    echo = KeyMoment(AT, '"07700 900123, thanks."', 3, "agent")
    news = KeyMoment(AT, '"Reference 5512."', 3, "agent")
    first = replace(first, key_moments=(*first.key_moments, echo, news))

    text = served(without_superseded(replace(known, latest=(latest, first), superseded=(number,))))

    assert "900123" not in text
    assert "5512" in text


def test_another_conversations_message_at_the_same_place_is_told() -> None:
    assert "Mill Lane" in told(called((2, '"I live at 12 Mill Lane."'), id_=3))


def test_a_bracket_that_dates_it_makes_no_difference() -> None:
    moved = replace(HOME, text='"I move in on Monday."')
    known = called((2, '"I move in on Monday (21 September 2026)."'))

    assert "move in" not in served(without_superseded(replace(known, superseded=(moved,))))


@pytest.mark.parametrize(
    ("by", "topic"),
    [
        ('"What\'s the address?" – "4 Elm Road."', "address"),
        ('"What\'s the address at work?" – "I work at 12 Mill Lane, too."', "address"),
        ('"When I was ten we lived in 3 Beach Row."', "home"),
        ('"My sister doesn\'t live at Mill Farm any more."', ""),
    ],
    ids=["an answer, perhaps for another", "in nearly the same words", "a home of once", "another's"],
)
def test_what_may_be_of_another_hides_nothing(by: str, topic: str) -> None:
    said = replace(HOME, by=by, by_topic=topic, topic=topic or "home")
    known = replace(called((2, '"I live at 12 Mill Lane."')), superseded=(said,))

    assert "Mill Lane" in served(without_superseded(known))


def test_what_is_so_no_more_hides_what_it_says_nearly_all_of() -> None:
    said = replace(HOME, topic="", by='"I don\'t live at 12 Mill Lane any more."', by_topic="")
    known = replace(called((2, '"I live at 12 Mill Lane."')), superseded=(said,))

    assert "Mill Lane" not in served(without_superseded(known))


def test_where_one_conversation_says_both_both_are_told() -> None:
    both = replace(HOME, instead=(Source(1, (4,)),))
    known = called((2, '"I live at 12 Mill Lane."'), (4, '"I live in Bath."'))

    assert "Mill Lane" in served(without_superseded(replace(known, superseded=(both,))))


def test_a_memory_in_which_all_holds_is_left_as_it_is() -> None:
    known = called((2, '"I live at 12 Mill Lane."'))

    assert without_superseded(known) is known


@pytest.mark.parametrize(
    ("topic", "was", "by"),
    [
        ("home", "I live in Leeds.", "We've moved, we live in York now."),
        ("job", "I work as a nurse.", "I've changed jobs, I'm a teacher now."),
        ("job", "Ich arbeite als Pflegerin.", "Ich habe den Beruf gewechselt, ich bin jetzt Lehrerin."),
        ("home", "Vivo en Toledo.", "Nos hemos mudado, ahora vivimos en Cuenca."),
        ("", "I take two tablets a day.", "I take three tablets a day now."),
        ("", "Prendo due pastiglie al giorno.", "Il medico dice che adesso prendo tre pastiglie al giorno."),
    ],
)
def test_what_somebody_tells_as_changed_hides_how_it_was(topic: str, was: str, by: str) -> None:
    before = SupersededFact(f'"{was}"', (Source(1, (2,)),), topic, f'"{by}"', topic)
    known = replace(called((2, f'"{was}"')), superseded=(before,))

    assert was not in served(without_superseded(known))


def test_another_home_beside_the_first_hides_nothing() -> None:
    before = SupersededFact(
        '"I live in Leeds."', (Source(1, (2,)),), "home", '"In summer I live in Whitby."', "home"
    )
    known = replace(called((2, '"I live in Leeds."')), superseded=(before,))

    assert "Leeds" in served(without_superseded(known))
