"""What corrects a matter, and what it is about."""

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.opening.appointments.times import names_its_day, repeats
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.opening.corrections.amendments import amended
from voice_server.digest.threads.opening.corrections.changed_times import (
    asks_for_another_hour,
    changes_its_time,
    settles_the_hour,
)
from voice_server.digest.threads.speech.phrases import Kind, folded, hours
from voice_server.digest.threads.speech.references import is_denied, puts_right
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between

_SOON = 3  # messages
_BRIEF_ANSWER = 4  # words


def with_corrections(talk: ThreadTalk, found: list[Candidate]) -> list[Candidate]:
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
        if latest is not None and is_free and _corrects(talk, remark, found[latest], found):
            agreed = next((found[n].thread.due for n in here if found[n].thread.due), None)
            found[latest] = amended(talk, found[latest], remark, agreed)
            parts.update(here)
        ended = (number for number in ending.get(remark.place, ()) if number not in parts)
        known = [number for number in ended if found[number].thread.kind != "question"]
        latest = known[-1] if known else latest
    return [one for number, one in enumerate(found) if number not in parts]


def _asks_for_another_day(talk: ThreadTalk, remark: Remark, one: Candidate, found: list[Candidate]) -> bool:
    """“Can you bring it in on Monday?” – “Not Monday. Wednesday?” – “Wednesday's fine.”"""
    if one.thread.kind != "request" or one.thread.said_by == remark.said_by:
        return False
    made = (o for o in found if o.appointment and talk.remarks[o.places[0]].position == remark.position)
    return any(o.thread.due not in (None, one.thread.due) for o in made)


def _is_part_of(talk: ThreadTalk, one: Candidate, other: Candidate, remark: Remark) -> bool:
    """Tell whether a correction that begins an appointment, or a mere “I'll remind you”, is of what was asked
    before."""
    begins = other.places[0] == remark.place != other.place
    if other.appointment and other.place == remark.place and settles_the_hour(talk, remark, one):
        return True
    if one.appointment:
        return begins and other.appointment and asks_for_another_hour(talk, remark, one)
    is_said_again = other.thread.kind == one.thread.kind == "promise" and other.is_bare
    return begins and (other.appointment or is_said_again)


def _corrects(talk: ThreadTalk, remark: Remark, one: Candidate, found: list[Candidate]) -> bool:
    """“Next Tuesday?” – “Not Tuesday.” only answers, unless the question repeats the matter's time."""
    is_another = _answers_another(talk, remark, one) or _asks_for_another_day(talk, remark, one, found)
    if remark.position - one.position > _SOON or is_another:
        return False
    if _says_it_is_outdated(talk, remark, one):
        return True
    if not talk.has(remark, "correction"):
        is_ones_own = remark.said_by == talk.remarks[one.places[0]].said_by
        is_own = remark.position == one.position or is_ones_own
        return changes_its_time(talk, remark, one) or (is_own and _is_second_thought(talk, remark, one))
    # “You'll have the money within ten days.” – “Could we come in January instead?”
    asks_leave = talk.phrases.opens("permission", remark.marked)
    asks_leave = asks_leave and one.thread.kind == "promise" and not one.times
    if asks_leave or _is_of_its_own_matter(talk, remark, one):
        return False
    is_answered = _is_behind_its_answer(talk, remark)
    asked = [r for r in talk.before(remark) if talk.asks(r) and r.place > one.place and not is_answered]
    if any(_asks_for_another(talk, question, one, remark) for question in asked):
        return False
    return not any(_is_of_another_matter(talk, question, one) for question in asked) or (
        _begins_anew(talk, remark)
    )


def _is_of_its_own_matter(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“I'll pay it tonight.” – “Thank you, the trip's on the 26th now, not the 24th.”"""
    found = talk.find("correction", remark.marked)
    lead = between(remark, 0, found.start()) if found else remark
    about = talk.undated(lead) if talk.has(lead, "time") else frozenset[str]()
    offered = talk.remarks[one.place]
    is_of_its_day = repeats(talk, offered, lead) or names_its_day(talk, offered, lead)
    is_others = remark.said_by != offered.said_by and not is_of_its_day
    return is_others and bool(about) and about.isdisjoint(one.matters)


def _says_it_is_outdated(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“I'll ring you on the number ending in 72.” – “No, that's my old one, it's 48 now.”"""
    is_agents = one.thread.kind == "promise" and one.thread.said_by == "agent"
    answers = remark.said_by == "user" and remark.position == one.position + 1
    first = talk.message(remark)[0]
    return is_agents and answers and is_denied(talk, first) and talk.has(remark, "outdated")


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
    before = talk.sentence_before(remark)
    said_no = before is not None and not talk.asks(before) and puts_right(talk, before)
    own_no = manner(talk.phrases.tag).corrections.match(remark.text)
    begins = talk.phrases.matters(talk.phrases.plain(own_no[0])) if own_no else frozenset[str]()
    is_timed = any(hours(talk.remarks[place].marked) for place in one.places)
    names_one = talk.has(remark, "time") or (is_timed and hours(remark.marked) == 1)
    is_time = names_one and talk.undated(remark) <= begins and not talk.asks(remark)
    return is_time and (said_no or own_no is not None)


def _answers_another(talk: ThreadTalk, remark: Remark, one: Candidate) -> bool:
    """“I'll send it right away.” – “Thanks, and nothing's changed for Friday?” – “No, Friday at eight.”"""
    is_dated = bool(one.times) or one.thread.due is not None or remark.position == one.position
    asked = () if is_dated else talk.before(remark)
    return any(talk.days(said) and repeats(talk, said, remark) for said in asked)


def _asks_for_another(talk: ThreadTalk, question: Remark, one: Candidate, answer: Remark) -> bool:
    """Tell whether the answer is to another question, or says only that the hour asked for is taken."""
    if talk.clocks(question) & talk.clocks(answer):
        return True
    times = talk.phrases.times(question.plain)
    if talk.has(question, "time"):
        return bool(times - one.times) or (not times and not one.weekdays)
    return len(answer.text.split()) <= _BRIEF_ANSWER and not talk.has(question, "idle_question")
