"""How people say who they are, by language, from `phrases/*.toml`; `phrases/en.toml` says how to add a
language. Given names, the same in all, are in `phrases/given_names.txt`."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import resources
from typing import Any

from msgspec import Struct, convert

from voice_server.digest.language.language_files import languages_in
from voice_server.digest.language.pattern import compiled
from voice_server.digest.language.word_lists import word_set
from voice_server.runtime.once import once

_FOLDER = resources.files(__package__) / "phrases"
_NEVER_MET = "(?!)"
_BEFORE, _AFTER = r"(?:^|(?<=[\s,.;:!?¿¡\"('-]))", r"(?=$|[\s,.;:!?\"):-])"


class Words(frozenset[str]):
    """A closed list of words, written as one text."""


class Cues:
    """Regular expressions of whole words, in small letters, compiled when first looked for."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self._phrases = phrases

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return compiled(f"{_BEFORE}(?:{'|'.join(self._phrases) or _NEVER_MET}){_AFTER}")

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self._pattern.search(text, *bounds)

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self._pattern.match(text, *bounds)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._pattern.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._pattern.finditer(text)

    def blanked(self, text: str) -> str:
        """Blank them out, at the same length."""
        return self._pattern.sub(lambda found: " " * len(found[0]), text)


_NO_CUES = Cues(())


class Apposition(Struct, frozen=True, forbid_unknown_fields=True):
    """What says of whom one speaks, behind the name: “Marta, my best friend”, not “Marta, my tap drips”."""

    whose: tuple[str, ...]
    persons: str
    things: str
    linking: str
    goes_on: str
    others: tuple[str, ...]
    directly: Cues

    def pattern(self) -> re.Pattern[str]:
        whose, others = "|".join(self.whose), "|".join(self.others)
        persons, things, linking, goes_on = (
            "|".join(words.split()) for words in (self.persons, self.things, self.linking, self.goes_on)
        )
        described = rf"(?:(?!(?:{linking})\b)[\w'-]+ ){{0,2}}(?:{persons})"
        anybody = rf"(?!(?:{things})(?:e?s)?\b)[\w'-]+"
        ends = rf"(?=\s*(?:[,.;:!?]|$)|\s+(?:{goes_on})\b)"
        return compiled(rf"(?:(?:{whose}) (?:{described}|{anybody}){ends}|(?:{others}){_AFTER})")


class Lexicon(Struct, dict=True, forbid_unknown_fields=True):
    """A language's file."""

    language: str
    at_sign: str
    dot: str
    stated: Cues
    introduced: Cues
    pointed: Cues
    closing: Cues
    booked: Cues
    nicknamed: Cues
    questions: Cues
    first_name: Cues
    last_name: Cues
    of_others: Cues
    not_theirs: Cues
    called_about: Cues
    asked_for: Cues
    with_letter: Cues
    confirmations: Cues
    agents: Cues
    houses: Words
    addresses: Words
    spelled_as: tuple[str, ...]
    doubled: tuple[str, ...]
    courtesy: Words
    academic: Words
    particles: Words
    yes: Words
    no: Words
    negated: Cues
    fillers: Words
    follows: Words
    of_oneself: Words
    calling: Words
    never: Words
    seldom: Words
    apposition: Apposition
    surnames: Words = Words()
    given_words: Words = Words()
    nouns_have_capitals: bool = False
    particles_have_capitals: bool = False
    presented: Cues = _NO_CUES
    once_more: Cues = _NO_CUES
    confirmed: Cues = _NO_CUES
    spoken_of: Cues = _NO_CUES
    families: Cues = _NO_CUES
    on_account: Cues = _NO_CUES
    places: Words = Words()
    owning: Words = Words()
    owned_surnames: Words = Words()
    articled: tuple[str, ...] = ()
    given_at_start: Words = Words()
    given_alone: Words = Words()
    telling: Cues = _NO_CUES
    guessing: Cues = _NO_CUES
    hesitations: Words = Words()
    recipients: Words = Words()
    acting: Cues = _NO_CUES
    two_surnames: bool = False
    surname_alone: bool = False
    greetings: Words = Words()
    seldom_endings: tuple[str, ...] = ()
    preferred: Cues = _NO_CUES
    renamed: Cues = _NO_CUES
    hails: Words = Words()
    asks_after: Cues = _NO_CUES
    inner_particles: Words = Words()
    named_before: Cues = _NO_CUES
    then_greets: Cues = _NO_CUES
    determiners: Words = Words()
    beside: Words = Words()
    endearments: Words = Words()
    somebody_else: Cues = _NO_CUES
    at_a_desk: Cues = _NO_CUES
    kin_of: Cues = _NO_CUES
    acquaintances: Cues = _NO_CUES
    put_under: Cues = _NO_CUES
    in_ones_name: Cues = _NO_CUES
    articles: Words = Words()
    goes_on: Words = Words()
    before_given: Words = Words()
    of_anybody: Cues = _NO_CUES
    of_a_thing: Cues = _NO_CUES
    anybodys: Words = Words()
    in_turn: Cues = _NO_CUES
    and_you: Cues = _NO_CUES
    also_called: Cues = _NO_CUES
    weddings: Cues = _NO_CUES
    retracted: Cues = _NO_CUES
    exclaims: Words = Words()
    asides: Cues = _NO_CUES
    households: Words = Words()
    origins: Words = Words()
    streets: tuple[str, ...] = ()
    pointing: Words = Words()
    roles: Words = Words()
    asks_who: Words = Words()
    examples: tuple[tuple[str, str], ...] = ()
    counterexamples: tuple[str, ...] = ()
    agent_examples: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        self.fillers = Words(self.fillers | self.yes)
        self.never = Words(self.never | self.fillers | self.no | self.follows | self.calling)

    @cached_property
    def apposed(self) -> re.Pattern[str]:
        return self.apposition.pattern()

    @cached_property
    def things(self) -> frozenset[str]:
        return word_set(self.apposition.things)

    @cached_property
    def persons(self) -> frozenset[str]:
        """Return who somebody may be to another, or in a house: “sister”, “volunteer”."""
        return self.roles | word_set(self.apposition.persons)

    @cached_property
    def doubled_letter(self) -> re.Pattern[str]:
        return compiled(rf"\b(?:{'|'.join(self.doubled)})[\s-]+(?P<letter>\w)(?:'?s)?\b")

    @cached_property
    def letter_by_word(self) -> re.Pattern[str]:
        """A letter with its word: “S wie Siegfried”."""
        return compiled(rf"\b(?P<letter>\w)(?:,? (?:{'|'.join(self.spelled_as)}) [^\W\d_]+)[.,]?(?=\s|$)")

    @cached_property
    def said_address(self) -> re.Pattern[str]:
        """An e-mail address, said, written or between the two; its words are no names."""
        at, dot = ("|".join(words.split()) for words in (self.at_sign, self.dot))
        part = rf"\w+(?:(?: (?:{dot}) |[._-])\w+){{0,4}}"
        return compiled(
            rf"\b{part}(?: (?:{at}|@) |@)[\w-]+(?:(?: (?:{dot}) |[.])[\w-]+){{1,4}}", re.IGNORECASE
        )

    @cached_property
    def said_at(self) -> re.Pattern[str]:
        """What every e-mail address has; found much sooner than a whole one."""
        return compiled(rf"@| (?:{'|'.join(self.at_sign.split())}) ", re.IGNORECASE)

    @cached_property
    def titles(self) -> frozenset[str]:
        return self.courtesy | self.academic

    @cached_property
    def leading(self) -> frozenset[str]:
        """Return what may stand before a name that is all of a remark: “oh, Mrs …”."""
        return self.fillers | self.titles

    def is_seldom(self, word: str) -> bool:
        """Tell whether a lower-case word is a name only where nothing else could stand."""
        endings = self.seldom_endings or ("\0",)
        return word in self.seldom or (word.endswith(endings) and not is_given(word))


def lexicon(language: str) -> Lexicon | None:
    """Return the phrases of a language (“de”, “de-AT”); None without a file."""
    tag = language.strip().lower().replace("_", "-").partition("-")[0]
    return read(tag) if tag in languages() else None


def says_address(text: str) -> bool:
    """Tell whether an e-mail address is said or written in any language: “anna at example dot com”."""
    return any(read(tag).said_address.search(text) for tag in languages())


@once
def languages() -> tuple[str, ...]:
    return languages_in(_FOLDER)


@once
def read(language: str) -> Lexicon:
    data = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return convert(data, Lexicon, dec_hook=_made)


def _made(kind: type, written: Any) -> Any:
    return kind(written.split() if kind is Words else written)


@once
def greetings_of_all() -> frozenset[str]:
    """Return the greetings that are known everywhere: a coach greets in the language that is learned."""
    return word_set((_FOLDER / "greetings.txt").read_text(encoding="utf-8"))


def is_given(word: str) -> bool:
    """Tell whether a word, or the first half of “Jean-Luc”, is a given name."""
    plain = word.lower()
    return plain in given_names() or ("-" in plain and plain.partition("-")[0] in given_names())


@once
def given_names() -> frozenset[str]:
    """Return given names, in small letters, that are hardly ever words."""
    return word_set((_FOLDER / "given_names.txt").read_text(encoding="utf-8"))
