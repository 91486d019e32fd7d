"""Another hour than the one that was offered."""

from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.courtesies import is_courtesy
from voice_server.digest.threads.opening.appointments.counters import other_time
from voice_server.digest.threads.opening.appointments.times import BRIEF_ANSWER, words_of_hours
from voice_server.digest.threads.opening.candidate import Candidate, of_exchange
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import ends_a_sentence, has_hour
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_BESIDE_A_WISH = 2  # matters of “Five would suit me better”


def other_hour(talk: ThreadTalk, remark: Remark) -> Candidate | None:
    """Read “Tuesday at four?” – “Rather five.” – “Noted.”"""
    if not has_hour(remark.marked):
        return None
    offers = [one for one in talk.before(remark) if offers_a_time(talk, one)]
    other = other_time(talk, remark)
    wish = other or remark  # “three no i have hockey five”
    is_alone = not talk.days(wish) and not talk.has(remark, "cancelled")
    beside = talk.undated(wish) - words_of_hours(talk, wish)
    if not offers or not is_alone or len(beside) > _BESIDE_A_WISH:
        return None
    offer, asked = offers[-1], talk.clocks(wish)
    is_wish = other is not None or talk.has(remark, "preferred", "correction") or talk.asks(remark)
    replies = talk.after(remark)[:1]
    is_granted = any(grants_the_hour(talk, reply, asked) and not talk.days(reply) for reply in replies)
    if not is_wish or not is_granted or asked <= talk.clocks(offer):
        return None
    made = of_exchange(talk, offer, remark, "plan", appointment=True)
    return replace(made, thread=replace(made.thread, due=due_day(offer, talk.phrases)))


def offers_a_time(talk: ThreadTalk, remark: Remark) -> bool:
    asks = talk.asks(remark) or not ends_a_sentence(remark.text)
    is_question = remark.said_by == "agent" and asks and talk.has(remark, "proposal")
    return is_question and has_hour(remark.marked) and bool(talk.days(remark))


def grants_the_hour(talk: ThreadTalk, reply: Remark, asked: frozenset[str]) -> bool:
    """“Of course.”, “No problem.”, “Noted.”, “Five it is.”, not “No, five is taken.”"""
    if talk.has(reply, "refused"):
        return False
    known = manner(talk.phrases.tag)
    is_idle = known.idle_words.issuperset(words(reply.text)) or is_courtesy(reply.text, known)
    if is_idle or talk.phrases.opens("yes", reply.marked) or talk.has(reply, "booked"):
        return True
    if known.yes_no.match(reply.text) or talk.has(reply, "no", "doubt", "unplanned", "cancelled", "waiting"):
        return False
    repeats = talk.clocks(reply) & asked and not talk.undated(reply)
    is_brief = len(reply.text.split()) <= BRIEF_ANSWER
    return bool(repeats) or (is_brief and talk.has(reply, "done", "noted"))
