"""A time that is proposed, and taken."""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import dropwhile

from msgspec.structs import replace

from voice_server.digest.dates.dates import tells_of_the_past
from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.appointments.assents import agrees, is_mere_yes
from voice_server.digest.threads.opening.appointments.counters import is_reason, other_time
from voice_server.digest.threads.opening.appointments.instructed import tells_what_to_do
from voice_server.digest.threads.opening.appointments.offers import (
    day_before_the_hour,
    is_of_a_time,
    is_proposed,
    minds,
    says_they_talk,
    takes_it_back,
)
from voice_server.digest.threads.opening.appointments.proposed_days import (
    day_chosen,
    day_countered,
    day_in_week_given_up,
    day_just_said,
    day_kept,
    day_of_the_hour,
    day_offered,
    day_put_right,
    day_spoken_of,
    day_wished,
    other_date,
)
from voice_server.digest.threads.opening.appointments.times import (
    BRIEF_ANSWER,
    begins_with_a_time,
    names_its_day,
    repeats,
    repeats_the_hour,
    says_which_weekday,
)
from voice_server.digest.threads.opening.appointments.wishes import tells_when_open
from voice_server.digest.threads.opening.candidate import Candidate, of_answer, of_exchange
from voice_server.digest.threads.speech.due import due_day, named_ahead, whole_day
from voice_server.digest.threads.speech.phrases import (
    Kind,
    ends_a_sentence,
    has_hour,
    names_a_time,
    times_named,
)
from voice_server.digest.threads.speech.references import is_denied, puts_right
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_LONGEST_PROPOSAL, _LONGEST_UNPUNCTUATED = 15, 18  # words
_SOON = 8  # sentences behind a time, in which it is taken back
_LONGEST_YES = 6  # words
_FEW_MATTERS = 2  # of “Could my wife come in December?”
_MERE_END = 1  # words of “…, then.”
_A_WEEK = timedelta(days=7)
_OTHER_TIMES: tuple[Kind, ...] = ("sooner", "other_time", "another_one", "preferred", "moved")
_AGREED: tuple[Kind, ...] = ("agreed_on", "booked", "has_booked", "standing", "stays", "moved", "slot")


def accepted_proposal(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “I can do Friday at two.” – “Friday at two's good.”"""
    asked = _proposal_in(talk, remark)
    if asked is None:
        return None
    is_farewell = talk.has(remark, "farewell") and not (talk.asks(remark) or says_they_talk(talk, remark))
    tells_a_price = talk.has(remark, "rise") and not talk.asks(remark)
    is_none = is_farewell or tells_a_price or asks_of_the_past(talk, remark) or tells_what_to_do(talk, remark)
    is_none = is_none or _asks_of_what_stands(talk, remark) or says_which_weekday(talk, remark)
    is_none = is_none or _asks_which_is_off(talk, remark)
    if is_none or is_reason(talk, remark) or tells_when_open(talk, remark):
        return None
    standing = talk.phrases.standing(remark.marked, remark.marked)
    names_one = (
        talk.phrases.has("time", standing) or talk.has(asked, "another_date")
    ) and not talk.phrases.has("cancelled", standing)
    if not names_one or _gives_way(talk, remark):
        return None
    replies = talk.after(remark)
    # “I've got your date: Thursday.”, not “Saturday at ten, Jasmin's there, too.”
    is_done = talk.has(_without_aside(talk, asked), "done") and not talk.has(asked, "slot")
    is_idle = is_done or (talk.asks(remark) and talk.has(asked, "idle_question"))
    is_idle = is_idle and not (talk.has(remark, "suits") and is_of_a_time(talk, remark))
    is_idle = is_idle and not _asks_of_a_time_alone(talk, remark)
    is_idle = is_idle and not any(_tells_its_hour(talk, remark, reply) for reply in replies)
    if is_idle or _is_moved_away(talk, remark, replies) or _asks_of_a_month(talk, remark):
        return None
    answer = next((r for r in replies if _takes_it(talk, remark, r)), None)
    answer = answer or _way_found(talk, remark) or _taken_after_asking(talk, remark)
    if answer is None or _is_gone(talk, remark, answer) or _asks_for_another_instead(talk, remark, answer):
        return None
    return _agreed_on(talk, remark, asked, answer)


def _agreed_on(talk: ThreadTalk, remark: Remark, asked: Remark, answer: Remark) -> Candidate:
    said = _yes_alone(talk, remark, answer)
    if _asks_to_be_reminded(talk, remark):
        return of_exchange(talk, asked, said, "request")
    visit = _visit_promised(talk, remark) or day_before_the_hour(talk, remark)
    visit = visit or _day_asked_before(talk, remark)
    made = (
        of_exchange(talk, asked, said, "plan", appointment=True)
        if visit is None
        else replace(of_answer(talk, (visit, asked), (said,), "plan"), appointment=True)
    )
    due = day_in_week_given_up(talk, remark, answer) or day_put_right(talk, remark, answer)
    due = due or day_chosen(talk, remark, answer)
    due = due or day_countered(talk, remark) or other_date(talk, remark)
    due = due or _day_said_again(talk, remark, answer)
    due = due or _day_instead(talk, remark, answer)
    due = due or made.thread.due or _day_before(talk, remark, answer)
    is_weekly = made.is_weekly or (talk.phrases.is_recurring(asked.plain) and not talk.days(asked))
    dated = _day_by_number(talk, asked) if is_weekly else None
    due = dated if is_weekly else due  # “Then Wednesdays at five?” is of no day that was named before
    return replace(made, is_weekly=is_weekly and not dated, thread=replace(made.thread, due=due))


def _day_by_number(talk: ThreadTalk, offer: Remark) -> date | None:
    """“Monday the 23rd at seven.” – “I'm closed on Mondays, better still.” is of that day."""
    day = due_day(offer, talk.phrases)
    numbers = talk.phrases.numbers_besides_hours(offer.plain, offer.marked)
    return day if day and day.day in numbers else None


def _asks_to_be_reminded(talk: ThreadTalk, remark: Remark) -> bool:
    """“Can you remind me on Monday evening?”, not “Could we do Wednesday, and will you remind me?”"""
    found = talk.find("reminds", remark.marked) if talk.has(remark, "errand") else None
    if found is None or remark.said_by == "agent" or not talk.asks(remark):
        return False
    return not talk.phrases.has("time", remark.marked[: found.start()])


def _asks_of_what_stands(talk: ThreadTalk, asked: Remark) -> bool:
    """“Is it still half past two?” is of an appointment made before, whose day nobody says again."""
    names_a_day = any(talk.days(one) or whole_day(one, talk.phrases) for one in talk.message(asked))
    return talk.asks(asked) and talk.has(asked, "still_on") and not names_a_day


def _asks_which_is_off(talk: ThreadTalk, asked: Remark) -> bool:
    """“I have to cancel next Tuesday.” – “The first of December?” – “Exactly.” offers none."""
    is_bare = talk.asks(asked) and not has_hour(asked.marked) and not talk.undated(asked)
    day = due_day(asked, talk.phrases) if is_bare else None
    off = [one for one in talk.before(asked) if day and talk.has(one, "cancelled") and not talk.asks(one)]
    return any(
        day is not None
        and day.weekday() in talk.phrases.weekdays(one.plain)
        and due_day(one, talk.phrases) in (None, day)
        for one in off
    )


def _asks_of_a_time_alone(talk: ThreadTalk, asked: Remark) -> bool:
    """“How's Friday at ten?”, not “How was Friday?”"""
    is_whole = bool(talk.days(asked)) and has_hour(asked.marked)
    return is_whole and due_day(asked, talk.phrases) is not None and not talk.undated(asked)


def _tells_its_hour(talk: ThreadTalk, asked: Remark, reply: Remark) -> bool:
    """Read “The 28th, right?” – “Yes, the 28th at eleven.” as agreed on."""
    is_bare = begins_with_a_time(asked) and not has_hour(asked.marked) and asked.said_by == "user"
    tells = has_hour(reply.marked) and talk.phrases.opens("yes", reply.marked) and not talk.asks(reply)
    return is_bare and tells and names_its_day(talk, asked, reply)


def _way_found(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return what makes an offer possible: “He can come on Wednesday at eight.” – “I'm at work then. But my
    neighbour has a key.” – “Great, he'll ring there.”"""
    replies = talk.after(remark)
    ways = [one for one in replies if _lets_in(talk, one, first=replies[0])]
    is_offer = remark.said_by == "agent" and bool(talk.days(remark))
    other = (one for one in replies if names_a_time(one.marked) and not repeats(talk, remark, one))
    if not ways or not is_offer or any(map(talk.asks, replies)) or any(other):
        return None
    back = talk.after(replies[-1])
    is_open = any(
        talk.asks(one) or names_a_time(one.marked) or talk.has(one, "refused", "cancelled")
        for one in back[:1]
    )
    is_heard = bool(back) and (
        talk.phrases.opens("yes", back[0].marked) or bool(talk.undated(back[0]) & talk.undated(ways[-1]))
    )
    return ways[-1] if is_heard and not is_open else None


def _lets_in(talk: ThreadTalk, reply: Remark, first: Remark) -> bool:
    """“I'm not in then, but my wife is.”, or a sentence later."""
    behind = talk.phrases.behind_but(reply.marked) if reply == first else reply.marked
    return (reply != first or behind != reply.marked) and talk.phrases.has("lets_in", behind)


def _taken_after_asking(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return what takes an offer once a question of it is answered: “Saturday at ten?” – “Is Jasmin in?” –
    “She is.” – “Then I'll take that.” A mere yes may be to the answer, unless that is a yes and no question
    follows."""
    said = talk.after(remark) if remark.said_by == "agent" else ()
    asked = [one for one in said if not (repeats(talk, remark, one) or _is_why(talk, one))]
    told = talk.after(asked[-1]) if asked and all(_asks_beside_it(talk, one) for one in asked) else ()
    others = [one for one in told if not _says_its_weekday(talk, remark, one)]
    replies = (
        talk.after(told[-1]) if told and not any(_tells_another_time(talk, one) for one in others) else ()
    )
    answer = next((r for r in replies if talk.has(r, "taken") or agrees(talk, remark, r)), None)
    if answer is None or any(minds(talk, one) for one in replies):
        return None
    is_for_sure = talk.has(answer, "taken") or repeats(talk, remark, answer)
    is_for_sure = is_for_sure or repeats_the_hour(talk, remark, answer)
    is_so = any(talk.has(one, "yes") for one in told) and not is_denied(talk, told[0])
    is_priced = any(talk.has(one, "sum") for one in (*asked, *told))
    is_its_yes = is_so and is_mere_yes(talk, answer) and not any(map(talk.asks, talk.after(answer)))
    is_its_yes = is_its_yes and not is_priced  # “Is it sixty?” – “Yes.” – “Okay, thanks anyway.”
    return answer if (is_for_sure or is_its_yes) and is_proposed(talk, remark, [answer]) else None


def _is_why(talk: ThreadTalk, said: Remark) -> bool:
    """“Can it be on Zoom? I get off work at five.”"""
    before = talk.sentence_before(said)
    minds = talk.days(said) or talk.has(said, "no", "refused", "cancelled", "unable")
    return before is not None and talk.asks(before) and not (talk.asks(said) or minds)


def _asks_beside_it(talk: ThreadTalk, asked: Remark) -> bool:
    """“Is Jasmin in then?”, “What does it cost?”, not “In the afternoon?”, “Is there anything later?”"""
    if talk.has(asked, "asked_weekday"):
        return talk.asks(asked)
    is_of_a_time = names_a_time(asked.marked) or talk.has(asked, "asked_when", *_OTHER_TIMES)
    minds = talk.has(asked, "no", "refused", "cancelled", "unable")
    return talk.asks(asked) and bool(talk.undated(asked)) and not (is_of_a_time or minds)


def _says_its_weekday(talk: ThreadTalk, offer: Remark, told: Remark) -> bool:
    """Tell so of “The third of December, at five?” – “What day's that?” – “A Thursday.”"""
    day = due_day(offer, talk.phrases)
    is_its_own = day is not None and talk.phrases.weekdays(told.plain) == {day.weekday()}
    return is_its_own and not has_hour(told.marked) and not talk.undated(told)


def _tells_another_time(talk: ThreadTalk, told: Remark) -> bool:
    is_of_a_time = names_a_time(told.marked) or has_hour(told.marked)
    return is_of_a_time or talk.asks(told) or talk.has(told, "waiting", "refused", "cancelled", "enquiry")


def _visit_promised(talk: ThreadTalk, asked: Remark) -> Remark | None:
    """“I'll send the plumber again. Does Monday at two suit you?”"""
    before = talk.sentence_before(asked) if asked.said_by == "agent" else None
    if before is None or not (talk.has(before, "promise") and talk.has(before, "visit")):
        return None
    beside = talk.undated(asked) & talk.beside(asked, "proposal")
    return None if talk.has(before, "time") or beside else before


def _day_asked_before(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the day of “Tuesday the first for the trial? Say five thirty?”"""
    said = talk.sentence_before(remark) if has_hour(remark.marked) and not talk.days(remark) else None
    is_day = said is not None and talk.asks(said) and bool(talk.days(said)) and not has_hour(said.marked)
    return said if is_day else None


def _is_gone(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“At ten?” – “Lovely.” – “Oh sorry, ten's gone.”"""
    refused = [r for r in talk.after(answer) if talk.has(r, "refused") and not talk.asks(r)]
    of_its_day = (r for r in refused if not talk.days(r) or repeats(talk, remark, r))
    return any(not talk.clocks(r) or talk.clocks(r) & talk.clocks(remark) for r in of_its_day)


def _asks_for_another_instead(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Wednesday, yes. Oh no, hang on, I've got the gas man. Could you do Thursday?”, “Fine. Oh no, I'm away
    then.”"""
    said = (one for one in talk.message(answer) if one.place > answer.place)
    behind = dropwhile(lambda one: not (is_denied(talk, one) or puts_right(talk, one)), said)
    return any(talk.has(one, "elsewhere") or _asks_for_another(talk, one, remark, answer) for one in behind)


def _asks_for_another(talk: ThreadTalk, asked: Remark, offer: Remark, answer: Remark) -> bool:
    """“Could you do Thursday?”, not “Is Friday a bank holiday?”, nor “At nine, isn't it?”"""
    weekdays = talk.phrases.weekdays
    days = weekdays(asked.plain) - (weekdays(answer.plain) or weekdays(offer.plain))
    hours = talk.clocks(asked) - (talk.clocks(answer) or talk.clocks(offer))
    is_time = bool(days or hours) or talk.has(asked, "sooner", "other_time", "another_one")
    return talk.asks(asked) and is_time and not talk.undated(asked) & talk.beside(asked, "preferred")


def asks_of_the_past(talk: ThreadTalk, asked: Remark) -> bool:
    """“Did the deposit go through on Tuesday?”, not “Did you put me down for Tuesday?”, “You said Tuesday at
    ten?”, nor “The appointment was on Tuesday?”"""
    if asked.said_by != "user" or not talk.asks(asked) or has_hour(asked.marked):
        return False
    if talk.has(asked, *_AGREED):
        return False
    is_over = tells_of_the_past(asked.text, talk.phrases.tag) or talk.has(asked, "asked_whether_done")
    says_what = bool(talk.undated(asked)) or talk.has(asked, "in_writing")
    return is_over and says_what and bool(talk.days(asked))


def _asks_of_a_month(talk: ThreadTalk, asked: Remark) -> bool:
    """“My wife's card expires in December, does the new one come by itself?”, “Could you send me the October
    invoice?”, not “In December?”"""
    numbers = talk.phrases.numbers_of_days(asked.plain, asked.marked)
    if asked.said_by != "user" or has_hour(asked.marked) or numbers or not talk.days(asked):
        return False
    says_what = len(talk.undated(asked)) > _FEW_MATTERS or talk.has(asked, "sending")
    if not (says_what and talk.asks(asked)):
        return False
    named = named_ahead(asked, talk.phrases)
    is_long = named is None or named.last - named.first > _A_WEEK
    return is_long and not talk.phrases.weekdays(asked.plain)


def _day_instead(talk: ThreadTalk, remark: Remark, answer: Remark) -> date | None:
    """“At four we close early today tomorrow morning” is of tomorrow, if the answer names no day."""
    asked = other_time(talk, remark) if due_day(answer, talk.phrases) is None else None
    return due_day(asked, talk.phrases) if asked is not None else None


def _day_said_again(talk: ThreadTalk, remark: Remark, answer: Remark) -> date | None:
    """“Come on Friday at ten.” – “Friday at ten, and call me on Thursday, please.”"""
    is_same = talk.phrases.weekdays(remark.plain) & talk.phrases.weekdays(answer.plain)
    goes_on = len(talk.phrases.weekdays(answer.plain)) > 1 and talk.has(answer, "request")
    return due_day(remark, talk.phrases) if is_same and goes_on else None


def _day_before(talk: ThreadTalk, remark: Remark, answer: Remark) -> date | None:
    """Borrow the day spoken of before, or its month, unless the proposal names another weekday: “And Mum's
    cut, on the Thursday?”"""
    day = day_just_said(talk, remark) or day_wished(talk, remark) or day_kept(talk, remark)
    day = day or day_of_the_hour(talk, remark) or day_offered(talk, remark)
    day = day or day_spoken_of(talk, remark, answer)
    weekdays = talk.phrases.weekdays(remark.plain)
    if day is None or (weekdays and day.weekday() not in weekdays):
        return None
    return _by_its_number(talk, remark, day)


def _by_its_number(talk: ThreadTalk, remark: Remark, day: date) -> date | None:
    """Return of “the fifth of January” – “Could we do the seventh?” the seventh of January; nothing where the
    number is an earlier one, or one of two: it may be of another month, or day."""
    plain, marked = (talk.phrases.standing(text, remark.marked) for text in (remark.plain, remark.marked))
    numbers = talk.phrases.numbers_of_days(plain, marked)
    if not numbers or day.day in numbers:
        return day
    number = min(numbers)
    is_later = len(numbers) == 1 and day.day < number <= monthrange(day.year, day.month)[1]
    return day.replace(day=number) if is_later else None


def _proposal_in(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Leave out of a long one what is said before."""
    is_punctuated = ends_a_sentence(remark.text)
    most = _LONGEST_PROPOSAL if is_punctuated else _LONGEST_UNPUNCTUATED
    is_long = len(remark.text.split()) > most
    asked = from_place(remark, _begin_of_proposal(talk, remark)) if is_long else remark
    if len(asked.text.split()) > most:
        asked = _without_aside(talk, asked)
    if len(asked.text.split()) > most and talk.has(remark, "slot"):
        asked = _from_its_day(asked)
    is_one = talk.has(asked, "proposal", "slot", "held", "another_date")
    return asked if is_one and len(asked.text.split()) <= most else None


def _without_aside(talk: ThreadTalk, asked: Remark) -> Remark:
    """Leave out what is said behind a day and hour: “Saturday the 5th, at eleven, Jasmin's in then, too.”"""
    times = list(times_named(asked.marked))
    end = asked.text.find(",", times[-1].end()) if times else -1
    aside = from_place(asked, end + 1)
    is_time = end > 0 and has_hour(asked.marked) and begins_with_a_time(between(asked, 0, end))
    minds = talk.has(aside, "no", "refused", "cancelled", "unable", "doubt", "suits", "correction")
    goes_against = talk.phrases.behind_but(aside.marked) != aside.marked
    is_more = len(aside.text.split()) > _MERE_END and not goes_against
    return between(asked, 0, end) if is_time and is_more and not (minds or talk.asks(asked)) else asked


def _from_its_day(slot: Remark) -> Remark:
    """Leave out “The first I have is …”."""
    day = next(times_named(slot.marked), None)
    return from_place(slot, day.start()) if day else slot


def _begin_of_proposal(talk: ThreadTalk, remark: Remark) -> int:
    """“She's ill on Thursday, could we say Friday?”, “Jana is away, but Ann has Friday at ten”, “the glass is
    in you can come on Friday at one”."""
    asked = talk.phrases.asks_from(remark.marked)
    behind = talk.phrases.behind_but(remark.marked)
    slot = talk.find("slot", remark.marked)
    return asked or len(behind) - len(behind.lstrip()) or (slot.start() if slot else 0)


def _takes_it(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    said = [reply for reply in talk.message(answer) if reply.place <= answer.place]
    head = _before_more(talk, answer)
    takes_all = agrees(talk, remark, answer)
    is_taken = takes_all or (head is not None and agrees(talk, remark, head))
    is_taken = is_taken and not (is_reason(talk, answer) or other_time(talk, answer))
    if takes_all or head is None:
        return is_taken and is_proposed(talk, remark, said)
    return is_taken and (is_proposed(talk, remark, said) or is_proposed(talk, remark, [*said[:-1], head]))


def _before_more(talk: ThreadTalk, answer: Remark) -> Remark | None:
    """“At twelve or at five.” – “Twelve and I'm bringing my sister.”"""
    if answer.said_by == "agent" or talk.asks(answer):
        return None
    taken = _time_taken(talk, answer)
    if taken is not None:
        return taken
    joint = talk.joint(answer)
    if joint is None or takes_it_back(talk, from_place(answer, joint.end())):
        return None
    if len(answer.plain[: joint.start()].split()) > BRIEF_ANSWER:
        return None
    return between(answer, 0, joint.start())


def _time_taken(talk: ThreadTalk, answer: Remark) -> Remark | None:
    """Return what takes a time before another matter: “thursday's fine no loan car”."""
    for word in list(re.finditer(r"\S+", answer.plain))[:BRIEF_ANSWER]:
        head, more = between(answer, 0, word.end()), from_place(answer, word.end())
        if names_a_time(head.marked) and talk.phrases.opens("yes", head.marked):
            is_other = bool(talk.undated(more)) and not _says_more_of_it(talk, more)
            is_no = manner(talk.phrases.tag).yes_no.match(more.text.strip()) is not None
            is_declined = is_no or talk.has(more, "no", "cancelled", "waved_off")
            return head if is_other and is_declined else None
    return None


def _says_more_of_it(talk: ThreadTalk, more: Remark) -> bool:
    but = {*talk.phrases.file.but.split()}
    is_of_it = has_hour(more.marked) or names_a_time(more.marked)
    return is_of_it or not but.isdisjoint(more.plain.split()) or talk.has(more, "doubt", "moved", "preferred")


def _gives_way(talk: ThreadTalk, remark: Remark) -> bool:
    """“On the 7th. Oh no, that's a Sunday. The 17th.”"""
    said = (r for r in talk.message(remark) if remark.place < r.place <= remark.place + _SOON)
    behind = dropwhile(lambda one: not puts_right(talk, one), said)
    return any(talk.has(one, "time") for one in behind)


def _is_moved_away(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """“Can I move it? It's Friday at eleven.” – “When would you like?”, or “Sure. Tuesday or Wednesday?”"""
    asked = any(
        talk.has(reply, "asked_when") or (talk.asks(reply) and talk.has(reply, "time")) for reply in replies
    )
    return asked and talk.has(remark, "moved")


def _yes_alone(talk: ThreadTalk, remark: Remark, answer: Remark) -> Remark:
    """Drop what goes on behind the yes where nobody punctuated."""
    found = talk.find("yes", answer.marked)
    goes_on = len(answer.text.split()) > _LONGEST_YES and not repeats(talk, remark, answer)
    if found is None or answer.text.rstrip()[-1:] in ".!?…" or not goes_on:
        return answer
    end = found.end()
    return replace(answer, text=answer.text[:end], plain=answer.plain[:end], marked=answer.marked[:end])


def is_excuse(talk: ThreadTalk, remark: Remark) -> bool:
    """“Tuesday at two?” – “Tuesday I have my class.”"""
    if is_reason(talk, remark):
        return True
    if other_time(talk, remark) is not None:
        return False
    proposed = any(talk.has(r, "proposal") and repeats(talk, r, remark) for r in talk.before(remark))
    return proposed and not talk.phrases.opens("yes", remark.marked)
