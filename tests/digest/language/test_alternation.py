"""Long alternations find what `re` finds, whatever the text."""

import re

import pcre2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voice_server.digest.language.alternation import Alternation

PATTERNS = [r"ab+", r"(?<!\w)a(?!\w)", r"(?:b|bc) (?P<topic>\w+)", r"[^\W\d]é", r"c\b", r"\d{2,}$"]
SAID = st.text("abcé 1.\n", max_size=60)
WIDE = [rf"(?:(?:one|two|three|four) ){{0,60}}end{n:02}" for n in range(40)]  # too wide for PCRE2 as one


@given(said=SAID, patterns=st.lists(st.sampled_from(PATTERNS), max_size=4, unique=True))
@example(said="bc abb bcd", patterns=[r"(?:b|bc) (?P<topic>\w+)", r"ab+"])
def test_it_finds_what_the_patterns_joined_find(said: str, patterns: list[str]) -> None:
    joined = re.compile("|".join(patterns) or r"(?!)")

    found = [(match.span(), match.groupdict()) for match in Alternation(patterns).finditer(said)]

    assert found == [(match.span(), match.groupdict()) for match in joined.finditer(said)]


@given(said=SAID, patterns=st.lists(st.sampled_from(PATTERNS), max_size=4, unique=True))
def test_among_words_it_finds_what_each_pattern_finds_between_words(said: str, patterns: list[str]) -> None:
    joined = re.compile("|".join(rf"(?<!\w)(?:{one})(?!\w)" for one in patterns) or r"(?!)")

    found = [match.span() for match in Alternation(patterns, words=True).finditer(said)]

    assert found == [match.span() for match in joined.finditer(said)]


def test_patterns_that_are_too_large_together_are_looked_for_in_parts() -> None:
    with pytest.raises(pcre2.PatternError, match="too large"):
        pcre2.compile("|".join(WIDE))
    said = "one two end39, three end00, end12"

    found = [match[0] for match in Alternation(WIDE).finditer(said)]

    assert found == ["one two end39", "three end00", "end12"]


def test_of_two_that_begin_together_the_earlier_pattern_is_found_in_parts_too() -> None:
    found = Alternation(["two three end07", *WIDE[::-1], "two"]).search("one two three end07")

    assert found is not None
    assert found[0] == "one two three end07"


def test_a_pattern_that_is_too_large_alone_is_found() -> None:
    wide = "|".join(WIDE)

    found = Alternation([wide]).search("so: two two end21")

    assert found is not None
    assert found.span() == (4, 17)
