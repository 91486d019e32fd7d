"""Earlier agreements to speak again: the talk of that day is what was agreed on.

“Shall we talk again on Friday?” – “Yes.” is over with Friday's “Good morning, how were the three days?”.
Where the agent takes a call (“how can I help?”), the user rings about something of their own.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from voice_server.digest.dates.dates import tells_of_the_past
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.person_names.lexicon import lexicon
from voice_server.digest.threads.closing.earlier import ThreadWords, is_agents_promise
from voice_server.digest.threads.speech.phrases import Kind, Phrases, has_hour
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import EarlierThread

_LATELY = timedelta(weeks=1)
_OPENING = 2  # messages behind the first, in which the agent may ask how to help
_BRINGS: tuple[Kind, ...] = ("brings_along", "in_writing", "be_told", "sending")
_NOT_NOW: tuple[Kind, ...] = ("next_time", "asked_whether_done", "asked_whether_did", "asked_how_it_was")
_FEW_MATTERS = 1  # of “Eighteen hours, it's noted.”


def next_talks(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    if _is_agents_call(talk):
        said_on = talk.remarks[0].said_on
        yield from (one for one in threads if _is_due(one.thread, said_on) and _is_to_talk(one, talk.phrases))


def taken_up_now(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“We'll look at the photos next time.” is over once the agent asks to: “Shall we look at the photos?”,
    not “Did you find the photos?”; what is brought or sent is not done so."""
    for one in threads:
        is_offered = one.thread.kind == "request" and ANSWERED in one.thread.text and not one.put_off
        is_put_off = (is_agents_promise(one.thread) or is_offered) and one.thread.due is None
        plain = talk.phrases.plain(one.thread.text) if is_put_off else ""
        marked = talk.phrases.marked(plain)
        is_thing = any(talk.phrases.has(kind, marked) for kind in _BRINGS)
        if is_thing or not talk.phrases.has("next_time", marked):
            continue
        about = talk.phrases.telling(one.own)
        if any(talk.matters(remark) & about for remark in _asking_to(talk)):
            yield one


def asked_as_promised(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“My grandson has his exam on Monday.” – “I'll ask you next time how it went.” is over with “How did the
    exam go?”"""
    phrases = talk.phrases
    asked = [one for one in talk.remarks if one.said_by == "agent" and talk.has(one, "asked_how_it_was")]
    about = talk.matters(*(one for one in asked if talk.asks(one)))
    for one in threads:
        is_agents = one.thread.said_by == "agent" and one.thread.due is None
        marked = phrases.marked(phrases.plain(one.thread.text)) if is_agents and about else ""
        if phrases.has("next_time", marked) and about & (one.own | one.around):
            yield one


def _asking_to(talk: ThreadTalk) -> Iterator[Remark]:
    for remark in talk.remarks:
        is_asked = remark.said_by == "agent" and talk.asks(remark) and not talk.has(remark, *_NOT_NOW)
        is_past = is_asked and tells_of_the_past(remark.text, talk.phrases.tag)
        replies = talk.after(remark)[:1] if is_asked and not is_past else ()
        if any(not talk.phrases.opens("no", reply.marked) for reply in replies):
            yield remark


def _is_agents_call(talk: ThreadTalk) -> bool:
    """Tell whether the agent begins with what it asks, or says who rings: “Hi, it's Pace. How's the calf?”,
    “Hello, it's the vet's.” – “Hello.”"""
    first = talk.message(talk.remarks[0])
    known = lexicon(talk.phrases.tag)
    opening = [one for one in talk.remarks if one.position - first[0].position <= _OPENING]
    own = (one.text.lower() for one in opening if one.said_by == "agent")
    helps = known is not None and any(known.at_a_desk.search(text) for text in own)
    asks = any(talk.asks(one) or talk.has(one, "called_as_promised", "idle_question") for one in first)
    return first[0].said_by == "agent" and (asks or _is_only_greeted(talk)) and not helps


def _is_only_greeted(talk: ThreadTalk) -> bool:
    replies = [" ".join(words(one.text)) for one in talk.after(talk.remarks[0])]
    greetings = manner(talk.phrases.tag).greetings
    return bool(replies) and all(greetings.fullmatch(reply) is not None for reply in replies)


def _is_due(thread: EarlierThread, said_on: date) -> bool:
    return thread.due is not None and timedelta() <= said_on - thread.due <= _LATELY


def _is_to_talk(one: ThreadWords, phrases: Phrases) -> bool:
    """Tell whether nothing else was agreed on: not “I'll call you on Friday about the bill”. Of “At six?” –
    “Six, noted.” it is told beside it."""
    asked, _, answer = phrases.plain(one.thread.text).partition(ANSWERED)
    if _says_so(asked, phrases):
        return _is_nothing_else(asked, phrases)
    if answer and _says_so(answer, phrases):
        return _is_nothing_else(asked, phrases) and _is_nothing_else(answer, phrases)
    is_hour = has_hour(phrases.marked(asked)) and len(phrases.matters(asked)) <= _FEW_MATTERS
    return is_hour and _says_so(phrases.plain(one.thread.around), phrases)


def _says_so(plain: str, phrases: Phrases) -> bool:
    return phrases.has("next_talk", phrases.marked(plain))


def _is_nothing_else(plain: str, phrases: Phrases) -> bool:
    beside = phrases.plain_besides("next_talk", plain, phrases.marked(plain))
    return phrases.is_nothing_but(phrases.matters(beside), frozenset())
