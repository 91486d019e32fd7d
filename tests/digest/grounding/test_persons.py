"""Whose it is, and on which day the talk settles: what was said of one is not told of another."""

from datetime import UTC, datetime

import pytest

from voice_server.digest.grounding.chosen_times import unsettled
from voice_server.digest.grounding.persons import Cast
from voice_server.digest.grounding.subjects import parties
from voice_server.digest.grounding.transcript import Line
from voice_server.domain.digest import Speaker

NIGHTS = "My flatmate Jonas works nights. I work in Leeds, and my sister Fiona is a vet."


def line(position: int, said_by: Speaker, text: str) -> Line:
    return Line(position, said_by, datetime(2026, 11, 20, 9, tzinfo=UTC), text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Ada works nights.", ""),  # Ada works, too, elsewhere
        ("Ada has nights.", "nights"),
        ("Ada's flatmate Jonas works nights.", ""),
        ("Ada's flatmate is a vet.", "vet"),
        ("Ada's sister Fiona is a vet.", ""),
        ("Ada's brother is a vet.", "brother"),
    ],
)
def test_what_is_anothers_is_seen(text: str, word: str) -> None:
    talk = [line(0, "user", NIGHTS)]

    cast = Cast(talk, "en", parties("en", "Ada"))

    assert cast.mistaken(text, talk, of_state=True) == word


@pytest.mark.parametrize(
    ("language", "said", "noted", "text", "stays"),
    [
        (
            "en",
            "My mum is here. She takes furosemide.",
            "I've noted furosemide.",
            "Ada takes furosemide.",
            False,
        ),
        ("en", "My mum is here. She takes furosemide.", "Noted.", "Ada's mother takes furosemide.", True),
        ("en", "My mum is here. I take furosemide.", "I've noted furosemide.", "Ada takes furosemide.", True),
        ("en", "My neighbour Harold helped. He's eighty-six.", "Good.", "Ada is eighty-six.", False),
        ("de", "Kommt mein Mann auch? Er ist unzufrieden.", "Gut.", "Ada ist unzufrieden.", False),
        ("es", "Mi mujer fuma en casa y me cuesta.", "Ya.", "Ada fuma en casa.", False),
        ("pt", "Meu compadre é flamengo.", "Certo.", "Ada é flamengo.", False),
        ("nl", "Een vriendje is allergisch.", "Goed.", "Ada is allergisch.", False),
        ("en", "Beth's got a cold, so I'm cooking.", "Oh no.", "Ada has a cold.", False),
        ("en", "My mum offered, but she smokes and I don't like it.", "Right.", "Ada smokes.", False),
        ("en", "My wife likes crime novels. I read crime, too.", "Ah.", "Ada likes crime novels.", False),
        ("it", "Uno di noi è celiaco, mio figlio Luca.", "Bene.", "Luca, il figlio di Ada, è celiaco.", True),
        ("pt", "Sem cogumelos, a minha mulher não gosta.", "Certo.", "Ada gosta de cogumelos.", False),
    ],
)
def test_what_she_does_is_not_the_callers(
    language: str, said: str, noted: str, text: str, *, stays: bool
) -> None:
    talk = [line(0, "user", said), line(1, "agent", noted)]

    cast = Cast(talk, language, parties(language, "Ada"))

    assert (cast.mistaken(text, talk, of_state=True) == "") is stays


def test_what_another_did_is_not_told_of_the_caller_but_may_be_of_the_other() -> None:
    talk = [line(0, "user", "My colleague Jonas asked and was turned down.")]
    cast = Cast(talk, "en", parties("en", "Ada"))

    told = ["Ada asked and was turned down.", "Ada's colleague Jonas was turned down."]

    assert [cast.mistaken(one, talk, of_state=False, of_past=True) == "" for one in told] == [False, True]


@pytest.mark.parametrize(
    ("text", "is_settled"),
    [
        ("Ada comes on Tuesday at ten.", True),
        ("Ada comes on Thursday at ten.", False),
        ("Ada comes on Friday.", True),
    ],
)
def test_a_day_that_was_proposed_and_not_taken_is_given_up(text: str, *, is_settled: bool) -> None:
    talk = [line(0, "agent", "Tuesday at ten or Thursday at ten?"), line(1, "user", "Tuesday, please.")]

    assert (unsettled(text, talk, talk, "en") == "") is is_settled


@pytest.mark.parametrize(
    ("language", "text", "proposed", "taken", "is_settled"),
    [
        ("en", "Ada comes at 2:40.", "2:40 or 4:10?", "2:40, please.", True),
        ("en", "Ada comes at 4:10.", "2:40 or 4:10?", "2:40, please.", False),
        ("de", "Ada kommt um 10:45 Uhr.", "10:45 Uhr oder 16:00 Uhr?", "Dann 16 Uhr.", False),
        ("nl", "Ada komt om 10.00 uur.", "Om 10.00 of om 15.15 uur?", "Om 15.15 uur graag.", False),
        ("es", "Ada viene a las 12:30.", "A las 12:30.", "¿En ayunas desde las ocho?", True),
        ("en", "Ada comes at four.", "at four", "not after six then", True),
        ("es", "Llamas a Ada el viernes.", "La llamo el viernes.", "Hasta el lunes.", True),
        ("de", "Du rufst Ada am Freitag an.", "Ich rufe am Freitag an.", "Gut, bis Montag!", True),
        ("fr", "Tu rappelles Ada vendredi.", "Je rappelle vendredi.", "Merci, à lundi.", True),
        ("it", "Richiami Ada venerdì.", "Richiamo venerdì.", "Grazie, a lunedì.", True),
        ("pt", "Você liga na sexta.", "Ligo na sexta.", "Obrigada, até segunda.", True),
        ("nl", "Je belt Ada vrijdag.", "Ik bel vrijdag.", "Prima, tot maandag!", True),
        ("en", "You call Ada on Friday.", "I'll call on Friday.", "Great, see you Monday!", True),
        ("en", "Ada comes on Tuesday.", "Tuesday or Monday?", "See you on Monday, then!", False),
        ("de", "Ada kommt am Dienstag.", "Dienstag oder Montag?", "Dann bis Montag!", False),
        ("nl", "Ada komt dinsdag.", "Dinsdag of maandag?", "Tot maandag!", False),
        ("it", "Ada viene martedì.", "Martedì o lunedì?", "Sì, a lunedì.", False),
        ("en", "Ada comes from nine.", "From nine or at ten?", "From ten, please.", True),
        ("en", "Ada comes at nine.", "At nine or at ten?", "I'll be there by ten.", False),
    ],
)
def test_an_hour_is_given_up_for_another_but_not_for_a_bound_or_a_goodbye(
    language: str, text: str, proposed: str, taken: str, *, is_settled: bool
) -> None:
    talk = [line(0, "agent", proposed), line(1, "user", taken)]

    assert (unsettled(text, talk, talk, language) == "") is is_settled
