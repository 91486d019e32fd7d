"""Promises, requests, offers taken up, and answers still owed."""

import re

from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.appointments.bookings import is_sure_of_its_day
from voice_server.digest.threads.opening.appointments.counters import is_reason
from voice_server.digest.threads.opening.appointments.proposals import accepted_proposal, asks_of_the_past
from voice_server.digest.threads.opening.candidate import Candidate, of_exchange, of_remark, of_sentences
from voice_server.digest.threads.opening.context import in_context
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import around, has_hour
from voice_server.digest.threads.speech.references import (
    FEWEST_MATTERS,
    answers,
    asked_before,
    asks_afterwards,
    is_denied,
    is_last_word,
    is_polite,
    needs_context,
    own_context,
    points,
    question,
    says_something,
    telling,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_TELLING = 3  # matters of a request that says by itself what it is
_MERE = 2  # words of a clause that says only that something is doubtful


def request(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    found = talk.find("request", remark.marked)
    if found is None or talk.has(remark, "waiting", "offer") or _is_agreed_with_an_hour(talk, remark):
        return None
    behind = remark.marked[found.start() :]
    points_back = talk.phrases.has("pointer", behind)
    own = own_context(talk, remark) if points_back else None
    if own is not None and len(talk.undated(remark)) < _TELLING:
        return of_sentences(talk, own, remark, "request")
    promised = _promised_before(talk, remark) if points_back else None
    if promised is not None:
        return of_exchange(talk, promised, remark, "request")
    made = of_remark(talk, remark, "request", quoting.quote(remark, found.start()))
    back = _said_back(talk, remark, made)
    return made if back is None else of_exchange(talk, remark, back, "request")


def _is_agreed_with_an_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“Can they deliver it on Saturday?” – “Yes, between nine and twelve.”"""
    names_a_day = bool(talk.phrases.weekdays(remark.plain)) and not has_hour(remark.marked)
    replies = talk.after(remark)[:1] if names_a_day else ()
    return any(has_hour(one.marked) and talk.phrases.opens("yes", one.marked) for one in replies)


def _promised_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """“I'll email you the contract.” – “Could you post it?”"""
    said = (one for one in reversed(talk.before(remark)) if not talk.asks(one))
    return next(
        (one for one in said if talk.has_without(one, "promise", "waiting") and talk.matters(one)), None
    )


def _said_back(talk: ThreadTalk, remark: Remark, made: Candidate) -> Remark | None:
    """“Remind me, it must go by the fourth.” – “Jean's parcel, by the fourth.”, or “Could you give me a nudge
    on Sunday? It's the bin.” – “Sunday, the bin.”"""
    said = (r for r in talk.after(remark) if not talk.asks(r) and talk.undated(r) - made.matters)
    is_bare = talk.has(remark, "pointer") or not talk.undated(remark) & talk.beside(remark, "request")
    day = made.thread.due if is_bare else None
    return next((r for r in said if day and due_day(r, talk.phrases) == day), None)


def accepted_offer(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Shall I remind you of the drops?” – “Yes, please.” Where the offer names no matter, and the
    answer no time, the words before it are told as a promise."""
    if not talk.has(remark, "offer") or talk.has(remark, "waiting"):
        return None
    is_duty = talk.has(remark, "duty") and not talk.asks(remark)  # “Dan moet ik haar naar school brengen.”
    if remark.said_by == "user" and (is_duty or talk.phrases.opens("permission", remark.marked)):
        return None
    answer = next((r for r in talk.after(remark) if talk.phrases.opens("yes", r.marked)), None)
    if answer is None or (not talk.matters(remark) and _goes_on_asking(talk, answer)):
        return None
    is_bare = not talk.matters(remark) and not talk.has(answer, "time")
    about = telling(talk, talk.before(remark)) if is_bare else None
    tells = about is not None and not talk.asks(about) and not answers(talk, about)
    if about is not None and tells and len(talk.matters(about)) >= FEWEST_MATTERS:
        return of_exchange(talk, about, remark, "promise")
    made = of_exchange(talk, remark, answer, "request")
    if talk.phrases.is_daily(answer.plain):
        return replace(made, thread=replace(made.thread, due=None))
    return made


def _goes_on_asking(talk: ThreadTalk, answer: Remark) -> bool:
    """“Shall I remind you of anything?” – “Yes, please. Remind me on Friday.”"""
    return any(r.place > answer.place and talk.has(r, "request") for r in talk.message(answer))


def answer_later(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Tell the user's “I'll tell you next time” with the question."""
    if remark.said_by != "user" or not talk.has(remark, "answer_later") or accepted_proposal(talk, remark):
        return None
    before = [r for r in talk.before(remark) if says_something(talk, r)]
    asked = [r for r in before if talk.asks(r)] or before  # a recogniser writes no question marks
    if asked:
        return of_exchange(talk, asked[-1], remark, "promise")
    return of_remark(talk, remark, "promise", quoting.quote(remark, 0)) if talk.matters(remark) else None


def promise(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Tell a promise with the question that it answers, or with what the other says is missing: that is
    promised anew, even if at once."""
    found = _promise_in(talk, remark)
    if found is None or (talk.asks(remark) and not _stands_though_it_asks(talk, remark, found.start())):
        return None
    missed = next((one for one in talk.before(remark) if talk.has(one, "missed")), None)
    near = around(remark.marked, found)
    whole = near == remark.marked
    earlier, own = quoting.from_clause(near, found.start()) if whole else ("", near)
    now = talk.phrases.behind_but(near, found.start()) if whole else near
    if _is_doubtful(talk, earlier, own) or (missed is None and _only_waits(talk, now)):
        return None
    is_none = _says_it_again(talk, remark) or talk.phrases.opens("permission", remark.marked)
    is_none = is_none or is_reason(talk, remark)
    if is_none or _declines(talk, remark):
        return None
    if _tells_of_another(talk, remark):
        return _plan_of_another(talk, remark, found.start())
    agreed = _agreement(talk, remark) if remark.said_by == "user" and talk.asks(remark) else None
    if agreed is not None and not asks_afterwards(talk, remark, found.start()):
        return of_exchange(talk, remark, agreed, "request")
    asked = missed or _asked_for(talk, remark)
    told = in_context(talk, remark, asked, "promise")
    return told or of_remark(talk, remark, "promise", quoting.quote(remark, found.start()))


def _promise_in(talk: ThreadTalk, remark: Remark) -> re.Match[str] | None:
    """Find it in all of a remark, or in what stands behind its “but”."""
    if not talk.may_have(remark, "promise"):
        return None
    found = talk.find("promise", remark.marked)
    return found or talk.find("promise", talk.phrases.behind_but(remark.marked))


def announced(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read what the agent says will come or be ready: “Your sofa comes on Friday.”"""
    if remark.said_by == "user" or talk.asks(remark) or not talk.has(remark, "coming"):
        return None
    if not is_sure_of_its_day(talk, remark):
        return None
    told = in_context(talk, remark, _asked_for(talk, remark), "promise")
    return told or of_remark(talk, remark, "promise", quoting.quote(remark))


def _says_it_again(talk: ThreadTalk, remark: Remark) -> bool:
    """“I'll ring my sister.” – “Good idea.” – “I'll do it, honest.”"""
    if len(talk.matters(remark)) >= FEWEST_MATTERS or not points(talk, remark):
        return False
    before = talk.before(remark)
    is_idle = len(talk.matters(*before)) < FEWEST_MATTERS and not any(talk.asks(one) for one in before)
    earlier = talk.before(before[0]) if before and is_idle else ()
    return any(talk.has(r, "promise") and len(talk.matters(r)) >= FEWEST_MATTERS for r in earlier)


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
        talk.phrases.has("time", last) or talk.phrases.awaits(last) or talk.phrases.has("be_told", last)
    )
    promised = any(talk.phrases.has("promise", said) for said in (last, f"{words[0]} {last}"))
    return not (is_later and promised)


def _asked_for(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Later sentences of a reply mostly answer no question."""
    first = talk.message(remark)[0]
    later = remark.place - first.place
    tells = bool(talk.matters(first)) or talk.phrases.opens("yes", first.marked)
    is_answered = later > 1 or (later == 1 and tells)
    asked = asked_before(talk, remark) if not is_answered or needs_context(talk, remark) else None
    says_more = len(first.text.split()) > 1 and not is_polite(talk, first)
    if later == 1 and says_more and not talk.has(first, "deferral"):
        asked = None  # “Did the photos get through?” – “They did, all six. …”
    if asked is not None and later == 1 and _is_beside_the_appointment(talk, asked, remark):
        asked = None
    is_promised = asked is not None and later > 0 and talk.has(asked, "promise")  # it stands by itself
    return None if is_promised else asked


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
    return _agreement(talk, remark) is not None or asks_afterwards(talk, remark, start)


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
    return made if made.thread.due else None


def bare_promise(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Tell “Leave it with me” with what the other party says, or with the speaker's duty before: “I must
    write to him.” – “Will you?” – “I will.”"""
    says_so = talk.has_without(remark, "bare_promise", "doubt", "waiting") or _grants_an_errand(talk, remark)
    if not says_so or (talk.asks(remark) and not talk.has(remark, "will_do")):
        return None
    before = () if _answers_the_opening(talk, remark) else talk.before(remark)
    if any(talk.has(one, "time") and accepted_proposal(talk, one) for one in before):
        return None  # “Tomorrow at nine, then.” – “Yes, we'll do that.”
    about = next((r for r in reversed(before) if talk.asks(r) and talk.matters(r)), telling(talk, before))
    earlier = talk.before(before[0]) if before else ()
    own = next((one for one in reversed(earlier) if talk.has(one, "duty") and talk.matters(one)), None)
    if own is not None and (about is None or talk.has(about, "pointer")):
        return of_sentences(talk, own, remark, "promise")
    return of_exchange(talk, about, remark, "promise") if about is not None else None


def _grants_an_errand(talk: ThreadTalk, remark: Remark) -> bool:
    """“Could you put a card in the window?” – “Of course. Will do.”, not “Enjoy the sea!” – “Will do.”"""
    if not talk.has_without(remark, "will_do", "doubt", "waiting"):
        return False
    return any(talk.has(one, "errand") and not talk.has(one, "waiting") for one in talk.before(remark))


def _answers_the_opening(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether it answers the agent's first words, which only say who it is."""
    before = talk.before(remark)
    return bool(before) and before[0].place == 0 and remark.said_by == "user"


def left_question(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read a question that was put off, or that nobody was there to answer."""
    if remark.said_by != "user" or remark != question(talk, (remark,)):
        return None
    replies = talk.after(remark)
    put_off = any(talk.has(reply, "deferral") and not talk.has(reply, "waiting") for reply in replies)
    promised = any(talk.has(reply, "promise", "waiting") for reply in replies)
    if (put_off and not promised) or is_last_word(talk, remark):
        return of_remark(talk, remark, "question", quoting.quote(remark))
    return None
