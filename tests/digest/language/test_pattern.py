"""Patterns find what `re` finds, whatever the text."""

import re

import pcre2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.digest.language.pattern import compiled

SOURCES = st.sampled_from(
    [r"(?<!\w)a(?!\w)", r"(?P<thing>b|bc) (\w+)", r"[^\W\d_]é", r"c\b", r"\d{2,}$", r"\s+", r"É|ß"]
)
SAID = st.text("abcéÉß 1.\n", max_size=60)
PLACES = st.integers(0, 60)
FLAGS = st.sampled_from([re.NOFLAG, re.IGNORECASE])
SPELLED = r"(?:(?<![^\W_])[^\W\d_](?![^\W_])[\W_]{1,4}){4,}[^\W\d_](?![^\W_])"
SPELLED_ON = "m a r t a " * 900


def told(found: re.Match[str] | None) -> object:
    return found and (found.span(), found.groups(), found.groupdict())


@given(said=SAID, source=SOURCES, flags=FLAGS, start=PLACES, end=PLACES)
def test_it_finds_what_re_finds_between_two_places(
    said: str, source: str, flags: re.RegexFlag, start: int, end: int
) -> None:
    ours, exact = compiled(source, flags), re.compile(source, flags)

    assert told(ours.search(said, start, end)) == told(exact.search(said, start, end))
    assert told(ours.match(said, start, end)) == told(exact.match(said, start, end))
    assert told(ours.fullmatch(said, start, end)) == told(exact.fullmatch(said, start, end))
    assert [*map(told, ours.finditer(said, start, end))] == [*map(told, exact.finditer(said, start, end))]


@given(said=SAID, source=SOURCES)
def test_it_replaces_what_re_replaces(said: str, source: str) -> None:
    assert compiled(source).sub("$1", said) == re.sub(source, "$1", said)
    assert compiled(source).sub(lambda found: found[0] * 2, said) == re.sub(source, r"\g<0>\g<0>", said)


def test_a_text_on_which_the_machine_code_runs_out_of_stack_is_read() -> None:
    with pytest.raises(pcre2.LibraryError, match="stack"):
        pcre2.compile(SPELLED).search(SPELLED_ON)
    spelled = compiled(SPELLED)

    assert told(spelled.search(SPELLED_ON)) == ((0, len(SPELLED_ON) - 1), (), {})
    assert told(spelled.match(SPELLED_ON)) == ((0, len(SPELLED_ON) - 1), (), {})
    assert spelled.fullmatch(SPELLED_ON) is None
    assert [found.end() for found in spelled.finditer(SPELLED_ON)] == [len(SPELLED_ON) - 1]
    assert spelled.sub("Marta", SPELLED_ON) == "Marta "


def test_half_of_a_surrogate_pair_is_read_over() -> None:
    found = compiled("forget").search("\ud83d forget it")

    assert found is not None
    assert found.start() == 2


@given(said=SAID, source=SOURCES)
def test_a_match_tells_of_its_groups_what_one_of_re_tells(said: str, source: str) -> None:
    ours, exact = compiled(source).search(said), re.search(source, said)

    assert (ours is None) == (exact is None)
    if ours and exact:
        assert ours.re.groupindex == exact.re.groupindex
        for group in (*range(exact.re.groups + 1), *exact.re.groupindex):
            assert (ours[group], ours.group(group)) == (exact[group], exact.group(group))
            assert (ours.start(group), ours.end(group)) == exact.span(group)


def test_a_group_that_there_is_not_is_an_error() -> None:
    found = compiled("(?P<thing>a)").search("a")

    assert found is not None
    for group in (2, -1, "other"):
        with pytest.raises(IndexError):
            found[group]


def test_a_text_that_names_a_group_replaces_nothing() -> None:
    with pytest.raises(ValueError, match="names a group"):
        compiled("(a)").sub(r"\1", "a")
