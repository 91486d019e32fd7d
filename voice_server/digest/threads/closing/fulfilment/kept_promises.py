"""Earlier promises that a conversation shows to be kept while it hardly names their matter: “you rang me”,
“it fits like a glove”. Of several, only those count that are named."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from voice_server.digest.dates.dates import undated
from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.threads.closing.earlier import ThreadWords, is_agents_promise, last_said
from voice_server.digest.threads.closing.rescheduling.calling_off import is_agreed
from voice_server.digest.threads.speech.due import days_named
from voice_server.digest.threads.speech.phrases import Kind, Phrases
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import clauses
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import EarlierThread

_BEGINNING = 4  # letters
_FEW_MATTERS = 1  # of “Will do.”, “Sí, le llamo.”
_CALLING = 3  # words of “we'll ring you”
_LATELY = timedelta(weeks=1)
_FETCHING = 5  # words of “I've just picked it up”, “Je viens de le récupérer”
_GLAD = 4  # words of “Oh, how lovely, thanks.”
_A_NAME = 3  # words of “Hello, Mr Fairlie?”
_NO_NEWS: tuple[Kind, ...] = ("not_done", "waiting", "promise", "unable")
_NOT_YET: tuple[Kind, ...] = ("not_done", "waiting", "promise")
_IN_VAIN: tuple[Kind, ...] = ("not_done", "missed", "no_show", "promise", "unable")


def kept_promises(
    threads: Sequence[ThreadWords], talk: ThreadTalk, *, is_call: bool
) -> Iterator[ThreadWords]:
    """Yield kept promises, some twice. `is_call`: the two speak, and do not write."""
    if is_call:
        yield from (one for one in threads if _called_back(one, talk))
    yield from _reported(threads, talk)
    yield from _heard_from(threads, talk)
    yield from _visited(threads, talk)
    yield from _well_done(threads, talk)
    yield from _fetched(threads, talk)
    yield from _was_ready(threads, talk)
    yield from _found_again(threads, talk)
    yield from _reached(threads, talk)


def _called_back(one: ThreadWords, talk: ThreadTalk) -> bool:
    """Tell whether the user calls on the promised day or later, and about the matter if the promise names
    any; what was said before it (“Let's wait and see, I'll ring you on Monday”) counts not on that day."""
    thread, phrases = one.thread, talk.phrases
    if thread.kind != "promise" or thread.said_by != "user":
        return False
    promised = last_said(thread, phrases)
    calls = [remark for remark in talk.remarks if remark.said_by == "user"]
    if not calls or not phrases.has("call_back", phrases.marked(promised)):
        return False
    if thread.due is not None and thread.due > calls[0].said_on:
        return False
    found = phrases.find("call_back", phrases.marked(promised))
    is_its_day = found is not None and thread.due == calls[0].said_on
    about = phrases.matters(promised[found.start() :] if found and is_its_day else promised)
    return not about or not about.isdisjoint(talk.matters(*talk.remarks))


def _reported(threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """“I'll let you know as soon as it's here.” – “Your sofa has arrived.” A promise that names what is to
    come is about that alone."""
    waiting = [one for one in threads if _is_to_be_told(one.thread, talk.phrases)]
    if len(waiting) != 1:
        return []
    first = talk.message(talk.remarks[0])
    is_told = first[0].said_by == "agent" and any(_says_it_is_here(one, talk) for one in first)
    fetched = [r for r in talk.remarks if r.said_by == "user" and talk.has(r, "fetched")]
    about = talk.matters(*(first if is_told else ()), *fetched)
    named = _named(waiting[0].thread, talk.phrases)
    own = waiting[0].own | waiting[0].around if is_told and named else named
    points = any(_fetches_it(one, talk) for one in fetched)  # “Picked her up around five.”
    return waiting if (is_told or fetched) and (not own or points or not own.isdisjoint(about)) else []


def _says_it_is_here(remark: Remark, talk: ThreadTalk) -> bool:
    if talk.phrases.awaits(remark.plain):
        return False  # “When your bike's ready, we'll ring.”
    return talk.says_done(remark) or (
        talk.has_without(remark, "received", "not_done") and not talk.asks(remark)
    )


def _named(thread: EarlierThread, phrases: Phrases) -> frozenset[str]:
    """“I'll order one in and ring you when it's here” and “I'll ring you when it lands” name nothing."""
    promised = last_said(thread, phrases)
    if not phrases.awaits(promised):  # “Will you ring me when the bike is ready?” – “Will do.”
        asked = phrases.plain(undated(thread.text)).rpartition(ANSWERED)[0]
        return phrases.telling(phrases.matters(asked[len(phrases.before_it_awaits(asked)) :]))
    found = phrases.find("promise", phrases.marked(promised))
    said = promised[found.start() :] if found else promised
    before = phrases.before_it_awaits(said)
    if phrases.has("pointer", phrases.marked(before)):
        return frozenset()
    comes = phrases.find("it_comes", phrases.marked(said))
    if comes:
        first = " ".join(said[: comes.start()].split()[:_CALLING])
        return phrases.matters(said[: comes.start()]) - phrases.matters(first)
    points = phrases.has("pointer", phrases.marked(said[len(before) :]))
    return phrases.matters(before if points else promised)


def _heard_from(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Look for the promised call, or its matter, in the agent's opening, or for the user's “Got your
    text.”"""
    first = talk.message(talk.remarks[0])
    heard = [one for one in talk.remarks if one.said_by == "user" and not talk.has(one, "not_told")]
    users = [said for one in heard for said in _telling(one, talk)]
    to_call = _promised_by_agent(threads, talk, "call_back")
    to_tell = [*to_call, *_promised_by_agent(threads, talk, "be_told")]
    if first[0].said_by == "agent":
        opens = [one for one in first if not talk.asks(one)]
        yield from to_tell if any(talk.has(one, "called_as_promised") for one in opens) else ()
        to_ring = [*to_call, *_promised_by_agent(threads, talk, "rings_then")]
        calls = any(talk.has(one, "called_from") for one in opens)  # “I'm calling from the clinic.”
        yield from to_ring if calls and len({one.thread.id for one in to_ring}) == 1 else ()
        about = [one for one in opens if talk.has(one, "called_about")] or _news_told(first, talk)
        to_hear = [*to_tell, *_promised_by_agent(threads, talk, "rings_then")] if about else []
        yield from (one for one in to_hear if _is_called_about(one, about, talk))
        news = [one for one in opens[1:] if _is_the_news(one, talk)]
        yield from (one for one in to_call if talk.matters(*news) & one.own)
        told = talk.matters(*_told_at_once(first, talk))
        yield from (one for one in to_tell if told & _asked_for(one, talk.phrases))
    to_ring = [*to_call, *_promised_by_agent(threads, talk, "rings_then")]
    rung = [one for one in users if talk.has(one, "was_rung")]
    yield from _the_one(to_ring, talk, rung)
    yield from (one for one in to_tell if talk.matters(*rung) & one.own)
    wrote = [one for one in users if talk.has(one, "was_written_to")]
    yield from _the_one(to_tell[len(to_call) :], talk, wrote)
    yield from _asked_whether_ready(threads, talk) if wrote else ()
    read = [one for one in talk.remarks if _is_read(one, talk)]
    media = [_medium(one.marked, talk.phrases) for one in (*wrote, *read)]
    written = _promised_by_agent(threads, talk, "in_writing")
    same = [one for one in written if _medium(last_said(one.thread, talk.phrases), talk.phrases) in media]
    yield from _the_one(same, talk, [*wrote, *read])


def _asked_whether_ready(threads: Sequence[ThreadWords], talk: ThreadTalk) -> list[ThreadWords]:
    """“Are my glasses ready?” – “Not yet, I'll text you.” … “I got your text.” Take the only one."""
    today = talk.remarks[0].said_on
    promised = [one for one in threads if is_agents_promise(one.thread) and not one.is_due_after(today)]
    waiting = [one for one in promised if _answers_whether_ready(one.thread, talk.phrases)]
    return waiting if len(waiting) == 1 else []


def _answers_whether_ready(thread: EarlierThread, phrases: Phrases) -> bool:
    asked = phrases.plain(undated(thread.text)).partition(ANSWERED)[0].strip('"')
    return phrases.has("asked_ready", phrases.marked(asked))


def _news_told(first: Sequence[Remark], talk: ThreadTalk) -> list[Remark]:
    """“Mr Fairlie? Greenacre here. The grower has two quinces.”, “Mr Bakx, Kuijpers again. I can give you
    fifteen hundred.” Who asks for somebody first has rung them."""
    asked, *rest = first
    asks_for_somebody = talk.asks(asked) and 0 < len(asked.plain.split()) <= _A_NAME
    asks_for_somebody = asks_for_somebody or talk.has(asked, "by_name")
    told = [one for one in rest if not talk.asks(one) and len(one.plain.split()) > _A_NAME]
    told = told if asks_for_somebody else []
    return [] if any(talk.has(one, *_NOT_YET) for one in told) else told


def _told_at_once(first: Sequence[Remark], talk: ThreadTalk) -> list[Remark]:
    """“Hello, it's the guest house. The dog can come.” – “Oh, great.” “We do brakes and tyres” is no news,
    and who calls says what for."""
    is_told = not any(talk.asks(one) or talk.has(one, *_NOT_YET) for one in first)
    heard = talk.after(first[0])[:1]
    is_told = is_told and all(len(one.plain.split()) <= _GLAD and not talk.asks(one) for one in heard)
    told = (one for one in first[1:] if len(one.plain.split()) >= _A_NAME) if is_told else ()
    of_itself = manner(talk.phrases.tag).first_person
    return [one for one in told if of_itself.isdisjoint(words(one.plain))]


def _asked_for(one: ThreadWords, phrases: Phrases) -> frozenset[str]:
    """Return what a promise was an answer to, without whom or what it asks."""
    asked = phrases.matters(phrases.plain(undated(one.thread.text)).rpartition(ANSWERED)[0])
    return asked or one.around - one.own


def _is_the_news(said: Remark, talk: ThreadTalk) -> bool:
    """Tell so of “The quote is four hundred.”, not of “We do brakes and tyres.”"""
    tells = talk.has(said, "sum", "done") or bool(talk.days(said))
    return tells and not talk.has(said, *_NO_NEWS)


def _is_called_about(one: ThreadWords, said: Sequence[Remark], talk: ThreadTalk) -> bool:
    """Tell whether a word is of it, or a weekday of which the call was promised: “I'd like Monday.” – “I'll
    see, and call you on Friday.” – “I'm calling about the Monday.”"""
    if talk.matters(*said) & (one.own | one.around):
        return True
    phrases, due = talk.phrases, one.thread.due
    days = phrases.weekdays(phrases.plain(one.thread.around)) - {due.weekday() if due else None}
    return any(days & phrases.weekdays(remark.plain) for remark in said)


def _medium(plain: str, phrases: Phrases) -> str:
    """Return a beginning of “mail”, also of “emailed”, or of “text”."""
    found = phrases.find("in_writing", phrases.marked(plain))
    return found[0].replace("-", "").removeprefix("e")[:_BEGINNING] if found else ""


def _telling(remark: Remark, talk: ThreadTalk) -> list[Remark]:
    """“I got your text, when can he come?” tells, too, and “You texted me, but it had gone when I came.”"""
    told = [clause for clause in clauses(remark, talk) if not talk.asks(clause)]
    return told if talk.asks(remark) else [remark, *told]


def _is_read(remark: Remark, talk: ThreadTalk) -> bool:
    """“Did you get my email?” – “Yes, thanks.”"""
    asks = remark.said_by == "agent" and talk.has(remark, "asked_whether_read")
    return asks and any(talk.phrases.opens("yes", one.marked) for one in talk.after(remark))


def _visited(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Your plumber has been.” What is still ahead is another visit."""
    came = [remark for remark in talk.remarks if remark.said_by == "user" and talk.has(remark, "came")]
    promised = _promised_by_agent(threads, talk, "visit")
    over = [one for one in promised if came and (one.thread.due is None or one.thread.due <= came[0].said_on)]
    yield from _the_one(over, talk, came)
    yield from _was_visited(threads, talk)
    yield from _just_left(threads, talk)
    yield from _was_there(threads, talk)


def _was_visited(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take the one visit lately agreed on: “The plumber came, but it's dripping again.”"""
    users = (remark for remark in talk.remarks if remark.said_by == "user" and not talk.asks(remark))
    came = [one for remark in users for one in clauses(remark, talk)[:1] if talk.has(one, "came")]
    agreed = [one for one in threads if came and _was_lately(one, came[0])]
    days = frozenset[date]().union(*(days_named(one, talk.phrases) for one in came))
    if len(agreed) == 1 and (not days or agreed[0].thread.due in days):
        yield agreed[0]


def _just_left(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take the visit of whom it names, for anybody may leave: “The owner has just left.”"""
    for remark in talk.remarks:
        if remark.said_by == "user" and not talk.asks(remark) and talk.has(remark, "just_left"):
            about = talk.matters(remark)
            yield from (one for one in threads if _was_lately(one, remark) and about & one.own)


def _was_there(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I was with you this morning, I forgot my scarf.”, “Your husband was here today.” Take the one
    appointment of that day."""
    said = (one for one in talk.remarks if talk.has(one, "was_there") and not talk.asks(one))
    for remark in said:
        days = days_named(remark, talk.phrases) or {remark.said_on}
        agreed = [one for one in threads if one.thread.kind == "plan" and is_agreed(one.thread)]
        that_day = [one for one in agreed if one.thread.due in days]
        yield from that_day if len(that_day) == 1 else ()


def _was_lately(one: ThreadWords, came: Remark) -> bool:
    due = one.thread.due
    is_past = due is not None and timedelta(0) <= came.said_on - due <= _LATELY
    return one.thread.kind == "plan" and is_past and is_agreed(one.thread)


def _fetched(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll come and get it tomorrow evening.” – “I picked the car up on Wednesday.” The thing, or the day,
    is that of the promise, or the only one there is. What the agent was to do for it has no use then."""
    said = [one for one in talk.remarks if one.said_by == "user" and talk.has(one, "fetched")]
    promised = [one for one in threads if said and _is_users_to_fetch(one, talk)]
    awaited = [one for one in threads if said and _is_of_what_is_awaited(one.thread, talk.phrases)]
    ready = [one for one in threads if said and _was_to_be_ready(one, said[0], talk.phrases)]
    for remark in said:
        about = talk.undated(remark)
        yield from (one for one in awaited if about & one.own)
        is_it = len(ready) == 1 and _fetches_it(remark, talk)
        yield from ready if is_it else (one for one in ready if about & one.own)
        days = days_named(remark, talk.phrases)
        is_bare = talk.phrases.is_nothing_but(about, frozenset()) and len(promised) == 1
        yield from (
            one for one in promised if is_bare or one.thread.due in days or about & (one.own | one.around)
        )


def _fetches_it(remark: Remark, talk: ThreadTalk) -> bool:
    """“I've just picked it up”, not “I've picked up the prescription, is it ready?”"""
    found = talk.find("fetched", remark.marked)
    said = found[0].split()[:_FETCHING] if found else []
    return talk.phrases.has("pointer", " ".join(said)) and not talk.asks(remark)


def _was_to_be_ready(one: ThreadWords, fetched: Remark, phrases: Phrases) -> bool:
    """“Your bike will be ready on Friday.” … “I've just picked it up.”"""
    is_past = is_agents_promise(one.thread) and not one.is_due_after(fetched.said_on)
    return is_past and phrases.has("to_be_ready", phrases.marked(last_said(one.thread, phrases)))


def _was_ready(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take the one day lately agreed on that names nothing: “For Saturday.” … “I've picked up the cake.”"""
    said = [one for one in talk.remarks if one.said_by == "user" and talk.has(one, "fetched")]
    bare = [one for one in threads if said and _is_a_bare_day(one, said[0], talk.phrases)]
    if len(bare) == 1 and not any(talk.asks(one) or talk.is_conditional(one) for one in said):
        yield bare[0]


def _found_again(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Take the one search: “I'll trace your suitcase and ring you.” … “The case turned up last night.”"""
    searches = _promised_by_agent(threads, talk, "searches")
    told = [one for one in talk.remarks if one.said_by == "user" and not talk.asks(one)] if searches else []
    is_there = any(
        talk.has_without(one, "turned_up", "not_done") and not talk.is_conditional(one) for one in told
    )
    if len(searches) == 1 and is_there:
        yield searches[0]


def _reached(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“I'll ring her on Sunday.” … “I rang her, we cried.”: of several, whoever is named beside it."""
    promised = [one for one in threads if _is_to_reach(one.thread, talk.phrases)]
    for remark in talk.remarks if promised else ():
        is_told = remark.said_by == "user" and not (talk.asks(remark) or talk.is_conditional(remark))
        if is_told and talk.has_without(remark, "reached", *_IN_VAIN):
            known = [one for one in promised if not _speaks_of_another(remark, one, talk)]
            about = talk.matters(remark)
            yield from known if len(promised) == 1 else (one for one in known if about & one.own)


def _speaks_of_another(remark: Remark, one: ThreadWords, talk: ThreadTalk) -> bool:
    """“How's your neighbour?” – “I saw her yesterday.” is not the sister."""
    said = (*talk.before(remark)[-1:], talk.sentence_before(remark), remark)
    naming = [r for r in said if r is not None and talk.has(r, "possessed", "asked_of")]
    named = talk.matters(*naming)
    return bool(named) and named.isdisjoint(one.own | one.around)


def _is_to_reach(thread: EarlierThread, phrases: Phrases) -> bool:
    is_users = thread.said_by == "user" and thread.kind in ("promise", "plan")
    return is_users and phrases.has("to_reach", phrases.marked(last_said(thread, phrases)))


def _is_a_bare_day(one: ThreadWords, fetched: Remark, phrases: Phrases) -> bool:
    due = one.thread.due
    is_past = due is not None and timedelta(0) <= fetched.said_on - due <= _LATELY
    plain = phrases.plain(undated(one.thread.text))
    days = phrases.matters(" ".join(phrases.days(plain, phrases.marked(plain))))
    return is_past and one.thread.kind == "plan" and one.own <= days | phrases.numbers_in_words(plain)


def _is_users_to_fetch(one: ThreadWords, talk: ThreadTalk) -> bool:
    phrases, is_users = talk.phrases, one.thread.said_by == "user"
    is_ahead = one.is_due_after(talk.remarks[0].said_on)
    if one.thread.kind not in ("promise", "plan") or not is_users or is_ahead:
        return False
    return phrases.has("to_fetch", phrases.marked(last_said(one.thread, phrases)))


def _is_of_what_is_awaited(thread: EarlierThread, phrases: Phrases) -> bool:
    """“Are my glasses in?” – “I'll chase the lab and ring you.”"""
    asked, _, promised = (phrases.plain(part.strip('"')) for part in undated(thread.text).rpartition(" – "))
    is_promise = thread.kind == "promise" and thread.said_by == "agent" and bool(asked)
    is_of_it = phrases.has("asked_ready", phrases.marked(asked))
    return is_promise and is_of_it and not phrases.has("sending", phrases.marked(promised))


def _well_done(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Ask for one promise alone: “It fits like a glove” names nothing."""
    promised = [one for one in threads if one.thread.kind == "promise" and one.thread.said_by == "agent"]
    if any(remark.said_by == "user" and talk.has(remark, "fits") for remark in talk.remarks):
        yield from promised if len(promised) == 1 else ()


def _the_one(
    promised: Sequence[ThreadWords], talk: ThreadTalk, said: Sequence[Remark]
) -> Iterator[ThreadWords]:
    """Take of several what is named, and what was promised beside it and names nothing: “I'll get Dr. Lowe to
    call you.” … “She'll call you before six.”"""
    about = talk.matters(*said)
    if said and len(promised) == 1:
        yield promised[0]
    elif said:
        named = [one for one in promised if about & one.own]
        days = {one.thread.said_on for one in named} - {None}
        yield from named
        yield from (
            one for one in promised if one.thread.said_on in days and _names_nothing(one.thread, talk)
        )


def _names_nothing(thread: EarlierThread, talk: ThreadTalk) -> bool:
    return not talk.phrases.matters(last_said(thread, talk.phrases))


def _promised_by_agent(threads: Sequence[ThreadWords], talk: ThreadTalk, kind: Kind) -> list[ThreadWords]:
    return [one for one in threads if _agent_promised(one.thread, kind, talk.phrases)]


def _agent_promised(thread: EarlierThread, kind: Kind, phrases: Phrases) -> bool:
    is_promise = thread.kind == "promise" and thread.said_by == "agent"
    return is_promise and phrases.has(kind, phrases.marked(last_said(thread, phrases)))


def _is_to_be_told(thread: EarlierThread, phrases: Phrases) -> bool:
    """“I'll ring you when it's done.”, or “Will you ring me when it's done?” – “Will do.”"""
    asked, _, last = phrases.plain(undated(thread.text)).rpartition(ANSWERED)
    if thread.kind == "request" and thread.said_by == "user":
        return phrases.awaits(last) and phrases.has("asks_for_word", phrases.marked(last))
    if not is_agents_promise(thread):
        return False
    is_bare = len(phrases.matters(last)) <= _FEW_MATTERS
    return phrases.awaits(last) or (is_bare and phrases.awaits(asked))
