"""How people say who they are: the phrases of each language, out of `phrases/*.toml`.

A file that is added there is a language more; `phrases/en.toml` says how one is written. Given names, which
are the same whatever is spoken, are in `phrases/given_names.txt`.
"""

import re
import tomllib
from functools import cached_property
from importlib import resources

from msgspec import Struct, convert

from voice_server.digest.language.word_lists import word_set
from voice_server.runtime.once import once

_FOLDER = resources.files(__package__) / "phrases"
_NEVER_MET = "(?!)"
_BEFORE, _AFTER = r"(?:^|(?<=[\s,.;:!?¿¡\"('-]))", r"(?=$|[\s,.;:!?\"):-])"


class Phrases(Struct, frozen=True, forbid_unknown_fields=True):
    """What a language's file holds. Phrases are regular expressions, in small letters, of whole words."""

    language: str
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
    calling: str
    never: str
    seldom: str
    surnames: str = ""
    given_words: str = ""
    nouns_have_capitals: bool = False
    particles_have_capitals: bool = False
    seldom_endings: tuple[str, ...] = ()
    preferred: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    hails: str = ""
    endearments: str = ""
    somebody_else: tuple[str, ...] = ()
    at_a_desk: tuple[str, ...] = ()
    kin_of: tuple[str, ...] = ()
    before_given: str = ""
    of_anybody: tuple[str, ...] = ()
    weddings: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    counterexamples: tuple[str, ...] = ()
    agent_examples: tuple[tuple[str, str], ...] = ()


class Lexicon:
    """A language's phrases, each list compiled when it is first looked for."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases

    @cached_property
    def stated(self) -> re.Pattern[str]:
        return whole(self.phrases.stated)

    @cached_property
    def introduced(self) -> re.Pattern[str]:
        return whole(self.phrases.introduced)

    @cached_property
    def pointed(self) -> re.Pattern[str]:
        return whole(self.phrases.pointed)

    @cached_property
    def closing(self) -> re.Pattern[str]:
        return whole(self.phrases.closing)

    @cached_property
    def booked(self) -> re.Pattern[str]:
        return whole(self.phrases.booked)

    @cached_property
    def nicknamed(self) -> re.Pattern[str]:
        return whole(self.phrases.nicknamed)

    @cached_property
    def preferred(self) -> re.Pattern[str]:
        return whole(self.phrases.preferred)

    @cached_property
    def renamed(self) -> re.Pattern[str]:
        return whole(self.phrases.renamed)

    @cached_property
    def weddings(self) -> re.Pattern[str]:
        return whole(self.phrases.weddings)

    @cached_property
    def given_words(self) -> frozenset[str]:
        return word_set(self.phrases.given_words)

    @cached_property
    def hails(self) -> frozenset[str]:
        return word_set(self.phrases.hails)

    @cached_property
    def endearments(self) -> frozenset[str]:
        return word_set(self.phrases.endearments)

    @cached_property
    def somebody_else(self) -> re.Pattern[str]:
        return whole(self.phrases.somebody_else)

    @cached_property
    def at_a_desk(self) -> re.Pattern[str]:
        return whole(self.phrases.at_a_desk)

    @cached_property
    def kin_of(self) -> re.Pattern[str]:
        return whole(self.phrases.kin_of)

    @cached_property
    def before_given(self) -> frozenset[str]:
        return word_set(self.phrases.before_given)

    @cached_property
    def of_anybody(self) -> re.Pattern[str]:
        return whole(self.phrases.of_anybody)

    @cached_property
    def questions(self) -> re.Pattern[str]:
        return whole(self.phrases.questions)

    @cached_property
    def first_name(self) -> re.Pattern[str]:
        return whole(self.phrases.first_name)

    @cached_property
    def last_name(self) -> re.Pattern[str]:
        return whole(self.phrases.last_name)

    @cached_property
    def of_others(self) -> re.Pattern[str]:
        return whole(self.phrases.of_others)

    @cached_property
    def not_theirs(self) -> re.Pattern[str]:
        return whole(self.phrases.not_theirs)

    @cached_property
    def houses(self) -> frozenset[str]:
        return word_set(self.phrases.houses)

    @cached_property
    def confirmations(self) -> re.Pattern[str]:
        return whole(self.phrases.confirmations)

    @cached_property
    def agents(self) -> re.Pattern[str]:
        return whole(self.phrases.agents)

    @cached_property
    def negated(self) -> re.Pattern[str]:
        return whole(self.phrases.negated)

    @cached_property
    def doubled(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(self.phrases.doubled)})[\s-]+(?P<letter>\w)(?:'?s)?\b")

    @cached_property
    def spelled_as(self) -> re.Pattern[str]:
        """A letter with the word that says which: "S wie Siegfried"."""
        return re.compile(
            rf"\b(?P<letter>\w)(?:,? (?:{'|'.join(self.phrases.spelled_as)}) [^\W\d_]+)[.,]?(?=\s|$)"
        )

    @cached_property
    def courtesy(self) -> frozenset[str]:
        return word_set(self.phrases.courtesy)

    @cached_property
    def academic(self) -> frozenset[str]:
        return word_set(self.phrases.academic)

    @cached_property
    def particles(self) -> frozenset[str]:
        return word_set(self.phrases.particles)

    @cached_property
    def yes(self) -> frozenset[str]:
        return word_set(self.phrases.yes)

    @cached_property
    def no(self) -> frozenset[str]:
        return word_set(self.phrases.no)

    @cached_property
    def fillers(self) -> frozenset[str]:
        return word_set(self.phrases.fillers) | self.yes

    @cached_property
    def follows(self) -> frozenset[str]:
        return word_set(self.phrases.follows)

    @cached_property
    def calling(self) -> frozenset[str]:
        return word_set(self.phrases.calling)

    @cached_property
    def never(self) -> frozenset[str]:
        return word_set(self.phrases.never) | self.fillers | self.no | self.follows | self.calling

    @cached_property
    def seldom(self) -> frozenset[str]:
        return word_set(self.phrases.seldom)

    @cached_property
    def surnames(self) -> frozenset[str]:
        return word_set(self.phrases.surnames)

    def is_seldom(self, word: str) -> bool:
        """Whether a word, in small letters, is a name only where nothing else could stand."""
        endings = self.phrases.seldom_endings or ("\0",)
        return word in self.seldom or (word.endswith(endings) and not is_given(word))


def whole(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(f"{_BEFORE}(?:{'|'.join(phrases) or _NEVER_MET}){_AFTER}")


def lexicon(language: str) -> Lexicon | None:
    """The phrases of a language ("de" as well as "de-AT"); None for one that nobody wrote down."""
    tag = language.strip().lower().replace("_", "-").partition("-")[0]
    return _lexicon(tag) if tag in languages() else None


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
    """Whether a word, or the first half of one like "Jean-Luc", is a given name."""
    plain = word.lower()
    return plain in given_names() or ("-" in plain and plain.partition("-")[0] in given_names())


@once
def given_names() -> frozenset[str]:
    """Given names, in small letters, that are hardly ever words."""
    return word_set((_FOLDER / "given_names.txt").read_text(encoding="utf-8"))
