"""What callers call themselves, and how the agent then calls them.

    agent ─→ `questions`, `forms_of_address`
    caller ─→ `answers` ("my name is …", "your name?"), else `introductions` ("it's …") and `greetings`
           ─→ `corrections` (more of it, "no, …", letters), `nicknames` ─→ `evidence`
    all said ─→ `outcome`

A name has to be said of oneself: what rules one out is in `exclusions`. What may be something else (“I'm
sandy”) is a name if the agent then calls the caller so.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from voice_server.digest.person_names.evidence import NameEvidence
from voice_server.digest.person_names.exclusions import (
    asked_for,
    asks_for,
    is_not_whom,
    is_of_a_code,
    is_of_kin,
    mentioned,
)
from voice_server.digest.person_names.lexicon import Lexicon, lexicon
from voice_server.digest.person_names.outcome import outcome
from voice_server.digest.person_names.questions import After, Question, question
from voice_server.digest.person_names.reading import PAIR, Name, Text, plain
from voice_server.digest.person_names.sources.answers import answers, bare_names
from voice_server.digest.person_names.sources.corrections import add_given, complete, correct, rename, spell
from voice_server.digest.person_names.sources.forms_of_address import FormsOfAddress
from voice_server.digest.person_names.sources.greetings import greeting_names, suppose, without_vocative
from voice_server.digest.person_names.sources.introductions import introductions, kin_of
from voice_server.digest.person_names.sources.nicknames import take_nickname
from voice_server.digest.person_names.sources.retracted import without_retracted
from voice_server.digest.person_names.turns import Turn
from voice_server.domain.conversation import Message
from voice_server.domain.person import CallerName

_HEARD = 600  # messages of a conversation; names are told at its beginning
_DOUBTFUL = 20  # words that may be names
_STILL_OF_ANOTHER = 3  # turns of the caller: “my son” – “How old is he?” – “Nine.” – “And the name?”
_SHORT = 4  # words of "Sorry?", after which the question still stands


def named(messages: Sequence[Message], language: str) -> CallerName | None:
    """Return None when nobody says the name, or the language has no file."""
    known = lexicon(language)
    if known is None:
        return None
    search, heard = _NameSearch(known), messages[:_HEARD]
    behind_a_gap = {then.position for one, then in pairwise(heard) if then.position > one.position + 1}
    for message in heard:
        if message.position in behind_a_gap:
            search.miss_a_turn()
        if message.role == "user":
            search.hear_caller(message.content)
        elif message.role == "agent":
            search.hear_agent(Text(message.content, known))
    return outcome(search.known, search.address, known)


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
        self.known = NameEvidence()
        self.address = FormsOfAddress(phrases)
        self._lexicon = phrases
        self._question = Question()
        self._turns = 0
        self._says_who_calls = False  # in the caller's first turn, without a name: “soy el de la furgoneta”
        self._of_another = 0  # turns in which a name may yet be asked for of whom or what was spoken of
        self._after: After = ""  # whose name the question before asked for
        self._only_answered = False  # whether all that is known of the name is the answer to it

    def miss_a_turn(self) -> None:
        """Let the last question wait for no answer: it was in a turn that nobody may know."""
        self._question = Question()

    def hear_agent(self, text: Text) -> None:
        is_told = bool(self.known.words) and not self.known.is_unsure
        known = is_told or self.address.greeted is not None or self._of_another > 0
        self._question = question(
            text,
            known=known,
            whole=is_told and len(self.known.words) >= PAIR,
            opens=not self._turns,
            kin_of=self.known.kin_of,
            may_guess=not self._turns or self._says_who_calls,
            after=self._after,
        )
        if self._turns:
            self.address.hear(text)
        else:
            self.address.open(text, plain(self._question.words))

    def hear_caller(self, content: str) -> None:
        said = Text(content, self._lexicon)
        self.address.hear_caller(said)
        turn = self._turn(said)
        text, known = turn.text, self.known
        self._says_who_calls = turn.is_first and _says_who(text)
        spoke_of_another = text.lexicon.also_called.search(text.low) is not None
        self._of_another = _STILL_OF_ANOTHER if spoke_of_another else self._of_another - 1
        known.said |= text.plain
        known.mentioned |= mentioned(text) | (set() if turn.question.part else asked_for(text))
        answered = answers(turn)
        if answered and turn.question.in_turn and self._only_answered:
            known.give_up()
        for name, part in answered:
            known.take(name, part, stated=True)
        if not answered:
            _introduce(turn, known)
        complete(turn, known)
        add_given(turn, known)
        take_nickname(turn, known)
        rename(turn, known)
        correct(turn, known)
        spell(turn, known)
        _book(text, known)
        still_stands = tuple(known.words) == turn.before and len(text.words) < _SHORT
        self._after = self._asked_for(turn.question)
        self._only_answered = turn.question.part != "" and not turn.before
        self._question = Question(part=turn.question.part if still_stands else "")

    def _asked_for(self, asked: Question) -> After:
        if asked.of_another or (asked.part == "whole" and self._of_another > 0):
            return "another's"
        return "anybody's" if asked.part == "whole" else ""

    def _turn(self, said: Text) -> Turn:
        self._turns += 1
        greeted = self.address.greeted
        is_mistaken = (
            self._turns == 1
            and greeted is not None
            and is_not_whom(said, greeted, answers=self.address.asks_after)
        )
        if is_mistaken:
            self.address.greeted = None
        addressed = without_vocative(said, self.address.own)
        text = without_retracted(addressed, self.address.own)
        return Turn(
            text,
            self._question,
            self._turns,
            agents=self.address.own,
            greeted=self.address.greeted,
            is_mistaken=is_mistaken,
            greets_agent=addressed is not said,
            before=tuple(self.known.words),
        )


def _says_who(text: Text) -> bool:
    """“Soy el de la furgoneta.”, not “Mi hijo está enfermo.”"""
    cues = (text.lexicon.introduced, text.lexicon.pointed)
    return text.lexicon.persons.isdisjoint(text.said) and any(cue.search(text.low) for cue in cues)


def _introduce(turn: Turn, known: NameEvidence) -> None:
    """Take names that callers tell unasked, or put them where they wait for the agent to call them so."""
    text = turn.text
    known.kin_of = known.kin_of or kin_of(turn)
    if turn.question.part and (name := text.read(0, sure=False)) and name.has_given:
        known.doubtful.append(name)  # "jerome same address"
    for name in bare_names(text) if turn.is_first and len(text.words) <= _SHORT else ():
        if not is_of_a_code(text, name) and not asks_for(text, name) and not is_of_kin(text, name):
            known.doubtful.append(name)
    for name, is_name in _but_of_kin(text, greeting_names(turn)) if turn.is_first else ():
        if is_name:
            known.take(name)
        else:
            known.doubtful.append(name)
    introduced = [*_but_of_kin(text, introductions(turn))]
    for name, is_name in introduced:
        if is_name and (turn.is_first or name.title or name.has_given):
            known.take(name)
        elif len(known.doubtful) < _DOUBTFUL:
            known.doubtful.append(name)
    if not introduced and not known.words:
        suppose(turn, known, most=_DOUBTFUL)


def _but_of_kin(text: Text, names: Iterator[tuple[Name, bool]]) -> Iterator[tuple[Name, bool]]:
    return ((name, is_name) for name, is_name in names if not is_of_kin(text, name))


def _book(text: Text, known: NameEvidence) -> None:
    """Remember the name of a booking."""
    for name in text.behind(text.lexicon.booked, sure=True):
        if text.is_cased or not text.lexicon.is_seldom(name.words[0].lower()):
            known.booked = known.booked or name
