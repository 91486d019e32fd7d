"""Open threads: the promises, requests, plans and questions that a conversation leaves behind.

remarks → candidates → corrected → without what it settles itself → each once, as it stands at the end
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import islice

from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.antecedents import with_antecedent
from voice_server.digest.threads.opening.appointments.counters import counters, other_time
from voice_server.digest.threads.opening.appointments.other_hours import grants_the_hour
from voice_server.digest.threads.opening.appointments.times import repeats, words_of_hours
from voice_server.digest.threads.opening.appointments.wishes import wishes_for_a_week
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.candidates import candidates
from voice_server.digest.threads.opening.corrections.declined_days import without_declined
from voice_server.digest.threads.opening.merging import merged, with_its_matter, with_replies
from voice_server.digest.threads.opening.settling import Settlement
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import days_named, due_day, put_right, weeks_named, whole_day
from voice_server.digest.threads.speech.phrases import Kind, folded, has_hour, hours
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between
from voice_server.domain.digest import OpenThread, Speaker, ThreadKind

_MOST = 5
_SOON = 3  # messages
_BRIEF_ANSWER = 4  # words
_FEW_MATTERS = 1  # of "two o'clock, five people, that's changed"
_MATTERS_BESIDE = 2  # of what takes another's place: “half past eight, and we'll be three”
_COMPARED = 8  # matters before an appointment, among which is the one whose place it takes
_OBJECTIONS: tuple[Kind, ...] = ("unplanned", "refused", "cancelled", "no")
_WISHED: tuple[ThreadKind, ...] = ("plan", "request", "question")
_OTHER: Mapping[Speaker, Speaker] = {"user": "agent", "agent": "user"}
_FIRST_KINDS: tuple[ThreadKind, ...] = ("promise", "request", "question", "plan", "topic")


def left_open(talk: ThreadTalk) -> tuple[OpenThread, ...]:
    """Return at most five, as quotes in the order said: dated threads first, then by kind, newest first."""
    settlement = Settlement(talk)
    corrected = without_declined(talk, _corrected(talk, with_replies(candidates(talk))))
    standing = [
        one for one in corrected if not (settlement.settles(one) or _is_objected_to(talk, one, corrected))
    ]
    kept = sorted(merged(_replaced(talk, _without_wishes(talk, standing))), key=_importance)[:_MOST]
    told = (_asked_for(with_antecedent(talk, one)) for one in kept)
    return tuple(sorted(told, key=lambda thread: thread.positions))


def _is_objected_to(talk: ThreadTalk, one: Candidate, found: Sequence[Candidate]) -> bool:
    """“I can see you today at four.” – “Can't today.”, “He'll bring them on Saturday.” – “We're closed on
    Saturday, but open on Friday.” – “Friday, then.”"""
    said, is_exchange = talk.remarks[one.place], ANSWERED in one.thread.text
    objections = [r for r in talk.after(said) if _objects(talk, r)]
    of_its_day = (repeats(talk, said, r) or one.thread.due in days_named(r, talk.phrases) for r in objections)
    if one.thread.kind != "plan" or not any(of_its_day):
        return False
    gives_it_up = any(_gives_up_the_day(talk, said, r) for r in objections)
    told = (gives_it_up or talk.has(said, "slot")) and said.said_by == "agent" and not is_exchange
    others = (other.thread.due for other in found if other.position == one.position + 2)
    return told or any(due not in (None, one.thread.due) for due in others)


def _objects(talk: ThreadTalk, reply: Remark) -> bool:
    """“Can't today.”, not “I can't eat before on Friday, right?”"""
    named = whole_day(reply, talk.phrases)
    only_gives_it_up = named is not None and due_day(reply, talk.phrases) is None
    objects = talk.has(reply, *_OBJECTIONS) or only_gives_it_up
    return objects and not (talk.asks(reply) or talk.phrases.opens("yes", reply.marked))


def _gives_up_the_day(talk: ThreadTalk, said: Remark, reply: Remark) -> bool:
    """“I can send it tomorrow.” – “Not tomorrow, I'll pick it up.”"""
    day = whole_day(reply, talk.phrases)
    return day is not None and day == whole_day(said, talk.phrases) and day != due_day(reply, talk.phrases)


def _corrected(talk: ThreadTalk, found: list[Candidate]) -> list[Candidate]:
    """Add corrections, and what only agrees on them: “No, half past seven.” – “Half past seven, done.”"""
    ending: dict[int, list[int]] = {}
    for number, one in enumerate(found):
        ending.setdefault(one.place, []).append(number)
    own: dict[int, list[int]] = {}
    for number, one in enumerate(found):
        for place in one.places:
            own.setdefault(place, []).append(number)
    latest: int | None = None
    parts = set[int]()
    for remark in talk.remarks:
        here = own.get(remark.place, [])
        is_free = latest is not None and all(_is_part_of(talk, found[latest], found[n], remark) for n in here)
        if latest is not None and is_free and _corrects(talk, remark, found[latest]):
            agreed = next((found[n].thread.due for n in here if found[n].thread.due), None)
            found[latest] = _with_correction(talk, found[latest], remark, agreed)
            parts.update(here)
        ended = (number for number in ending.get(remark.place, ()) if number not in parts)
        known = [number for number in ended if found[number].thread.kind != "question"]
        latest = known[-1] if known else latest
    return [one for number, one in enumerate(found) if number not in parts]


def _is_part_of(talk: ThreadTalk, one: Candidate, other: Candidate, remark: Remark) -> bool:
    """Tell whether a correction that begins an appointment, or a mere “I'll remind you”, is of what was asked
    before."""
    begins = other.places[0] == remark.place != other.place
    if other.appointment and other.place == remark.place and _settles_the_hour(talk, remark, one):
        return True
    if one.appointment:
        return begins and other.appointment and _asks_for_another_hour(talk, remark, one)
    is_said_again = other.thread.kind == one.thread.kind == "promise" and other.is_bare
    return begins and (other.appointment or is_said_again)


def _corrects(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“Next Tuesday?” – “Not Tuesday.” only answers, unless the question repeats the matter's time."""
    if remark.position - one.position > _SOON:
        return False
    if not talk.has(remark, "correction"):
        is_ones_own = remark.said_by == talk.remarks[one.places[0]].said_by
        is_own = remark.position == one.position or is_ones_own
        changes = (_asks_for_another_hour, _gives_another_hour, _settles_the_hour, _gives_up_its_day)
        is_changed = any(change(talk, remark, one) for change in changes)
        return is_changed or (is_own and _is_second_thought(talk, remark, one))
    if talk.phrases.opens("permission", remark.marked) and one.thread.kind == "promise" and not one.times:
        return False  # “You'll have the money within ten days.” – “Could we come in January instead?”
    is_answered = _is_behind_its_answer(talk, remark)
    asked = [r for r in talk.before(remark) if talk.asks(r) and r.place > one.place and not is_answered]
    if any(_asks_for_another(talk, question, one, remark) for question in asked):
        return False
    return not any(_is_of_another_matter(talk, question, one) for question in asked) or (
        _begins_anew(talk, remark)
    )


def _is_behind_its_answer(talk: ThreadTalk, remark: Remark) -> bool:
    """“Do you need parking?” – “No. Actually, make it eleven.”, which is no abbreviated “number”"""
    found = talk.find("correction", remark.marked)
    lead = remark.text[: found.start()].strip() if found else ""
    before = talk.sentence_before(remark)
    answer = before.text if before is not None and not lead else lead
    says_no = manner(talk.phrases.tag).yes_no.fullmatch(answer.rstrip(".!")) is not None
    return answer.endswith((".", "!")) and says_no and not talk.phrases.opens("yes", folded(answer))


def _is_of_another_matter(talk: ThreadTalk, question: Remark, one: Candidate) -> bool:
    about = talk.undated(question)
    when: tuple[Kind, ...] = () if about else ("asked_when", "time")
    return about.isdisjoint(one.matters) and not talk.has(question, "idle_question", "suits", *when)


def _begins_anew(talk: ThreadTalk, remark: Remark) -> bool:
    """“How many guests?” – “Twelve no make that fourteen” corrects what it answers, “No, make it Thursday”
    what was said before."""
    found = talk.find("correction", remark.marked)
    first = remark.marked[: found.start()] if found else remark.marked
    idle = manner(talk.phrases.tag).idle_words
    return bool(talk.days(remark)) and idle.issuperset(first.replace(",", " ").split())


def _is_second_thought(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“On Friday. Hm, no, they're back by then. Thursday.”, “At seven.” – “Hang on, no. Eight.”, and “By the
    7th. No, hang on, the 17th.”"""
    corrections = manner(talk.phrases.tag).corrections
    before = talk.sentence_before(remark)
    said_no = before is not None and not talk.asks(before) and corrections.match(before.text) is not None
    own_no = corrections.match(remark.text)
    begins = talk.phrases.matters(talk.phrases.plain(own_no[0])) if own_no else frozenset[str]()
    is_timed = any(hours(talk.remarks[place].marked) for place in one.places)
    names_one = talk.has(remark, "time") or (is_timed and hours(remark.marked) == 1)
    is_time = names_one and talk.undated(remark) <= begins and not talk.asks(remark)
    return is_time and (said_no or own_no is not None)


def _asks_for_another_hour(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“You're down for Tuesday at four.” – “Could we say five?” – “Of course.”"""
    offered = talk.remarks[one.place]
    is_own = one.thread.said_by == offered.said_by
    is_offer = one.appointment or (one.thread.kind == "promise" and one.thread.due is not None)
    follows = remark.said_by != offered.said_by and remark.position == offered.position + 1
    if not (is_offer and is_own and follows and has_hour(offered.marked)) or talk.has(remark, "moved"):
        return False
    wish = other_time(talk, remark) or remark  # “three no i have hockey five”
    asked = talk.clocks(wish)
    beside = len(talk.undated(wish) - words_of_hours(talk, wish))
    most = _FEW_MATTERS if talk.has(remark, "preferred", "correction") else 0
    if beside > most or talk.days(wish) or asked <= talk.clocks(offered):
        return False
    return any(grants_the_hour(talk, reply, asked) for reply in talk.after(remark)[:1])


def _gives_another_hour(talk: ThreadTalk, reply: Remark, one: Candidate) -> bool:
    """“Thursday at ten past nine.” – “Make it half past.” – “Half past nine is fine.”, or the hour that the
    other party named."""
    offered, wishes = talk.remarks[one.place], talk.before(reply)
    hours_given = talk.clocks(reply) - talk.clocks(offered)
    follows = reply.said_by == offered.said_by and reply.position == offered.position + 2
    is_offer = one.appointment or (one.thread.kind == "promise" and one.thread.due is not None)
    if not (follows and is_offer and len(hours_given) == 1 and has_hour(offered.marked)) or talk.asks(reply):
        return False
    wished = frozenset[str]().union(*(talk.clocks(wish) for wish in wishes))
    is_yes = not wished and talk.phrases.opens("yes", reply.marked)
    is_granted = is_yes and any(talk.has(wish, "preferred", "correction") for wish in wishes)
    is_same_day = not any(talk.days(said) for said in (*wishes, reply))
    return is_same_day and (is_granted or wished == hours_given)


def _settles_the_hour(talk: ThreadTalk, reply: Remark, one: Candidate) -> bool:
    """“I'll send the engineer tomorrow morning.” – “Could he come after two?” – “Okay, tomorrow at three.”"""
    offered, wishes = talk.remarks[one.place], talk.before(reply)
    follows = reply.said_by == offered.said_by and reply.position == offered.position + 2
    is_dated = one.thread.kind == "promise" and one.thread.due is not None and not has_hour(offered.marked)
    beside = talk.beside(reply, "yes") & talk.undated(reply)
    names_little = has_hour(reply.marked) and len(beside) <= _FEW_MATTERS
    if not (follows and is_dated and names_little) or talk.asks(reply):
        return False
    asked = [wish for wish in wishes if has_hour(wish.marked) and talk.asks(wish)]
    day = due_day(reply, talk.phrases)
    is_wished = any(day or talk.has(wish, "preferred", "pointer", "of_another") for wish in asked)
    is_its_day = day in (None, one.thread.due)
    is_agreed = talk.phrases.opens("yes", reply.marked) or talk.has(reply, "concluded")
    return is_wished and is_agreed and is_its_day and not talk.has(reply, "refused", "no")


def _gives_up_its_day(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“I'll come on Saturday.” – “We're closed on Saturday.” – “Monday then.”"""
    said = talk.remarks[one.place]
    weekdays = talk.phrases.weekdays(remark.plain)
    is_own = remark.said_by == said.said_by and remark.position == said.position + 2
    is_other = bool(weekdays) and weekdays.isdisjoint(talk.phrases.weekdays(said.plain))
    if not (is_own and is_other) or talk.asks(remark) or talk.undated(remark):
        return False
    return any(_objects(talk, reply) and repeats(talk, said, reply) for reply in talk.after(said))


def _asks_for_another(talk: ThreadTalk, question: Remark, one: Candidate, answer: Remark) -> bool:
    """Tell whether the answer is to another question, or says only that the hour asked for is taken."""
    if talk.clocks(question) & talk.clocks(answer):
        return True
    times = talk.phrases.times(question.plain)
    if talk.has(question, "time"):
        return bool(times - one.times) or (not times and not one.weekdays)
    return len(answer.text.split()) <= _BRIEF_ANSWER and not talk.has(question, "idle_question")


def _with_correction(
    talk: ThreadTalk, one: Candidate, remark: Remark, agreed: date | None = None
) -> Candidate:
    thread = one.thread
    goes_on = remark.said_by == thread.said_by
    of_a_promise = thread.kind == "promise" and not one.is_bare and not goes_on
    other = put_right(thread.due, remark, talk.phrases) if thread.due else None
    due = agreed or other or due_day(remark, talk.phrases) or _day_left(talk, thread, remark)
    agreement = _agreed_anew(talk, remark, due) if of_a_promise else None
    more = quoting.shortened(remark.text)
    own = thread.text.rpartition(" – ")[2]  # its own words stay, rather than what they answer
    if agreement is not None:
        text = quoting.joined(own, quoting.shortened(agreement.text))
    elif goes_on:
        text = quoting.joined(thread.text, more)
    else:
        text = quoting.answered(own if of_a_promise else thread.text, more)
    asked_anew = thread.kind == "promise" and one.is_bare and not goes_on
    said = (remark,) if agreement is None else (remark, agreement)
    changed = replace(
        thread,
        kind="request" if asked_anew else thread.kind,
        text=text,
        said_by=thread.said_by if of_a_promise else remark.said_by,
        positions=tuple(sorted({*thread.positions, *(r.position for r in said)})),
        due=due,
    )
    return replace(
        one,
        thread=changed,
        places=(*one.places, *(r.place for r in said)),
        times=one.times | talk.phrases.times(remark.plain),
        is_answered=of_a_promise and agreement is None,
    )


def _agreed_anew(talk: ThreadTalk, correction: Remark, due: date | None) -> Remark | None:
    """“I'll send it on Monday.” – “Make it Tuesday.” – “Tuesday it is.”"""
    replies = (r for r in talk.after(correction) if not (talk.asks(r) or talk.has(r, *_OBJECTIONS)))
    return next((r for r in replies if due is not None and due == due_day(r, talk.phrases)), None)


def _asked_for(one: Candidate) -> OpenThread:
    """Let a promise be the request of who asked for another day: the last words are theirs."""
    if not one.is_answered:
        return one.thread
    return replace(one.thread, kind="request", said_by=_OTHER[one.thread.said_by])


def _day_left(talk: ThreadTalk, thread: OpenThread, correction: Remark) -> date | None:
    """“They could come on Thursday or Friday.” – “Not Thursday.”"""
    weekdays = talk.phrases.weekdays(correction.plain)
    is_given_up = thread.due is not None and weekdays == {thread.due.weekday()}
    is_refused = is_given_up and talk.has(correction, "unplanned") and correction.said_by != thread.said_by
    return None if is_refused else thread.due


def _without_wishes(talk: ThreadTalk, found: Sequence[Candidate]) -> list[Candidate]:
    """Drop “I'd rather come next week” and “I wanted an appointment in three weeks” for the “Thursday at ten”
    that is made of it."""
    made = [one for one in found if one.appointment and one.thread.due]
    latest = {talk.remarks[one.places[0]].before.week: one.place for one in made}
    agreed = [one for one in found if one.appointment]
    standing = [one for one in found if not _is_answered_by(talk, one, agreed)]
    return [
        one for one in standing if not any(latest.get(w, -1) > one.place for w in _wished_weeks(talk, one))
    ]


def _is_answered_by(talk: ThreadTalk, wish: Candidate, agreed: Sequence[Candidate]) -> bool:
    said = talk.remarks[wish.place]
    if ANSWERED in wish.thread.text or said.said_by != "user" or not talk.has(said, "wants_a_visit"):
        return False
    return any(one.thread.positions[0] == wish.position + 1 for one in agreed)


def _wished_weeks(talk: ThreadTalk, one: Candidate) -> list[date]:
    if one.thread.kind not in _WISHED:
        return []
    wishes = [talk.remarks[place] for place in one.places if wishes_for_a_week(talk, talk.remarks[place])]
    return [week for wish in wishes for week in weeks_named(wish, talk.phrases)]


def _replaced(talk: ThreadTalk, found: Sequence[Candidate]) -> list[Candidate]:
    """Keep the latest, with the day where only the hour was changed."""
    changes = [remark.place for remark in talk.remarks if talk.has(remark, "moved", "correction")]
    corrections = frozenset(remark.place for remark in talk.remarks if talk.has(remark, "correction"))
    of_it = [r.place for r in talk.remarks if talk.has(r, "moved") and talk.has(r, "pointer")]
    standing: dict[int, Candidate] = {}
    for number, one in enumerate(found):
        old = [
            n
            for n in (_latest(standing) if one.appointment else [])
            if _is_refused_for(talk, standing[n], one)
            or _is_countered_for(talk, standing[n], one)
            or _is_given_for(talk, standing[n], one)
            or _is_turned_down_for(talk, standing[n], one)
            or _is_passed_over_for(talk, standing[n], one)
            or (
                standing[n].appointment
                and not _moves_another(talk, standing[n], one)
                and (_moved(standing[n], one, changes, of_it) or _puts_right(standing[n], one, corrections))
            )
        ]
        before = [standing.pop(n) for n in old]
        earlier = (o.thread.due for o in reversed(before) if o.thread.due and not one.weekdays)
        due = one.thread.due or next(earlier, None)
        told = with_its_matter(before[-1], one) if before else one
        standing[number] = replace(told, thread=replace(told.thread, due=due))
    return list(standing.values())


def _latest(standing: dict[int, Candidate]) -> list[int]:
    return sorted(islice(reversed(standing), _COMPARED))


def _is_refused_for(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“He comes on Thursday.” – “Oh no, on Thursday I've got the kids. Friday?” – “Friday morning.”"""
    last = talk.remarks[old.place]
    times = talk.phrases.times(last.plain)
    of_its_day = bool(times) and times <= _times_promised(talk, old)
    days = old.thread.due, new.thread.due
    is_another = None not in days and days[0] != days[1] and new.thread.positions[0] - old.position <= _SOON
    promised = old.thread.kind == "promise" and talk.remarks[old.places[0]].said_by != last.said_by
    return promised and is_another and of_its_day and talk.has(last, "correction")


def _is_countered_for(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“I'll come this afternoon at four.” – “We close early today. Tomorrow morning?” – “Tomorrow at nine.” –
    “Better.”"""
    said = talk.remarks[old.place]
    later = new.thread.positions[0] - old.position
    if old.thread.kind not in ("promise", "plan") or not new.appointment or later not in range(_SOON):
        return False
    if later <= 1 and other_time(talk, said) is not None:
        return True
    return any(counters(talk, said, reply) for reply in talk.after(said))


def _is_given_for(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“I've got a table for Thursday at eight.” – “Yes, for five.” – “Could we do Friday?”, “I'm booked for
    Friday, but I've got to work.” – “Wednesday?”: nobody says that it is moved. Who wants one more keeps the
    old."""
    said = talk.remarks[old.place]
    known = any(talk.phrases.opens("yes", reply.marked) for reply in talk.after(said))
    is_offered = new.thread.positions[0] == old.position + 1
    known = known or (is_offered and _cannot_keep_it(talk, said))
    is_stated = said.said_by == "user" and talk.has(said, "has_booked") and ANSWERED not in old.thread.text
    is_agreed = new.thread.said_by == "agent" or ANSWERED in new.thread.text
    between = talk.remarks[old.place : new.place + 1]
    wants_more = any(talk.phrases.wants_more(remark.plain) or _goes_on(talk, remark) for remark in between)
    is_other = talk.has(talk.remarks[new.places[0]], "moved", "correction", "preferred")
    names_little = len(new.matters - old.matters) <= (_MATTERS_BESIDE if is_other else 0)
    return known and is_stated and is_agreed and names_little and not wants_more


def _cannot_keep_it(talk: ThreadTalk, said: Remark) -> bool:
    """“…, but I've got to work.”, not “…, but my husband needs one.”"""
    behind = talk.phrases.behind_but(said.marked)
    others: tuple[Kind, ...] = ("possessed", "another", "wants_a_visit")
    return behind != said.marked and not any(talk.phrases.has(kind, behind) for kind in others)


def _is_turned_down_for(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“When would you like it?” – “Tomorrow, if possible.” – “Tomorrow's tight. Friday?” – “Friday, yes.”"""
    wish, offer = talk.remarks[old.place], talk.remarks[new.places[0]]
    replies = offer.said_by == "agent" and new.thread.said_by == "user" and offer in talk.after(wish)
    days = old.thread.due, new.thread.due
    if not replies or None in days or days[0] == days[1] or len(wish.text.split()) > _BRIEF_ANSWER:
        return False
    said = [one for one in talk.message(offer) if one.place <= offer.place]
    is_named = any(days[0] in days_named(one, talk.phrases) for one in said)
    is_refused = any(talk.has(one, "refused") for one in said)
    return is_named and is_refused and not talk.phrases.wants_more(offer.plain)


def _is_passed_over_for(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“Could I come on Friday?” – “Friday I only have nine.” – “I'm at work then. Saturday maybe?” –
    “Saturday at eleven.” What the agent offered, and nobody took, gives way."""
    offer, asked = talk.remarks[old.place], talk.remarks[new.places[0]]
    reply = talk.message(asked)
    is_offer = (
        offer.said_by == "agent" and has_hour(offer.marked) and not talk.phrases.opens("yes", offer.marked)
    )
    is_bare = not talk.undated(asked) & talk.beside(asked, "doubt")
    is_next = asked in talk.after(offer) and talk.asks(asked) and is_bare
    days = old.thread.due, new.thread.due
    if not (old.appointment and is_offer and is_next) or None in days or days[0] == days[1]:
        return False
    back = talk.after(talk.remarks[new.place])
    is_taken = talk.phrases.opens("yes", reply[0].marked) or any(repeats(talk, offer, r) for r in back)
    is_taken = is_taken or any(talk.phrases.wants_more(r.plain) for r in reply)
    return not is_taken and not (len(reply) == 1 and _goes_on(talk, asked))


def _goes_on(talk: ThreadTalk, remark: Remark) -> bool:
    """“And for Friday at seven, a table for ten?”"""
    begins = remark.plain.strip().partition(" ")[0] in manner(talk.phrases.tag).joints
    return begins and talk.has(remark, "time")


def _times_promised(talk: ThreadTalk, one: Candidate) -> frozenset[str]:
    return frozenset[str]().union(*(talk.phrases.times(talk.remarks[p].plain) for p in one.places[:-1]))


def _moves_another(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“Monday at six, then.” – “Oh, and the wedding's been moved, it's on the seventh of March now.” What was
    spoken of before may be what is on Monday."""
    behind = [talk.remarks[place] for place in new.places if place > old.place]
    told = [one for one in behind if not (talk.asks(one) or talk.has(one, "request"))]
    moved = [(one, found.start()) for one in told if (found := talk.find("moved", one.marked))]
    named = [talk.undated(between(one, 0, start)) for one, start in moved]
    weekdays = frozenset[str]().union(*(talk.phrases.weekdays(one.plain) for one, _ in moved))
    if not named or not all(named) or old.weekdays & weekdays:
        return False
    known = old.matters | talk.matters(*talk.remarks[: moved[0][0].place])
    return known.isdisjoint(frozenset[str]().union(*named))


def _moved(old: Candidate, new: Candidate, changes: Sequence[int], of_it: Sequence[int]) -> bool:
    """Tell whether the new takes the old one's place. The agent's mere “it's changed”, and “can we push it
    back?”, are of the appointment there is."""
    changed = bisect_right(changes, old.places[0]) < bisect_right(changes, new.place)
    are_apart = bool(old.matters and new.matters) and old.matters.isdisjoint(new.matters)
    says_changed = new.thread.said_by == "agent" and new.place in changes and len(new.matters) <= _FEW_MATTERS
    moves_it = any(old.places[0] < place <= new.place for place in of_it)
    return changed and (not are_apart or says_changed or moves_it)


def _puts_right(old: Candidate, new: Candidate, corrections: frozenset[int]) -> bool:
    """“She'll be back on Thursday. Wait, no, Monday the 30th.”"""
    is_same_breath = new.thread.positions[0] == old.position and new.places[0] > old.place
    return is_same_breath and not corrections.isdisjoint(new.places[:1])


def _importance(one: Candidate) -> tuple[bool, int, int]:
    thread = one.thread
    return thread.due is None, _FIRST_KINDS.index(thread.kind), -thread.positions[-1]
