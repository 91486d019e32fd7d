"""A promise to ring, write or let somebody know is kept by who rings, writes or says that they have it."""

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

CALL_BACK = {
    "en": "I'll call you back.",
    "de": "Ich rufe Sie zurück.",
    "es": "La llamo más tarde.",
    "fr": "Je vous rappelle plus tard.",
    "it": "La richiamo più tardi.",
    "pt": "Ligo mais tarde.",
    "nl": "Ik bel u later terug.",
}


def call_back(said: str, due: date | None = None) -> EarlierThread:
    return EarlierThread(9, "promise", "user", f'"{said}"', due)


@pytest.mark.parametrize("language", CALL_BACK)
def test_who_promised_to_call_back_and_calls_has_kept_it(closed: Closed, language: str) -> None:
    text = "a: Salon Mira.\nu: Mira?"

    assert closed(text, call_back(CALL_BACK[language]), language=language) == (9,)


def test_a_call_back_is_kept_on_its_day_or_later_and_not_before(closed: Closed) -> None:
    text = "a: Hello.\nu: Are you open on Saturday?"

    assert closed(text, call_back("I'll call you again tomorrow.", date(2026, 11, 18))) == ()
    assert closed(text, call_back("I'll call you again tomorrow.", date(2026, 11, 17))) == (9,)


def test_a_call_back_about_something_is_kept_when_it_is_spoken_of(closed: Closed) -> None:
    about_the_boiler = call_back("I'll call you back about the boiler.")

    assert closed("a: Hello.\nu: Are you open on Saturday?", about_the_boiler) == ()
    assert closed("a: Hello.\nu: It's about the boiler again.", about_the_boiler) == (9,)


def test_who_promised_to_call_and_writes_has_not_called(call: Call) -> None:
    messages = call("a: Hello.\nu: Are you open on Saturday?")

    changes = thread_changes(
        messages, "en", BERLIN, open_before=[call_back("I'll call you back.")], is_call=False
    )

    assert changes.closes == ()


@pytest.mark.parametrize("said", ["I'll call my doctor.", "I'll send you the form."])
def test_another_promise_is_not_kept_by_calling(closed: Closed, said: str) -> None:
    assert closed("a: Hello.\nu: Are you open on Saturday?", call_back(said)) == ()


def test_that_the_agent_calls_back_is_not_kept_by_a_call_of_the_user(closed: Closed) -> None:
    by_agent = EarlierThread(9, "promise", "agent", '"I\'ll call you back."')

    assert closed("a: Hello.\nu: Are you open on Saturday?", by_agent) == ()


FORM = EarlierThread(
    11, "promise", "agent", '"I\'ll post you the form."', around="Form? I'll post you the form."
)


@pytest.mark.parametrize(
    "text",
    [
        "a: Hello.\nu: I still haven't got your message.",
        "a: Hello.\nu: My sister rang me yesterday.",
        "a: Hello.\nu: When I've got your letter I'll ring.",
    ],
)
def test_what_has_not_come_leaves_it_open(closed: Closed, text: str) -> None:
    assert closed(text, FORM) == ()


VASE = EarlierThread(
    2,
    "promise",
    "agent",
    '"Leave it with me, I\'ll ring you."',
    around="My vase never came. Leave it with me.",
)


def test_of_two_things_promised_nobody_knows_which_has_come(closed: Closed) -> None:
    assert closed("a: Hello.\nu: I got your message, thanks.", FORM, VASE) == ()


def test_thanks_for_another_thing_leave_it_open(closed: Closed) -> None:
    assert closed("a: Hello.\nu: Thanks for the calendar, it's lovely.", FORM) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a: Have you been before?\nu: Yes.",
        "a: Did you get the car back?\nu: Yes, it's running.",
        "a: Hello.\nu: Thanks for your time. Bye.",
        "a: Hello.\nu: They came on Saturday, my parents.",
        "a: Hello.\nu: Thanks for the appointment letter. What about the form?",
    ],
)
def test_small_talk_is_nothing_that_has_come(closed: Closed, text: str) -> None:
    assert closed(text, FORM) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll let you know as soon as it's here.", "Good morning, your sofa has arrived."),
        ("de", "Ich rufe Sie an, sobald es da ist.", "Guten Morgen, Ihr Sofa ist angekommen."),
        ("es", "Le aviso en cuanto llegue.", "Buenos días, ya ha llegado su sofá."),
    ],
)
def test_who_was_to_tell_when_it_comes_and_begins_by_telling_it_has(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    thread = EarlierThread(17, "promise", "agent", f'"{promised}"')
    other = EarlierThread(18, "promise", "agent", f'"{promised} 2"')

    assert closed(f"a: {said}", thread, language=language) == (17,)
    assert closed(f"a: {said}", thread, other, language=language) == ()


def test_a_promise_to_tell_of_another_thing_stays_open(closed: Closed) -> None:
    part = EarlierThread(19, "promise", "agent", '"We will ring you when the part is in."')

    assert closed("a: Good morning, I've booked you a room.", part) == ()


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll ring you tomorrow.", "Hello, I'd promised you a call about the ferry."),
        (
            "de",
            "Ich rufe Sie morgen zurück.",
            "Ich hatte Ihnen den Rückruf versprochen. Es gibt noch Plätze.",
        ),
        ("fr", "Je vous rappelle demain.", "J'avais promis de vous rappeler. Il reste des places."),
    ],
)
def test_the_agent_that_calls_as_it_promised_owes_no_call(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    call = EarlierThread(9, "promise", "agent", f'"{promised}"', date(2026, 11, 17))
    offer = EarlierThread(10, "promise", "agent", '"We will post the offer."')

    assert closed(f"a: {said}\nu: Oh.", call, offer, language=language) == (9,)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll chase the surgery and text you.", "hi got your text is it still there"),
        ("en", "I'll email you the bill.", "hi got your email thanks but the radiators cold now"),
        ("de", "Ich gebe Ihnen Bescheid.", "Ich hab Ihre SMS bekommen."),
        ("fr", "Je vous préviens demain.", "J'ai eu votre message, merci."),
        ("es", "Le aviso mañana.", "Recibí su mensaje."),
        ("it", "La avviso domani.", "Ho ricevuto il suo messaggio."),
        ("pt", "Mando-lhe uma mensagem.", "Recebi a sua mensagem."),
        ("nl", "Ik laat het u weten.", "Ik heb uw bericht gekregen."),
    ],
)
def test_who_was_to_be_told_and_was_written_to_has_been(
    closed: Closed, language: str, promised: str, said: str
) -> None:
    assert closed(
        f"a: Hi.\nu: {said}", EarlierThread(9, "promise", "agent", f'"{promised}"'), language=language
    )


def test_who_was_to_be_rung_and_was_has_been(closed: Closed) -> None:
    ring = EarlierThread(9, "promise", "agent", '"I will ring you tomorrow."')
    text = EarlierThread(10, "promise", "agent", '"I will text you the price."')

    assert closed("a: Hi.\nu: Well, you rang me, and here I am.", ring, text) == (9,)
    assert closed("a: Hi.\nu: You never rang me.", ring, text) == ()


def test_an_agent_that_rings_about_something_owes_no_call(closed: Closed) -> None:
    words = "Rex had blood taken. I'll ring you the minute the results are in."
    call = EarlierThread(
        9, "promise", "agent", '"I\'ll ring you the minute the results are in."', around=words
    )

    assert closed("a: Hello, it's Ines from Lane Vets, about Rex.\nu: Oh, go on.", call) == (9,)
    assert closed("a: Lane Vets, it's Ines.\nu: It's about Rex.", call) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Thursday fits perfectly.",
        "That guy has been ringing me all week.",
        "Your plumber came but he couldn't find the leak.",
        "You rang while I was out, I still want to talk.",
        "I got the email from the council.",
        "You called me Mary, my name is Maria.",
        "thanks for the call, bye",
        "Please don't cancel everything!",
        "They cancelled everything because of the snow.",
        "Here's a photo of the leak.",
    ],
)
def test_what_only_sounds_like_it_keeps_promises_open(closed: Closed, said: str) -> None:
    ring = EarlierThread(9, "promise", "agent", '"I will ring you about the piano."')
    visit = EarlierThread(10, "promise", "agent", '"I will send someone about the leak."')
    tell = EarlierThread(11, "promise", "agent", '"I will text you the gate code."')

    assert closed(f"a: Hi.\nu: {said}", ring, visit, tell) == ()
    assert closed(f"a: Hi.\nu: {said}", ring) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Hi! I'm getting back to work. How can I help?",
        "Thanks for calling back about your order.",
        "Hello, this is Anna from Moor Motors, about your survey.",
    ],
)
def test_an_agent_that_only_picks_up_still_owes_its_call(closed: Closed, said: str) -> None:
    assert (
        closed(
            f"a: {said}\nu: Hello.", EarlierThread(9, "promise", "agent", '"I\'ll ring you about the piano."')
        )
        == ()
    )


CALLED_BY_NAME = {
    "de": (
        '"Was krieg ich bei Inzahlungnahme?" – "Das find ich raus, ich ruf Sie Freitag an."',
        "Herr Bakx, Kuijpers noch mal. Bei Inzahlungnahme kann ich fünfzehnhundert geben.",
    ),
    "en": (
        '"What would I get for it, trading it in?" – "I\'ll find out and ring you Friday."',
        "Mr Bakx, Kuijpers again. For the trade-in I can give you fifteen hundred.",
    ),
    "nl": (
        '"Wat krijg ik bij inruil?" – "Dat zoek ik uit, ik bel u vrijdag."',
        "Meneer Bakx, Kuijpers weer. Bij inruil kan ik vijftienhonderd euro geven.",
    ),
    "pt": (
        '"Quanto me dão pelo carro?" – "Vou ver e ligo-lhe na sexta."',
        "Senhor Bakx, é da Kuijpers. Pelo carro posso dar mil e quinhentos.",
    ),
}


@pytest.mark.parametrize("language", CALLED_BY_NAME)
def test_who_calls_somebody_by_name_with_the_answer_has_called(closed: Closed, language: str) -> None:
    promised, told = CALLED_BY_NAME[language]
    known = EarlierThread(1, "promise", "agent", promised, around=promised)

    assert closed(f"a: {told}\nu: Oh.\na: –", known, language=language) == (1,)
