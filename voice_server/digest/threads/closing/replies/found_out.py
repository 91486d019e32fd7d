"""What the agent was to find out, told by itself when it next speaks of it.

“When's the open day?” – “I'll find out.” … “The open day is on Saturday the 5th.”; or named first, where
fewer words are enough: “About the videos, yes, twice a week.” So is what others decided. What is put off
once more is still open.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from voice_server.digest.threads.closing.earlier import ThreadWords, is_agents_promise, last_said
from voice_server.digest.threads.closing.replies.answers import is_to_be_asked, owes_word
from voice_server.digest.threads.speech.phrases import Kind, Phrases, times_named
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, from_place

_WORD = re.compile(r"[^\W_]+")
_ENOUGH = 2  # words of a question beside which an answer may have others
_NAMED = 4  # words behind “about” that name what is gone on with
_TOLD = 2  # words that say something of it
_COMPOUNDED = 4  # letters, at least, before or behind a part of a compound
_ALIKE = 4  # letters of that part
_STILL_OPEN: tuple[Kind, ...] = (
    "deferral", "enquiry", "call_back", "be_told", "waiting", "not_done", "missed", "doubt", "nearly",
)  # fmt: skip
_TO_BE_DONE: tuple[Kind, ...] = ("errand", "request", "offer")
_ASKED: tuple[Kind, ...] = ("asked_which_day", "asked_detail")
_TO_DO: tuple[Kind, ...] = ("promise", "bare_promise")


def found_out(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield what is told, some twice."""
    owed = [(one, asked) for one in threads if (asked := _asked(one, talk.phrases))]
    for remark in (one for one in talk.remarks if one.said_by == "agent" and not talk.asks(one)):
        for one, asked in owed:
            beside = talk.phrases.is_nothing_but(talk.undated(remark), asked)
            is_owed = one.thread.kind == "promise" or beside
            if (is_owed and _is_told_of(remark, asked, talk)) or _is_told(remark, asked, talk):
                yield one
        if talk.has(remark, "verdict") and not _is_open(_beside_the_verdict(remark, talk), talk):
            yield from (one for one in threads if _is_decided(remark, one, talk))


def _is_decided(remark: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    """“I'd have to ask the committee.” … “The committee says yes to the hens.” Whom it was to ask decides
    more than that, unless the user asks after them: “What did they say?” – “They're fine with it.”"""
    thread, known = one.thread, one.own | one.around
    asks_after = [r for r in talk.before(remark) if _asks_after(r, talk)]
    if asks_after and owes_word(thread, talk.phrases) and talk.matters(*asks_after) & known:
        return is_agents_promise(thread)
    if is_agents_promise(thread) and owes_word(thread, talk.phrases):
        known -= talk.phrases.matters(last_said(thread, talk.phrases))
    elif is_to_be_asked(thread, talk.phrases):
        known -= talk.phrases.matters(talk.phrases.plain(thread.text))
    elif thread.kind != "question":
        return False
    return bool(talk.phrases.telling(talk.undated(remark) & known))


def _asked(one: ThreadWords, phrases: Phrases) -> frozenset[str]:
    """Return what a question is about of which word is promised, or that nobody has answered."""
    if (one.thread.kind, one.thread.said_by) == ("question", "user"):
        return one.own
    asked, is_exchange, _ = phrases.plain(one.thread.text).rpartition(ANSWERED)
    if not (is_exchange and is_agents_promise(one.thread)):
        return frozenset()
    marked = phrases.marked(asked)
    if any(phrases.has(kind, marked) for kind in _TO_BE_DONE):
        return _to_be_looked_up(asked, phrases)
    ends = asked.rstrip('" ').endswith((".", "!", "…")) and not phrases.has("wonders", marked)
    return frozenset() if ends or not owes_word(one.thread, phrases) else phrases.matters(asked)


def _asks_after(remark: Remark, talk: ThreadTalk) -> bool:
    """Tell so of “What did the landlord say?”, “any word from the landlord”."""
    return talk.asks(remark) or not remark.text.endswith((".", "!", "…"))


def _beside_the_verdict(remark: Remark, talk: ThreadTalk) -> Remark:
    """“They don't allow it” is a verdict, “they haven't agreed to it” none."""
    return replace(remark, marked=talk.phrases.besides("verdict", remark.marked))


def _to_be_looked_up(asked: str, phrases: Phrases) -> frozenset[str]:
    """Return what “Could you find out when the bus runs?” asks to be told, and nothing of what is to be
    done."""
    marked = phrases.marked(asked)
    found = (phrases.find(kind, marked) for kind in _ASKED)
    return phrases.matters(next((asked[one.start() :] for one in found if one), ""))


def _is_told_of(remark: Remark, asked: frozenset[str], talk: ThreadTalk) -> bool:
    """“And about the videos, …”: what is said behind it is of it."""
    end = topic_end(remark, asked, talk)
    if end is None:
        return False
    rest = from_place(remark, end)
    behind = [one for one in talk.message(remark) if one.place > remark.place and not talk.asks(one)]
    said = [rest, *behind] if len(rest.text.split()) >= _TOLD else behind
    tells = any(talk.has(one, "yes", "no") or _tells_a_value(one, talk) for one in said)
    return tells and not any(_is_open(one, talk) for one in said)


def topic_end(remark: Remark, asked: frozenset[str], talk: ThreadTalk) -> int | None:
    """Return where a remark has named what was asked, if it begins with that."""
    found = talk.find("topic", remark.marked)
    if found is None or not talk.phrases.adding.issuperset(remark.plain[: found.start()].split()):
        return None
    named = islice(_WORD.finditer(remark.plain, found.end()), _NAMED)
    ends = (word.end() for word in named if any(_is_of(one, asked, talk) for one in _matters(word, talk)))
    return next(ends, None)


def _matters(word: re.Match[str], talk: ThreadTalk) -> frozenset[str]:
    return talk.phrases.matters(word[0])


def _is_told(remark: Remark, asked: frozenset[str], talk: ThreadTalk) -> bool:
    """Tell whether it says of all that was asked a time, a sum or a yes: of one word, and of nothing else."""
    about = talk.undated(remark) - talk.phrases.numbers_in_words(remark.plain)
    named = talk.phrases.telling(asked)
    is_it = bool(named) and named <= about and (len(named) >= _ENOUGH or about <= asked)
    return is_it and _tells_a_value(remark, talk) and not _is_open(remark, talk)


def _tells_a_value(remark: Remark, talk: ThreadTalk) -> bool:
    says_so = talk.phrases.opens("yes", remark.marked) or talk.has(remark, "sum")
    return says_so or any(True for _ in times_named(remark.marked))


def _is_open(remark: Remark, talk: ThreadTalk) -> bool:
    is_promised = talk.has(remark, *_TO_DO) and not talk.has(remark, "yes")  # “Das machen wir gern.”
    return is_promised or talk.has(remark, *_STILL_OPEN)


def _is_of(word: str, asked: frozenset[str], talk: ThreadTalk) -> bool:
    """“Wegen der Prüfung: …” answers what was asked of “Prüfungstermine”."""
    is_part = talk.phrases.file.compounds and len(word) >= _ALIKE
    longer = (long for long in asked if is_part and len(long) - len(word) >= _COMPOUNDED)
    return word in asked or any(long.startswith(word) or long.endswith(word) for long in longer)
