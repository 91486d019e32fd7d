"""Questions to which an answer is still owed."""

from voice_server.digest.threads.opening.appointments.proposals import accepted_proposal
from voice_server.digest.threads.opening.candidate import Candidate, of_exchange, of_remark
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.references import is_last_word, question, says_something
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk


def answer_later(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Tell the user's “I'll tell you next time” with the question."""
    if remark.said_by != "user" or not talk.has(remark, "answer_later") or accepted_proposal(talk, remark):
        return None
    before = [r for r in talk.before(remark) if says_something(talk, r)]
    asked = [r for r in before if talk.asks(r)] or before  # a recogniser writes no question marks
    if asked:
        return of_exchange(talk, asked[-1], remark, "promise")
    return of_remark(talk, remark, "promise", quoting.quote(remark, 0)) if talk.matters(remark) else None


def left_question(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read a question that was put off, or that nobody was there to answer."""
    is_asked = remark == question(talk, (remark,)) or (talk.has(remark, "wonders") and talk.matters(remark))
    if remark.said_by != "user" or not is_asked:
        return None
    replies = talk.after(remark)
    put_off = any(talk.has(reply, "deferral") and not talk.has(reply, "waiting") for reply in replies)
    promised = any(talk.has(reply, "promise", "waiting") for reply in replies)
    is_unheard = is_last_word(talk, remark) and not _is_rhetorical(talk, remark)
    if (put_off and not promised) or is_unheard:
        return of_remark(talk, remark, "question", quoting.quote(remark))
    return None


def _is_rhetorical(talk: ThreadTalk, remark: Remark) -> bool:
    """“Not for a second. Who'd do the church flowers? I've done them since 1988.”"""
    behind = talk.sentence_after(remark)
    return behind is not None and not talk.asks(behind) and talk.has(remark, "rhetorical")
