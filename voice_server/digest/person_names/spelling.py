"""Words spelled letter by letter: “S T R A N D”, “k-l-e-i-n”, “S wie Siegfried”, “M A double R”."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from voice_server.digest.person_names.lexicon import Lexicon

_LETTER = r"[^\W\d_]"
_RUNS = re.compile(rf"(?<![\w'’]){_LETTER}(?:[ ,.–-]{{1,3}}{_LETTER}){{2,29}}(?![\w'’])")
_RUN_BEFORE = re.compile(rf"(?:(?<![\w'’]){_LETTER}[ ,.–-]{{1,3}}){{2,30}}$")
_SEVERAL = re.compile(r"\w+[ ]\w+[ -]")  # "with two", not "double"
_WORDS = re.compile(r"\w+")
_MARK = re.compile(r"[.:;,]\s*")
_VOWELS = re.compile(r"[aeiouyáàâãäéèêíìóòôõöúùü]+")
_ALIKE = 0.6  # the share of letters that two hearings of one name have in common


def spelled(text: str, lexicon: Lexicon) -> list[str]:
    """Return the words spelled in a text, in small letters."""
    low = _without_told_letters(text.lower(), lexicon)
    letters = lexicon.letter_by_word.sub(lambda found: found["letter"], low)
    plain = lexicon.doubled_letter.sub(_twice, letters)
    runs = ("".join(filter(str.isalpha, run)) for run in _RUNS.findall(plain))
    said = set(_WORDS.findall(low))
    named = [run for run in runs if not _VOWELS.fullmatch(run)]  # “e ó o médico”
    return [run[2:] if run[0] == run[1] and run[2:] in said else run for run in named]  # “tessier two s t …”


def ends(low: str) -> set[int]:
    """Return where words end that are spelled letter by letter."""
    return {run.end() for run in _RUNS.finditer(low)}


def _twice(found: re.Match[str]) -> str:
    """Leave out what only says of a word that it has a letter twice: “B E L L A with a double L”."""
    before = _RUN_BEFORE.search(found.string, 0, found.start())
    letters = "".join(filter(str.isalpha, before[0])) if before else ""
    is_told = letters.endswith(found["letter"] * 2) or (
        found["letter"] * 2 in letters and _SEVERAL.match(found[0]) is not None
    )
    return ";" if is_told else f"{found['letter']} {found['letter']}"


def _without_told_letters(low: str, lexicon: Lexicon) -> str:
    """Leave out the letter of “with an é. T, H, É …”, at the same length, which the word has again: it begins
    none, as in “Sara, with an S. A R A.”"""
    for cue in lexicon.with_letter.finditer(low):
        mark = _MARK.match(low, cue.end())
        run = _RUNS.match(low, mark.end()) if mark else None
        told = low[cue.end() - 1]
        # “Con J, J I M E N E Z” has it again, “with an S, A R A” does not
        if mark and run and told in (run[0][0] if mark[0].startswith(",") else run[0]):
            low = low[: cue.start()] + ";" * (cue.end() - cue.start()) + low[cue.end() :]
    return low


def doubled_letters(text: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield letters that stand twice: “with two l”, “mit Doppel-L”."""
    return (found["letter"] for found in lexicon.doubled_letter.finditer(text.lower()))


def only_doubles(letters: str) -> bool:
    """Tell whether letters only say which stand twice: “ffll” of “two Fs, two Ls”."""
    return len(letters) % 2 == 0 and letters[::2] == letters[1::2]


def with_double(word: str, letter: str) -> str:
    """Double a letter, unless the word has it double or not at all."""
    plain = word.lower()
    at = plain.rfind(letter)
    return word if at < 0 or letter * 2 in plain else word[:at] + letter + word[at:]


def alike(one: str, other: str) -> bool:
    """Tell whether two words may be one name, heard differently."""
    return SequenceMatcher(None, one.lower(), other.lower()).ratio() >= _ALIKE


def most_alike(word: str, words: list[str]) -> int | None:
    """Return the index of the word that sounds most like this; None when none does."""
    close = [at for at, one in enumerate(words) if alike(one, word)]
    return max(
        close, key=lambda at: SequenceMatcher(None, words[at].lower(), word.lower()).ratio(), default=None
    )


def adds_nothing(letters: str, word: str) -> bool:
    """Tell whether letters are the word without what other words said (“M, O with dots, L, L, E, R”), with
    its first letter twice (“with a C: C, L, A, E, S”), or its end (“guilloteau, o t e a u”)."""
    plain = word.lower()
    if plain.endswith(letters) and plain != letters:
        return True
    accented = [at for at, letter in enumerate(plain) if not letter.isascii()]
    rests = [rest for at in accented for rest in (plain[:at] + plain[at + 1 :], plain[at + 1 :])]
    return letters in (*rests, plain[:1] + plain)
