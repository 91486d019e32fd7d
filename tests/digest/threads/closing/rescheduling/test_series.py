"""A series ends when it runs otherwise from now on, or no more; one week of it leaves the rest."""

from collections.abc import Callable

import pytest

from voice_server.domain.digest import EarlierThread

Closed = Callable[..., tuple[int, ...]]

LESSONS = EarlierThread(
    3, "plan", "user", '"Every Tuesday at five?" – "Yes please."', around="tennis lessons"
)


def test_a_series_gives_way_to_how_it_runs_from_now_on(closed: Closed) -> None:
    text = "u: Could we do Tuesdays at six from now on?\na: Yes, Tuesdays at six."

    assert closed(text, LESSONS) == (3,)


def test_a_series_stays_beside_the_day_of_one_week(closed: Closed) -> None:
    text = "u: Just next week, could I come on Wednesday instead of Tuesday?\na: Yes, Wednesday at five."

    assert closed(text, LESSONS) == ()


def test_a_series_stays_beside_one_more(closed: Closed) -> None:
    text = "u: Could I have every Thursday at five as well?\na: Yes, every Thursday at five."

    assert closed(text, LESSONS) == ()


@pytest.mark.parametrize(
    ("language", "old", "off", "asked", "new"),
    [
        (
            "en",
            "Every Tuesday at ten?",
            "I can't do Tuesdays any more.",
            "Thursday at nine?",
            "Every Thursday, yes.",
        ),
        (
            "de",
            "Jeden Dienstag um elf?",
            "Dienstag geht nicht mehr.",
            "Dann donnerstags um neun?",
            "Ja, jeden Donnerstag.",
        ),
        ("es", "¿Los martes a las once?", "Los martes ya no puedo.", "¿Los jueves?", "Sí, todos los jueves."),
        (
            "fr",
            "Tous les mardis à dix heures ?",
            "Mardi je ne peux plus.",
            "Jeudi ?",
            "Oui, tous les jeudis.",
        ),
        ("it", "Tutti i martedì alle dieci?", "Il martedì non posso più.", "Giovedì?", "Sì, ogni giovedì."),
        ("pt", "Todas as terças às dez?", "À terça já não posso.", "À quinta?", "Sim, todas as quintas."),
        ("nl", "Elke dinsdag om tien uur?", "Dinsdag kan niet meer.", "Donderdag?", "Ja, elke donderdag."),
    ],
)
def test_a_series_gives_way_to_another_weekday_once_its_own_is_given_up(
    closed: Closed, language: str, old: str, off: str, asked: str, new: str
) -> None:
    series = EarlierThread(1, "plan", "user", f'"{old}" – "{new.partition(",")[0]}."')

    assert closed(f"a: .\nu: {off}\na: {asked}\nu: {new}", series, language=language) == (1,)


@pytest.mark.parametrize(
    ("language", "old", "off", "new"),
    [
        (
            "en",
            "Tuesdays at four?",
            "Ben has football on Tuesdays now. Is there another day?",
            "Thursday at five?",
        ),
        (
            "de",
            "Dienstags um vier?",
            "Emre hat dienstags jetzt Fußball. Geht ein anderer Tag?",
            "Donnerstag um fünf?",
        ),
        (
            "es",
            "¿Los martes a las cuatro?",
            "Ahora trabajo los martes. ¿No hay otro grupo?",
            "¿El jueves a las cinco?",
        ),
        (
            "fr",
            "Le mardi soir ?",
            "En fait je bosse le mardi maintenant, y a pas un autre groupe ?",
            "Jeudi à cinq heures ?",
        ),
        (
            "it",
            "Ogni martedì alle quattro?",
            "Adesso ogni martedì lavoro, non c'è un altro gruppo?",
            "Giovedì alle cinque?",
        ),
        ("pt", "Às terças às quatro?", "Agora trabalho às terças, não há outro grupo?", "Quinta às cinco?"),
        (
            "nl",
            "Elke dinsdag om vier uur?",
            "Hij heeft nu elke dinsdag voetbal. Kan het op een andere dag?",
            "Donderdag om vijf uur?",
        ),
    ],
)
def test_a_series_gives_way_to_another_day_that_is_asked_for(
    closed: Closed, language: str, old: str, off: str, new: str
) -> None:
    series = EarlierThread(1, "plan", "user", f'"{old}" – "Okay."')

    assert closed(f"a: .\nu: {off}\na: {new}\nu: Okay.", series, language=language) == (1,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '"Every Tuesday at ten?" – "Yes."',
            "u: We come every Tuesday. Is there another class for Ann?\na: Thursday at nine?\nu: Yes.",
        ),
        (
            '"Every Tuesday at ten?" – "Yes."',
            "u: I can't make it on Tuesday, is there another day?\na: Thursday at nine?\nu: Yes.",
        ),
        ('"Every Tuesday at ten?" – "Yes."', "u: I can't do next Tuesday.\na: Thursday at nine?\nu: Yes."),
        (
            '"The nurse comes every Tuesday."',
            "u: I can't do Tuesday.\na: Every Thursday?\nu: Every Thursday.",
        ),
    ],
)
def test_a_series_stays_for_one_other_day_or_what_only_the_caller_told_of(
    closed: Closed, text: str, said: str
) -> None:
    assert closed(f"a: .\n{said}", EarlierThread(1, "plan", "user", text)) == ()


@pytest.mark.parametrize(
    ("language", "old", "over", "once"),
    [
        ("en", "Tuesdays at five, fine.", "Tuesdays don't work any more.", "This Tuesday I can't come."),
        (
            "de",
            "Dienstags um fünf, geht.",
            "Dienstag geht nicht mehr, Freitag?",
            "Diesen Dienstag kann ich nicht.",
        ),
        ("fr", "Tous les mardis, oui.", "Le mardi ça ne va plus.", "Ce mardi je ne peux pas."),
        ("es", "Los martes a las cinco, vale.", "Los martes ya no puede.", "Este martes no puede."),
        ("it", "Ogni martedì, va bene.", "Il martedì non va più bene.", "Questo martedì non posso."),
        ("pt", "Terças às cinco, pode ser.", "À terça já não dá.", "Esta terça não posso."),
        ("nl", "Elke dinsdag, prima.", "Dinsdag kan niet meer.", "Deze dinsdag kan ik niet."),
    ],
)
def test_a_series_ends_once_its_weekday_will_not_do_any_more(
    closed: Closed, language: str, old: str, over: str, once: str
) -> None:
    series = EarlierThread(1, "plan", "user", f'"?" – "{old}"')

    assert closed(f"a: .\nu: {over}\na: .", series, language=language) == (1,)
    assert closed(f"a: .\nu: {once}\na: .", series, language=language) == ()
