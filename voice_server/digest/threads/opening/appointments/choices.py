"""An hour that is chosen of several, for the day that was wished for."""

from datetime import date, timedelta
from itertools import pairwise

from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.appointments.proposals import accepted_proposal
from voice_server.digest.threads.opening.appointments.proposed_days import week_of_the_offer
from voice_server.digest.threads.opening.appointments.times import (
    BRIEF_ANSWER,
    LONGEST_CHOICE,
    words_of_hours,
)
from voice_server.digest.threads.opening.appointments.wishes import (
    WISHES,
    is_no_wish,
    wish_gone_into,
    wish_of_the_hour,
)
from voice_server.digest.threads.opening.candidate import Candidate, of_exchange, of_remarks
from voice_server.digest.threads.opening.purposes import led_by
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day, weeks_named
from voice_server.digest.threads.speech.phrases import Kind, names_a_time, times_named
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between

_NOT_THEN: tuple[Kind, ...] = ("refused", "cancelled", "unplanned", "opens_at")
_TWO = 2  # of which one is chosen by its order


def chosen_hour(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Can I come on Saturday?” – “I have ten or half past eleven.” – “Ten, please.”, and “We could do
    Thursday.” – “What time?” – “Ten or half past eleven.” – “Ten, please.”"""
    chosen, choice = talk.clocks(remark), _without_its_reason(talk, remark)
    if remark.said_by == "agent" or len(chosen) != 1 or talk.days(remark) or not _only_chooses(talk, choice):
        return None
    offer = next((one for one in talk.before(remark) if chosen <= talk.clocks(one)), None)
    if offer is None or not _offers_hours(talk, offer) or accepted_proposal(talk, offer):
        return None
    wish = _wish_for_a_day(talk, offer) if chosen < talk.clocks(offer) else None
    if wish is None:
        return _hour_of_the_day_named(talk, offer, remark)
    text = quoting.sentences(wish, remark)
    made = of_remarks(talk, (wish, remark), "plan", "user", text, appointment=True)
    return replace(made, thread=replace(made.thread, due=due_day(wish, talk.phrases)))


def _without_its_reason(talk: ThreadTalk, remark: Remark) -> Remark:
    """“Half six then, there's kids.”, not “Ten, I've got physio then.”"""
    times = list(times_named(remark.marked))
    end = remark.text.find(",", times[-1].end()) if times else -1
    if end < 0 or talk.asks(remark):
        return remark
    head = between(remark, 0, end)
    return head if talk.has(head, "concluded", "yes", "preferred") else remark


def _hour_of_the_day_named(talk: ThreadTalk, offer: Remark, chosen: Remark) -> Candidate | None:
    """Tell the hour with the day that the agent named before it was asked what there is."""
    asked = talk.before(offer)
    if not any(talk.asks(one) for one in asked) or any(names_a_time(one.marked) for one in asked):
        return None
    named = [(one, day) for one in talk.before(asked[0]) if (day := due_day(one, talk.phrases))]
    if len({day for _, day in named}) != 1 or talk.has(offer, *_NOT_THEN):
        return None
    told, day = named[-1]
    is_of_several = talk.clocks(chosen) < talk.clocks(offer) or talk.has(told, "slot")
    if not is_of_several or talk.has(told, *_NOT_THEN) or talk.phrases.is_recurring(told.plain):
        return None
    made = of_exchange(talk, told, chosen, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=day))


def chosen_by_order(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “I've got Thursday at ten or Friday at four.” – “The second one.”"""
    is_second = talk.has(remark, "second_one")
    is_choice = is_second or talk.has(remark, "first_one") or _names_only_the_first(talk, remark)
    is_brief = len(remark.text.split()) <= LONGEST_CHOICE and not talk.asks(remark)
    if remark.said_by == "agent" or not (is_choice and is_brief):
        return None
    offer = next((one for one in talk.before(remark) if len(talk.clocks(one)) == _TWO), None)
    if offer is None or not talk.has(offer, "proposal") or talk.has(offer, "window"):
        return None
    if talk.undated(offer) and not talk.has(offer, "slot"):
        return None  # “There's a bus on Thursday at ten or on Friday at four.”
    days = _days_in_order(talk, offer)
    day = days[is_second] if len(days) == _TWO else due_day(offer, talk.phrases)
    made = of_exchange(talk, offer, remark, "plan", appointment=True)
    if day is not None:
        return replace(made, thread=replace(made.thread, due=day))
    wish = _wish_for_a_day(talk, offer) if not talk.days(offer) else None
    if wish is None:
        return None
    return replace(made, thread=replace(led_by(made.thread, wish), due=due_day(wish, talk.phrases)))


def _wish_for_a_day(talk: ThreadTalk, offer: Remark) -> Remark | None:
    """Return the wish that is answered with hours, or the one whose time was asked for between."""
    said = talk.before(offer)
    wishes = (one for one in said if talk.has(one, *WISHES) and not is_no_wish(talk, one))
    wish = next((one for one in wishes if due_day(one, talk.phrases)), None)
    gone_into = (wish_of_the_hour(talk, one) or wish_gone_into(talk, one) for one in said[-1:])
    return wish or next(gone_into, None)


def _names_only_the_first(talk: ThreadTalk, remark: Remark) -> bool:
    """“Den ersten, bitte.” may name a day, too."""
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked)
    return numbers == {1} and len(talk.days(remark)) == 1 and not talk.undated(remark)


def _days_in_order(talk: ThreadTalk, offer: Remark) -> list[date | None]:
    week = week_of_the_offer(talk, offer)
    times = [time.span() for time in times_named(offer.marked)]
    starts = [start for start, end in times if talk.phrases.weekdays(offer.plain[start:end])]
    days = [between(offer, start, end) for start, end in pairwise([*starts, len(offer.text)])]
    if week is None:
        return [due_day(one, talk.phrases) for one in days]
    return [week + timedelta(days=min(talk.phrases.weekdays(one.plain))) for one in days]


def _offers_hours(talk: ThreadTalk, offer: Remark) -> bool:
    """“I have ten or half past eleven.”, not “We're full, but the week after I have ten or eleven.”"""
    is_off = talk.has(offer, "window", "refused", "cancelled") or bool(weeks_named(offer, talk.phrases))
    return not (is_off or talk.days(offer))


def _only_chooses(talk: ThreadTalk, remark: Remark) -> bool:
    """“Ten, please.”, “Then at ten.”, not “After ten.”"""
    beside = talk.undated(remark) - words_of_hours(talk, remark)
    known = manner(talk.phrases.tag)
    lead = remark.marked[: next(times_named(remark.marked)).start()].split()
    is_lead = {*lead} <= known.joints | known.idle_words | {*talk.phrases.file.hour_leads.split()}
    is_open = talk.asks(remark) or talk.has(
        remark, "no", "cancelled", "refused", "doubt", "correction", "unplanned"
    )
    length = len(remark.text.split())
    is_brief = length < BRIEF_ANSWER or (length <= LONGEST_CHOICE and talk.has(remark, "yes", "preferred"))
    return is_brief and is_lead and not (beside or is_open)
