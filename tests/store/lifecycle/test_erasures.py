"""Which facts go with a conversation, and which stay."""

from datetime import date

from msgspec.structs import replace

from voice_server.domain.fact import Origin, Provenance, Source
from voice_server.store.lifecycle.erasures import ErasableFact, resting_on

GONE, OTHER = 1, 2  # conversations
HERE, THERE = "conv_1", "conv_2"


def digested(id_: int, text: str, *sources: int, superseded_by: int | None = None) -> ErasableFact:
    return ErasableFact(id_, text, "digest", "", "", superseded_by, sources)


def noted(id_: int, text: str, said_in: str, superseded_by: int | None = None) -> ErasableFact:
    return ErasableFact(id_, text, "tool", said_in, "", superseded_by, ())


def by_hand(id_: int, text: str, instead_of: str = "", superseded_by: int | None = None) -> ErasableFact:
    return ErasableFact(id_, text, "api", "", instead_of, superseded_by, ())


def left(*rows: ErasableFact) -> list[int]:
    return [row.id for row in rows if row.id not in resting_on(rows, GONE, HERE)]


def test_what_it_alone_said_goes() -> None:
    assert left(digested(1, "a", GONE), digested(2, "b", OTHER), digested(3, "c", GONE, OTHER)) == [2, 3]


def test_what_rests_on_nothing_any_more_stays() -> None:
    assert left(digested(1, "pinned, and no longer said anywhere")) == [1]


def test_what_was_noted_in_it_goes() -> None:
    assert left(noted(1, "a", HERE), noted(2, "a", THERE)) == [2]


def test_what_was_noted_in_no_conversation_stays() -> None:
    assert resting_on([noted(1, "a", "")], GONE, "") == set()


def test_what_was_said_by_hand_stays_also_when_it_said_so_too() -> None:
    assert left(ErasableFact(1, "a", "api", "", "", None, (GONE,))) == [1]


def test_edits_of_edits_go_with_what_they_edit() -> None:
    rows = digested(1, "a", GONE, superseded_by=2), by_hand(2, "b", "a", 3), by_hand(3, "c", "b")

    assert left(*rows) == []


def test_an_edit_that_takes_back_another_goes_too() -> None:
    rows = digested(1, "a", GONE, superseded_by=2), by_hand(2, "b", "a", 3), by_hand(3, "a", "b")

    assert left(*rows) == []


def test_an_edit_of_what_others_say_too_stays() -> None:
    assert left(digested(1, "a", GONE, OTHER, superseded_by=2), by_hand(2, "b", "a")) == [1, 2]


def test_an_edit_of_what_was_noted_elsewhere_too_stays() -> None:
    rows = noted(1, "a", HERE, superseded_by=3), noted(2, "a", THERE, superseded_by=3), by_hand(3, "b", "a")

    assert left(*rows) == [2, 3]


def test_an_edit_goes_when_what_it_edits_is_worded_otherwise_by_now() -> None:
    assert left(digested(1, "a, in other words", GONE, superseded_by=2), by_hand(2, "b", "a")) == []


def edited(
    id_: int, text: str, instead_of: str, first: Origin, *sources: int, said_in: str = ""
) -> ErasableFact:
    """An edit of words that are not there any more."""
    rested_on = tuple(Source(one, (0,)) for one in sources)
    day = date(2026, 11, 1)
    return replace(by_hand(id_, text, instead_of), provenance=Provenance(first, day, day, said_in, rested_on))


def test_an_edit_goes_with_its_conversation_when_nothing_says_any_more_what_it_edits() -> None:
    assert left(edited(2, "b", "a", "digest", GONE), edited(3, "c", "b", "digest", GONE)) == []
    assert left(edited(2, "b", "a", "excerpt", GONE, OTHER), edited(3, "d", "c", "tool", said_in=HERE)) == []


def test_an_edit_of_what_came_from_elsewhere_too_stays() -> None:
    assert left(edited(2, "b", "a", "digest", GONE, OTHER), edited(3, "d", "c", "api", GONE)) == [2, 3]
    assert left(edited(2, "b", "a", "excerpt", OTHER, GONE), edited(3, "d", "c", "tool", said_in=THERE)) == [
        2,
        3,
    ]


def test_an_edit_of_what_others_say_too_by_now_stays() -> None:
    assert left(digested(1, "a", OTHER, superseded_by=2), edited(2, "b", "a", "digest", GONE)) == [1, 2]


def test_an_edit_of_something_else_that_superseded_it_as_well_stays() -> None:
    rows = digested(1, "a", GONE, superseded_by=3), digested(2, "b", OTHER, superseded_by=3)

    assert left(*rows, by_hand(3, "c", "b, in other words")) == [2, 3]


def test_what_took_its_place_without_naming_it_stays() -> None:
    assert left(digested(1, "a", GONE, superseded_by=2), by_hand(2, "b")) == [2]
