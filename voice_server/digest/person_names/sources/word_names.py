"""Given names that are words, too, in small letters, where a call begins with them: “hi it's jack kowalski”,
“hola soy pilar”. Elsewhere they may be anything: “it's penny wise”."""

from collections.abc import Iterator
from itertools import chain, takewhile

from voice_server.digest.language.manner import common_words
from voice_server.digest.person_names.lexicon import Cues, Lexicon
from voice_server.digest.person_names.reading import Name, Text, written
from voice_server.digest.person_names.turns import Turn

_MOST_PARTICLES = 2  # “van den”
_SHORTEST_SURNAME = 3  # letters of “Lee”


def word_names(turn: Turn) -> Iterator[Name]:
    text, lexicon = turn.text, turn.text.lexicon
    if (
        text.is_cased
        or not turn.is_first
        or not turn.may_point
        or lexicon.given_at_start.isdisjoint(text.said)
    ):
        return
    first_hand = (lexicon.introduced, lexicon.presented)
    for cue in chain(*(_at_the_start(text, cues) for cues in (lexicon.introduced, lexicon.pointed))):
        place = text.place(cue)
        if text.said[place : place + 1] == [] or text.said[place] not in lexicon.given_at_start:
            continue
        end = _surname_end(text, place + 1)
        says_who = any(cue in _at_the_start(text, cues) for cues in first_hand)
        if end is not None:
            yield _name(text, place, end)
        elif text.said[place] in lexicon.given_alone and _is_all(text, place, says_who=says_who):
            yield _name(text, place, place + 1)


def _at_the_start(text: Text, cues: Cues) -> list[int]:
    """Return where cues end before which somebody only greets."""
    lexicon = text.lexicon
    empty = lexicon.fillers | lexicon.exclaims | lexicon.calling
    greets = len([*takewhile(lambda word: word in empty, text.said)])
    return [cue.end() for cue in cues.finditer(text.low) if text.place(cue.start()) <= greets]


def _surname_end(text: Text, place: int) -> int | None:
    """Return the place behind a surname that ends the remark, or what one says of oneself follows."""
    lexicon = text.lexicon
    before = [*takewhile(lambda word: word in lexicon.particles, text.said[place:])]
    last = place + len(before)
    ends = range(last + 1, last + 2 + lexicon.two_surnames)
    may_begin = lexicon.particles_have_capitals or before[:1] == ["von"]  # not "rosa de pilates"
    if len(before) > (_MOST_PARTICLES if may_begin else 0):
        return None
    return next((end for end in ends if _has_no_everyday_word(text, last, end) and _ends(text, end)), None)


def _has_no_everyday_word(text: Text, start: int, end: int) -> bool:
    words = text.said[start:end]
    return len(words) == end - start and not any(_is_everyday_word(word, text.lexicon) for word in words)


def _is_everyday_word(word: str, lexicon: Lexicon) -> bool:
    is_known = word in lexicon.never | lexicon.titles | common_words(lexicon.language)
    is_short = len(word) < _SHORTEST_SURNAME or word.endswith(("'s", "'m", "'ll", "'ve", "'d"))
    return is_known or is_short or lexicon.is_seldom(word)


def _ends(text: Text, place: int) -> bool:
    lexicon, behind = text.lexicon, text.said[place : place + 1]
    return not behind or behind[0] in lexicon.of_oneself | lexicon.goes_on


def _is_all(text: Text, place: int, *, says_who: bool) -> bool:
    """“hola soy pilar”, “soy pilar la del tercero”, “hi it's jack i'm calling”, but “bonjour c'est rose” may
    be of anything."""
    lexicon, behind = text.lexicon, text.said[place + 1 : place + 3]
    if behind[:1] != [] and (behind[0] in lexicon.exclaims or _says_which(behind, lexicon)):
        return True
    goes_on = behind[1:] if behind[:1] != [] and behind[0] in lexicon.goes_on else behind[:1]
    return lexicon.of_oneself.issuperset(goes_on) and (goes_on != [] or (says_who and behind == []))


def _says_which(words: list[str], lexicon: Lexicon) -> bool:
    """“la del”"""
    article, joint = (*words, "", "")[:2]
    return article in lexicon.articles and joint in lexicon.houses


def _name(text: Text, start: int, end: int) -> Name:
    words = text.words[start:end]
    said = tuple(written(word.group(), text.lexicon) for word in words)
    return Name(said, "", words[0].start(), words[-1].end())
