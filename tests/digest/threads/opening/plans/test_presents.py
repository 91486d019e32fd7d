"""What is told in plain present of one day ahead is a plan."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
TODAY = date(2026, 11, 17)
THURSDAY, FRIDAY, SUNDAY, MONDAY = (date(2026, 11, day) for day in (19, 20, 22, 23))
CHRISTMAS = date(2026, 12, 25)


@pytest.mark.parametrize(
    ("language", "said", "due"),
    [
        ("en", "I'm talking to my boss on Monday.", MONDAY),
        ("en", "i'm ringing the council on monday", MONDAY),
        ("de", "Ich spreche sie am Montag an.", MONDAY),
        ("de", "am montag red ich mit meiner chefin", MONDAY),
        ("de", "Wir essen am Sonntag bei meiner Schwester.", SUNDAY),
        ("es", "el lunes hablo con mi jefa", MONDAY),
        ("es", "El domingo comemos en casa de mi hermana.", SUNDAY),
        ("fr", "je parle à ma chef lundi", MONDAY),
        ("fr", "Dimanche on mange chez ma sœur.", SUNDAY),
        ("it", "Lunedì parlo con il mio capo.", MONDAY),
        ("it", "domenica mangiamo da mia sorella", SUNDAY),
        ("pt", "na segunda falo com a minha chefe", MONDAY),
        ("nl", "Ik maak zondag de samenvatting.", SUNDAY),
        ("nl", "ik doe zondag boodschappen", SUNDAY),
        ("nl", "maandag praat ik met mijn baas", MONDAY),
        ("nl", "Het tentamen is op 2 december.", date(2026, 12, 2)),
    ],
)
def test_what_somebody_does_on_a_day_is_a_plan(opened: Opened, language: str, said: str, due: date) -> None:
    (thread,) = opened(f"u: {said}", language)

    assert (thread.kind, thread.said_by, thread.text, thread.due) == ("plan", "user", f'"{said}"', due)


@pytest.mark.parametrize(
    ("language", "said", "due"),
    [
        ("en", "my sister comes on thursday", THURSDAY),
        ("en", "My brother gets here on Friday.", FRIDAY),
        ("en", "my son's bringing soup tonight", TODAY),
        ("en", "they're coming for christmas", CHRISTMAS),
        ("de", "er kommt am sonntag", SUNDAY),
        ("de", "Dann kommt er am Sonntag.", SUNDAY),
        ("de", "mein sohn bringt heute abend suppe", TODAY),
        ("de", "Meine Schwester kommt zu Weihnachten.", CHRISTMAS),
        ("de", "mein sohn kommt doch nicht der ist krank er kommt dann am ersten advent", date(2026, 11, 29)),
        ("de", "am zwölften dezember an einem samstag kommen meine eltern", date(2026, 12, 12)),
        ("es", "viene el domingo", SUNDAY),
        ("es", "mi hijo trae sopa esta noche", TODAY),
        ("es", "en navidad vamos a casa de mi hijo", CHRISTMAS),
        ("fr", "elle vient dimanche avec les petits elle habite à nantes maintenant", SUNDAY),
        ("fr", "Mon fils apporte de la soupe ce soir.", TODAY),
        ("fr", "Elle viendra à Noël.", CHRISTMAS),
        ("it", "viene domenica", SUNDAY),
        ("it", "A Natale andiamo da mio figlio.", CHRISTMAS),
        ("pt", "vem no domingo", SUNDAY),
        ("pt", "no natal vamos a casa do meu filho", CHRISTMAS),
        ("nl", "Hij komt zondag.", SUNDAY),
        ("nl", "met kerst gaan we naar mijn zoon", CHRISTMAS),
    ],
)
def test_a_visit_is_a_plan(opened: Opened, language: str, said: str, due: date) -> None:
    (thread,) = opened(f"u: {said}", language)

    assert (thread.kind, thread.said_by, thread.due) == ("plan", "user", due)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I do the windows on Saturdays."),
        ("en", "i'm ringing about the delivery on friday"),
        ("en", "I'm calling to ask whether you're open on Sunday."),
        ("en", "if my sister comes on thursday i'm happy"),
        ("en", "my sister came on thursday"),
        ("en", "You said he comes on Friday."),
        ("en", "we had a lovely christmas"),
        ("en", "We're at my sister's for Christmas if she's well."),
        ("de", "ich putze samstags die fenster"),
        ("de", "Ich wünsche Ihnen einen schönen Montag."),
        ("de", "Ich rufe an, weil am Montag keiner da war."),
        ("de", "ich suche die rechnung vom montag"),
        ("de", "Am Samstag wollte ich eigentlich kommen."),
        ("de", "wir sind an weihnachten immer allein"),
        ("es", "los sábados pinto"),
        ("es", "Le deseo un feliz lunes."),
        ("es", "Habló el lunes con mi jefa."),
        ("es", "el lunes me viene bien"),
        ("es", "la semana que viene el lunes"),
        ("fr", "le samedi je fais les vitres"),
        ("fr", "joyeux noël"),
        ("fr", "Je faisais les courses samedi."),
        ("fr", "je pense que lundi c'est fermé"),
        ("it", "il sabato vedo mia sorella"),
        ("it", "Domenica abbiamo mangiato da mia sorella."),
        ("pt", "às segundas nado"),
        ("pt", "Na segunda passada falei com ela."),
        ("nl", "ik doe altijd zaterdag boodschappen"),
        ("nl", "als het lukt gaan we met kerst naar mijn zoon"),
        ("nl", "ik maakte zondag een fout"),
        ("nl", "Ik lees de krant van dinsdag."),
        ("nl", "we aten zondag bij mijn zus"),
    ],
)
def test_a_habit_a_reason_to_call_and_what_is_over_are_none(opened: Opened, language: str, said: str) -> None:
    assert opened(f"u: {said}", language) == ()


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "Any plans for today?", "My granddaughter Lucy is coming at four."),
        ("de", "Was haben Sie heute vor?", "Meine Enkelin kommt um vier."),
        ("es", "¿Tiene planes para hoy?", "Viene mi nieta a las cuatro."),
        ("fr", "Des projets pour aujourd'hui ?", "Ma petite-fille vient à seize heures."),
        ("it", "Ha programmi per oggi?", "Viene mia nipote alle quattro."),
        ("pt", "Tem planos para hoje?", "Vem a minha neta às quatro."),
        ("nl", "Heeft u plannen voor vandaag?", "Mijn kleindochter komt om vier uur."),
    ],
)
def test_the_question_names_the_day(opened: Opened, language: str, asked: str, said: str) -> None:
    (thread,) = opened(f"a: {asked}\nu: {said}", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{asked}" – "{said}"', TODAY)


@pytest.mark.parametrize(
    ("language", "offered", "said"),
    [
        ("en", "from four today", "okay i'll come about five then"),
        ("de", "heute ab sechzehn uhr", "okay ich komm dann so um fünf"),
        ("es", "hoy a partir de las cuatro", "vale voy sobre las cinco"),
        ("fr", "à partir de seize heures", "d'accord je viens vers dix-sept heures"),
        ("it", "oggi dalle quattro", "va bene vengo verso le cinque"),
        ("pt", "hoje a partir das quatro", "está bem vou por volta das cinco"),
        ("nl", "Dan kunt u vanmiddag om drie uur komen.", "Ik kom om drie uur."),
    ],
)
def test_the_hour_at_which_one_will_come_is_of_the_day_that_was_offered(
    opened: Opened, language: str, offered: str, said: str
) -> None:
    (thread,) = opened(f"a: {offered}\nu: {said}", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{offered}" – "{said}"', TODAY)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Could you come at four?", "I'll come at six."),
        ("We open at nine.", "I'll come at nine."),
        ("We're full today.", "I'll come at six."),
    ],
)
def test_an_hour_of_nobody_knows_which_day_is_none(opened: Opened, asked: str, said: str) -> None:
    assert opened(f"a: {asked}\nu: {said}") == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Tom can't make it on Saturday. He's coming next weekend now."),
        ("de", "Tom kann am Samstag doch nicht. Er kommt jetzt am nächsten Wochenende."),
        ("es", "Tom no puede el sábado. Viene el próximo fin de semana."),
        ("fr", "Tom ne peut pas samedi. Il vient le week-end prochain."),
        ("nl", "Tom kan zaterdag niet. Hij komt volgend weekend."),
        ("pt", "O Tom não pode no sábado. Vem no próximo fim de semana."),
    ],
)
def test_who_comes_next_weekend_instead_of_this_one_comes_then(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"u: {said}\na: ok", language)

    assert thread.kind == "plan"


@pytest.mark.parametrize(
    ("language", "window", "minded", "said"),
    [
        (
            "en",
            "I can come tomorrow between eight and ten.",
            "I have to leave at nine.",
            "I'll be there at eight then.",
        ),
        (
            "de",
            "Ich kann morgen zwischen acht und zehn kommen.",
            "Um neun muss ich weg.",
            "Dann bin ich um acht da.",
        ),
        (
            "es",
            "Puedo ir mañana entre las ocho y las diez.",
            "A las nueve me voy.",
            "Entonces estaré ahí a las ocho.",
        ),
        (
            "fr",
            "Je peux passer demain entre huit et dix heures.",
            "Je pars à neuf heures.",
            "Je serai là à huit heures.",
        ),
        ("it", "Posso venire domani tra le otto e le dieci.", "Alle nove esco.", "Allora vengo alle otto."),
        (
            "nl",
            "Ik kan morgen tussen acht en tien uur komen.",
            "Om negen uur moet ik weg.",
            "Dan ben ik er om acht uur.",
        ),
        ("pt", "Posso ir amanhã entre as oito e as dez.", "Às nove saio.", "Então estou aí às oito."),
    ],
)
def test_who_offers_hours_of_a_day_comes_at_the_one_that_is_left(
    opened: Opened, language: str, window: str, minded: str, said: str
) -> None:
    (thread,) = opened(f"a: .\nu: .\na: {window}\nu: {minded}\na: {said}\nu: .", language)

    assert (thread.kind, thread.said_by, thread.due) == ("plan", "agent", date(2026, 11, 18))


def test_opening_hours_bring_nobody(opened: Opened) -> None:
    open_hours = (
        "a: We're open tomorrow between eight and ten.\nu: I leave at nine.\na: I'll be there at eight."
    )

    assert opened(f"a: .\nu: .\n{open_hours}\nu: .") == ()
