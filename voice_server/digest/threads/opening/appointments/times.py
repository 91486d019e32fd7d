"""Times, as two remarks name the same."""

import re

from voice_server.digest.threads.speech.due import due_day, whole_day
from voice_server.digest.threads.speech.phrases import folded, has_hour, hours, names_a_time, times_named
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

LONGEST_CHOICE = 5  # words of “Twenty past four.”
LONGEST_AGAIN = 9  # words of “Then Friday at ten, with Ann”
_LEADING, _TRAILING = 2, 1  # words before its time, and behind it in its clause
_BESIDE = 5  # words beside “Thursday the third of December” and “eight”: “…, drop it off at …”
CLAUSE = re.compile(r"[,.;:!?]")
BRIEF_ANSWER = 4  # words of “That's noted.”
SHORTLY, LATEST = 5, 20  # messages, and remarks


def begins_with_a_time(remark: Remark) -> bool:
    """“Then Friday at ten.”, not “Friday at ten is full.”"""
    times = list(times_named(remark.marked))
    said = len(remark.text.split())
    beside = said - sum(len(remark.text[slice(*time.span())].split()) for time in times)
    if not names_a_time(remark.marked) or (said > LONGEST_AGAIN and beside > _BESIDE):
        return False
    lead, rest = remark.text[: times[0].start()], CLAUSE.split(remark.text[times[-1].end() :])[0]
    return len(lead.split()) <= _LEADING and len(rest.split()) <= _TRAILING


def is_dated(talk: ThreadTalk, remark: Remark) -> bool:
    return bool(talk.days(remark)) or whole_day(remark, talk.phrases) is not None


def dictates_a_number(talk: ThreadTalk, remark: Remark) -> bool:
    """“My phone number has changed, it's now three three eight” names no hour."""
    return talk.has(remark, "contact") and not (talk.days(remark) or talk.has(remark, "wants_a_visit"))


def repeats(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    """Tell whether a day is said again, of an answer also by its number alone: “The tenth, fine.”"""
    times = talk.phrases.times
    same = times(remark.plain) & times(answer.plain) or talk.days(remark) & talk.days(answer)
    return bool(same) or repeats_the_number(talk, remark, answer)


def repeats_the_number(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    numbers = talk.phrases.numbers_of_days(remark.plain, remark.marked)
    return bool(numbers and numbers & talk.phrases.numbers(answer.plain))


def repeats_the_hour(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    clocks = [talk.phrases.clocks(one.plain, one.marked) for one in (remark, answer)]
    return not clocks[0].isdisjoint(clocks[1])


def words_of_hours(talk: ThreadTalk, remark: Remark) -> frozenset[str]:
    said = (*sorted(talk.clocks(remark)), talk.phrases.file.hour_words)  # “three o'clock”
    return talk.phrases.matters(folded(" ".join(said)))


def names_its_day(talk: ThreadTalk, remark: Remark, answer: Remark) -> bool:
    day = due_day(answer, talk.phrases)
    return day is not None and day == due_day(remark, talk.phrases)


def names_its_hour(remark: Remark, answer: Remark) -> bool:
    """“I have nine or twenty past four.” – “Twenty past four.”"""
    said, offered = answer.plain.strip(" .,!"), " ".join(word.strip(".,!?") for word in remark.plain.split())
    return has_hour(answer.marked) and hours(remark.marked) > 1 and f" {said} " in f" {offered} "


def says_its_date(talk: ThreadTalk, remark: Remark, reply: Remark) -> bool:
    """“Ah, then the Wednesday after.” – “The second of December, yes, that's fine.”"""
    day = due_day(reply, talk.phrases) if talk.phrases.numbers_of_days(reply.plain, reply.marked) else None
    return day is not None and {day.weekday()} == talk.phrases.weekdays(remark.plain)


def says_which_weekday(talk: ThreadTalk, remark: Remark) -> bool:
    """Tell so of “What day's that?” – “A Thursday.”, which fixes none, not of “… or Friday at ten.”"""
    is_bare = not has_hour(remark.marked) and not talk.undated(remark)
    return is_bare and any(talk.has(one, "asked_weekday") for one in talk.before(remark))
