"""A move that somebody tells of."""

from voice_server.digest.threads.opening.appointments.times import CLAUSE, dictates_a_number
from voice_server.digest.threads.opening.appointments.wishes import wishes_for_another
from voice_server.digest.threads.opening.candidate import Candidate, of_remarks
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.references import asked_before, says_when
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between

_FURTHER = 2  # sentences in which "They've moved it" is dated


def move(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “They've moved it. It's the 28th now.”"""
    if talk.asks(remark) or talk.has(remark, "request") or wishes_for_another(talk, remark):
        return None
    if not _says_moved(talk, remark) or dictates_a_number(talk, remark):
        return None
    said = [r for r in talk.message(remark) if 0 <= r.place - remark.place <= _FURTHER]
    if not any(_names_a_new_time(talk, r) for r in said):
        return None
    text = quoting.quote(remark)
    more = [r for r in said if r.place > remark.place and says_when(talk, r)]
    if more:
        text = f'"{quoting.shortened(remark.text)} {quoting.shortened(more[0].text)}"'.replace(' "', " '")
    is_plain = not any(map(talk.undated, said)) or not _says_what_moved(talk, remark)
    asked = asked_before(talk, remark) if is_plain else None
    if asked is not None:
        text = f"{quoting.quote(asked)} – {text}"
    of = (remark, *more) if asked is None else (asked, remark, *more)
    return of_remarks(talk, of, "plan", remark.said_by, text, appointment=True)


def _names_a_new_time(talk: ThreadTalk, remark: Remark) -> bool:
    return talk.phrases.has("time", talk.phrases.standing(remark.marked, remark.marked))


def _says_moved(talk: ThreadTalk, remark: Remark) -> bool:
    """“They can't do Thursday, it's Friday now”, not “they can't move it”."""
    found = talk.find("moved", remark.marked)
    if found is None:
        return False
    clause = quoting.clause(remark.marked, found.start())
    return not talk.phrases.has("unplanned", clause)


def _says_what_moved(talk: ThreadTalk, remark: Remark) -> bool:
    found = talk.find("moved", remark.marked)
    return found is not None and bool(talk.undated(between(remark, 0, _end_of_clause(remark, found.start()))))


def _end_of_clause(remark: Remark, start: int) -> int:
    end = CLAUSE.search(remark.plain, start)
    return end.start() if end else len(remark.plain)
