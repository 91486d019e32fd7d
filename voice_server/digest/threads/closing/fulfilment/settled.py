"""What a remark settles.

It has a word of the thread and says that it is done; or the agent asks, and the user says so; or the user
says so of nothing in particular where one thread alone can be meant.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice

from voice_server.digest.dates.dates import tells_of_the_past
from voice_server.digest.threads.closing.earlier import (
    OF_OTHERS,
    ThreadWords,
    has_its_question,
    is_agents_promise,
    is_sent,
    is_users_promise,
    last_said,
)
from voice_server.digest.threads.closing.replies.outcomes import (
    WHOM_AND_WHAT,
    is_to_ask,
    told_as_it_is,
    told_how_it_was,
    told_how_its_thing_was,
)
from voice_server.digest.threads.closing.rescheduling.calling_off import is_series
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.due import days_named
from voice_server.digest.threads.speech.phrases import DONE, Kind, Phrases, around
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import (
    FEWEST_MATTERS,
    about_asked,
    asks_afterwards,
    asks_whether_done,
    is_denied,
    names_done,
)
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import EarlierThread

_BRIEF_NEARLY = 4  # words
_COMPOUNDED = 4  # letters, at least, before the end of a compound
_STILL_OPEN: tuple[Kind, ...] = ("deferral", "promise", "bare_promise", "waiting", "not_done", "doubt")
_ANSWERS: tuple[Kind, ...] = ("slot", "proposal", "booked", "standing", "coming")
_ENOUGH = 2  # words of a question that an answer shares with it


def _is_visit(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell so of the agent's “I'll send someone about the boiler”, which “The boiler is cold” leaves open."""
    said = phrases.marked(last_said(thread, phrases)) if is_agents_promise(thread) else ""
    return phrases.has("visit", said)


def settled_by(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    if remark.said_by == "agent":
        yield from _reminded_of(remark, threads, talk)
        yield from _got_somebody(remark, threads, talk)
    is_question = talk.asks(remark) and not _says_done_and_asks(remark, talk)
    if is_question or _is_amiss(remark, talk) or _is_still_awaited(remark, talk):
        return
    if _says_done(remark, talk) or _answers_yes(remark, talk):
        meant = _of(remark, threads, talk)
        yield from (one for one in meant if _may_be_kept(one, remark, talk))
    elif _confirms(remark, talk):
        yield from _confirmed(remark, threads, talk)
    elif remark.said_by == "user" and talk.has_without(remark, "in_touch", "not_done"):
        yield from _of(remark, _to_ask(threads, talk), talk)
    elif talk.has(remark, "received"):
        others = [one for one in threads if not is_users_promise(one.thread)]
        yield from _of(remark, others, talk)
    if remark.said_by == "user":
        yield from _in_use(remark, threads, talk)
        yield from _mended(remark, threads, talk)
        yield from _did_it(remark, threads, talk)
        yield from _did_something(remark, threads, talk)
        yield from _paid(remark, threads, talk)
        yield from _went(remark, threads, talk)
        yield from _asked_them(remark, threads, talk)
        yield from told_how_it_was(remark, threads, talk)
        kept = [one for one in threads if one.thread.said_by == "user" or is_sent(one.thread, talk.phrases)]
        things = [one for one in kept if not _is_visit(one.thread, talk.phrases)]
        yield from told_as_it_is(remark, things, talk)
        events = [one for one in threads if one.thread.kind != "promise" or one in kept]
        yield from told_how_its_thing_was(remark, events, talk)
    if remark.said_by == "agent":
        yield from _by_agent(remark, threads, talk)
        yield from _done_on_the_spot(remark, threads, talk)
    else:
        yield from _answered_at_last(remark, threads, talk)
        yield from _told_at_last(remark, threads, talk)


def _is_amiss(remark: Remark, talk: ThreadTalk) -> bool:
    """Tell whether something is wrong with what is told: “Pete's been. Thing is, he'd brought the wrong
    pump.”"""
    if remark.said_by == "agent":
        return False
    behind = talk.sentence_after(remark)
    return any(talk.has(one, "amiss") for one in (remark, behind) if one is not None)


def _is_still_awaited(remark: Remark, talk: ThreadTalk) -> bool:
    """“I haven't seen that voucher yet.” – “It's on its way.”"""
    is_word = remark.said_by == "agent" and talk.has(remark, "sent_off")
    return is_word and any(talk.has(one, "missed", "not_done") for one in talk.before(remark))


def _says_done_and_asks(remark: Remark, talk: ThreadTalk) -> bool:
    found = talk.find("done", remark.marked)
    return found is not None and asks_afterwards(talk, remark, found.start())


def _in_use(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take “The link worked”, or of the one thing sent, “It all works”, where nothing else is spoken of."""
    if talk.has(remark, "works_all"):
        sent = [one for one in threads if is_sent(one.thread, talk.phrases) or _is_wished(one.thread)]
        yield from sent if len(sent) == 1 else ()
    found = talk.find("works", remark.marked)
    if found is None:
        return
    said = talk.phrases.matters(remark.plain[found.start() : found.end()])
    if not talk.phrases.is_nothing_but(talk.matters(remark), said):
        return
    thing = talk.phrases.matters(remark.plain[found.start() : found.end()].rpartition(" ")[0])
    yield from (one for one in threads if thing & one.own and is_sent(one.thread, talk.phrases))


def _mended(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll send someone about the boiler.” … “The boiler's fine now.”"""
    visits = [one for one in threads if _is_visit(one.thread, talk.phrases)]
    if talk.has(remark, "mended"):
        yield from (one for one in visits if talk.matters(remark) & one.own)


def _is_wished(thread: EarlierThread) -> bool:
    """“I'll send you a link.” – “To my mobile, please.”"""
    return (thread.kind, thread.said_by) == ("request", "user") and ANSWERED in thread.text


def _says_done(remark: Remark, talk: ThreadTalk) -> bool:
    """“I've got the ticket, the train gets in at nine”: a promise in the same clause would undo it."""
    kinds: tuple[Kind, ...] = (*DONE, "thanked")
    said = [kind for kind in kinds if talk.has_without(remark, kind, "not_done")]
    return any(not _will_be(talk, remark, kind) for kind in said)


def _will_be(talk: ThreadTalk, remark: Remark, kind: Kind) -> bool:
    found = talk.find(kind, remark.marked)
    if found is None:
        return False
    said = min(around(remark.marked, found), quoting.clause(remark.marked, found.start()), key=len)
    return talk.phrases.has("promise", said) or talk.phrases.has("request", said)


def _did_it(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Did you get round to it?” in the agent's first message means the user's one promise."""
    asked = talk.before(remark)
    opens = bool(asked) and asked[0].place == 0
    is_it = any(talk.has(one, "asked_whether_did") for one in asked)
    others = [one for one in asked if not talk.has(one, "asked_whether_did") and talk.matters(one)]
    mine = [one for one in threads if is_users_promise(one.thread)]
    if opens and is_it and not others and len(mine) == 1 and talk.has(remark, "did_so"):
        yield from mine


def _did_something(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“How's the form for the camp?” – “I popped it through your door on Monday.”"""
    asked = [before for before in talk.before(remark) if talk.asks(before)]
    if len(asked) != 1 or not talk.has(remark, "deed") or talk.has(remark, "not_done", "missed", "promise"):
        return
    about = talk.matters(*asked)
    for one in threads:
        mine = one.thread.kind == "request" or is_users_promise(one.thread)
        if mine and about & one.own:
            yield one


def _paid(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll transfer it when it's here.” – “And the bill?” – “I paid it straight away.” What is to be paid is
    that, if it is named."""
    if talk.asks(remark) or not talk.has_without(remark, "paid", "not_done"):
        return
    own = [one for one in threads if one.thread.said_by == "user" and one.thread.kind in ("promise", "plan")]
    found = ((one, talk.phrases.find("to_pay", _marked(one.thread, talk.phrases))) for one in own)
    due = [(one, one.own - talk.phrases.matters(pay[0])) for one, pay in found if pay is not None]
    about = talk.matters(remark, *talk.before(remark))
    named = [one for one, what in due if about & what]
    yield from named or (one for one, what in due if not what and len(due) == 1)


def _marked(thread: EarlierThread, phrases: Phrases) -> str:
    return phrases.marked(last_said(thread, phrases))


def _went(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Were you at the dentist's yesterday?” – “Yes, I was.” means the user's one plan for that day. So
    does a no: what did not happen is no plan any more."""
    went = talk.phrases.opens("yes", remark.marked) and not talk.has(remark, "not_done")
    if not went and not is_denied(talk, remark):
        return
    asked = [before for before in talk.before(remark) if talk.asks(before)]
    days = frozenset[date]().union(*(days_named(before, talk.phrases) for before in asked))
    over = [one for one in threads if one.thread.due in days and one.thread.due < remark.said_on]
    kinds = ("plan", "promise") if went else ("plan",)
    own = [one for one in over if one.thread.said_by == "user" and one.thread.kind in kinds]
    if len(own) == 1 and talk.matters(*asked) & (own[0].own | own[0].around):
        yield own[0]


def _asked_them(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll ask my husband about the kitchen.” … “My husband wants the kitchen in white.”"""
    if talk.asks(remark) or talk.has(remark, *_STILL_OPEN):
        return
    about = talk.matters(remark)
    yield from (one for one in _to_ask(threads, talk) if len(about & one.own) >= WHOM_AND_WHAT)


def _to_ask(threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    return [one for one in threads if is_users_promise(one.thread) and is_to_ask(one.thread, talk.phrases)]


def _answers_yes(remark: Remark, talk: ThreadTalk) -> bool:
    asked = [r for r in talk.before(remark) if _may_ask(r, talk)]
    is_yes = talk.phrases.opens("yes", remark.marked) or talk.has(remark, "did_so")
    is_answer = is_yes and any(talk.has(r, "asked_whether_done") for r in asked)
    is_answer = is_answer or (talk.has(remark, "did_so") and any(asks_whether_done(r, talk) for r in asked))
    is_there = any(talk.has(r, "asked_ready") for r in asked) and talk.phrases.opens("it_is", remark.marked)
    is_answer = is_answer or is_there
    return is_answer and not (talk.has(remark, "not_done") or _says_nearly(remark, talk))


def _confirms(remark: Remark, talk: ThreadTalk) -> bool:
    is_yes = talk.phrases.opens("yes", remark.marked) or talk.has(remark, "did_so")
    is_first = remark == talk.message(remark)[0] and bool(_asked_by_tone(remark, talk))
    is_open = talk.has(remark, "not_done", "missed", "promise") or _says_nearly(remark, talk)
    return is_yes and is_first and not is_open


def _says_nearly(remark: Remark, talk: ThreadTalk) -> bool:
    """“Yes, nearly.”, “Yes, I think so.”, not “Yes, I think it went out this morning.”"""
    return talk.has(remark, "nearly") and len(remark.text.split()) <= _BRIEF_NEARLY


def _asked_by_tone(remark: Remark, talk: ThreadTalk) -> list[Remark]:
    """“And the deposit went through?” asks by its mark alone."""
    asked = talk.before(remark)[-1:]
    told = [r for r in asked if talk.asks(r) and not talk.has(r, "in_writing")]
    return [r for r in told if tells_of_the_past(r.text, talk.phrases.tag)]


def _confirmed(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take the promises of which it asks, and nothing else: “So the invoice was wrong?” asks something
    else."""
    for asked in _asked_by_tone(remark, talk):
        about = talk.undated(asked)
        for one in threads:
            is_of_it = about & one.own and talk.phrases.is_nothing_but(about, one.own | one.around)
            if one.thread.kind == "promise" and is_of_it and not one.is_due_after(remark.said_on):
                yield one


def _may_ask(remark: Remark, talk: ThreadTalk) -> bool:
    """Where nobody punctuates, a question may follow: “yeah perfect did you get my deposit”."""
    return talk.asks(remark) or not remark.text.endswith((".", "!", "…"))


def _of(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take what has a word for its own, or else the first before which it was said: of two promises after
    “The boiler's dead” that one is about it. A plan is not about what it answered."""
    compounds = talk.phrases.file.compounds
    names = talk.phrases.besides_deeds(talk.phrases.telling(names_done(remark, talk)))
    asked = talk.matters(*talk.before(remark)) if remark.said_by == "user" else frozenset[str]()
    meant = set[int]()
    for word in about_asked(remark, talk):
        own = [n for n, one in enumerate(threads) if _has(word, one.own, compounds=compounds)]
        if compounds and not own and word in asked:
            longer = [n for n, one in enumerate(threads) if _specifies(word, one.own)]
            own = longer if len(longer) == 1 else []
        others = (
            n
            for n, one in enumerate(threads)
            if word in names and _may_be_of_what_led_to_it(one, remark, talk.phrases)
        )
        around = (n for n in others if _has(word, threads[n].around, compounds=compounds))
        meant.update(own or islice(around, 1))
    return [threads[n] for n in sorted(meant)] or _of_the_sum(remark, threads, talk)


def _may_be_of_what_led_to_it(one: ThreadWords, remark: Remark, phrases: Phrases) -> bool:
    """Tell whether a thread's own words leave to others what it is about: “I'll send somebody.”, “I'll ask
    the owner and let you know.”, and for the agent the user's “My mother has it, I'll bring it.”; not “I'll
    look the warranty up”, though the boiler was spoken of."""
    if one.thread.kind == "plan":
        return False
    said = phrases.marked(last_said(one.thread, phrases))
    if remark.said_by == "agent" and is_users_promise(one.thread) and phrases.has("pointer", said):
        return True
    asks_others = is_agents_promise(one.thread) and any(phrases.has(kind, said) for kind in OF_OTHERS)
    leaves_it_open = asks_others and not has_its_question(one.thread)
    return leaves_it_open or len(phrases.telling(one.own)) < FEWEST_MATTERS


def _of_the_sum(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """Take the promise to repay the sum that is there (“The twelve pounds arrived”), or, where no sum is
    named, the one there is (“The refund's here”, not “… but only half”)."""
    sums, is_refund = talk.phrases.sums(remark.plain), talk.has(remark, "refund")
    beside = talk.beside(remark, "repays") & talk.beside(remark, "refund")
    goes_against = talk.phrases.behind_but(remark.marked) != remark.marked
    is_of_it = talk.phrases.is_nothing_but(beside, frozenset())
    if not (sums or is_refund) or not is_of_it or goes_against or talk.has(remark, "has_paid"):
        return []
    promised = [one for one in threads if is_agents_promise(one.thread) and _repays(one, talk.phrases)]
    if not sums:
        return promised if len(promised) == 1 else []
    return [one for one in promised if sums & talk.phrases.sums(talk.phrases.plain(one.thread.text))]


def _repays(one: ThreadWords, phrases: Phrases) -> bool:
    return phrases.has("repays", phrases.marked(phrases.plain(one.thread.text)))


def _has(word: str, words: frozenset[str], *, compounds: bool) -> bool:
    return word in words or (compounds and any(_shortens(word, long) for long in words))


def _specifies(word: str, words: frozenset[str]) -> bool:
    """“Hast du das Linsenrezept bekommen?” means “Ich suche dir ein Rezept raus.”"""
    return any(len(short) >= _COMPOUNDED and _shortens(short, word) for short in words)


def _shortens(short: str, long: str) -> bool:
    """“Der Bogen ist da” means the “Anmeldebogen”."""
    return long.endswith(short) and len(long) - len(short) >= _COMPOUNDED


def _may_be_kept(one: ThreadWords, remark: Remark, talk: ThreadTalk) -> bool:
    """“I bought the tickets” is not the journey ahead; what is done once of a series leaves the rest."""
    if one.thread.kind in ("plan", "request") and is_series(one.thread, talk.phrases):
        return False
    is_ahead = one.thread.kind == "plan" and one.is_due_after(remark.said_on)
    matters = talk.matters(remark)
    is_it = not matters.isdisjoint(one.own) and talk.phrases.is_nothing_but(matters, one.own | one.around)
    return not is_ahead or is_it


def _may_be_reminded_of(thread: EarlierThread) -> bool:
    return thread.kind == "request" or (thread.kind == "promise" and thread.said_by == "agent")


def _is_asked(thread: EarlierThread) -> bool:
    return thread.kind == "question" or (
        thread.kind == "promise" and thread.said_by == "agent" and has_its_question(thread)
    )


def _by_agent(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    about = talk.matters(remark)
    if not talk.has(remark, "deferral", "promise", "waiting", "not_done"):
        for one in threads:
            if _is_asked(one.thread) and _is_enough(about, one.own):
                yield one
        yield from _begins_with_the_answer(remark, threads, talk)


def _done_on_the_spot(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“I forgot the voucher, can I do that over the phone?” – “Yes, forty pounds. Done.”"""
    is_done = len(remark.text.split()) == 1 and talk.says_done(remark) and not talk.has(remark, "heard")
    asked = (
        talk.before(remark) if is_done and talk.phrases.opens("yes", talk.message(remark)[0].marked) else ()
    )
    about = talk.matters(*asked)
    yield from (one for one in threads if one.thread.kind != "plan" and about & one.own)


def _begins_with_the_answer(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“I'll ring the dentist and let you know.” – “It's Nora. The dentist has Tuesday at half seven free.”"""
    if remark.position != talk.remarks[0].position or not talk.has(remark, *_ANSWERS):
        return
    about = talk.matters(remark)
    promised = [one for one in threads if is_agents_promise(one.thread)]
    yield from (
        one
        for one in promised
        if about & (one.own | one.around) and _is_to_be_heard(one.thread, talk.phrases)
    )


def _got_somebody(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll get a roofer to quote and let you know.” – “The roofer can come on Friday.”"""
    if not talk.has(remark, *_ANSWERS) or talk.has(remark, *_STILL_OPEN):
        return
    about = talk.phrases.besides_deeds(talk.phrases.telling(talk.undated(remark)))
    promised = [one for one in threads if is_agents_promise(one.thread) and about & one.own]
    yield from (one for one in promised if _is_to_be_heard(one.thread, talk.phrases))


def _answered_at_last(
    remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk
) -> Iterator[ThreadWords]:
    """“You were going to ring about the courtesy car.” – “Sorry, yes. You get the Polo.”"""
    about = talk.matters(remark)
    promised = [one for one in threads if is_agents_promise(one.thread)]
    to_hear = [one for one in promised if _is_to_be_heard(one.thread, talk.phrases)] if about else []
    replies = talk.after(remark) if to_hear else ()
    is_open = any(talk.asks(one) or talk.has(one, *_STILL_OPEN) for one in replies)
    if talk.matters(*replies) and not is_open and talk.has(remark, "reminding"):
        yield from (one for one in to_hear if about & one.own)


def _is_to_be_heard(thread: EarlierThread, phrases: Phrases) -> bool:
    """Tell whether nothing is promised but word of it: to ask, ring, write."""
    said = phrases.marked(last_said(thread, phrases))
    return any(phrases.has(kind, said) for kind in (*OF_OTHERS, "be_told"))


def _reminded_of(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take what the agent does that was asked: “You wanted a nudge about the butcher, didn't you?”"""
    if talk.has(remark, "reminding") and not talk.has(remark, "promise", "offer"):
        about = talk.matters(remark)
        yield from (one for one in threads if _may_be_reminded_of(one.thread) and about & one.own)


def _told_at_last(remark: Remark, threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“How many guests?” – “I'll tell you next time.” – “There will be thirty.”"""
    if talk.has(remark, "deferral", "promise", "answer_later", "doubt", "not_done"):
        return
    if talk.matters(remark) or talk.phrases.times(remark.plain):
        about = about_asked(remark, talk)
        yield from (one for one in threads if one.put_off and _is_enough(about, one.put_off))


def _is_enough(said: frozenset[str], asked: frozenset[str]) -> bool:
    return len(said & asked) >= min(_ENOUGH, max(1, len(asked)))
