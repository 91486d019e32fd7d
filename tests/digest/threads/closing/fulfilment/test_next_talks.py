"""The talk of the day that was agreed on is the one that was agreed on."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, Speaker, ThreadKind

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
BERLIN = ZoneInfo("Europe/Berlin")
MONDAY, TODAY, TOMORROW = (date(2026, 11, day) for day in (16, 17, 18))


def known(
    text: str, kind: ThreadKind = "plan", said_by: Speaker = "user", due: date = TODAY, around: str = ""
) -> EarlierThread:
    return EarlierThread(1, kind, said_by, text, due, around or text, MONDAY)


@pytest.mark.parametrize(
    ("language", "agreed", "opening"),
    [
        ("de", '"Wollen wir morgen wieder telefonieren?" – "Ja, gerne."', "Guten Abend, wie war der Tag?"),
        ("en", '"Shall we talk again tomorrow?" – "Yes, fine."', "Hi Tom, it's Pace. How was the day?"),
        ("es", '"¿Hablamos mañana?" – "Sí, vale."', "Buenas tardes, ¿qué tal el día?"),
        ("fr", '"On se rappelle demain ?" – "Oui, d\'accord."', "Bonsoir, alors, cette journée ?"),
        ("it", '"Ci sentiamo domani?" – "Sì, va bene."', "Buonasera, com'è andata la giornata?"),
        ("nl", '"Zullen we morgen weer bellen?" – "Prima."', "Goedenavond, hoe was de dag?"),
        ("pt", '"Falamos amanhã?" – "Sim, está bem."', "Boa tarde, como correu o dia?"),
    ],
)
def test_a_talk_that_was_agreed_on_is_over_when_it_takes_place(
    closed: Closed, language: str, agreed: str, opening: str
) -> None:
    assert closed(f"a: {opening}\nu: Hello.", known(agreed), language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "opening", "reply"),
    [
        ("de", '"Ich rufe Sie am Dienstag an."', "Hallo, hier ist die Tierarztpraxis.", "Hallo?"),
        ("en", '"I\'ll call you on Tuesday."', "Hi, it's the vet's calling.", "Hello?"),
        ("es", '"Le llamo el martes."', "Hola, le llamo de la clínica.", "Hola."),
        ("fr", '"Je vous appelle mardi."', "Bonjour, c'est la clinique.", "Allô ?"),
        ("it", '"La chiamo martedì."', "Buongiorno, è la clinica.", "Pronto?"),
        ("nl", '"Ik bel u dinsdag."', "Hallo, met de dierenarts.", "Hallo?"),
        ("pt", '"Ligo-lhe na terça."', "Olá, é da clínica.", "Olá."),
    ],
)
def test_so_is_a_call_that_the_agent_promised(
    closed: Closed, language: str, promised: str, opening: str, reply: str
) -> None:
    call = known(promised, "promise", "agent")
    assert closed(f"a: {opening}\nu: {reply}", call, language=language) == (1,)


def test_a_talk_at_another_hour_is_told_by_what_was_said_before(closed: Closed) -> None:
    around = "Shall we talk on Tuesday at noon? I'm driving then. At six? Six o'clock, noted."
    agreed = known('"At six?" – "Six o\'clock, noted."', around=around)
    assert closed("a: Good evening, how was the day?\nu: Fine.", agreed) == (1,)


@pytest.mark.parametrize(
    "text",
    [
        '"I\'ll call you on Tuesday about the bill."',
        '"Can you call me about the bill?" – "I\'ll call you on Tuesday."',
    ],
)
def test_a_call_about_a_matter_is_not_just_any(closed: Closed, text: str) -> None:
    assert closed("a: Hi, it's Pace. How are you?\nu: Fine.", known(text, "promise", "agent")) == ()


@pytest.mark.parametrize(
    "lines",
    [
        "a: Willowbrook Vets, how can I help?\nu: Rex has a limp.",
        "a: Willowbrook Vets, hello.\nu: It's Fiona Mackie, Rex has a limp.",
        "a: Willowbrook Vets.\nu: Hello.\na: How can I help?\nu: Rex has a limp.",
        "u: Hello, Rex has a limp.",
    ],
)
def test_who_rings_themselves_was_not_rung(closed: Closed, lines: str) -> None:
    assert closed(lines, known('"I\'ll call you on Tuesday."', "promise", "agent")) == ()


def test_a_talk_before_its_day_leaves_it_open(closed: Closed) -> None:
    agreed = known('"Shall we talk again tomorrow?" – "Yes."', due=TOMORROW)
    assert closed("a: Hi Tom, how was the day?\nu: Fine.", agreed) == ()


def test_what_is_written_is_no_talk(closed: Closed) -> None:
    agreed = known('"Shall we talk again on Tuesday?" – "Yes."')
    assert closed("a: Hi Tom, how was the day?\nu: Fine.", agreed, is_call=False) == ()


@pytest.mark.parametrize(
    ("language", "put_off", "now"),
    [
        ("en", "We'll look at the photos next time.", "Shall we look at the photos today?"),
        ("de", "Die Fotos schauen wir beim nächsten Mal an.", "Wollen wir heute die Fotos anschauen?"),
        ("es", "Las fotos las vemos la próxima vez.", "¿Vemos hoy las fotos?"),
        ("fr", "Les photos, on voit ça la prochaine fois.", "On regarde les photos aujourd'hui ?"),
        ("it", "Le foto le vediamo la prossima volta.", "Guardiamo le foto oggi?"),
        ("pt", "As fotografias vemos na próxima chamada.", "Vemos hoje as fotografias?"),
        ("nl", "De foto's doen we de volgende keer.", "Zullen we vandaag de foto's bekijken?"),
    ],
)
def test_what_was_for_the_next_talk_is_over_once_the_agent_comes_to_it(
    closed: Closed, language: str, put_off: str, now: str
) -> None:
    thread = EarlierThread(1, "promise", "agent", f'"{put_off}"', None, put_off, MONDAY)

    assert closed(f"u: Hello.\na: {now}\nu: Yes.", thread, language=language) == (1,)


@pytest.mark.parametrize("now", ["How are you today?", "We'll look at the photos next time, then."])
def test_it_is_open_until_then(closed: Closed, now: str) -> None:
    thread = EarlierThread(1, "promise", "agent", '"We\'ll look at the photos next time."', None, "", MONDAY)

    assert closed(f"u: Hello.\na: {now}\nu: Yes.", thread) == ()


def test_nor_is_it_over_where_it_is_only_spoken_of(closed: Closed) -> None:
    thread = EarlierThread(1, "promise", "agent", '"We\'ll look at the photos next time."', None, "", MONDAY)

    assert closed("u: Hello.\na: Today we haven't got time for the photos.\nu: Okay.", thread) == ()


@pytest.mark.parametrize(
    ("language", "promised", "asked"),
    [
        ("en", "I'll ask you next time how it went.", "How did the exam go?"),
        ("de", "Da frage ich nächstes Mal nach, wie es gelaufen ist.", "Wie war denn die Prüfung?"),
        ("es", "La próxima vez le pregunto qué tal le fue.", "¿Cómo le fue el examen?"),
        ("fr", "Je vous demanderai la prochaine fois comment c'était.", "Comment s'est passé l'examen ?"),
        ("it", "La prossima volta le chiedo com'è andata.", "Com'è andato l'esame?"),
        ("nl", "Dan vraag ik de volgende keer hoe het ging.", "Hoe ging het examen?"),
        ("pt", "Da próxima vez pergunto como correu.", "Como correu o exame?"),
    ],
)
def test_what_was_to_be_asked_next_time_is_over_once_it_is(
    closed: Closed, language: str, promised: str, asked: str
) -> None:
    about = {"de": "Prüfung", "es": "examen", "fr": "examen", "it": "esame", "nl": "examen", "pt": "exame"}
    around = f"Jan, {about.get(language, 'exam')}. {promised}"
    thread = EarlierThread(1, "promise", "agent", f'"{promised}"', None, around, MONDAY)

    assert closed(f"a: {asked}\nu: Hm.", thread, language=language) == (1,)
    assert closed("a: ?\nu: Hm.", thread, language=language) == ()
