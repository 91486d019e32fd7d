"""What somebody takes on is open, in whatever words, and told with what it is about."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
THURSDAY, FRIDAY, WEDNESDAY = date(2026, 11, 19), date(2026, 11, 20), date(2026, 11, 18)


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("de", "u: Welchen Zug nehm ich?\na: Das sage ich Ihnen am Freitag.", FRIDAY),
        ("de", "u: Ich brauche Flüge.\na: Ich suche Ihnen welche raus und schicke sie morgen.", WEDNESDAY),
        ("de", "u: der nachbar macht lärm\na: ich rede mit ihm", None),
        ("de", "u: der techniker ist nie gekommen\na: ich kümmere mich sofort darum", None),
        ("es", "u: el técnico no vino\na: lo siento me ocupo ahora mismo", None),
        ("fr", "u: le technicien n'est pas venu\na: je m'en occupe tout de suite", None),
        ("it", "u: il tecnico non è venuto\na: ci penso io subito", None),
        ("en", "u: the engineer never turned up\na: oh no i'll get on to them straight away", None),
        ("en", "u: where's my new card\na: it comes within five working days", None),
        ("en", "u: I drove a milk float.\na: I'll look up a song from those days for next time.", None),
        ("es", "u: ¿Cuánto cuesta?\na: El jueves le digo.", THURSDAY),
        ("es", "u: ¿Dónde compro un bastón?\na: Mañana le digo dónde.", WEDNESDAY),
        ("es", "u: ¿Cuánto cuesta?\na: El viernes le cuento.", FRIDAY),
        ("fr", "u: Combien ça coûte ?\na: Je vous dis ça vendredi.", FRIDAY),
        ("fr", "u: Combien ça coûte ?\na: Je vous le dis jeudi.", THURSDAY),
        ("fr", "u: ma femme est allergique aux noix\na: je préviens la cuisine", None),
        ("it", "u: Che treno prendo?\na: Glielo trovo per venerdì.", FRIDAY),
        ("it", "u: mia moglie è allergica ai crostacei\na: lo dico in cucina", None),
        ("es", "u: ¿pueden mirar también las ruedas?\na: sí lo hacemos", None),
        ("fr", "u: vous pouvez regarder les pneus aussi\na: oui on fait ça", None),
        ("it", "u: potete guardare anche le gomme\na: sì lo facciamo", None),
        ("pt", "u: podem ver também os pneus\na: sim fazemos isso", None),
        ("nl", "u: willen jullie ook naar de banden kijken\na: doen we", None),
        ("nl", "u: kan ik een leenfiets krijgen\na: ja die zetten we voor je klaar", None),
        ("pt", "u: queria alugar um lugar\na: Digo-lhe alguma coisa até sexta.", FRIDAY),
    ],
)
def test_the_agent_takes_something_on(opened: Opened, language: str, text: str, due: date | None) -> None:
    (one,) = opened(text, language)
    assert (one.kind, one.said_by, one.due) == ("promise", "agent", due)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: i'll give you my scone recipe next time"),
        ("it", "u: la prossima volta le do la ricetta"),
        ("fr", "a: Vous avez acheté le pilulier ?\nu: pas encore je l'achète ce week-end"),
    ],
)
def test_the_caller_takes_something_on(opened: Opened, language: str, text: str) -> None:
    (one,) = opened(text, language)
    assert (one.kind, one.said_by) == ("promise", "user")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "u: Wie war es?\na: Das sage ich Ihnen ganz ehrlich: schön."),
        ("es", "u: ¿Y su nieta?\na: El viernes le cuento un cuento a mi nieta."),
        ("fr", "u: Bonjour ?\na: Je vous téléphone pour la facture."),
        ("it", "u: Pronto?\na: Le telefono per la fattura."),
        ("nl", "u: Snoeien jullie?\na: Dat doen we nooit."),
        ("nl", "u: fijne dag\na: doen we"),
        ("pt", "u: Então?\na: Digo-lhe uma coisa: está frio."),
    ],
)
def test_who_only_says_so_takes_nothing_on(opened: Opened, language: str, text: str) -> None:
    assert not opened(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: hi\na: I'll call the lab today and let you know as soon as I hear."),
        ("de", "u: hallo\na: Ich rufe heute im Labor an und melde mich, sobald ich etwas weiß."),
        ("nl", "u: hallo\na: Ik bel vandaag het lab en bel u zodra ik iets weet."),
    ],
)
def test_what_waits_for_an_answer_alone_keeps_its_day(opened: Opened, language: str, text: str) -> None:
    (one,) = opened(text, language)
    assert one.due == date(2026, 11, 17)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: hi\na: Wednesday afternoon, then. He'll ring you half an hour before."),
        ("de", "u: hallo\na: Mittwoch Nachmittag, dann. Er ruft eine halbe Stunde vorher an."),
        ("it", "u: pronto\na: Mercoledì pomeriggio, allora. La chiama mezz'ora prima."),
    ],
)
def test_what_comes_before_an_appointment_is_due_on_its_day(opened: Opened, language: str, text: str) -> None:
    assert opened(text, language)[-1].due == WEDNESDAY


@pytest.mark.parametrize(
    ("language", "text", "promised"),
    [
        ("en", "a: Today at five?\nu: Yes. I'll bring his diary.", '"I\'ll bring his diary."'),
        ("de", "a: Heute um fünf?\nu: Ja. Ich bringe sein Tagebuch mit.", '"Ich bringe sein Tagebuch mit."'),
        ("nl", "a: Vandaag om vijf uur?\nu: Ja. Ik neem zijn dagboek mee.", '"Ik neem zijn dagboek mee."'),
    ],
)
def test_what_is_promised_beside_an_appointment_is_a_matter_of_its_own(
    opened: Opened, language: str, text: str, promised: str
) -> None:
    plan, promise = opened(text, language)
    assert (plan.kind, promise.kind, promise.text) == ("plan", "promise", promised)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "the engineer comes this afternoon"),
        ("de", "der techniker kommt heute nachmittag"),
        ("es", "el técnico pasa esta tarde"),
        ("fr", "le technicien passe cet après-midi"),
        ("it", "il tecnico passa questo pomeriggio"),
        ("pt", "o técnico passa esta tarde"),
        ("nl", "dat is vervelend ik bel nu de monteur die komt vanmiddag"),
    ],
)
def test_who_comes_later_today_is_promised(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"a: {said}", language)

    assert (thread.kind, thread.said_by, thread.due) == ("promise", "agent", date(2026, 11, 17))


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("de", "ich müsste die ärztin sprechen", "sie meldet sich bis zwölf"),
        ("fr", "je dois parler au docteur", "elle vous rappelle avant midi"),
        ("de", "wo ist meine neue karte", "die kommt innerhalb von fünf werktagen mit der post"),
        ("es", "¿Dónde está mi tarjeta?", "Llega en cinco días hábiles."),
        ("fr", "Où est ma nouvelle carte ?", "Elle arrive sous cinq jours ouvrés."),
        ("it", "Dov'è la mia nuova carta?", "Arriva entro cinque giorni lavorativi."),
        ("pt", "onde está o meu novo cartão", "chega em cinco dias úteis"),
        ("nl", "Waar is mijn pas?", "Die komt binnen vijf werkdagen met de post."),
    ],
)
def test_who_will_be_in_touch_and_what_comes_by_post_is_promised(
    opened: Opened, language: str, asked: str, said: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {said}", language)

    assert (thread.kind, thread.text) == ("promise", f'"{asked}" – "{said}"')


@pytest.mark.parametrize(
    ("language", "planned", "promised"),
    [
        ("en", "My operation is on the second of December.", "Then I'll ring you on the third."),
        ("de", "Ich werde am zweiten Dezember operiert.", "Dann rufe ich Sie am dritten an."),
        ("it", "Mi operano il due dicembre.", "Allora la chiamo il tre."),
    ],
)
def test_what_is_promised_for_afterwards_is_of_its_own(
    opened: Opened, language: str, planned: str, promised: str
) -> None:
    dues = [thread.due for thread in opened(f"u: {planned}\na: {promised}", language)]

    assert dues == [date(2026, 12, 2), date(2026, 12, 3)]


def test_how_it_went_says_nothing_of_the_day_of_a_call(opened: Opened) -> None:
    (thread,) = opened("a: Le telefono giovedì per sapere com'è andata.", "it")

    assert thread.due == date(2026, 11, 19)
