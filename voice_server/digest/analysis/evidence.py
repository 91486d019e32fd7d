"""Which turns somebody else's quote rests on. Pure.

Whoever quotes may drop a filler, change case and punctuation, or leave out the middle (“… and …”). Found is
what has the words in a row, else all fragments, else the one turn, or two in a row, with most of the words.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from voice_server.digest.language.stems import FUNCTION_WORDS
from voice_server.domain.conversation import Message

# A character of a script without spaces is a word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|[^\W\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+")
_GAP = re.compile(r"…|\.\.\.|[\"“”„«»]\s*(?:[-–—/,;]|\band\b)?\s*[\"“”„«»]|\s[-–—/]\s")
_SPEAKER = re.compile(r"^\s*\w[\w ]{0,20}:\s+")
_MOST_OF = {1: 0.7, 2: 0.8}  # of the words, by turns in a row: two have most of what is often said
_NEAR = 8  # turns
_MOST = 12  # turns that one thing rests on
_LONG = 3  # letters of a word that tells something
_FEW = 2  # words that are found in a row, or not at all


class _Turn(Struct, frozen=True):
    position: int
    is_users: bool
    run: str
    words: frozenset[str]


class EvidenceTalk:
    def __init__(self, messages: Iterable[Message]) -> None:
        self._turns = [_turn(one) for one in messages if one.role in ("user", "agent")]
        self._places: dict[str, list[int]] = {}
        for place, turn in enumerate(self._turns):
            for word in turn.words:
                self._places.setdefault(word, []).append(place)

    def find(self, quoted: str, about: str = "") -> tuple[int, ...]:
        """Return the positions of the turns with these words. Of several “yes” it is the user's where the
        words of `about` are near."""
        for words in (quoted, _SPEAKER.sub("", quoted)):
            if found := self._in_a_row(words, about) or self._fragments(words, about) or self._most_of(words):
                return found
        return ()

    def find_all(self, quoted: str) -> tuple[int, ...]:
        """Return all turns with the words in a row, not the likeliest alone; else what `find` does."""
        return tuple(self._turns[place].position for place in self._places_of(quoted)) or self.find(quoted)

    def is_verbatim(self, text: str) -> bool:
        return bool(self._places_of(text))

    def users(self) -> tuple[int, ...]:
        return tuple(turn.position for turn in self._turns if turn.is_users)

    def exchange(self, found: Sequence[int]) -> tuple[int, ...]:
        """Add the agent's turn before an answer, or the user's after what the agent states."""
        around = [position for place, turn in enumerate(self._turns) if turn.position in found
                  for position in self._partner(place)]  # fmt: skip
        return tuple(sorted({*found, *around}))

    def around(self, found: Sequence[int], text: str, names: Sequence[str]) -> tuple[int, ...]:
        """Add the nearest turns with words of a text that these lack; for words of `names`, from anywhere."""
        cited = [place for place, turn in enumerate(self._turns) if turn.position in found]
        if not cited:
            return ()
        there = {word for place in cited for word in self._turns[place].words}
        lacking = {word for word in words_of(text) if _tells(word)} - there
        named = words_of(" ".join(names))
        nearest = (
            self._nearest(word, cited, len(self._turns) if word in named else _NEAR) for word in lacking
        )
        more = sorted({one for one in nearest if one is not None}, key=lambda place: abs(place - cited[0]))
        return tuple(sorted(self._turns[place].position for place in {*cited, *more[: _MOST - len(cited)]}))

    def _nearest(self, word: str, cited: Sequence[int], reach: int) -> int | None:
        distances = {place: min(abs(place - one) for one in cited) for place in self._places.get(word, ())}
        nearest = min(distances, key=lambda place: distances[place], default=None)
        return nearest if nearest is not None and distances[nearest] <= reach else None

    def with_answers(self, found: Iterable[int]) -> frozenset[int]:
        """Add what the agent says next."""
        asked = frozenset(found)
        pairs = zip(self._turns, self._turns[1:], strict=False)
        answers = {after.position for turn, after in pairs if turn.position in asked and not after.is_users}
        return asked | answers

    def _partner(self, place: int) -> Iterator[int]:
        beside = place - 1 if self._turns[place].is_users else place + 1
        if 0 <= beside < len(self._turns) and self._turns[beside].is_users != self._turns[place].is_users:
            yield self._turns[beside].position

    def _places_of(self, quoted: str) -> list[int]:
        run = _run(_words(quoted))
        return [place for place, turn in enumerate(self._turns) if run.strip() and run in turn.run]

    def _in_a_row(self, quoted: str, about: str) -> tuple[int, ...]:
        there, meant = self._places_of(quoted), words_of(about)

        def likeliest(place: int) -> tuple[bool, int, int]:
            asked = self._turns[max(0, place - 1) : place + 1]
            return not self._turns[place].is_users, -len(meant & _all_words(asked)), place

        return (self._turns[min(there, key=likeliest)].position,) if there else ()

    def _fragments(self, quoted: str, about: str) -> tuple[int, ...]:
        pieces = [piece for piece in _GAP.split(quoted) if _words(piece)]
        found = [self._in_a_row(piece, about) for piece in pieces] if len(pieces) > 1 else []
        return (
            tuple(sorted({one for positions in found for one in positions})) if found and all(found) else ()
        )

    def _most_of(self, quoted: str) -> tuple[int, ...]:
        wanted = set(_words(quoted))
        if len(wanted) <= _FEW:
            return ()
        return self._best(wanted, 1) or self._best(wanted, 2)

    def _best(self, wanted: Iterable[str], turns: int) -> tuple[int, ...]:
        """Use the index: calls have a thousand turns, answers eighty lines."""
        words = list(wanted)
        there = Counter(place for word in words for place in self._rows_with(word, turns))
        best, shared = max(there.items(), key=lambda row: (row[1], -row[0]), default=(0, 0))
        row = self._turns[best : best + turns] if shared >= _MOST_OF[turns] * len(words) else []
        return tuple(turn.position for turn in row)

    def _rows_with(self, word: str, turns: int) -> set[int]:
        last = len(self._turns) - turns
        places = self._places.get(word, ())
        return {
            begin for place in places for begin in range(place - turns + 1, place + 1) if 0 <= begin <= last
        }


def is_said(name: str, texts: Iterable[str]) -> bool:
    """Tell whether every word was said, if only letter by letter; in a script without spaces, in a row."""
    said, wanted = [_words(text) for text in texts], _words(name)
    if any(len(word) == 1 and not word.isascii() for word in wanted):
        return any(_run(wanted) in _run(words) for words in said)
    there = {word for words in said for word in (*words, *_spelled(words))}
    return there.issuperset(wanted)


def _spelled(words: Sequence[str]) -> Iterator[str]:
    for single, letters in groupby(words, key=lambda word: len(word) == 1 and word.isalpha()):
        if single:
            yield "".join(letters)


def words_of(text: str) -> frozenset[str]:
    """Return the words in small letters, without accents."""
    return frozenset(_words(text))


def _tells(word: str) -> bool:
    return word.isdigit() or (len(word) >= _LONG and word not in FUNCTION_WORDS)


def _turn(message: Message) -> _Turn:
    words = _words(message.content)
    return _Turn(message.position, message.role == "user", _run(words), frozenset(words))


def _words(text: str) -> list[str]:
    return _WORD.findall(_unaccented(text.casefold().replace("’", "'")))


def _unaccented(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter)
    )


def _run(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _all_words(turns: Iterable[_Turn]) -> frozenset[str]:
    return frozenset[str]().union(*(turn.words for turn in turns))
