"""What takes a time that was proposed."""

import re

from voice_server.digest.language.manner import manner
from voice_server.digest.rules.courtesies import is_courtesy
from voice_server.digest.threads.opening.appointments.times import (
    BRIEF_ANSWER,
    LATEST,
    LONGEST_CHOICE,
    names_its_hour,
    repeats,
    repeats_the_hour,
    repeats_the_number,
    says_its_date,
    words_of_hours,
)
from voice_server.digest.threads.opening.appointments.wishes import LOOKED_FOR
from voice_server.digest.threads.speech.phrases import Kind, has_hour, names_a_time, times_named
from voice_server.digest.threads.speech.references import says_when
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_AGAINST: tuple[Kind, ...] = (
    "unplanned", "unable", "elsewhere", "has_on", "duty", "cancelled", "refused", "no", "doubt",
)  # fmt: skip
_WORD = re.compile(r"\w+")
_LETTERS = 5  # of “morning”, “tarde”
_CLAUSE = re.compile(r"[^,]+")
_DOTS = re.compile(r" ?(?:\.{2,3}|…) ?")
_BEHIND_A_MERE_YES = 3  # words
_YES_REASON_PRAISE = 3  # clauses of “Yes, he's got no school, that's great.”
_LONGEST_ASSENT, _BESIDE_A_YES = 9, 1  # words, and matters, of "Friday at eleven is Ann, perfect"


def agrees(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Friday at eleven, perfect”, or the time alone; not “Friday at two I'm at work”."""
    is_refused = answer.said_by == "agent" and talk.has(answer, "refused")
    is_refused = is_refused or _is_elsewhere(talk, answer)
    if is_refused or _calls_it_off(talk, remark, answer) or _prefers_another_hour(talk, remark, answer):
        return False
    is_yes = _says_yes(talk, answer) or echoes(talk, remark, answer) or _suits_its_part(talk, remark, answer)
    if is_yes or _says_yes_twice(talk, answer) or gives_in(talk, answer):
        return not _only_looks(talk, remark, answer)
    if talk.asks(answer) or takes_nothing(talk, answer):
        return _chooses(talk, remark, answer)
    length = len(answer.text.split())
    said_again = (
        talk.phrases.numbers_in_words(answer.plain) | talk.undated(remark) | words_of_hours(talk, answer)
    )
    more = len(talk.undated(answer) - said_again)
    takes_up = repeats(talk, remark, answer) or repeats_the_hour(talk, remark, answer)
    takes_up = takes_up or says_its_date(talk, remark, answer)
    names_a_time = takes_up or (talk.asks(remark) and says_when(talk, answer))
    if names_a_time and talk.has(answer, "yes", "taken"):
        return length <= _LONGEST_ASSENT and more <= _BESIDE_A_YES
    if takes_up and not more:
        days = talk.phrases.weekdays(answer.plain) & talk.phrases.weekdays(remark.plain)
        is_both = repeats_the_hour(talk, remark, answer) and (
            days or repeats_the_number(talk, remark, answer)
        )
        is_granted = talk.asks(remark) and answer.said_by == "agent" and not talk.has(answer, "booked")
        is_granted = is_granted or _only_says_the_hour(talk, remark, answer)
        is_offered = talk.asks(remark) or talk.has(remark, "slot")
        is_its_day = len(days) == 1 or (is_offered and repeats_the_number(talk, remark, answer))
        is_its_date = _says_its_date_again(talk, remark, answer)  # “Thursday the tenth, evening though”
        if is_both or is_granted or is_its_date or (is_its_day and length <= LONGEST_CHOICE):
            return True
    names_it = names_its_hour(remark, answer) and length <= LONGEST_CHOICE
    ends_it = takes_up and not more and talk.has(answer, "concluded")  # “Ah, Thursday at eleven then.”
    takes_it = _chooses(talk, remark, answer) or _will_be_there(talk, remark, answer)
    takes_it = takes_it or _concludes(talk, remark, answer) or _takes_its_date_but(talk, remark, answer)
    return names_it or ends_it or takes_it


def _is_elsewhere(talk: ThreadTalk, answer: Remark) -> bool:
    """“Great, but I'm away then.”"""
    behind = talk.phrases.behind_but(answer.marked)
    return behind != answer.marked and talk.phrases.has("elsewhere", behind)


def _says_yes(talk: ThreadTalk, answer: Remark) -> bool:
    """“Thursday... yes, I finish at six, I can make it.”, “Just before Christmas... well, go on then.”, not
    “I'm at work then... okay, thanks anyway.” or “On Tuesday I work... yes, a pity.”"""
    if talk.phrases.opens("yes", answer.marked):
        return True
    first = next(times_named(answer.marked), None)
    begins = first.end() if first is not None and first.start() == 0 else 0
    dots = _DOTS.search(answer.marked, begins)
    if dots is None or not talk.phrases.opens("yes", answer.marked[dots.end() :]):
        return False
    head = between(answer, 0, dots.start())
    is_idle = dots.start() == begins or len(head.plain.split()) == 1 or talk.phrases.feast(head.plain)
    is_against = talk.has(head, *_AGAINST) or talk.has(answer, "farewell", "sooner", "no")
    return bool(is_idle) and not is_against


def _suits_its_part(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Friday the eleventh, in the morning.” – “The morning's fine.”, not of “Friday at ten”."""
    found = talk.find("part_suits", answer.marked)
    return found is not None and any(
        len(word) >= _LETTERS and word[:_LETTERS] in remark.plain for word in _WORD.findall(found[0])
    )


def echoes(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“… sedici e dieci.” – “Sedici e dieci, ottimo.”"""
    phrases, comma = talk.phrases, answer.plain.find(",")
    names_a_day = bool(phrases.weekdays(remark.plain) or phrases.numbers_of_days(remark.plain, remark.marked))
    echo = answer.plain[: max(comma, 0)].strip(" .!")
    offered = " ".join(word.strip(".,!?") for word in remark.plain.split())
    is_echo = names_a_day and echo != "" and f" {echo} " in f" {offered} "
    return is_echo and phrases.opens("yes", answer.marked[comma + 1 :])


def _will_be_there(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Come by on Monday at ten to sign.” – “I'll be there.”"""
    is_brief = len(answer.text.split()) <= LONGEST_CHOICE and not names_a_time(answer.marked)
    asks = talk.asks(remark) and bool(talk.days(remark)) and has_hour(remark.marked)
    invites = remark.said_by == "agent" and (asks or talk.has(remark, "slot", "held"))
    return is_brief and invites and talk.has(answer, "taken", "bare_promise")


def gives_in(talk: ThreadTalk, answer: Remark) -> bool:
    """“Tuesday? Well, I haven't much choice.”, not “I'm in hospital then, I've no choice.”, nor what goes on
    to ask for another."""
    said = talk.message(answer)
    before = [one for one in said if one.place < answer.place]
    is_echo = all(talk.asks(one) and not talk.undated(one) for one in before)
    asks_on = any(talk.asks(one) for one in said if one.place > answer.place)
    beside = talk.undated(answer) & talk.beside(answer, "resigned")
    return talk.has(answer, "resigned") and is_echo and not (asks_on or beside)


def _says_yes_twice(talk: ThreadTalk, answer: Remark) -> bool:
    """“Yes, he's got no school, that's great.”"""
    clauses = answer.marked.split(",")
    if len(clauses) != _YES_REASON_PRAISE or len(clauses[-1].split()) <= 1:
        return False
    first, reason, last = clauses
    is_yes = talk.phrases.opens("yes", first) and talk.phrases.opens("yes", last)
    is_none = talk.phrases.opens("no", reason) or names_a_time(reason)
    taken_back = talk.has(answer, "cancelled", "refused", "doubt", "correction", "moved", "waiting")
    return is_yes and not (is_none or taken_back)


def _chooses(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Thursday at two or Friday at ten?” – “Friday is my late shift, let's say Thursday.”"""
    found = talk.find("chosen", answer.marked) if _offers_days(talk, remark) else None
    if found is None or talk.has(answer, "doubt"):
        return False
    chosen = from_place(answer, found.start())
    is_open = talk.asks(chosen) or talk.has(
        chosen, "no", "cancelled", "refused", "doubt", "waiting", "enquiry"
    )
    return repeats(talk, remark, chosen) and not is_open


def _takes_its_date_but(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“I can come on Thursday the tenth.” – “Thursday the tenth, but only in the evening.”, not “…, but
    that's Mum's funeral.”, nor “…, pero trabajo.”"""
    behind = talk.phrases.behind_but(answer.marked)
    if behind == answer.marked:
        return False
    start = len(behind) - len(behind.lstrip())
    head, more = between(answer, 0, start), from_place(answer, start)
    words = len(head.plain.split()), len(more.plain.split())
    is_brief = max(words) <= LONGEST_CHOICE and min(words) > 1
    is_of_a_part = not talk.phrases.telling(talk.matters(more))
    is_of_oneself = not manner(talk.phrases.tag).first_person.isdisjoint(more.plain.split())
    is_other = names_a_time(more.marked) or talk.has(more, *_AGAINST, "preferred", "moved", "other_time")
    is_taken = is_brief and is_of_a_part and not (is_of_oneself or is_other)
    return is_taken and _says_its_date_again(talk, remark, head)


def _says_its_date_again(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """Tell so of weekday and number, unless the agent then finds another hour: “Six o'clock, then.”"""
    days = talk.phrases.weekdays(answer.plain) & talk.phrases.weekdays(remark.plain)
    hours = frozenset[str]().union(*map(talk.clocks, talk.after(answer)))
    is_its_date = len(days) == 1 and repeats_the_number(talk, remark, answer)
    return is_its_date and hours <= talk.clocks(answer) | talk.clocks(remark)


def _concludes(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“I've got Wednesday at nine or Thursday at two.” – “He's at nursery in the morning, so Thursday.”"""
    last = from_place(answer, answer.plain.rfind(",") + 1)
    is_one = len(talk.phrases.weekdays(last.plain)) == 1 and not talk.undated(last)
    is_open = talk.has(answer, "enquiry", "deferral", "waiting", "doubt", "duty") or talk.has(last, *_AGAINST)
    offers = has_hour(remark.marked) and talk.has(remark, "proposal", "slot")
    is_chosen = offers and repeats(talk, remark, last) and len(last.plain.split()) <= LONGEST_CHOICE
    return is_one and is_chosen and talk.has(last, "concluded") and not is_open


def _offers_days(talk: ThreadTalk, remark: Remark) -> bool:
    """“Thursday at two or Friday at ten?”, “Tuesday or Wednesday?”, not “Do you swim on Monday or Friday?”"""
    if not talk.asks(remark) or len(talk.phrases.weekdays(remark.plain)) <= 1:
        return False
    lead = remark.text[: next(times_named(remark.marked)).start()]
    return has_hour(remark.marked) or (len(lead.split()) <= 1 and not talk.undated(remark))


def _only_looks(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Yes, in January.” – “All right, I'll find something in January and ring you back.”"""
    is_hour = has_hour(remark.marked) or has_hour(answer.marked)
    return answer.said_by == "agent" and not is_hour and talk.has(answer, "call_back")


def _only_says_the_hour(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“I'd like a table on Saturday.” – “At eight?” – “At eight.”"""
    latest = talk.remarks[max(0, remark.place - LATEST) : remark.place]
    if not any(talk.has(one, *LOOKED_FOR, "asked_when") for one in latest):
        return False
    is_brief = len(answer.text.split()) <= BRIEF_ANSWER and has_hour(answer.marked)
    asked = talk.asks(remark) or offers_an_hour(talk, remark)
    return is_brief and asked and talk.clocks(remark) == talk.clocks(answer)


def offers_an_hour(talk: ThreadTalk, remark: Remark) -> bool:
    """“i'd like a table on saturday” – “at eight”, “Sure, eight o'clock.”, “half past seven is free”"""
    is_brief = len(remark.text.split()) <= BRIEF_ANSWER
    is_bare = is_brief and not talk.undated(remark) - words_of_hours(talk, remark)
    is_one = remark.said_by == "agent" and has_hour(remark.marked)
    is_offer = is_one and (is_bare or talk.has(remark, "hour_free"))
    return is_offer and any(talk.has(one, *LOOKED_FOR) for one in talk.before(remark))


def _calls_it_off(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“I've got Monday and Wednesday.” – “All right, Wednesday is cancelled.”, “Can I cancel the tenth?” –
    “I've cancelled that.”"""
    if talk.has(remark, "asks_off") and talk.has(answer, "cancelled"):
        return True
    told = [one for one in talk.message(answer) if one.place >= answer.place]
    return any(talk.has(one, "cancelled") and repeats(talk, remark, one) for one in told)


def _prefers_another_hour(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """“Tuesday at four?” – “Five would be better.”, not “Wednesday the 9th, same time.” – “Wednesday nine at
    half past seven, fine.”"""
    offered, wished = talk.clocks(remark), talk.clocks(answer)
    names_its_day = bool(talk.phrases.weekdays(answer.plain)) and repeats_the_number(talk, remark, answer)
    if talk.has(remark, "same_hour") or (names_its_day and len(wished) == 1):
        return False
    is_other = bool(offered and wished) and offered.isdisjoint(wished)
    return is_other and talk.has(answer, "preferred", "correction")


def takes_nothing(talk: ThreadTalk, answer: Remark) -> bool:
    if talk.has(answer, "no", "cancelled", "refused", "doubt", "correction", "moved"):
        return True
    promises = talk.has(answer, "promise") and not talk.has(answer, "taken")
    return promises or talk.has(answer, "unplanned", "waiting", "enquiry", "deferral")


def is_mere_yes(talk: ThreadTalk, reply: Remark) -> bool:
    """“Great, I'll bring him in.”, “Great, see you.”, not “Okay, but that's too early”."""
    if gives_in(talk, reply):
        return True
    known = manner(talk.phrases.tag)
    spans = [one.span() for one in _CLAUSE.finditer(reply.marked)]
    said = [span for span in spans if span == spans[0] or not is_courtesy(reply.text[slice(*span)], known)]
    clauses = [reply.marked[slice(*span)].strip(" .!") for span in said]
    is_brief = all(len(one.split()) <= _BEHIND_A_MERE_YES for one in clauses)
    if clauses and is_brief and all(talk.phrases.opens("yes", one) for one in clauses):
        return True
    if talk.has(reply, "waiting", "doubt", "unplanned", "enquiry"):
        return False
    if talk.phrases.opens("yes", reply.marked) and talk.has(reply, "taken"):
        return True
    if talk.has(reply, "promise"):
        return False
    found = talk.find("yes", reply.marked)
    rest = reply.plain[: found.start()] + reply.plain[found.end() :] if found else reply.plain
    return len(rest.split()) <= _BEHIND_A_MERE_YES and not talk.phrases.matters(rest)
