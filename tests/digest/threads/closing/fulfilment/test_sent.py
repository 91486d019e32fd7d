"""What was to be sent is over once it is said to be sent, or to have come, though nobody names it."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

BERLIN = ZoneInfo("Europe/Berlin")
Call = Callable[[str], list[Message]]
IsOver = Callable[..., bool]
Closed = Callable[..., tuple[int, ...]]
WANTED = {
    "en": "Can you send me the brochure?",
    "de": "Können Sie mir den Prospekt schicken?",
    "es": "¿Me puede mandar el folleto?",
    "fr": "Vous pouvez m'envoyer la brochure ?",
    "it": "Mi può mandare il dépliant?",
    "pt": "Pode mandar-me o folheto?",
    "nl": "Kunt u me de folder sturen?",
}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "a: Good news, I've posted it."),
        ("de", "a: Ich habe ihn abgeschickt."),
        ("es", "a: Ya se lo he mandado."),
        ("fr", "a: Je vous l'ai envoyée."),
        ("it", "a: Gliel'ho mandato ieri."),
        ("pt", "a: Já lho mandei."),
        ("nl", "a: Ik heb hem opgestuurd."),
    ],
)
def test_whoever_was_to_send_it_says_so(is_over: IsOver, language: str, said: str) -> None:
    assert is_over(language, WANTED[language], said, kind="request")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: It came this morning, thanks."),
        ("de", "u: Er ist heute gekommen, danke."),
        ("es", "u: Ha llegado esta mañana, gracias."),
        ("fr", "u: Elle est arrivée ce matin, merci."),
        ("it", "u: È arrivato stamattina, grazie."),
        ("pt", "u: Chegou hoje de manhã, obrigado."),
        ("nl", "u: Hij is vanmorgen gekomen, bedankt."),
    ],
)
def test_whoever_waited_for_it_has_it(is_over: IsOver, language: str, said: str) -> None:
    assert is_over(language, WANTED[language], said, kind="request")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: Did you send it?\na: Yes, yesterday."),
        ("de", "u: Haben Sie ihn abgeschickt?\na: Ja, gestern."),
        ("es", "u: ¿Me lo ha mandado?\na: Sí, ayer."),
        ("fr", "u: Vous me l'avez envoyée ?\na: Oui, hier."),
        ("it", "u: Me l'ha mandato?\na: Sì, ieri."),
        ("nl", "u: Heeft u hem opgestuurd?\na: Ja, gisteren."),
    ],
)
def test_asked_whether_it_was_sent_a_yes_will_do(is_over: IsOver, language: str, said: str) -> None:
    assert is_over(language, WANTED[language], said, kind="request")


@pytest.mark.parametrize(
    "said",
    [
        "a: I've sent the invoice.",
        "a: I haven't sent it yet.",
        "a: I'll send it tonight.",
        "u: Did you send it?\na: Yes, I'll post it tonight.",
        "u: Did you send it?\na: Not yet, sorry.",
        "u: My parcel is here, it came this morning.",
        "u: It hasn't come.",
    ],
)
def test_something_else_or_what_is_still_to_be_sent_stays(is_over: IsOver, said: str) -> None:
    assert not is_over("en", WANTED["en"], said, kind="request")


def test_of_two_things_nobody_knows_which_is_meant(closed: Closed) -> None:
    brochure = EarlierThread(1, "request", "user", '"Can you send me the brochure?"')
    form = EarlierThread(2, "request", "user", '"Could you email me the form?"')

    assert closed("a: I've sent it.", brochure, form) == ()


NEW_ONE = [
    ("en", "I've lost my card.", "We'll send you the new one.", "The card came on Saturday.",
     "My brother came."),
    ("de", "Meine Karte ist weg.", "Die neue schicken wir Ihnen zu.", "Die Karte ist am Samstag gekommen.",
     "Mein Bruder ist gekommen."),
    ("es", "He perdido mi tarjeta.", "Le enviamos la nueva.", "La tarjeta llegó el sábado.",
     "Mi hermano llegó el sábado."),
    ("fr", "J'ai perdu ma carte.", "On vous envoie la nouvelle.", "La carte est arrivée samedi.",
     "Mon frère est arrivé."),
    ("it", "Ho perso la carta.", "Le mandiamo quella nuova.", "La carta è arrivata sabato.",
     "Mio fratello è arrivato."),
    ("nl", "Ik ben mijn pas kwijt.", "We sturen u de nieuwe toe.", "De pas is zaterdag gekomen.",
     "Mijn broer is gekomen."),
    ("pt", "Perdi o cartão.", "Enviamos-lhe o novo.", "O cartão chegou no sábado.", "O meu irmão chegou."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "lost", "promised", "came", "other"), NEW_ONE)
def test_a_new_one_has_come_once_what_it_is_instead_of_has(
    closed: Closed, language: str, lost: str, promised: str, came: str, other: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"', around=f"{lost} {promised}")

    assert closed(f"a: –\nu: {came}", known, language=language) == (1,)
    assert closed(f"a: –\nu: {other}", known, language=language) == ()


@pytest.mark.parametrize(
    "said",
    [
        "The card hasn't come.",
        "Has the card been sent?",
        "If the card came, fine.",
    ],
)
def test_what_only_names_it_leaves_a_new_one_owed(closed: Closed, said: str) -> None:
    around = "I've lost my card. We'll send you the new one."
    known = EarlierThread(1, "promise", "agent", '"We\'ll send you the new one."', around=around)

    assert closed(f"a: –\nu: {said}", known) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: I have the brochure now, thanks."),
        ("de", "u: Den Prospekt habe ich jetzt, danke."),
        ("de", "u: ich hab den prospekt inzwischen danke"),
        ("es", "u: Ya tengo el folleto, gracias."),
        ("fr", "u: J'ai la brochure maintenant, merci."),
        ("fr", "u: j'ai enfin la brochure merci"),
        ("it", "u: Il dépliant adesso ce l'ho, grazie."),
        ("pt", "u: Já tenho o folheto, obrigado."),
        ("nl", "u: Ik heb de folder nu, bedankt."),
        ("nl", "u: de folder heb ik inmiddels"),
    ],
)
def test_whoever_waited_for_it_has_it_now(is_over: IsOver, language: str, said: str) -> None:
    assert is_over(language, WANTED[language], said, kind="request")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: I need the brochure now."),
        ("de", "u: Den Prospekt habe ich jetzt immer noch nicht."),
        ("de", "u: Den Schlüssel habe ich jetzt."),
        ("fr", "u: Je n'ai pas la brochure maintenant."),
        ("fr", "u: J'ai la clé maintenant, merci."),
        ("nl", "u: Ik heb de folder nu nodig."),
        ("nl", "u: Ik heb de sleutel nu, bedankt."),
    ],
)
def test_who_has_something_else_or_needs_it_waits_for_it(is_over: IsOver, language: str, said: str) -> None:
    assert not is_over(language, WANTED[language], said, kind="request")


CALLS_ONCE_IT_IS_IN = [
    ("en", "I'll call you as soon as it's here.", "Sorry, it came in yesterday."),
    ("de", "Ich rufe Sie an, sobald es da ist.", "Entschuldigung, es ist gestern gekommen."),
    ("es", "Le llamo en cuanto llegue.", "Perdone, llegó ayer."),
    ("fr", "Je vous appelle dès qu'elle est là.", "Excusez-moi, elle est arrivée hier."),
    ("it", "La chiamo appena arriva.", "Mi scusi, è arrivata ieri."),
    ("nl", "Ik bel u zodra het er is.", "Sorry, het is gisteren binnengekomen."),
    ("pt", "Ligo-lhe assim que chegar.", "Desculpe, chegou ontem."),
]


@pytest.mark.parametrize(("language", "promised", "told"), CALLS_ONCE_IT_IS_IN)
def test_a_call_once_it_is_in_is_owed_no_more_when_the_agent_says_that_it_came(
    is_over: IsOver, language: str, promised: str, told: str
) -> None:
    assert is_over(language, promised, f"u: Ja?\na: {told}", said_by="agent")


def test_a_call_once_it_is_in_is_owed_while_something_else_came(is_over: IsOver) -> None:
    promised = "I'll call you as soon as it's here."

    assert not is_over("en", promised, "u: Yes?\na: The brochure came in yesterday.", said_by="agent")
    assert not is_over("en", promised, "u: Yes?\na: It hasn't come in yet.", said_by="agent")


DELIVERIES = {
    "en": ("Where's my order?", "It'll arrive in three to five days.", "Everything's arrived, thanks."),
    "de": (
        "Wo bleibt meine Bestellung?",
        "Die kommt in drei, vier Tagen bei Ihnen an.",
        "Alles ist da, danke.",
    ),
    "es": (
        "¿Y mi pedido?",
        "Son 64,90 euros, le llegan en tres o cuatro días.",
        "Ya me llegó todo, gracias.",
    ),
    "fr": ("Et ma commande ?", "Vous la recevrez dans trois ou quatre jours.", "J'ai tout reçu, merci."),
    "it": ("E il mio ordine?", "Le arriva fra tre o quattro giorni.", "È arrivato tutto, grazie."),
    "pt": ("E a minha encomenda?", "Chega aí em três ou quatro dias.", "Já chegou tudo, obrigada."),
    "nl": (
        "Waar blijft mijn bestelling?",
        "Die heeft u over drie of vier dagen in huis.",
        "Alles is binnen, dank u.",
    ),
}


@pytest.mark.parametrize("language", DELIVERIES)
def test_a_delivery_is_over_once_it_came(call: Call, closed: Closed, language: str) -> None:
    asked, promised, came = DELIVERIES[language]
    (owed,) = thread_changes(call(f"u: {asked}\na: {promised}\nu: Okay."), language, BERLIN).opened
    known = EarlierThread(1, owed.kind, owed.said_by, owed.text, owed.due, f"{asked} {promised}")

    assert (owed.kind, owed.said_by) == ("promise", "agent")
    assert closed(f"a: Hello.\nu: {came}", known, language=language) == (1,)


def test_a_delivery_stays_open_while_another_thing_came(closed: Closed) -> None:
    known = EarlierThread(1, "promise", "agent", '"Your boots will arrive in three days."', None, "boots")

    assert closed("a: Hello.\nu: The socks arrived, thanks.", known) == ()


def test_some_days_are_no_hour(call: Call) -> None:
    said = "u: Where's my refund?\na: The sixty pounds will be with you in five to seven working days."
    (owed,) = thread_changes(call(said), "en", BERLIN).opened

    assert (owed.kind, owed.due) == ("promise", None)


@pytest.mark.parametrize(
    ("language", "promised", "lines"),
    [
        (
            "en",
            "Your boots will arrive in three days.",
            "a: Is the family there?\nu: Yes, they've all arrived.",
        ),
        (
            "en",
            "Your boots will arrive in three days.",
            "u: The winter's come. It all came so early this year.",
        ),
        ("es", "Le mandamos la tarjeta nueva.", "a: ¿Qué tal?\nu: Bien, ayer llegaron mis nietos de Madrid."),
    ],
)
def test_a_delivery_is_not_over_by_what_else_came(
    closed: Closed, language: str, promised: str, lines: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"', None, promised)

    assert closed(f"a: .\n{lines}\na: –", known, language=language) == ()


POSTED = {
    "en": ("I'll send you the code by post.", "Your letter came this morning, it works again."),
    "de": ("Ich schicke Ihnen den Code per Post.", "Der Brief ist da, das Handy läuft wieder."),
    "es": ("Le mando el código por correo.", "Me ha llegado la carta, ya funciona."),
    "fr": ("Je vous envoie le code par courrier.", "Votre lettre est arrivée, ça remarche."),
    "it": ("Le mando il codice per posta.", "È arrivata la lettera, ora funziona."),
    "nl": ("Ik stuur u de code per post.", "De brief is er, hij doet het weer."),
    "pt": ("Mando-lhe o código pelo correio.", "A carta já chegou, está a funcionar."),
}


@pytest.mark.parametrize("language", POSTED)
def test_what_goes_by_post_has_come_when_the_letter_has(is_over: Callable[..., bool], language: str) -> None:
    promise, said = POSTED[language]

    assert is_over(language, promise, f"u: {said}", said_by="agent")


def test_a_letter_that_has_not_come_or_will_come_leaves_it_owed(is_over: Callable[..., bool]) -> None:
    promise, _ = POSTED["en"]

    for said in ("Your letter hasn't come.", "Has the letter come?", "When I've got your letter I'll ring."):
        assert not is_over("en", promise, f"u: {said}", said_by="agent")
