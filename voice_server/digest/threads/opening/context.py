"""What a matter is told with where its own words do not say what it is about."""

from collections.abc import Sequence

from voice_server.digest.dates.dates import tells_of_the_past
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.threads.opening.candidate import (
    Candidate,
    of_answer,
    of_exchange,
    of_remarks,
    of_sentences,
)
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import due_day
from voice_server.digest.threads.speech.phrases import Kind, ends_a_sentence, names_a_time
from voice_server.digest.threads.speech.references import (
    FEWEST_MATTERS,
    answers,
    asked_before,
    finds_out,
    is_polite,
    needs_context,
    offered_before,
    own_context,
    points,
    telling,
    without_names,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, from_place
from voice_server.domain.digest import ThreadKind

_DETAILS = 3  # questions for a name, a number, an address
_BRIEF_HOUSE = 3  # words
_MINDS: tuple[Kind, ...] = ("no", "refused", "cancelled", "unable", "doubt", "deferral")
_BRIEF_DETAIL = 4  # words, more than “With an X?” has


def in_context(talk: ThreadTalk, remark: Remark, asked: Remark | None, kind: ThreadKind) -> Candidate | None:
    """Tell a remark with what it answers (`asked`), or what was said just before; None where it needs
    neither, or neither says what it is about."""
    is_another = _is_beside_a_yes(talk, remark)
    asked = None if is_another else asked
    needed = needs_context(talk, remark) and not is_another
    is_missed = asked is not None and talk.has(asked, "missed")  # says what it is
    own = own_context(talk, remark) if needed and not is_missed else None
    if own is not None:
        return _with_own(talk, own, remark, kind)
    if asked is not None:
        return _with_question(talk, asked, remark, kind, needed=needed)
    offered = offered_before(talk, remark) if needed or finds_out(talk, remark) else None
    if offered is not None:
        return _with_offer(talk, offered, remark, kind)
    if needed:
        return _with_before(talk, remark, kind)
    return _with_what_is_found_out(talk, remark, kind) if finds_out(talk, remark) else None


def _with_what_is_found_out(talk: ThreadTalk, remark: Remark, kind: ThreadKind) -> Candidate | None:
    """Tell it so: “The Salt Roads, let me look. I'll check with the wholesaler.”, or “is the voucher still
    good” – “I'll look that up and text you.”"""
    own = own_context(talk, remark)
    if own is not None:
        return _with_own(talk, own, remark, kind)
    is_reply = talk.message(remark)[0] == remark and not any(talk.days(one) for one in talk.before(remark))
    return _with_before(talk, remark, kind) if is_reply else None


def _with_offer(talk: ThreadTalk, offered: Remark, remark: Remark, kind: ThreadKind) -> Candidate:
    """Add the yes where it says more than that: “Shall I fit in a lesson?” – “Yes, but not on Monday.”"""
    told = (one for one in talk.before(remark) if not talk.asks(one))
    replies = [one for one in told if talk.matters(one) or talk.days(one)]
    if not replies:
        return of_sentences(talk, offered, remark, kind)
    return _of_three(talk, (offered, replies[0], remark), kind)


def _of_three(talk: ThreadTalk, said: tuple[Remark, Remark, Remark], kind: ThreadKind) -> Candidate:
    text = quoting.exchange(*(quoting.shortened(one.text) for one in said))
    return of_remarks(talk, said, kind, said[-1].said_by, text, appointment=False)


def _is_house(about: Remark) -> bool:
    """Tell so of “Chess club.”, with which the agent answers the phone."""
    return about.place == 0 and about.said_by == "agent" and len(about.text.split()) <= _BRIEF_HOUSE


def _with_before(talk: ThreadTalk, remark: Remark, kind: ThreadKind) -> Candidate | None:
    """Tell it with what the other said just before, or asked at first."""
    first = _asked_at_first(talk, remark)
    if first is not None:
        return of_exchange(talk, first, remark, kind)
    about = telling(talk, _before_details(talk, remark))
    if about is None or is_polite(talk, about) or talk.has(about, "promise") or _is_house(about):
        return None
    if talk.matters(about) and not talk.phrases.matters(without_names(about.plain)):
        return None  # “leo btw”
    offered = _offered_before(talk, about) if remark.said_by == "agent" else None
    if offered is not None:
        return _of_three(talk, (offered, about, remark), kind)
    is_needed = not talk.undated(remark) or points(talk, remark)
    most = 1 if talk.has(remark, "rings_then") else FEWEST_MATTERS  # “I'll check, and ring you back.”
    tells = is_needed or (len(talk.matters(about)) >= most and not answers(talk, about))
    if not tells:
        return None
    last = _last_word(talk, about)
    return (
        of_exchange(talk, about, remark, kind)
        if last is None
        else of_answer(talk, (about, last), (remark,), kind)
    )


def _offered_before(talk: ThreadTalk, answer: Remark) -> Remark | None:
    """Return the offer of “I could look for a recipe.” – “Oh, do look.” – “I'll tell you next time.”"""
    if len(talk.matters(answer)) >= FEWEST_MATTERS or talk.asks(answer):
        return None
    said = [one for one in talk.before(answer) if talk.has(one, "could_do", "offer")]
    return said[-1] if said and len(talk.matters(said[-1])) >= FEWEST_MATTERS else None


def _before_details(talk: ThreadTalk, remark: Remark) -> tuple[Remark, ...]:
    """Pass over “What name?” – “Anabel Shaw.”, behind “I ordered a bike, is it in?”"""
    said = talk.before(remark)
    for _ in range(_DETAILS):
        asked = [one for one in talk.before(said[0]) if talk.asks(one)] if said else []
        is_detail = bool(asked) and _asks_for_a_detail(talk, asked[-1], said, remark)
        earlier = talk.before(asked[0]) if is_detail else ()
        if not earlier:
            break
        said = earlier
    before = talk.before(said[0]) if said and _only_refers(talk, said) else ()
    return before if len(talk.matters(*before)) >= FEWEST_MATTERS else said


def _only_refers(talk: ThreadTalk, said: Sequence[Remark]) -> bool:
    """“We've still got your three hats.” – “They were due back on Monday.” – “I'll drop them off.”"""
    about = telling(talk, tuple(said))
    if about is None or talk.asks(about) or len(talk.undated(about)) > 1:
        return False
    refers = manner(talk.phrases.tag).referring & {*words(about.text)}
    return bool(refers) and tells_of_the_past(about.text, talk.phrases.tag)


def _asks_for_a_detail(talk: ThreadTalk, asked: Remark, said: Sequence[Remark], promised: Remark) -> bool:
    """Tell so of “What name?”, “With an X?” – “Yes.”, and of a reminder of “When is it?”"""
    length = len(asked.text.split()), sum(len(one.text.split()) for one in said)
    is_of_a_day = talk.has(promised, "reminds") and talk.has(asked, "asked_when", "asked_which_day")
    is_brief = max(length) < _BRIEF_DETAIL and not talk.days(asked)  # “Wednesday?” – “Wednesday's fine.”
    return is_brief or is_of_a_day or talk.has(asked, "asked_detail", "contact")


def _asked_at_first(talk: ThreadTalk, remark: Remark) -> Remark | None:
    """“Is the new Keegan in?” – “No. Shall I reserve it?” – “Yes, Declan Foy.” – “I'll write then.”"""
    replies = talk.before(remark)
    if not replies or not talk.phrases.opens("yes", replies[0].marked):
        return None
    offered = next((one for one in talk.before(replies[0]) if talk.asks(one)), None)
    if offered is None or not talk.has(offered, "pointer") or len(talk.matters(offered)) >= FEWEST_MATTERS:
        return None
    asked = asked_before(talk, offered)
    return asked if asked is not None and talk.matters(asked) else None


def _is_beside_a_yes(talk: ThreadTalk, remark: Remark) -> bool:
    """“Tuesday at half past ten?” – “That's fine. And the invoices, I'll send them by Friday.”, or “Can I
    come on Tuesday at ten?” – “Booked, Tuesday at ten. I'll remind you the day before.”"""
    first, own = talk.message(remark)[0], talk.undated(remark)
    offers = [one for one in talk.before(remark) if talk.has(one, "proposal") and names_a_time(one.marked)]
    if first.place == remark.place or not offers or talk.is_conditional(first):
        return False
    is_another = bool(own) and own.isdisjoint(talk.matters(*offers))
    is_beside = is_another or talk.has(remark, "day_before")
    return is_beside and _grants_one(talk, first, offers)


def _grants_one(talk: ThreadTalk, first: Remark, offers: Sequence[Remark]) -> bool:
    """Tell so of “That's fine.”, of “Booked.”, and of the day said again."""
    if talk.phrases.opens("yes", first.marked) or (talk.has(first, "booked") and not talk.undated(first)):
        return True
    day = due_day(first, talk.phrases)
    repeats_it = day is not None and any(day == due_day(one, talk.phrases) for one in offers)
    return repeats_it and not talk.has(first, *_MINDS)


def _last_word(talk: ThreadTalk, about: Remark) -> Remark | None:
    """Return what was said behind it: “Pete came and sorted the tap. But he's left his level here.” – “I'll
    tell him.”"""
    behind = [one for one in talk.message(about) if one.place > about.place]
    said = [one for one in behind if len(talk.matters(one)) >= FEWEST_MATTERS]
    is_plain = not any(
        talk.asks(one) or is_polite(talk, one) or talk.has(one, "promise") for one in said[-1:]
    )
    return said[-1] if said and is_plain else None


def _with_own(talk: ThreadTalk, own: Remark, remark: Remark, kind: ThreadKind) -> Candidate:
    """Add the question where the sentence before only answers: “Not yet, she was off. I'll chase her.”"""
    first = [one for one in talk.message(own) if one.place < own.place]
    asked = _asked_or_wondered(talk, own) if not talk.matters(*first) else None
    said = [*first, own]
    only_answers = any(talk.has(one, "pointer", "not_done", "deferral", "duty") for one in said)
    only_answers = only_answers or any(talk.phrases.opens("yes", one.marked) for one in said)
    only_answers = only_answers or len(talk.matters(own)) <= FEWEST_MATTERS
    if asked is not None and only_answers and talk.matters(asked):
        return of_answer(talk, (asked,), (own, remark), kind)
    complained = _complained(talk, own) if talk.has(own, "pointer", "concedes") else None
    if complained is not None and points(talk, remark):
        return of_answer(talk, (complained,), (own, remark), kind)
    return of_sentences(talk, own, remark, kind)


def _complained(talk: ThreadTalk, own: Remark) -> Remark | None:
    """Return what the other said of an “it”, behind its “but”: “It runs well, but you've kept the rear
    light.” – “You're right, it's here on the bench. I'll keep it for you.”"""
    told = [one for one in talk.before(own) if talk.matters(one) and not talk.asks(one)]
    if not told or is_polite(talk, told[-1]):
        return None
    behind = talk.phrases.behind_but(told[-1].marked)
    part = from_place(told[-1], len(behind) - len(behind.lstrip()))
    return part if talk.matters(part) else None


def _asked_or_wondered(talk: ThreadTalk, own: Remark) -> Remark | None:
    """“I wanted to know whether the owner renews.” – “I'd have to ask him. I'll ring you.”, or “fine and have
    you got a loan car” – “I'll have to find out. I'll ring you.”"""
    before = [*reversed(talk.before(own))]
    wondered = next((one for one in before if talk.has(one, "wonders")), None) or asked_before(talk, own)
    if wondered is not None or not talk.has(own, "deferral", "enquiry"):
        return wondered
    unmarked = (one for one in before if not ends_a_sentence(one.text))
    asked = ((one, talk.find("question", one.marked)) for one in unmarked)
    return next((from_place(one, found.start()) for one, found in asked if found), None)


def _with_question(
    talk: ThreadTalk, asked: Remark, remark: Remark, kind: ThreadKind, *, needed: bool
) -> Candidate:
    """Add the sentence before where the question says little. Where it asks for an “it”, tell what that is
    instead: “I've still got the key.” – “Could you drop it back?”"""
    says_little = needed and len(talk.matters(asked)) < FEWEST_MATTERS
    context = own_context(talk, asked) if says_little else None
    if context is not None:
        return of_answer(talk, (context, asked), (remark,), kind)
    own = _pointed_at(talk, asked) if says_little and talk.has(asked, "pointer") else None
    return of_exchange(talk, asked, remark, kind) if own is None else of_sentences(talk, own, remark, kind)


def _pointed_at(talk: ThreadTalk, asked: Remark) -> Remark | None:
    """Return what tells of an “it”; who takes the call tells of nothing yet."""
    own = telling(talk, talk.before(asked))
    if own is None or own.position == talk.remarks[0].position or talk.asks(own):
        return None
    return own if len(talk.matters(own)) >= FEWEST_MATTERS else None
