"""What is called off or moved without a name is the one appointment that there is."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import EarlierThread

Closed = Callable[..., tuple[int, ...]]

TABLE = EarlierThread(3, "plan", "agent", '"You\'re down for Friday at seven."', date(2026, 11, 20))


@pytest.mark.parametrize(
    "text",
    [
        "a: I'm afraid the kitchen burnt down, so Friday's off.\nu: Oh no.",
        "a: Hello.\nu: They've moved it.",
        "a: Hello.\nu: Can I cancel it? I mean, please cancel.",
    ],
)
def test_an_appointment_is_closed_by_what_calls_it_off_or_moves_it(closed: Closed, text: str) -> None:
    assert closed(text, TABLE) == (3,)


@pytest.mark.parametrize(
    ("answer", "ids"), [("Of course, it's moved.", (3,)), ("I'm afraid not.", ())], ids=["granted", "refused"]
)
def test_a_wish_to_move_an_appointment_counts_when_it_is_granted(
    closed: Closed, answer: str, ids: tuple[int, ...]
) -> None:
    assert closed(f"u: Could we change Friday at seven to Saturday?\na: {answer}", TABLE) == ids


def test_of_two_appointments_nobody_knows_which_was_moved(closed: Closed) -> None:
    other = EarlierThread(5, "plan", "user", '"My exam is on the 3rd of December."', date(2026, 12, 3))

    assert closed("a: Hello.\nu: They've moved it.", TABLE, other) == ()


def test_an_appointment_that_is_past_is_not_the_one_that_was_moved(closed: Closed) -> None:
    past = EarlierThread(6, "plan", "agent", '"You\'re down for Monday at seven."', date(2026, 11, 16))

    assert closed("a: Hello.\nu: They've moved it.", past) == ()


NINTH = EarlierThread(
    10, "plan", "user", '"How about the 9th of December, at eleven?" – "Eleven\'s fine."', date(2026, 12, 9)
)


@pytest.mark.parametrize(
    "text",
    [
        "a: Harbor Physio.\nu: The concert?\na: I'm afraid the concert tickets are sold out.",
        "a: Harbor Physio.\nu: The traffic!\na: They've cancelled half the number nine buses today.",
    ],
)
def test_what_else_is_off_calls_off_no_appointment(closed: Closed, text: str) -> None:
    assert closed(text, NINTH) == ()


CANDLES = EarlierThread(1, "request", "user", '"Remind me to buy the candles."')


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "a: So I'll cancel the lot."),
        ("de", "a: Dann sage ich alles ab."),
        ("pt", "a: Cancelo tudo, então."),
        ("it", "u: Disdica tutto, per favore."),
    ],
)
def test_who_calls_off_everything_leaves_nothing_open(closed: Closed, language: str, said: str) -> None:
    assert closed(f"a: Hi.\nu: We can't.\n{said}", TABLE, CANDLES, language=language) == (1, 3)


def test_who_asks_to_call_off_everything_and_may_leaves_nothing_open(closed: Closed) -> None:
    assert closed("a: Hi.\nu: Could you cancel the lot?\na: Of course.", TABLE, CANDLES) == (1, 3)


_CUT = {
    "en": "You're down for a haircut on Friday at seven.",
    "de": "Sie sind am Freitag um sieben zum Haareschneiden eingetragen.",
    "es": "Le he apuntado para un corte el viernes a las siete.",
    "fr": "Vous êtes inscrite pour une coupe vendredi à sept heures.",
    "it": "L'ho segnata per un taglio venerdì alle sette.",
    "nl": "U staat vrijdag om zeven uur ingepland voor een knipbeurt.",
    "pt": "Ficou marcada para um corte na sexta-feira às sete.",
}


@pytest.mark.parametrize(
    ("language", "said", "granted"),
    [
        ("en", "Can we call it off?", "No problem, I've taken you out."),
        ("en", "I've got to cancel, my son's broken his arm.", "Okay."),
        ("de", "Mir ist was dazwischengekommen.", "Kein Problem, ich habe Sie ausgetragen."),
        ("de", "Ich muss absagen, mein Sohn hat sich den Arm gebrochen.", "Alles klar."),
        ("es", "Nos ha surgido un imprevisto, no podemos ir.", "Entiendo."),
        ("fr", "Il faut que j'annule, mon fils s'est cassé le bras.", "D'accord."),
        ("it", "Dovrò disdire.", "Capisco."),
        ("nl", "Kunt u ons uitschrijven?", "Natuurlijk."),
        ("pt", "Surgiu um imprevisto, não podemos ir.", "Percebo."),
    ],
)
def test_who_calls_off_and_says_why_means_the_one_appointment(
    closed: Closed, language: str, said: str, granted: str
) -> None:
    thread = EarlierThread(38, "plan", "agent", f'"{_CUT[language]}"', date(2026, 11, 20))

    assert closed(f"a: Hello.\nu: {said}\na: {granted}", thread, language=language) == (38,)


@pytest.mark.parametrize(
    ("language", "said", "answered"),
    [
        ("en", "What happens if I need to cancel?", "You can ring us."),
        ("en", "I had to cancel my holiday.", "Oh dear."),
        ("en", "My sister can't come with me.", "I see."),
        ("de", "Was ist, wenn ich absagen muss?", "Rufen Sie einfach an."),
        ("es", "Casi tuve que cancelar.", "Menos mal."),
        ("fr", "J'ai failli annuler.", "Ah bon."),
        ("it", "Non voglio disdire.", "Bene."),
        ("nl", "Er is iets tussengekomen maar ik kom toch.", "Fijn."),
        ("pt", "Cancelei as férias.", "Que pena."),
        ("de", "Ich brauche keinen Parkplatz.", "Alles klar."),
        ("de", "Ich schaffe die Treppe nicht mehr.", "Ja."),
        ("es", "Ya no necesito aparcamiento.", "Vale."),
        ("fr", "Je n'ai plus besoin de parking.", "Très bien."),
        ("it", "Non mi serve più il parcheggio.", "Va bene."),
        ("pt", "Já não preciso de estacionamento.", "Está bem."),
    ],
)
def test_who_calls_off_something_else_or_nothing_keeps_the_appointment(
    closed: Closed, language: str, said: str, answered: str
) -> None:
    thread = EarlierThread(39, "plan", "agent", f'"{_CUT[language]}"', date(2026, 11, 20))

    assert closed(f"a: Hello.\nu: {said}\na: {answered}", thread, language=language) == ()


@pytest.mark.parametrize("said", ["Never mind.", "Oh, forget it.", "Don't bother."])
def test_what_is_waved_off_is_what_was_spoken_of_and_no_appointment(closed: Closed, said: str) -> None:
    assert closed(f"u: Do you sell eggs?\na: No, sorry.\nu: {said}", TABLE) == ()


HAIRCUT = EarlierThread(1, "plan", "user", '"The haircut on Monday at ten?" – "Perfect."', date(2026, 11, 23))


@pytest.mark.parametrize(
    "text",
    [
        "u: Please take me off your mailing list.\na: Of course, I've taken you off.",
        "u: Could you cancel my reminder texts?\na: No problem.",
        "u: I'd like to cancel the newsletter.\na: That's cancelled.",
    ],
)
def test_what_is_no_appointment_is_called_off_by_itself(closed: Closed, text: str) -> None:
    assert closed(text, HAIRCUT) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Ich streiche ihn."),
        ("de", "Ich storniere ihn."),
        ("es", "La anulo."),
        ("es", "La borro."),
        ("fr", "Je le supprime."),
        ("it", "Lo cancello."),
        ("pt", "Anulo-a."),
    ],
)
def test_an_agent_that_only_calls_off_means_the_one_appointment(
    closed: Closed, language: str, said: str
) -> None:
    plan = EarlierThread(41, "plan", "agent", '"…" – "…"', date(2026, 11, 24))

    assert closed(f"a: {said}", plan, language=language) == (41,)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: I can't make it that day, I'm afraid.\na: No problem."),
        ("de", "u: An dem Tag kann ich leider nicht.\na: Alles klar."),
        ("es", "u: ese día me operan a mi marido de cataratas no puedo estar\na: vaya"),
        ("fr", "u: Je pourrai pas venir comme prévu.\na: D'accord."),
        ("it", "u: Quel giorno non posso.\na: Va bene."),
        ("pt", "u: então não vai dar certo naquele dia\na: sem problema"),
        ("nl", "u: Die dag kan ik toch niet.\na: Geen probleem."),
    ],
)
def test_that_day_is_the_one_agreed_on(closed: Closed, language: str, text: str) -> None:
    agreed = EarlierThread(1, "plan", "user", '"10:00?" – "Ja."', date(2026, 11, 26))
    another = EarlierThread(2, "plan", "user", '"11:00?" – "Ja."', date(2026, 11, 30))

    assert closed(f"a: Hallo.\n{text}", agreed, language=language) == (1,)
    assert closed(f"a: Hallo.\n{text}", agreed, another, language=language) == ()


def test_the_slot_that_is_freed_is_of_whom_was_spoken_just_before(closed: Closed) -> None:
    rex = EarlierThread(1, "plan", "user", '"The 16th at nine?" – "Rex, yes."', date(2026, 12, 16))
    biscuit = EarlierThread(2, "plan", "user", '"The 17th at two?" – "Biscuit, fine."', date(2026, 12, 17))
    said = "a: Vet's.\nu: My daughter has moved and took Biscuit along.\na: Then I'll free up the slot."

    assert closed(said, rex, biscuit) == (2,)


@pytest.mark.parametrize(
    ("language", "plans", "said"),
    [
        (
            "de",
            ('"Grippeimpfung am Freitag?" – "Ja."', '"Zahnreinigung am Montag?" – "Ja."'),
            "u: Ich muss die Impfung absagen.\na: Ist gestrichen.",
        ),
        (
            "nl",
            ('"De gebitscontrole op vrijdag?" – "Ja."', '"De griepprik op maandag?" – "Ja."'),
            "u: Ik moet de controle afzeggen.\na: Dan haal ik het eruit.",
        ),
    ],
)
def test_a_part_of_its_word_names_the_one_of_two(
    closed: Closed, language: str, plans: tuple[str, str], said: str
) -> None:
    days = date(2026, 11, 20), date(2026, 11, 23)
    known = [
        EarlierThread(n, "plan", "user", text, day, around=text, said_on=date(2026, 11, 16))
        for n, (text, day) in enumerate(zip(plans, days, strict=True), start=1)
    ]
    assert closed(f"a: .\n{said}", *known, language=language) == (1,)
