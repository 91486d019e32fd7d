"""What the talk denies and leaves open, and what gives a reason: the examples of `stances/*.toml`, told as a
digest would."""

import tomllib
from datetime import UTC, datetime
from importlib.resources import files

import pytest

from voice_server.digest.grounding.stance import LANGUAGES, opposed, stance, stands, taken_back
from voice_server.digest.grounding.support import unheard
from voice_server.digest.grounding.transcript import Line
from voice_server.digest.grounding.vocabulary import plain
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
        ("maybe if my leg is better by then", False),
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


@pytest.mark.parametrize(
    ("language", "talk", "text", "stays"),
    [
        (
            "en",
            ["will you fetch it or shall we bring it", "bring it please"],
            "Ada wants to fetch it.",
            False,
        ),
        ("en", ["will you fetch it or shall we bring it", "bring it please"], "Ada wants it brought.", True),
        ("de", ["Drinnen oder draußen?", "Draußen, bitte."], "Ada sitzt drinnen.", False),
        ("de", ["Einen Tisch drinnen oder draußen?", "Draußen bitte."], "Ada hat einen Tisch draußen.", True),
        ("nl", ["komt u hem halen of brengen we hem", "brengen graag"], "Ada komt hem halen.", False),
        ("nl", ["kan het met aardbeien", "aardbeien hebben we niet"], "Ada krijgt aardbeien.", False),
        ("it", ["vomita", "no però beve molto"], "Il gatto vomita.", False),
        ("it", ["Per il transfer?", "Non serve."], "Ada chiede il transfer.", False),
        ("fr", ["Les bilans suffisent ?", "Je pense que oui."], "Les bilans suffisent.", False),
        ("fr", ["Les bilans suffisent ?", "Oui."], "Les bilans suffisent.", True),
        ("en", ["Do you take iron?", "I stopped it, it upset me."], "Ada takes iron.", False),
        ("pt", ["e o violão", "parei faz um ano"], "Ada toca violão.", False),
        ("en", ["What would your boss say?", "No idea."], "Ada has a boss.", True),
        ("en", ["And the way to work?", "I walk instead of taking the bus."], "Ada takes the bus.", False),
        ("nl", ["Heeft u garantie?", "Garantie heb ik niet."], "Ada heeft nog garantie.", False),
        ("fr", ["Et le vaccin ?", "Je ne veux pas de vaccin."], "Ada a un vaccin contre la grippe.", False),
        ("de", ["Und der Weg?", "Zu Fuß statt mit dem Bus."], "Ada nimmt den Bus.", False),
        ("en", ["is the light orange when it drops", "no it stays green"], "The light is orange.", False),
        ("en", ["is the light orange when it drops", "no it stays green"], "The light stays green.", True),
    ],
)
def test_what_an_answer_does_not_take_is_not_so(
    language: str, talk: list[str], text: str, *, stays: bool
) -> None:
    lines = [line(0, "agent", talk[0]), line(1, "user", talk[1])]

    word = opposed(text, lines, stands(lines, language), language, frozenset({"ada"}))

    assert (word == "") is stays


def test_what_is_not_yet_so_may_be_planned() -> None:
    talk = [line(0, "agent", "Have you booked the hotel?"), line(1, "user", "Not yet, I will.")]
    there = stands(talk, "en")

    told = "Ada booked the hotel."

    assert opposed(told, talk, there, "en", NOBODY)
    assert not opposed(told, talk, there, "en", NOBODY, of_plan=True)


def test_what_was_only_asked_outweighs_no_denial() -> None:
    talk = [
        line(0, "agent", "Wie war das Gespräch mit der Chefin?"),
        line(1, "user", "Ich habe es nicht geführt."),
    ]
    there = stands(talk, "de")

    assert opposed("Ada hat das Gespräch mit der Chefin geführt.", talk, there, "de", NOBODY, frozenset({1}))


@pytest.mark.parametrize(
    ("language", "said", "text", "word"),
    [
        ("de", "gartenstraße siebzehn nicht siebzig", "Ada wohnt in der Gartenstraße siebzig.", "70"),
        ("de", "gartenstraße siebzehn nicht siebzig", "Ada wohnt in der Gartenstraße siebzehn.", ""),
        ("de", "siebzehn nicht siebzig", "Ada wohnt in siebzehn, nicht in siebzig.", ""),
        ("en", "it's 17, not 70", "Ada lives at 70.", "70"),
        ("en", "not before 10", "Ada comes at 10.", ""),
        ("de", "im dritten Stock", "Ada wohnt im zweiten Stock.", "stock"),
        ("it", "quarto piano", "Ada abita al secondo piano.", "piano"),
        ("it", "quarto piano", "Ada abita al quarto piano.", ""),
        ("pt", "na segunda não posso, na terça sim", "Ada vem na terça.", ""),
    ],
)
def test_a_number_that_was_taken_back_is_not_told(language: str, said: str, text: str, word: str) -> None:
    assert taken_back(plain(text), [line(0, "user", said)], language) == word


def test_a_number_that_was_taken_back_denies_nothing_else() -> None:
    talk = [line(0, "user", "gleiches Haus Nummer zwölf nicht dreizehn")]

    assert not any(one.denied for one in stands(talk, "de")[0])
