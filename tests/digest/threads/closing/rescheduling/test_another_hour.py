"""Where a later call moves the hour alone, the new hour is told, and the old one no more."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import ThreadChanges, thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
BERLIN = ZoneInfo("Europe/Berlin")
TOMORROW = date(2026, 11, 18)
AT_TEN = {
    "en": '"Wednesday at ten?" – "Wednesday at ten is fine."',
    "de": '"Mittwoch um zehn?" – "Mittwoch um zehn passt."',
    "es": '"¿El miércoles a las diez?" – "El miércoles a las diez me va bien."',
    "fr": '"Mercredi à dix heures ?" – "Mercredi à dix heures, ça va."',
    "it": '"Mercoledì alle dieci?" – "Mercoledì alle dieci mi va bene."',
    "pt": '"Quarta às dez?" – "Quarta às dez está bem."',
    "nl": '"Woensdag om tien uur?" – "Woensdag om tien uur is goed."',
}


def _changes(call: Call, language: str, said: str) -> ThreadChanges:
    known = EarlierThread(1, "plan", "user", AT_TEN[language], TOMORROW)
    text = "\n".join(("a: Hello.", *said.split(" / ")))
    return thread_changes(call(text), language, BERLIN, open_before=[known])


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            (
                "u: About tomorrow, we can't make ten. Is there another time? / a: Half past eleven. / "
                "u: Half past eleven, great."
            ),
        ),
        (
            "de",
            (
                "u: Wegen morgen, um zehn schaffen wir es nicht. Gibt es noch eine andere Zeit? / a: "
                "Halb zwölf. / u: Halb zwölf, super."
            ),
        ),
        (
            "es",
            (
                "u: Lo de mañana, a las diez no llegamos. ¿Hay otra hora? / a: A las once y media. / u: "
                "Once y media, perfecto."
            ),
        ),
        (
            "fr",
            (
                "u: Pour demain, à dix heures on ne peut pas. Il y a un autre horaire ? / a: Onze heures "
                "et demie. / u: Onze heures et demie, parfait."
            ),
        ),
        (
            "it",
            (
                "u: Per domani, alle dieci non ce la facciamo. C'è un altro orario? / a: Alle undici e "
                "mezza. / u: Undici e mezza, ottimo."
            ),
        ),
        (
            "pt",
            (
                "u: Quanto a amanhã, às dez não conseguimos. Há outra hora? / a: Às onze e meia. / u: "
                "Onze e meia, ótimo."
            ),
        ),
        (
            "nl",
            (
                "u: Wat morgen betreft, tien uur redden we niet. Is er een andere tijd? / a: Half "
                "twaalf. / u: Half twaalf, prima."
            ),
        ),
        (
            "en",
            (
                "u: Could we do half past eleven tomorrow instead of ten? / a: Half past eleven's fine. "
                "/ u: Great."
            ),
        ),
        ("de", "u: Ginge morgen auch halb zwölf statt zehn? / a: Halb zwölf geht. / u: Super."),
        (
            "es",
            (
                "u: ¿Podría ser mañana a las once y media en vez de a las diez? / a: A las once y media, "
                "vale. / u: Genial."
            ),
        ),
        (
            "fr",
            (
                "u: Demain, ce serait possible onze heures et demie au lieu de dix ? / a: Onze heures et "
                "demie, d'accord. / u: Super."
            ),
        ),
        (
            "it",
            (
                "u: Domani si può fare alle undici e mezza invece che alle dieci? / a: Alle undici e "
                "mezza va bene. / u: Ottimo."
            ),
        ),
        ("pt", "u: Amanhã pode ser às onze e meia em vez das dez? / a: Às onze e meia pode ser. / u: Ótimo."),
        ("nl", "u: Kan het morgen om half twaalf in plaats van tien uur? / a: Half twaalf kan. / u: Fijn."),
        ("en", "u: could i come at twelve instead / a: twelve's okay / u: thanks"),
        ("es", "u: podría ir a las doce mejor / a: a las doce vale / u: gracias"),
        ("it", "u: posso venire alle dodici invece / a: alle dodici va bene / u: grazie"),
    ],
)
def test_another_hour_takes_the_place_of_the_one_agreed_on(call: Call, language: str, said: str) -> None:
    changes = _changes(call, language, said)

    assert changes.closes == (1,)
    assert [thread.due for thread in changes.opened] == [TOMORROW]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "I can't make ten. Anything else that day? / Five is free. / Five, great.",
        ),
        (
            "de",
            "Um zehn geht nicht. Am selben Tag etwas? / Fünf Uhr wäre frei. / Fünf Uhr, super.",
        ),
        (
            "es",
            "A las diez no. ¿Algo el mismo día? / A las cinco hay hueco. / A las cinco, perfecto.",
        ),
        (
            "fr",
            "Pas à dix heures. Le même jour, plus tard ? / Seize heures, c'est libre. / Seize heures, super.",
        ),
        (
            "it",
            "Alle dieci no. Lo stesso giorno, più tardi? / Alle quattro c'è posto. / Alle quattro, perfetto.",
        ),
        (
            "pt",
            "Às dez não dá. Não há de tarde? / No mesmo dia tenho às duas. / Às duas, ótimo.",
        ),
        (
            "nl",
            "Tien uur red ik niet, zelfde dag graag, later. / Half zes kan nog. / Half zes, heerlijk.",
        ),
    ],
)
def test_another_hour_of_the_same_day_takes_its_place(call: Call, language: str, said: str) -> None:
    wish, offer, answer = said.split(" / ")
    changes = _changes(call, language, f"u: {wish} / a: {offer} / u: {answer}")

    assert changes.closes == (1,)
    assert [thread.due for thread in changes.opened] == [TOMORROW]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "Could it be a bit later? I work till four. / Half past four's free. / Lovely, half four then.",
        ),
        ("de", "Geht das etwas später? Ich arbeite bis vier. / Halb fünf ginge. / Oh schön, dann halb fünf."),
        ("es", "¿Podría ser un poco más tarde? / A las cuatro y media se puede. / Perfecto."),
        ("fr", "Ça pourrait être un peu plus tard ? / Seize heures trente, c'est possible. / Parfait."),
        ("it", "Si può fare un po' più tardi? / Alle quattro e mezza si può. / Va bene."),
        ("pt", "Pode ser um pouco mais tarde? / Às quatro e meia dá. / Ótimo."),
        ("nl", "Mag dat iets later? Ik werk tot vier uur. / Half vijf kan. / O fijn, half vijf dan."),
    ],
)
def test_what_is_to_be_later_is_the_appointment_that_is_ahead(call: Call, language: str, said: str) -> None:
    wish, offer, answer = said.split(" / ")
    changes = _changes(call, language, f"u: {wish} / a: {offer} / u: {answer}")

    assert changes.closes == (1,)
    assert [thread.due for thread in changes.opened] == [TOMORROW]


def test_a_call_at_another_hour_moves_no_appointment(call: Call) -> None:
    assert _changes(call, "en", "u: Could you call a bit later?\na: At eleven?\nu: Yes.").closes == ()


def test_what_is_fetched_later_moves_no_appointment(call: Call) -> None:
    said = "u: Can I pick up my glasses later? / a: Half past four is fine. / u: Lovely, half past four then."

    assert _changes(call, "en", said).closes == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: I'd like another appointment for my son. / a: Tomorrow at twelve? / u: Twelve's fine."),
        (
            "en",
            (
                "u: We can't eat before eight tomorrow. When do you close? / a: Half past eleven. / u: "
                "Half past eleven, great."
            ),
        ),
        ("en", "a: About tomorrow, the technician won't come until twelve. / u: Twelve, okay."),
        (
            "en",
            (
                "u: My wife can't make three on Monday. Is there another time? / a: Half past four. / u: "
                "Half past four, great."
            ),
        ),
        (
            "de",
            (
                "u: Meine Frau schafft Montag um drei nicht. Gibt es eine andere Zeit? / a: Halb fünf. / "
                "u: Halb fünf, super."
            ),
        ),
        (
            "fr",
            (
                "u: Ma femme ne peut pas lundi à trois heures. Il y a un autre horaire ? / a: Quatre "
                "heures et demie. / u: Quatre heures et demie, parfait."
            ),
        ),
        (
            "nl",
            (
                "u: Mijn vrouw kan maandag om drie uur niet. Is er een andere tijd? / a: Half vijf. / u: "
                "Half vijf, prima."
            ),
        ),
    ],
)
def test_the_hour_of_something_else_leaves_it(call: Call, language: str, said: str) -> None:
    assert _changes(call, language, said).closes == ()


def test_another_hour_is_on_the_day_of_the_appointment_it_takes_the_place_of(call: Call) -> None:
    known = EarlierThread(1, "plan", "user", '"The 26th at four?" – "Perfect."', date(2026, 11, 26))
    said = call("a: Salon.\nu: Could we move it to half five?\na: Okay, half five it is.")
    changes = thread_changes(said, "en", BERLIN, open_before=[known])

    assert [one.due for one in changes.opened] == [date(2026, 11, 26)]
    assert changes.closes == (1,)


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("u: can we make it two dogs on Friday\na: Sure, but then it's half past six.\nu: fine", (3,)),
        ("u: posso levar também a minha irmã na sexta\na: Pode, mas ela fica às onze.\nu: ótimo", ()),
    ],
)
def test_another_hour_takes_the_place_of_the_old_unless_it_is_for_one_more(
    closed: Closed, said: str, ids: tuple[int, ...]
) -> None:
    language = "pt" if "irmã" in said else "en"
    table = EarlierThread(3, "plan", "agent", '"Friday at seven?" – "Yes."', date(2026, 11, 20))
    sexta = EarlierThread(3, "plan", "agent", '"Sexta às dez?" – "Sim."', date(2026, 11, 20))

    assert closed(f"a: .\n{said}", sexta if language == "pt" else table, language=language) == ids
