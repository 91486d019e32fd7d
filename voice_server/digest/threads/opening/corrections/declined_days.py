"""A day that is offered, and declined for another.

“You can collect it tomorrow.” – “I can't tomorrow. I'll come by on Thursday.” is one matter, on Thursday. So
is “I'll send the plumber tomorrow.” – “I can't tomorrow.” – “Thursday then?” – “Thursday's fine.”
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from msgspec.structs import replace

from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import days_named
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_FEW_MATTERS = 1  # of “Thursday then?” – “Thursday's fine.”
_SOON = 6  # messages
_BRIEF = 6  # words
_DECLINES: tuple[Kind, ...] = ("unplanned", "refused", "cancelled", "no")
_OTHERS: tuple[Kind, ...] = ("call_back", "enquiry", "be_told")  # done on the other day instead of it
_VISITS: tuple[Kind, ...] = ("coming", "visit", "to_fetch", "errand", "call_back")


def without_declined(talk: ThreadTalk, found: Sequence[Candidate]) -> list[Candidate]:
    """Leave out what was offered for a day that the user declined, and tell the other day with it."""
    ending: dict[int, list[Candidate]] = {}  # to compare each with each takes seconds in a long talk
    for one in found:
        ending.setdefault(one.position, []).append(one)
    declined = [
        (one, other) for one in found for other in _soon_after(one, ending) if _is_for(talk, one, other)
    ]
    offered = {id(other): one for one, other in declined}
    gone = {id(one) for one, _ in declined}
    return [_told_with(offered.get(id(one)), one) for one in found if id(one) not in gone]


def _soon_after(one: Candidate, ending: Mapping[int, Sequence[Candidate]]) -> Iterator[Candidate]:
    near = range(one.position + 1, one.position + _SOON + 1)
    return (other for position in near for other in ending.get(position, ()))


def _is_for(talk: ThreadTalk, offer: Candidate, other: Candidate) -> bool:
    """Tell whether the other day is given for that of an offer: in the reply that declines it, or in the one
    that names both."""
    days = offer.thread.due, other.thread.due
    is_same = days[0] == days[1] and not _is_at_another_hour(talk, offer, other)
    if None in days or is_same or not _is_offer(talk, offer):
        return False
    offered = talk.remarks[offer.place]
    reply = talk.after(offered)
    named = [one for one in reply if _names_its_day(talk, offered, days[0], one)]
    if not named or _takes_both(talk, reply):
        return False
    first, is_declined = talk.remarks[other.places[0]], any(talk.has(one, *_DECLINES) for one in named)
    if other.thread.said_by == "user" and other.position == named[0].position:
        return is_declined and not talk.has(talk.remarks[other.place], *_OTHERS)
    is_declined = is_declined or (_is_bare(talk, first) and any(talk.has(one, "has_on") for one in named))
    is_agreed = other.appointment and ANSWERED in other.thread.text
    return is_agreed and (first in named or (is_declined and first in talk.after(named[0])))


def _is_at_another_hour(talk: ThreadTalk, offer: Candidate, other: Candidate) -> bool:
    """“I'll ring you on Thursday morning.” – “I'm at physio then.” – “Thursday at three, then.”"""
    hours = talk.clocks(talk.remarks[other.places[0]])
    return bool(hours - talk.clocks(talk.remarks[offer.place]))


def _is_bare(talk: ThreadTalk, first: Remark) -> bool:
    """“Friday at three, then.”, not “And your massage is on Friday at three.”"""
    return not talk.undated(first) and len(first.plain.split()) <= _BRIEF


def _names_its_day(talk: ThreadTalk, offered: Remark, day: date | None, said: Remark) -> bool:
    words = [
        one.plain[slice(*found.span())] for one in (offered, said) if (found := talk.find("time", one.marked))
    ]
    return day in days_named(said, talk.phrases) or (len(words) > 1 and words[0] == words[1])


def _is_offer(talk: ThreadTalk, one: Candidate) -> bool:
    is_agents = one.thread.said_by == "agent" and one.thread.kind in ("promise", "request")
    return is_agents and talk.has(talk.remarks[one.place], *_VISITS)


def _takes_both(talk: ThreadTalk, reply: Sequence[Remark]) -> bool:
    """“Tomorrow's fine, and Thursday, too.”"""
    is_yes = talk.phrases.opens("yes", reply[0].marked)
    return is_yes or any(talk.asks(one) or talk.phrases.wants_more(one.plain) for one in reply)


def _told_with(offer: Candidate | None, one: Candidate) -> Candidate:
    if offer is None or offer.place in one.places:
        return one
    asked, is_exchange, answer = one.thread.text.partition(" – ")
    if is_exchange and (one.thread.said_by == "agent" or len(one.matters) > _FEW_MATTERS):
        return one
    told = offer.thread.text.rpartition(ANSWERED)[2]
    proposed = quoting.joined(told, asked.strip('"'))
    text = f"{proposed} – {answer}" if is_exchange else f"{told} – {asked}"
    positions = tuple(sorted({*offer.thread.positions, *one.thread.positions}))
    return replace(
        one,
        thread=replace(one.thread, text=text, positions=positions),
        places=tuple(sorted({*offer.places, *one.places})),
        matters=offer.matters | one.matters,
    )
