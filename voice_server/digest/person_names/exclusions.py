"""What rules a name out: it is somebody else's, whom the caller asks for, tells of or deals with."""

import re
from itertools import pairwise

from voice_server.digest.language.manner import manner
from voice_server.digest.person_names.lexicon import Lexicon, is_given
from voice_server.digest.person_names.questions import is_asking
from voice_server.digest.person_names.reading import Name, Text

_WORDS = re.compile(r"[\w']+")
_BARE = re.compile(r"[\w-]+")
_DESCRIPTION = 4  # words of “my wife's old doctor”
_NOT = frozenset("not nicht pas ne non não niet really".split())


def is_anothers(text: Text, name: Name, *, may_point: bool = True) -> bool:
    """Tell whether what follows makes it another's: “'s birthday”, or, where “this is” `may_point` at
    somebody, “my sister”."""
    lexicon, behind = text.lexicon, text.low[name.end :].lstrip(" ,")
    is_asked_for = name.title and (lexicon.called_about.match(behind) or behind.startswith("?"))
    at_once = lexicon.apposition.directly.match(text.low, name.end + 1)
    is_pointed_at = may_point and (lexicon.apposed.match(behind) or at_once or is_asked_for)
    return bool(is_pointed_at) or _is_owner(text, name) or _is_denied(behind, lexicon)


def is_of_kin(text: Text, name: Name) -> bool:
    """“It's Ben's mum, Ben Whitaker in 3B.” says whose mother calls, and then who that is."""
    first = name.words[0].lower()
    said = text.lexicon.kin_of.finditer(text.low[: name.start])
    owners = {word for cue in said for word in _BARE.findall(cue.group())}
    return first in owners or f"{first}s" in owners  # "Bens Mama, Ben Huber"


def is_told_of_next(text: Text, name: Name) -> bool:
    """Tell whether the next sentence only says whose relative that is: “Och, it's Callum. My brother.”"""
    sentence = text.low[name.end + 1 :].lstrip() if text.low[name.end : name.end + 1] == "." else ""
    told = text.lexicon.apposed.match(sentence)
    return told is not None and sentence[told.end() :].lstrip()[:1] == "."


def asks_for(text: Text, name: Name) -> bool:
    """“Hello, Anna Ward, please.”, “Anna Ward? Is she in?”"""
    behind = text.low[name.end :].lstrip(" ,.")
    return behind.startswith("?") or text.lexicon.asked_for.match(behind.lstrip("¿")) is not None


def is_spoken_of(text: Text, at: int, *, pauses: str) -> bool:
    """Tell whether what follows is about a third: “…, he's had a fall”."""
    return text.lexicon.spoken_of.match(text.low[at:].lstrip(pauses)) is not None


def is_of_a_code(text: Text, name: Name) -> bool:
    """“it's TY 30 617”"""
    return re.match(r"[\s,-]*\d", text.text[name.end :]) is not None


def is_sure(name: Name, lexicon: Lexicon) -> bool:
    """Where every noun has a capital, a name needs more: a given name, a title or a second word."""
    is_whole = not name.is_single and lexicon.particles.isdisjoint(name.words)
    given = name.has_given or name.words[0].lower() in lexicon.given_words
    return not lexicon.nouns_have_capitals or given or bool(name.title) or is_whole


def is_not_whom(text: Text, greeted: Name, *, answers: bool) -> bool:
    """“Hi Sam, it's Joe” and “Max isn't here” name whom the agent greeted as another; so does “no”, unless it
    `answers` how they are, and goes on about nobody else."""
    lexicon = text.lexicon
    first = next((word for word in text.said if word not in lexicon.calling), "")
    is_named = not text.plain.isdisjoint(greeted.plain - lexicon.particles)
    is_denied = first in lexicon.no and not (answers and _is_of_oneself(text, first))
    return is_named or is_denied or lexicon.somebody_else.search(text.low) is not None


def _is_of_oneself(text: Text, no: str) -> bool:
    """“No, not really.”, “No, I'm ill.”, “Good, actually.”, not “No, Tom's in hospital.”"""
    if text.said[0] != no:
        return True
    behind = text.said[text.said.index(no) + 1 :]
    following = next((word for word in behind if word not in text.lexicon.fillers), "")
    return following == "" or following in text.lexicon.of_oneself | text.lexicon.no | _NOT


def asked_for(text: Text) -> set[str]:
    """Return whom a caller wants to speak to."""
    if not (is_asking(text) or text.lexicon.asked_for.search(text.low)):
        return set()
    names = (text.read(segment.start, sure=text.is_cased) for segment in text.segments)
    return {word for name in names if name and asks_for(text, name) for word in name.plain}


def mentioned(text: Text) -> set[str]:
    """Return whom a caller deals with, asks for or tells of: “with Mr Yildiz, please”, “Is it Mrs Okafor I
    ask for?”, “My father-in-law, Mr Evans.”"""
    found: set[str] = set()
    titles = text.lexicon.titles | text.lexicon.before_given
    for place, (before, word) in enumerate(pairwise(text.said), 1):
        if word not in titles:
            continue
        start, end = text.words[place].span()
        is_asked = re.match(r"[^.!?]*\?", text.text[end:]) is not None
        if is_asked or before in text.lexicon.beside or _is_described(text, start):
            name = text.read(start, sure=True)
            found |= name.plain if name else set()
    return found


def told_of(text: Text, *, may_ask: bool) -> set[str]:
    """Return of whom an agent tells: “C'est Madame Doyle.”, “It's the volunteer, Mrs Doyle.”, “Mrs Doyle, our
    nurse.”; early in a call it `may_ask` who calls: “That's Mrs Doyle, isn't it?”"""
    found: set[str] = set()
    for place, word in enumerate(text.said):
        if word not in text.lexicon.titles:
            continue
        start = text.words[place].start()
        name = text.read(start, sure=True)
        asks = may_ask and name is not None and re.match(r"[^.!]*\?", text.text[name.end :]) is not None
        if name is None or asks:
            continue
        behind = text.low[name.end :].lstrip(" ,")
        if _is_pointed_at(text, place) or text.lexicon.apposed.match(behind):
            found |= name.plain
    return found


def _is_pointed_at(text: Text, place: int) -> bool:
    """“It's Mrs Doyle”, “That's the new doctor, Mrs Doyle”, not “It's Friday, Mrs Doyle”"""
    lexicon, start = text.lexicon, text.words[place].start()
    begin = next(one.start for one in text.segments if one.end > start)
    before = text.said[text.place(begin) : place]
    if before:
        return before[-1] in lexicon.pointing
    clause = next((one for one in reversed(text.segments) if one.end <= start), None)
    said = text.said[text.place(clause.start) : place] if clause else []
    return said[-1:] != [] and said[-1] in lexicon.persons and not lexicon.pointing.isdisjoint(said)


def is_beside_a_role(text: Text, name: Name) -> bool:
    """“You'll have the new doctor, Mrs Singh.”"""
    place = text.place(name.start) - bool(name.title)
    return place > 0 and text.said[place - 1] in text.lexicon.persons


def asks_who(text: Text) -> bool:
    """“And who comes on Monday?”, not “the man who came”"""
    lexicon = text.lexicon
    words = _WORDS.findall(re.split(r"[.!?…]\s", text.low.rstrip(" .!?…"))[-1])
    empty = (lexicon.fillers | lexicon.exclaims | lexicon.follows) - lexicon.asks_who
    first = next((word for word in words if word not in empty), "")
    return first in lexicon.asks_who


def _is_described(text: Text, at: int) -> bool:
    """Tell whether a few words before a name say whose that is: “my father-in-law, ”."""
    clause = re.split(r"[.!?]", text.low[:at])[-1].rstrip()
    own = manner(text.lexicon.language).first_person
    return clause.endswith(",") and not own.isdisjoint(clause.rstrip(" ,").split()[-_DESCRIPTION:-1])


def _is_denied(behind: str, lexicon: Lexicon) -> bool:
    """“Ik ben Joost niet.”"""
    cue = lexicon.negated.match(behind)
    return cue is not None and re.match(r"\s*(?:[.,!?]|$)", behind[cue.end() :]) is not None


def _is_owner(text: Text, name: Name) -> bool:
    """“Marta's”, “Marta Klein's”, but “Marta, boiler's broken” is Marta."""
    owner = re.match(r"'s|\s([\w-]+)'s(?=\s+(\w+))", text.text[name.end :])
    if owner is None or owner[1] is None:
        return owner is not None
    word = owner[1].lower()
    is_told_of_next = is_given(word) and text.lexicon.acting.match(text.low, name.end + owner.end() - 1)
    is_of_kin = name.is_pair and owner[2].lower() in text.lexicon.persons
    if name.has_given and (is_told_of_next or is_of_kin):
        return False  # "it's mary ben's got a cold", "it's Mary Kowalski Ben's mum"
    is_name = owner[1][0].isupper() if text.is_cased else word not in text.lexicon.things
    return is_name and word not in text.lexicon.never
