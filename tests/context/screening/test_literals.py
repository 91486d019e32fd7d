"""What an expression cannot do without is looked for first, and nothing else is found for that."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.context.screening.instructions import Kind, expressions, spelled
from voice_server.context.screening.literals import SearchedPattern

KINDS: tuple[Kind, ...] = ("instruction_phrases", "markup_phrases", "order_phrases")
EXPRESSIONS = [one for kind in KINDS for one in expressions(kind)]
PATTERNS = [pattern for one in EXPRESSIONS for pattern in one.patterns]
SAID = [spelled(said) for one in EXPRESSIONS for said in (*one.examples, *one.counterexamples)]


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        (r"\btell (?:the )?(?:caller|user)s?\b", [("tell ",), ("caller", "user")]),
        (r"(?:give|hand over) (?:it|all)", [("give", "hand over")]),
        (r"(?:忽略|无视).{0,10}指令", [("指令",), ("忽略", "无视")]),
        (r"(?:always){0,2}(?:never)+", [("never",)]),
        (r"(?:(?:red|green) light|sirens?|\d+)", []),
        (r"(?:(?:red|green) light|sirens?)", [(" light", "siren")]),
        (r"(?=ahead)(?!behind)\w+", []),
        (r"(?i)reveal", []),
        (r"(?i:reveal) secrets", [(" secrets",)]),
        (r"a|b", []),
    ],
)
def test_an_expression_needs(pattern: str, needed: list[tuple[str, ...]]) -> None:
    assert list(SearchedPattern(re.compile(pattern)).needs) == needed


@given(st.lists(st.sampled_from(sorted({word for said in SAID for word in said.split()})), max_size=12))
def test_what_it_finds_is_found(words: list[str]) -> None:
    assert _missed(" ".join(words)) == []


@given(st.sampled_from(SAID), st.sampled_from(SAID))
def test_what_it_finds_among_other_talk_is_found(first: str, second: str) -> None:
    half = len(first) // 2
    assert _missed(first[:half] + second + first[half:]) == []


def test_most_expressions_need_something() -> None:
    with_needs = [one for one in PATTERNS if one.needs]
    assert len(with_needs) > 0.9 * len(PATTERNS)


def _missed(text: str) -> list[SearchedPattern]:
    return [one for one in PATTERNS if bool(one.pattern.search(text)) != one.is_in(text)]
