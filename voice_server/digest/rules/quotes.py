"""Memory in people's own words: what of a conversation is worth quoting.

Nothing is retold, so nothing is told wrong. What comes early weighs more: people begin with their news. A
quote's weight is what it says for the room it takes, from 0 to 1 and comparable across conversations. (On
five dialogues: the share of later needed sentences in prompts of 1000, 2000 and 4100 tokens, see
`scripts/bench evidence`.)
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

from msgspec import Struct

from voice_server.context.screening.hygiene import is_suspicious
from voice_server.context.sections.spoken import told
from voice_server.digest.dates.dates import names_a_day
from voice_server.digest.language.languages import is_english
from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import content_stems, word_count, words
from voice_server.digest.rules.pieces import Piece, content_words
from voice_server.domain.digest import KeyMoment
from voice_server.domain.quote import written

SUMMARY = 120  # words of a summary that is made of quotes
_MOST = 24  # quotes of one conversation
_ROOM = 450  # tokens of them, about
_LETTERS_PER_TOKEN = 4
_FRAME = 6  # tokens of a line around its words
_DENSITY = 1.0  # of the cost, found best at 2000 and 4100 tokens, on tidy and on spoken talk
_LONGEST = 50  # words of a quote, and of a question
_END = 20  # of these, from the end, where what was said before is put right

_QUESTION, _REACTION, _NUMBER, _THIN = 0.25, 0.7, 1.5, 0.3
_DATED = 1.8  # who says when tells what happened, or will
_OWN, _OTHERS = 1.35, 0.85
_BY_AGENT = 0.8
_EARLY, _FALLS = 1.0, 6.0
_ESTABLISHED, _PASSING = 1.3, 0.5
_ANSWERED = 1.5  # what somebody was asked for is what the other needs to know
_OF_QUESTION = 0.5
_FEWEST_WORDS = 3
_OPENING = 4  # words, among which one says that it is about what was said before
_FEWEST_TO_STAND_ALONE = 3  # words that say something
_DIGIT = re.compile(r"\d")


class Candidate(Struct, frozen=True):
    """A piece, weighed. `cost` is in tokens; `leans`: alone, it does not say what it is about."""

    piece: Piece
    stems: frozenset[str]
    weight: float
    cost: float
    passing: bool
    leans: bool


class Background(Struct, frozen=True):
    """What was talked of before: how many of the `documents` conversations hold each stem."""

    frequencies: Mapping[str, int]
    documents: int
    language: str

    @property
    def english(self) -> bool:
        return is_english(self.language)

    def rarity(self, stem: str) -> float:
        return math.log(1 + max(self.documents, 2) / (1 + max(0, self.frequencies.get(stem, 0))))


class Quotation(Struct, frozen=True):
    """`said_on` is the user's local day, `due` the day to come that the text surely names."""

    candidate: Candidate
    text: str
    said_on: date
    due: date | None

    @property
    def moment(self) -> KeyMoment:
        piece, weight = self.candidate.piece, round(self.candidate.weight, 3)
        return KeyMoment(
            piece.said_at,
            self.text,
            piece.position,
            piece.said_by,
            weight,
            passing=self.candidate.passing,
            leans=self.candidate.leans,
            also=piece.also,
        )


def candidates(said: Sequence[Piece], manner: Manner, known: Background) -> list[Candidate]:
    return [_weighed(piece, manner, known) for piece in said]


def chosen(weighed: Sequence[Candidate]) -> list[Candidate]:
    """Choose the best within a conversation's room, in the order said; nothing twice, and nothing that reads
    like an instruction."""
    room, said, kept = float(_ROOM), set[str](), list[Candidate]()
    for one in sorted(weighed, key=lambda one: (-one.weight, one.piece.position)):
        text = _folded(one)
        if len(kept) == _MOST or one.cost > room or one.weight <= 0 or text in said:
            continue
        if is_suspicious(one.piece.text) or is_suspicious(one.piece.question):
            continue
        room -= one.cost
        said.add(text)
        kept.append(one)
    order = {id(one): place for place, one in enumerate(weighed)}
    return sorted(kept, key=lambda one: order[id(one)])


def keywords(weighed: Sequence[Candidate], known: Background, count: int) -> tuple[str, ...]:
    """Return the most telling stems, best first."""
    total = Counter(stem for one in weighed for stem in one.stems)
    return tuple(sorted(total, key=lambda stem: (-total[stem] * known.rarity(stem), stem))[:count])


def quoted(one: Candidate) -> str:
    return written(_within(one.piece.text), _within(one.piece.question))


def _folded(one: Candidate) -> str:
    return " ".join(words(f"{one.piece.question} {one.piece.text}"))


def _within(text: str) -> str:
    said = text.split()
    if len(said) <= _LONGEST:
        return text
    return f"{' '.join(said[: _LONGEST - _END])} … {' '.join(said[-_END:])}"


def _weighed(piece: Piece, manner: Manner, known: Background) -> Candidate:
    stems = _stems(piece.text, manner, english=known.english)
    asked = _stems(piece.question, manner, english=known.english) - stems
    passing = manner.passing.search(piece.text) is not None
    factor = _kind(piece, manner, stems)
    if piece.question:
        factor = max(factor, _ANSWERED if piece.said_by == "user" else 1.0)
    factor *= _PASSING if passing else 1
    factor *= _DATED if names_a_day(piece.text, known.language) else 1
    factor *= 1 + _EARLY * math.exp(-_FALLS * piece.place)
    said = _rarity(stems, known) + _OF_QUESTION * _rarity(asked, known)
    cost = (len(piece.text) + len(piece.question)) / _LETTERS_PER_TOKEN + _FRAME
    worth = said * factor / cost**_DENSITY
    return Candidate(piece, stems | asked, 1 - math.exp(-worth), cost, passing, _leans(piece, manner))


def _leans(piece: Piece, manner: Manner) -> bool:
    """“She's in hospital.” does, and “Are you nervous?” – “A bit.”."""
    opening = piece.question or piece.text
    telling = content_words(f"{piece.question} {piece.text}", manner)
    refers = not manner.referring.isdisjoint(words(opening)[:_OPENING])
    return refers or manner.yes_no.match(opening) is not None or len(telling) <= _FEWEST_TO_STAND_ALONE


def _kind(piece: Piece, manner: Manner, stems: frozenset[str]) -> float:
    said = words(piece.text)
    factor = _QUESTION if piece.asks else 1.0
    if manner.first_person:
        factor *= _OTHERS if manner.first_person.isdisjoint(said) else _OWN
    factor *= _REACTION if said and said[0] in manner.reacting else 1
    factor *= _NUMBER if _DIGIT.search(piece.text) else 1
    factor *= _ESTABLISHED if manner.established.search(f"{piece.question} {piece.text}") else 1
    factor *= 1 if piece.said_by == "user" else _BY_AGENT
    return factor * (_THIN if len(said) < _FEWEST_WORDS and not stems else 1)


def _rarity(stems: frozenset[str], known: Background) -> float:
    return math.fsum(map(known.rarity, sorted(stems)))


def _stems(text: str, manner: Manner, *, english: bool) -> frozenset[str]:
    return frozenset(content_stems(text, english=english)) - manner.function_words


def run(moments: Sequence[KeyMoment], words: int = SUMMARY) -> str:
    """Return the best quotes in the order said, up to the first that does not fit."""
    left, kept = words, set[int]()
    for number in sorted(range(len(moments)), key=lambda number: -moments[number].weight):
        length = word_count(moments[number].text)
        if length > left:
            break
        left -= length
        kept.add(number)
    return " ".join(told(one.text, one.said_by or "user") for n, one in enumerate(moments) if n in kept)
