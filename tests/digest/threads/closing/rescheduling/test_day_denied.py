"""A plan whose day the agent asks after is off where the user names another."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")
THAT_FRIDAY, FIRST = date(2026, 11, 27), date(2026, 12, 1)  # calls are on Tuesday 17 November 2026

COLLECTING = {
    "en": ('"I\'d pick it up on the Friday." – "So Friday the 27th."', "Still collecting on the Friday?",
           "No, can I change that? My brother will come for it on Saturday morning."),
    "de": ('"Ich würde sie am Freitag abholen." – "Also Freitag, der 27."', "Bleibt es beim Freitag?",
           "Nein, kann ich das ändern? Mein Bruder holt sie am Samstagvormittag."),
    "es": ('"La recogería el viernes." – "Entonces el viernes 27."', "¿La recoge el viernes?",
           "No, ¿lo puedo cambiar? Viene mi hermano a por ella el sábado por la mañana."),
    "fr": ('"Je viendrais le chercher le vendredi." – "Donc vendredi 27."', "Toujours le vendredi ?",
           "Non, je peux changer ? Mon frère viendra le chercher samedi matin."),
    "it": ('"La ritirerei venerdì." – "Allora venerdì 27."', "La ritira sempre venerdì?",
           "No, posso cambiare? Viene mio fratello a prenderla sabato mattina."),
    "pt": ('"Levantava-o na sexta." – "Então sexta, dia 27."', "Levanta na sexta na mesma?",
           "Não, posso mudar? O meu irmão vem buscá-lo no sábado de manhã."),
    "nl": ('"Ik zou hem vrijdag ophalen." – "Dus vrijdag de 27e."', "Nog steeds vrijdag ophalen?",
           "Nee, kan dat anders? Mijn broer komt hem zaterdagochtend halen."),
}  # fmt: skip
SOONER = {
    "en": ('"Can we make it the first of December?" – "The first of December it is."',
           "i've been thinking about that date i don't think i need to wait let's say it's this sunday",
           "Sunday the twenty-second, then."),
    "de": ('"Können wir den ersten Dezember nehmen?" – "Dann der erste Dezember."',
           "ich hab noch mal überlegt ich brauch gar nicht so lange warten sagen wir diesen sonntag",
           "Sonntag, der zweiundzwanzigste, also."),
    "es": ('"¿Lo dejamos para el uno de diciembre?" – "El uno de diciembre, entonces."',
           "he estado pensando en esa fecha no hace falta esperar digamos este domingo",
           "El domingo veintidós, entonces."),
}  # fmt: skip

VISIT = {
    "en": ('"Is your son coming on Sunday?" – "He\'s coming on Friday."', "Is everything ready for Friday?",
           "Oh no, my son has the flu, they're coming next week, on Wednesday.",
           "No, not yet. My sister's coming over on Wednesday."),
    "de": ('"Kommt Ihr Sohn am Sonntag?" – "Er kommt am Freitag."', "Und für Freitag ist alles bereit?",
           "Ach nein, mein Sohn hat die Grippe, die kommen nächste Woche, am Mittwoch.",
           "Ach nein, aber meine Schwester kommt am Mittwoch."),
    "es": ('"¿Viene su hijo el domingo?" – "Viene el viernes."', "¿Y para el viernes está todo listo?",
           "Ay no, mi hijo tiene gripe, vienen la semana que viene, el miércoles.",
           "Ay no, pero mi hermana viene el miércoles."),
    "fr": ('"Votre fils vient dimanche ?" – "Il vient vendredi."', "Et vendredi, tout est prêt ?",
           "Ah non, mon fils a la grippe, ils viendront la semaine prochaine, mercredi.",
           "Ah non, mais ma sœur vient mercredi."),
    "it": ('"Suo figlio viene domenica?" – "Viene venerdì."', "E per venerdì è tutto pronto?",
           "Ah no, mio figlio ha l'influenza, vengono la settimana prossima, mercoledì.",
           "Ah no, ma mia sorella viene mercoledì."),
    "pt": ('"O seu filho vem no domingo?" – "Vem na sexta."', "E para sexta está tudo pronto?",
           "Ah não, o meu filho está com gripe, vêm na semana que vem, na quarta.",
           "Ah não, mas a minha irmã vem na quarta."),
    "nl": ('"Komt uw zoon zondag?" – "Hij komt vrijdag."', "En is alles klaar voor vrijdag?",
           "Ach nee, mijn zoon heeft griep, ze komen volgende week, woensdag.",
           "Ach nee. Mijn zus komt woensdag."),
}  # fmt: skip

AS_PLANNED = {
    "en": ("i'm off to vienna on the twentieth", "and you're going on friday as planned",
           "no i'm not going till saturday the trains are on strike", "yes and on saturday it's the party"),
    "de": ("ich fahr am zwanzigsten nach wien", "sie fahren wie geplant am freitag",
           "nee ich fahr erst am samstag die bahn streikt", "ja genau und am samstag ist die feier"),
    "es": ("el veinte me voy a viena", "se va el viernes como estaba previsto",
           "no me voy el sábado hay huelga de trenes", "sí y el sábado es la fiesta"),
    "fr": ("je pars à vienne le vingt", "vous y allez vendredi comme prévu",
           "non je pars samedi les trains sont en grève", "oui et samedi c'est la fête"),
    "it": ("il venti parto per vienna", "parte venerdì come previsto",
           "no parto sabato c'è lo sciopero dei treni", "sì e sabato c'è la festa"),
    "nl": ("ik ga de twintigste naar wenen", "u gaat vrijdag zoals gepland",
           "nee ik ga pas zaterdag de treinen staken", "ja en zaterdag is het feest"),
    "pt": ("no dia vinte vou a viena", "vai na sexta como previsto",
           "não vou no sábado os comboios estão em greve", "sim e no sábado é a festa"),
}  # fmt: skip


def _closed(call: Call, language: str, text: str, lines: str, due: date = THAT_FRIDAY) -> bool:
    known = EarlierThread(1, "plan", "agent", text, due, text)
    return thread_changes(call(lines), language, BERLIN, open_before=(known,)).closes == (1,)


@pytest.mark.parametrize("language", COLLECTING)
def test_a_plan_whose_day_is_denied_is_off(call: Call, language: str) -> None:
    text, asked, said = COLLECTING[language]

    assert _closed(call, language, text, f"a: {asked}\nu: {said}\na: –")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Still collecting on the Friday?", "Yes, that's fine. My sister's coming on Saturday."),
        ("Still collecting on the Monday?", "No, on Saturday."),
        ("Have you packed the cake tins for Friday?", "No, I'll do it on Saturday."),
        ("Are you free on Friday?", "No, on Saturday."),
    ],
)
def test_another_day_or_matter_leaves_it_on(call: Call, asked: str, said: str) -> None:
    assert not _closed(call, "en", COLLECTING["en"][0], f"a: {asked}\nu: {said}\na: –")


@pytest.mark.parametrize("language", VISIT)
def test_who_comes_on_another_day_does_not_come_on_the_one_asked_after(call: Call, language: str) -> None:
    text, asked, said, _ = VISIT[language]

    assert _closed(call, language, text, f"a: {asked}\nu: {said}\na: –", date(2026, 11, 20))


@pytest.mark.parametrize("language", VISIT)
def test_another_who_comes_leaves_it_on(call: Call, language: str) -> None:
    text, asked, _, said = VISIT[language]

    assert not _closed(call, language, text, f"a: {asked}\nu: {said}\na: –", date(2026, 11, 20))


@pytest.mark.parametrize("language", SOONER)
def test_who_need_not_wait_so_long_takes_another_day_instead(call: Call, language: str) -> None:
    text, said, answer = SOONER[language]

    assert _closed(call, language, text, f"u: {said}\na: {answer}\nu: –", FIRST)


def test_who_wants_a_second_visit_keeps_the_first(call: Call) -> None:
    said = (
        "u: Could I have a second one as well, say this Sunday?\na: Sunday the twenty-second, then.\nu: Yes."
    )

    assert not _closed(call, "en", SOONER["en"][0], said, FIRST)


@pytest.mark.parametrize("language", AS_PLANNED)
def test_a_plan_that_goes_not_as_planned_is_off_where_nobody_punctuates(call: Call, language: str) -> None:
    text, asked, said, _ = AS_PLANNED[language]

    assert _closed(call, language, text, f"a: {asked}\nu: {said}\na: –", date(2026, 11, 20))


@pytest.mark.parametrize("language", AS_PLANNED)
def test_a_plan_that_goes_as_planned_stays(call: Call, language: str) -> None:
    text, asked, _, said = AS_PLANNED[language]

    assert not _closed(call, language, text, f"a: {asked}\nu: {said}\na: –", date(2026, 11, 20))
