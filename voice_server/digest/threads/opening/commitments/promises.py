"""What somebody says that they, or others, will do."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from voice_server.digest.dates.dates import tells_of_the_past
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.threads.opening.appointments.bookings import is_sure_of_its_day
from voice_server.digest.threads.opening.appointments.counters import is_reason
from voice_server.digest.threads.opening.appointments.proposals import accepted_proposal, asks_of_the_past
from voice_server.digest.threads.opening.appointments.times import LATEST
from voice_server.digest.threads.opening.appointments.wishes import is_no_wish
from voice_server.digest.threads.opening.candidate import (
    Candidate,
    of_answer,
    of_exchange,
    of_remark,
    of_sentences,
)
from voice_server.digest.threads.opening.context import in_context
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day, weekend_ahead
from voice_server.digest.threads.speech.phrases import around, names_a_time, times_named
from voice_server.digest.threads.speech.references import (
    FEWEST_MATTERS,
    asked_before,
    asks_afterwards,
    finds_out,
    is_denied,
    is_polite,
    needs_context,
    points,
    says_when,
    takes_leave,
    telling,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, from_place

_MEANS = 3  # words of “by email”, “per Post zu Ihnen”
_BRIEFLY = 7  # words of “No, I'm afraid, it'll be Friday”
_IN_A_WHILE = 9  # words of “Within thirty days, on your account.”
_BEGINS = 2  # words, of which one may be an “it”
_MERE = 2  # words of a clause that says only that something is doubtful


def promise(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Tell a promise with the question that it answers, or with what the other says is missing: that is
    promised anew, even if at once."""
    found = _promise_in(talk, remark)
    if found is None or (talk.asks(remark) and not _stands_though_it_asks(talk, remark, found.start())):
        return None
    missed = _missed(talk, remark)
    near = around(remark.marked, found)
    whole = near == remark.marked
    earlier, own = quoting.from_clause(near, found.start()) if whole else ("", near)
    now = talk.phrases.behind_but(near, found.start()) if whole else near
    waits = missed is None and _only_waits(talk, now) and not _is_left_at_that(talk, remark, own)
    if _is_doubtful(talk, earlier, own) or waits:
        return None
    is_none = _says_it_again(talk, remark) or talk.phrases.opens("permission", remark.marked)
    is_none = is_none or is_reason(talk, remark) or _is_the_reminder(talk, remark) or _says_late(talk, remark)
    if is_none or _declines(talk, remark):
        return None
    if _tells_of_another(talk, remark):
        return _plan_of_another(talk, remark, found.start())
    agreed = _agreement(talk, remark) if remark.said_by == "user" and talk.asks(remark) else None
    if agreed is not None and not asks_afterwards(talk, remark, found.start()):
        return of_exchange(talk, remark, agreed, "request")
    otherwise = _by_other_means(talk, remark) if talk.asks(remark) else None
    asked = missed or _asked_for(talk, remark) or _wondered(talk, remark)
    if otherwise is not None:
        told: Candidate | None = of_exchange(talk, remark, otherwise, "promise")
    else:
        told = _of_what_is_missed(talk, missed, remark) or in_context(talk, remark, asked, "promise")
    return _when_wished(
        talk, remark, told or of_remark(talk, remark, "promise", quoting.quote(remark, found.start()))
    )


def _says_late(talk: ThreadTalk, remark: Remark) -> bool:
    """“Tell Gail I'll be ten minutes late.” – “I'll tell her.” is over before the next call."""
    is_passed_on = remark.said_by == "agent" and talk.has(remark, "in_passing")
    return is_passed_on and any(talk.has(one, "running_late") for one in talk.before(remark))


def _of_what_is_missed(talk: ThreadTalk, missed: Remark | None, remark: Remark) -> Candidate | None:
    """“We still don't have your certificate.” – “I forgot.” – “Can you bring it?” – “I'll bring it on
    Monday.”"""
    asked = [one for one in talk.before(remark) if talk.asks(one)][-1:]
    if missed is None or not asked or asked[0].position <= missed.position:
        return None
    return of_answer(talk, (missed, *asked), (remark,), "promise")


def _missed(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return what the other says is missing: just before, or earlier in the call where the promise names
    nothing itself: “My quote hasn't come.” – “It's not gone.” – “We move on the ninth.” – “I'll send it.”"""
    just_before = next((one for one in talk.before(remark) if _is_missed(talk, one, remark)), None)
    if just_before or not needs_context(talk, remark) or _replies_to_a_matter(talk, remark):
        return just_before
    said = (one for one in reversed(talk.remarks[: remark.place]) if one.said_by != remark.said_by)
    return next((one for one in said if talk.has(one, "missed")), None)


def _replies_to_a_matter(talk: ThreadTalk, remark: Remark) -> bool:
    """“And the referral the doctor was to think over.” – “I'll ask her and ring you back.”"""
    about = talk.matters(*talk.before(remark)) if remark == talk.message(remark)[0] else frozenset[str]()
    return len(about) > FEWEST_MATTERS


def _is_missed(talk: ThreadTalk, said: Remark, remark: Remark) -> bool:
    """“My quote hasn't come.”, or “I hadn't the referral yet.” – “We'll get that done today.”"""
    is_wanting = talk.has(said, "not_done") and not talk.asks(said) and bool(talk.undated(said))
    begins = words(remark.text)[:_BEGINS]
    refers = talk.has(remark, "pointer") or not manner(talk.phrases.tag).referring.isdisjoint(begins)
    is_pointed_at = is_wanting and remark.said_by == "agent" and refers
    return talk.has(said, "missed") or (is_pointed_at and said == talk.before(remark)[-1])


def _wondered(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """“My daughter asks whether there's a place.” – “I'd have to ask planning, I'll let you know.”"""
    if not talk.has(remark, "deferral", "enquiry"):
        return None
    return next((one for one in reversed(talk.before(remark)) if talk.has(one, "wonders")), None)


def _when_wished(talk: ThreadTalk, remark: Remark, made: Candidate) -> Candidate:
    """Take the day of the wish: “A car for tomorrow at six, please.” – “What address?” – “22 Mill Road.” –
    “I'll send you an estate.”"""
    if made.thread.due is not None or remark.said_by == "user" or not talk.has(remark, "visit"):
        return made
    said = talk.remarks[max(0, remark.place - LATEST) : remark.place]
    wished = (one for one in said if one.said_by == "user" and not is_no_wish(talk, one))
    days = {due_day(one, talk.phrases) for one in wished} - {None}
    due = days.pop() if len(days) == 1 else None
    return replace(made, thread=replace(made.thread, due=due)) if due else made


def _promise_in(talk: ThreadTalk, remark: Remark) -> re.Match[str] | None:
    """Find it in all of a remark, or in what stands behind its “but”."""
    if not talk.may_have(remark, "promise"):
        return None
    found = talk.find("promise", remark.marked)
    return found or talk.find("promise", talk.phrases.behind_but(remark.marked))


def announced(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read what the agent says will come or be ready: “Your sofa comes on Friday.”, and “It'll be with you in
    three or four days”, whose day nobody knows."""
    if remark.said_by == "user" or talk.asks(remark):
        return None
    later = _ready_later(talk, remark) or _comes_in_a_while(talk, remark)
    if later is not None:
        return later
    is_coming = talk.has(remark, "coming") and is_sure_of_its_day(talk, remark)
    if not is_coming and not _is_delivered(talk, remark):
        return None
    told = in_context(talk, remark, _asked_for(talk, remark), "promise")
    return told or of_remark(talk, remark, "promise", quoting.quote(remark))


def _is_delivered(talk: ThreadTalk, remark: Remark) -> bool:
    """“You'll have it on Friday.”, and “It'll arrive on Friday.” to who asks for it; not “If you order today
    you'll have it on Friday”, “Will it rain?”, nor an appointment that one has then."""
    asked = [one for one in talk.before(remark) if talk.asks(one)]
    own = manner(talk.phrases.tag).first_person
    is_ones_own = any(talk.has(one, "asked_ready") or own & {*words(one.text)} for one in asked)
    is_said = talk.has(remark, "delivery") or (is_ones_own and talk.has(remark, "arrival"))
    is_none = (
        talk.is_conditional(remark)
        or talk.has(remark, "doubt")
        or tells_of_the_past(remark.text, talk.phrases.tag)
        or any(talk.has(one, "asked_own") for one in asked)
    )
    return is_said and not (is_none or talk.phrases.is_recurring(remark.plain))


def _ready_later(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Is my suit ready?” – “Not yet, Friday.”"""
    is_brief = len(remark.text.split()) <= _BRIEFLY and len(talk.undated(remark)) <= _MERE
    if not is_brief or talk.phrases.opens("yes", remark.marked):
        return None
    asked = [one for one in talk.before(remark) if talk.has(one, "asked_ready") and talk.asks(one)]
    time = next(times_named(remark.marked), None)
    day = due_day(from_place(remark, time.start() if time else 0), talk.phrases) if asked else None
    if day is None or day <= remark.said_on or not talk.matters(asked[-1]):
        return None
    made = of_exchange(talk, asked[-1], remark, "promise")
    return replace(made, thread=replace(made.thread, due=day))


def _comes_in_a_while(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “When will I get the money?” – “Within thirty days, on your account.”, whose day nobody knows."""
    is_brief = len(remark.text.split()) <= _IN_A_WHILE and talk.phrases.opens("in_a_while", remark.marked)
    if not is_brief or talk.has(remark, "doubt") or remark != talk.message(remark)[0]:
        return None
    asked = [one for one in talk.before(remark)[-1:] if talk.asks(one) and talk.has(one, "asked_arrival")]
    return of_exchange(talk, asked[0], remark, "promise") if asked and talk.matters(*asked) else None


def _says_it_again(talk: ThreadTalk, remark: Remark) -> bool:
    """“I'll ring my sister.” – “Good idea.” – “I'll do it, honest.”"""
    if len(talk.matters(remark)) >= FEWEST_MATTERS or not points(talk, remark):
        return False
    before = talk.before(remark)
    is_idle = len(talk.matters(*before)) < FEWEST_MATTERS and not any(talk.asks(one) for one in before)
    earlier = talk.before(before[0]) if before and is_idle else ()
    return any(talk.has(r, "promise") and len(talk.matters(r)) >= FEWEST_MATTERS for r in earlier)


def _is_the_reminder(talk: ThreadTalk, remark: Remark) -> bool:
    """“And I'll remind you of the trip money, it's fifteen pounds.”, where nobody asks for a reminder."""
    names_a_sum = bool(talk.phrases.sums(remark.plain)) and not names_a_time(remark.marked)
    is_one = remark.said_by == "agent" and names_a_sum and talk.has(remark, "reminds")
    asked = any(talk.has(one, "reminds", "request", "offer") for one in talk.before(remark))
    return is_one and not asked


def _only_waits(talk: ThreadTalk, near: str) -> bool:
    """“I'll see whether we have a room”, unless “… and I'll ring you by Wednesday”, “… as soon as I know”, or
    “… and send it to you” follows."""
    if not talk.phrases.has("waiting", near):
        return False
    words = near.split()
    joints = manner(talk.phrases.tag).joints
    parts = [at + 1 for at, word in enumerate(words) if word in joints or word.endswith(",")]
    last = " ".join(words[parts[-1] :]) if parts else ""
    is_later = (
        talk.phrases.has("time", last)
        or talk.phrases.awaits(last)
        or talk.phrases.has("be_told", last)
        or talk.phrases.has("call_back", last)
    )
    promised = any(talk.phrases.has("promise", said) for said in (last, f"{words[0]} {last}"))
    return not (is_later and promised)


def _is_left_at_that(talk: ThreadTalk, remark: Remark, own: str) -> bool:
    """“I think so, but let me ask the boss.” – “Okay, thanks.”; not “One moment, I'll ask”, where its `own`
    clause waits for nothing."""
    if not (talk.has(remark, "enquiry") and talk.phrases.has("waiting", own)):
        return False
    rest = talk.remarks[remark.place + 1 :]
    is_last = all(one.said_by == "user" or takes_leave(talk, one) for one in rest)
    return is_last and any(one.said_by == "user" for one in rest)


def _asked_for(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Later sentences of a reply mostly answer no question; who then finds out has not answered it."""
    first = talk.message(remark)[0]
    if first is not remark and finds_out(talk, remark) and not _says_yes_or_no(talk, first):
        return asked_before(talk, remark)
    later = remark.place - first.place
    tells = bool(talk.matters(first)) or talk.phrases.opens("yes", first.marked)
    is_answered = later > 1 or (later == 1 and tells and not talk.has(first, "deferral"))
    asked = asked_before(talk, remark) if not is_answered or needs_context(talk, remark) else None
    says_more = len(first.text.split()) > 1 and not is_polite(talk, first)
    if later == 1 and says_more and not talk.has(first, "deferral"):
        asked = None  # “Did the photos get through?” – “They did, all six. …”
    if asked is not None and later == 1 and _is_beside_the_appointment(talk, asked, remark):
        asked = None
    is_promised = asked is not None and later > 0 and talk.has(asked, "promise")  # it stands by itself
    return None if is_promised else asked


def _says_yes_or_no(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.phrases.opens("yes", remark.marked) or is_denied(talk, remark)


def _is_beside_the_appointment(talk: ThreadTalk, asked: Remark, remark: Remark) -> bool:
    """“Today at five?” – “Yes. I'll bring his diary.”"""
    names_its_thing = bool(talk.undated(remark)) and not (points(talk, remark) or talk.days(remark))
    return names_its_thing and not talk.undated(asked) and accepted_proposal(talk, asked) is not None


def _is_doubtful(talk: ThreadTalk, earlier: str, own: str) -> bool:
    """Tell whether doubt takes it back: its clause's own (“It should be in, I'll ring you” promises), a
    condition or a mere “perhaps” beside it."""
    clause = quoting.clause(own, 0)
    beside = (earlier, *(own[len(clause) :].split(",") if len(clause) < len(own) else ()))
    return talk.phrases.has("doubt", clause) or any(_makes_doubtful(talk, one) for one in beside)


def _makes_doubtful(talk: ThreadTalk, clause: str) -> bool:
    doubt = talk.find("doubt", clause)
    return doubt is not None and (len(clause.split()) <= _MERE or talk.phrases.is_condition(doubt[0]))


def _stands_though_it_asks(talk: ThreadTalk, remark: Remark, start: int) -> bool:
    """“I'll send you the estimate, by post?” – “By post, yes.”"""
    if asks_of_the_past(talk, remark):
        return False
    agreed = _agreement(talk, remark) is not None or asks_afterwards(talk, remark, start)
    return agreed or _by_other_means(talk, remark) is not None


def _by_other_means(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return what is wished instead of how it is offered to be done: “I'll tell you then, by email?” –
    “A text, please.”"""
    means = remark.marked.rstrip(" ?").rpartition(",")[2].split()
    replies = talk.after(remark)
    is_asked = remark.said_by == "agent" and 0 < len(means) <= _MEANS and not names_a_time(" ".join(means))
    if not is_asked or any(talk.has(one, "cancelled", "refused") for one in replies):
        return None
    return next(
        (one for one in reversed(replies) if talk.has(one, "preferred", "in_writing", "be_told")), None
    )


def _agreement(talk: ThreadTalk, remark: Remark) -> Remark | None:
    answers = talk.after(remark)[:1]
    return next((r for r in answers if talk.has(r, "yes") and not talk.has(r, "no")), None)


def _declines(talk: ThreadTalk, remark: Remark) -> bool:
    """“Shall I remind you?” – “No, no, I'll think of it myself.”"""
    is_no = remark.said_by == "user" and is_denied(talk, talk.message(remark)[0])
    asked = talk.before(remark) if is_no else ()
    return any(talk.has(one, "offer") and talk.has(one, "reminds") for one in asked)


def _tells_of_another(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether it is of another; the agent's “a technician will call you” is its own promise."""
    if remark.said_by != "user":
        return False
    return talk.find("promise", talk.phrases.besides("another", remark.marked)) is None


def _plan_of_another(talk: ThreadTalk, remark: Remark, start: int) -> Candidate | None:
    """Tell it with the question before, unless it follows on the answer: “Does it hurt?” – “It's fine. My
    chiropodist is coming on Monday.”"""
    follows = talk.message(remark)[0] != remark
    asked = None if follows and talk.undated(remark) else asked_before(talk, remark)
    made = (
        of_remark(talk, remark, "plan", quoting.quote(remark, start), appointment=True)
        if asked is None
        else of_exchange(talk, asked, remark, "plan", appointment=True)
    )
    is_habit = talk.phrases.is_recurring(remark.plain)
    due = made.thread.due or (None if is_habit else weekend_ahead(remark, talk.phrases))
    return replace(made, thread=replace(made.thread, due=due)) if due else None


def bare_promise(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Tell “Leave it with me” with what the other party says, or with the speaker's duty before: “I must
    write to him.” – “Will you?” – “I will.”"""
    says_so = talk.has_without(remark, "bare_promise", "doubt", "waiting") or _grants_an_errand(talk, remark)
    if not says_so or (talk.asks(remark) and not talk.has(remark, "will_do")):
        return None
    before = () if _answers_the_opening(talk, remark) else talk.before(remark)
    if any(talk.has(one, "time") and accepted_proposal(talk, one) for one in before):
        return None  # “Tomorrow at nine, then.” – “Yes, we'll do that.”
    asked = (r for r in reversed(before) if talk.asks(r))
    about = next((r for r in asked if talk.matters(r) or talk.phrases.awaits(r.plain)), telling(talk, before))
    about = about or _asked_in_few_words(talk, before, remark)
    earlier = talk.before(before[0]) if before else ()
    own = next((one for one in reversed(earlier) if talk.has(one, "duty") and talk.matters(one)), None)
    if own is not None and (about is None or talk.has(about, "pointer")):
        return of_sentences(talk, own, remark, "promise")
    return of_exchange(talk, about, remark, "promise") if about is not None else None


def _asked_in_few_words(talk: ThreadTalk, before: Sequence[Remark], remark: Remark) -> Remark | None:
    """“stuur je me je id nog” – “ja doe ik vanavond”"""
    is_yes = talk.phrases.opens("yes", remark.marked) and says_when(talk, remark)
    return before[-1] if is_yes and before and not is_polite(talk, before[-1]) else None


def _grants_an_errand(talk: ThreadTalk, remark: Remark) -> bool:
    """“Could you put a card in the window?” – “Of course. Will do.”, not “Enjoy the sea!” – “Will do.”"""
    if not talk.has_without(remark, "will_do", "doubt", "waiting"):
        return False
    return any(talk.has(one, "errand") and not talk.has(one, "waiting") for one in talk.before(remark))


def _answers_the_opening(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether it answers the agent's first words, which only say who it is."""
    before = talk.before(remark)
    return bool(before) and before[0].place == 0 and remark.said_by == "user"
