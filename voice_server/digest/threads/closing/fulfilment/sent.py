"""What was to be sent, and is: “Can you send me the brochure?” … “I've posted it.”, “It came this morning.”

Nothing is named, so there is only one thing that it may be.
"""

import re
from collections.abc import Iterator, Sequence

from voice_server.digest.language.manner import manner
from voice_server.digest.threads.closing.earlier import ThreadWords, is_promised_call, last_said
from voice_server.digest.threads.speech.phrases import Phrases
from voice_server.digest.threads.speech.references import clauses
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk
from voice_server.domain.digest import EarlierThread, Speaker

_WORD = re.compile(r"\w+")
_SIDES: tuple[Speaker, ...] = ("agent", "user")


def sent(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield what is the only thing that one of the two has to send, and the new one of what came: “I've lost
    my card.” – “We'll send you the new one.” … “The card came on Saturday.”"""
    for sender in _SIDES:
        owed = [one for one in threads if _is_owed(one.thread, sender, talk.phrases)]
        if len(owed) == 1 and any(_tells_of_it(talk, one, sender, owed[0]) for one in talk.remarks):
            yield owed[0]
    posted = [one for one in threads if _is_posted(one.thread, talk.phrases)]
    if len(posted) == 1 and any(_post_came(one, talk) for one in talk.remarks):
        yield posted[0]
    unnamed = [
        one for one in threads if _is_owed(one.thread, "agent", talk.phrases) and _names_nothing(one, talk)
    ]
    came = [said for said in talk.remarks if said.said_by == "user" and _says_it_came(talk, said)]
    led_to = [one for one in unnamed if talk.matters(*came) & one.around]
    yield from led_to if len(led_to) == 1 else ()


def _is_posted(thread: EarlierThread, phrases: Phrases) -> bool:
    return _is_owed(thread, "agent", phrases) and phrases.has(
        "by_post", phrases.marked(phrases.plain(thread.text))
    )


def _post_came(said: Remark, talk: ThreadTalk) -> bool:
    """“I'll send you the code by post.” … “Your letter's come.”"""
    is_told = said.said_by == "user" and talk.has(said, "post_came")
    return is_told and not (talk.is_conditional(said) or talk.asks(said) or talk.phrases.awaits(said.plain))


def told_to_be_here(threads: Sequence[ThreadWords], talk: ThreadTalk) -> Iterator[ThreadWords]:
    """Yield the one call that waits for something, where the agent says that it has come: “I'll ring you as
    soon as it's in.” … “You never rang.” – “Sorry, it came in yesterday.”"""
    waiting = [one for one in threads if _rings_once_it_is_in(one.thread, talk.phrases)]
    said = (one for one in talk.remarks if one.said_by == "agent" and not talk.asks(one))
    came = (one for one in said if talk.has(one, "arrived") and not talk.is_conditional(one))
    if len(waiting) == 1 and any(_names_no_other(talk, one, waiting[0]) for one in came):
        yield waiting[0]


def _rings_once_it_is_in(thread: EarlierThread, phrases: Phrases) -> bool:
    return phrases.awaits(phrases.plain(thread.text)) and is_promised_call(thread, phrases)


def _names_nothing(one: ThreadWords, talk: ThreadTalk) -> bool:
    """“We'll send you the new one.”"""
    phrases, plain = talk.phrases, last_said(one.thread, talk.phrases)
    told = phrases.plain_besides("sending", plain, phrases.marked(plain))
    return phrases.is_nothing_but(phrases.telling(phrases.matters(told)), frozenset())


def _says_it_came(talk: ThreadTalk, said: Remark) -> bool:
    """Tell so of “The card came on Saturday.”, not “I've paid for the card.”"""
    own = manner(talk.phrases.tag).first_person
    is_own = not own.isdisjoint(_WORD.findall(said.text.lower())) and not talk.has(said, "received")
    return talk.says_done(said) and not (is_own or talk.is_conditional(said))


def _is_owed(thread: EarlierThread, sender: Speaker, phrases: Phrases) -> bool:
    by_whom = thread.kind, thread.said_by == sender
    is_theirs = by_whom in (("promise", True), ("request", False))
    marked = phrases.marked(phrases.plain(thread.text))
    return is_theirs and any(
        phrases.has(kind, marked) for kind in ("sending", "delivery", "arrival", "coming")
    )


def _tells_of_it(talk: ThreadTalk, said: Remark, sender: Speaker, owed: ThreadWords) -> bool:
    if talk.is_conditional(said):
        return False
    if said.said_by != sender:
        is_there = talk.has(said, "arrived") and not talk.asks(said) and _names_no_other(talk, said, owed)
        is_there = is_there and not _is_of_another(talk, said, owed)
        return is_there or _asks_and_hears_yes(talk, said, owed)
    if not talk.has(said, "sending") or not talk.says_done(said) or talk.has(said, "promise"):
        return False
    told = [one for one in clauses(said, talk) if talk.has(one, "sending")]
    return any(_names_no_other(talk, one, owed) for one in told)


def _is_of_another(talk: ThreadTalk, said: Remark, owed: ThreadWords) -> bool:
    """“Is the family there?” – “They've all arrived.”, “The winter's finally come. It all came so early.”"""
    before = talk.sentence_before(said)
    told = [before] if before is not None and talk.says_done(before) else []
    asked = [one for one in talk.before(said) if talk.asks(one)]
    about = talk.matters(*told, *asked)
    return bool(about) and about.isdisjoint(owed.own | owed.around)


def _asks_and_hears_yes(talk: ThreadTalk, said: Remark, owed: ThreadWords) -> bool:
    """“Did you send it?” – “Yes, yesterday.”, not “Yes, I'll do it tonight.”"""
    asks = talk.asks(said) and talk.has(said, "asked_whether_done", "done") and talk.has(said, "sending")
    replies = talk.after(said)
    if not asks or not replies or not _names_no_other(talk, said, owed):
        return False
    is_yes = talk.phrases.opens("yes", replies[0].marked)
    return is_yes and not any(
        talk.has(one, "promise", "bare_promise", "will_do", "not_done") for one in replies
    )


def _names_no_other(talk: ThreadTalk, said: Remark, owed: ThreadWords) -> bool:
    """“I've sent it.”, not “I've sent the invoice.”"""
    named = talk.undated(said) & talk.beside(said, "sending") & talk.beside(said, "arrived")
    return named <= owed.own
