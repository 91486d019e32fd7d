"""Fitting sections into their budgets, deterministically (docs/explanation/prompt-stack.md, rules).

    choose → fit into the cap (1) → while the whole is above the limit, give way in turn (2):
             open threads ┐ one budget:                long-term memory │ last time │ threads and thoughts │ …
             inner life   ┘ the second gets the rest   each to its target, then item by item to nothing

The tokenizer never merges across the blank line between sections, so the tokens of the prompt are exactly the
sum of its sections' tokens, each counted with its blank line.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from voice_server.domain.agent import Budget

SEPARATOR = "\n\n"
ELLIPSIS = "…"
# The order in which sections give way to the total limit (rule 2). The relationship comes last: without it
# the limit would not always hold (rule 5).
GIVES_WAY = (
    "long_term_memory", "last_time", "open_threads", "inner_life", "today_so_far", "working_memory",
    "relationship",
)  # fmt: skip
# Of a whole section (docs/reference/prompt-sections.md); what an agent sets differently goes before.
BUDGETS: Mapping[str, Budget] = {
    "persona": Budget(800, 1200),
    "relationship": Budget(600, 900),  # with the situation
    "working_memory": Budget(1200, 1800),  # more of what nobody else uses: see there
    "last_time": Budget(150, 250),
    "today_so_far": Budget(300, 500),
    "open_threads": Budget(250, 400),  # with the inner life
    "long_term_memory": Budget(500, 800),
    "response_style": Budget(300, 500),
}
SHARED: Mapping[str, str] = {"situation": "relationship", "inner_life": "open_threads"}  # whose budget
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
    group: str = ""


class Content(Struct, frozen=True):
    prose: str = ""
    items: tuple[Item, ...] = ()
    source: str = ""

    def __bool__(self) -> bool:
        return bool(self.prose or self.items)


class Section(Struct, frozen=True):
    """One named, budgeted piece of a prompt. Its variants, for the moment of serving, hold `until` (as
    `slots.Option` has it); each is fitted by itself and the largest counts. `budget` None: never cut (rule
    4). A section that `shares` another's budget gets what that one leaves, and nothing when that one is cut.
    `render` takes a variant's index and content. `left_out` is what was not even tried, and why."""

    name: str
    render: Callable[[int, Content], str]
    variants: tuple[Content, ...]
    budget: Budget | None = None
    shares: str = ""
    until: tuple[int, ...] = ()
    left_out: tuple[tuple[Item, str], ...] = ()


class Omission(Struct, frozen=True):
    section: str
    item: str
    tokens: int
    rule: str


class FittedSection(Struct, frozen=True):
    """A section within its budget, by variants; `tokens` are the largest's. `capped` is what the hard cap
    alone keeps."""

    section: Section
    kept: tuple[Content, ...]
    texts: tuple[str, ...]
    tokens: int
    capped: tuple[Content, ...]


def fit_all(sections: Sequence[Section], limit: int, count: Count, *, beside: int = 0) -> list[FittedSection]:
    """Fit every section into its cap, and all of them into `limit` tokens. Sections that give way before
    working memory make room for its claim, `beside`; others never change because of it. What cannot give way
    stays, even above the limit: a configuration error, found when templates are loaded (rule 4)."""
    units = [_within_caps(unit, count) for unit in _units([_rendered_once(one) for one in sections])]
    _give_way(units, limit, count, beside)
    fitted = {one.section.name: one for unit in units for one in unit}
    return [fitted[section.name] for section in sections]


def dropped(fitted: Sequence[FittedSection], count: Count) -> list[Omission]:
    """Return what the prompt leaves out and why (rule 6); of variants, the first decides."""
    return [drop for one in fitted for drop in _dropped_from(one, count)]


def trim(prose: str, fits: Callable[[str], bool]) -> str:
    """Return the longest prefix that fits: whole, else to the end of a sentence, else of a word."""
    if fits(prose):
        return prose
    for pattern in (_SENTENCE_END, _WORD_END):
        cuts = [f"{prose[:end]}{ELLIPSIS}" for end in _ends(pattern, prose)]
        if kept := _longest(cuts, fits):
            return kept
    return ""


def sentences(prose: str) -> list[str]:
    """Cut after every sentence; joined again it is the same text."""
    ends = [0, *_ends(_SENTENCE_END, prose), len(prose)]
    return [prose[start:end] for start, end in pairwise(ends)]


def _rendered_once(section: Section) -> Section:
    """Remember what was rendered, by identity: a template costs more, and so does the hash of a long
    content."""
    # contents are kept, so that none takes the id of another
    rendered: dict[tuple[int, int], tuple[str, Content]] = {}

    def render(variant: int, content: Content) -> str:
        known = rendered.get((variant, id(content)))
        if known is None:
            known = rendered[variant, id(content)] = (section.render(variant, content), content)
        return known[0]

    return replace(section, render=render)


def _units(sections: Sequence[Section]) -> list[list[Section]]:
    names = {section.name for section in sections}
    units: dict[str, list[Section]] = {}
    for section in sorted(sections, key=lambda one: one.shares in names):
        units.setdefault(section.shares if section.shares in names else section.name, []).append(section)
    return sorted(units.values(), key=lambda unit: min(map(_gives_way, unit)))


def gives_way_later(name: str) -> bool:
    """Tell whether a section gives way after working memory, or never."""
    return name not in GIVES_WAY[: GIVES_WAY.index("working_memory")]


def _gives_way(section: Section) -> int:
    return GIVES_WAY.index(section.name) if section.name in GIVES_WAY else len(GIVES_WAY)


def _within_caps(unit: Sequence[Section], count: Count) -> list[FittedSection]:
    return _fit_unit(unit, [section.budget.cap if section.budget else 0 for section in unit], count)


def _give_way(units: list[list[FittedSection]], limit: int, count: Count, beside: int) -> None:
    sizes = list(map(_total, units))
    for n, unit in enumerate(units):
        steps = _shrinking(unit, count)
        room = limit if all(gives_way_later(one.section.name) for one in unit) else limit - beside
        while sum(sizes) > room and (smaller := next(steps, None)):
            units[n], sizes[n] = smaller, _total(smaller)


def _shrinking(unit: Sequence[FittedSection], count: Count) -> Iterator[list[FittedSection]]:
    """Yield steps that do not depend on the limit, so that a larger limit never keeps less."""
    sections = [one.section for one in unit]
    targets = [
        min(section.budget.target, section.budget.cap) if section.budget else 0 for section in sections
    ]
    caps = [section.budget.cap if section.budget else 0 for section in sections]
    for n in reversed(range(1, len(sections))):  # the last gives way first
        smaller = _fit_unit(sections, [*caps[:n], *targets[n:]], count)
        yield [replace(less, capped=one.capped) for less, one in zip(smaller, unit, strict=True)]
    smaller = _fit_unit(sections, targets, count)
    while True:
        yield [replace(less, capped=one.capped) for less, one in zip(smaller, unit, strict=True)]
        left = [n for n, one in enumerate(smaller) if any(one.kept)]
        if not left:
            return
        last = smaller[left[-1]]
        smaller[left[-1]] = _fitted(last.section, tuple(map(_one_less, last.kept)), count)


def _one_less(content: Content) -> Content:
    if content.items:
        return replace(content, items=content.items[:-1])
    sentences = _ends(_SENTENCE_END, content.prose.rstrip(ELLIPSIS))
    return replace(content, prose=content.prose[: sentences[-1]] + ELLIPSIS) if sentences else Content()


def _fit_unit(unit: Sequence[Section], budgets: Sequence[int], count: Count) -> list[FittedSection]:
    """Give nothing to the next once something of a section did not fit."""
    fitted: list[FittedSection] = []
    for section, budget in zip(unit, budgets, strict=True):
        whole = all(one.kept == one.section.variants for one in fitted)
        fitted.append(_fit(section, budget - _total(fitted) if whole else 0, count))
    return fitted


def _fit(section: Section, budget: int, count: Count) -> FittedSection:
    if section.budget is None:
        return _fitted(section, section.variants, count)

    def within(variant: int) -> Callable[[Content], bool]:
        return lambda content: _tokens(section.render(variant, content), count) <= budget

    kept = tuple(_keep(content, within(variant)) for variant, content in enumerate(section.variants))
    return _fitted(section, kept, count)


def _keep(content: Content, fits: Callable[[Content], bool]) -> Content:
    """Never skip an item and try the next, so that more budget never loses an item (rule 1)."""
    if fits(content):
        return content
    alone = replace(content, items=())
    if not fits(alone):
        prose = trim(content.prose, lambda text: fits(replace(alone, prose=text)))
        return replace(alone, prose=prose) if prose else Content()
    prefixes = [replace(content, items=content.items[:n]) for n in range(len(content.items))]
    return _longest(prefixes, fits) or Content()


def _longest(candidates: Sequence[_T], fits: Callable[[_T], bool]) -> _T | None:
    """Bisect `candidates`, which grow: rendering and counting cost."""
    low, high = 0, len(candidates)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if fits(candidates[middle]) else (low, middle)
    return candidates[low - 1] if low else None


def _fitted(section: Section, kept: tuple[Content, ...], count: Count) -> FittedSection:
    texts = tuple(section.render(variant, content) for variant, content in enumerate(kept))
    return FittedSection(section, kept, texts, max(_tokens(text, count) for text in texts), kept)


def _tokens(text: str, count: Count) -> int:
    return count(text + SEPARATOR) if text else 0


def _total(fitted: Sequence[FittedSection]) -> int:
    return sum([one.tokens for one in fitted])


def _ends(pattern: re.Pattern[str], text: str) -> list[int]:
    return [match.start() for match in pattern.finditer(text) if match.start() < len(text.rstrip())]


def _dropped_from(fitted: FittedSection, count: Count) -> Iterator[Omission]:
    section = fitted.section
    stages = (section.variants[0], fitted.capped[0], fitted.kept[0])
    for rule, before, after in zip((CAP_RULE, LIMIT_RULE), stages, stages[1:], strict=False):
        if before.prose != after.prose:
            rest = before.prose[len(after.prose.removesuffix(ELLIPSIS)) :]
            yield Omission(section.name, section.variants[0].source, count(rest), rule)
        for item in before.items[len(after.items) :]:
            yield Omission(section.name, item.source, count(item.text), rule)
    for item, reason in section.left_out:
        yield Omission(section.name, item.source, count(item.text), reason)
