"""Fitting sections into their budgets, deterministically (CONTEXT_STACK: truncation 1-6).

A section is prose (cut at a sentence or word end) and items (kept as a prefix, in priority order).
Because sections are joined by a blank line and the tokenizer never merges across one, the tokens of
the joined prompt are exactly the sum of its sections' tokens, each counted with its blank line.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

SEPARATOR = "\n\n"
ELLIPSIS = "…"
# The order in which sections give way to the total limit (truncation 2).
GIVES_WAY = ("long_term_memory", "last_time", "open_threads", "inner_life", "today_so_far", "working_memory")
CAP_RULE, LIMIT_RULE = "1: hard cap", "2: total limit"

_SENTENCE_END = re.compile(r"(?<=[.!?])(?=\s)|(?<=[。！？])")
# Where a script is written without spaces (Thai to Khmer, kana, Han), a word may end after any character.
_WORD_END = re.compile(
    r"(?<=\S)(?=\s)|(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff])"
)

_T = TypeVar("_T")
Count = Callable[[str], int]


class Item(Struct, frozen=True):
    """One line of a section, with the row it came from (`messages/12:3`, `open_threads/7`)."""

    text: str
    source: str = ""
    label: str = ""


class Content(Struct, frozen=True):
    """What a section says: prose first, then items in order of priority."""

    prose: str = ""
    items: tuple[Item, ...] = ()
    source: str = ""

    def __bool__(self) -> bool:
        return bool(self.prose or self.items)


class Section(Struct, frozen=True):
    """One named piece of the prompt: its budget and what it has to say.

    A section that depends on the moment of serving has several variants; each is fitted by itself
    and the largest counts. `cap` None: never cut (truncation 4). `render` gets a variant's index
    and content and gives text, "" for nothing.
    """

    name: str
    render: Callable[[int, Content], str]
    variants: tuple[Content, ...]
    target: int = 0
    cap: int | None = None


class Dropped(Struct, frozen=True):
    """One thing left out: which section's, what, how large, and the rule that left it out."""

    section: str
    item: str
    tokens: int
    rule: str


class Fitted(Struct, frozen=True):
    """A section within its budget: per variant what is kept and its text; `tokens` of the largest.
    `capped` is what the hard cap alone would have kept."""

    section: Section
    kept: tuple[Content, ...]
    texts: tuple[str, ...]
    tokens: int
    capped: tuple[Content, ...]


def fit_all(sections: Sequence[Section], limit: int, count: Count) -> list[Fitted]:
    """Every section within its cap and all of them within `limit` tokens together.

    What cannot give way stays, even above the limit: that is a configuration error, found when
    templates are loaded and not on a call (truncation 4).
    """
    fitted = [_within_cap(_rendered_once(section), count) for section in sections]
    for index in _giving_way(fitted):
        for smaller in _shrinking(fitted[index], count):
            if _total(fitted) <= limit:
                return fitted
            fitted[index] = replace(smaller, capped=fitted[index].capped)
    return fitted


def dropped(fitted: Sequence[Fitted], count: Count) -> list[Dropped]:
    """What the prompt leaves out and why (truncation 6); of variants, the first one's."""
    return [drop for one in fitted for drop in _dropped_from(one, count)]


def trim(prose: str, fits: Callable[[str], bool]) -> str:
    """The longest prefix of `prose` that fits: whole, else to a sentence end, else to a word end, marked `…`."""
    if fits(prose):
        return prose
    for pattern in (_SENTENCE_END, _WORD_END):
        cuts = [f"{prose[:end]}{ELLIPSIS}" for end in _ends(pattern, prose)]
        if kept := _longest(cuts, fits):
            return kept
    return ""


def sentences(prose: str) -> list[str]:
    """`prose` cut after every sentence; joined again it is the same text."""
    ends = [0, *_ends(_SENTENCE_END, prose), len(prose)]
    return [prose[start:end] for start, end in pairwise(ends)]


def _rendered_once(section: Section) -> Section:
    """What fits is rendered to find that out, and again to be kept: a template costs more than to remember it."""
    return replace(section, render=cache(section.render))


def _within_cap(section: Section, count: Count) -> Fitted:
    if section.cap is None:
        return _fitted(section, section.variants, count)
    return _fit(section, section.cap, count)


def _giving_way(fitted: Sequence[Fitted]) -> list[int]:
    names = [one.section.name for one in fitted]
    return [names.index(name) for name in GIVES_WAY if name in names]


def _shrinking(fitted: Fitted, count: Count) -> Iterator[Fitted]:
    """Ever smaller versions of one section: its target, then a unit less each time, then nothing.

    The steps do not depend on the limit, so a larger limit never keeps less.
    """
    smaller = _fit(fitted.section, min(fitted.section.target, fitted.tokens), count)
    yield smaller
    while any(smaller.kept):
        smaller = _fitted(smaller.section, tuple(_one_less(kept) for kept in smaller.kept), count)
        yield smaller


def _one_less(content: Content) -> Content:
    """Without its last item; without items, without its last sentence."""
    if content.items:
        return replace(content, items=content.items[:-1])
    sentences = _ends(_SENTENCE_END, content.prose.rstrip(ELLIPSIS))
    return replace(content, prose=content.prose[: sentences[-1]] + ELLIPSIS) if sentences else Content()


def _fit(section: Section, budget: int, count: Count) -> Fitted:
    def within(variant: int) -> Callable[[Content], bool]:
        return lambda content: _tokens(section.render(variant, content), count) <= budget

    kept = tuple(_keep(content, within(variant)) for variant, content in enumerate(section.variants))
    return _fitted(section, kept, count)


def _keep(content: Content, fits: Callable[[Content], bool]) -> Content:
    """Prose, then items until the first that does not fit: never skip one and try the next,
    so that more budget never loses an item (truncation 1)."""
    if fits(content):
        return content
    alone = replace(content, items=())
    if not fits(alone):
        prose = trim(content.prose, lambda text: fits(replace(alone, prose=text)))
        return replace(alone, prose=prose) if prose else Content()
    prefixes = [replace(content, items=content.items[:n]) for n in range(len(content.items))]
    return _longest(prefixes, fits) or Content()


def _longest(candidates: Sequence[_T], fits: Callable[[_T], bool]) -> _T | None:
    """The last of `candidates`, which grow, that fits. Bisected: rendering and counting cost."""
    low, high = 0, len(candidates)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if fits(candidates[middle]) else (low, middle)
    return candidates[low - 1] if low else None


def _fitted(section: Section, kept: tuple[Content, ...], count: Count) -> Fitted:
    texts = tuple(section.render(variant, content) for variant, content in enumerate(kept))
    return Fitted(section, kept, texts, max(_tokens(text, count) for text in texts), kept)


def _tokens(text: str, count: Count) -> int:
    return count(text + SEPARATOR) if text else 0


def _total(fitted: Sequence[Fitted]) -> int:
    return sum(one.tokens for one in fitted)


def _ends(pattern: re.Pattern[str], text: str) -> list[int]:
    """Where `text` could be cut: the matches before its end."""
    return [match.start() for match in pattern.finditer(text) if match.start() < len(text.rstrip())]


def _dropped_from(fitted: Fitted, count: Count) -> Iterator[Dropped]:
    section = fitted.section
    stages = (section.variants[0], fitted.capped[0], fitted.kept[0])
    for rule, before, after in zip((CAP_RULE, LIMIT_RULE), stages, stages[1:], strict=False):
        if before.prose != after.prose:
            rest = before.prose[len(after.prose.removesuffix(ELLIPSIS)) :]
            yield Dropped(section.name, section.variants[0].source, count(rest), rule)
        for item in before.items[len(after.items) :]:
            yield Dropped(section.name, item.source, count(item.text), rule)
