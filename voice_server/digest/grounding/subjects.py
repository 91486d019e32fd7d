"""Who did it: a digest may not say “you” of what the caller said, nor “the caller” of what the agent did.

What a sentence tells is looked for in the talk with the same verb: “I'll send you the list” is the speaker's
sending, “could you send me” the other's. Only what is surely the other's doing is wrong.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from voice_server.digest.grounding.day_evidence import is_weekday
from voice_server.digest.grounding.stance import besides_what_was_asked
from voice_server.digest.grounding.transcript import Line
from voice_server.digest.grounding.vocabulary import Vocabulary, plain, vocabulary
from voice_server.digest.language.sentences import split
from voice_server.domain.digest import Speaker

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|'[a-z]{1,2}\b|[,;.!?:]")
_CLAUSE = re.compile(r"[,;.!?:]")
_STEM, _ENDING = 4, 4  # letters that two forms of a verb have in common at least, and that they may end in
_LATE = 3  # words before a sentence's subject at most
_SHARED = 2  # words of a request that show who made it
_SHORT = 5  # letters of words of which the last two may differ
_GERUND = 8  # letters of a gerund, at least: "mando" is none
_CLITIC = 6  # letters of a verb with "me" behind it, at least
_TO_WHOM = 2  # words before who is promised something: “promis à”
_PHRASE = 4  # words of what the parties are called


class Parties(Struct, frozen=True):
    """What the two are called, folded: “the caller”, “marta klein”; “you”."""

    user: frozenset[str]
    agent: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(word for phrase in self.user for word in phrase.split())

    def at(self, words: Sequence[str], place: int) -> tuple[Speaker | None, int]:
        """Return who is named at a word, and in how many words."""
        for size in range(_PHRASE, 0, -1):
            phrase = " ".join(words[place : place + size])
            if phrase in self.user:
                return "user", size
            if phrase in self.agent:
                return "agent", size
        return None, 1


class _Action(Struct, frozen=True):
    """`is_asked`: the caller who says “please cancel it” may be said to cancel it."""

    verb: str
    who: Speaker
    is_asked: bool = False


class _Mention(Struct, frozen=True):
    who: Speaker
    start: int
    end: int


def parties(language: str, caller: str = "") -> Parties:
    known = vocabulary(language)
    names = {plain(name) for name in (caller, *caller.split()) if len(name) > 1}
    lists = known.lists if known else {"caller": frozenset[str](), "agent": frozenset[str]()}
    user = {" ".join(_WORD.findall(phrase)) for phrase in lists["caller"] | names}
    return Parties(frozenset(user), lists["agent"])


def swapped_roles(
    text: str, lines: Sequence[Line], language: str, two: Parties, *, of_promise: bool = False
) -> str:
    """Return the verb that a text tells of the one and the lines of the other. `of_promise`: it tells who is
    to do it, not who asked."""
    known = vocabulary(language)
    if known is None:
        return ""
    done = [doing for line in lines for doing in _doings(line, known)]
    for sentence in split(text):
        words = _WORD.findall(plain(sentence))
        mentions = _without_recipients([*_addressed(sentence, known), *_mentions(words, two)], words, known)
        asserted = _WORD.findall(besides_what_was_asked(plain(sentence), language))
        if asserted != words:
            deeds = _without_recipients(
                [*_addressed(sentence, known), *_mentions(asserted, two)], asserted, known
            )
        else:
            deeds = mentions
        for verb in _turned_verbs(asserted, deeds, done, known, of_promise=of_promise):
            return verb
        if mentions and (verb := _unsupported(words, mentions[0], lines, known)):
            return verb
        if mentions and (verb := _asked_by_other(words, mentions[0], lines, known)):
            return verb
    return ""


def subject(text: str, language: str, two: Parties) -> Speaker | None:
    words = _WORD.findall(plain(text)) if vocabulary(language) else []
    return next((one.who for one in _mentions(words, two) if one.start < _LATE), None)


def _mentions(words: Sequence[str], two: Parties) -> Iterator[_Mention]:
    """Skip “the caller's sister”."""
    at = 0
    while at < len(words):
        who, size = two.at(words, at)
        if who and words[at + size : at + size + 1] != ["'s"]:
            yield _Mention(who, at, at + size)
        at += size


def _without_recipients(
    mentions: Sequence[_Mention], words: Sequence[str], known: Vocabulary
) -> list[_Mention]:
    """Leave out who is promised something: in “you promised Ada to ask” Ada does nothing, in “you promised
    Ada will ask” she does."""
    return [one for one in mentions if not _is_recipient(one, mentions, words, known)]


def _is_recipient(
    one: _Mention, mentions: Sequence[_Mention], words: Sequence[str], known: Vocabulary
) -> bool:
    before, behind = words[max(0, one.start - _TO_WHOM) : one.start], words[one.end : one.end + 1]
    if any(known.has("commits", word) for word in before):
        marks = known.lists["infinitive"] | known.lists["determiners"]
        return not marks.isdisjoint((*before[-1:], *behind))
    is_inner = known.inverted and _is_inner(one, mentions, words)
    return is_inner and any(known.has("commits", word) for word in behind)


def _is_inner(one: _Mention, mentions: Sequence[_Mention], words: Sequence[str]) -> bool:
    """“Du hast Ada versprochen”: somebody else stands before in the same clause."""
    earlier = [other for other in mentions if other.end <= one.start]
    return bool(earlier) and not any(_CLAUSE.match(word) for word in words[earlier[-1].end : one.start])


def _addressed(sentence: str, known: Vocabulary) -> Iterator[_Mention]:
    """“Enviarás el certificado” is about “you”."""
    verb = sentence.partition(" ")[0].lower()
    if known.ends("second_endings", verb) and len(verb) >= _STEM:
        yield _Mention("agent", 0, 0)


def _turned_verbs(
    words: Sequence[str],
    mentions: Sequence[_Mention],
    done: Sequence["_Action"],
    known: Vocabulary,
    *,
    of_promise: bool,
) -> Iterator[str]:
    for at, word in enumerate(words):
        before = [one for one in mentions if one.end <= at]
        if not before or len(word) < _STEM or not _is_active(words, before[-1].end, at, known):
            continue
        if before[-1].who == "user" and known.has("calling", word):  # that of which it is told
            continue
        who, to_agent = before[-1].who, any(known.has("agent_object", one) for one in words[at + 1 :])
        doings = [one for one in done if _is_same(one.verb, word)]
        may_ask = who == "user" and not to_agent and not of_promise
        fits = any(one.who == who or (one.is_asked and may_ask) for one in doings)
        if doings and not fits:
            yield word


def _is_active(words: Sequence[str], start: int, at: int, known: Vocabulary) -> bool:
    """“Du hast den Opel verkauft”: verbs may stand at the end."""
    between = words[start:at]
    if any(known.has("passive", word) for word in between[-1:]):
        return False
    if known.inverted and between and known.has("between", between[0]) and _ends_clause(words, at):
        return not any(_CLAUSE.match(word) or known.has("passive", word) for word in between)
    return all(known.has("between", word) or known.has("passive", word) for word in between)


def _ends_clause(words: Sequence[str], at: int) -> bool:
    return at + 1 == len(words) or _CLAUSE.match(words[at + 1]) is not None


def _doings(line: Line, known: Vocabulary) -> Iterator[_Action]:
    """“I'll send”, “could you send”, “please send”."""
    other: Speaker = "agent" if line.said_by == "user" else "user"
    for clause in _CLAUSE.split(plain(line.text)):
        words = [word.strip("'") for word in _WORD.findall(clause)]
        for at, word in enumerate(words):
            if len(word) < _STEM - 1 or known.has("between", word) or _is_no_verb(word, known):
                continue
            does = _doer(words, at, known)
            if does is not None:
                yield _Action(word, line.said_by if does else other, is_asked=not does)


def _is_no_verb(word: str, known: Vocabulary) -> bool:
    return word in known.shifts or is_weekday(word, known) or known.has("joining", word)


def _doer(words: Sequence[str], at: int, known: Vocabulary) -> bool | None:
    """Return True for the speaker, False for the other, None where it does not show."""
    if known.ends("asks_endings", words[at]) and len(words[at]) > _CLITIC:
        return False  # "recordarme", "mandarmi"
    if _ends_in_person(words[at], known) and not (at and known.has("helpers", words[at - 1])):
        return known.ends("first_endings", words[at])
    if known.inverted and at == len(words) - 1 and _is_framed(words, at, known):
        return not known.has("second", words[1])
    if known.inverted and at == len(words) - 1 and _is_own(words, at, known):
        return True
    place = _subject_place(words, at, known)
    if place >= 0 and (_is_person(words[place], known) or _is_object_doer(words, place, known)):
        return not known.has("second", words[place])
    return _doer_behind(words, at, place, known)


def _doer_behind(words: Sequence[str], at: int, place: int, known: Vocabulary) -> bool | None:
    behind = words[at + 1] if at + 1 < len(words) else ""
    if known.inverted and _is_person(behind, known):
        return known.has("first", behind)
    if at and known.has("begs", words[at - 1]):
        return False
    is_first = place < 0 or known.has("please", words[place])
    return False if is_first and place == at - 1 and known.has("my", behind) else None


def _is_framed(words: Sequence[str], at: int, known: Vocabulary) -> bool:
    """“Soll ich Sie daran erinnern”."""
    return at > 1 and known.has("between", words[0]) and _is_person(words[1], known)


def _is_own(words: Sequence[str], at: int, known: Vocabulary) -> bool:
    """“Ich kann heute Abend ein Foto schicken”: no other person stands behind “ich kann”."""
    place = next((n for n in range(at - 1, -1, -1) if _is_person(words[n], known)), -1)
    beside = (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])
    return (
        place >= 0 and known.has("first", words[place]) and any(known.has("helping", one) for one in beside)
    )


def _subject_place(words: Sequence[str], at: int, known: Vocabulary) -> int:
    """Look before helping words; in “I'll write and send it” before the first verb."""
    place = at - 1
    while place >= 0 and known.has("between", words[place]) and not _is_subject(words, place, known):
        place -= 1
    if place > 0 and known.has("joins", words[place]):
        persons = [n for n in range(place) if _is_subject(words, n, known)]
        return persons[-1] if persons else place
    return place


def _is_person(word: str, known: Vocabulary) -> bool:
    return known.has("first", word) or known.has("second", word)


def _is_subject(words: Sequence[str], place: int, known: Vocabulary) -> bool:
    """Tell whether it is the subject: of “je vous rappelle” only “je” is."""
    return _is_person(words[place], known) and not (place and _is_person(words[place - 1], known))


def _ends_in_person(word: str, known: Vocabulary) -> bool:
    """“Tomo” and “enviaste” do."""
    shows = known.ends("first_endings", word) or known.ends("second_endings", word)
    return shows and not (known.ends("gerunds", word) and len(word) >= _GERUND)


def _is_object_doer(words: Sequence[str], place: int, known: Vocabulary) -> bool:
    """“Remind me to buy”: the buying is the speaker's."""
    return known.has("object_first", words[place]) and words[place + 1 : place + 2] == ["to"]


def _unsupported(words: Sequence[str], first: _Mention, lines: Sequence[Line], known: Vocabulary) -> str:
    """Find what rests on nothing but the other's talk of themselves."""
    if first.start >= _LATE or any(line.said_by == first.who for line in lines):
        return ""
    verb = words[first.end] if first.end < len(words) else ""
    said = [set(_WORD.findall(plain(line.text))) for line in lines]
    of_themselves = any(_says(one, ("first", "my"), known) for one in said)
    of_the_other = any(_says(one, ("second", "your"), known) for one in said)
    following = " ".join(words[first.end : first.end + 2])
    if known.has("modal", verb) or known.has("modal", following) or _is_passive(following, known):
        return ""
    if known.has("reported", verb) or (of_themselves and not of_the_other):
        return verb
    return ""


def _is_passive(words: str, known: Vocabulary) -> bool:
    verb, _, done = words.partition(" ")
    return known.has("passive", verb) and (
        not known.endings["participle_endings"] or known.ends("participle_endings", done)
    )


def _asked_by_other(words: Sequence[str], first: _Mention, lines: Sequence[Line], known: Vocabulary) -> str:
    """Find what “you” are said to have asked for, in the caller's words alone."""
    verb = words[first.end] if first.end < len(words) else ""
    if first.who != "agent" or first.start >= _LATE or not known.has("reported", verb):
        return ""
    told = {word for word in words[first.end + 1 :] if len(word) >= _STEM}
    said = {
        who: {word for line in lines if line.said_by == who for word in _WORD.findall(plain(line.text))}
        for who in ("agent", "user")
    }
    shared = {
        who: sum(any(_is_same(one, word) for one in heard) for word in told) for who, heard in said.items()
    }
    return verb if shared["agent"] == 0 and shared["user"] >= _SHARED else ""


def _says(words: set[str], kinds: Sequence[str], known: Vocabulary) -> bool:
    return any(known.has(kind, word) for kind in kinds for word in words)


def _is_same(said: str, told: str) -> bool:
    common = 0
    for one, other in zip(said, told, strict=False):
        if one != other:
            break
        common += 1
    longest = max(len(said), len(told))
    if longest <= _SHORT:
        return common >= max(longest - 2, _STEM - 1)
    return common >= _STEM and common >= longest - _ENDING
