"""What the user was to let the agent know, said when they have made up their mind.

“I'll tell you on Friday.” … “So, we've decided, we'll take it.”, “Let us know by the fifteenth.” … “We've
talked about it, and we do want to stay.”, or named first: “About the colour, we're going for dark blue.”
"""

from collections.abc import Iterator, Sequence

from voice_server.digest.threads.closing.earlier import ThreadWords
from voice_server.digest.threads.closing.replies.found_out import topic_end
from voice_server.digest.threads.closing.replies.outcomes import is_left_open
from voice_server.digest.threads.speech.phrases import Kind, Phrases, ends_a_sentence
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, from_place

_TO_TELL: tuple[Kind, ...] = ("be_told", "answer_later", "call_back")
_MORE = 2  # words behind what is named, at least


def decided(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield what is told, some twice. Of several, a decision is of what it names."""
    owed = [one for one in threads if _is_to_be_told(one, talk.phrases)]
    said = [one for one in talk.remarks if owed and one.said_by == "user" and not _asks(one, talk)]
    for remark in said:
        yield from (one for one in owed if _is_told_by_name(remark, one, talk))
        if _is_decided(remark, talk):
            about = talk.matters(*talk.message(remark))
            named = [one for one in owed if about & (one.own | one.around)]
            yield from named or (owed if len(owed) == 1 and _names_nothing(owed[0], talk.phrases) else ())


def _asks(remark: Remark, talk: ThreadTalk) -> bool:
    """“e la garanzia alla fine non la prendo” begins like a question, where nobody punctuates."""
    is_unmarked = not ends_a_sentence(remark.text) and talk.has(remark, "decided")
    return talk.asks(remark) and not is_unmarked


def _is_to_be_told(one: ThreadWords, phrases: Phrases) -> bool:
    """Tell whether the user owes word of it: by a promise, or because the agent asks for it."""
    thread = one.thread
    asked, is_exchange, own = phrases.plain(thread.text).rpartition(ANSWERED)
    marked = phrases.marked(own)
    asks = any(phrases.has("asks_for_word", phrases.marked(part)) for part in (asked, own))
    if thread.said_by == "agent":
        wish = phrases.marked(asked)
        is_granted = thread.kind == "plan" and phrases.has("permission", wish) and _tells(wish, phrases)
        return (thread.kind == "request" and asks) or is_granted
    if is_exchange and thread.kind == "promise" and asks:
        return True
    return thread.kind in ("promise", "request") and _tells(marked, phrases) and not asks


def _tells(marked: str, phrases: Phrases) -> bool:
    return any(phrases.has(kind, marked) for kind in _TO_TELL)


def _is_decided(remark: Remark, talk: ThreadTalk) -> bool:
    """“We've decided.”, or “Have you decided?” – “Yes, we'll take it.”"""
    if talk.has(remark, "decided"):
        return not talk.is_conditional(remark)
    asked = any(talk.asks(one) and talk.has(one, "decided") for one in talk.before(remark))
    return asked and talk.phrases.opens("yes", remark.marked) and not is_left_open(remark, talk)


def _is_told_by_name(remark: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    end = topic_end(remark, one.own, talk)
    rest = from_place(remark, end) if end is not None else None
    return rest is not None and len(rest.text.split()) >= _MORE and not is_left_open(rest, talk)


def _names_nothing(one: ThreadWords, phrases: Phrases) -> bool:
    """“I'll think about it. I'll tell you on Friday.”, “I'll tell you by the end of the month.”"""
    plain = phrases.plain(one.thread.text)
    days = phrases.matters(" ".join(phrases.days(plain, phrases.marked(plain))))
    days |= phrases.numbers_in_words(plain)
    return phrases.is_nothing_but(phrases.telling(one.own), days)
