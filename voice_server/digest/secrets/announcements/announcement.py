"""Secrets that were announced: “my PIN is 4711”, “What's your PIN?” “Four seven one one”."""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

from voice_server.digest.secrets.announcements import beside_name, spelling
from voice_server.digest.secrets.announcements.labels import announced_behind, ends_clause, pointing_back
from voice_server.digest.secrets.common_words import is_common
from voice_server.digest.secrets.findings import Findings, Scans
from voice_server.digest.secrets.lexicon import Kind
from voice_server.digest.secrets.payment import card_codes
from voice_server.digest.secrets.scan import HARD, Run, Scan, Unit, is_counted, is_entered

STAYS: Literal["stays"] = "stays"
Announced = Kind | Literal["stays"]

#: How many digits a secret of a kind has that was announced, at most.
_LONGEST: Mapping[Kind, int] = {
    "card number": 24,
    "card code": 4,
    "PIN": 12,
    "IBAN": 30,
    "code": 10,
    "password": 24,
}
_SHORTEST = 3  # digits of a whole secret: fewer are a part of one
_SHORTEST_PHONE = 9  # digits, with its zero
_HINTED = 12  # digits that only an allusion ("my Visa") makes a card number
_WHOLE = 15  # the same, however far from it
_COUNTED = 5  # digits of what may count something: euros, minutes
_SPELLED_CODE = 4  # characters of a code, or of what is written in one
_NEAR, _FAR = 3, 8  # words between an announcement and its number: without, and with an "is"
_ATTRIBUTE = 4  # words from an announcement to what says whose it is
_LEAD, _UNKNOWN = 6, 2  # words before an answer, and how many of them may be none that lead to answers
_ASKED = 8  # words of a question for a password: "And for security, your password?"
_BRIEF, _ADDRESS = 2, 3  # words before, and behind "Your password, Mr Lowe?"
_DENIED = 4  # words from a "never" to the secret that is not wanted
_SHORTEST_WORD = 4  # letters of a password that is a word
_ANSWER = 3  # words of an answer that is nothing but a password, and turns in which it is given
_REMEMBERED, _REMEMBERED_STAY = 6, 3  # turns after which a question is answered or forgotten
_CARD = 6  # turns in which a card is spoken of, after it was named
_SENTENCE = 25  # words around an announcement in which it may be a question
_QUESTION = re.compile("[?？]")
_YEAR = re.compile(r"(?:199|20[0-3])\d")  # of something that was changed or began


class _Announcement(NamedTuple):
    """What a turn announces for the next. `spelled`: said, and may go on letter by letter; `hinted`: only
    alluded to; `altered`: whether it is another was asked; `named`: a name was asked for before it."""

    kind: Announced
    turn: int
    asked: bool = False
    spelled: bool = False
    hinted: bool = False
    altered: bool = False
    named: bool = False

    def is_over(self, turn: int) -> bool:
        return turn - self.turn > (_REMEMBERED_STAY if self.kind == STAYS else _REMEMBERED)


class _Context(NamedTuple):
    """What was announced last, and counts from unit `anchor` on. `hinted`: only alluded to; `inherited`: in a
    turn before; `owned`: whose it is was said since (“the code for the phone”); `told`: the secret came
    first."""

    kind: Announced | None
    anchor: int = 0
    hinted: bool = False
    inherited: bool = False
    owned: bool = False
    told: bool = False


def find_announced(findings: Findings, scans: Scans) -> None:
    carried: _Announcement | None = None
    card = -_CARD - 1
    for number in range(len(findings.turns)):
        if carried and carried.is_over(number):
            carried = None
        card = number if card_codes.speaks_of_card(findings.scans[number]) else card
        carried = _Reader(findings, number, carried, of_card=number - card <= _CARD).read(scans)


class _Reader:
    def __init__(
        self, findings: Findings, number: int, carried: _Announcement | None, *, of_card: bool
    ) -> None:
        self._findings = findings
        self._of_card = of_card
        self._told = -1
        self._last_run = -1  # the first unit of the digits before
        self._number = number
        self._carried = carried
        self._answers = carried if findings.turns[number].speaker == "user" else None
        answers = self._answers
        self._governing = _Context(
            answers.kind if answers else None, inherited=True, hinted=answers is not None and answers.hinted
        )

    @property
    def _scan(self) -> Scan:
        return self._findings.scans[self._number]

    def read(self, scans: Scans) -> _Announcement | None:
        """Take a turn's secrets; return what it announces for the next turns."""
        self._scans = scans
        if self._carried and self._carried.kind != STAYS:
            self._read_closely(scans)
            if self._asks_something_else(scans):
                self._carried = None
        self._read_pointing_back()
        runs = {run.last: run for run in self._scan.runs}
        for place, unit in enumerate(self._scan.units):
            if place in runs:
                self._read_run(runs[place])
            else:
                self._read_unit(place, unit)
        kind = self._answers.kind if self._answers and self._governing.inherited else None
        if kind in ("IBAN", "code") or (kind == "PIN" and self._answers_with_a_code()):
            self._take_spelled(0, kind)
        return self._carried

    def _read_closely(self, scans: Scans) -> None:
        """After an announcement little is enough to tell a secret, or to turn to something else."""
        text = self._findings.turns[self._number].text
        asked = self._answers is not None and self._answers.kind == "password"
        self._findings.scans[self._number] = scans.in_full(text) if asked else scans.of(text, answers=True)
        if self._answers and asked:
            self._answer_password(self._answers)

    def _asks_something_else(self, scans: Scans) -> bool:
        """Tell whether it asks for something without a known name: the answer is no secret."""
        turn = self._findings.turns[self._number]
        if turn.speaker == "user" or not _QUESTION.search(turn.text):
            return False
        units = scans.in_full(turn.text).units
        named = any(unit.mark or unit.meaning.announces or unit.has("ask") for unit in units)
        return not named and sum(unit.is_word for unit in units) > _ANSWER

    def _read_pointing_back(self) -> None:
        """Take what the turn before ends with: “That is my PIN”."""
        behind = pointing_back(self._scan.units, 0)
        before = self._turn_before() if behind else None
        if not behind or before is None:
            return
        one = self._findings.scans[before]
        run = next(iter(one.runs[-1:]), None)
        if run and not one.words_after(run.last) and not self._is_other(before, run, behind.kind):
            self._findings.take(before, run.groups, behind.kind)
            self._findings.remember(behind.kind, run.digits, before)
            self._told = behind.place

    def _turn_before(self) -> int | None:
        if self._findings.turns[self._number].speaker != "user":
            return None
        turns = range(self._number - 1, max(self._number - 3, -1), -1)
        return next((turn for turn in turns if self._findings.turns[turn].speaker == "user"), None)

    def _is_other(self, turn: int, run: Run, kind: Kind) -> bool:
        one = self._findings.scans[turn]
        return self._findings.stays(turn, run) or is_counted(one.units, run) or not _fits(run, kind)

    def _read_run(self, whole: Run) -> None:
        of_card = self._governing.kind == "card code" or (self._of_card and self._governing.kind == STAYS)
        run = card_codes.behind_expiry(whole) if of_card else whole
        if run is not whole:  # what stands before it belongs to it
            self._governing = self._governing._replace(anchor=run.first)
        kind = (
            self._kind_behind(run) or _kind_of(self._scan, run, self._governing) or self._kind_by_place(run)
        )
        if kind and self._is_told_for_a_call(run, kind):
            kind = None
        if kind:
            self._take(run, kind)
            self._findings.remember(kind, run.digits, self._number)
            still = kind if self._governing.kind in (None, STAYS) else self._governing.kind
            told = self._told > run.last
            self._governing = self._governing._replace(kind=still, anchor=run.last + 1, told=told)
            self._carried = _Announcement(kind, self._number)
        elif self._governing.kind == STAYS or self._governing.owned:
            self._findings.leave(self._number, run)
        self._last_run = run.first

    def _is_told_for_a_call(self, run: Run, kind: Kind) -> bool:
        """Read “The deposit goes on the card.” – “I've only a debit card.” – “I'll ring you back.” – “On
        0176 …”, where nobody asked for the card's."""
        before = self._answers if self._governing.inherited else None
        is_long_ago = before is not None and not before.asked and self._number - before.turn > 1
        return is_long_ago and _is_of_a_phone(run, kind)

    def _kind_behind(self, run: Run) -> Kind | None:
        free = self._governing.inherited or self._governing.kind is None
        behind = announced_behind(self._scan, run.last) if free else None
        if not behind:
            return None
        kind = _by_length(behind.kind, len(run.digits))
        if not _fits(run, kind):
            return None
        if len(run.digits) <= _COUNTED and is_counted(self._scan.units, run):
            return None
        self._told = behind.place
        return kind

    def _kind_by_place(self, run: Run) -> Kind | None:
        free = self._governing.kind in (None, "card number") or self._is_behind_another(run)
        if len(run.digits) != card_codes.CODE or not free or is_counted(self._scan.units, run):
            return None
        there = card_codes.stands_behind(self._scan, run, of_card=self._of_card)
        return "card code" if there or card_codes.says_what_stands_there(self._scan, run) else None

    def _is_behind_another(self, run: Run) -> bool:
        """“Expiry 06 28, and 377 on the back”"""
        there = self._governing
        said = there.anchor <= self._last_run or there.anchor == run.first
        return self._of_card and there.kind == STAYS and said

    def _take(self, run: Run, kind: Kind) -> None:
        """Take with a code what is written in one with it: G-482913."""
        first, units = run.first, self._scan.units
        while (
            kind == "code"
            and first
            and units[first - 1].end == units[first].start
            and units[first - 1].text.isascii()
        ):
            first -= 1
        if first < run.first and units[first].is_word:
            self._findings.take_words(self._number, first, run.last + 1, kind)
        self._findings.take(self._number, run.groups, kind)

    def _read_unit(self, place: int, unit: Unit) -> None:
        if unit.mark:
            behind = announced_behind(self._scan, place)
            self._told = behind.place if behind else self._told
            self._governing = _Context(unit.mark, place + 1, told=behind is not None)
            self._carried = _Announcement(unit.mark, self._number, spelled=unit.mark == "password")
        elif unit.has("stay"):
            self._read_stay(place)
        elif unit.meaning.announces:
            self._announce(place, unit.meaning.announces)
        elif unit.has("back") and self._is_code_there(place):
            self._announce(place, "card code")
        elif unit.meaning.hints and not self._is_attribute(place):
            self._governing = _Context(unit.meaning.hints, place + 1, hinted=True)
            self._carry_hint(unit.meaning.hints)

    def _carry_hint(self, kind: Kind) -> None:
        """“Do you want my card?” – “Yes please.” – “5274 …”"""
        if self._carried is None:
            self._carried = _Announcement(kind, self._number, hinted=True)

    def _is_code_there(self, place: int) -> bool:
        there = self._governing
        if card_codes.counts_figures(self._scan.units, place):
            return True
        kinds = (None, STAYS, "card number", "card code")  # “… expires in May, and on the back it says”
        free = there.inherited or there.hinted or there.kind in kinds
        return free and self._of_card and place != there.anchor

    def _read_stay(self, place: int) -> None:
        if self._is_number_of(place):
            return
        if self._is_attribute(place):
            self._governing = self._governing._replace(anchor=place + 1, owned=True)
            return
        self._governing = _Context(STAYS, place + 1)
        if _is_asked(self._scan, place):
            self._carried = _Announcement(STAYS, self._number)

    def _is_number_of(self, place: int) -> bool:
        """“My CVV number is” only goes on with what was announced."""
        there = self._governing
        announced = not there.inherited and there.kind not in (None, STAYS)
        return announced and place == there.anchor and self._scan.units[place].has("soft")

    def _is_attribute(self, place: int) -> bool:
        """Tell whether it only says whose it is: “the code for the phone is”."""
        there = self._governing
        between = self._scan.words_between(there.anchor, place)
        announced = not there.inherited and there.kind not in (None, STAYS)
        return announced and 0 < len(between) <= _ATTRIBUTE and any(unit.has("of") for unit in between)

    def _announce(self, place: int, kind: Kind) -> None:
        if self._warns(place):
            self._take_what_was_not_wanted(kind)
        if kind == "password":
            self._take_password_before(place)
        self._governing = _Context(kind, place + 1, told=place == self._told)
        asked, altered = _is_asked(self._scan, place), _is_asked_whether_altered(self._scan, place)
        named = asked and beside_name.is_asked_with_name(self._scan, place)
        self._carried = _Announcement(kind, self._number, asked=asked, altered=altered, named=named)
        if kind == "password" and not self._warns(place):
            start = spelling.password_start(self._scan, place + 1)
            is_plural = self._scan.units[place].has("contracted")
            if start is None and is_plural and self._findings.spans[self._number]:
                start = spelling.word_behind(self._scan, place + 1)
            start = start or spelling.told_next(self._scan, place + 1)
            if start is not None:
                self._take_password(start)
        elif kind in ("IBAN", "code", "PIN"):
            self._take_spelled(place + 1, kind)

    def _warns(self, place: int) -> bool:
        """Tell so of “The password you don't tell anybody.”"""
        return self._findings.turns[self._number].speaker == "agent" and _is_denied(self._scan.units, place)

    def _take_password(self, start: int) -> None:
        end = spelling.password_end(self._scan, start)
        self._take_words(start, end, "password")
        if (anew := spelling.renewed(self._scan, end)) is not None:
            self._take_words(anew, spelling.password_end(self._scan, anew), "password")

    def _take_what_was_not_wanted(self, kind: Kind) -> None:
        """“I turn it off with 5803.” – “Please don't tell us your code.”"""
        before = self._number - 1
        if before < 0 or self._findings.turns[before].speaker != "user":
            return
        scan = self._findings.scans[before]
        said = [run for run in scan.runs if _fits(run, kind) and not self._is_other(before, run, kind)]
        if len(said) == 1 and is_entered(scan, said[0]):
            self._findings.take(before, said[0].groups, kind)
            self._findings.remember(kind, said[0].digits, before)
        if kind == "password":
            scan = self._findings.scans[before] = self._scans.in_full(self._findings.turns[before].text)
            if (typed := spelling.entered(scan)) is not None:
                self._findings.take_words(before, typed, spelling.password_end(scan, typed), kind)
            elif written := spelling.written_in_one(scan):
                self._findings.take_words(before, *written, kind)

    def _take_password_before(self, place: int) -> None:
        """“hunter2 is my password”"""
        written = spelling.written_before(self._scan, place)
        if written is None and ends_clause(self._scan.units, place):
            written = spelling.clause_before(self._scan, place)
        behind = announced_behind(self._scan, written[1] - 1) if written else None
        if written and behind and behind.place == place:
            self._take_words(*written, "password")

    def _take_spelled(self, at: int, kind: Kind) -> None:
        start = spelling.first_symbol(self._scan, at)
        if start is None:
            return
        end, symbols, is_mixed = spelling.spelled(self._scan.units, start)
        in_one = end == start + 1
        if is_mixed and symbols >= (_SPELLED_CODE if kind != "IBAN" or in_one else _SHORTEST):
            self._take_words(start, end, kind)

    def _answers_with_a_code(self) -> bool:
        """“Yes, it's 7719C.”, “C'est le 44A71.”, not “I'm in 104B.”, “No code, the flat's 104B.”, nor “It's
        the HP4471 printer.”"""
        start = spelling.first_symbol(self._scan, 0)
        if start is None:
            return False
        before = self._scan.words_between(0, start)
        is_article = bool(before) and is_common(before[-1].text) and not before[-1].has("before")
        nearest = before[-2:] if is_article else before[-1:]
        is_led = not before or any(unit.links or unit.has("fill") for unit in nearest)
        end = spelling.spelled(self._scan.units, start).end
        behind = self._scan.units[end : end + 1]
        is_of_a_thing = any(one.is_word and not (one.has("fill") or one.has("stop")) for one in behind)
        return is_led and not is_of_a_thing and sum(not unit.leads for unit in before) <= _UNKNOWN

    def _take_words(self, start: int, end: int, kind: Kind) -> None:
        if self._findings.take_words(self._number, start, end, kind):
            self._carried = _Announcement(kind, self._number, spelled=kind == "password")

    def _led_to(self, carried: _Announcement) -> int | None:
        led = spelling.led_to(self._scan, altered=carried.altered)
        return spelling.told_after_all(self._scan) if led is None and carried.asked else led

    def _answer_password(self, carried: _Announcement) -> None:
        units = self._scan.units
        start = next((i for i, unit in enumerate(units) if unit.is_word and not unit.leads), None)
        if start is None or units[start].mark or units[start].meaning.announces:
            return
        is_next = self._number - carried.turn == 1
        if carried.named and is_next:
            for span in beside_name.passwords(self._scan):
                self._take_words(*span, "password")
            return
        led = self._led_to(carried) if is_next else None
        if led is not None:  # "No, it's still Quince2019"
            self._take_words(led, spelling.password_end(self._scan, led), "password")
            return
        end, symbols, _ = spelling.spelled(units, start)
        made = spelling.composed(units, start)
        if made is not None and self._number - carried.turn <= _ANSWER:
            self._take_words(start, made, "password")
        elif symbols >= _SHORTEST and not carried.asked:
            self._take_words(start, end, "password")
        elif carried.altered and is_next and spelling.looks_like_one(units, start):
            self._take_words(start, spelling.password_end(self._scan, start), "password")
        elif carried.asked and self._number - carried.turn <= _ANSWER:
            end = spelling.password_end(self._scan, start)
            if _is_password(self._scan, start, end):
                self._take_words(start, end, "password")


def _is_password(one: Scan, start: int, end: int) -> bool:
    said = one.words_between(start, end)
    if spelling.spelled(one.units, start).symbols >= _SHORTEST or _is_said_anew(said):
        return True
    if spelling.worded(one.units, start) is not None:
        return True
    linked = any(unit.has("link") for unit in one.units[:start])
    return (len(said) <= _ANSWER or linked) and not any(unit.has("no_value") for unit in said[:_ANSWER])


def _is_said_anew(said: Sequence[Unit]) -> bool:
    """“bluebell, I mean bluebell thirty”"""
    first = said[0]
    again = any(unit.text == first.text for unit in said[1:])
    return again and len(first.text) >= _SHORTEST_WORD and not first.has("no_value")


def _kind_of(one: Scan, run: Run, governing: _Context) -> Kind | None:
    kind, digits = governing.kind, len(run.digits)
    if kind is None or kind == STAYS:
        return None
    kind = _by_length(kind, digits)
    if digits > _LONGEST[kind]:
        return None
    if governing.hinted:
        near = len(one.words_between(governing.anchor, run.first)) <= _FAR or digits >= _WHOLE
        return kind if digits >= _HINTED and near else None
    if digits <= _COUNTED and is_counted(one.units, run):
        return None
    fits = _answers if governing.inherited else _follows
    return kind if fits(one, run, governing) else None


def _by_length(kind: Kind, digits: int) -> Kind:
    """Take a “security code” of more digits than a card has for an account's."""
    return "code" if kind == "card code" and digits > _LONGEST[kind] else kind


def _answers(one: Scan, run: Run, governing: _Context) -> bool:
    between = one.words_between(governing.anchor, run.first)
    unknown = sum(not unit.leads for unit in between)
    if len(between) > _LEAD or unknown > _UNKNOWN:
        return False
    beside = _UNKNOWN if len(run.digits) > 1 else 0
    return len(run.digits) >= _SHORTEST or (not unknown and one.words_after(run.last) <= beside)


def _follows(one: Scan, run: Run, governing: _Context) -> bool:
    """Tell whether it follows in the same turn; `_answers` is for later ones."""
    between = one.words_between(governing.anchor, run.first)
    linked = any(unit.has("link") for unit in between) or _colon_before(one.units, run.first)
    aside = not linked and _goes_aside(one.units, governing.anchor)
    if len(between) > (_FAR if linked or aside else _NEAR) or (_needs_link(governing) and not linked):
        return False
    if governing.told and linked:  # "4711 is my PIN, and my flat is 120"
        return False
    if _YEAR.fullmatch(run.digits) and between and (not linked or between[-1].has("before")):
        return False
    return len(run.digits) >= _SHORTEST or (governing.kind == "card number" and linked)


def _goes_aside(units: Sequence[Unit], anchor: int) -> bool:
    """Tell whether something else comes first: “The code's, let me turn it over, 6 3 7”."""
    announced, behind = units[max(anchor - 1, 0) : anchor], units[anchor : anchor + 1]
    return any(unit.has("link") for unit in announced) and [unit.text for unit in behind] == [","]


def _needs_link(governing: _Context) -> bool:
    return governing.owned or governing.kind == "password"


def _fits(run: Run, kind: Kind) -> bool:
    return _SHORTEST <= len(run.digits) <= _LONGEST[kind]


def _is_of_a_phone(run: Run, kind: Kind) -> bool:
    """Tell whether it begins as phone numbers do, and hardly any card."""
    return kind == "card number" and run.digits[0] == "0" and len(run.digits) >= _SHORTEST_PHONE


def _colon_before(units: Sequence[Unit], place: int) -> bool:
    return any(unit.text in (":", "=") for unit in units[max(place - 2, 0) : place])


def _is_asked(one: Scan, place: int) -> bool:
    units, (first, last) = one.units, _sentence_around(one.units, place)
    sentence = [unit for unit in units[first:last] if unit.is_word]
    question = last == len(units) or units[last].text in "?？"
    kind = units[place].meaning.announces
    longest = _ASKED if kind == "password" else _ANSWER + 1
    behind = [unit for unit in units[place + 1 : last] if unit.is_word]
    owned = kind == "password" and len(behind) <= _ATTRIBUTE and any(u.has("of") for u in behind)
    led = any(unit.has("link") for unit in units[first:place])
    is_brief = place - first <= _BRIEF and not led  # "Your password", not "Is it about your password"
    addressed = is_brief and place + 1 < last and units[place + 1].text == "," and len(behind) <= _ADDRESS
    ends = question and (not behind or owned or addressed) and len(sentence) <= longest
    return ends or (not _is_denied(units, place) and any(unit.has("ask") for unit in sentence))


def _is_asked_whether_altered(one: Scan, place: int) -> bool:
    """“Has your password changed?”"""
    units, (first, last) = one.units, _sentence_around(one.units, place)
    is_question = last < len(units) and units[last].text in "?？"
    return is_question and any(unit.has("altered") for unit in units[first:last])


def _sentence_around(units: Sequence[Unit], place: int) -> tuple[int, int]:
    first, last = place, place + 1
    while first > max(place - _SENTENCE, 0) and units[first - 1].text not in HARD:
        first -= 1
    while last < min(place + _SENTENCE, len(units)) and units[last].text not in HARD:
        last += 1
    return first, last


def _is_denied(units: Sequence[Unit], place: int) -> bool:
    """“Please never tell us your PIN.”, “Geben Sie die PIN niemals durch!”"""
    before = reversed(units[max(place - _DENIED, 0) : place])
    sides = (before, units[place + 1 : place + 1 + _DENIED])
    near = (takewhile(lambda unit: unit.is_word, side) for side in sides)
    return any(unit.has("denied") for side in near for unit in side)
