"""What the talk denies and leaves open, and what gives a reason: the examples of `stances/*.toml`, told as a
digest would."""

import tomllib
from datetime import UTC, datetime
from importlib.resources import files

import pytest

from voice_server.digest.grounding.stance import opposed, stance, stands
from voice_server.digest.grounding.support import unheard
from voice_server.digest.grounding.transcript import Line
from voice_server.digest.grounding.vocabulary import LANGUAGES, plain
from voice_server.domain.digest import Speaker

NOBODY = frozenset[str]()


def samples(kind: str) -> list[tuple[str, str, str, str]]:
    """The samples of all languages: of which list, the words said, and the one that is asked for."""
    found = []
    for language in LANGUAGES:
        path = files("voice_server.digest.grounding").joinpath("stances", f"{language}.toml")
        lists = tomllib.loads(path.read_text("utf-8"))[kind]
        found += [(language, how, *sample.split(" | ")) for how, of in lists.items() for sample in of]
    return [(language, how, said, word) for language, how, said, word in found]


def line(position: int, said_by: Speaker, text: str) -> Line:
    return Line(position, said_by, datetime(2026, 11, 20, 9, tzinfo=UTC), text)


def is_so(how: str, said: str, word: str, language: str) -> bool:
    """Whether a word is denied, left open, or part of a reason."""
    if how == "reason":
        known = stance(language)
        assert known is not None
        folded = plain(said)
        return any(plain(word) in folded[match.end() :] for match in known.reasons.finditer(folded))
    there = stands([line(0, "user", said)], language)
    return any(one.word == plain(word) and (one.denied if how == "denied" else one.open) for one in there[0])


@pytest.mark.parametrize(("language", "how", "said", "word"), samples("examples"))
def test_what_is_denied_or_left_open_is_seen(language: str, how: str, said: str, word: str) -> None:
    assert is_so(how, said, word, language)


@pytest.mark.parametrize(("language", "how", "said", "word"), samples("counterexamples"))
def test_what_is_not_denied_is_not_taken_for_it(language: str, how: str, said: str, word: str) -> None:
    assert not is_so(how, said, word, language)


@pytest.mark.parametrize(
    ("answer", "stays"),
    [
        ("No.", False),
        ("Yes.", True),
        ("no its four", False),
        ("Maybe, I'll see.", False),
        ("maybe there's one next door at the neighbours", True),
    ],
)
def test_an_answer_says_of_its_question_whether_it_is_so(answer: str, *, stays: bool) -> None:
    talk = [line(0, "agent", "Do you have a dog?"), line(1, "user", answer)]

    word = opposed("The caller has a dog.", talk, stands(talk, "en"), "en", frozenset({"caller"}))

    assert (word == "") is stays


def test_what_follows_a_no_that_answers_is_so() -> None:
    talk = [line(0, "agent", "is it orange"), line(1, "user", "no it stays green")]

    assert opposed("The light stays green.", talk, stands(talk, "en"), "en", NOBODY) == ""


def test_what_a_digest_denies_or_leaves_open_itself_is_believed() -> None:
    talk = [line(0, "user", "I can't eat nuts. We might get a dog, I'm not sure yet.")]

    told = ["The caller does not eat nuts.", "The caller may get a dog.", "The caller eats nuts."]

    assert [opposed(text, talk, stands(talk, "en"), "en", NOBODY) for text in told] == ["", "", "nuts"]


def test_a_reason_that_nobody_gave_is_not_heard() -> None:
    said = ["moved", "porto", "rent", "high"]

    assert unheard("Ada moved because the rent was high.", said, said, "en", NOBODY, of_state=False) == ""
    assert unheard("Ada moved because of a new job.", said, said, "en", NOBODY, of_state=False) == "new"
