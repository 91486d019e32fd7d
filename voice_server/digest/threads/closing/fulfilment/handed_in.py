"""What the user was to bring or send in, where they say how they left it: “I'll bring the certificate on
Saturday.” … “I popped the certificate through your letterbox yesterday.”"""

from collections.abc import Iterator, Sequence

from voice_server.digest.threads.closing.earlier import ThreadWords, last_said, promised_matters
from voice_server.digest.threads.speech.phrases import Phrases
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import about_asked, clauses
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk, between
from voice_server.domain.digest import EarlierThread


def handed_in(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield what is named, or asked for just before; else the one that names nothing: “When can you bring
    it?” – “On Friday.”"""
    owed = [one for one in threads if _is_users(one.thread)]
    yield from _in_hand(owed, talk)
    said = [one for one in talk.remarks if owed and one.said_by == "user" and _says_so(one, talk)]
    for remark in said:
        if not (_asks(remark, talk) or talk.is_conditional(remark)):
            about = about_asked(remark, talk)
            named = [one for one in owed if about & one.own]
            yield from named or _the_bare_one(owed, remark, talk.phrases)


def _says_so(remark: Remark, talk: ThreadTalk) -> bool:
    """“My oleander's been with you since Monday, only nobody told me what it costs.”"""
    return any(talk.has(one, "handed_in") for one in (remark, *clauses(remark, talk)))


def _asks(remark: Remark, talk: ThreadTalk) -> bool:
    """Tell so not of “i've just dropped the bike off when will it be ready”, where nobody writes marks."""
    found = talk.find("handed_in", remark.marked)
    is_unmarked = found is not None and "?" not in remark.text and bool(remark.text[found.end() :].strip())
    return talk.asks(between(remark, 0, found.end()) if found and is_unmarked else remark)


def _in_hand(owed: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """“Thanks for the form.”, “We've got your form.”, “You've got my form now.”"""
    for remark in talk.remarks if owed else ():
        is_told = remark.said_by == "agent" or talk.has(remark, "possessed")  # “You've got my form.”
        if is_told and talk.has(remark, "has_it_now") and not talk.asks(remark):
            yield from (one for one in owed if talk.matters(remark) & one.own)


def _is_users(thread: EarlierThread) -> bool:
    is_own = thread.said_by == "user" and thread.kind in ("promise", "plan") and ANSWERED not in thread.text
    return is_own or (thread.kind, thread.said_by) in (("promise", "user"), ("request", "agent"))


def _the_bare_one(owed: Sequence[ThreadWords], remark: Remark, phrases: Phrases) -> list[ThreadWords]:
    bare = [one for one in owed if ANSWERED in one.thread.text and _leaves_it_unnamed(one.thread, phrases)]
    return [one for one in bare if len(bare) == 1 and not one.is_due_after(remark.said_on)]


def _leaves_it_unnamed(thread: EarlierThread, phrases: Phrases) -> bool:
    """Look beside its verb: “I'll bring it on Friday.”"""
    about = promised_matters(last_said(thread, phrases), phrases)
    return about is not None and phrases.is_nothing_but(about, frozenset())
