"""What one is asked to do, and what one offered to do where it is taken up."""

import re

from msgspec.structs import replace

from voice_server.digest.threads.opening.candidate import Candidate, of_exchange, of_remark, of_sentences
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import has_hour, names_a_time
from voice_server.digest.threads.speech.references import (
    FEWEST_MATTERS,
    answers,
    is_denied,
    own_context,
    telling,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between

_WORD = re.compile(r"\w+")
_IDLE = 2  # words of “Right, then.”
_TELLING = 3  # matters of a request that says by itself what it is


def reminder(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “The return is due on the seventh.” – “Can you remind me a week before?” with what it is of."""
    is_bare = talk.has(remark, "reminds") and talk.has(remark, "errand") and len(talk.matters(remark)) <= 1
    about = telling(talk, talk.before(remark)) if is_bare and remark.said_by == "user" else None
    if about is None or talk.asks(about) or _needs_no_opening(talk, about, remark):
        return None
    if len(talk.matters(about)) < FEWEST_MATTERS:
        return None
    made = of_exchange(talk, about, remark, "request")
    return replace(made, thread=replace(made.thread, said_by="user", due=due_day(remark, talk.phrases)))


def _needs_no_opening(talk: ThreadTalk, about: Remark, remark: Remark) -> bool:
    """“Good morning, Bellview Salon.” – “Will you remind me to bring the photo?” names its matter itself."""
    opens = about.position == talk.remarks[0].position and about.said_by == "agent"
    return opens and bool(talk.matters(remark)) and not names_a_time(about.marked)


def request(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    found = talk.find("request", remark.marked)
    if found is None or talk.has(remark, "waiting", "offer") or _is_agreed_with_an_hour(talk, remark):
        return None
    if _is_told_at_once(talk, remark):
        return None
    points_back = talk.phrases.has("pointer", remark.marked[found.start() :])
    own = own_context(talk, remark) if points_back and len(talk.undated(remark)) < _TELLING else None
    own = own or _asked_of_before(talk, remark)
    if own is not None:
        return of_sentences(talk, own, remark, "request")
    promised = _promised_before(talk, remark) if points_back else None
    if promised is not None:
        return of_exchange(talk, promised, remark, "request")
    made = of_remark(talk, remark, "request", quoting.quote(remark, found.start()))
    if _names_its_day_for_a_case(talk, remark, found.end()):
        return replace(made, thread=replace(made.thread, due=None))
    back = _said_back(talk, remark, made)
    return made if back is None else of_exchange(talk, remark, back, "request")


def _asked_of_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the user's question that is left: “Can we put bikes on it?” – “I'd have to look.” – “Let me
    know.”"""
    answer = talk.before(remark)[:1] if not talk.undated(remark) and talk.has(remark, "asks_for_word") else ()
    asked = talk.before(answer[0])[-1:] if answer else ()
    return next((one for one in asked if talk.asks(one) and talk.matters(one)), None)


def _names_its_day_for_a_case(talk: ThreadTalk, remark: Remark, end: int) -> bool:
    """“Could you put me on the waiting list, if anything's free on Monday?”"""
    file = talk.phrases.file
    cases = {*file.conditions.split()} - {*file.awaits.split()}
    at = next((one.start() for one in _WORD.finditer(remark.plain, end) if one[0] in cases), None)
    return at is not None and due_day(between(remark, 0, at), talk.phrases) is None


def _is_agreed_with_an_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“Can they deliver it on Saturday?” – “Yes, between nine and twelve.”"""
    names_a_day = bool(talk.phrases.weekdays(remark.plain)) and not has_hour(remark.marked)
    replies = talk.after(remark)[:1] if names_a_day else ()
    return any(has_hour(one.marked) and talk.phrases.opens("yes", one.marked) for one in replies)


def _is_told_at_once(talk: ThreadTalk, remark: Remark) -> bool:
    """“Can you remind me when my pass runs out?” – “It runs out on the fifteenth.”, not “I'll text you.”"""
    reply = next(iter(talk.after(remark)), None) if talk.has(remark, "reminded_what") else None
    if reply is None or talk.asks(reply):
        return False
    is_later = talk.has(
        reply, "promise", "bare_promise", "will_do", "deferral", "call_back", "waiting", "noted"
    )
    return not is_later and (names_a_time(reply.marked) or bool(talk.matters(reply)))


def _promised_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """“I'll email you the contract.” – “Could you post it?”"""
    said = (one for one in reversed(talk.before(remark)) if not talk.asks(one) and talk.matters(one))
    return next((one for one in said if _says_it_will_come(talk, one)), None)


def _says_it_will_come(talk: ThreadTalk, remark: Remark) -> bool:
    """“I'll email you the contract.”, or “I'll have the quotes on Tuesday.”"""
    return talk.has_without(remark, "promise", "waiting") or talk.has(remark, "coming")


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
    if not talk.has(remark, "offer") or talk.has(remark, "waiting") or _is_promised(talk, remark):
        return None
    is_duty = talk.has(remark, "duty") and not talk.asks(remark)  # “Dan moet ik haar naar school brengen.”
    if remark.said_by == "user" and (is_duty or talk.phrases.opens("permission", remark.marked)):
        return None
    answer = next((r for r in talk.after(remark) if talk.phrases.opens("yes", r.marked)), None)
    if answer is None or (not talk.matters(remark) and _goes_on_asking(talk, answer)):
        return None
    is_bare = not talk.matters(remark) or (talk.has(remark, "reminds") and talk.has(remark, "next_time"))
    is_bare = is_bare and not talk.has(answer, "time")
    about = telling(talk, talk.before(remark)) if is_bare else None
    tells = about is not None and not talk.asks(about) and not answers(talk, about)
    if about is not None and tells and len(talk.matters(about)) >= FEWEST_MATTERS:
        return of_exchange(talk, about, remark, "promise")
    made = of_exchange(talk, remark, answer, "request")
    if talk.phrases.is_daily(answer.plain):
        return replace(made, thread=replace(made.thread, due=None))
    return made


def _is_promised(talk: ThreadTalk, remark: Remark) -> bool:
    """“Je vous envoie un SMS.”, which asks with its mark alone."""
    return talk.has(remark, "promise") and not talk.asks(remark) and remark.text.endswith(".")


def _goes_on_asking(talk: ThreadTalk, answer: Remark) -> bool:
    """“Shall I remind you of anything?” – “Yes, please. Remind me on Friday.”"""
    return any(r.place > answer.place and talk.has(r, "request") for r in talk.message(answer))


def taken_up(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read the agent's “I could ask the volunteers for a lift.” – “Oh, would you?”, or “I could look for a
    second-hand copy.” – “Please do.”, as a promise; “I could call him now.” – “Yes.” is done at once."""
    is_offered = remark.said_by == "agent" and talk.has(remark, "could_do") and not talk.asks(remark)
    if not is_offered or (talk.has(remark, "waiting") and not talk.has(remark, "searches")):
        return None
    answer = next(iter(talk.after(remark)), None)
    is_yes = answer is not None and talk.phrases.opens("yes", answer.marked) and not talk.asks(answer)
    is_for_later = talk.has(remark, "searches") and not names_a_time(remark.marked)
    is_taken = answer is not None and (
        talk.has(answer, "would_you") or (is_yes and is_for_later and not _is_done_now(talk, answer))
    )
    if answer is None or not is_taken or talk.has(answer, "no", "waved_off", "refused"):
        return None
    return of_remark(talk, remark, "promise", quoting.quote(remark))


def _is_done_now(talk: ThreadTalk, answer: Remark) -> bool:
    """“I could look in the stockroom.” – “Please do.” – “We have two.”, not “Right.”, “I'll let you know.”"""
    told = talk.after(answer)
    if any(talk.has(one, "promise", "be_told", "will_do", "bare_promise") for one in told):
        return False
    is_idle = sum(len(one.text.split()) for one in told) <= _IDLE and not talk.matters(*told)
    return bool(told) and (not is_idle or is_denied(talk, told[0]))


def leave_given(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Can I ask my brother and let you know tomorrow?” – “Of course.” as a promise of who asks."""
    if not talk.has(remark, "asks_leave"):
        return None
    answer = next(iter(talk.after(remark)), None)
    if answer is None or not talk.phrases.opens("yes", answer.marked) or talk.has(answer, "no", "refused"):
        return None
    made = of_exchange(talk, remark, answer, "promise")
    if made.thread.due is None:
        return None  # “Can I put you on hold and get back to you?”
    return replace(made, thread=replace(made.thread, said_by=remark.said_by, text=quoting.quote(remark)))
