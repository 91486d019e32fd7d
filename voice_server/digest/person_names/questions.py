"""What the agent asks a caller: their name, a part of it, whether they are somebody, or something else."""

import re
from typing import Literal

from msgspec import Struct

from voice_server.digest.person_names.lexicon import Lexicon, is_given
from voice_server.digest.person_names.reading import Name, Text

Part = Literal["", "whole", "first", "last"]
After = Literal["", "anybody's", "another's"]
_ASKED = re.compile(r"[^,.!?;:…¿]*\?|¿[^?]*$")
_WORD = re.compile(r"\w+")
_ENDS = re.compile(r"[.!?]")


class Question(Struct, frozen=True):
    """The `part` of a name that the agent asks for, or something `other`, `words` that may be names, and all
    that are `said`. `in_turn`: the caller's own, behind another's name."""

    part: Part = ""
    in_turn: bool = False
    other: bool = False
    of_another: bool = False
    taken_for: Name | None = None
    words: tuple[str, ...] = ()
    said: frozenset[str] = frozenset()


def question(
    text: Text, *, known: bool, whole: bool, opens: bool, kin_of: str, may_guess: bool, after: After
) -> Question:
    """When it is `known` who calls, “¿Cómo se llama?” asks for another's name; of “Ben's mum”, “And Ben's
    surname?” does. When the `whole` name is, so does “And the name?”. `may_guess`: a name that is only asked
    for may be the caller's. `after`: whose name was asked for just before; behind anybody's “And yours?” asks
    for the caller's, behind another's “And you?” does."""
    lexicon = text.lexicon
    words = tuple(word.group() for word in text.words if _may_name(word.group(), text))
    last = text.low.rsplit(". ", 1)[-1].strip(" ?¿!,.…")
    asks_in_turn = after and lexicon.in_turn.fullmatch(last)
    if asks_in_turn or (after == "another's" and lexicon.and_you.fullmatch(last)):
        return Question("whole", in_turn=True, words=words, said=frozenset(text.said))
    confirmed = lexicon.confirmations.search(text.low)
    taken_for = text.read(confirmed.end(), sure=True) if confirmed else None
    if taken_for is not None and not _is_a_thing(text, taken_for):
        return Question(taken_for=taken_for, words=words)
    guessed = (_called(text) or _guessed(text)) if may_guess and not known else None
    if guessed is not None:
        return Question(taken_for=guessed, words=words)
    of_others = lexicon.of_others.search(text.low) or (known and lexicon.of_anybody.search(text.low))
    of_others = of_others or (whole and lexicon.of_a_thing.search(text.low))
    asking = lexicon.in_ones_name.blanked(text.low)
    if lexicon.questions.search(asking) and not (of_others or _names_kin(text, kin_of)):
        return Question(part_of(asking, lexicon) or "whole", words=words, said=frozenset(text.said))
    last = _last_question(text.low, opens=opens)
    cues = lexicon.of_others, lexicon.of_anybody, *((lexicon.of_a_thing,) if whole else ())
    of_another = any(one.search(last) for one in cues)
    return Question(other=is_asking(text), of_another=of_another, words=words)


def _called(text: Text) -> Name | None:
    """“Mr Zanetti?”, “Hello, Anna Ward?”, where nothing but a name is asked"""
    if not text.low.rstrip().endswith("?"):
        return None
    for begins in (0, *(end.end() for end in _ENDS.finditer(text.low))):
        name = text.read(begins, sure=True)
        is_all = name is not None and not text.low[name.end :].strip(" ?")
        if is_all and name and (name.title or (name.is_pair and name.has_given)):
            return name
    return None


def _guessed(text: Text) -> Name | None:
    """“ah yes tariq isn't it”, where nothing but a name is asked"""
    lexicon = text.lexicon
    empty = lexicon.fillers | lexicon.exclaims | lexicon.calling | lexicon.hesitations
    for cue in lexicon.guessing.finditer(text.low):
        name = text.read_back(cue.start(), sure=False)
        before = text.said[: text.place(name.start)] if name else []
        is_all = name is not None and not text.low[cue.end() :].strip(" ?.!") and empty.issuperset(before)
        if is_all and name and name.has_given:
            return name
    return None


def _names_kin(text: Text, kin_of: str) -> bool:
    """“Ben's”, “Bens” of “die mama von ben”"""
    words = set(re.split(r"[^\w-]+", kin_of))
    kin = {word for word in words | {one.removesuffix("s") for one in words} if is_given(word)}
    said = {word.removesuffix("'s") for word in text.said}
    return not kin.isdisjoint(said | {word.removesuffix("s") for word in said})


def _is_a_thing(text: Text, name: Name) -> bool:
    """“Is that the plumber?”, not “is that the Miller household?”"""
    place, lexicon = text.place(name.start), text.lexicon
    follows_article = place > 0 and text.said[place - 1] in lexicon.articles
    behind = text.said[text.place(name.end) :][:1]
    is_known = name.has_given or name.title != "" or not lexicon.households.isdisjoint(behind)
    return follows_article and not is_known


def is_asking(text: Text) -> bool:
    """“You're through to Lea, hello?” asks nothing."""
    greeting = text.lexicon.fillers | text.lexicon.greetings | text.lexicon.calling
    return any(not greeting.issuperset(_WORD.findall(asked)) for asked in _ASKED.findall(text.low))


def part_of(text: str, lexicon: Lexicon) -> Part:
    """Return which part of a name is spoken of: “my surname is”, “and your first name?”"""
    first, last = lexicon.first_name.search(text), lexicon.last_name.search(text)
    return "" if bool(first) == bool(last) else "first" if first else "last"


def _last_question(low: str, *, opens: bool) -> str:
    """Without marks, as a recogniser writes, anything but the opening of a call may be one."""
    said = low.rstrip(" \"'»”")
    if _ENDS.search(said) is None:
        return "" if opens else said
    return re.split(r"[.!?]\s", said)[-1] if said.endswith("?") else ""


def _may_name(word: str, text: Text) -> bool:
    plain = word.lower()
    return plain not in text.lexicon.never and (is_given(plain) or (text.is_cased and word[0].isupper()))
