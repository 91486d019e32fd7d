"""What an appointment is for, where its own words name no more than a time.

“I'd like to bring the puppy to be chipped.” – “Thursday at eleven?” – “Half past.” is told with the puppy.
"""

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from voice_server.digest.dates.dates import spoken_dates, undated
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.phrases import Kind, has_hour, times_named
from voice_server.digest.threads.speech.references import is_denied, is_polite
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between
from voice_server.domain.digest import OpenThread

_SAYS_WHAT_FOR: tuple[Kind, ...] = ("wants_a_visit", "reserved", "topic", "has_booked")
_SAYS_WHEN: tuple[Kind, ...] = ("cancelled", "preferred", "correction")  # or when not
_REFUSES: tuple[Kind, ...] = ("refusal", "refused", "unable", "doubt", "deferral")
_MOST_WORDS = 18
_FEW_MATTERS = 1  # of “Half past eight, I've put you down.”
_OF_A_PROMISE = 2  # matters of “I'm back on the ninth, I'll send it then.”
_FEWEST_WORDS = 3  # of what tells a purpose


def with_purpose(
    talk: ThreadTalk, thread: OpenThread, names: frozenset[str], told: Collection[int]
) -> OpenThread:
    """Tell an appointment, or the user's promise of “it”, with what they said before that it is for, and an
    offer of “one” with what was asked for. `names` are the stems of those by which the two are known, `told`
    the positions of what is told already."""
    if thread.kind == "request":
        return _with_what_was_asked_for(talk, thread)
    own = _matters(talk, undated(thread.text)) - names
    if len(own) > (_OF_A_PROMISE if thread.kind == "promise" else _FEW_MATTERS):
        return thread
    said = ((one, talk.phrases.telling(_matters(talk, one.text)) - names) for one in _purposes(talk, thread))
    found = next((one for one, matters in said if matters and own.isdisjoint(matters)), None)
    if found is None or found.position in told:
        return thread
    return led_by(thread, found)


def _with_what_was_asked_for(talk: ThreadTalk, thread: OpenThread) -> OpenThread:
    """“Can I have the new router?” – “I can send you one.” – “Great.”"""
    offer, _, taken = thread.text.partition(quoting.ANSWERED)
    offered = talk.phrases.marked(talk.phrases.plain(offer))
    before = [one for one in talk.remarks if one.position == thread.positions[0] - 1]
    asked = [one for one in before if talk.asks(one) and one.said_by == "user"]
    is_of_one = bool(taken) and thread.said_by == "user" and talk.phrases.has("pointer", offered)
    is_refused = any(talk.has(one, *_REFUSES) for one in talk.remarks if one.position == thread.positions[0])
    if not is_of_one or is_refused or not asked or not talk.phrases.telling(talk.matters(asked[-1])):
        return thread
    if not talk.matters(asked[-1]).isdisjoint(_matters(talk, thread.text)):
        return thread
    return led_by(thread, asked[-1])


def led_by(thread: OpenThread, remark: Remark) -> OpenThread:
    """Tell a thread with what the user said before it."""
    text = _behind(quoting.shortened(remark.text.strip(), _MOST_WORDS), thread)
    return replace(thread, text=text, positions=(remark.position, *thread.positions))


def _behind(said: str, thread: OpenThread) -> str:
    """Quote what the user said before, then the thread; in one where its first words are the user's, too."""
    parts = thread.text.count(quoting.ANSWERED)
    is_users = (thread.said_by == "user") == (parts % 2 == 0)  # the first words
    if not is_users:
        return f"{quoting.together(said)} – {thread.text}"
    first, dash, rest = thread.text.partition(quoting.ANSWERED)
    return quoting.together(said, "…", first.strip('"')) + (dash[1:] + rest if dash else "")


def _purposes(talk: ThreadTalk, thread: OpenThread) -> Iterator[Remark]:
    """Yield what may be it, of the last turn before that answers no question: “I'm ringing for the flu jab.”
    – “How old are you?” – “Seventy.” – “Wednesday at two?”"""
    before = [one for one in talk.remarks if one.said_by == "user" and one.position < thread.positions[0]]
    unasked = [one.position for one in before if not _answers(talk, one)]
    last = [one for one in before if one.position == max(unasked, default=-1)]
    if any(talk.has(one, *_SAYS_WHEN) or _says_no(talk, one) for one in last):
        return
    # “Your estimate came, thank you.”, “He's got football on Tuesdays now.”
    news = [one for one in last if _tells_news(talk, one)]
    told = [said for one in last if one not in news and (said := until_a_time(talk, one)) is not None]
    # “Could we move Saturday” is cut before it says what to.
    told = [one for one in told if not talk.has(talk.remarks[one.place], "moved")]
    yield from (one for one in reversed(told) if talk.has(one, *_SAYS_WHAT_FOR))
    yield from sorted(told, key=lambda one: -len(talk.matters(one)))


def _says_no(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.phrases.opens("no", remark.marked) or is_denied(talk, remark)


def _tells_news(talk: ThreadTalk, remark: Remark) -> bool:
    is_over = talk.says_done(remark) or talk.has(remark, "no_show", "nobody_came")
    return is_over or talk.phrases.is_recurring(remark.plain)


def _answers(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether it may answer a question, or a time that is offered; “How can I help?” is asked of
    everybody."""
    replied = talk.before(remark)
    is_greeted = bool(replied) and replied[0].position == talk.remarks[0].position
    offers = (one for one in replied if has_hour(one.marked))
    is_asked = any(map(talk.asks, replied)) or any(talk.has(one, "proposal", "slot") for one in offers)
    return is_asked and not is_greeted


def until_a_time(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return what stands before the first time named, without the words that lead to it: “I have the table
    for Friday”; all, where the days are over: “I picked my glasses up last week and they pinch.”"""
    days = spoken_dates(remark.text, remark.said_on, talk.phrases.tag)
    if days and all(day.last < remark.said_on for day in days):
        return None if is_polite(talk, remark) else remark
    starts = [time.start() for time in times_named(remark.marked)]
    starts += [day.start for day in days]
    said = between(remark, 0, min(starts)) if starts else remark
    words = said.text.split()
    while starts and words and not talk.phrases.matters(talk.phrases.plain(words[-1])):
        words.pop()
    if len(words) < _FEWEST_WORDS or is_polite(talk, said):
        return None
    end = said.text.rindex(words[-1]) + len(words[-1])
    if talk.has(between(said, end, len(said.text)), "pointer"):
        end = said.text.rfind(",", 0, end)  # “Her paw is sore, can we leave it till Friday?”
    return between(said, 0, end) if end > 0 else None


def _matters(talk: ThreadTalk, text: str) -> frozenset[str]:
    plain = talk.phrases.plain(text)
    beside = talk.phrases.besides_days(talk.phrases.besides_more(plain), talk.phrases.marked(plain))
    return talk.phrases.matters(beside) - talk.phrases.numbers_in_words(plain)
