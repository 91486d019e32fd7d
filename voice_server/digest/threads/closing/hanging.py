"""Promises that hang on an appointment and are over with it: the loan car for the day of the repair, “I'll
bring his diary”, “He'll ring half an hour before”. An invoice promised in the same breath is not.
"""

from collections.abc import Collection, Iterator, Sequence

from voice_server.digest.threads.closing.calling_off import is_agreed
from voice_server.digest.threads.closing.earlier import ThreadWords, last_said
from voice_server.digest.threads.speech.phrases import Phrases
from voice_server.domain.digest import OpenThread


def hung_on(
    over: Collection[int],
    threads: Sequence[ThreadWords],
    opened: Sequence[OpenThread],
    phrases: Phrases,
) -> Iterator[ThreadWords]:
    """Yield what hangs on appointments that are all over (their ids); where another is agreed on, it may be
    for that."""
    if not over or any(is_agreed(new) for new in opened):
        return
    plans = [one for one in threads if one.thread.kind == "plan" and is_agreed(one.thread)]
    for one in threads:
        if one.thread.kind != "promise" or not _is_for_a_visit(one, phrases):
            continue
        that_day = [plan for plan in plans if plan.thread.said_on == one.thread.said_on]
        beside = [plan for plan in that_day if _is_made_beside(one, plan, phrases)] or that_day
        if beside and all(plan.thread.id in over for plan in beside):
            yield one


def _is_for_a_visit(one: ThreadWords, phrases: Phrases) -> bool:
    said = phrases.marked(last_said(one.thread, phrases))
    return phrases.has("for_the_visit", said) or phrases.has("beforehand", said)


def _is_made_beside(one: ThreadWords, plan: ThreadWords, phrases: Phrases) -> bool:
    """Tell whether all that an appointment names was said around a promise."""
    times = one.times | phrases.times(phrases.plain(one.thread.around))
    names_any = bool(plan.own or plan.times)
    return names_any and plan.own <= one.own | one.around and plan.times <= times
