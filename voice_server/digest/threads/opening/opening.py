"""Open threads: the promises, requests, plans and questions that a conversation leaves behind.

remarks → candidates → corrected → without what it settles itself → each once, as it stands at the end
"""

from voice_server.digest.threads.opening.antecedents import with_antecedent
from voice_server.digest.threads.opening.appointments.several_days import each_by_its_day
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.candidates import candidates
from voice_server.digest.threads.opening.corrections.amendments import as_it_stands
from voice_server.digest.threads.opening.corrections.corrections import with_corrections
from voice_server.digest.threads.opening.corrections.days_instead import with_day_instead
from voice_server.digest.threads.opening.corrections.declined_days import without_declined
from voice_server.digest.threads.opening.corrections.given_up_days import (
    without_given_up,
    without_refused_hours,
)
from voice_server.digest.threads.opening.corrections.objections import is_objected_to
from voice_server.digest.threads.opening.corrections.replacements import replaced, without_wishes
from voice_server.digest.threads.opening.days_before import with_days_before
from voice_server.digest.threads.opening.merging import merged, with_replies
from voice_server.digest.threads.opening.settling import Settlement
from voice_server.digest.threads.speech.talk import ThreadTalk
from voice_server.domain.digest import OpenThread, ThreadKind

_MOST = 5
_FIRST_KINDS: tuple[ThreadKind, ...] = ("promise", "request", "question", "plan", "topic")


def left_open(talk: ThreadTalk) -> tuple[OpenThread, ...]:
    """Return at most five, as quotes in the order said: dated threads first, then by kind, newest first."""
    settlement = Settlement(talk)
    found = [with_day_instead(talk, one) for one in candidates(talk)]
    corrected = without_declined(
        talk, with_corrections(talk, without_refused_hours(talk, with_replies(found)))
    )
    corrected = without_given_up(talk, corrected)
    standing = [
        one for one in corrected if not (settlement.settles(one) or is_objected_to(talk, one, corrected))
    ]
    dated = with_days_before(talk, replaced(talk, without_wishes(talk, standing)))
    kept = sorted(merged(dated), key=_importance)[:_MOST]
    told = ((one, as_it_stands(with_antecedent(talk, one))) for one in kept)
    each = (thread for one, whole in told for thread in each_by_its_day(talk, whole, one))
    return tuple(sorted(each, key=lambda thread: thread.positions))


def _importance(one: Candidate) -> tuple[bool, int, int]:
    thread = one.thread
    return thread.due is None, _FIRST_KINDS.index(thread.kind), -thread.positions[-1]
