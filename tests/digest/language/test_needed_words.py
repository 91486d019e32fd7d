"""A group is told of every text that one of its patterns is found in, whatever the pattern."""

import re
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voice_server.digest.language.alternation import Alternation
from voice_server.digest.language.needed_words import NeededWords, needs_of

ATOMS = ["a", "a", "b", "ab", "ba", "-", "[-']", "[ab]", "[^a]", "[a-c]", r"\w", r"\W", r"\x61", r"\-", "."]
TIMES = ["", "", "", "?", "?", "*", "+", "{0,2}", "{2}", "*?", "??"]
ONES = st.builds("{}{}".format, st.sampled_from(ATOMS), st.sampled_from(TIMES))
PATTERNS = st.recursive(
    ONES | st.sampled_from([r"\b", "^", "$"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=4).map("".join),
        st.builds("(?:{}|{}){}".format, inner, inner, st.sampled_from(TIMES)),
        st.builds("({}{})".format, st.sampled_from(["", "?=", "?!", "?<!", "?>", "?i:"]), inner),
    ),
    max_leaves=6,
)
SAID = ["".join(signs) for length in range(1, 6) for signs in product("ab-", repeat=length)]


@given(patterns=st.lists(PATTERNS, min_size=40, max_size=40))
@example(patterns=["(?:a|b)?", "(?:ab|b-)+", "(?:a|ba)*", "(?:ab-?)+"])
def test_none_is_missed(patterns: list[str]) -> None:
    missed = [(pattern, text) for pattern in patterns for text in found_in(pattern) - told_of(pattern)]

    assert missed == []


def found_in(pattern: str) -> set[str]:
    try:
        there = Alternation([pattern], words=True)
    except re.error:  # a lookbehind of any length
        return set()
    return {text for text in SAID if there.search(text)}


def told_of(pattern: str) -> set[str]:
    words = NeededWords({"it": [pattern]})
    return {text for text in SAID if words.groups(text)}


def told(pattern: str, text: str) -> bool:
    return "it" in NeededWords({"it": [pattern]}).groups(text)


@pytest.mark.parametrize(
    ("pattern", "meets", "lacks"),
    [
        ("remind[-' ,]+me", "please remind me", "please reminded him to mend it"),
        ("don[' ]?t", "i don't", "done"),
        ("(?:un)?sure[ ]now", "unsure now", "i assure you now"),
        ("(?:call|ring)(?:ed|ing)?[ ]her", "calling her", "recall her"),
        (r"\w+[ ]is[ ]ʤ+", "it is ʤʤʤ", "it is monday"),
        ("(?:so|then)?[ ]*when\\?", "so when?", "when i come"),
    ],
)
def test_a_text_without_the_words_is_left_out(pattern: str, meets: str, lacks: str) -> None:
    assert (told(pattern, meets), told(pattern, lacks)) == (True, False)


def test_what_is_not_read_needs_nothing() -> None:
    assert [needs_of(pattern) for pattern in ("(?i)now", "(?>now)", r"now\Z", "now{,3}")] == [[[]]] * 4


def test_texts_are_told_all_groups_at_once() -> None:
    words = NeededWords({"asks": ["could[ ]you", "would[ ]you"], "thanks": ["thanks"], "any": [r"\w+"]})

    assert words.groups("would you? thanks") == {"asks", "thanks", "any"}
    assert words.groups("you could") == {"asks", "any"}
    assert words.groups("nothing") == {"any"}
