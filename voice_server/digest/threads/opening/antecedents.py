"""Who or what is meant, where a matter begins with “she” or “they”: it is told with what names them.

You asked "How was the chiropodist?" Caller: "She's coming this Friday instead, at two."
"""

import re
from collections.abc import Sequence
from itertools import chain

from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.person_names.lexicon import is_given
from voice_server.digest.rules.courtesies import is_capitalised
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import FEWEST_MATTERS, is_polite
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_LOOKED_AT = 2  # words that begin a sentence, among which one stands for what was named before
_WORD = re.compile(r"[^\W\d_]+")
_NEAR = 3  # sentences of a turn before it


def with_antecedent(talk: ThreadTalk, one: Candidate) -> Candidate:
    """Return as it is what names all it is about."""
    if one.thread.kind == "question":
        return one
    if topic := _topic_asked_after(talk, one):
        return _added(one, topic, quoting.exchange(topic.text, one.thread.text.strip('"')))
    if awaited := _not_there_yet(talk, one):
        return _added(one, awaited, _with_sentence(one, awaited))
    return _with_who_is_meant(talk, one) if _is_of_one_named(talk, talk.remarks[one.place]) else one


def _with_who_is_meant(talk: ThreadTalk, one: Candidate) -> Candidate:
    remark = talk.remarks[one.place]
    told = [talk.remarks[place] for place in one.places[:-1]]
    named = _named_in(talk, talk.message(remark), remark)
    if named is not None and _is_surely_meant(talk, named):
        return one if named in told else _added(one, named, _with_sentence(one, named))
    asked = next((one for one in reversed(talk.before(remark)) if talk.asks(one)), None)
    refers = asked is not None and _refers(talk, words(asked.text))
    first = _named_in(talk, talk.before(asked), asked) if asked and refers else None
    if first is not None:  # “What's his number?”
        return one if first in told else _added(one, first, _with_turn(one, first))
    if asked is None or not _asks_of(talk, asked) or ANSWERED in one.thread.text:
        return one
    text = quoting.exchange(quoting.shortened(asked.text), one.thread.text.strip('"'))
    return _added(one, asked, text)


def _topic_asked_after(talk: ThreadTalk, one: Candidate) -> Remark | None:
    """“And the knee?” – “It's sore, but I see the physio on the seventh.”"""
    remark = talk.remarks[one.places[0]]
    if ANSWERED in one.thread.text or remark != talk.message(remark)[0]:
        return None
    asked = next((said for said in talk.before(remark)[-1:] if talk.asks(said)), None)
    about = talk.undated(asked) if asked and talk.has(asked, "asked_after") else frozenset[str]()
    return asked if about and about.isdisjoint(one.matters) else None


def _not_there_yet(talk: ThreadTalk, one: Candidate) -> Remark | None:
    """Return what is waited for: “The January listings aren't out yet. As soon as they're out I'll text
    you.”"""
    remark = talk.remarks[one.place]
    before = talk.sentence_before(remark)
    if before is None or before.place in one.places or talk.asks(before) or not talk.undated(before):
        return None
    if talk.has(before, "possessed") or manner(talk.phrases.tag).first_person & {*words(before.text)}:
        return None  # “My daughter isn't well. As soon as it's ready I'll call you.”
    waits = talk.phrases.awaits(remark.plain) and len(talk.matters(remark)) <= FEWEST_MATTERS
    return before if waits and talk.has(before, "not_done", "unsettled") else None


def _is_of_one_named(talk: ThreadTalk, remark: Remark) -> bool:
    """“She's coming on Thursday”, “and viene el jueves”"""
    first, _, rest = remark.marked.strip().partition(" ")
    begins = rest if first in manner(talk.phrases.tag).joints else remark.marked
    return talk.phrases.opens("of_another", begins)


def _named_in(talk: ThreadTalk, said: Sequence[Remark], behind: Remark) -> Remark | None:
    """Return the last sentence before another that needs none itself (“Her van broke down.” does), and names
    a person rather than what one has: “I spoke to Dr Patel. My knee hurts. She'll call me.”"""
    before = [one for one in said if one.place < behind.place][-_NEAR:]
    naming = [one for one in reversed(before) if _names(talk, one)]
    by_name = (one for one in naming if _has_name(talk, one))
    whose = (one for one in naming if talk.has(one, "possessed"))
    return next(chain(by_name, whose, naming), None)


def _is_surely_meant(talk: ThreadTalk, named: Remark) -> bool:
    """Tell so not of “Non è venuta.”, nor of “Grand.”"""
    is_person = _has_name(talk, named) or talk.has(named, "possessed")
    return is_person or len(talk.undated(named)) >= FEWEST_MATTERS


def _has_name(talk: ThreadTalk, remark: Remark) -> bool:
    said = _WORD.findall(remark.text)
    by_capital = any(is_capitalised(word, manner(talk.phrases.tag)) for word in said[1:])
    return by_capital or any(is_given(word) for word in said if not word.isupper())


def _names(talk: ThreadTalk, remark: Remark) -> bool:
    says = bool(talk.undated(remark)) and not (talk.asks(remark) or is_polite(talk, remark))
    return says and not _refers(talk, words(remark.text)[:_LOOKED_AT])


def _refers(talk: ThreadTalk, said: Sequence[str]) -> bool:
    return not manner(talk.phrases.tag).referring.isdisjoint(said)


def _asks_of(talk: ThreadTalk, asked: Remark) -> bool:
    """“How was the chiropodist?” does, “How are you, Mrs Hill?” asks of herself."""
    is_named = _has_name(talk, asked) and not talk.has(asked, "idle_question")
    return is_named or talk.has(asked, "asked_of")


def _with_sentence(one: Candidate, named: Remark) -> str:
    asked, answer, last = one.thread.text.rpartition(ANSWERED)
    said = quoting.together(quoting.shortened(named.text), last.strip('"'))
    return f'{asked}" – {said}' if answer else said


def _with_turn(one: Candidate, named: Remark) -> str:
    last = one.thread.text.rpartition(ANSWERED)[2]
    return quoting.joined(quoting.together(quoting.shortened(named.text)), last.strip('"'))


def _added(one: Candidate, named: Remark, text: str) -> Candidate:
    positions = tuple(sorted({*one.thread.positions, named.position}))
    places = tuple(sorted({*one.places, named.place}))
    return replace(one, thread=replace(one.thread, text=text, positions=positions), places=places)
