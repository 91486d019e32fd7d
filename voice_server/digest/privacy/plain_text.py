"""Text made plain for patterns, with the places where it stands in the original: speech comes with and
without punctuation, capitals and apostrophes.

Words are lower-case, without accents; those that only fill a pause are left out. One mark stands between two
words:

- a space; `,` within a sentence, `.` between sentences
- `~` for a please, `!` for a please between sentences
- `|` after what begins a sentence (“oh”, “sorry”), `;` before what follows a finished one (“because”)
- `:` after who tells or is told (“he”, “to”), `%` where `;` stands as well
- `@` after a request (“can you”), `#` after a request not to (“please don't”)
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

GAP = "[ ,~|;:%@#]"  # between two words of one sentence
ANY_GAP = "[ ,.~!|;:%@#]"
BEGINS = "[,.~!|@]"  # where something new may begin
ENDS = "[,.~!;%]"  # where something may be finished
ONE_WORD = "[^ ,.~!|;:%@#]{1,30}"
_STOP = '.!?;:…—–()[]{}"«»„“”。！？；：」』'
_COMMA = ",、，"
_ALONE = "[\u3040-\u30fe\u3400-\u9fff]"  # a character that is written without spaces around it
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu|dell|sull|nell|all)'(?=\w\w)", re.IGNORECASE)
_ACCENTED = re.compile(r"[^\x00-\x7f]")
_LETTERS = rf"(?:(?!{_ALONE})\w)+"


class PlainText(NamedTuple):
    """A plain text; `origin` says where each of its characters stands in `line`."""

    text: str
    line: str
    origin: tuple[int, ...]

    def original(self, start: int, end: int) -> str:
        return self.line[self.place(start) : self.place(end)]

    def place(self, index: int) -> int:
        return self.origin[index] if index < len(self.origin) else len(self.line)


class Scanner:
    """Makes texts plain. `please` and `fillers` are regular expressions; `marked` puts other marks between
    the words and moves no character."""

    def __init__(self, please: str, fillers: str, marked: Callable[[str], str]) -> None:
        self._marked = marked
        # By `re`: of a short match PCRE2's Python takes four times as long to say what it is and where.
        self._token = re.compile(
            rf"(?P<please>{please})|(?P<filler>{fillers})|(?P<word>{_ALONE}|{_LETTERS}(?:'{_LETTERS})*)"
            rf"|(?P<stop>[{re.escape(_STOP)}])|(?P<comma>[{_COMMA}])|(?P<space>\s)|."
        )

    def plain(self, line: str) -> PlainText:
        """Make plain a line with straight apostrophes and no line breaks."""
        text: list[str] = []
        origin: list[int] = []
        between: set[str] = set()
        end = 0
        for token in self._token.finditer(folded(line)):
            kind = token.lastgroup or "space"
            if kind != "word":
                between.add(kind)
                continue
            gap = _gap(between) if text else _gap(between & {"please"})
            text += [gap, token[0]]
            origin += [*[end] * len(gap), *range(token.start(), token.end())]
            between, end = set(), token.end()
        gap = _gap(between & {"please", "stop"})
        return PlainText(self._marked("".join([*text, gap])), line, (*origin, *[end] * len(gap)))


def _gap(between: set[str]) -> str:
    if "please" in between:
        return "!" if "stop" in between else "~"
    if "stop" in between:
        return "."
    if "comma" in between:
        return ","
    return " " if between & {"space"} else ""


def folded(text: str) -> str:
    """Lower-case a text and drop accents, character by character."""
    return text.lower() if text.isascii() else "".join(map(_fold, text))


def apart(text: str) -> str:
    """Part what lost a letter from the word behind it: “l'oublier” is two words."""
    return _ELISION.sub(lambda said: f"{said[0][:-1]} ", text.replace("’", "'"))


def whole_words(text: str) -> str:
    """Drop articles that lose a letter: “l'asthme” is about “asthme”."""
    return _ELISION.sub("", text.replace("’", "'"))


@lru_cache(maxsize=10_000)
def _fold(character: str) -> str:
    low = character.lower()
    base = unicodedata.normalize("NFD", low)[0] if len(low) == 1 and low < "\u0250" else low
    return base if len(base) == 1 else character


def folded_pattern(pattern: str) -> str:
    """Drop a pattern's accents. Its capitals are no letters of a language: they stay."""
    return _ACCENTED.sub(lambda letter: folded(letter[0]), pattern)
