"""What the talk denies or leaves open, and a digest tells as so: “I can't have ibuprofen” is no “takes
ibuprofen”, “she might come” no “she comes”.

A word is denied when every line that has it says “not” near it, or when the answer to a question that has it
is no; open when each has a “maybe”. A digest that says itself that something is not so, or not certain, is
believed. `stances/en.toml` explains the words.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.dates.dates import undated
from voice_server.digest.grounding.numerals import other_place, said_numbers, told_numbers
from voice_server.digest.grounding.transcript import Line
from voice_server.digest.grounding.vocabulary import Vocabulary, plain, vocabulary
from voice_server.digest.language.language_files import languages_in
from voice_server.digest.language.languages import primary_tag
from voice_server.digest.language.manner import manner
from voice_server.runtime.once import once

_FOLDER = files(__package__) / "stances"
LANGUAGES = languages_in(_FOLDER)
_TOKEN = re.compile(r"[^\W\d_]+|[,.;:!?…]+(?=\s|$)")
_QUESTION = re.compile(r"[^.!?…]*\?\W*$")
_NUMBER = re.compile(r" ([\w-]+)")
_CLAUSE_ENDS = re.compile(r"[,;:.]")
_PUNCTUATED = re.compile(r"[.!?]")
_SHORTEST = 3  # letters of a word that tells something
_ABOUT = (2, 6)  # words before and behind a "maybe" that it may be about
_AROUND = (8, 5)  # the same of "I'm not sure yet", over the ends of sentences
_BEHIND_WITHOUT = 3
_BEHIND_REFUSAL = 3  # words of an answer's beginning
_MOST_OFFERED = 3  # words of what may be taken, or not
_OF_CHOICE = 3  # telling words at the beginning of an answer with which it takes one
_BARE = 5  # words of a question that nothing marks
_STEM, _ENDING = 4, 4  # letters that two forms of a word have in common at least, and that they may end in
_OWNED = 2  # words behind "my": what is mine is there, whatever is denied of it
_LONG_PART = 5  # letters of a word within a compound


class Stance(Struct, frozen=True):
    language: str
    reach: tuple[int, int]
    denials: re.Pattern[str]
    lacking: re.Pattern[str]
    without: re.Pattern[str]
    refusals: re.Pattern[str]
    postponed: re.Pattern[str]
    doubts: re.Pattern[str]
    undecided: re.Pattern[str]
    cautious: re.Pattern[str]
    asks: re.Pattern[str]
    said_to_do: re.Pattern[str]
    reasons: re.Pattern[str]
    contrasts: re.Pattern[str]
    owners: re.Pattern[str]
    idle: frozenset[str]
    asking: frozenset[str]
    joints: frozenset[str]
    alternatives: frozenset[str]


class StancedWord(Struct, frozen=True):
    """A telling word of a line, folded. `refused`: denied because the answer was no; `lacking`: right behind
    “without”."""

    word: str
    denied: bool = False
    refused: bool = False
    postponed: bool = False
    open: bool = False
    lacking: bool = False


Stands = Mapping[int, tuple[StancedWord, ...]]


def stance(language: str) -> Stance | None:
    """Return a language's stance by BCP 47 tag; None for one that has no file."""
    tag = primary_tag(language)
    return _read(tag) if tag in LANGUAGES else None


def stands(lines: Sequence[Line], language: str) -> Stands:
    known = stance(language)
    if known is None:
        return {}
    found: dict[int, tuple[StancedWord, ...]] = {}
    before: Line | None = None
    for line in lines:
        found[line.position] = tuple(_said(line.text, known))
        if before is not None and before.said_by != line.said_by:
            found[before.position] = tuple(_answered(before, found[before.position], line, known))
        before = line
    return found


def opposed(
    text: str,
    lines: Iterable[Line],
    there: Stands,
    language: str,
    names: frozenset[str],
    named: frozenset[int] = frozenset(),
    *,
    of_plan: bool = False,
) -> str:
    """Return the first word that these lines deny, or leave open, while the text tells it as so, or "".
    `names`, of the two who talk, tell nothing; `named` are the positions of the lines beside their questions:
    what was only asked outweighs no denial. `of_plan`: it tells what is to come, which
    “not yet” leaves so."""
    known, words = stance(language), vocabulary(language)
    if known is None or words is None:
        return ""
    folded = besides_what_was_asked(plain(undated(text)), language)
    told = [word for word in _telling(folded, known, words) if word not in names]
    heard = [(line.position, one) for line in lines for one in there.get(line.position, ())]
    said = [one for _, one in heard if not (of_plan and one.postponed)]
    asked = [one for position, one in heard if named and position not in named and not one.refused]
    if told_numbers(folded, words) or _tells_answer(
        told, heard
    ):  # "Is it still the same?" – "No, it's 623 now."
        said = [one for one in said if not one.refused]
    denied_words = {one.word for one in said if one.denied}
    denies = (
        known.denials.search(folded)
        or known.without.search(folded)
        or any(match[0] not in denied_words for match in known.lacking.finditer(folded))
    )
    answered = [one for one in said if one not in asked]
    denied = "" if denies else _opposed(told, answered, "denied") or _lacking(told, said)
    return denied or ("" if known.cautious.search(folded) else _opposed(told, said, "open"))


def taken_back(text: str, lines: Iterable[Line], language: str) -> str:
    """Return the one number of a folded text when these lines have it as the wrong one alone (“17, not 70”),
    or ""."""
    known, words = stance(language), vocabulary(language)
    if known is None or words is None or known.denials.search(text) or known.lacking.search(text):
        return ""
    lines = tuple(lines)
    if word := other_place(text, [plain(undated(line.text)) for line in lines], words):
        return word
    told = told_numbers(text, words)
    if len(told) != 1:
        return ""
    said = [plain(undated(line.text)) for line in lines]
    right = [_without_wrong(one, known, words) for one in said]
    if right == said:
        return ""
    return said_numbers(right, language).lacking(text, words)


def _without_wrong(folded: str, known: Stance, words: Vocabulary) -> str:
    for match in reversed(list(known.contrasts.finditer(folded))):
        number = _NUMBER.match(folded, match.end())
        if number and told_numbers(number[1], words):
            folded = f"{folded[: match.start()]},{folded[number.end() :]}"
    return folded


def besides_what_was_asked(folded: str, language: str) -> str:
    """Leave out the clause that says what was asked: that it was asked is so, whatever the answer."""
    known = stance(language)
    found = known.asks.search(folded) if known else None
    if found is None:
        return folded
    end = _CLAUSE_ENDS.search(folded, found.end())
    return f"{folded[: found.start()]} {folded[end.start() :] if end else ''}"


def _tells_answer(told: Sequence[str], heard: Sequence[tuple[int, StancedWord]]) -> bool:
    """“Is the light orange?” – “No, green.” tells of a green light."""
    answers = {position + 1 for position, one in heard if one.refused}
    given = [one for position, one in heard if position in answers and not (one.denied or one.refused)]
    return any(is_form(one.word, word) for one in given for word in told)


def _opposed(told: Sequence[str], said: Sequence[StancedWord], how: str) -> str:
    """Only when these are half of the words that were said at all."""
    against, so = list[str](), 0
    for word in told:
        forms = [one for one in said if is_form(one.word, word)]
        if forms and all(getattr(one, how) for one in forms):
            against.append(word)
        elif forms:
            so += 1
    return against[0] if against and len(against) >= so else ""


def _lacking(told: Sequence[str], said: Sequence[StancedWord]) -> str:
    for word in told:
        forms = [one for one in said if is_form(one.word, word)]
        if forms and all(one.lacking for one in forms):
            return word
    return ""


def _telling(folded: str, known: Stance, words: Vocabulary) -> Iterator[str]:
    for match in _TOKEN.finditer(folded):
        if is_telling(match[0], known, words):
            yield match[0]


def is_telling(word: str, known: Stance, words: Vocabulary) -> bool:
    """Tell whether a folded word says what a sentence is about."""
    counts = word in words.numbers or word in words.months or word in words.weekdays
    return len(word) >= _SHORTEST and word not in known.idle and not counts


def _said(text: str, known: Stance) -> Iterator[StancedWord]:
    folded = plain(undated(text))
    if words := vocabulary(known.language):
        folded = _without_wrong(folded, known, words)  # "number 12, not 13" denies nothing else
    tokens = list(_TOKEN.finditer(folded))
    places = {token.start(): place for place, token in enumerate(tokens)}
    clauses = _clauses([token[0] for token in tokens], known)
    telling = [len(token[0]) >= _SHORTEST and token[0] not in known.idle for token in tokens]
    owned = set(_within(known.owners, folded, places, clauses, (0, _OWNED)))
    denied = set(_within(known.denials, folded, places, clauses, known.reach, telling))
    lacking = set(_within(known.without, folded, places, clauses, (0, _BEHIND_WITHOUT)))
    open_ = set(_within(known.doubts, folded, places, clauses, _ABOUT))
    open_ |= set(_within(known.undecided, folded, places, [0] * len(tokens), _AROUND))
    for place, token in enumerate(tokens):
        if telling[place]:
            both = place in denied and place in lacking  # "not without my stick"
            is_denied = place in denied and not both and place not in owned
            is_lacking = place in lacking and not both
            yield StancedWord(
                token[0],
                denied=is_denied or is_lacking,
                open=place in open_,
                lacking=is_lacking,
            )


def _clauses(tokens: Sequence[str], known: Stance) -> list[int]:
    found, number = [], 0
    for token in tokens:
        if not token[0].isalpha() or token in known.joints:
            number += 1
        found.append(number)
    return found


def _within(
    pattern: re.Pattern[str],
    folded: str,
    places: Mapping[int, int],
    clauses: Sequence[int],
    reach: tuple[int, int],
    telling: Sequence[bool] = (),
) -> Iterator[int]:
    """Yield places near a match, in its clause. Words that are not `telling` are no distance."""
    back, ahead = reach
    for match in pattern.finditer(folded):
        first = places.get(match.start())
        if first is None:
            continue
        last = max((place for start, place in places.items() if start < match.end()), default=first)
        for step, start, most in ((-1, first, back), (1, last, ahead)):
            place, left = start + step, most
            while left and 0 <= place < len(clauses) and clauses[place] == clauses[start]:
                yield place
                left -= telling[place] if telling else 1
                place += step
        yield from range(first, last + 1)


def _answered(
    asked: Line, words: tuple[StancedWord, ...], answer: Line, known: Stance
) -> Iterator[StancedWord]:
    """Deny the words of the last question when the answer is no; leave them open when it is “maybe”."""
    begins = " ".join(plain(answer.text).split()[: 2 * _BEHIND_REFUSAL]).lstrip(" ¿¡-–,.")
    refused = known.refusals.match(begins) is not None
    postponed = known.postponed.match(begins) is not None
    doubtful = known.doubts.match(begins) is not None or known.undecided.match(begins) is not None
    question = _question(asked.text, known)
    of_question = {one.word for one in _said(question, known)} if refused or doubtful else set[str]()
    not_taken = _not_taken(question, answer.text, known)
    for one in words:
        if one.word in not_taken:
            yield replace(one, denied=True, refused=True)
        elif one.word in of_question:
            yield replace(
                one,
                denied=one.denied or refused,
                refused=refused,
                postponed=postponed,
                open=one.open or doubtful,
            )
        else:
            yield one


def _not_taken(question: str, answer: str, known: Stance) -> set[str]:
    """“Will you fetch it or shall we bring it?” – “Bring it, please.” fetches nothing; nor are there
    strawberries where the answer says that there are none."""
    asked, said = _parts(question, known), list(_said(answer, known))
    denied = {one.word for one in said if one.denied and any(one.word in part for part in asked)}
    match asked:
        case [before, behind]:
            return denied | _passed_over(before, behind, said)
        case _:
            return denied


def _passed_over(before: list[str], behind: list[str], said: Sequence[StancedWord]) -> set[str]:
    """Return what stands on the one side of an “or” where the answer begins with the other's."""
    size = min(_MOST_OFFERED, len(behind))
    offered = (before[-size:], behind[:size])
    first = {one.word for one in said[:_OF_CHOICE] if not one.denied}
    taken = [any(is_form(word, one) for word in part for one in first) for part in offered]
    if taken[0] == taken[1]:
        return set()
    passed, chosen = offered if taken[1] else offered[::-1]
    return {word for word in passed if word not in chosen}


def _parts(question: str, known: Stance) -> list[list[str]]:
    """Return the telling words before and behind the last “or” of a question."""
    tokens = [token[0] for token in _TOKEN.finditer(plain(undated(question)))]
    at = max((place for place, word in enumerate(tokens) if word in known.alternatives), default=-1)
    halves = [tokens[:at], tokens[at + 1 :]] if at >= 0 else [tokens]
    return [[word for word in half if len(word) >= _SHORTEST and word not in known.idle] for half in halves]


def _question(text: str, known: Stance) -> str:
    """Without punctuation, begin with the clause of the last word that may ask."""
    if match := _QUESTION.search(text):
        return match[0]
    words = text.split()
    if _PUNCTUATED.search(text):
        return ""
    folded = [plain(word) for word in words]
    asking = [n for n, word in enumerate(folded) if word in known.asking]
    first = [n for n in asking if folded[n] not in known.joints]  # "is it orange when it drops"
    asks = max(first or asking, default=-1)
    begins = next((n for n in range(asks, -1, -1) if folded[n] in known.joints - known.alternatives), 0)
    if asks < 0:
        offers = any(word in known.alternatives for word in folded)
        return text if offers or len(words) <= _BARE else ""
    return " ".join(words[begins:])


def is_form(said: str, told: str) -> bool:
    """Tell whether two folded words are forms of one, or one a part of the other, as far as their letters
    show."""
    if said == told:
        return True
    short, long = sorted((said, told), key=len)
    if said[:_STEM] != told[:_STEM]:
        return len(short) >= _LONG_PART and long.endswith(short)
    pairs = enumerate(zip(said, told, strict=False))
    common = next((place for place, (one, other) in pairs if one != other), len(short))
    is_one = common >= len(long) - 2 or (common >= len(long) - _ENDING and common >= len(short) - 3)
    return is_one or (common == len(short) >= _LONG_PART)


@once
def _read(tag: str) -> Stance:
    data: Mapping[str, Any] = tomllib.loads((_FOLDER / f"{tag}.toml").read_text("utf-8"))
    manners = manner(tag)
    idle = {plain(word) for word in manners.function_words}
    patterns = (
        "denials",
        "lacking",
        "without",
        "refusals",
        "postponed",
        "doubts",
        "undecided",
        "cautious",
        "asks",
        "said_to_do",
        "reasons",
        "contrasts",
        "owners",
    )
    return Stance(
        language=tag,
        reach=(data["reach"][0], data["reach"][1]),
        idle=frozenset(part for word in idle for part in word.split("'")),
        asking=frozenset(map(plain, manners.asking)),
        alternatives=frozenset(data["alternatives"].split()),
        joints=frozenset((*map(plain, manners.joints), *data["breaks"].split())),
        **{kind: re.compile(rf"(?<!\w)(?:{data[kind]})(?!\w)") for kind in patterns},
    )
