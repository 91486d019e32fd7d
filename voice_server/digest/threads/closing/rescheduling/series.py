"""The one series that runs otherwise from now on, or no more: “Could we do Tuesdays at six from now on?”"""

import re
from collections.abc import Iterator, Sequence

from voice_server.digest.threads.closing.earlier import ThreadWords
from voice_server.digest.threads.closing.rescheduling.calling_off import is_agreed, is_series
from voice_server.digest.threads.speech.phrases import Phrases
from voice_server.digest.threads.speech.references import clauses
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import OpenThread

_FEW_MATTERS = 1
_PLURAL = re.compile(r"(?<=\w{4})s\b")


def runs_otherwise(
    known: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“Could we do Tuesdays at six from now on?” – “Yes, Tuesdays at six.” takes the place of the one series
    that there is, if it is of nothing else."""
    running = [one for one in known if one.thread.kind == "plan" and is_series(one.thread, talk.phrases)]
    yield from _no_more(running, talk)
    yield from _on_another_day(running, opened, talk)
    agreed = [one for one in opened if is_agreed(one) and is_series(one, talk.phrases)]
    if len(running) != 1 or len(agreed) != 1:
        return
    said = [remark for remark in talk.remarks if remark.position <= agreed[0].positions[-1]]
    plain = talk.phrases.plain(agreed[0].text)
    named = min((talk.phrases.matters(text) for text in (plain, _singular(plain))), key=len)
    beside = named - running[0].own - running[0].around
    given_up = [remark for remark in said if _gives_up_its_weekday(remark, running[0], talk)]
    is_of_its_day = bool(talk.phrases.times(plain) & running[0].times)
    changes = is_of_its_day or bool(given_up) or any(talk.has(one, "moved", "correction") for one in said)
    wants_more = any(talk.phrases.wants_more(one.plain) for one in said if one not in given_up)
    if changes and len(beside) <= _FEW_MATTERS and not wants_more:
        yield running[0]


def _on_another_day(
    running: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“He's got football on Tuesdays now. Would another day be possible?” – “Thursday at five.” – “Yes.” ends
    the one series of Tuesdays; “I can't on Tuesday” is of one alone."""
    agreed = [one for one in opened if is_agreed(one)]
    asked = [one for one in talk.remarks if one.said_by == "user" and talk.has(one, "another_one")]
    positions = {remark.position for remark in asked}
    until = max((position for new in agreed for position in new.positions), default=-1)
    said = [one for one in talk.remarks if one.position in positions and one.position <= until]
    said = [one for one in said if talk.phrases.is_recurring(one.plain) and talk.has(one, "by_now")]
    days = frozenset[int]().union(*(_weekdays(one.text, talk.phrases) for one in said))
    of_its_day = [one for one in running if days & _weekdays(one.thread.text, talk.phrases)]
    if len(of_its_day) == 1 and any(not days & _weekdays(new.text, talk.phrases) for new in agreed):
        yield of_its_day[0]


def _weekdays(text: str, phrases: Phrases) -> frozenset[int]:
    plain = phrases.plain(text)
    return phrases.weekdays(plain) | phrases.weekdays(_singular(plain))


def _no_more(running: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Tuesday won't do any more, could it be Friday?” ends the one series of Tuesdays, whatever follows."""
    said = [one for one in talk.remarks if one.said_by == "user" and talk.has(one, "no_more")]
    for clause in (part for remark in said for part in (*clauses(remark, talk), remark)):
        off = [one for one in running if _gives_up_its_weekday(clause, one, talk)]
        if len(off) == 1 and talk.has(clause, "no_more") and not talk.is_conditional(clause):
            yield off[0]


def _gives_up_its_weekday(remark: Remark, series: ThreadWords, talk: ThreadTalk) -> bool:
    """“Tuesday won't do any more.”, of “Every Tuesday at ten?” – “Yes.”"""
    is_off = remark.said_by == "user" and talk.has(remark, "unplanned", "cancelled", "refused")
    if not is_off or not is_agreed(series.thread):
        return False
    return bool(_weekdays(series.thread.text, talk.phrases) & _weekdays(remark.text, talk.phrases))


def _singular(plain: str) -> str:
    """“Tous les mardis”, “às terças”"""
    return _PLURAL.sub("", plain)
