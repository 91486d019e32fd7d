"""What the agent was to find out, or to let the user know, and says when it is spoken of again: “Is the suit
ready?” – “It is, you can collect it.”, “You never told me about the brakes.” – “Sorry, they're fine, I had a
look.” What puts it off once more (“I'll ask him tonight”, “nearly”) is no answer.
"""

from collections.abc import Iterator, Sequence

from voice_server.digest.threads.closing.earlier import (
    ThreadWords,
    has_its_question,
    is_agents_promise,
    last_said,
)
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import Kind, Phrases, times_named
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import clauses, is_denied
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import EarlierThread

_SURE = 2  # words in common with a promise and what led to it
_MORE = 2  # words behind a time that say more than the time, and of “One second.”
_TO_HEAR: tuple[Kind, ...] = ("call_back", "enquiry", "deferral", "be_told", "rings_then")
_STILL_OPEN: tuple[Kind, ...] = (
    "deferral", "promise", "bare_promise", "waiting", "not_done", "missed", "doubt", "nearly", "refused",
)  # fmt: skip
_NOT_YET: tuple[Kind, ...] = (
    "deferral", "promise", "bare_promise", "waiting", "not_done", "missed", "nearly", "enquiry", "no_news",
)  # fmt: skip
_ASKS_FOR_IT: tuple[Kind, ...] = ("request", "errand", "call_back", "be_told", "enquiry", "asks_for_word")


def answered(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield what is answered, some twice."""
    promised = [one for one in threads if is_agents_promise(one.thread)]
    owed = [one for one in promised if owes_word(one.thread, talk.phrases)]
    owed += [one for one in threads if is_to_be_asked(one.thread, talk.phrases)]
    sent = [one for one in threads if _is_to_be_sent_in(one.thread)]
    for remark in talk.remarks if owed or promised or sent else ():
        if remark.said_by == "agent":
            yield from _seen(remark, sent, talk)
            yield from _looked_into(remark, promised, owed, talk)
            yield from _just_about_to_tell(remark, owed, talk)
        else:
            yield from (one for one in owed if _is_told(remark, one, talk))


def owes_word(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell whether word of something is promised, or to see to what was asked."""
    own = last_said(thread, phrases)
    said = phrases.marked(own)
    is_word = any(phrases.has(kind, said) for kind in _TO_HEAR) or phrases.awaits(own)
    return is_word or (has_its_question(thread) and phrases.has("bare_promise", said))


def is_to_be_asked(thread: EarlierThread, phrases: Phrases) -> bool:
    """“Shall I ask the owner?” – “Yes, please.”, which is the user's request"""
    asked, is_exchange, _ = phrases.plain(thread.text).rpartition(ANSWERED)
    is_request = bool(is_exchange) and (thread.kind, thread.said_by) == ("request", "user")
    said = phrases.marked(asked) if is_request else ""
    return is_request and (any(phrases.has(kind, said) for kind in _TO_HEAR) or phrases.awaits(asked))


def _looked_into(
    remark: Remark, promised: Sequence[ThreadWords], owed: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“I looked at your membership, it was paid in September.” Behind “You never told me about the brakes.”
    it ends whatever was promised of them."""
    if not talk.has(remark, "looked_into") or _is_open(talk.message(remark), talk):
        return
    before = [one for one in talk.before(remark) if _asks_after_it(one, talk)]
    of_these = promised if any(talk.has(one, "not_told") for one in before) else owed
    asked, clause = talk.matters(*before), _clause(remark, talk)
    yield from (one for one in of_these if _names(asked, one, talk) or _names(clause, one, talk))
    yield from (one for one in promised if _names_enough(clause, one) and not _sends(one, talk.phrases))


def _clause(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """Return what it names where it says that it was looked at: “I looked at your membership, …”"""
    said = (one for one in clauses(remark, talk) if talk.has(one, "looked_into"))
    return talk.matters(*said)


def _names(about: frozenset[str], one: ThreadWords, talk: ThreadTalk) -> bool:
    """Tell whether all it is about is the promise's: a contract for the flat is not the cat in it. Where it
    is told with the question, what was spoken of before is something else."""
    known = one.own if has_its_question(one.thread) else one.own | one.around
    return not about.isdisjoint(known) and talk.phrases.is_nothing_but(about, known)


def _names_enough(about: frozenset[str], one: ThreadWords) -> bool:
    """“And the boiler grant, I'll check it by Monday.” – “I checked on the boiler grant: …” names two words,
    the deed among them, and one at least that led to the promise."""
    return len(about & (one.own | one.around)) >= _SURE and not about.isdisjoint(one.around)


def _sends(one: ThreadWords, phrases: Phrases) -> bool:
    """“I'll email you the contract.” is owed when the contract was looked at, too."""
    said = phrases.marked(last_said(one.thread, phrases))
    return phrases.has("sending", said) or phrases.has("in_writing", said)


def _seen(remark: Remark, sent: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Send me photos of the damage.” – “I've seen your photos.”"""
    if talk.has(remark, "looked_into") and not _is_open(talk.message(remark), talk):
        about = talk.matters(remark)
        yield from (one for one in sent if not about.isdisjoint(one.own))


def _is_to_be_sent_in(thread: EarlierThread) -> bool:
    return (thread.kind, thread.said_by) in (("request", "agent"), ("promise", "user"))


def _just_about_to_tell(
    remark: Remark, owed: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“They came in this morning, I was just about to ring you.”, where what they are was named."""
    if not talk.has(remark, "about_to_tell") or _is_open(talk.message(remark), talk):
        return
    about = talk.matters(*talk.message(remark), *talk.before(remark))
    yield from (one for one in owed if not about.isdisjoint(one.own | one.around))


def _is_told(remark: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    replies = talk.after(remark)
    about = talk.undated(remark)
    if talk.has(remark, "asked_verdict") and _is_about(about, one, talk):
        return _is_decided(replies, talk)
    is_missed = talk.has(remark, "not_told") and not about.isdisjoint(one.own)
    is_of_it = is_missed or _names(about, one, talk)
    if not (replies and is_of_it and _asks_after_it(remark, talk)) or _is_open(replies, talk):
        return False
    return _says_it_is_so(remark, replies[0], talk) or _names_the_day(one, replies[0], talk)


def _is_about(about: frozenset[str], one: ThreadWords, talk: ThreadTalk) -> bool:
    """Tell so of “What did the owner say about the dog?”, not of “What does the owner think of the mayor?”"""
    known = about & (one.own | one.around)
    return bool(known) and (len(known) >= _SURE or talk.phrases.is_nothing_but(about, known))


def _is_decided(replies: Sequence[Remark], talk: ThreadTalk) -> bool:
    """Tell so of “What did the owner say about the dog?” – “No dogs, I'm afraid.”, not of “She hasn't rung
    back.”"""
    says_no_more = all(len(one.text.split()) <= _MORE and not talk.undated(one) for one in replies)
    is_yes = bool(replies) and talk.phrases.opens("yes", replies[0].marked)
    is_open = any(talk.asks(one) or (talk.has(one, *_NOT_YET) and not is_yes) for one in replies)
    return bool(replies) and not (is_open or says_no_more)


def _asks_after_it(remark: Remark, talk: ThreadTalk) -> bool:
    """“Is it ready?”, “You never told me.”, not “Will you still ring me about it?”"""
    if talk.has(remark, "not_told"):
        return True
    may_ask = talk.asks(remark) or not remark.text.endswith((".", "!", "…"))
    return remark.said_by == "user" and may_ask and not talk.has(remark, *_ASKS_FOR_IT)


def _is_open(replies: Sequence[Remark], talk: ThreadTalk) -> bool:
    return any(talk.asks(one) or _leaves_open(one, talk) or is_denied(talk, one) for one in replies)


def _leaves_open(remark: Remark, talk: ThreadTalk) -> bool:
    """“I'll ask him tonight” does, “It's been checked, you'll get eighty pounds back” is an answer."""
    kinds = [kind for kind in _STILL_OPEN if kind != "promise" or not talk.has(remark, "repays")]
    return talk.has(remark, *kinds)


def _says_it_is_so(asked: Remark, reply: Remark, talk: ThreadTalk) -> bool:
    """Read “It is, you can collect it.”, not “Yes, on Thursday.”"""
    day = due_day(reply, talk.phrases)
    is_ahead = day is not None and day > reply.said_on
    is_yes = talk.phrases.opens("yes", reply.marked) or talk.phrases.opens("it_is", reply.marked)
    return is_yes and not (is_ahead or talk.has(asked, "not_told", "asked_when"))


def _names_the_day(one: ThreadWords, reply: Remark, talk: ThreadTalk) -> bool:
    """“When's the test due?” – “I'd have to check.” … – “It's the 15th of December.” Of what is awaited a day
    is no answer."""
    asked, is_exchange, own = talk.phrases.plain(one.thread.text).rpartition(ANSWERED)
    is_when = bool(is_exchange) and talk.phrases.has("asked_which_day", talk.phrases.marked(asked))
    says_no_more = talk.phrases.is_nothing_but(talk.undated(reply), one.own | one.around)
    says_it = is_when and any(_ends_with_a_time(clause) for clause in clauses(reply, talk))
    return says_it and bool(talk.days(reply)) and says_no_more and not talk.phrases.awaits(own)


def _ends_with_a_time(clause: Remark) -> bool:
    """“It's the 15th of December.”, not “On Monday I'll know.”"""
    last = max((found.end() for found in times_named(clause.marked)), default=0)
    return last > 0 and len(clause.text[last:].split()) < _MORE
