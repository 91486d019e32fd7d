"""What did not happen is no plan any more; what both agreed on is owed until there is another."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
BERLIN = ZoneInfo("Europe/Berlin")

SONS_VISIT = EarlierThread(
    4, "plan", "user", '"My son Alvin is coming to visit on Sunday."', date(2026, 11, 15)
)


@pytest.mark.parametrize(
    "text",
    [
        "u: Alvin didn't come on Sunday, he's coming this Saturday.",
        "a: How was Alvin's visit?\nu: He never turned up.",
        "a: Did Alvin come on Sunday?\nu: No, he had to work.",
    ],
)
def test_a_visit_that_did_not_happen_is_no_plan_any_more(closed: Closed, text: str) -> None:
    assert closed(text, SONS_VISIT) == (4,)


def test_somebody_else_who_did_not_come_leaves_the_visit(closed: Closed) -> None:
    assert closed("u: The nurse didn't come on Friday.", SONS_VISIT) == ()


def test_an_appointment_at_which_nobody_came_is_owed_until_there_is_another(closed: Closed) -> None:
    agreed = EarlierThread(
        5, "plan", "user", '"The engineer can come on Monday at nine." – "Perfect."', date(2026, 11, 16)
    )

    assert closed("u: Your engineer never turned up yesterday.\na: I'm so sorry.", agreed) == ()
    another = "a: I'm sorry. He can come on Friday at eight.\nu: All right."
    assert closed(f"u: Your engineer never turned up yesterday.\n{another}", agreed) == (5,)


@pytest.mark.parametrize(
    ("language", "known", "asked", "answer"),
    [
        ("en", "Helen's coming on Sunday.", "Is Helen coming on Sunday?", "No, she's ill."),
        ("de", "Am Sonntag kommt Helene.", "Kommt Helene am Sonntag?", "Nein, die ist krank."),
        ("es", "el domingo viene elena", "¿Viene Elena el domingo?", "No, está enferma."),
        ("fr", "dimanche vient hélène", "Hélène vient dimanche ?", "Non, elle est malade."),
        ("it", "domenica viene elisa", "Elisa viene domenica?", "no è malata"),
        ("pt", "no domingo vem a helena", "A Helena vem no domingo?", "Não, está doente."),
        ("nl", "zondag komt sanne", "Komt Sanne zondag?", "nee die is ziek"),
    ],
)
def test_what_is_denied_of_its_day_is_off(
    closed: Closed, language: str, known: str, asked: str, answer: str
) -> None:
    visit = EarlierThread(7, "plan", "user", f'"{known}"', date(2026, 11, 22))

    assert closed(f"a: {asked}\nu: {answer}", visit, language=language) == (7,)


@pytest.mark.parametrize(
    "said",
    [
        "a: Have you bought something for Helen on Sunday?\nu: No.",
        "a: Have you baked for Helen on Sunday?\nu: No, not yet.",
        "a: Are you nervous about Helen coming on Sunday?\nu: No, not at all.",
        "a: Is Helen coming on Monday?\nu: No.",
    ],
)
def test_a_no_to_something_about_it_leaves_it(closed: Closed, said: str) -> None:
    visit = EarlierThread(7, "plan", "user", '"Helen\'s coming on Sunday."', date(2026, 11, 22))

    assert closed(said, visit) == ()


@pytest.mark.parametrize(
    ("language", "plan", "fell_through", "is_on"),
    [
        (
            "en",
            "On Saturday we're going on a bike ride.",
            "The bike ride didn't happen, it poured.",
            "Will it be dry for the bike ride?",
        ),
        (
            "de",
            "Am Samstag machen wir eine Radtour.",
            "Aus der Radtour ist nichts geworden, es hat geregnet.",
            "Wird es trocken für die Radtour?",
        ),
        (
            "es",
            "El sábado hacemos una excursión en bici.",
            "La excursión no se hizo, llovía.",
            "¿Hará bueno para la excursión?",
        ),
        (
            "fr",
            "Samedi on fait une balade à vélo.",
            "La balade ne s'est pas faite, il pleuvait.",
            "Il fera beau pour la balade ?",
        ),
        (
            "it",
            "Sabato facciamo un giro in bici.",
            "Il giro in bici non si è fatto, pioveva.",
            "Ci sarà il sole per il giro in bici?",
        ),
        (
            "nl",
            "Zaterdag gaan we fietsen.",
            "Het fietsen ging niet door, het goot.",
            "Blijft het droog voor het fietsen?",
        ),
        (
            "pt",
            "No sábado vamos dar um passeio.",
            "O passeio não se fez, chovia muito.",
            "Vai estar sol para o passeio?",
        ),
    ],
    ids=["en", "de", "es", "fr", "it", "nl", "pt"],
)
def test_what_did_not_happen_is_no_plan_any_more(
    is_over: Callable[..., bool], language: str, plan: str, fell_through: str, is_on: str
) -> None:
    assert is_over(language, plan, f"u: {fell_through}", kind="plan")
    assert not is_over(language, plan, f"u: {is_on}", kind="plan")


NOBODY_CAME = {
    "en": ("An engineer will be with you on Friday, between eight and ten.",
           "I waited in all morning and nobody came!", "The earliest is Tuesday at two."),
    "de": ("Am Freitag zwischen acht und zehn kommt ein Techniker.",
           "Ich hab den ganzen Vormittag gewartet, es ist niemand gekommen!", "Ich hätte Dienstag um zwei."),
    "es": ("El viernes pasa un técnico, entre las ocho y las diez.",
           "Estuve toda la mañana esperando y no vino nadie.", "Lo más pronto es el martes a las dos."),
    "fr": ("Un technicien passe vendredi, entre huit et dix.",
           "J'ai attendu toute la matinée, personne n'est venu !",
           "Le plus tôt, c'est mardi à quatorze heures."),
    "it": ("Venerdì passa un tecnico, tra le otto e le dieci.",
           "Ho aspettato tutta la mattina e non è venuto nessuno.", "La prima data è martedì alle due."),
    "nl": ("Vrijdag komt er een monteur, tussen acht en tien.",
           "Ik heb de hele ochtend gewacht, er is niemand gekomen!", "Het vroegste is dinsdag om twee uur."),
    "pt": ("Na sexta passa aí um técnico, entre as oito e as dez.",
           "Esperei a manhã toda e ninguém apareceu.", "O mais cedo é terça às duas."),
}  # fmt: skip
FINE = {
    "en": "Fine.",
    "de": "Gut.",
    "es": "Vale.",
    "fr": "D'accord.",
    "it": "Va bene.",
    "nl": "Goed.",
    "pt": "Está bem.",
}


@pytest.mark.parametrize("language", NOBODY_CAME)
def test_a_visit_nobody_came_to_gives_way_to_the_next(call: Call, language: str) -> None:
    promised, missed, offered = NOBODY_CAME[language]
    visit = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 13), promised)
    changes = thread_changes(
        call(f"u: {missed}\na: {offered}\nu: {FINE[language]}"), language, BERLIN, open_before=[visit]
    )

    assert changes.closes == (1,)
    assert [one.due for one in changes.opened] == [date(2026, 11, 24)]


def test_until_a_new_day_is_agreed_on_the_visit_is_owed(call: Call) -> None:
    promised, missed, _ = NOBODY_CAME["en"]
    visit = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 13), promised)
    lines = f"u: {missed}\na: I'm so sorry, I'll find out why.\nu: Fine."

    assert thread_changes(call(lines), "en", BERLIN, open_before=[visit]).closes == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I had my birthday party on Saturday and nobody came."),
        ("de", "Zu meinem Geburtstag am Samstag ist keiner gekommen."),
    ],
)
def test_nobody_came_to_a_party_is_of_no_visit(call: Call, language: str, said: str) -> None:
    promised = NOBODY_CAME[language][0]
    visit = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 16), promised)
    offered = NOBODY_CAME[language][2]
    lines = f"u: {said}\na: {offered}\nu: {FINE[language]}"

    assert thread_changes(call(lines), language, BERLIN, open_before=[visit]).closes == ()
