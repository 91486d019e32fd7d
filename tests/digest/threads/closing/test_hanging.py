"""What was promised for an appointment is over with it; what was promised beside it is not."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, KeyMoment

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")
SAID, TUESDAY = date(2026, 11, 16), date(2026, 11, 24)
CALLS = {
    "de": (
        "Dienstag um halb neun?",
        "Prima.",
        "Wir stellen Ihnen einen Polo hin.",
        "Ich muss Dienstag absagen.",
    ),
    "en": (
        "Tuesday at half eight?",
        "Fine.",
        "We'll have a courtesy car ready.",
        "I have to cancel Tuesday.",
    ),
    "fr": ("Mardi à huit heures ?", "Parfait.", "Je vous prépare un véhicule.", "Je dois annuler mardi."),
    "nl": ("Dinsdag om half negen?", "Prima.", "Dan zet ik een fiets klaar.", "Ik moet dinsdag afzeggen."),
}
BESIDE = {
    "de": "Ich schicke Ihnen die Rechnung.",
    "en": "I'll send you the invoice.",
    "fr": "Je vous envoie la facture.",
    "nl": "Ik stuur u de factuur.",
}


def _threads(language: str, promise: str) -> tuple[EarlierThread, EarlierThread]:
    asked, yes, _, _ = CALLS[language]
    plan = EarlierThread(1, "plan", "user", f'"{asked}" – "{yes}"', TUESDAY, said_on=SAID)
    around = f"{asked} {yes} {promise}"
    return plan, EarlierThread(2, "promise", "agent", f'"{promise}"', around=around, said_on=SAID)


@pytest.mark.parametrize("language", CALLS)
def test_what_is_for_the_visit_goes_with_it(call: Call, language: str) -> None:
    *_, promise, off = CALLS[language]
    known = _threads(language, promise)
    changes = thread_changes(call(f"a: Hello.\nu: {off}"), language, BERLIN, open_before=known)
    assert changes.closes == (1, 2)


@pytest.mark.parametrize("language", CALLS)
def test_what_is_not_for_the_visit_stays(call: Call, language: str) -> None:
    known = _threads(language, BESIDE[language])
    off = CALLS[language][-1]
    changes = thread_changes(call(f"a: Hello.\nu: {off}"), language, BERLIN, open_before=known)
    assert changes.closes == (1,)


def test_what_is_for_the_visit_stays_where_another_is_agreed_on(call: Call) -> None:
    known = _threads("en", CALLS["en"][2])
    text = "u: I can't do Tuesday, could we say Thursday?\na: Thursday at eight?\nu: Yes."
    assert 2 not in thread_changes(call(text), "en", BERLIN, open_before=known).closes


@pytest.mark.parametrize(
    "text",
    [
        "u: I can't do Tuesday, could we say Thursday?\na: Thursday at eight?\nu: Yes.",
        "u: I have to cancel Tuesday.\na: It's cancelled.",
    ],
)
def test_a_reminder_of_the_day_before_goes_with_its_appointment(call: Call, text: str) -> None:
    plan, _ = _threads("en", "")
    asked = '"Shall I remind you the day before?" – "Yes, please."'
    wish = EarlierThread(2, "request", "user", asked, date(2026, 11, 23), around=asked, said_on=SAID)
    changes = thread_changes(call(f"a: Hello.\n{text}"), "en", BERLIN, open_before=(plan, wish))
    assert changes.closes == (1, 2)


@pytest.mark.parametrize(
    ("language", "asked", "promise", "was"),
    [
        ("de", "Geht heute um 17 Uhr?", "Ich bringe sein Tagebuch mit.", "Wir waren am Dienstag bei Ihnen."),
        ("en", "Today at five?", "I'll bring his diary.", "We were with you on Tuesday, he's eating."),
        ("es", "¿Hoy a las cinco?", "Llevaré su diario.", "Estuvimos el martes con ustedes."),
        ("fr", "Aujourd'hui à 17 heures ?", "J'apporterai son carnet.", "Nous sommes venus mardi."),
        ("it", "Oggi alle cinque?", "Porto il suo diario.", "Siamo stati da voi martedì."),
        ("nl", "Kan het vandaag om vijf uur?", "Ik neem zijn dagboek mee.", "We waren dinsdag bij u."),
        ("pt", "Hoje às cinco?", "Levo o diário dele.", "Estivemos aí na terça."),
    ],
)
def test_what_is_for_the_visit_is_over_when_it_was(
    call: Call, language: str, asked: str, promise: str, was: str
) -> None:
    day = date(2026, 11, 10)
    plan = EarlierThread(1, "plan", "user", f'"{asked}" – "OK."', day, said_on=day)
    known = [plan, EarlierThread(2, "promise", "user", f'"{promise}"', around=promise, said_on=day)]
    spoken = call(f"a: Hello.\nu: {was}")
    moment = KeyMoment(spoken[1].said_at, f"{was} (10 November 2026)", 1, "user")
    changes = thread_changes(spoken, language, BERLIN, open_before=known, quotes=[moment])
    assert changes.closes == (1, 2)


KEPT = {
    "en": (
        "I'll order the wool for you.",
        "The blue, not the navy.",
        "I'll make sure it's the blue.",
        "The wool came.",
    ),
    "de": (
        "Ich bestelle Ihnen die Wolle.",
        "Die blaue.",
        "Ich achte darauf, dass es die blaue ist.",
        "Die Wolle ist da.",
    ),
    "es": ("Le pido la lana.", "La azul.", "Me aseguro de que sea la azul.", "La lana ha llegado."),
    "fr": (
        "Je vous commande la laine.",
        "La bleue.",
        "Je m'assure que c'est la bleue.",
        "La laine est arrivée.",
    ),
    "it": ("Le ordino la lana.", "Quella blu.", "Mi assicuro che sia quella blu.", "La lana è arrivata."),
    "nl": ("Ik bestel de wol voor u.", "De blauwe.", "Ik zorg dat het de blauwe is.", "De wol is er."),
    "pt": ("Encomendo-lhe o casaco.", "O azul.", "Garanto que é o azul.", "O casaco chegou."),
}


@pytest.mark.parametrize("language", KEPT)
def test_how_a_promise_is_kept_is_over_with_it(call: Call, language: str) -> None:
    promised, wished, how, came = KEPT[language]
    first = EarlierThread(1, "promise", "agent", f'"{promised}"', around=promised, said_on=SAID)
    around = f"{promised} {wished} {how}"
    second = EarlierThread(2, "promise", "agent", f'"{wished}" – "{how}"', around=around, said_on=SAID)

    text = f"a: Hm.\nu: {came}"
    assert thread_changes(call(text), language, BERLIN, open_before=(first, second)).closes == (1, 2)


@pytest.mark.parametrize(
    ("promise", "around"),
    [
        ("I'll ring the plumber for you.", "I'll order the wool for you. And the tap drips."),
        ("I'll add your mum to the policy.", "I'll order the wool for you. And my mum drives."),
    ],
)
def test_what_was_promised_beside_it_is_no_way_of_keeping_it(call: Call, promise: str, around: str) -> None:
    order = "I'll order the wool for you."
    first = EarlierThread(1, "promise", "agent", f'"{order}"', around=order, said_on=SAID)
    around = f"{around} {promise}"
    second = EarlierThread(2, "promise", "agent", f'"{promise}"', around=around, said_on=SAID)

    text = "a: Hello.\nu: The wool came."
    assert thread_changes(call(text), "en", BERLIN, open_before=(first, second)).closes == (1,)


MOVED = {
    "de": (
        "Soll ich Sie am Tag vorher erinnern?",
        "Ja, bitte.",
        "Ich muss meinen Termin verschieben.",
        "Freitag um zehn?",
    ),
    "en": (
        "Shall I remind you the day before?",
        "Yes, please.",
        "Can I come on Friday instead?",
        "Friday at ten.",
    ),
    "es": (
        "¿Se lo recuerdo el día antes?",
        "Sí, por favor.",
        "Tengo que cambiar mi cita.",
        "¿El viernes a las diez?",
    ),
    "fr": (
        "Je vous le rappelle la veille ?",
        "Oui, merci.",
        "Je dois déplacer mon rendez-vous.",
        "Vendredi à dix heures ?",
    ),
    "it": (
        "Glielo ricordo il giorno prima?",
        "Sì, grazie.",
        "Devo spostare l'appuntamento.",
        "Venerdì alle dieci?",
    ),
    "nl": (
        "Zal ik u de dag ervoor bellen?",
        "Ja, graag.",
        "Ik moet mijn afspraak verzetten.",
        "Vrijdag om tien uur?",
    ),
    "pt": ("Lembro-lhe na véspera?", "Sim, por favor.", "Tenho de mudar a consulta.", "Sexta às dez?"),
}
YES = {
    "de": "Super.",
    "en": "Great.",
    "es": "Vale.",
    "fr": "Parfait.",
    "it": "Va bene.",
    "nl": "Prima.",
    "pt": "Ótimo.",
}


@pytest.mark.parametrize("language", MOVED)
def test_a_reminder_keeps_no_moved_appointment_open(call: Call, language: str) -> None:
    offer, yes, moved, offered = MOVED[language]
    plan = EarlierThread(1, "plan", "user", '"19 Nov, 9:00?" – "Ja."', date(2026, 11, 19), said_on=SAID)
    reminder = EarlierThread(
        2,
        "request",
        "user",
        f'"{offer}" – "{yes}"',
        date(2026, 11, 18),
        said_on=SAID,
        around=f"{offer} {yes}",
    )
    changes = thread_changes(
        call(f"a: .\nu: {moved}\na: {offered}\nu: {YES[language]}"),
        language,
        BERLIN,
        open_before=(plan, reminder),
    )
    assert changes.closes == (1, 2)


def test_a_day_on_which_one_is_away_leaves_the_reminder_on_it(call: Call) -> None:
    plan = EarlierThread(1, "plan", "user", '"Wednesday the 2nd?" – "Yes."', date(2026, 12, 2), said_on=SAID)
    text = '"Shall I remind you the day before?" – "Yes, please."'
    reminder = EarlierThread(2, "request", "user", text, date(2026, 12, 1), said_on=SAID, around=text)
    away = call("a: Hello.\nu: I can't make Tuesday the 1st, I'm away. Just so you know.\na: Okay.")
    assert thread_changes(away, "en", BERLIN, open_before=(plan, reminder)).closes == ()
