"""What a later conversation calls off or moves of earlier threads.

A remark names what is off by a word, by its day, or not at all where one alone can be meant. What stays in
the same breath (“the haircut stays”), what is refused (“Tuesday's full”) and what is taken back (“it works
after all”) is not off.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from voice_server.digest.dates.dates import names_a_bound, undated
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.threads.closing.earlier import (
    ThreadWords,
    given_names,
    have_a_part,
    is_agents_promise,
    last_said,
)
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import days_named, due_day, weeks_named, whole_day
from voice_server.digest.threads.speech.phrases import Kind, Phrases, folded, has_hour, names_a_time
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import (
    about_asked,
    clauses,
    is_denied,
    puts_right,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place, without
from voice_server.domain.digest import EarlierThread, OpenThread

_JUST_BEFORE = 4  # remarks
_MOVES: tuple[Kind, ...] = ("moved", "correction")
_SEVERAL = 2
_SURE = 2  # words in common with a thread and what led to it
_OF_A_YES = 1  # matters of “De acuerdo, la anulo”
_LONGEST_TOPIC = 8  # words of “and the parking space, on second thoughts we”
_LATELY = 3  # remarks before “Sam will see you instead.”
_LONGEST_VERB = 2  # words of “streiche ihn”; more of a phrase name what is off


def called_off(
    threads: Sequence[ThreadWords], talk: ThreadTalk, opened: Sequence[OpenThread]
) -> frozenset[int]:
    off: dict[int, ThreadWords] = {}
    by_user = set[int]()  # positions of what calls something off
    for remark in talk.remarks:
        if not _only_grants(remark, by_user, talk):
            meant = [*_off(remark, threads, talk, opened)]
            off |= {one.thread.id: one for one in meant}
            if meant and remark.said_by == "user":
                by_user.add(remark.position)
        off |= {one.thread.id: one for one in _moved_away_from(remark, threads, talk, opened)}
        for one in (
            *_staying(remark, threads, off, talk),
            *_coming_anyway(remark, off, by_user, talk, opened),
            *_of_another(remark, threads, talk, opened),
            *_with_a_stand_in(remark, threads, talk, opened),
        ):
            off.pop(one.thread.id, None)
    return frozenset(off)


def _only_grants(remark: Remark, by_user: Collection[int], talk: ThreadTalk) -> bool:
    """“I can't make Tuesday, I've got the dentist then.” – “I've cancelled it.” means what was just called
    off, not the dentist."""
    if remark.said_by == "user" or talk.days(remark) or talk.beside(remark, "cancelled"):
        return False
    if talk.has(remark, "cancelled_all"):
        return False
    return any(one.position in by_user for one in talk.before(remark))


def is_series(thread: EarlierThread | OpenThread, phrases: Phrases) -> bool:
    return thread.due is None and phrases.is_recurring(phrases.plain(thread.text))


def fell_through(
    threads: Sequence[ThreadWords], talk: ThreadTalk, opened: Sequence[OpenThread]
) -> Iterator[ThreadWords]:
    """“Alan didn't come on Sunday.” ends the user's own plan; what both agreed on, and whom the agent
    promised to send, only where something comes instead: until then it is owed."""
    comes_instead = any(is_agreed(new) or new.kind == "plan" for new in opened)
    for remark in talk.remarks:
        whole = [remark] if talk.has(remark, "nobody_came") else clauses(remark, talk)
        said = [one for one in whole if talk.has(one, "no_show", "nobody_came")]
        if remark.said_by == "agent" or not said or (talk.asks(remark) and said[0].plain == remark.plain):
            continue
        plans = [one for one in threads if _comes_to_see(one, talk) and _was_due(one, remark, talk)]
        yield from _meant_by(
            said[0],
            [
                one
                for one in plans
                if (comes_instead or is_users_own(one.thread)) and not goes_on_without(one, said[0])
            ],
            talk,
        )


def _comes_to_see(one: ThreadWords, talk: ThreadTalk) -> bool:
    """Tell so of a plan, and of “A technician will be with you tomorrow morning.”"""
    said = last_said(one.thread, talk.phrases)
    is_visit = talk.phrases.has("visit", talk.phrases.marked(said)) and is_agents_promise(one.thread)
    return one.thread.kind == "plan" or is_visit


def is_users_own(thread: EarlierThread) -> bool:
    return thread.kind == "plan" and not is_agreed(thread)


def denied(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Is Helen coming on Sunday?” – “No, she's ill.”, not “Have you packed for Sunday?” – “No.”"""
    plans = [one for one in threads if one.thread.kind == "plan" and one.thread.due is not None]
    for remark in talk.remarks if plans else ():
        is_no = remark.said_by == "user" and remark == talk.message(remark)[0] and is_denied(talk, remark)
        asked = talk.before(remark)[-1:] if is_no else ()
        yield from (one for one in plans for r in asked if _asks_whether_it_is(r, one, talk))
    yield from _put_off_today(threads, talk)


def _put_off_today(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“So it isn't ready today?” – “No. You'll have it on Wednesday.” Take the one thing due that day that
    waits for it."""
    for remark in talk.remarks:
        asked = talk.before(remark)[-1:] if remark.said_by == "agent" and is_denied(talk, remark) else ()
        whole = (whole_day(one, talk.phrases) for one in asked if talk.asks(one))
        day = next((one for one in whole if one is not None), None)
        later = (due_day(one, talk.phrases) for one in talk.message(remark)) if day is not None else ()
        is_put_off = any(one is not None and day is not None and one > day for one in later)
        due = [one for one in threads if day is not None and one.thread.due == day]
        said = [*asked, *talk.message(remark)]
        due = [one for one in due if _waits_for_it(one, said, talk)]
        yield from due if is_put_off and len(due) == 1 else ()


def _waits_for_it(one: ThreadWords, said: Sequence[Remark], talk: ThreadTalk) -> bool:
    """“I'll come by on Friday.” – “So it isn't ready?”, not “The dentist's on Friday at ten.”, nor “Are you
    open today?”"""
    has_its_hour = has_hour(talk.phrases.marked(talk.phrases.plain(undated(one.thread.text))))
    is_of_it = bool(talk.matters(said[0]) & (one.own | one.around))
    is_ready = any(talk.has(r, "asked_ready", "delivery", "arrival") for r in said) and not has_its_hour
    return one.thread.kind != "question" and (is_of_it or is_ready)


def _asks_whether_it_is(asked: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    days = {due_day(asked, talk.phrases)} | days_named(asked, talk.phrases)
    is_its_day = talk.asks(asked) and one.thread.due in days and _is_ahead(one, asked)
    about = talk.undated(asked)
    is_of_it = bool(about & one.own) and about <= one.own | one.around
    return is_its_day and is_of_it and not talk.has(asked, "done", "asked_whether_done")


def _was_due(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    due = one.thread.due
    return due is not None and (due <= remark.said_on or due in days_named(remark, talk.phrases))


def _meant_by(clause: Remark, plans: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    asked = [before for before in talk.before(clause) if talk.asks(before)]
    beside = talk.beside(clause, "no_show") & talk.beside(clause, "nobody_came")
    named = [one for one in plans if (beside | talk.matters(*asked)) & one.own]
    yield from named or (plans if len(plans) == 1 and not beside else ())


def is_agreed(thread: EarlierThread | OpenThread) -> bool:
    """Tell whether both know of it: the agent says it, or one took what the other offered."""
    is_taken = ANSWERED in thread.text
    return (thread.kind == "plan" and (is_taken or thread.said_by == "agent")) or (
        thread.kind == "request" and is_taken
    )


def _off(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk, opened: Sequence[OpenThread]
) -> Iterator[ThreadWords]:
    if _wants_no_reminder(remark, talk):
        yield from _reminders(remark, threads, talk)
        remark = _besides_the_reminder(remark, threads, talk)
    is_said = _is_granted(remark, talk) if talk.asks(remark) else not talk.is_conditional(remark)
    if not is_said:
        return
    if talk.has(remark, "cancelled_all"):
        yield from threads
    if remark.said_by == "user" and talk.has(remark, "reserved"):
        yield from _reserved(remark, threads, talk)
    own = _without_what_stays(remark, talk) if talk.has(remark, "cancelled", "moved") else remark
    if talk.has(own, "cancelled", "moved") and not _is_refused(own, talk, opened):
        yield from _called_off(own, threads, talk)
    if talk.has(remark, "not_then"):
        yield from _the_one_agreed_on(remark, threads)
    if remark.said_by == "user" and talk.has(remark, "comes_later"):
        yield from _the_one_expected(remark, threads, talk)


def _reserved(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """“I've bought the book myself, you can delete the reservation.” Take what is put by, if it was in one
    conversation."""
    replies = talk.after(remark)
    is_only_asked = talk.asks(remark) and not any(talk.has(one, "cancelled") for one in replies)
    if not talk.has(remark, "cancelled") or is_only_asked or any(talk.asks(one) for one in replies):
        return []
    owed = [one for one in threads if one.thread.kind in ("promise", "request")]
    kept = [one for one in owed if talk.phrases.has("reserved", _told(one, talk))]
    return kept if len({one.thread.said_on for one in kept}) == 1 else []


def _told(one: ThreadWords, talk: ThreadTalk) -> str:
    return talk.phrases.marked(talk.phrases.plain(undated(one.thread.text)))


def _wants_no_reminder(remark: Remark, talk: ThreadTalk) -> bool:
    """“You needn't remind me any more.”, or “So no more reminders?” – “No, no need.”, not “Oh, do go on.”"""
    if not talk.has(remark, "no_reminder"):
        return False
    if remark.said_by == "user":
        return not (talk.asks(remark) or talk.is_conditional(remark))
    replies = talk.after(remark) if talk.asks(remark) else ()
    is_so = bool(replies) and (talk.phrases.opens("yes", replies[0].marked) or talk.has(replies[0], "no"))
    return is_so and not any(talk.has(one, "request", "stays", "taken_back") for one in replies)


def _besides_the_reminder(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Remark:
    """“You needn't remind me any more.” calls off no appointment, “The dentist is cancelled so you needn't
    remind me.” does."""
    others = [one for one in threads if one.thread.kind == "plan"]
    for clause in clauses(remark, talk):
        names_another = any(talk.matters(clause) & one.own for one in others)
        if talk.has(clause, "no_reminder") and not names_another:
            start, end = len(clause.text) - len(clause.text.lstrip()), len(clause.text)
            remark = without(remark, start, end)
    return remark


def _reminders(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take the one there is, or of several what is named: “You needn't remind me of the pills any more.”"""
    asked = [one for one in threads if one.thread.kind in ("request", "promise")]
    reminding = [one for one in asked if is_a_reminder(one.thread, talk.phrases)]
    about = talk.matters(remark)
    return reminding if len(reminding) == 1 else [one for one in reminding if about & one.own]


def is_a_reminder(thread: EarlierThread | OpenThread, phrases: Phrases) -> bool:
    return phrases.has("reminds", phrases.marked(phrases.plain(undated(thread.text))))


def _the_one_agreed_on(remark: Remark, threads: Sequence[ThreadWords]) -> list[ThreadWords]:
    """Take what “that day”, or “as planned”, can mean: the one appointment, or the day the agent promised."""
    ahead = [one for one in threads if one.thread.due is not None and _is_ahead(one, remark)]
    known = [one for one in ahead if is_agreed(one.thread) or one.thread.said_by == "agent"]
    return known if len(known) == 1 else []


def _the_one_expected(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """“Any news of Duncan?” – “He's only coming on the 23rd after all.” Take the user's own plan of who
    comes that is named, or the only one."""
    own = [one for one in threads if is_users_own(one.thread) and one.thread.due is not None]
    ahead = [one for one in own if _is_ahead(one, remark)]
    coming = [one for one in ahead if _tells_who_comes(one, talk.phrases)]
    about = talk.matters(*talk.before(remark)[-1:], *talk.message(remark))
    meant = [one for one in coming if about & (one.own | one.around)] or coming
    return meant if len(meant) == 1 else []


def _tells_who_comes(one: ThreadWords, phrases: Phrases) -> bool:
    plain = phrases.plain(undated(one.thread.text))
    is_of_others = manner(phrases.tag).first_person.isdisjoint(words(plain))
    return is_of_others or any(phrases.has(kind, phrases.marked(plain)) for kind in ("visits", "arrival"))


def _called_off(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    stay = (_stays_all_the_same, _is_the_reason)
    threads = [one for one in threads if not any(keeps(one, remark, talk) for keeps in stay)]
    meant = _besides_the_reason(_named(remark, threads, talk), remark, talk)
    meant = meant or _asked_after(remark, threads, talk)
    if meant:
        yield from meant
        told = {one.thread.around for one in meant}  # “Tuesday for you and Thursday for your husband”
        others = (one for one in threads if is_agreed(one.thread) and one.thread.around not in told)
        yield from (one for one in others if _is_of_what_led_to_it(remark, one, talk))
        return
    days = days_given_up(remark, talk) or _days_asked_about(remark, talk)
    fixed = [one for one in threads if one.thread.kind == "plan" or is_agreed(one.thread)]
    fixed = [one for one in fixed if not is_of_the_day_before(one.thread, talk.phrases)]
    ahead = [one for one in fixed if _is_ahead(one, remark)]
    plans = [one for one in ahead if not days or one.thread.due in days]
    moved = _the_one_moved(remark, ahead, talk)
    if moved:
        yield from moved
    elif len(plans) == 1 and not _refuses(remark, talk) and _names_little_beside(remark, plans[0], talk):
        yield plans[0]
    elif not talk.matters(remark) or remark.said_by == "agent" or talk.has(remark, "waved_off"):
        yield from _of_the_topic(remark, threads, talk) or _spoken_of_before(remark, threads, talk)


def _besides_the_reason(meant: list[ThreadWords], remark: Remark, talk: ThreadTalk) -> list[ThreadWords]:
    """Leave out of several what keeps from the others: “I can't make the cut because of the dentist.”, or
    “I can't make Tuesday, I've got the dentist then.”"""
    if len(meant) < _SEVERAL:
        return meant
    found = talk.find("because_of", remark.marked)
    off, told = _off_and_reasons(remark, talk)
    why = frozenset[str]()
    if found:
        why = talk.undated(between(remark, *found.span()))
    elif told:
        why = talk.undated(told[0]) - talk.matters(*off)
    return [one for one in meant if why.isdisjoint(one.own)] or meant


def _is_the_reason(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    """“I can't make Tuesday, I've got the dentist then.”, not “I've got the dentist then, I can't come.”"""
    off, told = _off_and_reasons(remark, talk)
    if not off or not told or len(told[0].text) < len(off[0].text):
        return False  # a clause is padded in front: its text is as long as where it ends
    why = talk.undated(told[0]) - talk.matters(*off)
    return bool(why & one.own) and why <= one.own | one.around


def _off_and_reasons(remark: Remark, talk: ThreadTalk) -> tuple[list[Remark], list[Remark]]:
    parts = clauses(remark, talk)
    off = [one for one in parts if talk.has(one, "cancelled")]
    return off, [one for one in parts if talk.has(one, "has_on") and not talk.has(one, "cancelled")]


def _days_asked_about(remark: Remark, talk: ThreadTalk) -> frozenset[date]:
    """“Can I cancel his one on the tenth?” – “I've cancelled that for you.”"""
    asked = talk.before(remark) if remark.said_by == "agent" and not talk.days(remark) else ()
    return frozenset(day for one in asked if (day := due_day(one, talk.phrases)) is not None)


def _the_one_moved(remark: Remark, ahead: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take the one of “They've moved it to the ninth.” – “Same time?”, or “They've put me back to the
    ninth.” Who moves it names nothing else where it is granted, or where the user is moved."""
    new = due_day(remark, talk.phrases) if remark.said_by == "user" and not talk.asks(remark) else None
    found = talk.find("moved", remark.marked)
    if new is None or found is None:
        return []
    before = between(remark, 0, found.start())
    is_granted = any(_grants(one, talk) or talk.has(one, "same_hour") for one in talk.after(remark))
    is_mover = is_granted and not talk.has(before, "possessed")  # “my sister's wedding, they've moved it”
    is_it = talk.has(remark, "pointer") and (is_mover or not talk.matters(before))
    dated = [one for one in ahead if one.thread.due not in (None, new)]
    return dated if len(dated) == 1 and (is_it or talk.has(remark, "moved_me")) else []


def _asked_after(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """“How's the pitch?” – “Graham moved it forward, it's the 18th now.” Take the one that is asked after."""
    moves = remark.said_by == "user" and talk.has(remark, "moved") and talk.has(remark, "time")
    about = talk.matters(*talk.before(remark)[-1:]) if moves and not talk.asks(remark) else frozenset[str]()
    named = [one for one in threads if one.thread.due is not None and about & (one.own | one.around)]
    return named if len(named) == 1 else []


def _of_the_topic(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """“And the payment?” – “It was my son's, you can forget about that.” Take what is owed of it, and what it
    led to, if it was in one conversation."""
    if remark.said_by != "user" or not talk.has(remark, "waved_off"):
        return []
    about = talk.matters(*talk.before(remark)[-1:])
    owed = [one for one in threads if one.thread.kind != "plan" and about & (one.own | one.around)]
    return owed if len({one.thread.said_on for one in owed}) == 1 else []


def _stays_all_the_same(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    goes_on = goes_on_without(one, remark) or _is_of_another_matter(one, remark, talk)
    return goes_on or stays_as_a_series(one, remark, talk)


def goes_on_without(one: ThreadWords, remark: Remark) -> bool:
    """“Paul can't come on Sunday” leaves “My children are coming on Sunday, Paul and Ellen.”"""
    named, expected = given_names(remark.plain), given_names(folded(undated(one.thread.text)))
    is_some = not named.isdisjoint(expected) and not expected <= named
    return is_some and not is_agreed(one.thread)


def _is_of_another_matter(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    """“And the parking space, we don't need it after all.” – “I'll cancel that.”, not “I'll cancel Mrs Wittig
    for today.”"""
    day = whole_day(remark, talk.phrases) or due_day(remark, talk.phrases)
    if day is not None and day == one.thread.due:
        return False
    grants = remark.said_by == "agent" and len(talk.beside(remark, "cancelled")) <= _OF_A_YES
    asked = talk.before(remark) if grants else (remark,)
    named = [_named_besides(said, talk) for said in asked if talk.has(said, "cancelled")]
    return bool(named) and all(about and about.isdisjoint(one.own | one.around) for about in named)


def _named_besides(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """Return what “and …” goes on to before it says that it is off."""
    found = talk.find("cancelled", remark.marked)
    before = between(remark, 0, found.start()) if found else remark
    first, *rest = before.plain.split() or [""]
    goes_on = first in talk.phrases.adding and manner(talk.phrases.tag).joints.isdisjoint(rest)
    goes_on = goes_on and not talk.has(remark, "unable")  # “and the car's broken, I can't come”
    is_topic = goes_on and len(rest) < _LONGEST_TOPIC and not names_a_time(before.marked)
    return talk.undated(before) if is_topic else frozenset()


def days_given_up(remark: Remark, talk: ThreadTalk) -> frozenset[date]:
    """Return the days, from today on, on which somebody cannot come: “My daughter can't come on the 2nd, hers
    needs moving” is no other day's, “I can't come until Monday” is any's."""
    parts = (*clauses(remark, talk), remark)  # the full stop of “am 2. Dezember” ends a clause, too
    off = next((one for one in parts if talk.has(one, "cancelled")), None)
    if off is None or not talk.has(off, "time") or names_a_bound(off.text, talk.phrases.tag):
        return frozenset()
    return frozenset(day for day in days_named(remark, talk.phrases) if day >= remark.said_on)


def _moved_away_from(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk, opened: Sequence[OpenThread]
) -> list[ThreadWords]:
    """“I'm booked in Monday for brakes, can we make it Tuesday?”: of the days before the move that one is off
    which the new appointment is not on."""
    agreed = [one.due for one in opened if is_agreed(one) and remark.position in one.positions]
    weekdays = talk.phrases.weekdays(remark.plain) if agreed else ()
    new = {day for day in agreed if day is not None and day.weekday() in weekdays}
    moves = (talk.find(kind, remark.marked) for kind in _MOVES) if new else ()
    found = next((move for move in moves if move), None)
    off = days_named(between(remark, 0, found.start()), talk.phrases) - new if found else ()
    return [one for one in threads if one.thread.due in off]


def _spoken_of_before(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take the one of several that alone was named just before: “My daughter took Biscuit along.” – “So I'll
    free up the slot.” What it was opened about counts where its own words do not say: “Never mind the
    mushrooms” is the guide to them."""
    named = [one for one in threads if len(talk.matters(remark) & (one.own | one.around)) >= _SURE]
    if len(named) == 1:
        return named
    first = remark.place - _JUST_BEFORE
    said = [one for one in talk.remarks[max(first, 0) : remark.place + 1] if one.said_by == "user"]
    about = talk.matters(*said)
    own = [one for one in threads if about & one.own]
    most = max((len(about & one.around) for one in threads), default=0)
    meant = own or [one for one in threads if most and len(about & one.around) == most]
    return meant if len(meant) == 1 and len(threads) > 1 else []


def _named(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take what has a word or a day of the remark. What is named by a word is moved to the day: another on
    that day is not meant. Beside its number, what led to it names it, too: “The wedding's not on the fifth
    any more but on the twelfth.”"""
    about = about_asked(remark, talk) - _verb_of_moving(remark, talk)
    times = talk.phrases.times(remark.plain)
    off = _days_off(remark, talk)
    by_word = [one for one in threads if about & one.own] or _by_a_part(about, threads, talk)
    if by_word and not talk.has(remark, "cancelled"):
        return by_word
    dated = [one for one in threads if _has_a_day(one) and not is_of_the_day_before(one.thread, talk.phrases)]
    by_day = [one for one in dated if times & one.times or one.thread.due in off]
    by_day += [one for one in dated if about & one.around and _is_renumbered(one, remark, talk)]
    by_day += _numbered(remark, dated, talk)
    if by_day:  # “Poppy's check-up on Tuesday is off” leaves “I'll send Poppy's X-rays.”
        by_word = [one for one in by_word if _has_a_day(one) or len(about & one.own) >= _SURE]
    return [one for one in threads if one in by_word or one in by_day]


def _by_a_part(about: frozenset[str], threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """“Dat extra lesje moet ik afzeggen” is of the one “spoedlesje”, where words are put together."""
    if not talk.phrases.file.compounds:
        return []
    plans = [one for one in threads if one.thread.kind == "plan"]
    named = [one for one in plans if have_a_part(about, one.own)]
    return named if len(named) == 1 else []


def is_of_the_day_before(thread: EarlierThread, phrases: Phrases) -> bool:
    """“Shall I remind you the day before?” – “Yes, please.” is on no day but that of its appointment."""
    said = phrases.marked(phrases.plain(undated(thread.text)))
    return thread.kind != "plan" and phrases.has("day_before", said)


def _numbered(remark: Remark, dated: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take the one appointment of that number: “The second's no good any more.”"""
    if not talk.has(remark, "cancelled"):
        return []
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked)
    days = [(one, one.thread.due) for one in dated]
    found = [one for one, due in days if due is not None and due > remark.said_on and due.day in numbers]
    return found if len(found) == 1 else []


def _is_renumbered(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    """Tell whether its number stands beside another one."""
    numbers, due = talk.phrases.numbers(remark.plain), one.thread.due
    return due is not None and due > remark.said_on and due.day in numbers and len(numbers) > 1


def _verb_of_moving(remark: Remark, talk: ThreadTalk) -> frozenset[str]:
    """“¿Podemos pasarlo al lunes?” does not name “Te paso los precios.”"""
    found = talk.find("moved", remark.marked)
    return talk.phrases.matters(found[0].partition(" ")[0]) if found else frozenset()


def _is_granted(remark: Remark, talk: ThreadTalk) -> bool:
    if not talk.has(remark, "cancelled", "moved", "cancelled_all"):
        return False
    return any(_grants(reply, talk) or _offers_another(reply, talk) for reply in talk.after(remark))


def _offers_another(reply: Remark, talk: ThreadTalk) -> bool:
    """“Was it cancelled?” – “No, it's confirmed.” grants nothing."""
    is_booked = talk.has(reply, "booked") and not is_denied(talk, reply)
    return is_booked or talk.has(reply, "proposal")


def _grants(reply: Remark, talk: ThreadTalk) -> bool:
    """“Can you cancel it?” – “No problem, I've taken you out.”"""
    is_done = talk.has(reply, "cancelled") and not talk.asks(reply) and not talk.is_conditional(reply)
    return is_done or talk.phrases.opens("yes", reply.marked)


def _is_refused(remark: Remark, talk: ThreadTalk, opened: Sequence[OpenThread]) -> bool:
    """“Can I move it to Thursday?” – “We've nothing on Thursday.”, unless they agree on another day."""
    is_wish = remark.said_by == "user" and talk.has(remark, "moved") and not talk.has(remark, "cancelled")
    if not is_wish or not any(talk.has(reply, "refused") for reply in talk.after(remark)):
        return False
    return not any(is_agreed(new) and new.positions[-1] > remark.position for new in opened)


def _refuses(remark: Remark, talk: ThreadTalk) -> bool:
    """“Tuesday's full.” The day that was asked for is not that of the appointment."""
    return remark.said_by == "agent" and talk.has(remark, "refused")


def _names_little_beside(remark: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    """“I've got to cancel, my mum's in hospital”: a reason beside it names nothing else where it is granted.
    So is what led to the plan: “I need to cancel the haircut.” What nobody grants may be of anything: “I had
    to cancel my holiday.”"""
    if _is_no_visit(remark, talk) or _only_waves_off(remark, talk):
        return False
    if not talk.matters(remark):
        return True
    is_granted = remark.said_by == "agent" or any(_grants(one, talk) for one in talk.after(remark))
    is_brief = is_granted and any(_names_nothing_but(said, one, talk) for said in _cancelling(remark, talk))
    return is_brief or _is_of_what_led_to_it(remark, one, talk)


def _cancelling(remark: Remark, talk: ThreadTalk) -> Iterator[Remark]:
    """Yield the whole and its parts that call it off: “Marisa is ill and I have to cancel.”"""
    duty = talk.find("duty", remark.marked)
    behind = (from_place(remark, duty.start()),) if duty else ()
    yield remark
    yield from (one for one in (*clauses(remark, talk), *behind) if talk.has(one, "cancelled"))


def _names_nothing_but(remark: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    """Look only at the clause in which it is off, and not at its verb."""
    found = talk.find("cancelled", remark.marked)
    said = quoting.clause(remark.plain, found.start()) if found else remark.plain
    is_verb = found is not None and len(found[0].split()) <= _LONGEST_VERB
    verb = talk.phrases.matters(found[0]) if found and is_verb else frozenset[str]()
    return talk.phrases.is_nothing_but(talk.phrases.matters(said) - verb, one.own | one.around)


def _is_of_what_led_to_it(remark: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    """“I've sold the car, the MOT isn't needed any more.” calls off what was agreed on for it, which names
    nothing itself."""
    said = [clause for clause in clauses(remark, talk) if talk.has(clause, "cancelled")]
    names_nothing = talk.phrases.is_nothing_but(one.own, frozenset())
    return names_nothing and any(not one.around.isdisjoint(talk.matters(clause)) for clause in said)


def stays_as_a_series(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    """“I can't make it next Tuesday” leaves “Every Tuesday at five”; so does the agent's “That's cancelled”
    behind it."""
    if not is_series(one.thread, talk.phrases):
        return False
    asked = talk.before(remark) if remark.said_by == "agent" and not talk.days(remark) else ()
    said = [r for r in (remark, *asked) if talk.has(r, "cancelled", "moved")]
    return any(_is_for_once(r, one, talk) for r in said)


def _is_for_once(remark: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    """Tell whether one of a series is meant; a day alone to which it is moved may be of all."""
    if talk.phrases.is_recurring(remark.plain):
        return False
    names_it = bool(talk.days(remark)) and talk.has(remark, "cancelled")
    is_its_day = bool(talk.phrases.times(remark.plain) & one.times)
    return names_it or is_its_day or bool(weeks_named(remark, talk.phrases)) or talk.has(remark, "once")


def _is_no_visit(remark: Remark, talk: ThreadTalk) -> bool:
    """“Take me off your mailing list.” – “I've taken you off.”"""
    asked = talk.before(remark) if remark.said_by == "agent" else ()
    return any(talk.has(one, "subscription") for one in (remark, *asked))


def _without_what_stays(remark: Remark, talk: ThreadTalk) -> Remark:
    """Blank out “…, but the haircut stays”."""
    for clause in clauses(remark, talk):
        if talk.has(clause, "stays") and not talk.has(clause, "cancelled", "moved"):
            start, end = len(clause.text) - len(clause.text.lstrip()), len(clause.text)
            remark = without(remark, start, end)
    return remark


def _staying(
    remark: Remark, threads: Sequence[ThreadWords], off: Mapping[int, ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """Take what is said to stay by its name; “leave it as it is” means all that was called off before."""
    if not off:
        return
    if talk.asks(remark) and not any(talk.phrases.opens("yes", one.marked) for one in talk.after(remark)):
        return
    for clause in clauses(remark, talk):
        if not talk.has(clause, "stays", "taken_back") or talk.has(clause, "cancelled", "refused"):
            continue
        named = [one for one in threads if _is_named_in(clause, one, talk)]
        yield from named
        if not named and talk.has(clause, "taken_back") and _names_nothing(clause, talk):
            yield from off.values()


def _coming_anyway(
    remark: Remark,
    off: Mapping[int, ThreadWords],
    by_user: Collection[int],
    talk: ThreadTalk,
    opened: Sequence[OpenThread],
) -> list[ThreadWords]:
    """“I wanted to cancel Tuesday. But I'm better now, I'll come.”, where no other day is agreed on; not once
    it was granted, nor of something else: “And your daughter?” – “She'll come.”"""
    is_said = remark.said_by == "user" and talk.has(remark, "comes_anyway") and not talk.asks(remark)
    if not off or not is_said or talk.has(remark, "cancelled", "moved") or any(map(is_agreed, opened)):
        return []
    if remark.position not in by_user and not _thinks_again(remark, by_user, talk):
        return []
    day = due_day(remark, talk.phrases)
    return [one for one in off.values() if day is None or one.thread.due == day]


def _thinks_again(remark: Remark, by_user: Collection[int], talk: ThreadTalk) -> bool:
    """“I wanted to cancel Tuesday.” – “What's happened?” – “Oh, actually, no, I'll come.”"""
    asked, first = talk.before(remark), talk.message(remark)[0]
    is_next = bool(asked) and any(one.position in by_user for one in talk.before(asked[0]))
    is_granted = any(talk.has(one, "cancelled") or _grants(one, talk) for one in asked)
    says_no = (
        is_denied(talk, first) or puts_right(talk, first) or talk.has(remark, "no", "taken_back", "after_all")
    )
    return is_next and not is_granted and says_no


def _of_another(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk, opened: Sequence[OpenThread]
) -> Iterator[ThreadWords]:
    """Take what one of two cannot come to, as was said last: “My husband can't make Thursday, I'll come
    alone.”, not “… on Friday”."""
    said = [one for one in talk.message(remark) if one.place <= remark.place]
    unable = [one for one in said if talk.has(one, "cancelled") and talk.has(one, "unable")]
    if not unable or not talk.has(remark, "comes_alone"):
        return
    if due_day(remark, talk.phrases) in (None, due_day(unable[-1], talk.phrases)):
        yield from _off(unable[-1], threads, talk, opened)


def _with_a_stand_in(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk, opened: Sequence[OpenThread]
) -> Iterator[ThreadWords]:
    """Take what the agent lets another one do on that day: “Jo can't make Friday, Sam will see you instead.”,
    not “… on Monday”, and if nobody minds."""
    found = talk.find("stands_in", remark.marked) if remark.said_by == "agent" else None
    if found is None or any(talk.phrases.opens("no", one.marked) for one in talk.after(remark)):
        return
    head, told = between(remark, 0, found.start()), from_place(remark, found.start())
    lately = talk.remarks[max(0, remark.place - _LATELY) : remark.place]
    off = [one for one in (*lately, head) if one.said_by == "agent" and talk.has(one, "cancelled")]
    if off and due_day(told, talk.phrases) in (None, due_day(off[-1], talk.phrases)):
        yield from _off(remark if off[-1] is head else off[-1], threads, talk, opened)


def _names_nothing(clause: Remark, talk: ThreadTalk) -> bool:
    return not talk.beside(clause, "taken_back") and not talk.days(clause)


def _is_named_in(clause: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    day, due = due_day(clause, talk.phrases), one.thread.due
    is_its_day = talk.phrases.times(clause.plain) & one.times or (day is not None and day == due)
    if talk.has(clause, "still_on") and due is not None:  # “Le rendez-vous du huit tient toujours ?”
        is_its_day = is_its_day or due.day in talk.phrases.numbers(talk.phrases.without_sums(clause.plain))
    return bool(is_its_day and _has_a_day(one)) or bool(talk.matters(clause) & one.own)


def _has_a_day(one: ThreadWords) -> bool:
    return one.thread.kind == "plan" or one.thread.due is not None


def _days_off(remark: Remark, talk: ThreadTalk) -> frozenset[date]:
    """“Ready for the 2nd?” – “They've moved it.” The day in a remark that moves is the new one."""
    asked = [] if _refuses(remark, talk) else [one for one in talk.before(remark) if talk.asks(one)]
    said = [remark, *asked] if talk.has(remark, "cancelled") else asked
    days = (due_day(one, talk.phrases) or whole_day(one, talk.phrases) for one in said)
    return frozenset(day for day in days if day is not None)


def _is_ahead(one: ThreadWords, remark: Remark) -> bool:
    return one.thread.due is None or one.thread.due >= remark.said_on


def _only_waves_off(remark: Remark, talk: ThreadTalk) -> bool:
    """“Do you sell eggs?” – “No, sorry.” – “Never mind.” means the eggs."""
    besides = talk.phrases.besides("waved_off", remark.marked)
    return besides != remark.marked and not talk.phrases.has("cancelled", besides)
