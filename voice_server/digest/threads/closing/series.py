"""How a series gives way to another without being named: “Can we drop the Fridays?” – “Monday and Wednesday
then.”, “Four o'clock doesn't work any more, could we say seven?” – “Seven o'clock.”"""

import re
from collections.abc import Iterator, Sequence

from voice_server.digest.dates.dates import undated
from voice_server.digest.threads.closing.calling_off import is_series
from voice_server.digest.threads.closing.earlier import ThreadWords
from voice_server.digest.threads.speech.due import days_named
from voice_server.digest.threads.speech.phrases import Phrases
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_SEVERAL = 2  # days
_PLURAL = re.compile(r"s(?!\w)")


def runs_at_other_times(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    series = [one for one in threads if is_series(one.thread, talk.phrases)]
    if not series:
        return
    for remark in talk.remarks:
        if remark.said_by == "agent" and not talk.asks(remark):
            asked = [one for one in talk.before(remark) if not talk.has(one, "once")]
            yield from (one for one in series if _on_fewer_days(one, asked, remark, talk))
            of_any_day = [one for one in asked if not days_named(one, talk.phrases)]
            yield from (one for one in series if _at_another_hour(one, of_any_day, remark, talk))


def _on_fewer_days(one: ThreadWords, asked: Sequence[Remark], remark: Remark, talk: ThreadTalk) -> bool:
    """Tell whether the days that are left are all but those that the user named."""
    before = _weekdays(talk.phrases.plain(one.thread.text), talk.phrases)
    left = _weekdays(remark.plain, talk.phrases)
    named = frozenset[int]().union(*(_weekdays(said.plain, talk.phrases) for said in asked))
    return len(left) >= _SEVERAL and left < before and before - left <= named and left.isdisjoint(named)


def _weekdays(plain: str, phrases: Phrases) -> frozenset[int]:
    """Return the weekdays named, “Fridays” too."""
    return phrases.weekdays(plain) | phrases.weekdays(_PLURAL.sub("", plain))


def _at_another_hour(one: ThreadWords, asked: Sequence[Remark], remark: Remark, talk: ThreadTalk) -> bool:
    plain = talk.phrases.plain(undated(one.thread.text))
    before = talk.phrases.clocks(plain, talk.phrases.marked(plain))
    named = frozenset[str]().union(*map(talk.clocks, asked))
    agreed = talk.clocks(remark)
    return bool(before & named) and bool(agreed & (named - before)) and before.isdisjoint(agreed)
