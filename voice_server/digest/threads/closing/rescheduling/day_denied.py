"""Plans whose day the agent asks after, and that the user wants otherwise: “So Friday the 27th.” … “Still
collecting on the Friday?” – “No, can I change that? My brother's coming on Saturday.”"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from voice_server.digest.threads.closing.earlier import ThreadWords, last_said
from voice_server.digest.threads.speech.due import days_named, due_day
from voice_server.digest.threads.speech.phrases import Kind, ends_a_sentence
from voice_server.digest.threads.speech.references import clauses, is_denied
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, from_place

_NEAR = timedelta(weeks=2)  # in which a bare weekday may be that of the plan
_BESIDE = 1  # a matter beside what is known: “collecting”
_COMES: tuple[Kind, ...] = ("another", "visits", "visit")
_ALIKE = 4  # letters in which two forms of a word begin


def day_denied(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield a plan where no other can be meant, and another day is named instead."""
    plans = [one for one in threads if one.thread.kind == "plan" and one.thread.due is not None]
    for remark in talk.remarks if plans else ():
        if remark.said_by == "user" and remark == talk.message(remark)[0] and is_denied(talk, remark):
            asked = [one for one in talk.before(remark)[-1:] if _may_ask(talk, one)]
            meant = [one for one in plans for of in asked if _is_its_day(of, one, talk)]
            said = talk.message(remark)
            is_it = len(meant) == 1 and (
                _is_of_it(asked[0], meant[0], talk) or _comes_instead(said, meant[0], talk)
            )
            yield from meant if is_it and _names_another(said, meant[0], talk) else ()


def _may_ask(talk: ThreadTalk, remark: Remark) -> bool:
    """“and you're off on wednesday as planned”, where nobody punctuates"""
    is_unmarked = not ends_a_sentence(remark.text) and talk.has(remark, "still_on")
    return remark.said_by == "agent" and (talk.asks(remark) or is_unmarked)


def _is_its_day(asked: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    """“On the Friday” is the one agreed on, if that is near."""
    due = one.thread.due
    if due is None or due < asked.said_on:
        return False
    is_near = due - asked.said_on <= _NEAR and due.weekday() in talk.phrases.weekdays(asked.plain)
    return is_near or due in {due_day(asked, talk.phrases)} | days_named(asked, talk.phrases)


def _is_of_it(asked: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    """Tell whether it asks of the plan, or whether “it” still holds and names little besides."""
    if talk.has(asked, "done", "asked_whether_done"):
        return False
    days = talk.phrases.matters(" ".join(sorted(talk.days(asked))))
    about = talk.beside(asked, "still_on") - days
    beside = {word for word in about if not _is_known(word, one.own | one.around)}
    names_it = any(_is_known(word, one.own) for word in about)
    holds = talk.has(asked, "still_on") and (not about or not one.own) and len(beside) <= _BESIDE
    return holds or (names_it and not beside)


def _comes_instead(said: Sequence[Remark], one: ThreadWords, talk: ThreadTalk) -> bool:
    """“He's coming on Saturday.” … “All ready for Saturday?” – “No, he has the flu, they're coming on
    Wednesday.”, not “No, my sister's coming on Wednesday to help.”"""
    phrases = talk.phrases
    marked = phrases.marked(last_said(one.thread, phrases))
    if not any(phrases.has(kind, marked) for kind in _COMES):
        return False
    tails = (_tail(remark, part) for remark in said for part in clauses(remark, talk))
    coming = [tail for tail in tails if talk.has(tail, *_COMES)][-1:]
    named = frozenset[str]().union(*map(talk.undated, coming))
    return bool(coming) and phrases.is_nothing_but(named, one.own | one.around)


def _tail(remark: Remark, clause: Remark) -> Remark:
    return from_place(remark, len(clause.text) - len(clause.text.lstrip()))


def _is_known(word: str, known: frozenset[str]) -> bool:
    """“La recogería”, “¿La recoge?”"""
    return word in known or (len(word) >= _ALIKE and any(other.startswith(word) for other in known))


def _names_another(said: Sequence[Remark], one: ThreadWords, talk: ThreadTalk) -> bool:
    due = one.thread.due
    weekdays = frozenset[int]().union(*(talk.phrases.weekdays(remark.plain) for remark in said))
    days = {due_day(remark, talk.phrases) for remark in said} - {None, due}
    return bool(days) or bool(weekdays - {due.weekday() if due else None})
