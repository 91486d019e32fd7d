"""Whose it is: “my flatmate works nights” is no “the caller works nights”.

Persons are the two who talk, those called by what they are to somebody (“my son”, out of `relatives` in
`vocabularies/*.toml`), and those called by a name. A word is about the person named last before it in its
sentence, or right behind it. Where that does not show, nothing is wrong.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.grounding.stance import Stance, is_form, is_telling, stance
from voice_server.digest.grounding.subjects import Parties
from voice_server.digest.grounding.transcript import Line
from voice_server.digest.grounding.vocabulary import Vocabulary, plain, vocabulary
from voice_server.digest.language.manner import manner
from voice_server.digest.person_names.lexicon import given_names
from voice_server.runtime.once import once

_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|[.!?…](?=\s|$)|'s\b|,")
_ENDS = frozenset(".!?…")
_FIRST = 3  # words before the person that a sentence is about, at most
_BEHIND = 3  # words behind which a person may be named who does it
_TOGETHER = 2  # words within which "my son" and "Callum" are one
_GENITIVE = 4  # letters of a name with an "s" behind, at least
_LATELY = 5  # lines within which somebody was spoken of who is “she”
_NAME = 3  # letters of a name, at least
_VERB = 3  # letters that two forms of a verb have in common, maybe: "dors" and "dort"

_Who = frozenset[str]
_USER, _AGENT = frozenset({"*user"}), frozenset({"*agent"})
_OTHER = frozenset({"*other"})  # “she”: neither of the two


class _Token(Struct, frozen=True):
    word: str
    sentence: int
    is_capital: bool


class _Mention(Struct, frozen=True):
    place: int
    who: _Who
    last: int = 0
    is_owner: bool = False  # of what follows: "Joan's"
    is_object: bool = False  # somebody else's doing goes on behind it: "he lives with me, works nights"


class _Talk(Struct, frozen=True):
    tokens: tuple[_Token, ...]
    mentions: tuple[_Mention, ...]
    breaks: tuple[int, ...] = ()  # places where another clause begins
    asked: _Who = frozenset()  # of whom the line before asked

    @property
    def who(self) -> _Who:
        return frozenset(key for one in self.mentions for key in one.who)

    def about(self, place: int) -> _Who:
        sentence = self.tokens[place].sentence
        near = [one for one in self.mentions if self.tokens[one.place].sentence == sentence]
        earlier = [one for one in near if one.place < place]
        named = [one for one in earlier if one.who != _OTHER]
        before = _nearest(named)
        if earlier and _nearest(earlier)[0] == _OTHER:  # whoever it is, it is not who speaks
            before = [_OTHER, *(one.who - _USER - _AGENT for one in named[-1:])]
        stop = min((one for one in self.breaks if one > place), default=len(self.tokens))
        close = [one for one in near if place < one.place <= place + _BEHIND and not one.is_object]
        # "she smokes and I don't" is hers; "one of us is diabetic, my son" is the son's
        behind = [one.who for one in close[:1] if one.place < stop or not one.who & (_USER | _AGENT)]
        if not before and not behind and sentence == 0:
            return self.asked
        return frozenset(key for who in (*before, *behind) for key in who)


class Cast:
    def __init__(self, lines: Sequence[Line], language: str, two: Parties) -> None:
        self._stance, self._words = stance(language), vocabulary(language)
        self._two = two
        self._names = two.user - self._words.lists["caller"] if self._words else frozenset[str]()
        self._talk: dict[int, _Talk] = {}
        if self._stance and self._words:
            first = self._first_person(self._stance, self._words)
            others = dict.fromkeys(self._words.lists["third"], _OTHER)
            asked, since = _Who(), _LATELY
            for line in lines:
                pronouns = dict.fromkeys(first, _USER if line.said_by == "user" else _AGENT)
                talk = self._read(line.text, self._words, pronouns)
                since = 0 if talk.who - _USER - _AGENT else since + 1
                if since < _LATELY:
                    talk = self._read(line.text, self._words, others | pronouns)
                    since = 0 if talk.who >= _OTHER else since
                self._talk[line.position] = replace(talk, asked=asked)
                asked = _asked(talk)
        self._same = _joined(who for talk in self._talk.values() for who in _called(talk))

    def mistaken(
        self,
        text: str,
        heard: Iterable[Line],
        *,
        of_state: bool,
        of_past: bool = False,
        named: frozenset[int] = frozenset(),
    ) -> str:
        """Return the first word that the talk says of somebody else. `of_state`: the text says what somebody
        is or has, `of_past` what they said or did, not what is to happen."""
        if self._stance is None or self._words is None:
            return ""
        told = self._read(text, self._words, {})
        there = {line.position: self._talk[line.position] for line in heard if line.position in self._talk}
        of_user = bool(told.mentions) and told.mentions[0].who == _USER
        own = [talk for position, talk in there.items() if not (named and of_user) or position in named]
        return self._unnamed(told, [*there.values()]) or (
            self._misplaced(told, own, self._stance, self._words) if of_state or (of_past and of_user) else ""
        )

    def told_of(self, text: str) -> tuple[frozenset[str], bool]:
        """Return the words that name persons, and whether the text tells of one alone."""
        if self._words is None:
            return frozenset(), False
        told = self._read(text, self._words, {})
        places = [place for one in told.mentions for place in range(one.place, one.last + 1)]
        alone = [one for one in told.mentions if not one.is_owner]
        return frozenset(told.tokens[place].word for place in places), len(alone) <= 1

    def _unnamed(self, told: _Talk, there: Sequence[_Talk]) -> str:
        """Find a relative in the text while its lines speak of another."""
        if self._words is None:
            return ""
        kinds = set(self._words.relatives.values()) - {"child"}
        said = self._all(frozenset(key for talk in there for key in talk.who))
        in_text = frozenset(key for one in told.mentions for key in one.who) - _USER - _AGENT
        missing = {key for key in in_text & kinds if key not in said}
        others = {key for talk in there for key in talk.who if key in kinds}
        if not missing or not others or self._all(in_text) & said:
            return ""
        return next(iter(sorted(missing)))

    def _misplaced(self, told: _Talk, there: Sequence[_Talk], known: Stance, words: Vocabulary) -> str:
        persons = [one for one in told.mentions if not one.is_owner]
        if not persons or persons[0].place > _FIRST or persons[0].who == _AGENT:
            return ""
        named = self._all(
            frozenset(key for one in told.mentions for key in one.who if one in persons or key not in _USER)
        )
        places = {place for one in told.mentions for place in range(one.place, one.last + 1)}
        foreign, is_theirs, is_elsewhere, is_here = "", False, False, False
        if persons[0].who == _USER:
            does = self._predicate(told, persons[0], known, words)
            if does and self._is_of_others(does, there, named):
                return does
        for place, token in enumerate(told.tokens):
            if place in places or not _counts(token.word, known, words):
                continue
            here = list(_about(token.word, there))
            found = here or list(_about(token.word, self._talk.values()))
            if named - _USER - _AGENT:
                found = [who for who in found if who != _OTHER]
            own = [who for who in found if who != _AGENT] or found  # "I've noted the tablets"
            if any(who <= _AGENT or named & self._all(who) for who in own):
                is_theirs = is_theirs or bool(here)
                is_elsewhere = True
            elif (
                found
                and not here
                and not persons[0].who & _USER
                and all(who - _USER - _AGENT for who in found)
            ):
                return token.word
            elif found:
                foreign, is_here = foreign or token.word, is_here or bool(here)
        return "" if is_theirs or (is_elsewhere and not is_here) else foreign

    def _predicate(self, told: _Talk, person: _Mention, known: Stance, words: Vocabulary) -> str:
        """Return what a text says first of whom it is about; "" when it says that it is not so."""
        behind = [token.word for token in told.tokens[person.last + 1 :]]
        does = next((word for word in behind if _counts(word, known, words)), "")
        return "" if known.denials.search(" ".join(behind)) else does

    def _is_of_others(self, word: str, there: Sequence[_Talk], named: _Who) -> bool:
        found = [
            talk.about(place)
            for talk in there
            for place, token in enumerate(talk.tokens)
            if is_form(token.word, word) or token.word[:_VERB] == word[:_VERB]
        ]
        return bool(found) and all(who - _USER - _AGENT and not named & self._all(who) for who in found)

    def _all(self, who: _Who) -> _Who:
        return who.union(*(self._same.get(key, ()) for key in who))

    def _first_person(self, known: Stance, words: Vocabulary) -> set[str]:
        spoken = {plain(word) for word in manner(known.language).first_person} | words.lists["first"]
        return {word for word in spoken | words.lists["my"] if not known.owners.fullmatch(word)}

    def _read(self, text: str, words: Vocabulary, pronouns: dict[str, _Who]) -> _Talk:
        tokens = tuple(_tokens(text))
        joints = self._stance.joints if self._stance else frozenset[str]()
        breaks = (place for place, one in enumerate(tokens) if one.word == "," or one.word in joints)
        mentions = self._merged(self._mentions(tokens, words, pronouns), tokens)
        return _Talk(tokens, tuple(mentions), tuple(breaks))

    def _mentions(
        self, tokens: Sequence[_Token], words: Vocabulary, pronouns: dict[str, _Who]
    ) -> Iterator[_Mention]:
        place = 0
        while place < len(tokens):
            one = self._of_two(tokens, place, words, pronouns) or self._of_others(tokens, place, words)
            if one:
                yield one
            place = one.last + 1 if one else place + 1

    def _of_two(
        self, tokens: Sequence[_Token], place: int, words: Vocabulary, pronouns: dict[str, _Who]
    ) -> _Mention | None:
        word = tokens[place].word
        if word in pronouns:
            return _Mention(place, pronouns[word], place, is_object=words.has("my", word))
        if pronouns:
            return _Mention(place, _USER, place) if word in self._names else None
        who, size = self._two.at([token.word for token in tokens], place)
        last = min(place + size, len(tokens)) - 1
        is_owner = _owns(tokens, last + 1, words) or _is_of(tokens, place, words)
        return _Mention(place, _USER if who == "user" else _AGENT, last, is_owner) if who else None

    def _of_others(self, tokens: Sequence[_Token], place: int, words: Vocabulary) -> _Mention | None:
        word, following = tokens[place].word, tokens[place + 1 : place + 2]
        if words.has("titles", word) and following and following[0].is_capital:
            return None
        if owner := self._genitive(word):
            return _Mention(place, owner, place, is_owner=True)
        if following and (kind := words.relatives.get(f"{word}-{following[0].word}")):  # "mon beau père"
            return _Mention(place, frozenset({kind}), place + 1, _is_of(tokens, place, words))
        key = words.relatives.get(word) or (word if _is_name(tokens, place, words) else "")
        is_owner = _owns(tokens, place + 1, words) or _is_of(tokens, place, words)
        return _Mention(place, frozenset({key}), place, is_owner) if key else None

    def _genitive(self, word: str) -> _Who:
        if word[:-1] in self._two.user and word.endswith("s"):
            return _USER
        is_given = word.endswith("s") and len(word) > _GENITIVE and word not in _given()
        return frozenset({word[:-1]} & _given()) if is_given else frozenset()

    def _merged(self, mentions: Iterable[_Mention], tokens: Sequence[_Token]) -> Iterator[_Mention]:
        """“My son” and “Callum” right behind are one."""
        before: _Mention | None = None
        for one in mentions:
            if before and _is_one(before, one, tokens):
                before = _Mention(before.place, before.who | one.who, one.last, one.is_owner)
                continue
            if before:
                yield before
            before = one
        if before:
            yield before


def _nearest(before: Sequence[_Mention]) -> list[_Who]:
    """Behind an object (“he lives with me, works nights”) it may be the last who does something."""
    doing = [one.who for one in before if not one.is_object][-1:]
    return [*doing, before[-1].who] if before else []


def _asked(talk: _Talk) -> _Who:
    is_question = bool(talk.tokens) and talk.tokens[-1].word == "?"
    return talk.mentions[-1].who - _USER - _AGENT - _OTHER if is_question and talk.mentions else frozenset()


def _is_one(before: _Mention, one: _Mention, tokens: Sequence[_Token]) -> bool:
    if (
        {*_USER, *_AGENT, *_OTHER} & (before.who | one.who)
        or before.is_owner
        or one.place - before.last > _TOGETHER
    ):
        return False
    return tokens[before.place].sentence == tokens[one.place].sentence


def _tokens(text: str) -> Iterator[_Token]:
    sentence = 0
    spelled = _TOKEN.findall(text.replace("’", "'"))
    for raw in spelled:
        yield _Token(plain(raw), sentence, raw[0].isupper())
        sentence += raw in _ENDS


def _owns(tokens: Sequence[_Token], behind: int, words: Vocabulary) -> bool:
    """“Beth's got a cold” and “Ben's finishing” own nothing."""
    if behind >= len(tokens) or tokens[behind].word != "'s":
        return False
    owned = tokens[behind + 1].word if behind + 1 < len(tokens) else ""
    return not (words.has("not_owned", owned) or words.ends("gerunds", owned))


def _is_of(tokens: Sequence[_Token], place: int, words: Vocabulary) -> bool:
    return place > 1 and words.has("of", tokens[place - 1].word)


def _is_name(tokens: Sequence[_Token], place: int, words: Vocabulary) -> bool:
    word = tokens[place].word
    if len(word) < _NAME or words.has("telling", word) or word in words.weekdays:
        return False
    is_relatives = _is_behind_relative(tokens, place, words)
    if tokens[place].is_capital:
        return word in _given() or is_relatives
    return word in _given() and is_relatives and not any(token.is_capital for token in tokens)


def _is_behind_relative(tokens: Sequence[_Token], place: int, words: Vocabulary) -> bool:
    return any(token.word in words.relatives for token in tokens[max(0, place - _TOGETHER) : place])


def _counts(word: str, known: Stance, words: Vocabulary) -> bool:
    if not word[0].isalpha() or not is_telling(word, known, words):
        return False
    return not any(
        words.has(kind, part) for kind in ("telling", "reported", "between") for part in word.split("-")
    )


def _about(word: str, talks: Iterable[_Talk]) -> Iterator[_Who]:
    for talk in talks:
        for place, token in enumerate(talk.tokens):
            if is_form(token.word, word):
                yield talk.about(place)


def _called(talk: _Talk) -> Iterator[_Who]:
    """“And your daughter?” – “Fiona? Well.” may name the one asked for."""
    for number, one in enumerate(talk.mentions):
        is_asked = talk.asked and number == 0 and not one.place and not one.who & (_USER | _AGENT | _OTHER)
        yield one.who | talk.asked if is_asked else one.who


def _joined(persons: Iterable[_Who]) -> dict[str, _Who]:
    """“My son Callum”: each word is the other's."""
    found: dict[str, _Who] = {}
    for who in persons:
        for key in who if len(who) > 1 else ():
            found[key] = found.get(key, frozenset()) | who
    return found


@once
def _given() -> frozenset[str]:
    return frozenset(map(plain, given_names()))
