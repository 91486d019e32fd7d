"""What was found in a conversation so far: secrets, and what was called something else."""

import functools
import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeVar, cast

from msgspec import Struct

from voice_server.digest.secrets.lexicon import Kind, Lexicon
from voice_server.digest.secrets.scan import Group, Run, Scan, Unit, read, scan
from voice_server.digest.secrets.situation_phrases import Mention, mentions, tells_topic

_T = TypeVar("_T")

Speaker = Literal["user", "agent"]
_WORDS = re.compile(r"[^\W\d_]+")
_HELD = frozenset(",.;:!?\"'。，、")


class Turn(NamedTuple):
    speaker: Speaker
    text: str


class KnownSecret(Struct, frozen=True):
    """A secret: its digits, or words in lower case, and the turns that said it."""

    kind: Kind
    value: str
    turns: tuple[int, ...] = ()


class Secrets(tuple[KnownSecret, ...]):  # noqa: SLOT001 (what is made of them stays with them)
    """A conversation's known secrets, looked through once for all texts."""

    @functools.cached_property
    def named(self) -> dict[tuple[Kind, str], KnownSecret]:
        return {(one.kind, one.value): one for one in self}

    @functools.cached_property
    def _made(self) -> dict[object, object]:
        return {}

    def once(self, make: Callable[[Sequence[KnownSecret]], _T]) -> _T:
        """Call `make` only the first time."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("_T", self._made[make])


class Span(NamedTuple):
    """A secret piece of a turn's folded text."""

    start: int
    end: int
    kind: Kind


class Scans:
    def __init__(self, words: Lexicon) -> None:
        self._words = words
        self._read: dict[tuple[str, bool], Scan] = {}
        self._mentions: dict[str, list[Mention]] = {}

    def of(self, text: str, *, answers: bool = False) -> Scan:
        found = self._read.get((text, answers))
        if found is None:
            found = self._read[text, answers] = scan(text, self._words, answers=answers)
        return found

    def in_full(self, text: str) -> Scan:
        """Read a text whatever is in it."""
        found = self.of(text, answers=True)
        return found if found.units else read(found.folded, self._words)

    def may_tell_topic(self, text: str) -> bool:
        """Tell whether a word is among a text that may be of a lock, a login or a card."""
        said = _WORDS.findall(self.of(text).folded.text)
        return not self._words.anchors.isdisjoint(said) or any(map(tells_topic, said))

    def mentions(self, text: str) -> list[Mention]:
        if text not in self._mentions:
            self._mentions[text] = mentions(self.of(text).folded.text)
        return self._mentions[text]


class Findings:
    def __init__(self, turns: Sequence[Turn], known: Sequence[KnownSecret], scans: Scans) -> None:
        self.turns = turns
        self.scans = [scans.of(turn.text) for turn in turns]
        self.spans: list[list[Span]] = [[] for _ in turns]
        self._given = known if isinstance(known, Secrets) else Secrets(known)
        self._new: dict[tuple[Kind, str], KnownSecret] = {}
        self._stays: set[tuple[int, int]] = set()

    def take(self, number: int, groups: Sequence[Group], kind: Kind) -> None:
        """Take digits as secret; `remember` must be told their value."""
        units = self.scans[number].units
        self.spans[number].append(Span(units[groups[0].first].start, units[groups[-1].last].end, kind))

    def take_words(self, number: int, start: int, end: int, kind: Kind) -> bool:
        """Take and remember units, without punctuation at the end. Return False when none are left, or a mark
        is among them."""
        units = self.scans[number].units
        while end > start and not _holds(units[end - 1]):
            end -= 1
        if end <= start or any(unit.mark for unit in units[start:end]):
            return False
        self.take_text(number, units[start].start, units[end - 1].end, kind)
        return True

    def take_text(self, number: int, start: int, end: int, kind: Kind) -> None:
        """Take and remember a piece of the folded text."""
        self.spans[number].append(Span(start, end, kind))
        written = self.scans[number].folded.text[start:end]
        self.remember(kind, re.sub(r"\W", "", written) if kind == "IBAN" else written, number)

    def remember(self, kind: Kind, value: str, *turns: int) -> None:
        before = self._new.get((kind, value)) or self._given.named.get((kind, value))
        said = {*(before.turns if before else ()), *turns}
        self._new[kind, value] = KnownSecret(kind, value, tuple(sorted(said)))

    @property
    def known(self) -> Secrets:
        """What was known before or is new; the same object when nothing is new."""
        return Secrets({**self._given.named, **self._new}.values()) if self._new else self._given

    def leave(self, number: int, run: Run) -> None:
        """Keep digits that were called something that is no secret."""
        self._stays.add((number, run.first))

    def stays(self, number: int, run: Run) -> bool:
        return (number, run.first) in self._stays


def _holds(unit: Unit) -> bool:
    return unit.is_word or unit.text not in _HELD
