"""What callers call themselves, and how the agent then calls them.

    each turn ─→ "my name is …", the answer to "your name?", "it's …", letters, "no, …" ─→ what is known

A name has to be said of oneself: who is only mentioned is nobody here. What may be something else (“I'm
sandy”) is a name if the agent then calls the caller so.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile
from typing import Literal

from msgspec import Struct

from voice_server.digest.language.manner import manner
from voice_server.digest.person_names import spelling
from voice_server.digest.person_names.lexicon import Lexicon, is_given, lexicon
from voice_server.digest.person_names.reading import LONGEST, Name, Segment, Text, written
from voice_server.domain.conversation import Message
from voice_server.domain.person import CallerName, Certainty

Part = Literal["", "whole", "first", "last"]
_HEARD = 600  # messages of a conversation; names are told at its beginning
_DOUBTFUL = 20  # words that may be names
_OPENING = 2  # turns of the caller in which they say who they are, unasked
_OPEN_QUESTION = re.compile(r"\?|¿")


class _Ask(Struct, frozen=True):
    """What the agent has just said: the `part` of a name that it asks for, or something else, and `words`
    that may be names."""

    part: Part = ""
    other: bool = False
    of_another: bool = False
    taken_for: Name | None = None
    words: tuple[str, ...] = ()


def named(messages: Sequence[Message], language: str) -> CallerName | None:
    """Return None when nobody says the name, or the language has no file."""
    known = lexicon(language)
    if known is None:
        return None
    hearing = _NameSearch(known)
    for message in messages[:_HEARD]:
        if message.role == "user":
            hearing.hear_caller(message.content)
        elif message.role == "agent":
            hearing.hear_agent(Text(message.content, known))
    return hearing.result()


Naming = Callable[[Sequence[Message], str], CallerName | None]


def naming() -> Naming:
    """Return `named` for one conversation: who asks for the same once more, waits for no search. Messages
    with something left out are other messages."""
    heard: list[tuple[Sequence[Message], str, CallerName | None]] = []

    def find(messages: Sequence[Message], language: str) -> CallerName | None:
        for before, spoken, name in heard:
            if spoken == language and [*before] == [*messages]:
                return name
        heard.append((messages, language, named(messages, language)))
        return heard[-1][2]

    return find


class _NameSearch:
    def __init__(self, phrases: Lexicon) -> None:
        self._lexicon = phrases
        self._ask = _Ask()
        self._turns = 0
        self._words: list[str] = []
        self._title = ""
        self._stated = False
        self._unsure = False  # a name that no mark divides from the rest, until another is said
        self._certainty: Certainty = "stated"
        self._nickname = ""
        self._doubtful: list[Name] = []
        self._perhaps: list[Name] = []  # theirs if the agent then calls them “Mr” with the surname
        self._called: list[Name] = []
        self._agent_said: list[Text] = []
        self._booked: Name | None = None
        self._greeted: Name | None = None
        self._agents: set[str] = set()  # words of its opening that may be its name or house
        self._mistaken = False  # greeted as somebody else
        self._mentioned: set[str] = set()
        self._said: set[str] = set()
        self._spoke_of_another = False  # in the caller's last turn, who or what has a name, too
        self._renamed = ""  # a surname that is new, where the given name was not said yet

    # -- the agent

    def hear_agent(self, text: Text) -> None:
        known = bool((self._words and not self._unsure) or self._greeted or self._spoke_of_another)
        self._ask = _asked(text, self._lexicon, known=known, opens=not self._turns)
        if not self._turns:
            self._agents |= _plain(self._ask.words)
            self._greeted = self._greeted or _greeted(text, self._lexicon)
        else:
            self._called += _forms_of_address(text, self._lexicon)
            self._agent_said.append(text)

    # -- the caller

    def hear_caller(self, content: str) -> None:
        said, self._turns = Text(content, self._lexicon), self._turns + 1
        text = _without_vocative(said, self._agents)
        self._said |= _plain_words(text)
        self._spoke_of_another = self._lexicon.also_called.search(text.low) is not None
        self._mentioned |= _mentioned(text, self._lexicon)
        self._mentioned |= set() if self._ask.part else _asked_for(text)
        if self._greeted and self._turns == 1 and _is_another(said, self._greeted, self._lexicon):
            self._greeted, self._mistaken = None, True
        before = list(self._words)
        if not self._state(text) and not self._answer(text) and not self._confirm(text):
            self._introduce(text, greets_agent=text is not said)
        self._complete(text)
        self._add_given(text)
        self._take_nickname(text)
        self._prefer(text, before)
        self._rename(text, before)
        self._correct(text, before)
        self._spell(text)
        self._book(text)
        self._ask = (
            _Ask(part=self._ask.part) if self._words == before and len(text.words) < _SHORT else _Ask()
        )

    def _state(self, text: Text) -> bool:
        found = False
        for cue in self._lexicon.stated.finditer(text.low):
            name = None if _is_behind_a_name(text, cue.start()) else text.read(cue.end(), sure=True)
            if name is not None:
                self._take(name, _part_of(cue.group().removesuffix("'s"), self._lexicon), stated=True)
                found = True
        asked_else = self._ask.other and not self._ask.part
        for cue in () if asked_else else self._lexicon.named_before.finditer(text.low):
            name = text.read_back(cue.start(), sure=True)
            if name is not None:
                self._take(name, "", stated=True)
                found = True
        return found

    def _answer(self, text: Text) -> bool:
        if not self._ask.part:
            return False
        pointed, under = self._lexicon.pointed, self._lexicon.put_under
        own = (self._lexicon.introduced, self._lexicon.kin_of)
        for cues, sure in ((pointed, True), (under, True), *((one, text.is_cased) for one in own)):
            cue = cues.match(text.low)
            if cue and (name := text.read(cue.end(), sure=sure)):
                self._take(name, self._ask.part, stated=True)
                return True
        bare = [name for name in _bare_names(text, self._lexicon) if not self._is_echo(name)]
        found = [name for name in bare if not self._is_vocative(name, text)]
        for name in found:
            self._take(name, self._ask.part if len(found) == 1 else "", stated=True)
        if not found and (name := text.read(0, sure=False)) and is_given(name.words[0]):
            self._doubtful.append(name)  # "jerome same address"
        return bool(found)

    def _is_vocative(self, name: Name, text: Text) -> bool:
        """“Hi Luca, I'm Bea” greets an agent that has just said “Luca”."""
        return _plain(name.words) <= _plain(self._ask.words) and name.end < len(text.text.rstrip(" .!?"))

    def _is_echo(self, name: Name) -> bool:
        """“No, Edith Farrow”"""
        return bool(self._words) and self._ask.part == "" and not _overlap(name.words, self._words)

    def _confirm(self, text: Text) -> bool:
        taken_for = self._ask.taken_for
        if taken_for is None or not self._says_yes(text) or not _is_sure(taken_for, self._lexicon):
            return False  # "Sind Sie Diabetikerin?"
        self._take(taken_for, "", stated=True)
        return True

    def _says_yes(self, text: Text) -> bool:
        """“Yes, speaking.”, “That's me.”"""
        first = text.words[0].group().lower() if text.words else ""
        begins = next(iter(text.segments()), None)
        remark = text.low[begins.start : begins.end].strip() if begins else ""
        return first in self._lexicon.yes or self._lexicon.confirmed.fullmatch(remark) is not None

    def _introduce(self, text: Text, *, greets_agent: bool) -> None:
        if self._turns == 1 and len(text.words) <= _SHORT:
            names = _bare_names(text, self._lexicon)
            self._doubtful += [
                one for one in names if not _is_of_a_code(text, one) and not _asks_for(text, one)
            ]
        is_met = not (self._greeted or self._ask.other or self._ask.part)
        if self._turns == 1:
            self._greet(text, may_be_surname=is_met and not greets_agent)
        for name in _surname_then_whole(text, self._lexicon):
            self._take(name, "", stated=False)
        asked = self._ask.part or self._ask.taken_for or (self._mistaken and self._turns == 1)
        said = [*_introductions(text, self._lexicon, may_point=self._may_point(), asked=bool(asked))]
        for name, is_sure in said:
            if is_sure and (self._turns == 1 or name.title or is_given(name.words[0])):
                self._take(name, "", stated=False)
            elif len(self._doubtful) < _DOUBTFUL:
                self._doubtful.append(name)
        if not said and not self._words:
            self._suppose(text, is_met=is_met, greets_agent=greets_agent)

    def _greet(self, text: Text, *, may_be_surname: bool) -> None:
        """“Hello Tom, Lucinda Barrow.”, “Hiya, Lorcan from the Copper Kettle.”, “Hollerbach, guten Tag.”"""
        agents = _plain(self._ask.words)
        for name in _alone(text, agents, may_be_surname=may_be_surname):
            self._take(name, "", stated=False)
        of_a_house = _of_a_house(text, agents)
        if of_a_house is not None and text.is_cased:
            self._take(of_a_house, "", stated=False)
        elif of_a_house is not None:
            self._doubtful.append(of_a_house)
        before = _before_the_greeting(text, agents, self._lexicon)
        if before is not None:
            self._take(before, "", stated=False)

    def _suppose(self, text: Text, *, is_met: bool, greets_agent: bool) -> None:
        """Take a whole name for theirs until they say another, if the agent has just said another of its own;
        one that is in no list, or may be the agent's, is theirs if the agent then calls them so."""
        run_on = _run_on(text, self._agents) if self._turns == 1 else None
        knows_agent = is_met and any(is_given(word) for word in self._agents)
        is_usual = run_on is not None and is_given(run_on.words[0])
        if run_on and is_usual and knows_agent and _is_divided(text, run_on, greets_agent=greets_agent):
            self._take(run_on, "", stated=False)
            self._unsure = True
        elif len(self._perhaps) < _DOUBTFUL:
            self._perhaps += [run_on] if run_on is not None else _whole_names(text)

    def _may_point(self) -> bool:
        """Tell whether “it's …” says who is calling: not in answer to something else."""
        asked = self._ask.of_another or (self._ask.other and self._turns > 1)
        return self._turns <= _OPENING and not asked

    def _complete(self, text: Text) -> None:
        """Take the whole name behind a part: “it's Brambley. Cecily Brambley.”"""
        for segment in text.segments() if len(self._words) == 1 and text.is_cased else ():
            name = text.read(segment.start, sure=True)
            if name is None or len(name.words) != _PARTS:
                continue
            first, last = name.words
            if first == self._words[0] or (last == self._words[0] and self._is_whole(text, name, segment)):
                self._words = [first, last]
                return

    def _is_whole(self, text: Text, name: Name, segment: Segment) -> bool:
        if (self._ask.other and self._turns > 1) or text.text[segment.end : segment.end + 1] == "?":
            return False
        is_anothers = self._lexicon.not_theirs.search(text.low, 0, name.start) is not None
        return is_given(name.words[0]) and not is_anothers and text.is_all(name, segment)

    def _add_given(self, text: Text) -> None:
        """Add what is said to be the given name: “Yilmaz. First name Elif.”"""
        known, may_add = self._lexicon, len(self._words) == 1 and not self._ask.of_another
        cue = known.first_name.search(text.low) if may_add else None
        if cue is None or known.of_others.search(text.low) or known.not_theirs.search(text.low):
            return
        clause = next(one for one in text.segments() if one.end > cue.start())
        leads = not text.text[clause.start : cue.start()].strip()
        name = text.read(cue.end() if leads else clause.start, sure=text.is_cased)
        if name and len(name.words) == 1 and _plain(name.words).isdisjoint(_plain(self._words)):
            self._words = [*name.words, *self._words]

    def _take_nickname(self, text: Text) -> None:
        for cue in self._lexicon.nicknamed.finditer(text.low):
            name = text.read(cue.end(), sure=True)
            if name is None or _plain(name.words) <= _plain(self._words):
                continue
            if self._words:
                self._nickname = " ".join(name.words)
            else:
                self._take(name, "", stated=True)

    def _prefer(self, text: Text, before: Sequence[str]) -> None:
        """“Jonathan Smyth, but Jon is fine”"""
        for cue in (
            self._lexicon.preferred.finditer(text.low) if self._words and self._words != before else ()
        ):
            name = self._last_word(text, cue.start())
            if name and not _plain(name.words) & _plain(self._words):
                self._nickname = name.words[0]

    def _last_word(self, text: Text, end: int) -> Name | None:
        """Take one word, where a clause begins: “, but Jon”."""
        place = bisect_left([word.start() for word in text.words], end) - 1
        start = text.words[place].start()
        leads = text.words[place - 1].group().lower() in self._lexicon.follows if place > 0 else False
        name = text.read(start, sure=True) if leads or text.begins(start) else None
        return name if name and len(name.words) == 1 and name.end <= end else None

    def _rename(self, text: Text, before: Sequence[str]) -> None:
        """“It's Ward now, I got married”: without a given name, it waits until the agent says both."""
        if not self._lexicon.weddings.search(text.low) or len(self._words) == 1:
            return
        for cue in self._lexicon.renamed.finditer(text.low):
            name = text.read(cue.end(), sure=text.is_cased)
            if name is None or len(name.words) != 1:
                continue
            if len(before) >= _PARTS:
                self._words = [before[0], *name.words]
                self._stated, self._certainty = True, "corrected"
            elif not self._words:
                self._renamed = name.words[0]

    def _correct(self, text: Text, before: Sequence[str]) -> None:
        for name, is_stated in _corrections(text, self._lexicon):
            self._put_right(name, before or self._words or self._ask.words, is_stated=is_stated)

    def _put_right(self, name: Name, heard: Sequence[str], *, is_stated: bool) -> None:
        words = list(self._words or heard)
        if not self._words and name.words[0].casefold() in _plain(words):
            return  # "Can Henk come?" – "No, Henk has to work."
        if not self._words and len(name.words) == _PARTS and (is_stated or is_given(name.words[0])):
            self._take(name, "", stated=True)
            return
        places = [spelling.most_alike(word, words) for word in name.words]
        if None in places or not words:
            return
        if not self._words:
            self._words = list(name.words)
        else:
            for place, word in zip(places, name.words, strict=True):
                self._words[place or 0] = word
        self._stated, self._certainty = True, "corrected"

    def _spell(self, text: Text) -> None:
        found = spelling.spelled(text.text, self._lexicon)
        for letters in found:
            if spelling.only_doubles(letters):
                for letter in letters[::2]:
                    self._double(letter)
                continue
            word = written(letters, self._lexicon)
            place = spelling.most_alike(letters, self._words)
            if place is not None and spelling.adds_nothing(letters, self._words[place]):
                continue
            if place is not None:
                self._words[place] = word
                self._certainty = "corrected"
            elif self._ask.part and letters not in self._lexicon.never:
                self._take(Name((word,), "", 0, 0), self._ask.part, stated=True)
                self._certainty = "corrected"
        if not found and self._words and (self._ask.part or _plain(self._words) & _plain_words(text)):
            for letter in spelling.doubled_letters(text.text, self._lexicon):
                self._double(letter)

    def _double(self, letter: str) -> None:
        for place in reversed(range(len(self._words))):
            if letter in self._words[place].lower():
                self._words[place] = spelling.with_double(self._words[place], letter)
                self._certainty = "corrected"
                return

    def _book(self, text: Text) -> None:
        for cue in self._lexicon.booked.finditer(text.low):
            name = text.read(cue.end(), sure=True)
            if name is not None and (text.is_cased or not self._lexicon.is_seldom(name.words[0].lower())):
                self._booked = self._booked or name

    # -- what is known

    def _take(self, name: Name, part: Part, *, stated: bool) -> None:
        replaces = (stated or self._unsure) and not self._stated
        words = _together(self._words, list(name.words), part, replaces=replaces)
        if words != self._words or not self._title:
            self._title = name.title or self._title
        self._words = words
        self._stated, self._unsure = self._stated or stated, False

    def result(self) -> CallerName | None:
        self._settle_doubts()
        words, title, certainty = self._words, self._title, self._certainty
        called = next(
            (one for one in self._called if one.words and _plain(one.words).isdisjoint(self._mentioned)), None
        )
        if self._unsure and not self._is_called(words):
            certainty = "assumed"
            words = words if called is None or _sounds_like(called.words, words) else []
        if len(words) == 1 and called is not None and self._is_usual(called) and _completes(words[0], called):
            words = [*words, *called.words]
        if not words and (given := self._given_before(self._renamed)):
            words, certainty = [*given, self._renamed], "corrected"
        if len(words) == 1 and self._renamed and self._renamed not in words and is_given(words[0]):
            words, certainty = [*words, self._renamed], "corrected"
        if len(words) == _PARTS and is_given(words[1]) and self._is_surname(words[0]):
            words = [words[1], words[0]]  # "Huber Franz", whom the agent calls "Herr Huber"
        if not words:
            found = called or self._booked or self._greeted
            if found is None:
                return None
            words, title, certainty = list(found.words), found.title, "assumed"
        name = _told(words, title, self._lexicon)
        if not name or len(name) > LONGEST:
            return None
        return CallerName(name, self._nickname, certainty, title=title if name.startswith(title) else "")

    def _given_before(self, surname: str) -> list[str]:
        """Look in what the agent says: “Marlene Brandstetter, that's changed.”"""
        said = [[word.group() for word in text.words] for text in self._agent_said]
        pairs = (pair for one in said for pair in pairwise(one))
        return next(([given] for given, name in pairs if name == surname and is_given(given)), [])

    def _is_usual(self, called: Name) -> bool:
        """Tell whether it is more than a name called once, of somebody else or in play, that the caller did
        not say."""
        calls = sum(one.words == called.words for one in self._called)
        return calls > 1 or _plain(called.words) <= self._said

    def _is_surname(self, word: str) -> bool:
        """Tell whether it is more than a title before a given name: “dona Graça”."""
        given = self._lexicon.before_given
        return any(one.words == (word,) and one.title.lower().strip(".") not in given for one in self._called)

    def _settle_doubts(self) -> None:
        for name in self._doubtful:
            is_open = not self._words or (self._unsure and not self._is_called(self._words))
            if is_open and self._is_called(name.words):
                self._take(name, "", stated=False)
        for name in () if self._words else self._perhaps:
            if self._is_addressed(name):
                self._take(name, "", stated=False)
                return

    def _is_addressed(self, name: Name) -> bool:
        """Tell whether the agent says “Yes, Mr Gill” to Devinder Gill, with marks or without, or “Thanks,
        Devinder.”; “Hello, Copper Kettle.” may be said to a house."""
        if not self._mentioned.isdisjoint(_plain(name.words)):
            return False
        surname = name.words[-1].lower()
        said = any(
            _calls_by_given(text, name.words[0], self._lexicon)
            if text.is_cased
            else _addresses(text, surname)
            for text in self._agent_said
        )
        return said or any(_plain(one.words) == {surname} for one in self._called)

    def _is_called(self, words: Sequence[str]) -> bool:
        return any(_calls(text, word, self._lexicon) for text in self._agent_said for word in words)


_SHORT = 4  # words of "Sorry?", after which the question still stands
_PAUSE = re.compile(r"[.;:?]")
_DESCRIPTION = 4  # words of “my wife's old doctor”
_WORD = re.compile(r"\w+")
_ENDS = re.compile(r"[.!?]")
_BRIEF_QUESTION = 10  # words before the name of who is asked
_PARTS = 2  # names that one answer tells: surname and given name


def _asked(text: Text, phrases: Lexicon, *, known: bool, opens: bool) -> _Ask:
    """When it is `known` who calls, “¿Cómo se llama?” asks for another's name."""
    words = tuple(word.group() for word in text.words if _may_name(word.group(), text, phrases))
    confirmed = phrases.confirmations.search(text.low)
    taken_for = text.read(confirmed.end(), sure=True) if confirmed else None
    if taken_for is not None:
        return _Ask(taken_for=taken_for, words=words)
    of_others = phrases.of_others.search(text.low) or (phrases.of_anybody.search(text.low) if known else None)
    if phrases.questions.search(text.low) and not of_others:
        return _Ask(_part_of(text.low, phrases) or "whole", words=words)
    return _Ask(
        other=_OPEN_QUESTION.search(text.text) is not None,
        of_another=phrases.of_others.search(_last_question(text.low, opens=opens)) is not None,
        words=words,
    )


def _last_question(low: str, *, opens: bool) -> str:
    """Without marks, as a recogniser writes, anything but the opening of a call may be one."""
    said = low.rstrip(" \"'»”")
    if _ENDS.search(said) is None:
        return "" if opens else said
    return re.split(r"[.!?]\s", said)[-1] if said.endswith("?") else ""


def _may_name(word: str, text: Text, phrases: Lexicon) -> bool:
    plain = word.lower()
    return plain not in phrases.never and (is_given(plain) or (text.is_cased and word[0].isupper()))


def _part_of(text: str, phrases: Lexicon) -> Part:
    first, last = phrases.first_name.search(text), phrases.last_name.search(text)
    return "" if bool(first) == bool(last) else "first" if first else "last"


def _bare_names(text: Text, phrases: Lexicon) -> list[Name]:
    found: list[Name] = []
    for segment in text.segments():
        name = text.read(segment.start, sure=True)
        name = _with_second_surname(text, name, segment) if name else None
        if not found and _is_kin(text, segment):
            continue  # "His dad. Emmanuel."
        is_kin = name is not None and phrases.kin_of.match(text.low[name.end :].lstrip()) is not None
        if phrases.not_theirs.search(text.low, segment.start, segment.end) and not found and not is_kin:
            return []
        if name is not None and name.end <= segment.end and (is_kin or text.is_all(name, segment)):
            found.append(name)
        elif found and not text.is_spelled(segment):
            break
        if len(found) == _PARTS:
            break
    return found


def _is_kin(text: Text, segment: Segment) -> bool:
    """Tell whether it only says whose kin or carer the speaker is: “His dad.”"""
    said = text.low[segment.start : segment.end].strip()
    return text.text[segment.end : segment.end + 1] == "." and text.lexicon.kin_of.fullmatch(said) is not None


def _with_second_surname(text: Text, name: Name, segment: Segment) -> Name:
    """Add the last word of an answer without capitals: “martín echeverría garmendia”."""
    rest = [word for word in text.words if name.end <= word.start() < segment.end]
    has_two = text.lexicon.phrases.two_surnames and not text.is_cased
    if not has_two or len(rest) != 1 or len(name.words) != _PARTS or not is_given(name.words[0]):
        return name
    plain = rest[0].group().lower()
    titles = text.lexicon.courtesy | text.lexicon.academic
    if (
        plain in text.lexicon.never | text.lexicon.follows | titles
        or text.lexicon.is_seldom(plain)
        or len(plain) == 1
    ):
        return name
    return Name((*name.words, written(plain, text.lexicon)), name.title, name.start, rest[0].end())


def _without_vocative(text: Text, agents: set[str]) -> Text:
    """Leave out whom a turn greets: “Morning Maureen, Devinder Gill.”, “callum hi freya lindqvist”. Without
    marks it may be the caller's own, too, unless a greeting or another name follows."""
    fillers = text.lexicon.fillers
    place, named = next(
        ((at, one) for at, one in enumerate(text.words) if one.group().lower() not in fillers), (0, None)
    )
    if named is None or named.group().casefold() not in agents or place + 1 == len(text.words):
        return text
    following = [word.group().lower() for word in text.words[place + 1 : place + 1 + _PARTS]]
    is_greeted = re.match(r"\s*[,.!]", text.text[named.end() :]) or following[0] in text.lexicon.calling
    is_before_a_name = is_given(following[0]) or (
        len(following) == _PARTS and text.lexicon.never.isdisjoint(following)
    )
    if not is_greeted and (text.is_cased or not is_before_a_name):
        return text
    return Text(text.text[: named.start()].rstrip() + text.text[named.end() :], text.lexicon)


def _alone(text: Text, agents: set[str], *, may_be_surname: bool) -> Iterator[Name]:
    """Yield whole names that are a sentence behind a greeting or a relative's name: “Hello Tom, Lucinda
    Barrow.”, “I'm Maya's dad, Colin Barrow.”, “Hello, Barrow, Lucinda.”"""
    segments = list(text.segments()) if text.is_cased else []
    for place, segment in enumerate(segments):
        name = text.read(segment.start, sure=True)
        if name is None or name.end > segment.end or text.text[name.end : segment.end].strip():
            continue
        if not text.is_all(name, segment):
            continue
        may_call = len(name.words) > 1
        if not (
            _is_greeting(text, name.start, agents, may_call=may_call) or _says_whose(text, segments[:place])
        ):
            continue
        if _is_anothers(text, name, text.lexicon, may_point=True) or _asks_for(text, name):
            continue
        if len(name.words) == 1 and place + 1 < len(segments):
            name = _surname_first(text, name, segments[place + 1]) or name
        is_whole = len(name.words) == _PARTS and is_given(name.words[0]) and not name.title
        tells = is_whole or (may_be_surname and _is_surname_alone(text, name))
        if tells and _plain(name.words).isdisjoint(agents):
            yield name


def _run_on(text: Text, agents: set[str]) -> Name | None:
    """Return the whole name behind a greeting, with no mark before what one says of oneself: “bonjour gaël
    ferreira je vous appelle”."""
    before = [*takewhile(lambda word: word.group().lower() in text.lexicon.fillers, text.words)]
    if text.lexicon.calling.isdisjoint(word.group().lower() for word in before):
        return None
    start = before[-1].end()
    name = text.read(start, sure=text.is_cased) or text.read(start, sure=True)
    if name is None or not _plain(name.words).isdisjoint(agents) or _asks_for(text, name):
        return None
    behind = re.match(r"\s*([\w']*)", text.low[name.end :])
    goes_on = behind is None or behind[1] in text.lexicon.of_oneself or not text.low[name.end :].strip()
    is_whole = len(name.words) == _PARTS and is_given(name.words[0]) and not is_given(name.words[1])
    return name if goes_on and (is_whole or _may_be_unheard(text, name)) else None


def _is_divided(text: Text, name: Name, *, greets_agent: bool) -> bool:
    """Tell whether a name is told from the word behind it: “hello freya paints” may be about Freya."""
    return text.is_cased or greets_agent or text.low[name.end :].strip() != ""


def _whole_names(text: Text) -> Iterator[Name]:
    """Yield whole names that are all of a remark: “Oh, Devinder Gill, by the way.”"""
    for segment in text.segments() if text.is_cased else ():
        name = text.read(segment.start, sure=True)
        if name is None or name.end != segment.end or _is_anothers(text, name, text.lexicon, may_point=True):
            continue
        if text.is_all(name, segment) and _may_be_unheard(text, name) and not _asks_for(text, name):
            yield name


def _addresses(text: Text, surname: str) -> bool:
    """Tell whether it begins with a title and the surname: “oui monsieur ferreira c'est pour quoi”."""
    known = text.lexicon
    said = [word.group().lower() for word in text.words]
    rest = [*dropwhile(lambda word: word in (known.fillers | known.calling) - known.courtesy, said)]
    return rest[:1] != [] and rest[0] in known.courtesy and rest[1:_PARTS] == [surname]


def _may_be_unheard(text: Text, name: Name) -> bool:
    """Tell whether none of its words is known otherwise, nor is it of a house: “Devinder de la Tetera”."""
    known = text.lexicon
    words = [word.lower() for word in name.words if word.lower() not in known.particles]
    is_known = known.is_seldom(words[0]) or not (known.seldom - known.surnames).isdisjoint(words)
    is_of_one = not known.houses.isdisjoint(word.lower() for word in name.words)
    most = _PARTS + known.phrases.two_surnames
    return _PARTS <= len(words) <= most and not (is_known or is_of_one or name.title)


def _is_surname_alone(text: Text, name: Name) -> bool:
    """“Guten Tag, Wiesinger.” In some languages one says one's surname so; who greets the other says “Frau
    Wiesinger”, or a given name."""
    known = text.lexicon
    word, before = name.words[0].lower(), set(_WORD.findall(text.low[: name.start]))
    is_other = is_given(word) or word in known.endearments or known.is_seldom(word)
    is_one = len(name.words) == 1 and not name.title and text.text[name.end : name.end + 1] in {".", ","}
    return known.phrases.surname_alone and is_one and not is_other and before <= known.greetings


def _is_greeting(text: Text, end: int, agents: set[str], *, may_call: bool) -> bool:
    """Tell whether it only greets; `may_call`: an agent whose name nobody told, too: “Hello Tom, Lucinda
    Barrow.”"""
    before = re.sub(r"[,.!]", " ", text.low[:end]).split()
    if may_call and len(before) > 1 and text.low[:end].rstrip().endswith((",", "!")) and is_given(before[-1]):
        before.pop()
    return bool(before) and all(one in text.lexicon.fillers or one.casefold() in agents for one in before)


def _says_whose(text: Text, before: Sequence[Segment]) -> bool:
    """“I'm Maya's dad,”"""
    if not before or text.text[before[-1].end] != ",":
        return False
    start, end = before[-1].start, before[-1].end
    cue = text.lexicon.introduced.search(text.low, start, end)
    if cue is None or text.low[start : cue.start()].strip():
        return False
    return text.lexicon.kin_of.match(text.low[cue.end() : end].strip()) is not None


def _surname_first(text: Text, surname: Name, segment: Segment) -> Name | None:
    given = text.read(segment.start, sure=True)
    if given is None or text.text[surname.end : given.start].strip() != "," or given.end < segment.end:
        return None
    both = (*given.words, *surname.words)
    turned = len(both) == _PARTS and is_given(both[0]) and not is_given(both[1])
    return Name(both, surname.title, surname.start, given.end) if turned else None


def _introductions(
    text: Text, phrases: Lexicon, *, may_point: bool, asked: bool
) -> Iterator[tuple[Name, bool]]:
    """Yield names, each with whether it is surely a name. `asked`: the question was whom one speaks to."""
    own = [*phrases.introduced.finditer(text.low)]
    pointed = [cue for cue in phrases.pointed.finditer(text.low) if may_point and _opens(text, cue.start())]
    yield from ((name, True) for name in _of_a_family(text) if may_point)
    yield from ((name, True) for name in _as_kin(text, own, pointed, asked=asked))
    for cue in (*own, *pointed):
        name = text.read(cue.end(), sure=False)
        if name and not name.title and phrases.articles & {*_WORD.findall(text.low[cue.end() : name.start])}:
            continue  # "It's the Millers"
        if name is not None and not _is_anothers(text, name, phrases, may_point=cue in pointed):
            yield name, _is_sure(name, phrases)
        elif name is None and (name := text.read(cue.end(), sure=True)) and not _is_of_a_code(text, name):
            yield name, _is_said_twice(text, name)
    for cue in phrases.closing.finditer(text.low):
        name = text.read_back(cue.start(), sure=False)
        if name is not None:
            yield name, may_point or is_given(name.words[0])
        elif may_point and (name := text.read_back(cue.start(), sure=True)):
            yield name, False
    for cue in phrases.once_more.finditer(text.low) if may_point else ():
        name = text.read_back(cue.start(), sure=False)
        if name is not None and _ends_clause(text, cue.end()) and _is_begun_with(text, name):
            yield name, True


def _ends_clause(text: Text, at: int) -> bool:
    """“Marta again, about the lamp”, but “Ben again dropped the plates”; “Mia again, she eats nothing” is
    about a third."""
    ends = re.match(r"\s*(?:[,.;:!…]|$)", text.text[at:]) or text.lexicon.on_account.match(text.low, at + 1)
    return ends is not None and not _is_spoken_of(text, at, pauses=" ,;")


def _is_spoken_of(text: Text, at: int, *, pauses: str) -> bool:
    """Tell whether what follows is about a third: “…, he's had a fall”."""
    return text.lexicon.spoken_of.match(text.low[at:].lstrip(pauses)) is not None


def _is_begun_with(text: Text, name: Name) -> bool:
    """“Hello, Marta Klein again”, but “die mia frisst wieder” may be about a cat."""
    known, words = text.lexicon, [word.lower() for word in name.words]
    before = set(_WORD.findall(text.low[: name.start]))
    all_known = all(is_given(word) or word in known.surnames for word in words)
    return (
        before <= known.fillers and (is_given(words[0]) or name.title != "") and (text.is_cased or all_known)
    )


def _as_kin(
    text: Text, own: Sequence["re.Match[str]"], pointed: Sequence["re.Match[str]"], *, asked: bool
) -> Iterator[Name]:
    """“I'm her husband, Tom.” “It's her husband, Tom.” may be about a third, unless it answers who speaks;
    then “He fell.” behind it may be about another than Tom."""
    yield from _named_behind_kin(text, own)
    for name in _named_behind_kin(text, pointed) if asked or _denies(text) else ():
        if not _is_spoken_of(text, name.end, pauses=" ,;" if asked else " ,;.!"):
            yield name


def _denies(text: Text) -> bool:
    return bool(text.words) and text.words[0].group().lower() in text.lexicon.no


def _named_behind_kin(text: Text, cues: Sequence["re.Match[str]"]) -> Iterator[Name]:
    """“No, this is her husband, Tom Pike.”"""
    kin_of = text.lexicon.kin_of
    for cue in cues:
        last_word = text.low.rfind(" ", cue.start(), cue.end()) + 1  # "sou a", "sono la"
        kin = kin_of.match(text.low, cue.end() + 1) or kin_of.match(text.low, last_word)
        name = text.read(kin.end(), sure=False) if kin else None
        if name is not None and (is_given(name.words[0]) or name.title):
            yield name


def _is_behind_a_name(text: Text, at: int) -> bool:
    """“Marta Klein al habla, de Sevilla”"""
    before = text.read_back(at, sure=False)
    names = before is not None and before.end == len(text.text[:at].rstrip())
    return names and text.lexicon.closing.match(text.low, at) is not None


def _before_the_greeting(text: Text, agents: set[str], phrases: Lexicon) -> Name | None:
    """“Hollerbach, guten Tag.” Behind a title, or just said by the agent, the name is greeted."""
    name = text.read(0, sure=True) if text.is_cased else None
    if name is None or name.title or not _plain(name.words).isdisjoint(agents):
        return None
    if len(name.words) > 1 and not is_given(name.words[0]):
        return None  # "Spedition Kranz, guten Tag."
    rest = re.match(r",\s*", text.low[name.end :])
    greets = rest and phrases.then_greets.match(text.low, name.end + rest.end())
    return name if greets and not text.low[: name.start].strip() else None


def _of_a_family(text: Text) -> Iterator[Name]:
    """“It's the Hendersons at forty-two.”"""
    for cue in text.lexicon.families.finditer(text.low) if text.is_cased else ():
        name = text.read(cue.end(), sure=False) if _opens(text, cue.start()) else None
        if name is not None and len(name.words) == 1:
            yield Name((name.words[0].removesuffix("s"),), name.title, name.start, name.end)


def _of_a_house(text: Text, agents: set[str]) -> Name | None:
    """Read the given name of “Hiya, Lorcan from the Copper Kettle.”, “Hola, Elena de La Tetera.”"""
    known = text.lexicon
    before = [*takewhile(lambda word: word.group().lower() in known.fillers, text.words)]
    if known.calling.isdisjoint(word.group().lower() for word in before):
        return None
    given, joint = (*text.words[len(before) : len(before) + _PARTS], None, None)[:_PARTS]
    if given is None or joint is None or joint.group().lower() not in known.houses:
        return None
    if not is_given(given.group()) or given.group().casefold() in agents:
        return None
    end = next(one.end for one in text.segments() if one.end >= given.end())
    if not _is_house(text, joint.end(), end) or _is_spoken_of(text, end, pauses=" ,;.!"):
        return None
    name = Name((written(given.group(), known),), "", given.start(), end)
    return None if _asks_for(text, name) else name


def _is_house(text: Text, start: int, end: int) -> bool:
    """Tell whether a remark ends with what may be a house: “the Copper Kettle.”"""
    known = text.lexicon
    small = known.determiners | known.particles | known.houses
    said = [word.group() for word in text.words if start <= word.start() < end]
    words = [word for word in said if word.lower() not in small]
    is_named = not text.is_cased or all(word[0].isupper() for word in words)
    closes = text.text[end : end + 1] in {"", ".", ","}
    return bool(words) and is_named and closes and known.never.isdisjoint(word.lower() for word in words)


def _surname_then_whole(text: Text, phrases: Lexicon) -> Iterator[Name]:
    """“It's Ashdown, by the way. Judith Ashdown.”"""
    said = (text.read(cue.end(), sure=True) for cue in phrases.pointed.finditer(text.low))
    surnames = [name for name in said if name and len(name.words) == 1]
    for segment in text.segments() if surnames and text.is_cased else ():
        name = text.read(segment.start, sure=True)
        if name and len(name.words) == _PARTS and is_given(name.words[0]) and text.is_all(name, segment):
            yield from (name for one in surnames if one.words == name.words[1:] and one.end < name.start)


def _opens(text: Text, at: int) -> bool:
    """Tell whether it begins the remark, behind a greeting perhaps: “hi Bex it's …”."""
    place = bisect_left([word.start() for word in text.words], at)
    greets = place == _PARTS and text.words[0].group().lower() in text.lexicon.calling
    return greets or text.begins(at)


def _is_said_twice(text: Text, name: Name) -> bool:
    """“it's Joely, Joely Hammond”"""
    first = name.words[0].lower()
    said = [word.group().lower() for word in text.words if name.start <= word.start() < name.end]
    return len(name.words) >= _PARTS and said.count(first) > 1


def _is_of_a_code(text: Text, name: Name) -> bool:
    """“it's TY 30 617”"""
    return re.match(r"[\s,-]*\d", text.text[name.end :]) is not None


def _is_sure(name: Name, phrases: Lexicon) -> bool:
    """Where every noun has a capital, a name needs more: a given name, a title or a second word."""
    is_whole = len(name.words) > 1 and phrases.particles.isdisjoint(name.words)
    given = is_given(name.words[0]) or name.words[0].lower() in phrases.given_words
    return not phrases.phrases.nouns_have_capitals or given or bool(name.title) or is_whole


def _is_anothers(text: Text, name: Name, phrases: Lexicon, *, may_point: bool) -> bool:
    """Tell whether what follows makes it another's: “'s birthday”, or, where “this is” `may_point` at
    somebody, “my sister”."""
    behind = text.low[name.end :].lstrip(" ,")
    is_asked_for = name.title and (phrases.called_about.match(behind) or behind.startswith("?"))
    at_once = phrases.apposed_directly.match(text.low, name.end + 1)
    is_pointed_at = may_point and (phrases.apposed.match(behind) or at_once or is_asked_for)
    return bool(is_pointed_at) or _is_owner(text, name, phrases) or _is_denied(behind, phrases)


def _asks_for(text: Text, name: Name) -> bool:
    """“Hello, Anna Ward, please.”, “Anna Ward? Is she in?”"""
    behind = text.low[name.end :].lstrip(" ,.")
    return behind.startswith("?") or text.lexicon.asked_for.match(behind.lstrip("¿")) is not None


def _asked_for(text: Text) -> set[str]:
    """Return whom a caller wants to speak to."""
    if not (_OPEN_QUESTION.search(text.text) or text.lexicon.asked_for.search(text.low)):
        return set()
    names = (text.read(segment.start, sure=text.is_cased) for segment in text.segments())
    return {word for name in names if name and _asks_for(text, name) for word in _plain(name.words)}


def _is_denied(behind: str, phrases: Lexicon) -> bool:
    """“Ik ben Joost niet.”"""
    cue = phrases.negated.match(behind)
    return cue is not None and re.match(r"\s*(?:[.,!?]|$)", behind[cue.end() :]) is not None


def _is_owner(text: Text, name: Name, phrases: Lexicon) -> bool:
    """“Marta's”, “Marta Klein's”, but “Marta, boiler's broken” is Marta."""
    owner = re.match(r"'s|\s([\w-]+)'s(?=\s)", text.text[name.end :])
    if owner is None or owner[1] is None:
        return owner is not None
    plain = owner[1].lower()
    is_name = owner[1][0].isupper() if text.is_cased else plain not in phrases.things
    return is_name and plain not in phrases.never


def _corrections(text: Text, phrases: Lexicon) -> Iterator[tuple[Name, bool]]:
    """Yield names that replace others (“not Klein, Kline”), with whether they are said to be one's own (“No,
    it's Farrow”)."""
    first = text.words[0] if text.words else None
    if first is not None and first.group().lower() in phrases.no:
        cue = phrases.pointed.search(text.low, first.end()) or phrases.stated.search(text.low, first.end())
        name = text.read(cue.end() if cue else first.end(), sure=True)
        if name is not None:
            yield name, cue is not None
    for cue in phrases.with_letter.finditer(text.low):
        name = text.read_back(cue.start(), sure=True)
        if name is not None and len(name.words) == 1:
            yield name, False
    for negated in phrases.negated.finditer(text.low):
        wrong = text.read(negated.end(), sure=True)
        if wrong is None:
            continue
        right = text.read(wrong.end, sure=True) or text.read_back(negated.start(), sure=True)
        if right is not None and not _plain(right.words) & _plain(wrong.words):
            yield right, False


def _forms_of_address(text: Text, phrases: Lexicon) -> Iterator[Name]:
    """Yield names with a title: “Thank you, Ms Strand.”"""
    for place, word in enumerate(text.words):
        if word.group().lower() not in phrases.courtesy:
            continue
        before = text.words[place - 1] if place else None
        if before is not None and before.group().lower() in phrases.articles:
            continue
        calls = text.begins(word.start()) or (
            before is not None and before.group().lower() in phrases.calling
        )
        name = text.read(word.start(), sure=True)
        if (
            calls
            and name is not None
            and name.title
            and re.match(r"\s*(?:[,.!?;:]|$)", text.text[name.end :])
        ):
            yield name


def _mentioned(text: Text, phrases: Lexicon) -> set[str]:
    """Return whom a caller deals with, asks for or tells of: “with Mr Yildiz, please”, “Is it Mrs Okafor I
    ask for?”, “My father-in-law, Mr Evans.”"""
    found: set[str] = set()
    for before, word in pairwise(text.words):
        if word.group().lower() not in phrases.courtesy | phrases.academic | phrases.before_given:
            continue
        is_asked = re.match(r"[^.!?]*\?", text.text[word.end() :]) is not None
        is_beside = before.group().lower() in phrases.beside
        if is_asked or is_beside or _is_described(text, word.start(), phrases):
            name = text.read(word.start(), sure=True)
            found |= _plain(name.words) if name else set()
    return found


def _is_described(text: Text, at: int, phrases: Lexicon) -> bool:
    """Tell whether a few words before a name say whose that is: “my father-in-law, ”."""
    clause = _ENDS.split(text.low[:at])[-1].rstrip()
    own = manner(phrases.phrases.language).first_person
    return clause.endswith(",") and not own.isdisjoint(clause.rstrip(" ,").split()[-_DESCRIPTION:-1])


def _greeted(text: Text, phrases: Lexicon) -> Name | None:
    """Return whom the agent greets: “Hi Tendai, how are you?”, but not a house: “Good morning,
    Bellavista.”"""
    asked_by_name = _vocative(text, phrases)
    if asked_by_name is not None:
        return asked_by_name
    names = [word for word in text.words if word.group().lower() not in phrases.calling - phrases.courtesy]
    if not names or names[0] is text.words[0] or _PAUSE.search(text.text[: names[0].start()]):
        return None
    name = text.read(names[0].start(), sure=text.is_cased)
    if name is None or not _is_greeted(text, name, phrases) or len(name.words) > _PARTS:
        return None
    if any(cue.end() == len(text.low[: name.start].rstrip()) for cue in phrases.agents.finditer(text.low)):
        return None  # "Bom dia, sou a Clara."
    is_none = any(
        word.lower() in phrases.endearments or phrases.is_seldom(word.lower()) for word in name.words
    )
    if is_none or (phrases.at_a_desk.search(text.low) and not name.title):
        return None
    hails = text.words[0].group().lower() in phrases.hails
    asked_after = phrases.asks_after.search(text.low, name.end) is not None
    is_called = hails or (asked_after and not re.search(r"[,.!]", text.text[: name.start]))
    return name if name.title or is_given(name.words[0]) or (is_called and len(name.words) == 1) else None


def _vocative(text: Text, phrases: Lexicon) -> Name | None:
    """Return whom a short question calls: “Come va in famiglia, Ornella?”"""
    last = re.search(r",([^,.!?]+)\?$", text.text.strip())
    if last is None or phrases.at_a_desk.search(text.low):
        return None
    start = text.text.index(last[0]) + 1
    name = text.read(start, sure=True)
    is_all = name is not None and not text.text[name.end :].strip(" ?")
    asked = _WORD.findall(re.split(r"[.!?]", text.low[: start - 1])[-1])
    if name is None or not is_all or len(name.words) > _PARTS or len(asked) > _BRIEF_QUESTION:
        return None
    if not phrases.determiners.isdisjoint(asked):
        return None  # "Is it about your dog, Milly?"
    return name if name.title or is_given(name.words[0]) else None


def _is_greeted(text: Text, name: Name, phrases: Lexicon) -> bool:
    """Tell whether a pause follows; without any, no “here” or house may: “hi dominic how's the knee”."""
    rest = text.low[name.end :]
    if re.match(r"\s*(?:[,.!?]|$)", rest):
        return True
    if text.is_cased or len(name.words) != 1 or not is_given(name.words[0]):
        return False
    first, following = text.words[0], _WORD.search(rest)
    hails = name.start <= first.end() + 1 and (bool(name.title) or first.group().lower() in phrases.hails)
    is_of_a_house = following is not None and following[0] in phrases.houses
    return hails and not is_of_a_house and not phrases.closing.match(rest.strip())


def _is_another(text: Text, name: Name, phrases: Lexicon) -> bool:
    """“Hi Sam, it's Joe” and “Max isn't here” name them as another."""
    first = next(
        (word.group().lower() for word in text.words if word.group().lower() not in phrases.calling), ""
    )
    is_named = not _plain(name.words).isdisjoint(_plain_words(text))
    return is_named or first in phrases.no or phrases.somebody_else.search(text.low) is not None


def _calls(text: Text, word: str, phrases: Lexicon) -> bool:
    for place, found in enumerate(text.words):
        if found.group().lower() != word.lower():
            continue
        before = text.words[place - 1].group().lower() if place else ""
        if text.begins(found.start()) or before in phrases.calling | phrases.courtesy:
            return True
    return False


def _sounds_like(called: Sequence[str], words: Sequence[str]) -> bool:
    """“Mr Gil” of Devinder Gill"""
    return any(spelling.most_alike(word, list(words)) is not None for word in called)


def _calls_by_given(text: Text, word: str, phrases: Lexicon) -> bool:
    return _calls(text, word, phrases) and re.search(rf"\b{re.escape(word)}\s*[,.!?]", text.text) is not None


def _completes(word: str, called: Name) -> bool:
    return is_given(word) and len(called.words) == 1 and called.words[0].lower() != word.lower()


def _together(known: list[str], said: list[str], part: Part, *, replaces: bool) -> list[str]:
    if not known or _plain(known) <= _plain(said):
        return said
    if _plain(said) <= _plain(known):
        return known
    if len(said) == 1:
        return _with_one(known, said[0], part, replaces=replaces)
    return said if replaces or (len(said) >= len(known) and _overlap(said, known)) else known


def _with_one(known: list[str], said: str, part: Part, *, replaces: bool) -> list[str]:
    """Keep what was spelled: a word heard once more may be heard worse."""
    if not replaces and spelling.most_alike(said, known) is not None:
        return known
    if part in ("first", "last"):
        return [known[0], said] if part == "last" else [said, known[-1]]
    together = _paired(known[0], said) if len(known) == 1 else []
    return together or ([said] if replaces else known)


def _paired(known: str, said: str) -> list[str]:
    """Put the given name first; empty when the two are no pair."""
    given = is_given(known), is_given(said)
    return {(True, False): [known, said], (False, True): [said, known]}.get(given, [])


def _overlap(said: Sequence[str], known: Sequence[str]) -> bool:
    return bool(_plain(said) & _plain(known))


def _plain(words: Sequence[str]) -> set[str]:
    return {word.casefold() for one in words for word in one.split()}


def _plain_words(text: Text) -> set[str]:
    return {word.group().casefold() for word in text.words}


def _told(words: Sequence[str], title: str, phrases: Lexicon) -> str:
    """Leave out “Mr” or “Frau” before a whole name: they say nothing more."""
    keeps = title and (len(words) == 1 or title.lower().rstrip(".") in phrases.academic)
    return " ".join([title, *words] if keeps and words else words)
