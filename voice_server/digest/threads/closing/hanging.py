"""Promises that hang on an appointment and are over with it: the loan car for the day of the repair, “I'll
bring his diary”, “He'll ring half an hour before”. An invoice promised in the same breath is not. So is how
a promise is to be kept (“I'll make sure it's the blue one”) over with it.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta

from voice_server.digest.threads.closing.earlier import ThreadWords, is_agents_promise, last_said
from voice_server.digest.threads.closing.rescheduling.calling_off import is_agreed
from voice_server.digest.threads.speech.phrases import Phrases
from voice_server.domain.digest import OpenThread

_A_DAY = timedelta(days=1)


def hung_on(
    over: Collection[int],
    threads: Sequence[ThreadWords],
    opened: Sequence[OpenThread],
    phrases: Phrases,
) -> Iterator[ThreadWords]:
    """Yield what hangs on promises and appointments that are all over (their ids); where another appointment
    is agreed on, it may be for that, unless it has its day from the first."""
    if not over:
        return
    yield from (one for one in threads if _is_how_it_was_kept(one, over, threads, phrases))
    is_another = any(is_agreed(new) for new in opened)
    plans = [one for one in threads if one.thread.kind == "plan" and is_agreed(one.thread)]
    for one in threads:
        is_promised = not is_another and one.thread.kind == "promise" and _is_for_a_visit(one, phrases)
        if not (is_promised or _is_dated_by(plans, one, phrases)):
            continue
        that_day = [plan for plan in plans if plan.thread.said_on == one.thread.said_on]
        beside = [plan for plan in that_day if _is_made_beside(one, plan, phrases)] or that_day
        if beside and all(plan.thread.id in over for plan in beside):
            yield one


def _is_how_it_was_kept(
    one: ThreadWords, over: Collection[int], threads: Sequence[ThreadWords], phrases: Phrases
) -> bool:
    """“I'll order the wool.” – “The blue.” – “I'll make sure it's the blue.” … “The wool came.”"""
    if not is_agents_promise(one.thread):
        return False
    if not phrases.has("as_wished", phrases.marked(last_said(one.thread, phrases))):
        return False
    same_day = [other for other in threads if other.thread.said_on == one.thread.said_on]
    told = [other for other in same_day if other is not one and other.thread.said_by == "agent"]
    around = phrases.plain(one.thread.around)
    beside = [other for other in told if last_said(other.thread, phrases).strip('" ') in around] or told
    return len(beside) == 1 and beside[0].thread.id in over


def _is_for_a_visit(one: ThreadWords, phrases: Phrases) -> bool:
    said = phrases.marked(last_said(one.thread, phrases))
    return any(phrases.has(kind, said) for kind in ("for_the_visit", "beforehand", "day_before"))


def _is_dated_by(plans: Sequence[ThreadWords], one: ThreadWords, phrases: Phrases) -> bool:
    """“On the second at nine?” – “Fine.” – “Shall I remind you the day before?” – “Yes.”: on the first."""
    due, said = one.thread.due, phrases.marked(phrases.plain(one.thread.text))
    if due is None or one.thread.kind == "plan" or not phrases.has("day_before", said):
        return False
    return any(plan.thread.due == due + _A_DAY for plan in plans)


def _is_made_beside(one: ThreadWords, plan: ThreadWords, phrases: Phrases) -> bool:
    """Tell whether all that an appointment names was said around a promise."""
    times = one.times | phrases.times(phrases.plain(one.thread.around))
    names_any = bool(plan.own or plan.times)
    return names_any and plan.own <= one.own | one.around and plan.times <= times
