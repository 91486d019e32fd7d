"""What the user says of a day to come, or must do then."""

import re
from datetime import date
from itertools import takewhile

from msgspec.structs import replace

from voice_server.digest.dates.dates import tells_of_the_past
from voice_server.digest.language.calendar_names import MONTHS_OF_ALL
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.threads.opening.appointments.counters import other_time
from voice_server.digest.threads.opening.appointments.hours_instead import wishes_for_another
from voice_server.digest.threads.opening.appointments.proposals import is_excuse
from voice_server.digest.threads.opening.appointments.wishes import (
    LOOKED_FOR,
    is_put_off,
    is_refused_later,
    tells_when_open,
)
from voice_server.digest.threads.opening.candidate import (
    Candidate,
    of_answer,
    of_exchange,
    of_remark,
    of_remarks,
)
from voice_server.digest.threads.opening.context import in_context
from voice_server.digest.threads.opening.corrections.given_up_days import is_thought_better_of
from voice_server.digest.threads.opening.plans.presents import told_in_present
from voice_server.digest.threads.opening.purposes import led_by
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import (
    due_day,
    named_ahead,
    named_day,
    names_its_weekday,
    weeks_named,
    whole_day,
    without_day_taken_back,
)
from voice_server.digest.threads.speech.phrases import (
    DONE,
    Kind,
    goes_on_and_on,
    has_hour,
    names_a_time,
    times_named,
)
from voice_server.digest.threads.speech.references import (
    FEWEST_MATTERS,
    asked_before,
    clauses,
    is_denied,
    needs_context,
    own_context,
    takes_leave,
    what_holds,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_LONGEST_PLAN = 40  # words: more are talk, not an appointment
_BRIEF_QUESTION = 4  # words
_BARE_QUESTION = 2  # words of “When?”, “Wann denn?”
_BRIEF_PLAN, _BRIEF_BESIDE = 8, 7  # and words beside its time, of which one word says what it is
_FIXED: tuple[Kind, ...] = ("agreed_on", "booked", "has_booked")
_UNDOING: tuple[Kind, ...] = (
    "cancelled", "no_more", "moved", "correction", "doubt", "waiting", "refused", "no_show", "other_day",
)  # fmt: skip
_WORD = re.compile(r"[a-z]\S*")
_SPOKEN = re.compile(r"\w+")
_BEFORE_ITS_DAY, _BEHIND_ITS_DAY, _SHORTEST_LEAD = 10, 12, 2  # words


def plan(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read what the user says of a day to come, or must do then or today."""
    if remark.said_by != "user" or wishes_for_another(talk, remark) or tells_when_open(talk, remark):
        return None
    remark = _put_right(talk, without_day_taken_back(remark, talk.phrases))
    holds = what_holds(talk, remark)
    if holds is not remark:
        made = _plan_of(talk, holds) or _plan_in_present(talk, holds)
        return replace(made, thread=replace(made.thread, text=quoting.quote(remark))) if made else None
    made = _plan_of(talk, remark) or _plan_in_present(talk, remark) or _plan_before_the_rest(talk, remark)
    other = other_time(talk, remark)
    if made is None or other is None:
        return made
    return replace(made, thread=replace(made.thread, due=due_day(other, talk.phrases) or made.thread.due))


def _put_right(talk: ThreadTalk, remark: Remark) -> Remark:
    """Read “On the fourth. No, on the fifth.” without its “no”."""
    before, first = talk.sentence_before(remark), next(times_named(remark.marked), None)
    if before is None or first is None or not is_thought_better_of(talk, before):
        return remark
    if names_its_weekday(before.plain, remark.plain, talk.phrases):
        return remark  # “Tuesday. No, Wednesday, I've the dentist on Tuesday.”
    read = from_place(remark, first.start())
    return replace(remark, plain=read.plain, marked=read.marked)


def _plan_in_present(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “I'm talking to my boss on Monday”, and “He comes on Sunday”, which is told with who “he” is."""
    made = told_in_present(talk, remark)
    if made is None or takes_leave(talk, remark) or is_excuse(talk, remark) or _was_then(talk, remark):
        return None
    return made


def _was_then(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell so of “I fetched my glasses on Monday, at last I'm reading the menu.”, not of “She's invited me on
    Sunday, we're eating together.”"""
    parts = [one for one in clauses(remark, talk) if names_a_time(one.marked)]
    return bool(parts) and all(
        talk.has(one, *DONE) and tells_of_the_past(one.text, talk.phrases.tag) for one in parts
    )


def _plan_before_the_rest(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “I'm having my knee done on Friday, I won't be able to drive for a month”, not “… it isn't certain
    yet”."""
    last = max((one.end() for one in times_named(remark.marked)), default=None)
    if last is None or talk.asks(remark):
        return None
    for end in _ends_of_clauses(talk, remark):
        rest = between(remark, end, len(remark.text))
        if end < last or not talk.matters(rest):
            continue
        if talk.has(rest, *_UNDOING) or talk.phrases.behind_but(rest.marked) != rest.marked:
            return None
        head = between(remark, 0, end)
        made = _plan_of(talk, head) or _plan_in_present(talk, head)
        return replace(made, thread=replace(made.thread, text=quoting.quote(remark))) if made else None
    return None


def _ends_of_clauses(talk: ThreadTalk, remark: Remark) -> list[int]:
    joints = manner(talk.phrases.tag).joints
    joined = {one.start() for one in _SPOKEN.finditer(remark.plain) if one[0] in joints}
    return sorted(joined | {end for _, end in talk.phrases.clauses(remark.plain, joints)})


def _plan_of(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    remark = _near_its_day(talk, remark)
    day = named_day(remark, talk.phrases) or _day_of_an_hour(talk, remark) or _day_wished_for(talk, remark)
    is_duty = whole_day(remark, talk.phrases) is not None and talk.has(remark, "duty")
    is_ahead = day is not None and (day > remark.said_on or (is_duty and day == remark.said_on))
    is_bare = not is_ahead and names_a_time(remark.marked) and not talk.undated(remark)
    if not (is_ahead or is_bare) or talk.asks(remark) or _plans_nothing(talk, remark):
        return None
    if is_bare:
        return _with_what_it_is(talk, remark)
    asked = _asked_when_it_is(talk, remark)
    if asked is not None:
        return _with_what_is_asked(talk, asked, remark)
    if is_duty:
        made = _duty(talk, remark)
        return replace(made, thread=replace(made.thread, due=day)) if made else None
    if _tells_what(talk, remark):
        return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    return _with_what_it_is(talk, remark)


def _day_of_an_hour(talk: ThreadTalk, remark: Remark) -> date | None:
    """“I have the dentist on Friday at ten”, “Anything this week?” – “Physio on Friday at ten.”: who gives
    the hour, and tells nothing that is over, speaks of what is to come."""
    if not has_hour(remark.marked) or tells_of_the_past(remark.text, talk.phrases.tag):
        return None
    is_asked = any(_asks_what_is_on(talk, one) for one in talk.before(remark))
    is_on = (is_asked or talk.has(remark, "has_on")) and not is_put_off(talk, talk.after(remark))
    return due_day(remark, talk.phrases) if is_on else None


def _day_wished_for(talk: ThreadTalk, remark: Remark) -> date | None:
    """“I'd like to book the hall.” – “Which Sunday?” – “The thirteenth of December.”, “I've got the eye
    clinic.” – “When is it?” – “The fourteenth.”"""
    asked = _asked_when_it_is(talk, remark)
    is_of_it = asked and (_wished_for(talk, asked) or _what_is_on(talk, asked))
    return due_day(remark, talk.phrases) if is_of_it else None


def _asks_what_is_on(talk: ThreadTalk, asked: Remark) -> bool:
    """“Anything this week?”, not “How can I help you?”, “When was it?”, nor “When?” behind what happened."""
    if not talk.asks(asked) or asked.position == talk.remarks[0].position:
        return False
    said = (asked, *talk.before(asked)[-1:])
    is_over = any(tells_of_the_past(one.text, talk.phrases.tag) for one in said)
    return not (is_over or talk.phrases.is_recurring(asked.plain) or talk.has(asked, "done", "not_done"))


def _with_what_it_is(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “The doctor wants an X-ray. December the fourth.”; one word is enough where an hour is beside
    the day (“They're doing the cataract. Monday at eight.”), or it is fixed: “They've scheduled my operation.
    It's on the fourth.”"""
    before = talk.sentence_before(remark)
    is_fixed = before is not None and talk.has(before, *_FIXED)
    fewest = 1 if is_fixed or has_hour(remark.marked) else FEWEST_MATTERS
    own = own_context(talk, remark, fewest) if not talk.undated(remark) else None
    if own is not None and not is_fixed and tells_of_the_past(own.text, talk.phrases.tag):
        return None
    day = due_day(remark, talk.phrases)
    is_ahead = day is not None and day > remark.said_on
    if own is None and before is not None and is_fixed and is_ahead:
        return _booked_as_asked(talk, before, remark)
    if own is None or not is_ahead or _plans_nothing(talk, own) or names_a_time(own.marked):
        return None
    text = quoting.sentences(own, remark)
    return of_remarks(talk, (own, remark), "plan", "user", text, appointment=True)


def _booked_as_asked(talk: ThreadTalk, booked: Remark, remark: Remark) -> Candidate | None:
    """“And the doctor?” – “Booked! The eighth of December, at one.”"""
    asked = asked_before(talk, booked)
    if asked is None or not talk.matters(asked) or talk.asks(booked):
        return None
    return replace(of_answer(talk, (asked,), (booked, remark), "plan"), appointment=True)


def on_the_other_day(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read the user's “My daughter isn't coming on Saturday but on Sunday”, and “He couldn't fix it, he's
    coming back on Tuesday”."""
    is_told = remark.said_by == "user" and not talk.asks(remark)
    kinds: tuple[Kind, ...] = ("other_day", "goes_instead") if is_told else ()
    found = next((one for kind in kinds if (one := talk.find(kind, remark.marked))), None)
    if found is None or not talk.undated(remark):
        return None
    start = [*times_named(found[0])][-1].start() if talk.has(remark, "other_day") else 0
    day = due_day(between(remark, found.start() + start, found.end()), talk.phrases)
    if day is None or day <= remark.said_on or talk.has(remark, "doubt"):
        return None
    made = of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)
    return replace(made, thread=replace(made.thread, due=day))


def comes_instead(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Alan didn't come on Sunday, he's coming this Saturday”. A bare “He's coming on Saturday now” is
    told with what did not happen: “He never turned up.”, or “Did Alan come?” – “No, he was ill.”"""
    if remark.said_by != "user" or not talk.has(remark, "time") or talk.asks(remark):
        return None
    holds = what_holds(talk, remark)
    if not _is_ahead_instead(talk, holds):
        return None
    if holds is not remark:
        is_no_show = talk.has(between(remark, 0, len(holds.text) - len(holds.text.lstrip())), "no_show")
        made = of_remark(talk, holds, "plan", quoting.quote(remark), appointment=True)
        return replace(made, matters=talk.matters(remark)) if is_no_show else None
    failed = talk.sentence_before(remark)
    is_no_show = failed is not None and talk.has(failed, "no_show")
    if failed is not None and is_no_show and talk.beside(failed, "no_show"):
        text = quoting.sentences(failed, remark)
        return of_remarks(talk, (failed, remark), "plan", "user", text, appointment=True)
    asked = next((one for one in talk.before(remark) if talk.asks(one) and talk.matters(one)), None)
    is_denied_before = asked is not None and talk.has(asked, "asked_whether_done", "done")
    if asked is None or not (is_no_show or (is_denied_before and is_denied(talk, talk.message(remark)[0]))):
        return None
    made = of_exchange(talk, asked, remark, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=named_day(remark, talk.phrases)))


def comes_later(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Any news of Duncan?” – “He's only coming on the 23rd after all.”, whose month is that of the day
    it puts off."""
    if remark.said_by != "user" or talk.asks(remark) or not talk.has(remark, "comes_later"):
        return None
    asked = next((one for one in reversed(talk.before(remark)) if talk.asks(one) and talk.matters(one)), None)
    text = quoting.quote(remark) if asked is None else quoting.exchange(asked.text, quoting.excerpt(remark))
    told = (remark,) if asked is None else (asked, remark)
    made = of_remarks(talk, told, "plan", "user", text, appointment=True)
    has_its_month = not MONTHS_OF_ALL.isdisjoint(words(remark.text))
    due = named_day(remark, talk.phrases) or (due_day(remark, talk.phrases) if has_its_month else None)
    return replace(made, thread=replace(made.thread, due=due))


def _is_ahead_instead(talk: ThreadTalk, holds: Remark) -> bool:
    day = named_day(holds, talk.phrases)
    unsure = talk.has(holds, "doubt", "unplanned", "cancelled", "no_show", "correction")
    promises = talk.has(holds, "promise") and not talk.has(holds, "another")
    is_idle = talk.phrases.is_recurring(holds.plain) or talk.asks(holds)
    return day is not None and day > holds.said_on and not (unsure or promises or is_idle)


def _near_its_day(talk: ThreadTalk, remark: Remark) -> Remark:
    """Keep the words around its day where nobody punctuates."""
    ahead = named_ahead(remark, talk.phrases) if goes_on_and_on(remark.marked) else None
    if ahead is None:
        return remark
    joints = manner(talk.phrases.tag).joints
    before, behind = remark.text[: ahead.start].split(), remark.text[ahead.end :].split()
    lead = before[-_BEFORE_ITS_DAY:]
    joined = [at for at in range(len(lead) - _SHORTEST_LEAD) if lead[at].lower() in joints]
    start = ahead.start - len(" ".join(lead[joined[-1] if joined else 0 :])) - 1
    rest = list(takewhile(lambda word: word.lower() not in joints, behind[:_BEHIND_ITS_DAY]))
    return between(remark, max(start, 0), ahead.end + 1 + len(" ".join(rest)))


def _duty(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Tell “I must ring her tonight” with what says whom."""
    told = (
        in_context(talk, remark, asked_before(talk, remark), "plan") if needs_context(talk, remark) else None
    )
    if told is not None or not talk.undated(remark):
        return told
    return of_remark(talk, remark, "plan", quoting.quote(remark), appointment=True)


def _plans_nothing(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell whether it is no plan; “it's been moved to the 10th” is one."""
    is_moved = talk.has(remark, "moved") and talk.has(remark, "done")
    unplanned = talk.has(remark, "doubt", "cancelled", "waiting", "correction")
    unplanned = unplanned or (talk.has(remark, "unplanned", "done") and not is_moved)
    unplanned = unplanned or (talk.has(remark, *LOOKED_FOR) and _is_not_to_be_had(talk, remark))
    is_idle = talk.phrases.is_recurring(remark.plain) or takes_leave(talk, remark)
    return unplanned or is_idle or is_excuse(talk, remark)


def _is_not_to_be_had(talk: ThreadTalk, wish: Remark) -> bool:
    return is_put_off(talk, talk.after(wish)) or is_refused_later(talk, wish)


def _asked_when_it_is(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """“When's the wedding?” – “In June.”, “And your niece?” – “She's getting married in June in Cádiz.”"""
    said_before = [one for one in talk.message(remark) if one.place < remark.place]
    is_first = all(is_thought_better_of(talk, one) or _will_not_do(talk, one) for one in said_before)
    asked = asked_before(talk, remark) if is_first else None
    is_short = len(remark.plain.split()) <= _BRIEF_PLAN or talk.has(remark, "has_booked")
    is_led_to = asked is not None and len(asked.text.split()) <= _BRIEF_QUESTION
    is_brief = is_short and (is_led_to or len(talk.undated(remark)) < FEWEST_MATTERS)
    if asked is None or not is_brief or talk.has(asked, "unplanned"):
        return None
    is_of_it = bool(talk.matters(asked)) or talk.has(asked, "to_fetch")
    return asked if is_of_it or _wished_for(talk, asked) or _what_is_on(talk, asked) else None


def _will_not_do(talk: ThreadTalk, remark: Remark) -> bool:
    """“When will you collect it?” – “I can't this week. On Saturday the fifth.”"""
    names_one = names_a_time(remark.marked) or bool(weeks_named(remark, talk.phrases))
    return names_one and talk.has(remark, "unplanned", "not_done", "cancelled", "unable")


def _what_is_on(talk: ThreadTalk, asked: Remark) -> Remark | None:
    """Return what was said before “When do they want you?”: “I got the letter from the eye clinic.” A bare
    “When?” may be of what happened, unless that is what one has or must do."""
    told = [one for one in talk.before(asked) if one.said_by == "user" and talk.undated(one)]
    if asked.said_by != "agent" or not told or not talk.has(asked, "asked_of_it"):
        return None
    is_bare = len(_SPOKEN.findall(asked.plain)) <= _BARE_QUESTION
    is_ahead = talk.has(told[-1], "has_on", "has_booked", "duty") or not is_bare
    is_over = is_bare and tells_of_the_past(told[-1].text, talk.phrases.tag)
    return told[-1] if is_ahead and not is_over else None


def _with_what_is_asked(talk: ThreadTalk, asked: Remark, remark: Remark) -> Candidate | None:
    if _is_not_to_be_had(talk, remark):
        return None
    wish = _wished_for(talk, asked)
    if wish is None:
        made = of_exchange(talk, asked, remark, "plan", appointment=True)
        told = _what_is_on(talk, asked)
        return replace(made, thread=led_by(made.thread, told)) if told else made
    text = quoting.sentences(wish, remark)
    return of_remarks(talk, (wish, remark), "plan", "user", text, appointment=True)


def _wished_for(talk: ThreadTalk, asked: Remark) -> Remark | None:
    """“I'd like to book the hall.” – “When for?”, not “I need a trial. My sister's getting married.” –
    “When's the big day?”"""
    said = talk.before(asked) if talk.has(asked, "asked_which_day") else ()
    wish = next((one for one in said if talk.has(one, *LOOKED_FOR) and talk.undated(one)), None)
    is_other = wish is not None and said[-1] != wish and bool(talk.undated(asked))
    return None if is_other else wish


def _tells_what(talk: ThreadTalk, remark: Remark) -> bool:
    """“My operation is in six weeks”: one word is enough where it is brief; “I've an appointment” says it."""
    if talk.has(remark, "has_booked"):
        return True
    matters, length = len(talk.undated(remark)), len(remark.text.split())
    if matters >= FEWEST_MATTERS:
        return length <= _LONGEST_PLAN
    is_brief = length <= _BRIEF_PLAN or len(_WORD.findall(remark.marked)) <= _BRIEF_BESIDE
    return bool(matters) and is_brief
