"""What gives way to an appointment that is made later: an earlier one, or the wish it is made of."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from itertools import islice

from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.appointments.counters import counters, other_time
from voice_server.digest.threads.opening.appointments.times import repeats
from voice_server.digest.threads.opening.appointments.wishes import wishes_for_a_week
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.corrections.objections import OBJECTIONS
from voice_server.digest.threads.opening.corrections.put_off_promises import is_put_off, on_its_new_day
from voice_server.digest.threads.opening.corrections.wished_days import wished_instead
from voice_server.digest.threads.opening.merging import with_its_matter
from voice_server.digest.threads.opening.purposes import led_by, until_a_time
from voice_server.digest.threads.speech.due import days_named, weeks_named
from voice_server.digest.threads.speech.phrases import Kind, has_hour, times_named
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between
from voice_server.domain.digest import ThreadKind

_SOON = 3  # messages
_BRIEF_ANSWER = 4  # words
_FEW_MATTERS = 1  # of "two o'clock, five people, that's changed"
_MATTERS_BESIDE = 2  # of what takes another's place: “half past eight, and we'll be three”
_COMPARED = 8  # matters before an appointment, among which is the one whose place it takes
_MINDING: tuple[Kind, ...] = ("no", "no_more", "refused", "cancelled", "not_then", "preferred")
_OF_ANOTHER: tuple[Kind, ...] = ("possessed", "another", "wants_a_visit")
_WISHED: tuple[ThreadKind, ...] = ("plan", "request", "question")


def without_wishes(talk: ThreadTalk, found: Sequence[Candidate]) -> list[Candidate]:
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
    following = [one for one in agreed if one.thread.positions[0] == wish.position + 1]
    if wish.thread.kind == "request" and ANSWERED in wish.thread.text:
        # “Would you like an appointment?” – “Yes, on the ninth.” – “The ninth at ten.”
        return wish.thread.due is not None and any(one.thread.due == wish.thread.due for one in following)
    return (
        bool(following)
        and ANSWERED not in wish.thread.text
        and said.said_by == "user"
        and talk.has(said, "wants_a_visit")
    )


def _wished_weeks(talk: ThreadTalk, one: Candidate) -> list[date]:
    if one.thread.kind not in _WISHED:
        return []
    wishes = [talk.remarks[place] for place in one.places if wishes_for_a_week(talk, talk.remarks[place])]
    return [week for wish in wishes for week in weeks_named(wish, talk.phrases)]


def replaced(talk: ThreadTalk, found: Sequence[Candidate]) -> list[Candidate]:
    """Keep the latest, with the day where only the hour was changed."""
    moves = _Moves(talk)
    standing: dict[int, Candidate] = {}
    for number, made in enumerate(found):
        put_off = [n for n in _latest(standing) if is_put_off(talk, standing[n], made)]
        one = on_its_new_day(standing[put_off[-1]], made) if put_off else made
        latest = _latest(standing) if one.appointment or one.has_hour else []
        old = [n for n in latest if _gives_way(talk, standing[n], one) or moves.replace(standing[n], one)]
        before = [standing.pop(n) for n in sorted({*old, *put_off})]
        earlier = (o.thread.due for o in reversed(before) if o.thread.due and not one.weekdays)
        due = one.thread.due or next(earlier, None)
        told = _with_matter_of(talk, before[-1], one) if before else one
        standing[number] = replace(told, thread=replace(told.thread, due=due))
    return list(standing.values())


def _with_matter_of(talk: ThreadTalk, old: Candidate, new: Candidate) -> Candidate:
    if not _is_of_the_day_wished(talk, old, new) or ANSWERED in old.thread.text:
        return with_its_matter(old, new)
    what_for = until_a_time(talk, talk.remarks[old.place])
    return new if what_for is None else replace(new, thread=led_by(new.thread, what_for))


def _latest(standing: dict[int, Candidate]) -> list[int]:
    return sorted(islice(reversed(standing), _COMPARED))


def _gives_way(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    rules = (
        _is_refused_for,
        _is_countered_for,
        _is_asked_for_on,
        _is_given_for,
        _is_turned_down_for,
        _is_passed_over_for,
        _is_left_for,
        _is_minded_for,
        _is_at_another_hour_for,
        _is_dated_by,
        _is_of_the_day_wished,
    )
    return any(rule(talk, old, new) for rule in rules)


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


def _is_asked_for_on(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“Can you bring it in on Monday?” – “I work Mondays. Wednesday?” – “Wednesday, half past eight.”"""
    asked, offer = talk.remarks[old.place], talk.remarks[new.places[0]]
    is_request = old.thread.kind == "request" and asked.said_by == "agent" and new.appointment
    days = old.thread.due, new.thread.due
    is_soon = new.thread.positions[0] - old.position in range(1, _SOON)
    if not (is_request and is_soon) or None in days or days[0] == days[1]:
        return False
    replies = talk.after(asked)
    is_granted = any(talk.phrases.opens("yes", one.marked) for one in replies)
    is_granted = is_granted or any(talk.has(one, "promise", "bare_promise") for one in replies)
    return talk.asks(offer) and not talk.undated(offer) and not is_granted


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
    names_little = names_little or _names_both_dates(talk, old, new)
    return known and is_stated and is_agreed and names_little and not wants_more


def _names_both_dates(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“On the fifth I'm working, could it be the seventh?”"""
    near = range(new.thread.positions[0] - 1, new.position + 1)
    asked = [one for one in talk.remarks if one.position in near and talk.has(one, "another_date")]
    due = old.thread.due
    return due is not None and any(due.day in talk.phrases.numbers(one.plain) for one in asked)


def _cannot_keep_it(talk: ThreadTalk, said: Remark) -> bool:
    """“…, but I've got to work.”, not “…, but my husband needs one.”"""
    behind = talk.phrases.behind_but(said.marked)
    return behind != said.marked and not any(talk.phrases.has(kind, behind) for kind in _OF_ANOTHER)


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


def _is_left_for(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """Tell so of “The trial day is the fifth.” – “I'm working on the fifth, could we do the seventh?”"""
    told, asked = talk.remarks[old.place], talk.remarks[new.places[0]]
    before, then = old.thread.due, new.thread.due
    is_next = asked.said_by != told.said_by and asked.position == told.position + 1 and talk.asks(asked)
    if not (is_next and old.appointment and new.appointment) or not (before and then) or before == then:
        return False
    by_number = {before.day, then.day} <= talk.phrases.numbers_besides_hours(asked.plain, asked.marked)
    by_weekday = {before.weekday(), then.weekday()} <= talk.phrases.weekdays(asked.plain)
    keeps = talk.phrases.wants_more(asked.plain) or talk.phrases.opens("yes", asked.marked)
    return (by_number or by_weekday) and not (keeps or _goes_on(talk, asked) or talk.has(asked, "suits"))


def _is_minded_for(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“You're in on Friday at two.” – “That's no good.” – “How about Monday at two?” – “Fine.”, or “You wrote
    you're coming on Tuesday.” – “Yes.” – “Tuesday's bad, rather Wednesday.” – “Wednesday at ten.”"""
    told, offer = _last_told(talk, old), talk.remarks[new.places[0]]
    reply = talk.after(told) if told.said_by == "agent" and old.appointment and new.appointment else ()
    if not reply or offer.position not in (told.position + 1, told.position + 2):
        return False
    days = old.thread.due, new.thread.due
    is_other = None not in days and days[0] != days[1]
    besides = (talk.phrases.plain_besides("no_more", one.plain, one.marked) for one in (*reply, offer))
    wants_more = any(map(talk.phrases.wants_more, besides))
    minds = talk.phrases.opens("no", reply[0].marked) or any(talk.has(one, *_MINDING) for one in reply)
    minds = minds or (is_other and _puts_off(talk, reply, old))
    is_yes = talk.phrases.opens("yes", reply[0].marked) and not talk.asks(reply[0])
    is_taken = is_yes or any(talk.has(one, "stays") for one in reply)
    return is_other and minds and not (wants_more or is_taken)


def _last_told(talk: ThreadTalk, old: Candidate) -> Remark:
    """Return the agent's yes to what the user says of its day, or else the remark itself."""
    told = talk.remarks[old.place]
    known = told.said_by == "user" and _is_known(talk, told)
    return talk.after(told)[0] if known else told


def _puts_off(talk: ThreadTalk, reply: Sequence[Remark], old: Candidate) -> bool:
    """“Tuesday's bad, could you do Wednesday?”, not “Tuesday, right. Could I bring my son on Wednesday?”"""
    named = [one for one in reply if old.weekdays & talk.phrases.times(one.plain)]
    return any(talk.has(one, *OBJECTIONS) for one in named)


def _is_at_another_hour_for(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“I've got my eye test on Monday at ten.” – “Yes, I see it.” – “Could it be in the afternoon?” – “Half
    past six?” – “Great.” What the agent does not know of is something else."""
    is_its_day = old.thread.due is not None and new.thread.due in (None, old.thread.due)
    if not (old.appointment and is_its_day and _is_known(talk, talk.remarks[old.place])):
        return False
    hours, others = old.clocks, new.clocks
    names_little = len(new.matters - old.matters) <= _MATTERS_BESIDE
    if not (hours and others and hours.isdisjoint(others) and names_little):
        return False
    between = talk.remarks[old.place + 1 : new.place]
    asked = [one for one in between if one.said_by == "user" and talk.asks(one)]
    is_next = bool(asked) and asked[0].position - old.position <= _SOON
    return is_next and all(_asks_of_no_other(talk, one, old) for one in asked)


def _is_known(talk: ThreadTalk, told: Remark) -> bool:
    return told.said_by == "agent" or any(talk.phrases.opens("yes", one.marked) for one in talk.after(told))


def _asks_of_no_other(talk: ThreadTalk, asked: Remark, old: Candidate) -> bool:
    """“Could it be in the afternoon?”, not “And my husband's?”, nor “Could I have a cut on Monday at ten?”"""
    is_of_another = talk.has(asked, *_OF_ANOTHER) or talk.phrases.wants_more(asked.plain)
    names_another = talk.has(asked, "time") and bool(talk.undated(asked) - old.matters)
    return len(talk.undated(asked)) <= _FEW_MATTERS and not (is_of_another or names_another)


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
    weekdays = frozenset[str]().union(*(talk.phrases.times(one.plain) for one, _ in moved))
    if not named or not all(named) or old.weekdays & weekdays:
        return False
    known = old.matters | talk.matters(*talk.remarks[: moved[0][0].place])
    return known.isdisjoint(frozenset[str]().union(*named))


def _is_asked_and_taken(talk: ThreadTalk, moved: Remark) -> bool:
    """“Would you like to change the date?” – “Yes, to January.”"""
    replies = talk.after(moved)[:1] if moved.said_by == "agent" and talk.asks(moved) else ()
    return any(talk.phrases.opens("yes", one.marked.strip().partition(" ")[0]) for one in replies)


class _Moves:
    """Where a talk says that something is moved or corrected."""

    def __init__(self, talk: ThreadTalk) -> None:
        moved = [remark for remark in talk.remarks if talk.has(remark, "moved")]
        corrected = [remark for remark in talk.remarks if talk.has(remark, "correction")]
        self._talk = talk
        self._changes = sorted({remark.place for remark in (*moved, *corrected)})
        self._corrections = frozenset(remark.place for remark in corrected)
        of_it = (one for one in moved if talk.has(one, "pointer") or _is_asked_and_taken(talk, one))
        self._of_it = [remark.place for remark in of_it]

    def replace(self, old: Candidate, new: Candidate) -> bool:
        """Tell whether the new takes the place of an appointment."""
        if not old.appointment or _moves_another(self._talk, old, new):
            return False
        return (self._move(old, new) and not self._is_of_an_offer(old, new)) or self._put_right(old, new)

    def _move(self, old: Candidate, new: Candidate) -> bool:
        """Tell so also of the agent's mere “it's changed”, and of “can we push it back?”, which are of the
        appointment there is. What made the old one moves it no further: “And the talk?” – “It's Friday now.”
        – “Our next one on Monday?” – “Tuesday rather.”"""
        made = (self._made_before(place) for place in old.places if place in self._changes)
        since = max(made, default=old.places[0])
        changed = bisect_right(self._changes, since) < bisect_right(self._changes, new.place)
        are_apart = bool(old.matters and new.matters) and old.matters.isdisjoint(new.matters)
        is_said = new.thread.said_by == "agent" and new.place in self._changes
        says_changed = is_said and len(new.matters) <= _FEW_MATTERS
        moves_it = any(since < place <= new.place for place in self._of_it)
        return changed and (not are_apart or says_changed or moves_it)

    def _made_before(self, place: int) -> int:
        """Return the place of a change, or the one before it: “ive got a cut on friday can i change it”."""
        marked = self._talk.remarks[place].marked
        moved, time = self._talk.find("moved", marked), next(times_named(marked), None)
        is_moved_then = moved and time and time.end() <= moved.start() and place in self._of_it
        return place - 1 if is_moved_then else place

    def _is_of_an_offer(self, old: Candidate, new: Candidate) -> bool:
        """“It's on Friday.” – “Our next appointment on Monday?” – “I can't, rather Tuesday.”: all that was
        changed is the day that was offered, of something else."""
        since, until = bisect_right(self._changes, max(old.places)), bisect_right(self._changes, new.place)
        changes = [self._talk.remarks[place] for place in self._changes[since:until][: _SOON + 1]]
        return 0 < len(changes) <= _SOON and all(self._answers_an_offer_beside(one, old) for one in changes)

    def _answers_an_offer_beside(self, change: Remark, old: Candidate) -> bool:
        talk = self._talk
        offers = [one for one in talk.before(change) if talk.asks(one) and talk.days(one)]
        named = frozenset[str]().union(*(talk.undated(one) for one in offers))
        return change.said_by == "user" and bool(named) and named.isdisjoint(old.matters)

    def _put_right(self, old: Candidate, new: Candidate) -> bool:
        """“She'll be back on Thursday. Wait, no, Monday the 30th.”"""
        is_same_breath = new.thread.positions[0] == old.position and new.places[0] > old.place
        return is_same_breath and not self._corrections.isdisjoint(new.places[:1])


def _is_dated_by(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“We're doing it a week later.” – “The first of December then.” – “Yes, please.”"""
    said = talk.remarks[old.place]
    is_moved = old.thread.due is None and len(old.places) == 1 and talk.has(said, "moved")
    is_dated = new.thread.due is not None and ANSWERED in new.thread.text
    return is_moved and is_dated and new.thread.positions[0] == old.position + 1


def _is_of_the_day_wished(talk: ThreadTalk, old: Candidate, new: Candidate) -> bool:
    """“I've the talk on Thursday the 17th.” – “Yes.” – “Could it be the day before?” – “Wednesday at ten?” –
    “Great.”"""
    before, then = old.thread.due, new.thread.due
    if old.thread.kind != "plan" or not new.appointment or before is None or then is None:
        return False
    between = talk.remarks[old.place + 1 : new.place]
    wishes = (one for one in between if one.said_by == "user")
    return any(wished_instead(talk, one, before) == then for one in wishes)
