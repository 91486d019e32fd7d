"""The threads that earlier conversations left open, as a later one is read for what it says of them."""

import re
from datetime import date
from itertools import product

from msgspec import Struct

from voice_server.digest.dates.dates import undated
from voice_server.digest.person_names.lexicon import is_given
from voice_server.digest.threads.speech.phrases import Kind, Phrases
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import without_names
from voice_server.domain.digest import EarlierThread

_WORD = re.compile(r"[^\W_]+")
_RINGS: tuple[Kind, ...] = ("call_back", "rings_then", "next_talk")
OF_OTHERS: tuple[Kind, ...] = ("call_back", "enquiry", "deferral")
_SENDING: tuple[Kind, ...] = ("sending", "in_writing", "be_told")
_VERB_AND_THING = 2  # matters of “I'll look the certificate up”
_PART = 4  # letters, at least, of a part of a compound
_ENDING = 3  # letters of “-ung”, “-en”
_VERB = 2  # words of “I'll bring”, “la llevo”, “eu levo”


class ThreadWords(Struct, frozen=True):
    """A thread with the stems of its own words, the days it names, and the stems of what it was an answer to.
    `put_off`: those of a question whose answer the user put off."""

    thread: EarlierThread
    own: frozenset[str]
    times: frozenset[str]
    around: frozenset[str]
    put_off: frozenset[str]

    def is_due_after(self, day: date) -> bool:
        return self.thread.due is not None and self.thread.due > day


def thread_words(thread: EarlierThread, phrases: Phrases, names: frozenset[str] = frozenset()) -> ThreadWords:
    """`names`: the stems of those by which the two are known. “It's Philip Ashdown, my card is gone” is about
    a card, and each later call begins with the name."""
    plain = phrases.plain(undated(thread.text))
    around = phrases.matters(without_names(phrases.plain(thread.around)))
    is_put_off = thread.said_by == "user" and phrases.has("answer_later", phrases.marked(plain))
    put_off = phrases.matters(plain.partition(ANSWERED)[0]) if is_put_off else frozenset()
    own = phrases.matters(plain)
    sent = _what_is_sent(thread, phrases)
    own, around = (own, around) if sent is None else (sent, around | own - sent)
    return ThreadWords(thread, own - names, phrases.times(plain), around - names, put_off)


def _what_is_sent(thread: EarlierThread, phrases: Phrases) -> frozenset[str] | None:
    """Return the stems of what is sent, where it is named beside a question that only led to it: “Is the
    boiler under warranty?” – “I'll look the certificate up and email it.”; None elsewhere."""
    said = last_said(thread, phrases)
    marked = phrases.marked(said)
    is_one = is_sent(thread, phrases) and ANSWERED in thread.text
    if not is_one or not phrases.has("sending", marked):
        return None
    besides = said
    for kind in _SENDING:  # “I'll email it within the day.” names no thing
        besides = phrases.plain_besides(kind, besides, marked)
    named = phrases.besides_deeds(phrases.telling(phrases.matters(besides)))
    return phrases.matters(said) if len(named) >= _VERB_AND_THING else None


def last_said(thread: EarlierThread, phrases: Phrases) -> str:
    """Return a thread's own words, plain, without what they answer."""
    return phrases.plain(undated(thread.text)).rpartition(ANSWERED)[2]


def promised_matters(said: str, phrases: Phrases) -> frozenset[str] | None:
    """Return the stems of what plain words promise beside its verb: none of “I'll bring it on Friday”. None
    where they promise nothing."""
    found = phrases.find("promise", phrases.marked(said))
    return phrases.matters(" ".join(said[found.start() :].split()[_VERB:])) if found else None


def given_names(plain: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(plain) if is_given(word))


def is_agents_promise(thread: EarlierThread) -> bool:
    return thread.kind == "promise" and thread.said_by == "agent"


def is_promised_call(thread: EarlierThread, phrases: Phrases) -> bool:
    marked = phrases.marked(last_said(thread, phrases))
    return is_agents_promise(thread) and any(phrases.has(kind, marked) for kind in _RINGS)


def is_sent(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell whether something is sent; to ask or call somebody sends nothing."""
    said = phrases.marked(phrases.plain(undated(thread.text)))
    return is_agents_promise(thread) and not any(phrases.has(kind, said) for kind in OF_OTHERS)


def has_its_question(thread: EarlierThread) -> bool:
    """Tell whether it is told with what was asked: “Is the dog allowed?” – “I'll ask.”"""
    return f"?{ANSWERED}" in thread.text


def is_users_promise(thread: EarlierThread) -> bool:
    return thread.kind == "promise" and thread.said_by == "user"


def have_a_part(about: frozenset[str], own: frozenset[str]) -> bool:
    """“Wie war der Skatabend?” is of “Wir spielen Skat”, and “Wie war die Probe?” of a “Chorprobe”, not “Wie
    war der Urlaub?” of the “Urlaubsantrag”."""
    pairs = [*product(about, own)]
    begins = any(len(one) >= _PART and asked.startswith(one) for asked, one in pairs)
    ends = (sorted(pair, key=len) for pair in pairs)
    return begins or any(_ends_with(long, part) for part, long in ends)


def _ends_with(long: str, part: str) -> bool:
    """“grippeimpf” ends with “impfung”: what is put together may lose its ending as a stem."""
    shortest = max(_PART, len(part) - _ENDING)
    return any(long.endswith(part[:length]) for length in range(shortest, len(part) + 1))
