"""What the agent takes on is open, in the words in which people say so at work."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "could", "would"),
    [
        ("en", "i could ask the volunteers for a lift", "oh would you i'd be ever so grateful"),
        ("de", "ich könnte die freiwilligen fragen", "ach würden sie das da wär ich dankbar"),
        ("es", "podría preguntar a los voluntarios", "ay lo haría se lo agradezco mucho"),
        ("fr", "je pourrais demander aux bénévoles", "oh vous feriez ça merci"),
        ("it", "potrei chiedere ai volontari un passaggio", "oh lo farebbe le sarei molto grata"),
        ("pt", "podia perguntar aos voluntários", "ai fazia-me isso ficava-lhe agradecida"),
        ("nl", "ik zou de vrijwilligers kunnen vragen", "o wilt u dat doen heel graag"),
    ],
)
def test_what_the_agent_could_do_is_promised_where_it_is_taken_up(
    opened: Opened, language: str, could: str, would: str
) -> None:
    assert ("promise", "agent", f'"{could}"') in [
        (one.kind, one.said_by, one.text) for one in opened(f"a: {could}\nu: {would}", language)
    ]


@pytest.mark.parametrize(
    ("language", "could", "no"),
    [
        ("en", "i could ask the volunteers for a lift", "no that's all right"),
        ("de", "ich könnte die freiwilligen fragen", "nein danke das geht schon"),
        ("es", "podría preguntar a los voluntarios", "no gracias no hace falta"),
        ("fr", "je pourrais demander aux bénévoles", "non merci ça ira"),
        ("it", "potrei chiedere ai volontari un passaggio", "no grazie non serve"),
        ("pt", "podia perguntar aos voluntários", "não obrigada não é preciso"),
        ("nl", "ik zou de vrijwilligers kunnen vragen", "nee dank u dat hoeft niet"),
    ],
)
def test_what_nobody_takes_up_is_no_promise(opened: Opened, language: str, could: str, no: str) -> None:
    assert opened(f"a: {could}\nu: {no}", language) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "i'll talk to the owner and tell you something on wednesday"),
        ("de", "ich rede mit dem eigentümer und sag ihnen am mittwoch was"),
        ("de", "Da muss die Technik ran, ich melde das."),
        ("de", "Der Brief geht heute raus."),
        ("en", "The letter goes off today."),
        ("es", "Eso es cosa de los técnicos, lo notifico."),
        ("es", "La carta sale hoy."),
        ("fr", "mince je regarde les caméras et je t'appelle"),
        ("fr", "C'est pour les techniciens, je le signale."),
        ("fr", "La lettre part aujourd'hui."),
        ("it", "controllo subito e la richiamo tra un'ora"),
        ("it", "ne parlo col proprietario e le dico qualcosa mercoledì"),
        ("it", "È per i tecnici, lo segnalo."),
        ("it", "La lettera parte oggi."),
        ("pt", "eita vou olhar nas câmeras e te ligo"),
        ("pt", "Isso é com os técnicos, eu comunico."),
        ("pt", "A carta segue hoje."),
        ("nl", "o jee ik kijk op de camera's en bel je"),
        ("nl", "Dat is voor de techniek, ik meld het."),
        ("nl", "De brief gaat vandaag weg."),
    ],
)
def test_what_the_agent_reports_sends_off_or_finds_out_is_promised(
    opened: Opened, language: str, text: str
) -> None:
    assert [(one.kind, one.said_by) for one in opened(f"a: {text}", language)] == [("promise", "agent")]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "a: Ich hab angefragt, die Angebote habe ich am Dienstag."),
        ("es", "a: He pedido presupuesto, lo tendré el martes."),
        ("fr", "a: J'ai demandé deux devis, je les aurai mardi."),
        ("it", "a: Ho chiesto due preventivi, li avrò martedì."),
        ("pt", "a: Pedi orçamento, tenho-os na terça."),
        ("nl", "a: Ik heb offertes aangevraagd, die heb ik dinsdag."),
    ],
)
def test_what_the_agent_will_have_on_a_day_is_due_then(opened: Opened, language: str, text: str) -> None:
    (one,) = opened(text, language)

    assert one.due == date(2026, 11, 24)


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "Thanks, I'll pass them on to the landlord.", None),
        ("de", "ich lese ihn morgen durch und maile dir meine anmerkungen", date(2026, 11, 18)),
        ("de", "Das rechne ich dir aus und schicke es dir am Montag.", date(2026, 11, 23)),
        ("de", "Ich ändere die Buchung und schicke sie Ihnen neu.", None),
        ("de", "gut dann bringt der kollege auch gleich den kostenvoranschlag mit", None),
        ("it", "Modifico la prenotazione e gliela rimando.", None),
        ("it", "grazie le giro al proprietario", None),
        ("pt", "então o colega já leva o orçamento", None),
        ("pt", "obrigado passo-as ao senhorio", None),
        ("nl", "Ik lees het morgen door en mail je mijn opmerkingen.", date(2026, 11, 18)),
        ("nl", "Ik pas de boeking aan en stuur hem u opnieuw.", None),
        ("nl", "dan neemt mijn collega meteen de offerte mee", None),
    ],
)
def test_the_second_of_two_verbs_and_one_that_is_parted_promise_too(
    opened: Opened, language: str, text: str, due: date | None
) -> None:
    (one,) = opened(f"a: {text}\nu: Ok.", language)

    assert (one.kind, one.said_by, one.due) == ("promise", "agent", due)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich habe das gelesen und schreibe Ihnen, weil etwas fehlt."),
        ("de", "nimmt der kollege hunde mit"),
        ("nl", "Ik lees altijd alles door."),
        ("nl", "hoi sanne ik zou je nog bellen over de planning"),
        ("pt", "passo-a ao meu colega"),
    ],
)
def test_what_was_done_or_is_only_asked_or_begun_with_promises_nothing(
    opened: Opened, language: str, text: str
) -> None:
    assert opened(f"a: {text}\nu: Ok.", language) == ()
