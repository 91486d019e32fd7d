"""A day that was named, and will not do, leaves nothing behind where another is agreed on."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, MONDAY = (date(2026, 11, day) for day in (18, 19, 20, 21, 23))


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ("u: I'll pick it up tomorrow.\na: We're closed on Wednesdays.\nu: Ah. Thursday, then.")),
        ("de", ("u: Das hole ich morgen ab.\na: Mittwochs haben wir zu.\nu: Ach so. Dann Donnerstag.")),
        ("es", ("u: La recojo mañana.\na: Los miércoles cerramos.\nu: Ah. Entonces el jueves.")),
        ("fr", ("u: Je passe le prendre demain.\na: On est fermés le mercredi.\nu: Ah. Alors jeudi.")),
        ("it", ("u: La ritiro domani.\na: Il mercoledì siamo chiusi.\nu: Ah. Allora giovedì.")),
        ("nl", ("u: Ik haal hem morgen op.\na: Op woensdag zijn we dicht.\nu: O. Donderdag dan.")),
    ],
)
def test_a_promise_moves_from_a_day_on_which_nobody_is_there(
    opened: Opened, language: str, lines: str
) -> None:
    (thread,) = opened(lines, language)
    assert (thread.kind, thread.due) == ("promise", THURSDAY)


@pytest.mark.parametrize(
    ("language", "lines", "told"),
    [
        (
            "en",
            (
                "u: I'll bring it in on Monday morning.\n"
                "a: We're closed Monday mornings.\n"
                "u: Monday afternoon, then."
            ),
            "afternoon",
        ),
        (
            "de",
            (
                "u: Ich bringe ihn Montagvormittag vorbei.\n"
                "a: Montagvormittag haben wir zu.\n"
                "u: Dann Montagnachmittag."
            ),
            "nachmittag",
        ),
        (
            "es",
            (
                "u: Se lo llevo el lunes por la mañana.\n"
                "a: Los lunes por la mañana cerramos.\n"
                "u: El lunes por la tarde, entonces."
            ),
            "tarde",
        ),
        (
            "fr",
            (
                "u: Je vous l'apporte lundi matin.\n"
                "a: Le lundi on est fermés le matin.\n"
                "u: Lundi après-midi, donc."
            ),
            "après-midi",
        ),
        (
            "it",
            (
                "u: Glielo porto lunedì mattina.\n"
                "a: Il lunedì mattina siamo chiusi.\n"
                "u: Lunedì pomeriggio, allora."
            ),
            "pomeriggio",
        ),
        (
            "nl",
            ("u: Ik breng hem maandagochtend.\na: Maandagochtend zijn we dicht.\nu: Maandagmiddag dan."),
            "middag",
        ),
        (
            "pt",
            (
                "u: Levo-lho na segunda de manhã.\n"
                "a: À segunda de manhã estamos fechados.\n"
                "u: Segunda à tarde, então."
            ),
            "tarde",
        ),
    ],
)
def test_another_part_of_the_day_is_told_with_the_promise(
    opened: Opened, language: str, lines: str, told: str
) -> None:
    (thread,) = opened(lines, language)
    assert thread.due == MONDAY
    assert told in thread.text.rpartition("…")[2]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            (
                "a: Bring it in tomorrow morning.\n"
                "u: Tomorrow I'm working. Monday's my day off.\n"
                "a: Monday at nine."
            ),
        ),
        (
            "de",
            (
                "a: Bringen Sie ihn morgen früh her.\n"
                "u: Morgen arbeite ich. Montag hab ich frei.\n"
                "a: Montag um neun."
            ),
        ),
        ("es", ("a: Tráigalo mañana.\nu: Mañana trabajo. El lunes libro.\na: El lunes a las nueve.")),
        (
            "fr",
            (
                "a: Apportez-la demain matin.\n"
                "u: Demain je travaille. Lundi je suis en congé.\n"
                "a: Lundi à neuf heures."
            ),
        ),
        ("it", ("a: La porti domani mattina.\nu: Domani lavoro. Lunedì sono libera.\na: Lunedì alle nove.")),
        (
            "nl",
            (
                "a: Breng hem morgenochtend maar langs.\n"
                "u: Morgen werk ik. Maandag ben ik vrij.\n"
                "a: Maandag om negen uur."
            ),
        ),
        (
            "pt",
            (
                "a: Traga-o cá amanhã de manhã.\n"
                "u: Amanhã estou a trabalhar. Segunda estou de folga.\n"
                "a: Segunda às nove."
            ),
        ),
    ],
)
def test_neither_the_day_nor_the_reason_against_it_stays(opened: Opened, language: str, lines: str) -> None:
    (thread,) = opened(lines, language)
    assert thread.due == MONDAY


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            (
                "a: the viewing is tomorrow at six\n"
                "u: tomorrow i can't make it i'm in leeds for work\n"
                "a: thursday's possible too half five\n"
                "u: thursday half five is good"
            ),
        ),
        (
            "es",
            (
                "a: la visita es mañana a las seis\n"
                "u: mañana no llego estoy en bilbao por trabajo\n"
                "a: el jueves también puede ser a las cinco y media\n"
                "u: el jueves a las cinco y media bien"
            ),
        ),
        (
            "nl",
            (
                "a: de bezichtiging is morgen om zes uur\n"
                "u: morgen red ik niet ik zit in antwerpen voor m'n werk\n"
                "a: donderdag kan ook half zes\n"
                "u: donderdag half zes is goed"
            ),
        ),
        (
            "it",
            (
                "u: Me le può far portare a casa?\n"
                "a: Gliele porta Michele domani nel pomeriggio.\n"
                "u: Domani pomeriggio ho la fisioterapista. Giovedì, magari?\n"
                "a: Giovedì verso le sei.\n"
                "u: Va benissimo."
            ),
        ),
        (
            "pt",
            (
                "a: O Miguel leva-lhas amanhã à tarde.\n"
                "u: Amanhã à tarde tenho a fisioterapeuta. Quinta, talvez?\n"
                "a: Quinta por volta das seis.\n"
                "u: Está muito bem."
            ),
        ),
    ],
)
def test_an_appointment_that_is_refused_gives_way_to_the_one_taken(
    opened: Opened, language: str, lines: str
) -> None:
    (thread,) = opened(lines, language)
    assert thread.due == THURSDAY


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            (
                "u: i'll swing by tomorrow morning\n"
                "a: we open at nine\n"
                "u: actually no i'm working tomorrow friday\n"
                "a: friday's fine"
            ),
        ),
        (
            "de",
            (
                "u: ich komm morgen früh vorbei\n"
                "a: wir machen um neun auf\n"
                "u: äh nein morgen arbeite ich freitag\n"
                "a: freitag ist gut"
            ),
        ),
        (
            "es",
            (
                "u: me paso mañana por la mañana\n"
                "a: abrimos a las nueve\n"
                "u: ay no mañana trabajo eh el viernes\n"
                "a: el viernes vale"
            ),
        ),
    ],
)
def test_ones_own_day_is_taken_back(opened: Opened, language: str, lines: str) -> None:
    (thread,) = opened(lines, language)
    assert thread.due == FRIDAY


@pytest.mark.parametrize(
    ("language", "lines", "kept"),
    [
        (
            "en",
            ("u: I'll pay the deposit on Friday.\na: Good. Could you come on Monday at ten?\nu: Yes."),
            FRIDAY,
        ),
        (
            "en",
            (
                "u: I have the dentist tomorrow.\n"
                "a: Tomorrow it'll rain. When shall I call?\n"
                "u: Thursday at ten.\n"
                "a: Thursday at ten, okay."
            ),
            WEDNESDAY,
        ),
        (
            "en",
            (
                "a: The nurse comes tomorrow at nine.\n"
                "u: Tomorrow's good. Could we do Friday as well?\n"
                "a: Friday at nine."
            ),
            WEDNESDAY,
        ),
        (
            "de",
            (
                "u: Ich schicke die Fotos morgen.\n"
                "a: Mittwochs haben wir zu, aber schicken Sie nur. Termin wäre Donnerstag um zehn?\n"
                "u: Donnerstag um zehn, gut."
            ),
            WEDNESDAY,
        ),
    ],
)
def test_a_day_that_nobody_gave_up_stays(opened: Opened, language: str, lines: str, kept: date) -> None:
    assert kept in {thread.due for thread in opened(lines, language)}


def test_what_the_caller_has_to_do_on_a_day_given_up_stays(opened: Opened) -> None:
    own, agreed = opened(
        "a: Bring it tomorrow morning.\n"
        "u: Tomorrow I have to pick my sister up from the airport. Monday's my day off.\n"
        "a: Monday at nine."
    )
    assert (own.text, own.due) == ('"Tomorrow I have to pick my sister up from the airport."', WEDNESDAY)
    assert agreed.due == MONDAY


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I said the christening was Sunday the 22nd but she moved it to the 29th."),
        ("de", "Die Taufe war am Sonntag, dem 22., aber sie haben sie auf den 29. verschoben."),
        ("nl", "De doop was zondag 22 november maar ze hebben hem verplaatst naar 29 november."),
        ("es", "El bautizo dije domingo veintidós pero lo han pasado al veintinueve."),
        ("fr", "Pour le baptême j'ai dit dimanche vingt-deux mais ils l'ont reporté au vingt-neuf."),
        ("it", "Per il battesimo ho detto domenica ventidue ma serena l'ha spostato al ventinove."),
        ("pt", "O batizado disse domingo vinte e dois mas mudaram para vinte e nove."),
    ],
)
def test_a_day_before_the_word_of_its_move_is_not_when_it_is_due(
    opened: Opened, language: str, said: str
) -> None:
    assert date(2026, 11, 22) not in {one.due for one in opened(f"u: {said}\na: Ok.", language)}
