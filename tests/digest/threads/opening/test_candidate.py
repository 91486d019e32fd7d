"""A matter is due on the day that is said of it, not on one that is said beside it."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I'll send you the invoice next week."),
        ("de", "Ich schicke Ihnen die Rechnung nächste Woche zu."),
        ("es", "Le enviaré la factura la semana que viene."),
        ("fr", "Je vous enverrai la facture la semaine prochaine."),
        ("it", "Le manderò la fattura la settimana prossima."),
        ("pt", "Vou enviar a fatura na semana que vem."),
        ("nl", "Ik stuur u de factuur volgende week."),
    ],
)
def test_what_is_due_in_a_week_is_due_on_its_last_day_and_told_with_the_week(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"u: Hallo.\na: {said}", language)

    assert thread.due == date(2026, 11, 29)
    assert " (week of 23 November 2026)" in thread.text


def test_a_day_that_comes_again_and_again_is_no_due_date(opened: Opened) -> None:
    (thread,) = opened("u: Hello.\na: I'll remind you of the bins every Thursday.")

    assert thread.due is None


def test_what_is_promised_for_a_day_is_told_with_what_is_on_that_day(opened: Opened) -> None:
    said = (
        "u: My pass runs out on the tenth of January, and I can't print the form.\na: I'll post one to you."
    )
    (thread,) = opened(said)

    assert (thread.kind, thread.due) == ("plan", date(2027, 1, 10))
    assert thread.text.endswith('– "I\'ll post one to you."')


def test_a_day_to_come_is_due_before_the_hours_of_today(opened: Opened) -> None:
    said = "u: hello\na: the part came in this morning so we'll get that fitted and bring it back on friday"
    (thread,) = opened(said)

    assert thread.due == date(2026, 11, 20)


def test_a_promise_is_due_on_the_day_named_behind_it(opened: Opened) -> None:
    said = "the lease runs until the thirty first of december but i'll bring you the keys on the twentieth"
    (thread,) = opened(f"a: hello\nu: {said}\na: okay")

    assert thread.due == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("a: Thursday the 26th at five?\nu: Perfect for Thursday.", date(2026, 11, 26)),
        ("u: Can we speak next week, on Friday?\na: Friday at six, then.", date(2026, 11, 27)),
        ("a: What are you doing today?\nu: Resting. Please call me on Tuesday.", date(2026, 11, 24)),
    ],
)
def test_a_weekday_is_due_on_the_day_that_was_spoken_of(opened: Opened, said: str, due: date) -> None:
    assert [one.due for one in opened(said)] == [due]


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("a: Your van is ready.\nu: I'll pick it up at five.", date(2026, 11, 17)),
        ("a: See you tomorrow then.\nu: I'll pick it up at five.", None),
    ],
)
def test_what_names_an_hour_alone_is_for_today_unless_another_day_was_named(
    opened: Opened, said: str, due: date | None
) -> None:
    (thread,) = opened(f"u: Hello.\n{said}")

    assert thread.due == due


def test_what_waits_for_something_is_due_on_no_day(opened: Opened) -> None:
    (thread,) = opened("u: The glasses?\na: We order them today and we'll ring you when they come.\nu: Fine.")

    assert (thread.kind, thread.due) == ("promise", None)


@pytest.mark.parametrize(
    "said", ["Tomorrow I'll ring you when I've spoken to him.", "Tomorrow we'll email you once it is ready."]
)
def test_a_day_named_with_a_promise_is_its_day(opened: Opened, said: str) -> None:
    (thread,) = opened(f"u: Hello there.\na: {said}")

    assert thread.due == date(2026, 11, 18)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I'll order one today and text you when it's in."),
        ("de", "Ich bestelle sie heute und rufe Sie an, sobald sie da ist."),
        ("es", "Lo pido hoy y le aviso en cuanto llegue."),
        ("fr", "Je la commande aujourd'hui et je vous appelle dès qu'elle arrive."),
    ],
)
def test_what_is_done_today_does_not_keep_what_waits_for_something(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"a: {said}", language)

    assert thread.due is None


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I'll ask him today and call you back tomorrow."),
        ("de", "Ich frage heute nach und melde mich morgen."),
    ],
)
def test_a_promise_in_two_halves_is_due_with_its_second(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"a: {said}", language)

    assert thread.due == date(2026, 11, 18)


def test_what_is_promised_behind_something_for_today_is_due_on_its_own_day(opened: Opened) -> None:
    (thread,) = opened(
        "u: My son is bullied.\na: I'll talk to Mr Adeyemi today and he will phone you tomorrow."
    )

    assert thread.due == date(2026, 11, 18)


def test_a_day_that_only_stands_before_a_promise_is_not_its_own(opened: Opened) -> None:
    (thread,) = opened(
        "u: I need a new offer.\na: Your contract ends on the 31st of December. I'll send you one."
    )

    assert thread.due is None


@pytest.mark.parametrize(
    "asked",
    [
        "Oh, and the trip on Thursday, can I get that money back?",
        "oh and the trip on thursday can i get that money back",
    ],
)
def test_a_day_of_what_is_asked_about_is_not_that_of_the_promise(opened: Opened, asked: str) -> None:
    threads = opened(f"u: {asked}\na: I'll check with Carol and email you.")

    assert [one.due for one in threads if one.kind == "promise"] == [None]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: Never mind, I'll call back next week."),
        ("es", "u: No, déjelo, llamo la semana que viene."),
        ("nl", "u: Laat maar, ik bel volgende week wel terug."),
        ("fr", "a: Je vous ferai passer un expert la semaine prochaine."),
    ],
)
def test_what_will_be_done_next_week_is_due_at_its_end(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(f"a: .\nu: .\na: .\n{said}", language)] == [date(2026, 11, 29)]


@pytest.mark.parametrize(
    ("language", "said", "due"),
    [
        (
            "en",
            "u: can it be done today\na: We'll order the part, so I'll give you a ring once it's fitted.",
            None,
        ),
        ("en", "a: Shall I ring you on Sunday?\nu: would you that'd be lovely\na: I'll ring you at two.", 22),
        ("en", "u: can she have a laptop by monday\na: It'll be on her desk by Friday.", 20),
        ("fr", "u: mon badge est cassé\na: Je vous en apporte un nouveau demain matin.", 18),
    ],
)
def test_a_promise_is_due_on_its_own_day(opened: Opened, language: str, said: str, due: int | None) -> None:
    (thread,) = opened(f"a: .\n{said}", language)

    assert thread.kind == "promise"
    assert thread.due == (date(2026, 11, due) if due else None)
