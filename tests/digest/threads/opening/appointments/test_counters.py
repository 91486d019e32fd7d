"""Who asks for another time, and says why the one offered will not do, has neither of the two for a plan."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "offer", "reason", "hour", "granted"),
    [
        (
            "en",
            "Can you come Thursday at nine?",
            "Thursday I drop the kids off at nine.",
            "Half past nine?",
            "That works.",
        ),
        (
            "de",
            "Können Sie Donnerstag um neun kommen?",
            "Donnerstag bringe ich um neun die Kinder weg.",
            "Halb zehn?",
            "Das geht.",
        ),
        (
            "es",
            "¿Puede venir el jueves a las nueve?",
            "El jueves dejo a los niños a las nueve.",
            "¿A las nueve y media?",
            "Vale.",
        ),
        (
            "fr",
            "Vous pouvez passer jeudi à 9 heures ?",
            "Jeudi je dépose les enfants à 9 heures.",
            "9 heures et demie ?",
            "Ça marche.",
        ),
        (
            "it",
            "Può passare giovedì alle nove?",
            "Giovedì alle nove porto i bambini.",
            "Alle nove e mezza?",
            "Va bene.",
        ),
        ("pt", "Pode vir quinta às nove?", "Quinta deixo os miúdos às nove.", "Nove e meia?", "Pode ser."),
        (
            "nl",
            "Kunt u donderdag om negen uur?",
            "Donderdag breng ik om negen uur de kinderen weg.",
            "Half tien?",
            "Dat kan.",
        ),
    ],
)
def test_the_hour_asked_for_behind_a_reason_is_agreed_on(
    opened: Opened, language: str, offer: str, reason: str, hour: str, granted: str
) -> None:
    (thread,) = opened(f"a: {offer}\nu: {reason} {hour}\na: {granted}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 19))
    assert thread.text == f'"{offer}" – "{hour}"'


@pytest.mark.parametrize(
    ("language", "offer", "reason", "wish", "agreed", "yes"),
    [
        (
            "en",
            "I could fit you in tomorrow at three.",
            "Tomorrow I'm working till six.",
            "Thursday morning?",
            "Thursday at nine.",
            "Done.",
        ),
        (
            "de",
            "Ich hätte morgen um drei was.",
            "Morgen arbeite ich bis sechs.",
            "Donnerstag früh?",
            "Donnerstag um neun.",
            "Passt.",
        ),
        (
            "es",
            "Le puedo hacer un hueco mañana a las tres.",
            "Mañana trabajo hasta las seis.",
            "¿El jueves por la mañana?",
            "El jueves a las nueve.",
            "Vale.",
        ),
        (
            "fr",
            "J'ai une place demain à trois heures.",
            "Demain je travaille jusqu'à six heures.",
            "Jeudi matin ?",
            "Jeudi à neuf heures.",
            "D'accord.",
        ),
        (
            "it",
            "Ho posto domani alle tre.",
            "Domani lavoro fino alle sei.",
            "Giovedì mattina?",
            "Giovedì alle nove.",
            "Va bene.",
        ),
        (
            "pt",
            "Posso encaixar amanhã às três.",
            "Amanhã eu trabalho até as seis.",
            "Quinta de manhã?",
            "Quinta às nove.",
            "Combinado.",
        ),
        (
            "nl",
            "Morgen om drie uur heb ik plek.",
            "Morgen werk ik tot zes uur.",
            "Donderdagochtend?",
            "Donderdag om negen uur.",
            "Prima.",
        ),
    ],
)
def test_a_reason_why_a_day_will_not_do_is_no_plan(
    opened: Opened, language: str, offer: str, reason: str, wish: str, agreed: str, yes: str
) -> None:
    (thread,) = opened(f"a: {offer}\nu: {reason} {wish}\na: {agreed}\nu: {yes}", language)

    assert thread.due == date(2026, 11, 19)


@pytest.mark.parametrize(
    ("language", "offer", "reply", "agreed", "yes"),
    [
        (
            "en",
            "okay i'll come round this afternoon at four",
            "we close early today um tomorrow morning",
            "tomorrow at half nine",
            "yes better",
        ),
        (
            "de",
            "ich komme heute nachmittag um vier vorbei",
            "um vier da machen wir heute früher zu äh morgen früh",
            "morgen um halb zehn",
            "ja besser",
        ),
        (
            "es",
            "paso hoy a las cuatro",
            "a las cuatro ya cerramos eh mañana por la mañana",
            "mañana a las nueve y media",
            "sí mejor",
        ),
        (
            "fr",
            "je passe cet après-midi à quatre heures",
            "à quatre heures on ferme euh demain matin",
            "demain à neuf heures et demie",
            "oui c'est mieux",
        ),
        (
            "it",
            "allora passo io oggi pomeriggio alle quattro",
            "alle quattro chiudiamo presto oggi ehm domani mattina",
            "domani alle nove e mezza",
            "sì meglio",
        ),
        (
            "pt",
            "eu passo aí hoje às quatro",
            "às quatro a gente já fechou amanhã de manhã",
            "amanhã às nove e meia",
            "isso melhor",
        ),
        (
            "nl",
            "dan kom ik vanmiddag om vier uur",
            "vanmiddag gaan we vroeg dicht eh morgenochtend",
            "morgen om half tien",
            "ja beter",
        ),
    ],
)
def test_a_visit_for_which_another_time_is_agreed_on_is_promised_no_more(
    opened: Opened, language: str, offer: str, reply: str, agreed: str, yes: str
) -> None:
    (thread,) = opened(f"a: {offer}\nu: {reply}\na: {agreed}\nu: {yes}", language)

    assert thread.kind == "plan"
    assert thread.due == date(2026, 11, 18)
    assert agreed in thread.text


@pytest.mark.parametrize(
    ("language", "offer", "reply", "granted"),
    [
        ("en", "saturday at three", "three no i've got hockey five", "five is fine"),
        ("de", "samstag um drei", "drei hm nee da hab ich hockey äh fünf uhr", "fünf uhr ist gut"),
        ("es", "el sábado a las tres", "a las tres no tengo partido a las cinco", "a las cinco vale"),
        (
            "fr",
            "samedi à trois heures",
            "trois heures non j'ai hockey euh cinq heures",
            "cinq heures d'accord",
        ),
        ("it", "sabato alle tre", "alle tre no ho la partita alle cinque", "alle cinque va bene"),
        ("pt", "sábado às três", "às três não eu jogo bola às cinco", "às cinco tá bom"),
        (
            "nl",
            "kan het zaterdag\na: zaterdag eh om drie uur",
            "drie uur hm nee dan heb ik hockey eh vijf uur",
            "vijf uur is goed",
        ),
    ],
)
def test_an_hour_behind_a_reason_that_nobody_punctuated_is_agreed_on(
    opened: Opened, language: str, offer: str, reply: str, granted: str
) -> None:
    offered = f"u: {offer}" if language == "nl" else f"a: {offer}"
    (thread,) = opened(f"{offered}\nu: {reply}\na: {granted}", language)

    assert thread.due == date(2026, 11, 21)
    assert any(hour in thread.text for hour in ("five", "fünf", "cinco", "cinq", "cinque", "vijf"))


@pytest.mark.parametrize(
    ("language", "offer", "reply"),
    [
        ("en", "i can send it again tomorrow", "tomorrow no i'll pick it up at the shop"),
        ("es", "lo puedo mandar mañana otra vez", "mañana no mejor lo recojo en la tienda"),
        ("fr", "je peux le renvoyer demain", "demain non je vais le chercher au magasin"),
        ("it", "posso rimandarlo domani", "domani no lo ritiro in negozio"),
        ("nl", "ik kan het morgen weer sturen", "morgen niet ik haal het wel in de winkel"),
        ("pt", "posso enviar amanhã outra vez", "amanhã não eu vou é buscar à loja"),
    ],
)
def test_nothing_is_due_on_a_day_that_is_declined(
    opened: Opened, language: str, offer: str, reply: str
) -> None:
    assert [thread.due for thread in opened(f"a: {offer}\nu: {reply}\na: ok", language) if thread.due] == []


def test_the_day_that_the_answer_names_counts(opened: Opened) -> None:
    (thread,) = opened(
        "a: samedi à dix heures\nu: samedi il a judo plutôt dimanche ou mercredi\n"
        "a: mercredi vingt-cinq à seize heures\nu: parfait",
        "fr",
    )

    assert thread.due == date(2026, 11, 25)
