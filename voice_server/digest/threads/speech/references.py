"""What a remark refers to: the question it answers, what was said just before."""

import re

from voice_server.digest.language.manner import manner
from voice_server.digest.person_names.lexicon import is_given
from voice_server.digest.rules.courtesies import is_courtesy
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.phrases import Phrases, span_around
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_WORD = re.compile(r"[^\W_]+")
FEWEST_MATTERS = 2  # of what says what it is about
_MOST_POINTING = 4  # matters of what says "it" and names nothing that it may be
_FIRST_REPLIES, _LATEST = 5, 20  # remarks of a message that are looked at
_LOOKED_AT = 400  # characters behind a promise
_LONGEST_FAREWELL = 10  # words
_SHORTEST_QUESTION = 4  # words
_SHORTEST_ASKED = 2  # the same of one that is told with its answer


def without_names(plain: str) -> str:
    """Leave given names out of a plain text: the two greet each other by them in each call."""
    return _WORD.sub(lambda word: "" if is_given(word[0]) else word[0], plain)


def asked_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the last question of the message before: “And your mother?”, or “When?”, not “Well?”"""
    asked = [r for r in talk.before(remark) if _is_question(talk, r)]
    long_enough = [r for r in asked if _is_long_enough(talk, r)]
    return long_enough[-1] if long_enough else None


def _is_long_enough(talk: ThreadTalk, asked: Remark) -> bool:
    return len(asked.text.split()) >= _SHORTEST_ASKED or talk.has(asked, "asked_which_day")


def question(talk: ThreadTalk, remarks: tuple[Remark, ...]) -> Remark | None:
    asked = [r for r in remarks if _is_question(talk, r)]
    long_enough = [r for r in asked if len(r.text.split()) >= _SHORTEST_QUESTION and talk.matters(r)]
    return long_enough[-1] if long_enough else None


def _is_question(talk: ThreadTalk, remark: Remark) -> bool:
    is_other = talk.has(remark, "idle_question", "offer", "request") or _takes_an_offer_up(talk, remark)
    return talk.asks(remark) and not is_other


def _takes_an_offer_up(talk: ThreadTalk, remark: Remark) -> bool:
    """“Oh, would you?”"""
    return talk.has(remark, "would_you") and not talk.beside(remark, "would_you")


def is_polite(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "thanked") or is_courtesy(remark.text, manner(talk.phrases.tag))


def takes_leave(talk: ThreadTalk, remark: Remark) -> bool:
    is_short = len(remark.text.split()) <= _LONGEST_FAREWELL and len(talk.matters(remark)) < FEWEST_MATTERS
    is_farewell = is_short and talk.has(remark, "farewell")
    return is_farewell or is_courtesy(remark.text, manner(talk.phrases.tag))


def answers(talk: ThreadTalk, remark: Remark) -> bool:
    return not talk.asks(remark) and any(talk.asks(before) for before in talk.before(remark))


def own_context(talk: ThreadTalk, remark: Remark, fewest: int = FEWEST_MATTERS) -> Remark | None:
    """Return what the speaker said just before: “My neighbour has a car. I'll ask her.”"""
    before = talk.sentence_before(remark)
    if before is None or talk.asks(before) or is_polite(talk, before):
        return None
    return before if len(talk.matters(before)) >= fewest else None


def needs_context(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether a promise hardly says what about: “I'll dig it out on Monday.”"""
    near = _near_what_is_to_be_done(talk, remark)
    matters = talk.undated(near)
    if not matters or (len(matters) < FEWEST_MATTERS and not says_when(talk, near)):
        return True
    return len(matters) <= _MOST_POINTING and (points(talk, remark) or talk.has(near, "call_back"))


def finds_out(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether a promise names only where it looks, or whom it asks: “I'll look in the diary and text
    you.”, “I'll have to find out at the committee.”"""
    looks = talk.has(remark, "enquiry", "deferral", "waiting")
    return looks and len(talk.undated(remark)) <= _MOST_POINTING


def _near_what_is_to_be_done(talk: ThreadTalk, remark: Remark) -> Remark:
    found = talk.find("promise", remark.marked) or talk.find("duty", remark.marked)
    return between(remark, *span_around(remark.marked, found)) if found else remark


def points(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether the clause of what is to be done has an “it”, or what stands before a mere “promised”."""
    found = talk.find("promise", remark.marked) or talk.find("duty", remark.marked)
    clause = quoting.clause(remark.marked, found.start()) if found else remark.marked
    is_mere = found is not None and len(clause.split()) == 1
    return talk.phrases.has("pointer", remark.marked if is_mere else clause)


def offered_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the speaker's question before a mere yes: “Shall I send you some?” – “Yes please.”, or “Would
    you?” – “You'll have them on Friday.”"""
    replies = talk.before(remark)[:_FIRST_REPLIES]
    is_taken_up = bool(replies) and _takes_an_offer_up(talk, replies[0])
    if not replies or not (is_taken_up or talk.phrases.opens("yes", replies[0].marked.partition(",")[0])):
        return None
    asked = _telling_question(talk, talk.before(replies[0]))
    is_plain = is_taken_up or not talk.matters(*replies)
    is_plain = is_plain and not (asked and talk.has(asked, "proposal"))
    return asked if asked and (is_plain or talk.has(asked, "offer")) else None


def _telling_question(talk: ThreadTalk, remarks: tuple[Remark, ...]) -> Remark | None:
    latest = reversed(remarks[-_LATEST:])
    return next((r for r in latest if talk.asks(r) and (talk.matters(r) or talk.days(r))), None)


def asks_afterwards(talk: ThreadTalk, remark: Remark, start: int) -> bool:
    """Tell whether a question only follows, behind a pause: “I'll ask her, has he got a sister here?”"""
    clauses = remark.marked[start : start + _LOOKED_AT].split(",")[1:]
    return any(talk.phrases.opens("question", clause) for clause in clauses)


def telling(talk: ThreadTalk, remarks: tuple[Remark, ...]) -> Remark | None:
    """Return the remark that says most, before all one that asks for something, if only “when it's done”."""
    awaited = [r for r in remarks[-_LATEST:] if talk.asks(r) and talk.phrases.awaits(r.plain)]
    if awaited:
        return awaited[-1]
    said = [r for r in remarks[-_LATEST:] if talk.matters(r) or says_when(talk, r)]
    asking = [r for r in said if talk.has(r, "request") and talk.matters(r)]
    return max(
        asking or said,
        key=lambda r: (len(talk.matters(r)) + len(talk.phrases.times(r.plain)), -r.place),
        default=None,
    )


def says_something(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether it can be answered later, unlike “How are you?”."""
    if len(remark.text.split()) < _SHORTEST_ASKED:
        return False
    return bool(talk.matters(remark)) or not talk.has(remark, "idle_question")


def is_denied(talk: ThreadTalk, remark: Remark) -> bool:
    """“No, he was ill.”"""
    says = manner(talk.phrases.tag).yes_no.match(remark.text) is not None
    return says and not talk.phrases.opens("yes", remark.marked)


def puts_right(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether it begins to put right what was said: “Oh no, hang on.”"""
    return manner(talk.phrases.tag).corrections.match(remark.text) is not None


def is_last_word(talk: ThreadTalk, remark: Remark) -> bool:
    last = talk.remarks[-1]
    return remark.position == last.position and bool(talk.before(remark))


def says_when(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "time")


def clauses(remark: Remark, talk: ThreadTalk) -> list[Remark]:
    joints = frozenset(manner(talk.phrases.tag).joints)
    return [between(remark, start, end) for start, end in talk.phrases.clauses(remark.plain, joints)]


def what_holds(talk: ThreadTalk, remark: Remark) -> Remark:
    """Leave out what is off or did not happen, before what comes instead: “He didn't come on Sunday, he's
    coming this Saturday.”"""
    if not talk.has(remark, "time"):
        return remark
    said = clauses(remark, talk)
    off = [number for number, clause in enumerate(said) if talk.has(clause, "cancelled", "no_show")]
    if not off or off[-1] + 1 == len(said):
        return remark
    behind = said[off[-1] + 1]
    rest = from_place(remark, len(behind.text) - len(behind.text.lstrip()))
    return rest if talk.has(rest, "time") and not talk.has(rest, "cancelled", "no_show") else remark


def about_asked(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """Return what a remark is about, with what it answers."""
    asked = [before for before in talk.before(remark) if talk.asks(before)]
    return talk.matters(*asked) | names_done(remark, talk)


def names_done(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """Add what it was asked of whether it is done; to “They turned up” what was named before: “About those
    glasses.”"""
    asked = [one for one in talk.before(remark) if asks_whether_done(one, talk)]
    named = talk.sentence_before(remark) if talk.has(remark, "turned_up") else None
    if named is None or talk.asks(named) or talk.has(named, "not_done", "missed"):
        return talk.matters(remark, *asked)
    return talk.matters(remark, *asked, named)


def asks_whether_done(remark: Remark, talk: ThreadTalk) -> bool:
    """“Weren't you going to call the plumber?” asks it, too."""
    return talk.has(remark, "asked_whether_done") or (talk.asks(remark) and talk.has(remark, "reminding"))


def second_thing(phrases: Phrases, plain: str) -> frozenset[str]:
    """Return the matters of the second thing that plain words promise: of “the estimate today and the invoice
    on Monday” the invoice. Empty where there is but one."""
    marked = phrases.marked(plain)
    found = phrases.find("and_another", marked)
    if found is None:
        return frozenset()
    days = phrases.matters(" ".join(phrases.days(plain, marked)))
    first = phrases.matters(plain[: found.start()]) - days
    second = phrases.telling(phrases.matters(plain[found.start() : found.end()]) - days)
    return second if first and first.isdisjoint(second) else frozenset()
