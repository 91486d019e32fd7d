"""What a later conversation says of a thread that it leaves open is noted, in the words in which it was
said."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.extractive import digest
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread, FollowUp, checksum

Call = Callable[[str], list[Message]]
Followed = Callable[..., tuple[FollowUp, ...]]
BERLIN = ZoneInfo("Europe/Berlin")

PARCEL = EarlierThread(1, "promise", "agent", '"I\'ll chase the driver about your parcel."')
MOT = EarlierThread(
    2,
    "plan",
    "agent",
    '"I\'ve got Thursday the nineteenth at half past eight." – "yeah go on then"',
    date(2026, 11, 19),
)
WORKSHOP = EarlierThread(
    3,
    "plan",
    "user",
    '"The one on the twenty-first." – "You\'re on the list."',
    date(2026, 11, 21),
    around="Can you put me down for the bookbinding workshop?",
)


@pytest.fixture
def followed(call: Call) -> Followed:
    """What a written-down call on Tuesday 17 November 2026 says of the known threads."""
    return lambda text, *known, language="en": (
        digest(call(text), timezone=BERLIN, language=language, open_before=known).follow_ups
    )


def test_what_is_said_of_it_is_told_as_it_was_said(followed: Followed) -> None:
    text = "a: Hello.\nu: The parcel never turned up, nobody knows a thing."

    said = '"The parcel never turned up, nobody knows a thing."'
    assert followed(text, PARCEL) == (
        FollowUp(1, 1, "user", date(2026, 11, 17), said, checksum(PARCEL.text), is_owed=True),
    )


INVOICE = EarlierThread(4, "promise", "agent", '"invoice factuur Rechnung factura facture fattura fatura"')


@pytest.mark.parametrize(
    ("language", "said", "is_owed"),
    [
        ("en", "The invoice hasn't come yet.", True),
        ("en", "I never got the invoice.", True),
        ("en", "The invoice came, but it's the wrong one.", False),
        ("de", "Ich warte noch auf die Rechnung.", True),
        ("es", "La factura todavía no ha llegado.", True),
        ("fr", "Je n'ai jamais reçu la facture.", True),
        ("it", "Non ho mai ricevuto la fattura.", True),
        ("nl", "De factuur is nog niet binnen.", True),
        ("pt", "Ainda estou à espera da fatura.", True),
    ],
)
def test_what_is_waited_for_is_owed(followed: Followed, language: str, said: str, *, is_owed: bool) -> None:
    found = followed(f"a: Hello.\nu: {said}", INVOICE, language=language)

    assert [one.is_owed for one in found] == [is_owed]


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "Any word on the roof box?", "Not yet, I'm still waiting on the depot."),
        ("de", "Wissen Sie schon was von der Dachbox?", "Noch nicht, ich warte noch auf das Lager."),
        ("fr", "Du nouveau pour le coffre de toit ?", "Pas encore, j'attends le dépôt."),
        ("nl", "Is er al nieuws over de dakkoffer?", "Nog niet, ik wacht nog op het depot."),
        ("es", "¿Se sabe algo del baúl de techo?", "Todavía no, estoy esperando al depósito."),
        ("it", "Novità sul box da tetto?", "Non ancora, aspetto il deposito."),
        ("pt", "Há novidades da mala de tejadilho?", "Ainda não, estou à espera do depósito."),
    ],
)
def test_what_who_promised_it_does_not_know_yet_is_owed(
    followed: Followed, language: str, asked: str, answer: str
) -> None:
    words = '"roof box Dachbox coffre de toit dakkoffer baúl de techo box da tetto mala de tejadilho"'
    box = EarlierThread(5, "promise", "agent", words)

    found = followed(f"a: Hello.\nu: {asked}\na: {answer}", box, language=language)

    assert [one.is_owed for one in found] == [True]


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "An engineer will ring you by tomorrow evening.", "Nobody's rung me."),
        ("en", "I'll call you back tomorrow.", "You said you'd ring me, and you never did."),
        ("de", "Ein Techniker ruft Sie bis morgen Abend an.", "Mich hat keiner angerufen."),
        ("de", "Ich rufe Sie morgen zurück.", "Bei mir hat sich niemand gemeldet."),
        ("es", "Mañana le llama un técnico.", "Oiga, que no me ha llamado nadie."),
        ("fr", "Un technicien vous appelle demain.", "Personne ne m'a appelé."),
        (
            "it",
            "La faccio chiamare da un tecnico entro domani sera.",
            "Guardi che non mi ha chiamato nessuno, eh.",
        ),
        ("pt", "Um técnico liga-lhe amanhã.", "Ninguém me ligou."),
        ("nl", "Een monteur belt u morgen.", "Er heeft niemand gebeld."),
    ],
)
def test_a_call_that_nobody_made_is_owed(followed: Followed, language: str, promised: str, said: str) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{promised}"', date(2026, 11, 13))

    found = followed(f"a: Hello.\nu: {said}", known, language=language)

    assert [one.is_owed for one in found] == [True]


def test_a_call_that_is_not_due_yet_is_not_missed(followed: Followed) -> None:
    known = EarlierThread(1, "promise", "agent", '"I\'ll call you back on Friday."', date(2026, 11, 20))

    assert not any(one.is_owed for one in followed("a: Hello.\nu: Nobody's told me a thing.", known))


@pytest.mark.parametrize(
    ("text", "known", "told"),
    [
        ("a: Hello.\nu: can my brother bring the van on thursday", MOT, "can my brother bring the van"),
        ("a: Bad news, we had to pull the bookbinding workshop.\nu: Oh.", WORKSHOP, "we had to pull"),
        ("a: Any news of the parcel?\nu: No, not a sign of it.", PARCEL, "not a sign"),
    ],
    ids=["of its day", "of what led to it", "as an answer"],
)
def test_it_is_known_by_its_words_its_day_or_what_led_to_it(
    followed: Followed, text: str, known: EarlierThread, told: str
) -> None:
    [said] = followed(text, known)

    assert told in said.text


@pytest.mark.parametrize(
    ("language", "thread", "text", "told"),
    [
        ("de", '"Ich frage wegen der Heizung nach."', "u: Die Heizung bleibt kalt, Tag und Nacht.", "kalt"),
        ("es", '"Yo pregunto por el recibo."', "u: El recibo sigue sin aparecer por ningún lado.", "recibo"),
        ("fr", '"Je demande pour la facture."', "u: La facture, je ne la vois toujours pas.", "facture"),
        ("it", '"Chiedo io della bolletta."', "u: La bolletta io non la vedo da nessuna parte.", "bolletta"),
        ("pt", '"Eu pergunto pela fatura."', "u: A fatura não aparece em lado nenhum.", "fatura"),
        ("nl", '"Ik vraag naar de ketel."', "u: De ketel maakt nog altijd dat rare geluid.", "ketel"),
    ],
)
def test_in_each_language(followed: Followed, language: str, thread: str, text: str, told: str) -> None:
    known = EarlierThread(4, "promise", "agent", thread)

    [said] = followed(f"a: …\n{text}", known, language=language)

    assert told in said.text


@pytest.mark.parametrize(
    "text",
    [
        "a: Hello.\nu: Are you open on Saturday? I need some tape.",
        "a: Hello.\nu: The parcel came this morning, thanks.",
    ],
    ids=["of another matter", "that settles it"],
)
def test_nothing_else_follows_it_up(followed: Followed, text: str) -> None:
    assert followed(text, PARCEL) == ()


def test_a_name_by_which_the_two_greet_each_other_is_no_matter(followed: Followed) -> None:
    promise = EarlierThread(5, "promise", "agent", '"I\'ll look into it, Mr Pocock."')

    assert (
        followed("a: Good morning.\nu: This is Pocock again, Alf Pocock, I need two batteries.", promise)
        == ()
    )


def test_of_several_the_last_word_of_the_user_counts(followed: Followed) -> None:
    text = (
        "a: The parcel is with the driver, it seems.\n"
        "u: That parcel was promised for Monday.\n"
        "a: I see. Anything else about the parcel?\n"
        "u: The parcel hasn't come to my neighbour either."
    )

    [said] = followed(text, PARCEL)

    assert said.text == '"The parcel hasn\'t come to my neighbour either."'


def test_a_quote_is_of_the_one_thread_that_it_fits_best(followed: Followed) -> None:
    driver = EarlierThread(6, "promise", "agent", '"I\'ll ask the driver for his name."')

    [said] = followed("a: Hello.\nu: The driver has not brought the parcel.", driver, PARCEL)

    assert said.thread == PARCEL.id


@pytest.mark.parametrize(
    "text",
    [
        "My neighbour's dog died on Thursday.",
        "I play bridge every Thursday.",
    ],
)
def test_a_weekday_that_is_of_another_day_or_of_all_says_nothing_of_it(followed: Followed, text: str) -> None:
    assert followed(f"a: Hello.\nu: {text}", PARCEL, MOT) == ()


def test_the_agent_may_name_a_weekday_for_anybody(followed: Followed) -> None:
    assert followed("a: We are open until eight on Thursday.\nu: Good to know.", MOT) == ()


@pytest.mark.parametrize(
    ("language", "plan", "text"),
    [
        (
            "en",
            "Dad's wrist is out of the cast on Friday.",
            "a: Hello.\nu: Dad's wrist is so much better now.",
        ),
        (
            "it",
            "Venerdì ho la visita dal dottor Bassi.",
            "a: Sì?\nu: Sono stata dal dottor Bassi per la visita.",
        ),
    ],
)
def test_a_plan_whose_day_had_passed_when_it_was_spoken_of_is_over(
    call: Call, language: str, plan: str, text: str
) -> None:
    visit = EarlierThread(4, "plan", "user", f'"{plan}"', date(2026, 11, 13))

    found = digest(call(text), timezone=BERLIN, language=language, open_before=(visit,))

    assert (found.closes, found.follow_ups) == ((4,), ())


@pytest.mark.parametrize(
    ("language", "thread", "text"),
    [
        ("en", "i'll get new shoes this weekend", "a: And sleep?\nu: bad i'm on a new project at work"),
        ("en", "i'll ring my brother this weekend", "a: Hello.\nu: my sister rang me this weekend"),
        ("de", "ich kaufe am wochenende neue schuhe", "a: Hallo.\nu: ich hab eine neue stelle in kiel"),
        ("it", "Porto gli occhiali a riparare venerdì.", "a: E il modulo?\nu: Lo porto lunedì."),
    ],
)
def test_what_many_matters_share_follows_nothing_up(
    followed: Followed, language: str, thread: str, text: str
) -> None:
    known = EarlierThread(1, "plan", "user", f'"{thread}"', date(2026, 11, 15))

    assert followed(text, known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "thread", "text"),
    [
        ("en", "I'll check the back wheel of the bike.", "u: It cost sixty.\na: I'll check that with Dan."),
        ("de", "Ich prüfe das Hinterrad vom Fahrrad.", "u: Es waren sechzig.\na: Das prüfe ich mit Dan."),
        ("fr", "Je vérifie la roue arrière du vélo.", "u: C'était soixante.\na: Je vérifie ça avec Dan."),
        ("es", "Reviso la rueda de la bici.", "u: Fueron sesenta.\na: Lo reviso con Dani."),
        ("it", "Controllo la ruota della bici.", "u: Erano sessanta.\na: Lo controllo con Dani."),
        ("nl", "Ik controleer het wiel van de fiets.", "u: Het was zestig.\na: Dat controleer ik met Dan."),
        ("pt", "Verifico a roda da bicicleta.", "u: Foram sessenta.\na: Verifico isso com o Dani."),
    ],
)
def test_what_the_agent_promises_of_what_was_just_said_follows_no_other_matter_up(
    followed: Followed, language: str, thread: str, text: str
) -> None:
    known = EarlierThread(1, "promise", "agent", f'"{thread}"')

    assert followed(text, known, language=language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Make it Tuesday."),
        ("de", "Lieber Dienstag."),
        ("fr", "Plutôt mardi."),
        ("es", "Mejor el martes."),
        ("it", "Meglio martedì."),
        ("nl", "Doe maar dinsdag."),
        ("pt", "Antes na terça."),
    ],
)
def test_a_weekday_said_on_that_weekday_is_not_today(followed: Followed, language: str, said: str) -> None:
    today = EarlierThread(1, "plan", "user", '"Biscuit, vet."', date(2026, 11, 17))

    assert followed(f"a: .\nu: {said}", today, language=language) == ()


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "Please remind me to buy milk.", "Please remind me to buy bread."),
        ("de", "Erinnern Sie mich bitte, Milch zu kaufen.", "Erinnern Sie mich bitte, Brot zu kaufen."),
        ("es", "Recuérdeme comprar leche, por favor.", "Recuérdeme comprar pan, por favor."),
        ("fr", "Rappelez-moi d'acheter du lait.", "Rappelez-moi d'acheter du pain."),
        ("it", "Mi ricordi di comprare il latte.", "Mi ricordi di comprare il pane."),
        ("nl", "Herinner me eraan melk te kopen.", "Herinner me eraan brood te kopen."),
        ("pt", "Lembre-me de comprar leite.", "Lembre-me de comprar pão."),
    ],
)
def test_another_request_tells_nothing_of_the_first(
    followed: Followed, language: str, known: str, said: str
) -> None:
    milk = EarlierThread(4, "request", "user", f'"{known}"')

    assert followed(f"a: Ja?\nu: {said}\na: Ok.", milk, language=language) == ()


COUNTED = {
    "en": ("We need thirty rolls for Friday.", "It's thirty-five after all, the crèche wants some too."),
    "de": (
        "Wir brauchen dreißig Brötchen für Freitag.",
        "Es sind doch fünfunddreißig, die Krippe will auch.",
    ),
    "es": ("Necesitamos treinta panes para el viernes.", "Al final son cuarenta, los niños también."),
    "fr": ("Il nous faut trente pains pour vendredi.", "Finalement c'est quarante, la crèche aussi."),
    "it": ("Ci servono trenta panini per venerdì.", "Alla fine sono quaranta, anche il nido li vuole."),
    "nl": ("We hebben dertig broodjes nodig voor vrijdag.", "Het zijn er toch veertig, de crèche wil ook."),
    "pt": ("Precisamos de trinta pães para sexta.", "Afinal são quarenta, a creche também quer."),
}


@pytest.mark.parametrize("language", COUNTED)
def test_another_number_of_it_is_told_beside_it(followed: Followed, language: str) -> None:
    known, said = COUNTED[language]
    order = EarlierThread(1, "plan", "user", f'"{known}"', date(2026, 11, 20))
    (one,) = followed(f"a: Hallo.\nu: {said}\na: OK.", order, language=language)
    assert one.thread == 1
    assert said.partition(",")[0] in one.text


@pytest.mark.parametrize("said", ["It's forty miles after all.", "It's raining after all."])
def test_a_number_of_something_else_is_not(followed: Followed, said: str) -> None:
    order = EarlierThread(1, "plan", "user", '"We need thirty rolls for Friday."', date(2026, 11, 20))
    assert followed(f"a: Hello.\nu: {said}\na: OK.", order) == ()
