"""Fitting sections into their budgets, deterministically (CONTEXT_STACK: truncation 1-6).

A section is prose (cut at a sentence or word end) and items (kept as a prefix, in priority order).
Because sections are joined by a blank line and the tokenizer never merges across one, the tokens of
the joined prompt are exactly the sum of its sections' tokens, each counted with its blank line.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

SEPARATOR = "\n\n"
ELLIPSIS = "…"
# The order in which sections give way to the total limit (truncation 2).
GIVES_WAY = ("long_term_memory", "last_time", "open_threads", "inner_life", "today_so_far", "working_memory")

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
    """A section within its budget: per variant what is kept and its text; `tokens` of the largest."""

    section: Section
    kept: tuple[Content, ...]
    texts: tuple[str, ...]
    tokens: int
    rule: str = ""


def fit_all(sections: Sequence[Section], limit: int, count: Count) -> list[Fitted]:
    """Every section within its cap and all of them within `limit` tokens together.

    What cannot give way stays, even above the limit: that is a configuration error, found when
    templates are loaded and not on a call (truncation 4).
    """
    fitted = [_within_cap(section, count) for section in sections]
    for index in _giving_way(fitted):
        for smaller in _shrinking(fitted[index], count):
            if _total(fitted) <= limit:
                return fitted
            fitted[index] = smaller
    return fitted


def dropped(fitted: Sequence[Fitted], count: Count) -> list[Dropped]:
    """What the prompt leaves out and why (truncation 6); of variants, the first one's."""
    return [drop for one in fitted for drop in _dropped_from(one, count)]


def trim(prose: str, fits: Callable[[str], bool]) -> str:
    """The longest prefix of `prose` that fits: whole, else to a sentence end, else to a word end, marked `…`."""
    if fits(prose):
        return prose
    for ends in (_ends(r"(?<=[.!?。！？])(?=\s|$)", prose), _ends(r"(?<=\S)(?=\s)", prose)):
        cuts = [f"{prose[:end].rstrip()}{ELLIPSIS}" for end in ends if end < len(prose.rstrip())]
        if kept := _longest(cuts, fits):
            return kept
    return ""


def _within_cap(section: Section, count: Count) -> Fitted:
    if section.cap is None:
        return _fitted(section, section.variants, count, "")
    return _fit(section, section.cap, count, "1: hard cap")


def _giving_way(fitted: Sequence[Fitted]) -> list[int]:
    names = [one.section.name for one in fitted]
    return [names.index(name) for name in GIVES_WAY if name in names]


def _shrinking(fitted: Fitted, count: Count) -> Iterator[Fitted]:
    """Ever smaller versions of one section: its target, then a unit less each time, then nothing.

    The steps do not depend on the limit, so a larger limit never keeps less.
    """
    rule = "2: total limit"
    smaller = _fit(fitted.section, min(fitted.section.target, fitted.tokens), count, rule)
    yield smaller
    while any(smaller.kept):
        smaller = _fitted(smaller.section, tuple(_one_less(kept) for kept in smaller.kept), count, rule)
        yield smaller


def _one_less(content: Content) -> Content:
    """Without its last item; without items, without its last sentence."""
    if content.items:
        return replace(content, items=content.items[:-1])
    sentences = _ends(r"(?<=[.!?。！？])(?=\s)", content.prose.rstrip(ELLIPSIS))
    return replace(content, prose=content.prose[: sentences[-1]] + ELLIPSIS) if sentences else Content()


def _fit(section: Section, budget: int, count: Count, rule: str) -> Fitted:
    def within(variant: int) -> Callable[[Content], bool]:
        return lambda content: _tokens(section.render(variant, content), count) <= budget

    kept = tuple(_keep(content, within(variant)) for variant, content in enumerate(section.variants))
    return _fitted(section, kept, count, rule)


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


def _fitted(section: Section, kept: tuple[Content, ...], count: Count, rule: str) -> Fitted:
    texts = tuple(section.render(variant, content) for variant, content in enumerate(kept))
    return Fitted(section, kept, texts, max(_tokens(text, count) for text in texts), rule)


def _tokens(text: str, count: Count) -> int:
    return count(text + SEPARATOR) if text else 0


def _total(fitted: Sequence[Fitted]) -> int:
    return sum(one.tokens for one in fitted)


def _ends(pattern: str, text: str) -> list[int]:
    return [match.start() for match in re.finditer(pattern, text)]


def _dropped_from(fitted: Fitted, count: Count) -> Iterator[Dropped]:
    wanted, kept = fitted.section.variants[0], fitted.kept[0]
    name = fitted.section.name
    if len(kept.prose) < len(wanted.prose):
        rest = wanted.prose[len(kept.prose.rstrip(ELLIPSIS)) :]
        yield Dropped(name, wanted.source, count(rest), fitted.rule)
    for item in wanted.items[len(kept.items) :]:
        yield Dropped(name, item.source, count(item.text), fitted.rule)
