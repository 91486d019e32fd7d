"""What the user was to let the agent know is over once they have decided."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

IsOver = Callable[..., bool]
BERLIN = ZoneInfo("Europe/Berlin")

LATER = {
    "en": "I'll tell you on Friday.",
    "de": "Ich sag Ihnen am Freitag Bescheid.",
    "es": "Le digo el viernes.",
    "fr": "Je vous dis vendredi.",
    "it": "Le faccio sapere venerdì.",
    "pt": "Digo-lhe na sexta.",
    "nl": "Ik laat het u vrijdag weten.",
}
ASKED_FOR = {
    "en": "just let us know by the fifteenth of december",
    "de": "geben sie uns bis zum fünfzehnten dezember bescheid",
    "es": "díganos algo antes del quince de diciembre",
    "fr": "dites-nous ça avant le quinze décembre",
    "it": "fateci sapere entro il quindici dicembre",
    "pt": "digam-nos até quinze de dezembro",
    "nl": "laat het ons voor vijftien december weten",
}
DECIDED = {
    "en": ("So, we've decided, we'll take it.", "right so we've talked about it and we do want to stay"),
    "de": (
        "Also, wir haben uns entschieden, wir nehmen das.",
        "also wir haben drüber gesprochen und wir wollen noch ein jahr bleiben",
    ),
    "es": ("Bueno, ya lo hemos decidido, nos lo quedamos.", "lo hemos hablado y queremos quedarnos"),
    "fr": ("Alors on a décidé, on le prend.", "alors on en a parlé et on veut rester encore un an"),
    "it": ("Allora, abbiamo deciso, lo prendiamo.", "allora ne abbiamo parlato e vogliamo restare"),
    "pt": ("Então, já decidimos, ficamos com ele.", "então falámos sobre isso e queremos ficar"),
    "nl": ("Nou, we hebben besloten, we nemen hem.", "we hebben het erover gehad en we willen blijven"),
}
UNDECIDED = {
    "en": ("We haven't decided yet.", "I've thought about it but I need more time."),
    "de": ("Wir haben uns noch nicht entschieden.", "Ich hab drüber nachgedacht, brauche aber noch Zeit."),
    "es": ("Todavía no lo hemos decidido.", "Lo he pensado, pero necesito más tiempo."),
    "fr": ("On n'a pas encore décidé.", "J'y ai réfléchi, mais il me faut encore du temps."),
    "it": ("Non abbiamo ancora deciso.", "Ci ho pensato, ma mi serve più tempo."),
    "pt": ("Ainda não decidimos.", "Pensei nisso, mas preciso de mais tempo."),
    "nl": ("We hebben nog niet besloten.", "Ik heb erover nagedacht, maar ik heb meer tijd nodig."),
}
COLOUR = {
    "en": ("I'll let you know about the colour on Thursday.", "About the colour, we're going for dark blue."),
    "de": ("Wegen der Farbe sag ich Ihnen Donnerstag Bescheid.", "Wegen der Farbe, wir nehmen dunkelblau."),
    "es": ("Lo del color se lo digo el jueves.", "Lo del color, nos quedamos con el azul oscuro."),
    "fr": ("Pour la couleur, je vous dis ça jeudi.", "Pour la couleur, on prend le bleu foncé."),
    "it": ("Per il colore le dico giovedì.", "Per il colore, prendiamo il blu scuro."),
    "pt": ("A cor digo-lhe na quinta.", "Quanto à cor, ficamos com o azul escuro."),
    "nl": ("Ik laat u de kleur donderdag weten.", "Over de kleur, we gaan voor donkerblauw."),
}


@pytest.mark.parametrize("language", DECIDED)
def test_who_has_decided_owes_no_word_of_it(is_over: IsOver, language: str) -> None:
    assert all(is_over(language, LATER[language], f"u: {said}\na: –") for said in DECIDED[language])


@pytest.mark.parametrize("language", DECIDED)
def test_so_it_is_where_the_agent_asked_for_word(is_over: IsOver, language: str) -> None:
    asked = ASKED_FOR[language]

    assert all(is_over(language, asked, f"u: {said}\na: –", "request", "agent") for said in DECIDED[language])


@pytest.mark.parametrize("language", UNDECIDED)
def test_who_has_not_decided_still_owes_it(is_over: IsOver, language: str) -> None:
    assert not any(is_over(language, LATER[language], f"u: {said}\na: –") for said in UNDECIDED[language])


def test_who_does_not_want_it_has_decided(is_over: IsOver) -> None:
    later = "I'll let you know by the end of the month, one way or the other."

    assert is_over("en", later, "u: I'm not going to have the rewiring done, thank you.\na: I understand.")


@pytest.mark.parametrize("language", COLOUR)
def test_what_is_named_first_is_decided(is_over: IsOver, language: str) -> None:
    later, told = COLOUR[language]

    assert is_over(language, later, f"u: {told}\na: –")


def test_a_yes_to_whether_it_is_decided_tells_it(is_over: IsOver) -> None:
    asked = "a: Hello, have you decided?\n"

    assert is_over("en", LATER["en"], f"{asked}u: Yes, we'll take it.")
    assert not is_over("en", LATER["en"], f"{asked}u: Yes, but I'm still waiting for my husband.")


@pytest.mark.parametrize(
    "said",
    [
        "We've decided to paint the kitchen.",
        "About the colour, I don't know yet.",
        "About the colour, can I tell you on Monday?",
        "About the parking space, we don't need it.",
    ],
)
def test_another_decision_leaves_it_open(is_over: IsOver, said: str) -> None:
    assert not is_over("en", COLOUR["en"][0], f"u: {said}\na: –")


def test_who_wants_to_hear_from_the_agent_still_does(is_over: IsOver) -> None:
    wish = "Please let me know on Friday."

    assert not is_over("en", wish, "u: We've decided to move house.\na: –", "request")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "We've talked about it but can't agree."),
        ("en", "I've decided to sell the car."),
        ("de", "wir haben drüber gesprochen aber mein mann ist noch unsicher"),
        ("es", "Lo hemos hablado, pero no nos decidimos."),
        ("es", "He hablado con mi hermana de su boda."),
        ("fr", "On en a parlé, mais on hésite encore."),
        ("fr", "Hier on a parlé du temps avec ma voisine."),
        ("it", "Ne abbiamo parlato, ma siamo indecisi."),
        ("it", "Ho parlato con mia sorella del suo cane."),
        ("pt", "Falámos sobre isso, mas ainda estamos indecisos."),
        ("pt", "Falei bem com o médico."),
        ("nl", "We hebben het erover gehad, maar we twijfelen nog."),
        ("nl", "Ik heb met mijn zus gegeten en slecht geslapen."),
    ],
)
def test_who_talked_of_it_and_does_not_know_still_owes_it(is_over: IsOver, language: str, said: str) -> None:
    assert not is_over(language, LATER[language], f"u: {said}\na: –")


AFTER_ALL = {
    "en": (
        "I'll tell you on Monday.",
        "The warranty, in the end I won't take it.",
        "It rained.",
    ),
    "de": ("Ich sage es Ihnen am Montag.", "Die Garantie nehme ich dann doch nicht.", "Es regnet doch."),
    "nl": ("Ik zeg het u maandag.", "De garantie neem ik toch maar niet.", "Het regent toch."),
    "es": ("Me lo pienso y le digo el lunes.", "La garantía al final no la cojo.", "Al final cogí el tren."),
    "fr": (
        "Je réfléchis et je vous dis lundi.",
        "La garantie finalement je la prends pas.",
        "Finalement il pleut.",
    ),
    "it": (
        "Ci penso e le dico lunedì.",
        "e la garanzia alla fine non la prendo",
        "Alla fine piove.",
    ),
    "pt": ("Vou pensar e digo-lhe na segunda.", "e a garantia afinal não a quero", "Afinal chove."),
}


@pytest.mark.parametrize("language", AFTER_ALL)
def test_what_they_take_or_leave_after_all_is_told(is_over: IsOver, language: str) -> None:
    owed, taken, otherwise = AFTER_ALL[language]

    assert is_over(language, owed, f"u: {taken}\na: Ok.")
    assert not is_over(language, owed, f"u: {otherwise}\na: Ok.")
