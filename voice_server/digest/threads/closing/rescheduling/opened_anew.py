"""Earlier threads that a later conversation opens anew: said again, wanted by another day, done afresh."""

from collections.abc import Iterator, Sequence

from voice_server.digest.dates.dates import undated
from voice_server.digest.threads.closing.earlier import (
    ThreadWords,
    have_a_part,
    is_agents_promise,
    is_promised_call,
    is_sent,
    is_users_promise,
    promised_matters,
)
from voice_server.digest.threads.closing.rescheduling.calling_off import is_a_reminder, is_users_own
from voice_server.digest.threads.speech.phrases import Kind, Phrases
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import about_asked
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between
from voice_server.domain.digest import OpenThread

_SAME = 0.5
_BY_ANOTHER_DAY: tuple[Kind, ...] = ("by_now", "sooner", "other_time", "correction")


def is_opened_anew(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    ways = (
        _says_anew,
        _is_promised_again,
        _is_done_afresh,
        _is_wanted_by_another_day,
        _is_on_another_day,
        _is_taken_up_again,
        _is_sent_back,
        _is_fetched_later,
    )
    return any(is_anew(one, new, talk) for is_anew in ways)


def _says_anew(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    phrases = talk.phrases
    if new.kind == "question" and one.thread.kind != "question":
        return False
    if one.thread.kind == "plan" and is_a_reminder(new, phrases) and not is_a_reminder(one.thread, phrases):
        return False  # “Can you remind me of the cut on Tuesday morning?”
    plain = phrases.plain(new.text)
    words, before = phrases.matters(plain) | phrases.times(plain), one.own | one.times
    shared = phrases.matters(plain) & one.own
    return bool(shared) and len(words & before) / len(words | before) >= _SAME


def _is_promised_again(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“I still haven't had the receipt.” – “I'll email it to you today.” takes the place of the first
    promise."""
    if not (is_agents_promise(one.thread) and new.kind == "promise" and new.said_by == "agent"):
        return False
    said = [
        r
        for r in talk.remarks
        if r.said_by == "user" and r.position in {*new.positions, new.positions[0] - 1}
    ]
    missed = [remark for remark in said if talk.has(remark, "not_done", "missed")]
    if not talk.matters(*missed).isdisjoint(one.own):
        return True
    asked = frozenset[str]().union(*(about_asked(remark, talk) for remark in missed))
    return not asked.isdisjoint(one.own) and _is_of(one, new, talk.matters(*said), talk.phrases)


def _is_wanted_by_another_day(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“You'll have the certificate on the 10th.” … “I need the certificate by the 3rd now.”"""
    is_wished = is_agents_promise(one.thread) and (new.kind, new.said_by) == ("request", "user")
    days = one.thread.due, new.due
    if not is_wished or None in days or days[0] == days[1]:
        return False
    wishes = (r for r in talk.remarks if r.said_by == "user" and r.position in new.positions)
    return any(
        talk.has(wish, *_BY_ANOTHER_DAY) and talk.phrases.telling(talk.matters(wish) & one.own)
        for wish in wishes
        if not talk.has(wish, "reminds")
    )


def _is_on_another_day(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“We've got the school play on Friday.” … “I got it wrong, the play's on Thursday.”, “She's coming on
    Saturday after all.”, not “… too”, nor “The next play is on Thursday.”"""
    if not is_users_own(one.thread) or (new.kind, new.said_by) != ("plan", "user"):
        return False
    known, told = one.thread.due, new.due
    if known is None or told is None or known < talk.remarks[0].said_on:
        return False
    if known.weekday() == told.weekday():  # said again
        return False
    said = [
        remark for remark in talk.remarks if remark.said_by == "user" and remark.position in new.positions
    ]
    return any(_puts_its_day_right(remark, one, talk) for remark in said)


def _puts_its_day_right(told: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    if not talk.has(told, "after_all", "mistaken", "moved") or talk.phrases.wants_more(told.plain):
        return False
    found = talk.find("is_on", told.marked)
    if found is None and not talk.has(told, "visits", "comes_later", "moved"):
        return False
    said = between(told, *found.span()) if found is not None else told
    about = talk.undated(said) & talk.beside(said, "after_all")
    return bool(about) and all(word in one.own or _is_part_of(word, one.own, talk) for word in about)


def _is_part_of(word: str, own: frozenset[str], talk: ThreadTalk) -> bool:
    """“Aufführung” is of a “Schulaufführung”, not “Augenarzt” of an “Arzt”."""
    compounds = talk.phrases.file.compounds
    longer = frozenset(one for one in own if len(one) > len(word))
    return compounds and have_a_part(frozenset((word,)), longer)


def _is_done_afresh(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“It's Tenerife now.” – “I'll redo the quote.” takes the place of “I'll put a quote together”."""
    is_agents = is_agents_promise(one.thread) and (new.kind, new.said_by) == ("promise", "agent")
    plain = talk.phrases.plain(new.text) if is_agents else ""
    is_afresh = talk.phrases.has("afresh", talk.phrases.marked(plain.rpartition(ANSWERED)[2]))
    return is_afresh and bool(talk.phrases.telling(talk.phrases.matters(plain) & one.own))


def dated_instead(
    threads: Sequence[ThreadWords], opened: Sequence[OpenThread], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“You never rang, is it ready?” – “It'll be ready tomorrow.” takes the place of the call that was
    due last."""
    overdue = [one for one in threads if _is_a_call_overdue(one, talk)]
    latest = max((one.thread.due for one in overdue if one.thread.due), default=None)
    calls = [one for one in overdue if one.thread.due == latest]
    missed = {r.position for r in talk.remarks if r.said_by == "user" and talk.has(r, "not_told")}
    told = (one for one in opened if one.kind == "promise" and one.said_by == "agent" and one.due is not None)
    if len(calls) == 1 and any(
        not missed.isdisjoint({*one.positions, one.positions[-1] - 1}) for one in told
    ):
        yield calls[0]


def _is_a_call_overdue(one: ThreadWords, talk: ThreadTalk) -> bool:
    due = one.thread.due
    is_over = due is not None and due <= talk.remarks[0].said_on
    return is_over and is_promised_call(one.thread, talk.phrases)


def _is_taken_up_again(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“And the vaccination book?” – “I forgot, I'll bring it on Wednesday.” takes the place of the first
    promise, if nothing else is asked for."""
    is_users = is_users_promise(one.thread) and new.kind == "promise" and new.said_by == "user"
    asked, is_exchange, answer = talk.phrases.plain(new.text).rpartition(ANSWERED)
    if not (is_users and is_exchange):
        return False
    about, promised = talk.phrases.matters(asked), promised_matters(answer, talk.phrases)
    points = talk.phrases.has("pointer", talk.phrases.marked(answer))
    if promised is None or not points or about.isdisjoint(one.own):
        return False
    return talk.phrases.is_nothing_but(about | promised, one.own | one.around)


def _is_sent_back(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“I'll email you the form.” … “I haven't had the form back yet.” – “I'll bring it on Monday.”: who can
    bring it has it."""
    asked, is_exchange, answer = talk.phrases.plain(undated(new.text)).rpartition(ANSWERED)
    if not (
        is_exchange and new.said_by == "user" and new.kind == "promise" and is_sent(one.thread, talk.phrases)
    ):
        return False
    has, marked = talk.phrases.has, talk.phrases.marked(asked)
    is_missed = has("not_done", marked) or has("missed", marked)
    points = has("pointer", talk.phrases.marked(answer))
    return is_missed and points and not talk.phrases.matters(asked).isdisjoint(one.own)


def _is_fetched_later(one: ThreadWords, new: OpenThread, talk: ThreadTalk) -> bool:
    """“You'll have it on Friday.” … on Friday: “I'll come and collect it tomorrow.”"""
    phrases, due = talk.phrases, one.thread.due
    is_users = new.said_by == "user" and new.kind in ("promise", "plan")
    if not (is_users and is_agents_promise(one.thread)) or due is None or new.due is None:
        return False
    plain, known = phrases.plain(new.text), phrases.plain(undated(one.thread.text))
    days = phrases.matters(" ".join(phrases.days(known, phrases.marked(known))))
    is_later = due <= talk.remarks[0].said_on < new.due
    return (
        is_later
        and phrases.has("to_fetch", phrases.marked(plain))
        and one.own - days <= phrases.matters(plain)
    )


def _is_of(one: ThreadWords, new: OpenThread, said: frozenset[str], phrases: Phrases) -> bool:
    """Tell whether a promise names what another one did, or points at it, and at nothing that was said
    besides: “I'll send it again.”"""
    plain = phrases.plain(new.text)
    marked, matters = phrases.marked(plain), phrases.matters(plain)
    points = phrases.has("pointer", marked) and not phrases.has("call_back", marked)
    return not matters.isdisjoint(one.own) or (points and matters.isdisjoint(said))
