"""What a conversation may leave open, before anything settles it."""

from collections.abc import Callable

from voice_server.context.screening.hygiene import is_suspicious
from voice_server.digest.dates.dates import names_a_birthday
from voice_server.digest.threads.opening.appointments.bookings import (
    booked,
    put_down,
    said_again,
    standing,
    taken_in_the_end,
    week_later,
)
from voice_server.digest.threads.opening.appointments.choices import chosen_by_order, chosen_hour
from voice_server.digest.threads.opening.appointments.hours_instead import (
    hour_for_the_wish,
    hour_instead,
    hour_moved,
    hour_of_the_same_day,
    own_hour_instead,
)
from voice_server.digest.threads.opening.appointments.moves import move
from voice_server.digest.threads.opening.appointments.other_hours import other_hour
from voice_server.digest.threads.opening.appointments.proposals import accepted_proposal
from voice_server.digest.threads.opening.appointments.settled_times import settled_time
from voice_server.digest.threads.opening.appointments.wishes import granted_wish, hour_of_the_wish
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.commitments.instructions import instruction_taken
from voice_server.digest.threads.opening.commitments.promises import announced, bare_promise, promise
from voice_server.digest.threads.opening.commitments.questions import answer_later, left_question
from voice_server.digest.threads.opening.commitments.requests import (
    accepted_offer,
    leave_given,
    reminder,
    request,
    taken_up,
)
from voice_server.digest.threads.opening.corrections.given_up_days import is_thought_better_of
from voice_server.digest.threads.opening.plans.plans import comes_instead, comes_later, on_the_other_day, plan
from voice_server.digest.threads.opening.plans.presents import comes_at_an_hour
from voice_server.digest.threads.speech.phrases import has_hour
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_BRIEF_QUESTION = 6  # words of “And what's your date of birth?”


def candidates(talk: ThreadTalk) -> list[Candidate]:
    """Return them in the order said; a remark counts by its first reading."""
    found = (_candidate(talk, remark) for remark in talk.remarks)
    return [one for one in found if one is not None]


def _candidate(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    if is_thought_better_of(talk, remark):
        return None
    readings = (reading(talk, remark) for reading in _READINGS)
    found = next((one for one in readings if one is not None), None)
    # an instruction to the model is no matter between the two
    if found is None or is_suspicious(found.thread.text) or _is_a_birth_date(talk, remark, found):
        return None
    return found


def _is_a_birth_date(talk: ThreadTalk, remark: Remark, found: Candidate) -> bool:
    """“And your date of birth?” – “The 11th of September.” – “The 11th of September.”, not “… – I have the
    19th at nine.”"""
    is_dated = found.thread.kind == "plan" and found.thread.due is not None
    is_a_date = is_dated and talk.phrases.weekday(remark.plain) is None and not talk.has(remark, "booked")
    said = talk.before(remark) if is_a_date else ()
    may_be_read_back = bool(said) and not has_hour(remark.marked)
    asked = (*said, *(talk.before(said[0]) if may_be_read_back else ()))
    return any(_asks_when_born(talk, one) for one in asked)


def _asks_when_born(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell so not of “Is it for a birthday?” – “Yes.”"""
    is_brief = talk.asks(remark) and len(remark.text.split()) <= _BRIEF_QUESTION
    asks = remark.said_by == "agent" and is_brief and names_a_birthday(remark.text, talk.phrases.tag)
    return asks and not any(talk.phrases.opens("yes", one.marked) for one in talk.after(remark)[:1])


_READINGS: tuple[Callable[[ThreadTalk, Remark], Candidate | None], ...] = (
    answer_later,
    leave_given,
    granted_wish,
    put_down,
    accepted_offer,
    taken_up,
    reminder,
    request,
    on_the_other_day,
    comes_instead,
    comes_later,
    other_hour,
    instruction_taken,
    promise,
    bare_promise,
    own_hour_instead,
    booked,
    announced,
    standing,
    hour_for_the_wish,
    accepted_proposal,
    hour_instead,
    hour_moved,
    hour_of_the_same_day,
    said_again,
    taken_in_the_end,
    week_later,
    settled_time,
    chosen_hour,
    hour_of_the_wish,
    chosen_by_order,
    move,
    comes_at_an_hour,
    plan,
    left_question,
)
