"""Who or what is meant, where a matter begins with “she” or “they”: it is told with what names them.

You asked "How was the chiropodist?" Caller: "She's coming this Friday instead, at two."
"""

from collections.abc import Sequence

from msgspec.structs import replace

from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import words
from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.quoting import ANSWERED
from voice_server.digest.threads.speech.references import FEWEST_MATTERS, is_polite
from voice_server.digest.threads.speech.talk import Remark, ThreadTalk

_LOOKED_AT = 2  # words that begin a sentence, among which one stands for what was named before
_NEAR = 3  # sentences of a turn before it


def with_antecedent(talk: ThreadTalk, one: Candidate) -> Candidate:
    """Return as it is what names all it is about."""
    remark = talk.remarks[one.place]
    if one.thread.kind == "question" or not _is_of_one_named(talk, remark):
        return one
    told = [talk.remarks[place] for place in one.places[:-1]]
    named, asked = _named_in(talk, talk.message(remark), remark), _asked(talk, remark)
    says_little = named is not None and len(talk.undated(named)) < FEWEST_MATTERS
    if named is not None and not (says_little and asked is not None):
        return one if named in told else _added(one, named, _with_sentence(one, named))
    refers = asked is not None and _refers(talk, words(asked.text))
    first = _named_in(talk, talk.before(asked), asked) if asked and refers else None
    if first is not None:  # “What's his number?”
        return one if first in told else _added(one, first, _with_turn(one, first))
    if asked is None or ANSWERED in one.thread.text or asked in told:
        return one
    text = quoting.exchange(quoting.shortened(asked.text), one.thread.text.strip('"'))
    return _added(one, asked, text)


def _is_of_one_named(talk: ThreadTalk, remark: Remark) -> bool:
    """“She's coming on Thursday”, “viene el jueves”"""
    first = [word for word in words(remark.text) if word not in manner(talk.phrases.tag).joints][:1]
    return first != [] and first[0] in talk.phrases.file.others.split()


def _named_in(talk: ThreadTalk, said: Sequence[Remark], behind: Remark) -> Remark | None:
    """Return the last sentence before another that needs none itself: “Her van broke down.” does."""
    before = [one for one in said if one.place < behind.place][-_NEAR:]
    return next((one for one in reversed(before) if _names(talk, one)), None)


def _names(talk: ThreadTalk, remark: Remark) -> bool:
    says = bool(talk.undated(remark)) and not (talk.asks(remark) or is_polite(talk, remark))
    return says and not _refers(talk, words(remark.text)[:_LOOKED_AT])


def _refers(talk: ThreadTalk, said: Sequence[str]) -> bool:
    return not manner(talk.phrases.tag).referring.isdisjoint(said)


def _asked(talk: ThreadTalk, remark: Remark) -> Remark | None:
    asked = [one for one in talk.before(remark) if talk.asks(one)]
    return asked[-1] if asked else None


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
