"""What is put right changes the matter it is of, and is told with it."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


def test_an_hour_is_changed_after_it_was_said_again(opened: Opened) -> None:
    (thread,) = opened(
        "a: Shall I remind you of anything?\nu: Yes. Remind me on Friday at seven to ring my brother.\n"
        "a: Friday at seven, ring your brother.\nu: Hang on, no. Eight. He has his dinner at seven."
    )

    assert thread.text == '"Remind me on Friday at seven to ring my brother. … Hang on, no. Eight."'


def test_a_correction_stands_beside_what_it_corrects(opened: Opened) -> None:
    (thread,) = opened(
        "u: Remind me tomorrow at eight to call Tom.\na: At eight.\nu: No, make it nine.\na: Sure."
    )

    assert thread.text == '"Remind me tomorrow at eight to call Tom. … No, make it nine."'
    assert thread.due == date(2026, 11, 18)


def test_what_is_put_right_takes_the_place_of_what_was_said(opened: Opened) -> None:
    (thread,) = opened(
        "u: She'll be back on Thursday. Wait, no, Monday the 30th.\na: Monday the 30th of November.\nu: Yes."
    )

    assert thread.due == date(2026, 11, 30)


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", "u: give me a nudge tomorrow at six to feed the cat\na: At six.\nu: seven actually", "seven"),
        (
            "es",
            "u: Avísame mañana a las ocho.\na: A las ocho.\nu: Espera, mejor a las siete y media.\na: Hecho.",
            "siete y media",
        ),
    ],
)
def test_a_request_is_told_with_its_other_hour(opened: Opened, language: str, text: str, told: str) -> None:
    (thread,) = opened(f"a: Hello.\n{text}", language)

    assert (told in thread.text, thread.due) == (True, date(2026, 11, 18))


def test_a_promise_keeps_its_words_when_the_other_puts_it_right(opened: Opened) -> None:
    (thread,) = opened(
        "u: They want tax for a caravan that I sold!\na: I'll have my colleague ring you on Monday.\n"
        "u: No, make it Tuesday."
    )

    assert "ring you on Monday" in thread.text
    assert "make it Tuesday" in thread.text


@pytest.mark.parametrize(
    "text",
    [
        "u: Call me on Monday at ten about the loan.\na: Monday at ten?\nu: Sorry, I meant Tuesday.",
        "u: Please send me the papers by Monday.\na: By Monday?\nu: No wait, by Tuesday.",
    ],
)
def test_what_is_read_back_may_be_put_right(opened: Opened, text: str) -> None:
    (thread,) = opened(text)

    assert thread.due == date(2026, 11, 24)


@pytest.mark.parametrize(
    "text",
    [
        "u: Please send me the quote by Friday.\na: How many windows?\nu: Say ten.",
        "u: I'll bring the cake on Saturday.\na: For how many?\nu: Twelve actually.",
    ],
)
def test_an_answer_puts_nothing_right(opened: Opened, text: str) -> None:
    (thread,) = opened(text)

    assert "ten" not in thread.text.lower().split()
    assert "Twelve" not in thread.text


def test_a_second_thought_changes_the_day_of_a_request(opened: Opened) -> None:
    text = """
        a: Anything else?
        u: Give me a nudge on Friday about the ferns. Hm, no, they're back by then. Thursday.
    """

    (thread,) = opened(text)

    assert thread.due == date(2026, 11, 19)


def test_what_is_corrected_after_it_was_granted_is_one_matter(opened: Opened) -> None:
    text = """
        u: Could you jog my memory on Thursday, I've got to ring the sweep.
        a: I'll remind you on Thursday to ring the sweep.
        u: Hm, Friday, actually.
        a: Friday, then.
    """

    (thread,) = opened(text)

    assert thread.due == date(2026, 11, 20)


def test_a_correction_counts_though_something_else_was_said_between(opened: Opened) -> None:
    (thread,) = opened("""
        u: can you remind me on friday to ring the dentist
        a: I'll remind you on Friday.
        u: its for the crown it hurts in the cold
        a: Poor you.
        u: no wait not friday they are shut make it thursday
        a: Thursday then. I'll remind you.
    """)

    assert thread.due == date(2026, 11, 19)
    assert "dentist" in thread.text


def test_who_asks_for_another_day_changes_no_promise_that_has_none(opened: Opened) -> None:
    threads = opened("""
        u: we cant come to the play my son is ill
        a: You'll have the money within ten days.
        u: could we come in january instead
        a: It's not on in January, sorry.
    """)

    assert '"You\'ll have the money within ten days."' in " ".join(one.text for one in threads)


def test_a_promise_that_is_asked_for_another_day_has_it(opened: Opened) -> None:
    (thread,) = opened("a: I'll send you the invoice.\nu: Could you send it on Monday instead?\na: Sure.")

    assert thread.due == date(2026, 11, 23)


def test_a_promise_for_which_the_other_names_a_better_day_stays_a_promise(opened: Opened) -> None:
    (thread,) = opened(
        "a: J'en parle au syndic, je vous rappelle jeudi.\nu: jeudi je suis en déplacement plutôt vendredi\n"
        "a: Vendredi alors.",
        "fr",
    )

    assert (thread.kind, thread.said_by, thread.due) == ("promise", "agent", date(2026, 11, 20))


def test_a_thing_for_another_day_corrects_no_appointment(opened: Opened) -> None:
    offered = "a: C'è venerdì alle undici.\nu: Allora venerdì, lo accompagno io."

    photos = opened(f"{offered}\na: Servono due fototessere.\nu: Le foto le facciamo domani.", "it")
    moved = opened(f"{offered}\na: Va bene.\nu: Anzi, facciamo giovedì.", "it")

    assert [one.due for one in photos] == [date(2026, 11, 20), date(2026, 11, 18)]
    assert [one.due for one in moved] == [date(2026, 11, 19)]


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll pay it tomorrow.", "Thank you, the trip's on the 26th now, not the 24th."),
        ("de", "Ich zahle es morgen.", "Danke, der Ausflug ist am 26., nein, am 27."),
        ("es", "Lo pago mañana.", "Gracias, la excursión es el viernes, no, el 27."),
        ("fr", "Je le paie demain.", "Merci, la sortie est le 26, non, le 27."),
        ("it", "Lo pago domani.", "Grazie, la gita è il 26, no, il 27."),
        ("nl", "Ik betaal het morgen.", "Dank u, het uitje is op de 26e, nee, de 27e."),
        ("pt", "Eu pago amanhã.", "Obrigada, a excursão é no dia 26, não no dia 24."),
    ],
)
def test_a_day_put_right_of_another_matter_changes_no_promise(
    opened: Opened, language: str, promised: str, said: str
) -> None:
    text = f"a: .\nu: {promised}\na: {said}\nu: ."

    assert date(2026, 11, 18) in {one.due for one in opened(text, language) if promised in one.text}


def test_a_day_put_right_behind_why_the_promised_one_will_not_do_changes_it(opened: Opened) -> None:
    text = "a: .\nu: I'll bring it on Thursday.\na: The shop's shut on Thursday, no, make it Friday."

    assert {one.due for one in opened(text)} == {date(2026, 11, 20)}
