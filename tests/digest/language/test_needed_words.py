"""A group is told of every text that one of its patterns is found in, whatever the pattern."""

import re

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from voice_server.digest.language.alternation import Alternation
from voice_server.digest.language.needed_words import NeededWords, needs_of

ATOMS = [
    "a",
    "ab",
    "ba",
    "-",
    "'",
    "?",
    "ʤ",
    "é",
    "1",
    ".",
    r"\w",
    r"\W",
    r"\d",
    r"\s",
    r"\S",
    r"\?",
    r"\x61",
]
CLASSES = ["[ab]", "[^a]", "[-' ]", "[?!]", "[a-c1]", r"[\w']", r"[^\W\d]"]
TIMES = ["", "", "", "?", "*", "+", "{0,2}", "{2}", "{1,}", "*?", "??"]
ONES = st.builds("{}{}".format, st.sampled_from(ATOMS + CLASSES + [" "] * 4), st.sampled_from(TIMES))
PATTERNS = st.recursive(
    ONES | st.sampled_from([r"\b", "^", "$"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.builds("(?:{}|{}){}".format, inner, inner, st.sampled_from(TIMES)),
        st.builds("({}{})".format, st.sampled_from(["", "?=", "?!", "?<=", "?<!", "?>", "?i:"]), inner),
    ),
    max_leaves=12,
)
SAID = st.text("aabb -'?1éʤAc.", max_size=12)


def told(pattern: str, text: str) -> bool:
    return "it" in NeededWords({"it": [pattern]}).groups(text)


@settings(deadline=None)
@given(pattern=PATTERNS, texts=st.lists(SAID, min_size=1, max_size=20))
def test_none_is_missed(pattern: str, texts: list[str]) -> None:
    try:
        there = Alternation([pattern], words=True)
    except re.error:
        reject()

    assert [text for text in texts if there.search(text) and not told(pattern, text)] == []


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
