"""Secrets that their situation tells: a lock, a login or a card is spoken of, and what is shaped like a
secret follows (“there's a keypad, you press 4 7 1 1 and the hash”). Pure.

What is labelled as something else (“flat 1402”), counts something, or answers another question stays.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.secrets.common_words import is_common
from voice_server.digest.secrets.findings import Findings, Scans
from voice_server.digest.secrets.lexicon import Kind
from voice_server.digest.secrets.scan import HARD, Run, Unit, is_counted
from voice_server.digest.secrets.situation_phrases import Role
from voice_server.digest.secrets.situations import passphrases
from voice_server.digest.secrets.situations.reading import Reading
from voice_server.digest.secrets.text import fold

_REMEMBERED = 6  # turns after which a lock is spoken of no more
_CONTINUES = 4  # words of an agent's turn that lets somebody go on: "Yes, go on."
_OWN = 25  # units from a lock to its number, in one turn
_BEHIND = 8  # the same, where the number comes first
_LABEL = 4  # words from a label to its number
_ENTERED = 5  # words from "press" to what is pressed
_KEY = 5  # units from a number to the key behind it
_NEXT = 2  # turns from one to the next, with the agent's "Yes?" between
_GOES_ON = 6  # words of a turn that goes on
_BETWEEN = 6  # units between two pieces of one number
_FEWEST, _MOST = 3, 8  # digits of a number that opens something
_SURE = 4  # digits of one that nobody is said to enter
_LONGEST_SENT = 10
_LONGEST_PROOF = 6  # digits of a number's end that proves who speaks
_GROUP = 4  # digits of a card's groups
_GROUPS = 2  # of them tell a card
OF_CARDS = "3456"  # with which the numbers of cards begin
_DATE = 2  # units from a day to its month
_DATES = frozenset(fold(name).text for name in MONTHS_OF_ALL | WEEKDAYS_OF_ALL)
_WORDS_OF_A_LETTER = frozenset("aeioyu")
_YEAR = re.compile(r"(?:19|20)\d\d")
_CENTURY = 2  # digits of “twenty” in “twenty sixteen”
_ONE = "1"
_KINDS: Mapping[Role, Kind] = {
    "lock": "PIN",
    "sent": "code",
    "login": "password",
    "back": "card code",
    "proof": "code",
}


class _Talk(NamedTuple):
    """What is spoken of. `is_asked`: by the turn before, so that the next says it; `is_other`: that turn
    asked for something else."""

    topics: frozenset[Role] = frozenset()
    turn: int = 0
    is_asked: bool = False
    is_other: bool = False


class _DigitRun(NamedTuple):
    """Digits of one secret, from unit `first` to `last`."""

    digits: str
    first: int
    last: int
    is_whole: bool  # written or said as one number: 1850
    run: Run


def find_situated(findings: Findings, scans: Scans) -> None:
    telling = [scans.may_tell_topic(turn.text) for turn in findings.turns]
    if not any(telling):
        return
    finder = _Finder(findings, scans, telling)
    talk = _Talk()
    for number in range(len(findings.turns)):
        if number - talk.turn > _REMEMBERED:
            talk = _Talk()
        if telling[number] or talk.topics or any(telling[number + 1 : number + 2]):
            talk = finder.read(number, talk)
    finder.take_cards()


class _Finder:
    def __init__(self, findings: Findings, scans: Scans, telling: Sequence[bool]) -> None:
        self._findings = findings
        self._scans = scans
        self._telling = telling
        self._of_card: list[tuple[int, Run]] = []
        self._begun: list[tuple[int, Run]] = []  # of a card that was asked for
        self._taken = -_NEXT - 1  # the turn of the last piece
        self._readings: dict[int, Reading] = {}

    def read(self, number: int, talk: _Talk) -> _Talk:
        """Take a turn's secrets; return what is spoken of from there on."""
        turn = self._findings.turns[number]
        said = self._reading(number)
        own = said.topics()
        if turn.speaker == "agent":
            self._take_numbers(said, _Talk())
            return _talk_after_agent(said, talk, number)
        self._take_numbers(said, talk)
        asked = talk.topics if talk.is_asked else frozenset[Role]()
        passphrases.take(said, self._findings, asked=asked, near=self._near(number, talk))
        return _Talk(own, number, is_asked=True) if own else talk

    def _near(self, number: int, talk: _Talk) -> frozenset[Role]:
        """Return what is spoken of before a turn, or in the agent's answer to it."""
        behind = number + 1
        if behind >= len(self._telling) or not self._telling[behind]:
            return talk.topics
        return talk.topics | self._reading(behind).topics()

    def _reading(self, number: int) -> Reading:
        """Read a turn once: the one before asks for it, too."""
        if number not in self._readings:
            self._readings[number] = Reading.of(self._findings, self._scans, number)
        return self._readings[number]

    def _take_numbers(self, said: Reading, talk: _Talk) -> None:
        near = self._near(said.number, talk) if said.is_users else frozenset[Role]()
        for row in _rows(said):
            is_pressed, has_key = _is_pressed(said, row), _has_key(said, row)
            is_entered = is_pressed or has_key
            topic = _topic(said, row, talk, near if is_entered else frozenset())
            is_sure_of_key = is_pressed or _has_key_within(said, row) or _is_said_singly(row)
            if topic is None and is_sure_of_key and has_key:
                topic = "lock"
            is_sure = is_entered and not (talk.is_other and topic not in said.topics())
            is_wanted = talk.is_asked or is_pressed or said.is_remembered_by(row.first)
            if topic is None or _is_ordinary(said, row, is_entered=is_sure, is_asked=is_wanted):
                continue
            if not is_entered and _is_said_as_year(row) and self._is_of_a_thing(said):
                continue
            if topic == "pay" and said.is_users and len(row.digits) >= _GROUP:
                self._of_card.append((said.number, row.run))
                if talk.is_asked and _begins_a_card(said, row):
                    self._begun.append((said.number, row.run))
            elif topic in _KINDS and (
                (talk.is_asked and self._goes_on(said) and len(row.digits) > 1)
                or _has_shape(row, topic, is_entered=is_entered, is_asked=talk.is_asked)
            ):
                self._take(said, row, _KINDS[topic])

    def _is_of_a_thing(self, said: Reading) -> bool:
        """Tell whether what has a year is spoken of, and no lock: “What car is it?” – “A Fiesta, twenty
        sixteen.”"""
        before = self._reading(said.number - 1) if said.number else said
        if said.topics() or before.topics():
            return False
        return said.names("dated") or (not before.is_users and before.names("dated", "which"))

    def _goes_on(self, said: Reading) -> bool:
        """Tell whether a number may go on: “The first are 4 7” – “Yes?” – “and then 9 1”."""
        return said.number == self._taken + _NEXT and said.word_count <= _GOES_ON

    def _take(self, said: Reading, row: _DigitRun, kind: Kind) -> None:
        self._taken = said.number
        start, end = said.units[row.first].start, said.units[row.last].end
        is_known = any(span.start < end and start < span.end for span in self._findings.spans[said.number])
        if is_known or any(unit.mark for unit in said.units[row.first : row.last + 1]):
            return
        first = _first_letter(said, row)
        if first < row.first:
            self._findings.take_words(said.number, first, row.last + 1, kind)
        if (row.first, row.last) == (row.run.first, row.run.last):
            self._findings.take(said.number, row.run.groups, kind)
            self._findings.remember(kind, row.digits, said.number)
        else:
            self._findings.take_words(said.number, row.first, row.last + 1, kind)

    def take_cards(self) -> None:
        """Take the groups of a card's number, when they are more than one; and what begins one that was asked
        for: “I can take a card.” – “It's 4929 0177, oh no, I'll pay in the shop.”"""
        in_groups = [(n, run) for n, run in self._of_card if len(run.digits) % _GROUP == 0]
        if sum(len(run.digits) for _, run in in_groups) < _GROUP * _GROUPS or len(in_groups) < _GROUPS:
            in_groups = self._begun
        for number, run in in_groups:
            self._findings.take(number, run.groups, "card number")
            self._findings.remember("card number", run.digits, number)


def _begins_a_card(said: Reading, row: _DigitRun) -> bool:
    """“Right, it's 4929 0177, oh no”, not “Ring my daughter, 4929 0177.”"""
    only_leads = all(
        not unit.is_word or unit.leads or is_common(unit.text) for unit in said.units[: row.first]
    )
    return only_leads and len(row.run.digits) >= _GROUP * _GROUPS and row.run.digits[0] in OF_CARDS


def _talk_after_agent(said: Reading, talk: _Talk, number: int) -> _Talk:
    asks = said.text.rstrip().endswith(("?", "？"))
    topics = said.topics(said.last_sentence) if asks else said.topics()
    asks_without_a_mark = said.text.rstrip()[-1:].isalnum() and not topics and _has_words_of_asking(said)
    if (asks or asks_without_a_mark) and said.names_other(said.last_sentence):
        return _Talk(turn=number, is_other=True)
    if asks and not topics and talk.topics and said.asks_what_is_entered:
        return _Talk(talk.topics & _KINDS.keys() or frozenset(("lock",)), number, is_asked=True)
    if topics:
        return _Talk(topics, number, is_asked=True)
    is_brief = said.word_count <= _CONTINUES and not (asks and said.word_count > 1)
    if is_brief or (not asks and said.refuses):
        return talk
    return talk._replace(is_asked=False, is_other=asks)


def _has_words_of_asking(said: Reading) -> bool:
    return any(unit.has("ask") for unit in said.units)


def _rows(said: Reading) -> Iterator[_DigitRun]:
    """Return rows of digits; short ones with little between are pieces of one."""
    runs, at = said.scan.runs, 0
    while at < len(runs):
        end = at + 1
        digits = runs[at].digits
        while end < len(runs) and _goes_on(said, runs[end - 1], runs[end], len(digits)):
            digits += runs[end].digits
            end += 1
        first, last = runs[at].first, runs[end - 1].last
        groups = [group for run in runs[at:end] for group in run.groups]
        yield _DigitRun(digits, first, last, is_whole=len(groups) == 1, run=runs[at])
        at = end


def _first_letter(said: Reading, row: _DigitRun) -> int:
    """Return the unit of a letter before: “C 4 0 7 1”."""
    before = said.units[row.first - 1] if row.first else None
    is_letter = before and len(before.text) == 1 and before.text.isalpha()
    return row.first - 1 if is_letter and before and before.text not in _WORDS_OF_A_LETTER else row.first


def _goes_on(said: Reading, run: Run, behind: Run, so_far: int) -> bool:
    """Tell whether two are one: “4 7, then the letter B, and then 9 2”."""
    between = said.units[run.last + 1 : behind.first]
    is_article = is_common(said.units[run.first].text) and run.first == run.last  # "een"
    is_turned = not is_article and any(said.has(at, "turns") for at in range(run.last + 1, behind.first))
    is_short = so_far < _FEWEST or is_turned
    is_piece = is_short and len(behind.digits) <= _FEWEST and so_far + len(behind.digits) <= _MOST
    if not is_piece or len(between) > _BETWEEN or not between:
        return False
    is_close = all(_is_between(said, at) for at in range(run.last + 1, behind.first))
    return is_close and (is_turned or not is_counted(said.units, run))


def _is_between(said: Reading, at: int) -> bool:
    unit = said.units[at]
    is_letter = len(unit.text) == 1 and unit.text.isalpha()
    leads = unit.has("fill") or said.has(at, "letter", "keys", "entering", "turns")
    known = leads or is_letter or is_common(unit.text)
    return unit.text not in HARD and (not unit.is_word or known) and not said.has(at, "ordinary")


def _is_pressed(said: Reading, row: _DigitRun) -> bool:
    """Tell whether somebody presses or types it."""
    words = 0
    for at in range(row.first - 1, -1, -1):
        unit = said.units[at]
        is_label = said.has(at, "ordinary") and not said.has(at, "mnemonic")  # "I put my birthday, …"
        if unit.text in HARD or words >= _ENTERED or is_label or unit.is_number:
            break
        if said.has(at, "entering") and not is_common(unit.text):
            return True
        words += unit.is_word
    return False


def _has_key(said: Reading, row: _DigitRun) -> bool:
    """Tell whether a key is pressed behind it, or within: “and then the hash”."""
    if _has_key_within(said, row):
        return True
    for at in range(row.last + 1, min(row.last + 1 + _KEY, len(said.units))):
        if said.has(at, "keys"):
            return True
        if not _is_between(said, at):
            return False
    return False


def _has_key_within(said: Reading, row: _DigitRun) -> bool:
    return any(said.has(at, "keys") for at in range(row.first, row.last + 1))


def _topic(said: Reading, row: _DigitRun, talk: _Talk, near: frozenset[Role]) -> Role | None:
    """Return what a number opens: what was named last before it in the turn, asked for, or named behind."""
    is_past_number = False
    for at in range(row.first - 1, max(row.first - _OWN, 0) - 1, -1):
        topic = said.topic_at(at)
        if topic and (topic == "pay" or not is_past_number):
            return topic
        # "at 1815, and the key is in the 2203"
        is_past_number = is_past_number or (row.is_whole and said.units[at].is_number)
    if talk.is_asked and (topics := talk.topics & _KINDS.keys() | talk.topics & {"pay"}):
        return _first(topics)
    if said.is_users and not talk.is_other and (topic := _topic_behind(said, row)):
        return topic
    if _is_said_singly(row) and "locked" in said.topics():
        return "lock"
    return _first(near & _KINDS.keys())


def _topic_behind(said: Reading, row: _DigitRun) -> Role | None:
    for at in range(row.last + 1, min(row.last + 1 + _BEHIND, len(said.units))):
        if said.units[at].text in HARD:
            return None
        if (topic := said.topic_at(at)) and topic != "pay":
            return topic
    return None


def _first(topics: frozenset[Role]) -> Role | None:
    order: tuple[Role, ...] = ("proof", "back", "sent", "lock", "login", "pay")
    return next((topic for topic in order if topic in topics), None)


def _is_said_singly(row: _DigitRun) -> bool:
    return all(len(group.digits) == 1 for group in row.run.groups)


def _is_said_as_year(row: _DigitRun) -> bool:
    """“Nineteen sixty two”, “twenty oh eight”; “a blue one, twenty sixteen”"""
    first, *others = (group.digits for group in row.run.groups)
    said = others if others and first == _ONE else [first, *others]
    is_all = "".join([first, *others]) == row.digits
    return is_all and len(said[0]) == _CENTURY and _YEAR.fullmatch("".join(said)) is not None


def _has_shape(row: _DigitRun, topic: Role, *, is_entered: bool, is_asked: bool) -> bool:
    digits = row.digits
    if topic == "proof":
        return _FEWEST <= len(digits) <= _LONGEST_PROOF
    if topic == "back":
        return len(digits) == _FEWEST or (len(digits) == _SURE and not (row.is_whole or is_entered))
    most = _LONGEST_SENT if topic == "sent" else _MOST
    singly = _is_said_singly(row)
    fewest = _FEWEST if is_entered or singly else _SURE
    is_round = any(len(group.digits) > 1 and not group.digits.strip("0") for group in row.run.groups)
    if is_round or not fewest <= len(digits) <= most:
        return False
    if topic == "login" and not (is_entered or (is_asked and singly)):
        return False
    return is_entered or not (row.is_whole and _YEAR.fullmatch(digits))


def _is_ordinary(said: Reading, row: _DigitRun, *, is_entered: bool, is_asked: bool) -> bool:
    units = said.units
    behind = units[row.last + 1] if row.last + 1 < len(units) else None
    if behind and (behind.has("after") or behind.has_shape):
        return True
    if _is_dated(said, row) or _is_sum(said, row):
        return True
    is_labelled = said.label_before(row.first, _LABEL, is_asked=is_asked) or said.label_behind(row.last)
    if units[row.first].has_shape or is_labelled:
        return True
    if not row.is_whole or is_entered:
        return False
    if (row.first and said.has(row.first - 1, "at")) or _is_measured(said, row):
        return True
    before = units[row.first - 1] if row.first else None
    return _is_noun(said, row.first - 1, before) or _is_noun(said, row.last + 1, behind)


def _is_dated(said: Reading, row: _DigitRun) -> bool:
    """Tell whether it is a time or date: “opens at 0600”, “um 21 30”, “10 a 13 de dezembro”. Digits said one
    by one are none."""
    is_turned = any(said.has(at, "turns") for at in range(row.first, row.last))
    if is_turned or _is_said_singly(row):
        return False
    behind = said.units[row.last + 1 : row.last + 1 + _DATE]
    if said.units[row.first].has("before") or any(unit.text in _DATES for unit in behind):
        return True  # "um" is a number in Portuguese
    before = said.units[row.first - 1] if row.first else None
    return before is not None and before.has("before") and not said.has(row.first - 1, "entering")


def _is_sum(said: Reading, row: _DigitRun) -> bool:
    """Tell whether it is two numbers: “500 and 250”."""
    long = [group for group in row.run.groups if len(group.digits) >= _FEWEST]
    between = said.units[row.run.groups[0].last + 1 : row.run.groups[-1].first]
    return len(long) > 1 and any(unit.has("stop") or unit.text in ("und", "y", "e", "en") for unit in between)


def _is_measured(said: Reading, row: _DigitRun) -> bool:
    """Tell whether it is a measure: “2400 by 1100”."""
    at = row.last + 1
    is_by = at + 1 < len(said.units) and said.has(at, "by")
    return is_by and said.units[at + 1].is_number


def _is_noun(said: Reading, at: int, unit: Unit | None) -> bool:
    """Tell whether a word beside a number says what it is of, or counts: “a Veritas 8400”, “2250 letters”."""
    if unit is None or not unit.is_word or unit.is_number or unit.mark:
        return False
    tags = ("fill", "link", "points", "stop", "corrects", "entered")
    known = is_common(unit.text) or any(map(unit.has, tags)) or said.has(at, "keys", "entering")
    return not (known or said.topic_at(at))
