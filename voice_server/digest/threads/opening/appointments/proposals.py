"""A time that is proposed, and taken."""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import dropwhile

from msgspec.structs import replace

from voice_server.digest.dates.dates import tells_of_the_past
from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.appointments.assents import (
    agrees,
    echoes,
    is_mere_yes,
    offers_an_hour,
    takes_nothing,
)
from voice_server.digest.threads.opening.appointments.counters import is_reason, other_time
from voice_server.digest.threads.opening.appointments.instructed import tells_what_to_do
from voice_server.digest.threads.opening.appointments.other_hours import offers_a_time
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
    hours_given_up,
    other_date,
)
from voice_server.digest.threads.opening.appointments.times import (
    BRIEF_ANSWER,
    LONGEST_AGAIN,
    LONGEST_CHOICE,
    begins_with_a_time,
    names_its_day,
    names_its_hour,
    repeats,
    repeats_the_hour,
    says_its_date,
    words_of_hours,
)
from voice_server.digest.threads.opening.appointments.wishes import tells_when_open
from voice_server.digest.threads.opening.candidate import Candidate, of_answer, of_exchange
from voice_server.digest.threads.speech.due import due_day, named_ahead, weeks_named, whole_day
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
_GRANTING: tuple[Kind, ...] = ("promise", "bare_promise", "will_do", "beforehand", "day_before", "noted")
_AGREED: tuple[Kind, ...] = ("agreed_on", "booked", "has_booked", "standing", "stays", "moved", "slot")


def accepted_proposal(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “I can do Friday at two.” – “Friday at two's good.”"""
    asked = _proposal_in(talk, remark)
    if asked is None:
        return None
    is_farewell = talk.has(remark, "farewell") and not (talk.asks(remark) or _says_they_talk(talk, remark))
    tells_a_price = talk.has(remark, "rise") and not talk.asks(remark)
    is_none = is_farewell or tells_a_price or asks_of_the_past(talk, remark) or tells_what_to_do(talk, remark)
    is_none = is_none or _asks_of_what_stands(talk, remark)
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
    is_idle = is_idle and not (talk.has(remark, "suits") and _is_of_a_time(talk, remark))
    is_idle = is_idle and not _asks_of_a_time_alone(talk, remark)
    is_idle = is_idle and not any(_tells_its_hour(talk, remark, reply) for reply in replies)
    if is_idle or _is_moved_away(talk, remark, replies) or _asks_of_a_month(talk, remark):
        return None
    answer = next((r for r in replies if _takes_it(talk, remark, r)), None)
    answer = answer or _way_found(talk, remark) or _taken_after_asking(talk, remark)
    if answer is None or _is_gone(talk, remark, answer) or _asks_for_another_instead(talk, remark, answer):
        return None
    said = _yes_alone(talk, remark, answer)
    visit = _visit_promised(talk, remark) or _day_before_the_hour(talk, remark)
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
    return replace(made, thread=replace(made.thread, due=None if made.is_weekly else due))


def _asks_of_what_stands(talk: ThreadTalk, asked: Remark) -> bool:
    """“Is it still half past two?” is of an appointment made before, whose day nobody says again."""
    names_a_day = any(talk.days(one) or whole_day(one, talk.phrases) for one in talk.message(asked))
    return talk.asks(asked) and talk.has(asked, "still_on") and not names_a_day


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
    asked = talk.after(remark) if remark.said_by == "agent" else ()
    told = talk.after(asked[-1]) if asked and all(_asks_beside_it(talk, one) for one in asked) else ()
    replies = talk.after(told[-1]) if told and not any(_tells_another_time(talk, one) for one in told) else ()
    answer = next((r for r in replies if talk.has(r, "taken") or agrees(talk, remark, r)), None)
    if answer is None or any(_minds(talk, one) for one in replies):
        return None
    is_for_sure = talk.has(answer, "taken") or repeats(talk, remark, answer)
    is_so = any(talk.has(one, "yes") for one in told) and not is_denied(talk, told[0])
    is_priced = any(talk.has(one, "sum") for one in (*asked, *told))
    is_its_yes = is_so and is_mere_yes(talk, answer) and not any(map(talk.asks, talk.after(answer)))
    is_its_yes = is_its_yes and not is_priced  # “Is it sixty?” – “Yes.” – “Okay, thanks anyway.”
    return answer if (is_for_sure or is_its_yes) and _is_proposed(talk, remark, [answer]) else None


def _asks_beside_it(talk: ThreadTalk, asked: Remark) -> bool:
    """“Is Jasmin in then?”, “What does it cost?”, not “In the afternoon?”, “Is there anything later?”"""
    is_of_a_time = names_a_time(asked.marked) or talk.has(asked, "asked_when", *_OTHER_TIMES)
    minds = talk.has(asked, "no", "refused", "cancelled", "unable")
    return talk.asks(asked) and bool(talk.undated(asked)) and not (is_of_a_time or minds)


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


def _day_before_the_hour(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """Return the day of “Tuesday the eighth?” – “What time?” – “Ten past nine.”"""
    if not has_hour(remark.marked) or talk.days(remark):
        return None
    asked = [one for one in talk.before(remark) if talk.has(one, "asked_detail") and talk.asks(one)]
    is_of_it = bool(asked) and len(asked[0].text.split()) <= BRIEF_ANSWER
    is_of_it = is_of_it and not any(talk.has(one, "no", "refused") for one in talk.message(asked[0]))
    offered = [one for one in talk.before(asked[0]) if talk.days(one)] if is_of_it else []
    offered = [one for one in offered if talk.has(one, "proposal")]
    return offered[-1] if offered and offered[-1].said_by == remark.said_by else None


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
    return asked if len(asked.text.split()) <= most and talk.has(asked, "proposal", "another_date") else None


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
        return is_taken and _is_proposed(talk, remark, said)
    return is_taken and (_is_proposed(talk, remark, said) or _is_proposed(talk, remark, [*said[:-1], head]))


def _before_more(talk: ThreadTalk, answer: Remark) -> Remark | None:
    """“At twelve or at five.” – “Twelve and I'm bringing my sister.”"""
    if answer.said_by == "agent" or talk.asks(answer):
        return None
    taken = _time_taken(talk, answer)
    if taken is not None:
        return taken
    joint = talk.joint(answer)
    if joint is None or _takes_it_back(talk, from_place(answer, joint.end())):
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


def _takes_it_back(talk: ThreadTalk, more: Remark) -> bool:
    """“Twelve and five are both no good.”"""
    return has_hour(more.marked) or talk.has(
        more, "time", "no", "refused", "cancelled", "doubt", "correction"
    )


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


def _yes_before_more(talk: ThreadTalk, reply: Remark) -> Remark:
    """“Thursday at ten past nine.” – “fine and is it Dr Smit”, “yeah okay and how much is it”."""
    found = talk.find("yes", reply.marked)
    rest = re.finditer(r"\S+", reply.plain[found.end() :]) if found else ()
    known = manner(talk.phrases.tag)
    more = next((word for word in rest if word[0] in known.joints or word[0] not in known.idle_words), None)
    goes_on = more is not None and more[0] in talk.phrases.adding
    return between(reply, 0, found.end()) if found and goes_on else reply


def _is_proposed(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    behind = (r for r in talk.message(remark) if r.place > remark.place)
    suits = _is_of_a_time(talk, remark) and any(talk.has(r, "suits") for r in behind)
    asked = talk.asks(remark) or talk.has(remark, "offer") or suits
    only_yes = all(
        is_mere_yes(talk, _yes_before_more(talk, reply)) or _is_granted_besides(talk, reply)
        for reply in replies
    )
    asked = asked or (
        _gives_a_time(talk, remark) and (only_yes or _offers_what_nobody_minds(talk, remark, replies))
    )
    asked = (
        asked
        or _asks_instead(talk, remark)
        or offers_an_hour(talk, remark)
        or _offers_another_hour(talk, remark, replies)
        or _offers_a_later_hour(talk, remark)
        or _offers_the_same_hour(talk, remark)
        or _dates_a_move(talk, remark)
        or _day_before_the_hour(talk, remark) is not None
        or _is_the_only_hour(talk, remark)
        or ((_says_they_talk(talk, remark) or _concludes(talk, remark)) and only_yes)
    )
    is_taken_up = any(_takes_up(talk, remark, reply) or talk.has(reply, "taken") for reply in replies)
    takes_up = has_hour(remark.marked) and any(
        repeats(talk, before, remark) for before in talk.before(remark)
    )
    return asked or is_taken_up or takes_up or any(_asks_when(talk, before) for before in talk.before(remark))


def _is_the_only_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“We're nine now.” – “It would have to be eight.”, not “When's the train?” – “It has to be at eight.”"""
    asked = [one for one in talk.before(remark) if talk.asks(one)]
    is_of_a_time = all(talk.has(one, "time", "moved", "preferred", "other_time") for one in asked)
    return remark.said_by == "agent" and talk.has(remark, "has_to_be") and is_of_a_time


def _offers_what_nobody_minds(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """“I can do Wednesday at eight, it's ninety pounds.” – “A hundred and fourteen, all in. Go on.”"""
    *before, answer = replies
    is_taken = talk.has(remark, "slot") and is_mere_yes(talk, answer)
    return is_taken and not any(_minds(talk, reply) for reply in before)


def _minds(talk: ThreadTalk, reply: Remark) -> bool:
    goes_against = talk.phrases.behind_but(reply.marked) != reply.marked or takes_nothing(talk, reply)
    return goes_against or talk.asks(reply) or is_reason(talk, reply) or other_time(talk, reply) is not None


def _concludes(talk: ThreadTalk, remark: Remark) -> bool:
    """“Thursday afternoon?” – “It'll have to be the morning.” – “Thursday morning, then.”"""
    is_brief = len(remark.text.split()) <= LONGEST_AGAIN and not talk.undated(remark)
    asked = [one for before in talk.before(remark) for one in talk.before(before) if talk.asks(one)]
    is_one = remark.said_by == "agent" and is_brief and talk.has(remark, "concluded")
    return is_one and any(
        talk.phrases.weekdays(one.plain) & talk.phrases.weekdays(remark.plain) for one in asked
    )


def _is_granted_besides(talk: ThreadTalk, reply: Remark) -> bool:
    """“Thursday between eight and ten.” – “Fine, but ring first.” – “We'll ring half an hour before.”"""
    buts = talk.phrases.file.but.split()
    but = next((word for word in re.finditer(r"\w+", reply.plain) if word[0] in buts), None)
    answer = next(iter(talk.after(reply)), None)
    if but is None or answer is None or not talk.phrases.opens("yes", reply.marked):
        return False
    is_granted = talk.phrases.opens("yes", answer.marked) or talk.has(answer, *_GRANTING)
    is_open = talk.asks(answer) or talk.days(answer) or talk.has(answer, "refused", "no")
    more = from_place(reply, but.end())
    is_none = _takes_it_back(talk, more) or takes_nothing(talk, more) or talk.has(more, "unable")
    return is_granted and not (is_open or is_none)


def _says_they_talk(talk: ThreadTalk, remark: Remark) -> bool:
    """“shall we talk again on friday”, not “hablamos el lunes de la factura no”"""
    if remark.said_by != "agent" or not talk.has(remark, "next_talk"):
        return False
    is_ahead = bool(talk.days(remark)) and due_day(remark, talk.phrases) is not None
    is_told = talk.has(remark, "promise", "call_back", "refused", "cancelled", "doubt")
    return is_ahead and not is_told and not talk.undated(remark) & talk.beside(remark, "next_talk")


def _asks_instead(talk: ThreadTalk, remark: Remark) -> bool:
    """“We're full that weekend.” – “The 11th to the 13th, then.”, “nein morgen nicht” – “und donnerstag”"""
    before = talk.before(remark)
    if remark.said_by == "agent":
        is_unmarked = not ends_a_sentence(remark.text) and len(remark.text.split()) <= BRIEF_ANSWER
        is_refused = is_unmarked and any(_cannot_then(talk, one) for one in before)
    else:
        is_refused = any(talk.has(one, "refused") for one in before)
    return is_refused and begins_with_a_time(remark)


def _cannot_then(talk: ThreadTalk, remark: Remark) -> bool:
    """“können sie morgen kommen” – “nein morgen nicht”, not “siete aperti domani” – “no”"""
    asked = [one for one in talk.before(remark) if talk.has(one, "proposal")]
    is_no = manner(talk.phrases.tag).yes_no.match(remark.text) is not None or talk.has(remark, "unplanned")
    return is_no and talk.has(remark, "time") and any(not talk.has(one, "unplanned") for one in asked)


def _offers_another_hour(talk: ThreadTalk, remark: Remark, replies: Sequence[Remark]) -> bool:
    """“Saturday at ten?” – “A bit later?” – “Quarter to twelve.” – “Yes, please.”"""
    before = talk.before(remark)
    beside = talk.undated(remark) - words_of_hours(talk, remark)
    is_bare = len(remark.text.split()) <= BRIEF_ANSWER and not beside
    is_hour = remark.said_by == "agent" and is_bare and has_hour(remark.marked)
    offered = any(offers_a_time(talk, one) for first in before[:1] for one in talk.before(first))
    is_wished = not any(has_hour(one.marked) for one in before)
    return is_hour and offered and is_wished and all(is_mere_yes(talk, reply) for reply in replies)


def _dates_a_move(talk: ThreadTalk, remark: Remark) -> bool:
    """“We're doing it a week later.” – “The first of December then, same time.” – “Yes, please.”"""
    is_bare = len(remark.text.split()) <= LONGEST_AGAIN and len(talk.undated(remark)) < _FEW_MATTERS
    moves = remark.said_by == "agent" and any(talk.has(one, "moved") for one in talk.before(remark))
    return moves and is_bare and bool(talk.days(remark)) and due_day(remark, talk.phrases) is not None


def _offers_the_same_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“I can't do Monday.” – “Wednesday, yes, same time.” – “Yes, half past eight, great.”"""
    first = next(times_named(remark.marked), None)
    is_time = first is not None and not talk.undated(between(remark, 0, first.start()))
    is_time = is_time and bool(talk.days(remark)) and talk.has(remark, "same_hour")
    return remark.said_by == "agent" and is_time and not talk.has(remark, "moved", "refused")


def _offers_a_later_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“About tomorrow, we can't make ten. Is there another time?” – “Half past eleven.”"""
    beside = talk.undated(remark) - words_of_hours(talk, remark)
    is_hour = remark.said_by == "agent" and has_hour(remark.marked) and not beside
    if not is_hour or len(remark.text.split()) > LONGEST_CHOICE:
        return False
    is_other = any(not talk.clocks(one) & talk.clocks(remark) for one in hours_given_up(talk, remark))
    asked = [one for one in talk.before(remark) if talk.asks(one)] if is_other else []
    is_for_another = all(_asks_for_another_hour(talk, one) for one in asked)
    return is_other and is_for_another and day_of_the_hour(talk, remark) is not None


def _asks_for_another_hour(talk: ThreadTalk, asked: Remark) -> bool:
    """“Is there another time?”, “Later?”, not “When do you close?”"""
    return talk.has(asked, "other_time", "preferred", "sooner", "moved") or not talk.undated(asked)


def _is_of_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """“Friday at eight, is that all right?”, not “The film begins on Friday at eight, is that all right?”"""
    return talk.has(remark, "slot") or begins_with_a_time(remark)


def _gives_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """“I can do Friday at two”, “… between eight and ten”. A yes may be to a question behind it."""
    asks_more = any(talk.asks(r) for r in talk.message(remark) if r.place > remark.place)
    slot = talk.find("slot", remark.marked)
    hours_named = len(talk.clocks(from_place(remark, slot.start()) if slot else remark))
    is_one = hours_named == 1 or talk.has(remark, "window") or (not hours_named and bool(talk.days(remark)))
    is_time = talk.has(remark, "slot") or _is_a_day_and_hour(talk, remark)
    is_slot = is_one and (is_time or _concludes_with_a_time(talk, remark))
    return remark.said_by == "agent" and is_slot and not asks_more


def _concludes_with_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    """“So Thursday at nine.”, “Tomorrow at nine, then.”"""
    is_bare = len(remark.text.split()) <= LONGEST_AGAIN and not talk.undated(remark)
    is_when = begins_with_a_time(remark) or (is_bare and has_hour(remark.marked) and talk.has(remark, "time"))
    return talk.has(remark, "concluded") and is_when


def _is_a_day_and_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“Wednesday the sixteenth, twenty to two.”, “Friday at ten with Ann”"""
    whom = talk.find("with_whom", remark.marked)
    remark = between(remark, 0, whom.start()) if whom else remark
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked)
    begins = begins_with_a_time(remark) or begins_with_a_time(_behind_the_lead(talk, remark))
    is_dated = bool(talk.days(remark) or numbers) or whole_day(remark, talk.phrases) is not None
    return begins and has_hour(remark.marked) and is_dated


def _behind_the_lead(talk: ThreadTalk, remark: Remark) -> Remark:
    """“Yes, in three weeks, the eighth of December at two.”, “Then next week Wednesday, eleven o'clock.”"""
    first = next(times_named(remark.marked), None)
    if first is None:
        return remark
    begin = remark.plain.rfind(",", 0, first.start()) + 1 or first.start()
    day = named_ahead(remark, talk.phrases)
    lead = between(remark, 0, begin if day is None else min(begin, day.start))
    is_idle = len(lead.text.split()) <= LONGEST_AGAIN and not talk.undated(lead)
    return from_place(remark, begin) if is_idle else remark


def _takes_up(talk: ThreadTalk, remark: Remark, reply: Remark) -> bool:
    is_named = names_its_day(talk, remark, reply) or names_its_hour(remark, reply)
    names_a_day = bool(talk.phrases.days(remark.plain, remark.marked))
    hour = names_a_day and (repeats_the_hour(talk, remark, reply) or echoes(talk, remark, reply))
    return hour or is_named or repeats(talk, remark, reply) or says_its_date(talk, remark, reply)


def _asks_when(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.has(remark, "asked_when") or (talk.asks(remark) and bool(weeks_named(remark, talk.phrases)))


def is_excuse(talk: ThreadTalk, remark: Remark) -> bool:
    """“Tuesday at two?” – “Tuesday I have my class.”"""
    if is_reason(talk, remark):
        return True
    if other_time(talk, remark) is not None:
        return False
    proposed = any(talk.has(r, "proposal") and repeats(talk, r, remark) for r in talk.before(remark))
    return proposed and not talk.phrases.opens("yes", remark.marked)
