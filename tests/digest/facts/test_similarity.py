"""The same said in other words is the same; a number, a name or a "not" makes it something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.digest.facts.similarity import form, is_same, shared_by_all_alike


def same(one: str, other: str) -> bool:
    return is_same(form(one), form(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The caller lives in Lisbon.", "She is living in Lisbon now."),
        ("Likes tea.", "The caller likes tea!"),
        ("She has two dogs.", "She has 2 dogs."),
        ("She doesn't drink coffee.", "She does not drink coffee."),
        ("He has never been to Rome.", "He's never been to Rome."),
        ("His sister plays old songs on her violin", "His sister plays old songs on her violin, often"),
        ("Elle vit à Paris.", "elle vit à Paris"),
        ("彼は東京に住んでいます。", "彼は東京に住んでいます"),
    ],
)
def test_other_words_for_the_same_are_the_same(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("She has two dogs.", "She has three dogs."),
        ("The surgery is on 12 March 2027.", "The surgery is on 21 March 2027."),
        ("The caller lives in Lisbon.", "The caller lives in Porto."),
        ("Ada works as a nurse in the big city hospital", "Clara works as a nurse in the big city hospital"),
        ("Tom loves Clara.", "Clara loves Tom."),
        ("She likes tea.", "She doesn't like tea."),
        ("He likes coffee, not tea.", "He likes tea, not coffee."),
        ("The caller works at Acme.", "The caller no longer works at Acme."),
        ("She calls before lunch.", "She calls after lunch."),
        ("He flew to Rome from Porto.", "He flew from Rome to Porto."),
        ("You promised the caller a song.", "The caller promised you a song."),
        ("Er mag den Hund", "Er mag den Hund nicht"),
        ("She drinks strong coffee in the morning.", "She drinks strong tea in the morning."),
        ("🎉", "🎂"),
    ],
)
def test_what_differs_in_substance_is_not_the_same(one: str, other: str) -> None:
    assert not same(one, other)


SENTENCES = st.lists(
    st.sampled_from(
        "she not Tom two three likes reads big old tea dog a piano never Ada’s red garden in".split()
    ),
    max_size=14,
).map(" ".join)


@given(SENTENCES | st.text())
def test_everything_is_the_same_as_itself(text: str) -> None:
    assert same(text, text)


@given(SENTENCES, SENTENCES)
def test_sameness_goes_both_ways(one: str, other: str) -> None:
    assert same(one, other) == same(other, one)


@given(SENTENCES, SENTENCES)
def test_what_is_the_same_is_found_by_a_stem_it_shares(one: str, other: str) -> None:
    mine, theirs = (shared_by_all_alike(sorted(form(text).stems)) for text in (one, other))

    assert not same(one, other) or set(mine) & set(theirs) or not (mine or theirs)


def test_keys_of_forms_are_the_same_on_every_machine() -> None:
    assert form("She has two dogs.").key("user") == "e12773d3561038a716fe48c46f423c"
