"""What the user is told to bring, send or pay on a day, where they say yes."""

from msgspec.structs import replace

from voice_server.digest.threads.opening.appointments.instructed import tells_what_to_do
from voice_server.digest.threads.opening.candidate import Candidate, of_exchange, of_remarks
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import Kind
from voice_server.digest.threads.speech.references import FEWEST_MATTERS, telling
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between, from_place

_AGREES: tuple[Kind, ...] = ("yes", "will_do", "bare_promise", "taken")
_TAKES_IT_BACK: tuple[Kind, ...] = (
    "no", "refused", "cancelled", "doubt", "correction", "unplanned", "waiting", "moved", "preferred",
)  # fmt: skip
_LONGEST_YES = 7  # words


def instruction_taken(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Bring it on Monday.” – “Will do.” as a promise of that day, with what is to be brought: “I still
    owe you thirty pounds.”"""
    if remark.said_by != "user" or talk.has(remark, "promise", "request"):
        return None
    told = next((one for one in reversed(talk.before(remark)) if tells_what_to_do(talk, one)), None)
    day = due_day(told, talk.phrases) if told else None
    if told is None or day is None or not _agrees(talk, told, remark):
        return None
    made = _told_with_its_matter(talk, told, remark)
    return replace(made, thread=replace(made.thread, due=day))


def _agrees(talk: ThreadTalk, told: Remark, remark: Remark) -> bool:
    said = [one for one in talk.message(remark) if one.place <= remark.place]
    is_limited = not {*talk.phrases.file.but.split()}.isdisjoint(remark.plain.replace(",", " ").split())
    if (
        is_limited
        or len(said) > 1
        or any(talk.has(one, *_TAKES_IT_BACK) for one in _besides_yes(talk, remark))
    ):
        return False
    head = _first_matter(talk, remark)
    days = talk.phrases.weekdays(head.plain)
    is_of_its_day = not days or bool(days & talk.phrases.weekdays(told.plain))
    return is_of_its_day and len(head.text.split()) <= _LONGEST_YES and talk.has(head, *_AGREES)


def _besides_yes(talk: ThreadTalk, remark: Remark) -> list[Remark]:
    """“va bene” may be a wish elsewhere: leave out the yes itself."""
    found = talk.find("yes", remark.marked)
    rest = between(remark, found.end(), len(remark.text)) if found else remark
    return [rest, *(one for one in talk.message(remark) if one.place > remark.place)]


def _first_matter(talk: ThreadTalk, remark: Remark) -> Remark:
    joint = talk.joint(remark)
    return between(remark, 0, joint.start()) if joint and joint.start() else remark


def _told_with_its_matter(talk: ThreadTalk, told: Remark, remark: Remark) -> Candidate:
    head = _first_matter(talk, remark)
    about = telling(talk, talk.before(told))
    found = talk.find("told_to", told.marked)
    named = talk.undated(from_place(told, found.start())) if found else talk.undated(told)
    if about is None or talk.asks(about) or not talk.undated(about) or len(named) > FEWEST_MATTERS:
        return of_exchange(talk, told, head, "promise")
    text = quoting.exchange(quoting.shortened(about.text), quoting.excerpt(told), quoting.excerpt(head))
    return of_remarks(talk, (about, told, head), "promise", "user", text, appointment=False)
