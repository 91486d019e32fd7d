"""“Forget that number” takes the turn that said it."""

import re
from collections.abc import Callable

import pytest

from voice_server.digest.privacy import consent, forget_request, forgotten
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        (
            "I always get muddled, it's 4471, isn't it.",
            "Oh dear, no. Forget that, please, forget that number.",
        ),
        ("It's four four seven one, isn't it.", "Erase that number."),
        ("It's [code], isn't it.", "Oh dear, forget that number."),
        ("Ich war am Automaten, 4471, nicht wahr.", "Oje, nein. Vergessen Sie die Nummer bitte."),
        ("Je me trompe toujours, c'est 4471, non ?", "Oh non, oubliez ce code."),
        ("Siempre me lío, es el 4471, ¿no?", "Ay, olvide ese número."),
        ("Mi confondo sempre, è il 4471, vero?", "Oddio, dimentichi quel numero."),
        ("Ik haal het altijd door elkaar, 4471 toch?", "O nee, vergeet dat nummer."),
        ("Sempre me confundo, é 4471, né?", "Ai, esqueça esse número, por favor."),
    ],
)
def test_the_number_goes_with_the_wish(call: Call, told: str, wish: str) -> None:
    lines = f"a: Have you been out?\nu: {told}\na: I see.\nu: {wish}\na: It's gone.\nu: Sardines for supper."

    assert consent.withheld(call(lines)) == {1, 2, 3, 4}


def test_a_number_of_long_before_stays(call: Call) -> None:
    lines = "u: I was born in 1950.\na: Oh?\nu: In Hull.\na: And now?\nu: In Leeds.\na: So?"

    assert 0 not in consent.withheld(call(f"{lines}\nu: Forget that number."))


def test_a_number_that_nobody_said_takes_nothing_along(call: Call) -> None:
    assert consent.withheld(call("u: I live in Hull.\na: I see.\nu: Forget that number.")) == frozenset()


@pytest.mark.parametrize(
    "wish",
    [
        "Forget those numbers.",
        "Scratch that number.",
        "Don't write that number down.",
        "Forget that number, love.",
        "Could you please delete that number for me?",
        "Könnten Sie die Nummer löschen?",
        "Die Nummer vergessen Sie bitte.",
        "Olvídese del número.",
        "Oubliez ces chiffres.",
        "Può dimenticare quel numero?",
        "Vergeet het nummer.",
        "Pode esquecer esse número?",
    ],
)
def test_it_goes_however_it_is_asked_for(call: Call, wish: str) -> None:
    assert consent.withheld(call(f"u: 4471.\na: –\nu: {wish}\na: ok")) == {0, 1, 2, 3}


def test_every_turn_that_says_it_goes(call: Call) -> None:
    lines = "u: It's 4471.\na: Did you say 4477?\nu: No, 4471.\na: I see.\nu: Oh, forget that number.\na: ok"

    assert consent.withheld(call(lines)) == {0, 1, 2, 3, 4, 5}


def test_an_agent_that_reads_it_back_tells_it_no_more(call: Call) -> None:
    lines = "u: It's 4471.\na: Sorry?\nu: Yes, really.\na: So 4471, you mean?\nu: Forget that number.\na: ok"

    assert {0, 3} <= consent.withheld(call(lines))


def test_what_only_the_agent_said_goes_too(call: Call) -> None:
    assert 0 in consent.withheld(call("a: It's 4471.\nu: Thanks.\na: Fine.\nu: Forget that code.\na: ok"))


def test_a_number_given_behind_the_wish_is_not_the_one_meant(call: Call) -> None:
    lines = "u: It's 4471.\na: Oh.\nu: Forget that number. You can reach me on 0171 7654321.\na: ok"

    assert consent.withheld(call(lines)) == {0, 1, 2, 3}


def test_a_code_may_look_like_a_year(call: Call) -> None:
    lines = (
        "u: I'm on 0171 7654321.\na: Thanks.\nu: I always type 1966.\na: Oh.\nu: Forget that number.\na: ok"
    )

    assert consent.withheld(call(lines)) == {2, 3, 4, 5}


def test_a_number_that_is_put_right_stays(call: Call) -> None:
    lines = "u: It's 0171 1234567.\na: Got it.\nu: Scratch that number. It's 0171 1234568.\na: Right."

    assert consent.withheld(call(lines)) == frozenset()


def test_a_year_is_not_the_number_where_another_was_said(call: Call) -> None:
    lines = "u: It's 4471.\na: Since when?\nu: Since 1998.\na: Right.\nu: Forget that code, please.\na: ok"

    assert consent.withheld(call(lines)) == {0, 1, 4, 5}


@pytest.mark.parametrize(
    "lines",
    [
        "u: It's 145.\na: And yours?\nu: It's 07700 900123, but keep my number out of your notes.\na: ok",
        "u: On habite au 145.\na: Et le code ?\nu: C'est 4471. Oh non, oubliez ce code.\na: D'accord.",
        "u: We're 120.\na: And the dress code?\nu: Black.\na: OK.\nu: Forget what I said of the dress code.",
        "u: I've got a new phone, 07700 900456.\na: Noted.\nu: And forget the old number.\na: ok",
        "u: I've a new phone, 07700 900456.\na: Noted.\nu: Forget the number I gave you last time.\na: ok",
    ],
)
def test_another_number_than_the_one_named_stays(call: Call, lines: str) -> None:
    assert 0 not in consent.withheld(call(lines))


@pytest.mark.parametrize(
    "wish",
    [
        "Löschen Sie bitte die Nummer mit 0151, die von meinem Mann, wir haben uns getrennt.",
        "Bitte löschen Sie die Nummer meines Mannes.",
    ],
)
def test_a_number_kept_from_earlier_is_meant_by_a_part_of_it_and_by_whose_it_is(wish: str) -> None:
    asked = forget_request.asking(0, wish)

    assert asked is not None
    assert [({*topic.stems}, topic.entry) for topic in asked.topics] == [({"mann"}, forgotten.NUMBER)]


@pytest.mark.parametrize(
    "wish",
    [
        "Por favor, borre el número con 655, el de mi marido.",
        "Effacez le numéro avec 06, celui de mon mari, s'il vous plaît.",
        "Cancelli il numero con 347, quello di mio marito, per favore.",
        "Verwijder alstublieft het nummer met 06, die van mijn man.",
        "Apague o número com 91, o do meu marido, por favor.",
        "Borre el número que termina en 432.",
        "Effacez le numéro qui commence par 06, celui de mon mari.",
        "Cancelli il numero che finisce per 678.",
        "Verwijder het nummer dat eindigt op 678.",
        "Apague o número que termina em 678.",
    ],
)
def test_so_it_is_in_other_languages(wish: str) -> None:
    asked = forget_request.asking(0, wish)

    assert asked is not None
    assert not re.search(r"\d", asked.line)


def test_words_piled_up_without_end_ask_for_nothing() -> None:
    assert forget_request.asking(0, f"Delete the number{' with' * 2_000}{' 12' * 2_000}") is None


def test_a_number_told_in_this_call_is_meant_by_its_end(call: Call) -> None:
    lines = "a: A number?\nu: 07700 900118.\na: Thanks.\nu: Please delete the number ending in 118."

    assert {1, 3} <= consent.withheld(call(f"{lines}\na: Done.\nu: Bye."))
