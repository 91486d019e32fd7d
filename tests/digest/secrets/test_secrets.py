"""Card numbers, PINs, passwords and the like give way to marks; numbers that are none of these stay."""

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.context.screening.hygiene import neutralise
from voice_server.digest.secrets import situation_phrases
from voice_server.digest.secrets.findings import Turn
from voice_server.digest.secrets.lexicon import KINDS, LANGUAGES, read
from voice_server.digest.secrets.messages import may_be_of
from voice_server.digest.secrets.payload import hidden, payload
from voice_server.digest.secrets.redaction import placeholder, redact, redacted
from voice_server.digest.secrets.text import fold, tokens

DATA = Path(__file__).parent
ANY_MARK = re.compile("|".join(re.escape(placeholder(kind)) for kind in KINDS))
SECRET_IN_EXAMPLE, SECRET_IN_TALK = re.compile(r"\{([\w ]+)\|([^}]*)\}"), re.compile(r"<([^<>]*)>")


def turns(line: str) -> list[Turn]:
    """A dialogue on one line."""
    said = line.split(" | ")
    return [Turn("agent", one[2:].strip()) if one.startswith("a:") else Turn("user", one) for one in said]


def told(line: str) -> list[str]:
    """What is left of it."""
    return list(redact(turns(line)).texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_secrets_give_way_to_their_marks(language: str) -> None:
    assert [
        line for line in read(language)["examples"] if told(_with_secrets(line)) != _with_marks(line)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_secret_stays(language: str) -> None:
    assert [line for line in read(language)["counterexamples"] if told(line) != _texts(line)] == []


@pytest.mark.parametrize("language", situation_phrases.LANGUAGES)
def test_a_secret_is_known_by_its_situation(language: str) -> None:
    lines = situation_phrases.read(language)["examples"]

    assert [line for line in lines if told(_with_secrets(line)) != _with_marks(line)] == []


@pytest.mark.parametrize("language", situation_phrases.LANGUAGES)
def test_what_is_labelled_stays_near_a_lock(language: str) -> None:
    lines = situation_phrases.read(language)["counterexamples"]

    assert [line for line in lines if told(line) != _texts(line)] == []


def _with_secrets(line: str) -> str:
    return SECRET_IN_EXAMPLE.sub(r"\2", line)


def _with_marks(line: str) -> list[str]:
    return _texts(SECRET_IN_EXAMPLE.sub(r"[\1]", line))


def _texts(line: str) -> list[str]:
    return [turn.text for turn in turns(line)]


def words(text: str) -> Counter[str]:
    return Counter(token.text for token in tokens(fold(text).text) if token.text.isalnum())


def left(line: str) -> Counter[str]:
    """What is left of the secrets of a dialogue, word by word."""
    after = ANY_MARK.sub(" ", " ".join(told(SECRET_IN_TALK.sub(r"\1", line))))
    beside = SECRET_IN_TALK.sub(" ", line).replace("a: ", "").replace(" | ", " ")
    secret = sum((words(one) for one in SECRET_IN_TALK.findall(line)), Counter[str]())
    return (words(after) - words(beside)) & secret


def talk(file: str) -> tuple[list[str], list[str]]:
    data = tomllib.loads((DATA / file).read_text(encoding="utf-8"))
    return data["secrets"], data["ordinary"]


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("said.toml", 0.99),
        ("fresh.toml", 0.95),
        ("fresher.toml", 0.95),
        ("last.toml", 0.95),
        ("situations.toml", 0.95),
    ],
)
def test_nearly_all_secrets_of_much_talk_are_found(file: str, found: float) -> None:
    secrets, _ = talk(file)
    missed = [line for line in secrets if left(line)]

    assert len(missed) <= (1 - found) * len(secrets), missed


@pytest.mark.parametrize("file", ["said.toml", "fresh.toml", "fresher.toml", "last.toml", "situations.toml"])
def test_nearly_no_other_number_is_taken_for_one(file: str) -> None:
    _, ordinary = talk(file)
    wrong = [said for line in ordinary if (said := told(line)) != [turn.text for turn in turns(line)]]

    assert len(wrong) <= 0.01 * len(ordinary), wrong


PIECES = st.sampled_from(
    (
        "my card number is|4111 1111|1111 1111|four one one one|What's your PIN?|4711|the code is|"
        "my password is|hunter2|h u n t|order number|415 555 0101|and|. |, |[PIN]|[card number]|[password]|"
        "two|密码|四七一一|DE89 3704 0044 0532 0130 00|in 2023|12 euros|5|double|capital S|it's|sure|"
        "not working|no|IBAN|D E 8 9|CVV|123|12/27|on the back it says|that's my PIN.|my card"
    ).split("|")
)
SAID = st.lists(PIECES, max_size=9).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["user", "agent"]), SAID), max_size=7))
def test_nothing_is_left_to_take_out_of_what_was_redacted(said: list[tuple[Any, str]]) -> None:
    once = redact([Turn(speaker, text) for speaker, text in said]).texts
    twice = redact([Turn(speaker, text) for (speaker, _), text in zip(said, once, strict=True)]).texts

    assert twice == once


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert redacted(redacted(text)) == redacted(text)


@given(st.text(alphabet="abc défü!?,", max_size=200))
def test_a_text_without_digits_or_announcements_is_the_same(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize(
    "number",
    [
        "4111 1111 1111 1111", "４１１１１１１１１１１１１１１１", "4111-1111-1111-1111",
        "4111.1111.1111.1111", "٤١١١١١١١١١١١١١١١", "4111\u200b1111\u200b1111\u200b1111",
        "4111\u00a01111\u00a01111\u00a01111", "3782 822463 10005", "41 11 11 11 11 11 11 11",
    ],
)  # fmt: skip
def test_a_card_number_needs_no_announcement(number: str) -> None:
    assert redacted(f"Take {number}, please.") == "Take [card number], please."


@pytest.mark.parametrize(
    "number", ["4111 1111 1111 1112", "1716239022000", "4917112345678", "00340434161094042557"]
)
def test_what_fails_the_check_is_none_unannounced(number: str) -> None:
    assert redacted(f"Take {number}, please.") == f"Take {number}, please."


def test_numbers_counted_up_from_turn_to_turn_are_no_card() -> None:
    said = " | ".join(f"Number {n}." for n in range(10, 300))

    assert told(said) == [turn.text for turn in turns(said)]


def test_what_is_called_an_order_number_but_is_a_cards_goes() -> None:
    assert redacted("My order number is 4111 1111 1111 1111.") == "My order number is [card number]."


def test_the_agents_reading_back_goes_also_when_it_misheard() -> None:
    assert told("a: What's your PIN? | 4711 | a: So that is 4712?")[2] == "So that is [PIN]?"


def test_a_secret_said_once_is_one_everywhere() -> None:
    assert told("My PIN is 847163. | a: Noted. | " + "Hm. | " * 9 + "I said 847163!")[-1] == "I said [PIN]!"


def test_other_turns_of_a_call_are_the_same() -> None:
    assert told("Hello! | a: What's your PIN? | 4711 | a: And your zip code? | 94110")[3:] == [
        "And your zip code?",
        "94110",
    ]


@pytest.mark.parametrize(
    "said",
    [
        "My PIN was blocked. | a: I'm sorry. Where do you live? | 1234 Oak Street.",
        "a: I sent a code to your phone, 415 555 0101.",
        "a: I sent a code to the number ending in 0101.",
        "Tell me about the code we discussed in 2019.",
        "a: What is your password? | Why would I tell you that?",
        "My password manager has 300 entries.",
    ],
)
def test_what_is_said_beside_a_secret_stays(said: str) -> None:
    assert told(said) == [turn.text for turn in turns(said)]


def test_a_pin_said_one_digit_a_turn_goes() -> None:
    said = told("a: What's your PIN? | Four. | a: Go on. | Seven. | a: Yes? | One. | a: And? | One.")

    assert said[1::2] == ["[PIN]."] * 4


def test_names_of_fields_announce_what_stands_in_them() -> None:
    given_ = {
        "card_number": 4111111111111111,
        "cvv": "739",
        "accessPin": 4711,
        "name": "pin",
        "value": "9071",
        "amount": 1299,
    }
    expected = {
        "card_number": "[card number]",
        "cvv": "[card code]",
        "accessPin": "[PIN]",
        "name": "pin",
        "value": "[PIN]",
    }

    assert hidden(given_) == {**expected, "amount": 1299}


def test_ids_and_numbers_on_the_line_are_left() -> None:
    given_ = {
        "caller_id": "4111111111111111",
        "phone": "4111111111111111",
        "conversation_id": "4111111111111111",
    }

    assert hidden(given_) is given_


def test_json_within_json_is_read() -> None:
    said = json.dumps({"body": json.dumps({"pin": "4711", "to": "+14155550101"})})

    assert json.loads(json.loads(payload(said))["body"]) == {"pin": "[PIN]", "to": "+14155550101"}


def test_json_without_secrets_is_the_same_text() -> None:
    assert payload('{ "query":  "Lisbon" }') == '{ "query":  "Lisbon" }'


def test_deeply_nested_json_is_read() -> None:
    assert "4711" not in payload('{"pin": ' * 500 + '"4711"' + "}" * 500)


@pytest.mark.parametrize("kind", KINDS)
def test_a_mark_reads_the_same_in_a_prompt(kind: Any) -> None:
    assert neutralise(f"Their {placeholder(kind)} is known.") == f"Their {placeholder(kind)} is known."


def test_what_was_redacted_is_known_again() -> None:
    assert may_be_of("My PIN is [PIN], thanks.", "My PIN is 4711, thanks.")
    assert not may_be_of("My PIN is [PIN], thanks.", "My name is Ada, thanks.")
    assert not may_be_of("I like tea.", "I like tea!")


def digits_one_by_one(size: int) -> None:
    redact([Turn("agent", "What is your card number?"), Turn("user", "1 2 3 4 " * size)])


def texts_about_a_call(size: int) -> None:
    """As many as were secrets said in it."""
    asked = [Turn("agent", "What's your PIN?"), Turn("user", "It is {}")] * size
    said = [Turn(one.speaker, one.text.format(1000 + 7 * at)) for at, one in enumerate(asked)]
    known = redact(said).known
    hidden({f"k{at}": f"They paid {at} euros." for at in range(size)}, known)


def work(task: Callable[[int], None], size: int) -> int:
    """How many steps it takes: calls of functions and goes of loops over what they yield."""
    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    sys.setprofile(count)
    try:
        task(size)
    finally:
        sys.setprofile(None)
    return steps


@pytest.mark.parametrize(("task", "size"), [(digits_one_by_one, 150), (texts_about_a_call, 40)])
def test_twice_as_much_talk_is_twice_the_work(task: Callable[[int], None], size: int) -> None:
    task(1)  # what is read once is not counted

    assert work(task, 2 * size) < 2.3 * work(task, size)
