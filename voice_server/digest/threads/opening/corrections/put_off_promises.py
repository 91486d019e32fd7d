"""A promise that its speaker keeps on another day than they first said."""

from datetime import date

from msgspec.structs import replace

from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.corrections.objections import OBJECTIONS
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_SOON = 4  # messages
_TURNS: tuple[Kind, ...] = (*OBJECTIONS, "correction", "moved")
_AWAY: tuple[Kind, ...] = (*OBJECTIONS, "has_on")


def is_put_off(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“I'll bring it on Tuesday.” – “Oh no, I can't on Tuesday, I'll bring it on Thursday.”, “I'll ring on
    Wednesday.” – “I'm off on Wednesday.” – “Thursday then.” – “Thursday's fine.”"""
    days = old.thread.due, new.thread.due
    is_another = None not in days and days[0] != days[1] and old.thread.kind == "promise"
    if not is_another or new.thread.positions[-1] - old.position > _SOON:
        return False
    if _is_asked_for_otherwise(talk, old, new):
        return True
    between = talk.remarks[old.place + 1 : new.place + 1]
    if any(talk.phrases.wants_more(one.plain) for one in between):
        return False
    own = [one for one in between if one.said_by == old.thread.said_by]
    is_away = any(_is_away(talk, one, days[0]) for one in between if one not in own)
    if new.thread.kind != "promise":
        return new.appointment and not new.matters and is_away
    turns = (one for one in own if talk.has(one, *_TURNS) and not talk.asks(one))
    is_its_own = new.thread.said_by == old.thread.said_by and (is_away or any(turns))
    return is_its_own and _is_of_it(talk, old, new)


def _is_asked_for_otherwise(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“I'll ring you this afternoon.” – “Ring me tomorrow morning.”"""
    promised, asked = talk.remarks[old.place], talk.remarks[new.places[0]]
    replies = asked.said_by != promised.said_by and asked.position == promised.position + 1
    return replies and talk.has(promised, "call_back", "next_talk") and talk.has(asked, "asks_for_word")


def _is_of_it(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“I'll ring you on Wednesday.” – “Then I'll ring on Thursday.” names nothing else."""
    said = talk.remarks[new.place]
    says_nothing_else = not (old.matters or talk.undated(said))
    is_pointed_at = talk.has(said, "pointer", "bare_promise")
    return says_nothing_else or is_pointed_at or not new.matters.isdisjoint(old.matters)


def on_its_new_day(old: Candidate, new: Candidate) -> Candidate:
    """Tell what names nothing with what was promised."""
    is_exchange = new.thread.kind != "promise" or quoting.ANSWERED in new.thread.text
    if is_exchange or not new.matters.isdisjoint(old.matters):
        return new
    text = quoting.joined(old.thread.text, new.thread.text.strip('"'))
    positions = tuple(sorted({*old.thread.positions, *new.thread.positions}))
    return replace(new, thread=replace(new.thread, text=text, positions=positions))


def _is_away(talk: ThreadTalk, remark: Remark, day: date | None) -> bool:
    """“I'm off on Wednesday.”"""
    names_it = day is not None and day.weekday() in talk.phrases.weekdays(remark.plain)
    return names_it and talk.has(remark, *_AWAY) and not talk.asks(remark)
