"""How people say who they are, by language, from `phrases/*.toml`; `phrases/en.toml` says how to add a
language. Given names, the same in all, are in `phrases/given_names.txt`."""

import re
import tomllib
from collections.abc import Callable
from functools import cached_property
from importlib import resources
from typing import Any, Generic, TypeVar

from msgspec import Struct, convert

from voice_server.digest.language.word_lists import word_set
from voice_server.runtime.once import once

_T = TypeVar("_T")

_FOLDER = resources.files(__package__) / "phrases"
_NEVER_MET = "(?!)"
_BEFORE, _AFTER = r"(?:^|(?<=[\s,.;:!?¿¡\"('-]))", r"(?=$|[\s,.;:!?\"):-])"


class Apposition(Struct, frozen=True, forbid_unknown_fields=True):
    """What says of whom one speaks, behind the name: “Marta, my best friend”, not “Marta, my tap drips”."""

    whose: tuple[str, ...]
    persons: str
    things: str
    linking: str
    goes_on: str
    others: tuple[str, ...]
    directly: tuple[str, ...]

    def pattern(self) -> re.Pattern[str]:
        whose, others = "|".join(self.whose), "|".join(self.others)
        persons, things, linking, goes_on = (
            "|".join(words.split()) for words in (self.persons, self.things, self.linking, self.goes_on)
        )
        described = rf"(?:(?!(?:{linking})\b)[\w'-]+ ){{0,2}}(?:{persons})"
        anybody = rf"(?!(?:{things})(?:e?s)?\b)[\w'-]+"
        ends = rf"(?=\s*(?:[,.;:!?]|$)|\s+(?:{goes_on})\b)"
        return re.compile(rf"(?:(?:{whose}) (?:{described}|{anybody}){ends}|(?:{others}){_AFTER})")


class Phrases(Struct, frozen=True, forbid_unknown_fields=True):
    """A language's file. Phrases are regular expressions, in small letters, of whole words."""

    language: str
    at_sign: str
    dot: str
    stated: tuple[str, ...]
    introduced: tuple[str, ...]
    pointed: tuple[str, ...]
    closing: tuple[str, ...]
    booked: tuple[str, ...]
    nicknamed: tuple[str, ...]
    questions: tuple[str, ...]
    first_name: tuple[str, ...]
    last_name: tuple[str, ...]
    of_others: tuple[str, ...]
    not_theirs: tuple[str, ...]
    called_about: tuple[str, ...]
    asked_for: tuple[str, ...]
    with_letter: tuple[str, ...]
    confirmations: tuple[str, ...]
    agents: tuple[str, ...]
    houses: str
    spelled_as: tuple[str, ...]
    doubled: tuple[str, ...]
    courtesy: str
    academic: str
    particles: str
    yes: str
    no: str
    negated: tuple[str, ...]
    fillers: str
    follows: str
    of_oneself: str
    calling: str
    never: str
    seldom: str
    apposition: Apposition
    surnames: str = ""
    given_words: str = ""
    nouns_have_capitals: bool = False
    particles_have_capitals: bool = False
    once_more: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    spoken_of: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    on_account: tuple[str, ...] = ()
    places: str = ""
    owning: str = ""
    two_surnames: bool = False
    surname_alone: bool = False
    greetings: str = ""
    seldom_endings: tuple[str, ...] = ()
    preferred: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    hails: str = ""
    asks_after: tuple[str, ...] = ()
    inner_particles: str = ""
    named_before: tuple[str, ...] = ()
    then_greets: tuple[str, ...] = ()
    determiners: str = ""
    beside: str = ""
    endearments: str = ""
    somebody_else: tuple[str, ...] = ()
    at_a_desk: tuple[str, ...] = ()
    kin_of: tuple[str, ...] = ()
    put_under: tuple[str, ...] = ()
    articles: str = ""
    before_given: str = ""
    of_anybody: tuple[str, ...] = ()
    also_called: tuple[str, ...] = ()
    weddings: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    counterexamples: tuple[str, ...] = ()
    agent_examples: tuple[tuple[str, str], ...] = ()


def whole(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(f"{_BEFORE}(?:{'|'.join(phrases) or _NEVER_MET}){_AFTER}")


class _PhraseList(Generic[_T]):
    """Compiles the phrases of its own name when they are first looked for."""

    def __init__(self, make: Callable[[Any], _T]) -> None:
        self._make = make

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, lexicon: "Lexicon", _owner: type) -> _T:
        found: _T = self._make(getattr(lexicon.phrases, self._name))
        lexicon.__dict__[self._name] = found  # asked first from now on
        return found


class Lexicon:
    """A language's phrases, each list compiled when first looked for."""

    stated = _PhraseList(whole)
    introduced = _PhraseList(whole)
    pointed = _PhraseList(whole)
    closing = _PhraseList(whole)
    once_more = _PhraseList(whole)
    confirmed = _PhraseList(whole)
    places = _PhraseList(word_set)
    owning = _PhraseList(word_set)
    booked = _PhraseList(whole)
    nicknamed = _PhraseList(whole)
    preferred = _PhraseList(whole)
    renamed = _PhraseList(whole)
    weddings = _PhraseList(whole)
    given_words = _PhraseList(word_set)
    hails = _PhraseList(word_set)
    asks_after = _PhraseList(whole)
    inner_particles = _PhraseList(word_set)
    greetings = _PhraseList(word_set)
    named_before = _PhraseList(whole)
    then_greets = _PhraseList(whole)
    determiners = _PhraseList(word_set)
    beside = _PhraseList(word_set)
    endearments = _PhraseList(word_set)
    somebody_else = _PhraseList(whole)
    at_a_desk = _PhraseList(whole)
    kin_of = _PhraseList(whole)
    put_under = _PhraseList(whole)
    articles = _PhraseList(word_set)
    before_given = _PhraseList(word_set)
    of_anybody = _PhraseList(whole)
    also_called = _PhraseList(whole)
    questions = _PhraseList(whole)
    first_name = _PhraseList(whole)
    last_name = _PhraseList(whole)
    of_others = _PhraseList(whole)
    not_theirs = _PhraseList(whole)
    spoken_of = _PhraseList(whole)
    on_account = _PhraseList(whole)
    called_about = _PhraseList(whole)
    asked_for = _PhraseList(whole)
    with_letter = _PhraseList(whole)
    families = _PhraseList(whole)
    houses = _PhraseList(word_set)
    confirmations = _PhraseList(whole)
    agents = _PhraseList(whole)
    negated = _PhraseList(whole)
    courtesy = _PhraseList(word_set)
    academic = _PhraseList(word_set)
    particles = _PhraseList(word_set)
    yes = _PhraseList(word_set)
    no = _PhraseList(word_set)
    follows = _PhraseList(word_set)
    of_oneself = _PhraseList(word_set)
    calling = _PhraseList(word_set)
    seldom = _PhraseList(word_set)
    surnames = _PhraseList(word_set)

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    @cached_property
    def apposed(self) -> re.Pattern[str]:
        return self.phrases.apposition.pattern()

    @cached_property
    def apposed_directly(self) -> re.Pattern[str]:
        return whole(self.phrases.apposition.directly)

    @cached_property
    def things(self) -> frozenset[str]:
        return word_set(self.phrases.apposition.things)

    @cached_property
    def doubled(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(self.phrases.doubled)})[\s-]+(?P<letter>\w)(?:'?s)?\b")

    @cached_property
    def spelled_as(self) -> re.Pattern[str]:
        """A letter with its word: “S wie Siegfried”."""
        return re.compile(
            rf"\b(?P<letter>\w)(?:,? (?:{'|'.join(self.phrases.spelled_as)}) [^\W\d_]+)[.,]?(?=\s|$)"
        )

    @cached_property
    def said_address(self) -> re.Pattern[str]:
        """An e-mail address, said, written or between the two; its words are no names."""
        at, dot = ("|".join(words.split()) for words in (self.phrases.at_sign, self.phrases.dot))
        part = rf"\w+(?:(?: (?:{dot}) |[._-])\w+){{0,4}}"
        return re.compile(
            rf"\b{part}(?: (?:{at}|@) |@)[\w-]+(?:(?: (?:{dot}) |[.])[\w-]+){{1,4}}", re.IGNORECASE
        )

    @cached_property
    def fillers(self) -> frozenset[str]:
        return word_set(self.phrases.fillers) | self.yes

    @cached_property
    def titles(self) -> frozenset[str]:
        return self.courtesy | self.academic

    @cached_property
    def never(self) -> frozenset[str]:
        return word_set(self.phrases.never) | self.fillers | self.no | self.follows | self.calling

    def is_seldom(self, word: str) -> bool:
        """Tell whether a lower-case word is a name only where nothing else could stand."""
        endings = self.phrases.seldom_endings or ("\0",)
        return word in self.seldom or (word.endswith(endings) and not is_given(word))


def lexicon(language: str) -> Lexicon | None:
    """Return the phrases of a language (“de”, “de-AT”); None without a file."""
    tag = language.strip().lower().replace("_", "-").partition("-")[0]
    return _lexicon(tag) if tag in languages() else None


def says_address(text: str) -> bool:
    """Tell whether an e-mail address is said or written in any language: “anna at example dot com”."""
    return any(_lexicon(tag).said_address.search(text) for tag in languages())


@once
def _lexicon(tag: str) -> Lexicon:
    return Lexicon(read(tag))


@once
def languages() -> tuple[str, ...]:
    names = (path.name for path in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def read(language: str) -> Phrases:
    return convert(tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8")), Phrases)


def is_given(word: str) -> bool:
    """Tell whether a word, or the first half of “Jean-Luc”, is a given name."""
    plain = word.lower()
    return plain in given_names() or ("-" in plain and plain.partition("-")[0] in given_names())


@once
def given_names() -> frozenset[str]:
    """Return given names, in small letters, that are hardly ever words."""
    return word_set((_FOLDER / "given_names.txt").read_text(encoding="utf-8"))
