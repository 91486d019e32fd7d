"""How people ask for something not to be remembered, by language, from `forget/*.toml`; `forget/en.toml` says
how to add a language. `reach` decides what the wishes mean."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import resources
from typing import Literal, NamedTuple

from msgspec import Struct, convert

from voice_server.digest.language.alternation import Alternation
from voice_server.digest.language.manner import LANGUAGES, common_words
from voice_server.digest.language.pattern import NEVER, compiled
from voice_server.digest.language.stems import FUNCTION_WORDS, words
from voice_server.digest.language.word_lists import word_set
from voice_server.digest.privacy.plain_text import (
    ANY_GAP,
    BEGINS,
    ENDS,
    GAP,
    ONE_WORD,
    PlainText,
    Scanner,
    folded,
    folded_pattern,
    whole_words,
)
from voice_server.digest.privacy.plainly import PlainPhrases, PlainWish
from voice_server.runtime.once import once
from voice_server.runtime.remembered_checks import RememberedChecks

Reach = Literal["whole", "before", "here", "ahead", "topic", "known topic", "topic alone", "entry"]
_POINTING: tuple[Reach, ...] = ("whole", "before", "here", "ahead")
_LED_BY = r"(?:[ ,~|;:%@#][^ ,.~!|;:%@#]+){0,5}[ ,~|;:%@#]?$"  # “It's a surprise, so if she rings, …”
_STOP = re.compile(r"[.!]")  # between two sentences of a plain text
_MACRO = re.compile(r"\{([a-z_]+)\}")
_TOLD = {" ": ":", ";": "%"}  # after who tells
_SAID = "S"  # a capital is no letter of a plain text
_TOLD_BEFORE = re.compile(f"{_SAID}+")
_DEEPEST = 10  # phrases within phrases
_PUNCTUATION = re.compile(r"[.,;:!?…]")
_ANY_WORD = re.compile(r"\S+")
_SENTENCE_OF = re.compile(r"[^.!?;…]+[.!?;…]?")
_STUTTERED = re.compile(
    r"\b([\w']{1,12}(?: [\w']{1,12})?)[ ,…-]{1,4}(?=\1\b)", re.IGNORECASE
)  # “that, that's”
_FIRST, _LAST = 4, 6  # words, of a turn and at its end
_NAMED, _REST = 2, 9  # the same, behind what was told before: “that thing of Martin's delete it”
_SENTENCE = 3  # words of a wish that nothing parts from what is told before
_FIRST_COMMAS = re.compile(r"(?<=\w), ")
_LONGEST_OPENER = 40  # characters
_CONNECTORS = 3  # "and so now": as many
_BEHIND = 3  # words behind "about" that may name it
_NAMING = 3  # letters of a word that names something
_ENDING = 4  # letters that a word may have behind a hint: "delet", "deleted"


class Wish(NamedTuple):
    """A wish in a text. `topic` is `""` when it names none; `language` is ISO 639-1."""

    reaches: Reach
    start: int
    end: int
    topic: str = ""
    language: str = ""


class WishGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """Ways of saying one thing. Nothing is wished where `unless` is met in the text, `unless_then` from the
    match to its sentence's end, or `unless_beside` there or just before the match."""

    name: str
    reaches: Reach
    patterns: tuple[str, ...]
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...] = ()
    unless: str = ""
    unless_beside: str = ""
    unless_then: str = ""


class Reasons(Struct, frozen=True, forbid_unknown_fields=True):
    """Sentences beside a wish that tell nothing: reasons and regret."""

    patterns: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()


class GrantPhrases(Struct, frozen=True, forbid_unknown_fields=True):
    """How an agent agrees to forget something. What is `sealed` says so itself, whatever was asked, unless it
    is asked `again`, or about a `surprise` or one of the `presents` that the user spoke of just before. An
    agent plays dumb who asks with one of the `dumb` words for what was just said, and is not told: the user
    is `pleased`."""

    leads: str
    sealed: tuple[str, ...]
    surely: tuple[str, ...]
    perhaps: tuple[str, ...]
    pointing: str
    again: str
    surprise: str
    presents: tuple[str, ...]
    dumb: str
    pleased: str
    sealed_examples: tuple[str, ...]
    examples: tuple[str, ...]
    perhaps_examples: tuple[str, ...]
    counterexamples: tuple[str, ...]


class ForgetFile(Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    hints: tuple[str, ...]
    please: tuple[str, ...]
    wishes: tuple[WishGroup, ...]
    spaced: bool = True
    fillers: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    connectors: tuple[str, ...] = ()
    contrasts: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()
    tellers: str = ""
    negations: str = ""
    leads_on: str = ""
    asked: str = ""
    denied: str = ""
    said_before: str = ""
    no_secret: str = ""
    acknowledgements: str = ""
    agreeing: str = ""
    beside_agreeing: str = ""
    denying: str = ""
    excuses: Reasons = Reasons()
    granted: GrantPhrases | None = None
    plainly: PlainPhrases | None = None
    no_topic: str = ""
    points_back: str = ""
    points_ahead: str = ""
    earlier: str = ""
    told_before: str = ""
    this_call: str = ""
    about: str = ""
    own: str = ""
    names: str = ""
    numbers: str = ""
    errands: str = ""
    pronouns: str = ""
    keeping: str = ""
    kept_after_all: str = ""
    doubting: str = ""
    by_a_part: str = ""
    by_a_part_then: str = ""
    whose: str = ""
    other_ones: str = ""
    selves: str = ""
    there: str = ""
    about_it: str = ""
    corrected: str = ""
    phrases: dict[str, str] = {}


class _Expression(NamedTuple):
    reaches: Reach
    pattern: Alternation
    unless: Alternation
    unless_beside: Alternation
    unless_before: Alternation
    unless_then: Alternation


class Language:
    """A language's patterns, compiled when first looked for."""

    def __init__(self, file: ForgetFile, tag: str = "") -> None:
        self.file = file
        self.tag = tag
        self._hints = tuple(folded(hint) for hint in file.hints)
        self._ascii_hints = tuple(hint for hint in self._hints if hint.isascii())
        self.selves = word_set(file.selves)
        self.there = word_set(file.there)
        self.about_it = word_set(file.about_it)
        self.names = word_set(file.names)
        self.numbers = frozenset(words(file.numbers.replace("_", " ")))
        self.other_ones = word_set(file.other_ones)
        self._abouts = word_set(file.about)
        self._no_topic = word_set(file.no_topic) | FUNCTION_WORDS
        numbers = _or([number.replace("_", " ") for number in word_set(file.numbers)])
        self._macros = {**file.phrases, **_boundaries(file), "numbers": f"(?:{numbers})"}

    def hints_at(self, low: str) -> bool:
        """Tell whether a folded text has a word without which nothing is wished."""
        return any(hint in low for hint in (self._ascii_hints if low.isascii() else self._hints))

    def plain(self, line: str) -> PlainText:
        return self._scanner.plain(line)

    def wishes(self, line: str) -> Iterator[Wish]:
        plain = self.plain(line)
        found = [wish for expression in self._expressions for wish in self._met(expression, plain)]
        yield from found
        if not any(wish.reaches in _POINTING for wish in found):
            last = [*self._wished_at_last(line)]
            yield from last or self._wished_plainly(line)

    def _wished_plainly(self, line: str) -> Iterator[Wish]:
        for one in _SENTENCE_OF.finditer(line):
            if self.is_plain_wish(one[0]):
                yield Wish("before", one.start(), one.end(), "", self.tag)

    def is_plain_wish(self, sentence: str) -> bool:
        """Tell whether a sentence is a wish in plain words, and nothing else."""
        plainly = self._plainly
        return plainly is not None and plainly.is_in(sentence, lambda: self.refers(sentence))

    def _wished_at_last(self, line: str) -> Iterator[Wish]:
        """Read the last words of an unpunctuated turn: “… but we hardly talk well forget that”."""
        if not self.file.spaced or _PUNCTUATION.search(line):
            return
        yield from self._wished_of_told(line)
        for place in _last_words(line, _FIRST, _LAST):
            before = folded(line[max(0, place - _LONGEST_OPENER) : place])
            if self._begins_anew.search(before):
                yield from _moved(self._pointing_in(line[place:]), place)
            elif self.file.leads_on and not self._leads_on.search(before):
                wishes = self._is_all_of(line[place:])
                yield from _moved((one for one in wishes if one.reaches == "before"), place)

    def _is_all_of(self, tail: str, least: int = _SENTENCE) -> Iterator[Wish]:
        """Yield a wish that is all of the last words: “… nine thousand in debts please forget that”."""
        for wish in self._pointing_in(tail):
            behind = folded(tail[wish.end :]).strip()
            ends = not behind or self._please.fullmatch(behind) or set(words(behind)) <= acknowledgements()
            if wish.start == 0 and ends and len(tail.split()) >= least:
                yield wish

    def _wished_of_told(self, line: str) -> Iterator[Wish]:
        """Read what follows that which was told before: “the address I gave you scrub that”."""
        places = _last_words(line, _NAMED, _REST) if self.refers(line) else ()
        for place in places:
            if self.refers(line[:place]):
                yield from _moved(self._is_all_of(line[place:], 1), place)

    def _pointing_in(self, tail: str) -> Iterator[Wish]:
        plain = self.plain(tail)
        return (wish for one in self._pointing for wish in self._met(one, plain))

    def matches(self, group: WishGroup, pattern: str, lines: Sequence[str]) -> bool:
        expression = self._expression(group, [pattern])
        return any(True for line in lines for _ in self._met(expression, self.plain(line)))

    def told(self, text: str) -> str:
        return text if self.file.spaced else self._around.sub("", text)

    def excuses(self, sentence: str) -> bool:
        return bool(self._excuses.search(self.plain(sentence).text))

    def begin_of_excuse(self, sentence: str) -> int | None:
        plain = self.plain(sentence)
        found = self._excuses.search(plain.text)
        return None if found is None else plain.place(found.start())

    def explains(self, pattern: str, sentences: Sequence[str]) -> bool:
        expression = compiled(self._expanded(pattern))
        return any(expression.search(self.plain(sentence).text) for sentence in sentences)

    def points_back(self, line: str) -> bool:
        text = self.plain(line).text
        return bool(self._back.search(text)) and not self._ahead.search(text)

    def asks_on(self, said: str) -> bool:
        """Tell whether a question is about what was just told: “Does that worry you?”"""
        asked = words(said[said[:-1].rfind(".") + 1 :]) if said.endswith("?") else ()
        return not self.about_it.isdisjoint(asked)

    def points_away(self, line: str) -> bool:
        text = self.plain(line).text
        return bool(self._back.search(text) or self._ahead.search(text))

    def is_of_earlier(self, line: str) -> bool:
        return any(self._earlier.search(text) for text in (folded(line), self.plain(line).text))

    def tells_only_when(self, line: str) -> bool:
        """Tell so of “It was last week.”, not of “Ben came yesterday.”"""
        low = folded(line)
        rest = self._earlier.sub(" ", low)
        return rest != low and not self.naming(rest)

    def refers(self, line: str) -> bool:
        """Tell whether a line speaks of something as told before: “that thing of my brother's”, “the address
        I gave you”."""
        plain = self.plain(line)
        told = [plain.original(*said.span()) for said in _TOLD_BEFORE.finditer(plain.text)]
        if told and (self.about(line) or self.is_of_earlier(line) or any(map(self.subject, told))):
            return True
        return bool(self._told_before.search(plain.text))

    def is_of_this_call(self, line: str) -> bool:
        return bool(self._this_call.search(folded(line)))

    def told_another_time(self, line: str) -> bool:
        return bool(self._told_before.search(self.plain(line).text)) and self.is_of_earlier(line)

    def subject(self, said: str) -> list[str]:
        """Return the words that name what is spoken of: neither common words nor those of a wish."""
        return [word for word in self.naming(said) if len(word) >= _NAMING and not self._is_common(word)]

    def about(self, said: str) -> list[str]:
        """Return the words that name what is spoken of: “what I told you about my brother”."""
        told = words(whole_words(said))
        behind = (told[n + 1 : n + 1 + _BEHIND] for n, word in enumerate(told) if word in self._abouts)
        return [word for few in behind for word in self.subject(" ".join(few))]

    def _is_common(self, word: str) -> bool:
        low = folded(word)
        return low in self._common or any(
            low.startswith(hint) and len(low) <= len(hint) + _ENDING for hint in self._short_hints
        )

    def is_of_own(self, line: str) -> bool:
        return bool(self._own.search(self.plain(line).text))

    def prepare(self) -> None:
        _ = self._expressions, self._scanner, self._plainly
        self.excuses("")
        self.told("")
        self.told_another_time("")
        self.is_of_this_call("")
        self.is_of_earlier("")
        self.refers("")
        self.subject("")

    def _met(self, expression: _Expression, plain: PlainText) -> Iterator[Wish]:
        if expression.unless.search(plain.text):
            return
        for match in expression.pattern.finditer(plain.text):
            is_corrected = expression.reaches == "before" and self._corrected.match(plain.text, match.end())
            before, rest = _sentence(match)
            is_other = expression.unless_then.search(rest) or expression.unless_beside.search(rest)
            is_other = is_other or expression.unless_before.search(before)
            if not (is_corrected or is_other or _is_no_name(match, plain)):
                yield self._wish(expression.reaches, match, plain)

    def _wish(self, reaches: Reach, match: re.Match[str], plain: PlainText) -> Wish:
        group = next((one for one in ("topic", "name") if one in match.re.groupindex), None)
        topic = plain.original(*match.span(group)) if group else ""
        start, end = plain.place(match.start()), plain.place(match.end())
        return Wish(reaches, start, end, self._named(topic), self.tag)

    def _named(self, topic: str) -> str:
        return " ".join(self.naming(topic))

    def naming(self, said: str) -> list[str]:
        """Return the words that say something, in the order said."""
        return [word for word in words(whole_words(said)) if word not in self._no_topic]

    @cached_property
    def _scanner(self) -> Scanner:
        return Scanner(
            _words(self.file.please, self.file), _words(self.file.fillers, self.file), self._marked
        )

    def _marked(self, text: str) -> str:
        if not self.file.spaced:
            return text
        text = self._openers.sub(_then("|"), text)
        for _ in range(_CONNECTORS):
            text = self._connectors.sub(_then("|"), text)
        text = self._contrasts.sub(_then("|"), text)
        text = self._asked.sub(_then("@"), self._closers.sub(";", text))
        text = self._tellers.sub(lambda told: told[1] + _TOLD[told[2]], text)
        return self._said_before.sub(_one_word, self._denied.sub(_then("#"), text))

    @cached_property
    def _openers(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"\b((?:{_or(self.file.openers)}))[ ,]"))

    @cached_property
    def _connectors(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"((?:^|(?<=[.~!|]))(?:{_or(self.file.connectors)}))[ ,]"))

    @cached_property
    def _contrasts(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"((?<=[ ,])(?:{_or(self.file.contrasts)}))[ ]"))

    @cached_property
    def _asked(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"\b({self.file.asked or NEVER})[ ;]"))

    @cached_property
    def _denied(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"\b({self.file.denied or NEVER})[ ,;:|%]"))

    @cached_property
    def _said_before(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"\b{self.file.said_before}\b" if self.file.said_before else NEVER))

    @cached_property
    def _tellers(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"\b((?:{_or(self.file.tellers.split())}))([ ;])"))

    @cached_property
    def _closers(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"[ ](?=(?:{_or(self.file.closers)})\b)"))

    @cached_property
    def _around(self) -> re.Pattern[str]:
        return compiled(_words((*self.file.please, *self.file.fillers, *self.file.openers), self.file))

    @cached_property
    def _excuses(self) -> re.Pattern[str]:
        return compiled(self._expanded(_any_of(self.file.excuses.patterns)))

    @cached_property
    def _back(self) -> re.Pattern[str]:
        return compiled(self._expanded(self.file.points_back or NEVER))

    @cached_property
    def _ahead(self) -> re.Pattern[str]:
        return compiled(self._expanded(self.file.points_ahead or NEVER))

    @cached_property
    def _earlier(self) -> re.Pattern[str]:
        return compiled(self._expanded(rf"\b(?:{self.file.earlier or NEVER})\b"))

    @cached_property
    def _told_before(self) -> re.Pattern[str]:
        return compiled(self._expanded(self.file.told_before or NEVER))

    @cached_property
    def _this_call(self) -> re.Pattern[str]:
        return compiled(rf"\b(?:{folded_pattern(self.file.this_call or NEVER)})\b")

    @cached_property
    def _common(self) -> frozenset[str]:
        spoken = common_words(self.tag) if self.tag in LANGUAGES else frozenset()
        around = no_secret() | acknowledgements() | self._no_topic
        return frozenset(folded(word) for one in spoken | around for word in (one, whole_words(one)))

    @cached_property
    def _short_hints(self) -> tuple[str, ...]:
        return tuple(hint for hint in self._hints if len(hint) >= _NAMING and " " not in hint)

    @cached_property
    def _corrected(self) -> re.Pattern[str]:
        return compiled(self._expanded(f"{{any_gap}}{{0,2}}(?:{self.file.corrected or NEVER})\\b"))

    @cached_property
    def _own(self) -> re.Pattern[str]:
        return compiled(rf"\b(?:{self.file.own or NEVER})\b")

    @cached_property
    def _begins_anew(self) -> re.Pattern[str]:
        return compiled(rf"(?<!\w)(?:{folded_pattern(_or((*self.file.openers, *self.file.fillers)))})\s+$")

    @cached_property
    def _please(self) -> re.Pattern[str]:
        return compiled(_words(self.file.please, self.file))

    @cached_property
    def _leads_on(self) -> re.Pattern[str]:
        said = f"{self.file.leads_on} {self.file.tellers} {self.file.negations}".split()
        return compiled(rf"(?<!\w)(?:{folded_pattern(_or(said))})\s+$")

    @cached_property
    def _plainly(self) -> PlainWish | None:
        file = self.file
        said = " ".join((*file.please, *file.fillers, *file.openers, *file.connectors, file.acknowledgements))
        return PlainWish(file.plainly, frozenset(map(folded, words(said)))) if file.plainly else None

    @cached_property
    def _pointing(self) -> tuple[_Expression, ...]:
        return tuple(one for one in self._expressions if one.reaches in _POINTING)

    @cached_property
    def _expressions(self) -> tuple[_Expression, ...]:
        return tuple(
            self._expression(group, patterns)
            for group in self.file.wishes
            for patterns in ([[one] for one in group.patterns] if _names(group) else [group.patterns])
        )

    def _expression(self, group: WishGroup, patterns: Sequence[str]) -> _Expression:
        return _Expression(
            group.reaches,
            Alternation([self._expanded(pattern) for pattern in patterns]),
            Alternation([self._expanded(group.unless)] if group.unless else []),
            Alternation([self._expanded(group.unless_beside)] if group.unless_beside else []),
            Alternation(
                [self._expanded(f"(?:{group.unless_beside}){_LED_BY}")] if group.unless_beside else []
            ),
            Alternation([self._expanded(group.unless_then)] if group.unless_then else []),
        )

    def _expanded(self, pattern: str) -> str:
        for _ in range(_DEEPEST):
            pattern = _MACRO.sub(lambda macro: f"(?:{self._macros[macro[1]]})", pattern)
        spaced = re.sub(r" (?![^\[]*\])", GAP, pattern)
        return folded_pattern(spaced).replace("'", "(?:'|[ ])?")


def languages() -> tuple[Language, ...]:
    return _languages()


@once
def by_a_part() -> re.Pattern[str]:
    """Find what tells which number is meant by a part of it: “with 0151, the one” of my husband."""
    files = [one.file for one in languages() if one.file.by_a_part]
    leads, whose = (
        "|".join(said) for said in ([one.by_a_part for one in files], [one.whose for one in files])
    )
    then = "|".join(one.by_a_part_then for one in files if one.by_a_part_then)
    return re.compile(rf",?\s+(?:{leads}) \d{{2,}}(?: (?:{then}))?(?:,? (?:{whose}))?")


@once
def _errands() -> re.Pattern[str]:
    said = "|".join(folded_pattern(one.file.errands) for one in languages() if one.file.errands)
    return compiled(rf"(?:{said})")


def asks_for_something(sentence: str) -> bool:
    """Tell whether a sentence asks for something to be done: “And remind me on Friday.”"""
    return _errands().match(folded(sentence).strip()) is not None


def behind_request(sentence: str) -> str:
    """Return what a sentence says behind the words that ask for something, or all of it."""
    found = _errands().match(folded(sentence.strip()))
    return sentence.strip()[found.end() :] if found else sentence


@once
def _keeping() -> re.Pattern[str]:
    return _beginning([one.file.keeping for one in languages()])


@once
def _kept_after_all() -> re.Pattern[str]:
    return _beginning([one.file.kept_after_all for one in languages()])


def _beginning(said: Iterable[str]) -> re.Pattern[str]:
    patterns = "|".join(folded_pattern(one) for one in said if one)
    return compiled(rf"(?:{patterns})(?=\s*(?:$|[.,!;]))")


def says_to_keep(line: str) -> bool:
    """Tell whether a sentence takes a wish back: “Oh no, keep it.”, not “Keep it to yourself.”"""
    return any(_keeping().match(said) for said in _read_in_all_ways(line))


def keeps_after_all(line: str) -> bool:
    """Tell whether it does so in answer to “Should I really?”: “No, leave it.”"""
    return any(_kept_after_all().match(said) for said in _read_in_all_ways(line))


def _read_in_all_ways(line: str) -> Iterator[str]:
    """Yield its sentences, without the first commas: “hm, no, keep it” and “hm no keep it”."""
    for sentence in _SENTENCE_OF.findall(line):
        said = folded(sentence).strip()
        yield said
        yield from (_FIRST_COMMAS.sub(" ", said, count=count) for count in range(1, _CONNECTORS + 1))


def pronouns() -> frozenset[str]:
    """Return the words that may point back to a secret."""
    return _all_words("pronouns")


def doubting() -> frozenset[str]:
    """Return the words with which an agent asks whether it really should."""
    return _all_words("doubting")


def hinting(line: str) -> tuple[Language, ...]:
    low = folded(line)
    return tuple(language for language in languages() if language.hints_at(low))


def find(line: str) -> tuple[Wish, ...]:
    return _found(line) if _wishes.of(line) else ()


def _found(line: str) -> tuple[Wish, ...]:
    found = _said_in(line)
    once = _STUTTERED.sub(lambda said: " " * len(said[0]), line)
    return found or (_said_in(once) if once != line else ())


def _said_in(line: str) -> tuple[Wish, ...]:
    return tuple(wish for language in hinting(line) for wish in language.wishes(line))


# A call is read when it comes in, for its digest, its index and its day; and hardly any turn wishes this.
_wishes = RememberedChecks(lambda line: bool(_found(line)), 10_000)


def points_back(line: str) -> bool:
    """Tell whether a wish speaks only of what was said before (“that”). What may speak of either (“das”,
    “ça”, “it”) does not."""
    return any(language.points_back(line) for language in hinting(line))


def points_away(line: str) -> bool:
    """Tell whether a wish speaks of what was said before (“that”), or will be said (“something”)."""
    return any(language.points_away(line) for language in hinting(line))


def is_of_earlier(line: str, tag: str) -> bool:
    """Tell whether a line in this language speaks of another time: “hier” is yesterday in French, here in
    German."""
    return any(language.is_of_earlier(line) for language in languages() if language.tag == tag)


def of_language(tag: str) -> Language | None:
    return next((language for language in languages() if language.tag == tag), None)


def is_of_own(line: str) -> bool:
    """Tell whether a wish is about something of the speaker's own."""
    return any(language.is_of_own(line) for language in hinting(line))


def speaks_of_name(line: str) -> bool:
    """Tell whether a line has a word for a name, or for being called."""
    said = words(line)
    return any(not language.names.isdisjoint(said) for language in languages())


def begins_own_clause(said: Sequence[str], tag: str) -> bool:
    """Tell whether these words of a wish begin what somebody goes on to say of themselves: “… Ben I”."""
    return any(language.tag == tag and not language.selves.isdisjoint(said) for language in languages())


def speaks_of_place_told(said: Sequence[str], tag: str) -> bool:
    """Tell whether these words speak of a place that was told before: “… anyone I lived there”."""
    return any(language.tag == tag and not language.there.isdisjoint(said) for language in languages())


def is_excuse(sentence: str) -> bool:
    """Tell whether a sentence only says why something should be forgotten, or regrets it."""
    return any(language.excuses(sentence) for language in languages())


def before_excuse(sentence: str) -> str:
    """Return what is told before it: “they're separating but I shouldn't have told you that”."""
    starts = (language.begin_of_excuse(sentence) for language in languages())
    return sentence[: min((start for start in starts if start is not None), default=len(sentence))]


def told(text: str) -> str:
    """Drop what is said around a wish, in languages whose words are not spaced."""
    for language in languages():
        text = language.told(text)
    return text


def no_secret() -> frozenset[str]:
    """Return words of all languages that tell no secret beside a wish."""
    return _all_words("no_secret") | _spoken_around()


def acknowledgements() -> frozenset[str]:
    return _all_words("acknowledgements")


def agreeing() -> frozenset[str]:
    return _all_words("agreeing")


def agreed_words() -> frozenset[str]:
    """Return what may stand in a sentence that only agrees."""
    return agreeing() | _all_words("beside_agreeing")


def denying() -> frozenset[str]:
    return _all_words("denying")


@once
def _languages() -> tuple[Language, ...]:
    files = sorted(resources.files(__package__).joinpath("forget").iterdir(), key=lambda file: file.name)
    named = ((file, file.name.removesuffix(".toml")) for file in files if file.name.endswith(".toml"))
    return tuple(Language(read(file.read_text("utf-8")), tag) for file, tag in named)


def read(text: str) -> ForgetFile:
    """Raise msgspec.ValidationError for what does not belong in a file."""
    return convert(tomllib.loads(text), ForgetFile)


@once
def _all_words(
    field: Literal[
        "no_secret", "acknowledgements", "agreeing", "beside_agreeing", "denying", "doubting", "pronouns"
    ],
) -> frozenset[str]:
    return frozenset().union(*(word_set(getattr(language.file, field)) for language in languages()))


@once
def _spoken_around() -> frozenset[str]:
    files = [language.file for language in languages()]
    phrases = (
        phrase for file in files for phrase in (*file.please, *file.fillers, *file.openers, *file.connectors)
    )
    return frozenset().union(*map(word_set, phrases))


def _last_words(line: str, first: int, last: int) -> Iterator[int]:
    starts = [word.start() for word in _ANY_WORD.finditer(line)]
    yield from starts[max(first, len(starts) - last) :]


def _moved(wishes: Iterable[Wish], by: int) -> Iterator[Wish]:
    return (one._replace(start=one.start + by, end=one.end + by) for one in wishes)


def _one_word(match: re.Match[str]) -> str:
    """Keep the length: written out, the clause costs most of a pattern's size."""
    return _SAID * len(match[0])


def _then(mark: str) -> Callable[[re.Match[str]], str]:
    return lambda found: found[1] + mark


def _sentence(match: re.Match[str]) -> tuple[str, str]:
    """Return what stands before a match in its sentence, and the rest, from the match on."""
    text, start = match.string, match.start()
    begin = max((stop.end() for stop in _STOP.finditer(text, 0, start)), default=0)
    stop = _STOP.search(text, match.end())
    return text[begin:start], text[start : stop.start() if stop else len(text)]


def _names(group: WishGroup) -> bool:
    return group.reaches not in _POINTING


def _is_no_name(match: re.Match[str], plain: PlainText) -> bool:
    """“Delete Renato's number”, not “yesterday's”: what stands for a `name` has a capital."""
    if "name" not in match.re.groupindex:
        return False
    return not plain.original(*match.span("name"))[:1].isupper()


def _boundaries(file: ForgetFile) -> Mapping[str, str]:
    """`forget/en.toml` explains most of them."""
    edge = r"\b" if file.spaced else ""
    negations = "|".join(word.replace("'", "'?") for word in word_set(file.negations))
    few = f"(?:(?!(?:{negations or NEVER}){GAP}){ONE_WORD}{GAP}){{0,4}}?"
    return {
        "begin": rf"(?:^|{BEGINS})" if file.spaced else _unspaced_begin(file),
        "end": f"(?=$|{ENDS})" if file.spaced else f"(?=$|{ENDS}|[ ]?(?:{_or(file.closers)}))",
        "said_before": f"{_SAID}{{1,200}}",
        "untold": f"{edge}(?<![:%#])",
        "asked": "@",
        "denied": "#",
        "edge": edge,
        "please": "[~!]",
        "one": ONE_WORD,
        "gap": GAP,
        "any_gap": ANY_GAP,
        "stop": r"(?=$|[.~!])",
        "some": "[^.!]{0,40}?",
        "few": few,
        "topic": "(?P<topic>[^.!]{1,80}?)",
        "short_topic": "(?P<topic>[^.,!~]{1,60}?)",
    }


def _unspaced_begin(file: ForgetFile) -> str:
    connectors = f"(?:(?:{_or(file.connectors)})[ ,]?){{0,3}}"
    return f"(?:(?:^|[.~!]|(?:{_or(file.openers)})[ ,]?){connectors}|,)"


def _words(phrases: Sequence[str], file: ForgetFile) -> str:
    if not phrases:
        return NEVER
    alternatives = folded_pattern(_or(phrases)).replace("'", "'? ?")
    return rf"\b(?:{alternatives})\b" if file.spaced else f"(?:{alternatives})"


def _or(phrases: Sequence[str]) -> str:
    return "|".join(sorted(phrases, key=len, reverse=True)) or NEVER


def _any_of(patterns: Sequence[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns) or NEVER
