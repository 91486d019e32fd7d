"""What a platform's analysis reports of a call: the values of its data collection, read as findings. Pure.

An item that is missing, of another type or absurd costs itself alone. Nothing is believed: `grounding` holds
it against what was said, as it does a model's.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from voice_server.context.screening.hygiene import is_suspicious, neutralise
from voice_server.digest.analysis import values, wording
from voice_server.digest.analysis.evidence import EvidenceTalk
from voice_server.digest.analysis.roots import roots
from voice_server.digest.analysis.uses import OURS, PRIVATE, Purpose, Use, use
from voice_server.digest.analysis.values import Line, Value
from voice_server.digest.grounding.findings import Closeness, Findings, FoundFact, OpenedThread
from voice_server.digest.language.stems import word_count
from voice_server.domain.conversation import Message
from voice_server.domain.digest import ThreadKind

_Found = FoundFact | OpenedThread
Collected = Mapping[str, Value]

_SPOKEN = 12  # turns on which an item rests that quotes nothing: the last of the user's
_SENTENCE = 4  # words: what is shorter says nothing without its item's name
_QUOTES_ITSELF = 3  # words: what is shorter is found anywhere
_LONGEST_NAME, _NAME_WORDS = 80, 8
_LONGEST_METADATA = 300
_MARKS = ' "“”„«»'
_INNER = str.maketrans(dict.fromkeys('"“”„«»', "'"))
_KIND = re.compile(r"([^\W\d_][\w -]{1,24}?)\s*:\s*(?=\S)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LONGEST_DAY = 4  # words of “by Thursday at noon”
_TAG = re.compile(r"[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_][^\d\n|{}\[\]<>:;]*")


class ClosedMatter(Struct, frozen=True):
    """What was settled, and the words that settled it."""

    text: str
    quoted: str = ""


class CitedFinding(Struct, frozen=True):
    """`cited` are the turns it quotes, `wider` all that it may rest on: of several turns, a model quotes
    one."""

    found: _Found
    cited: tuple[int, ...]
    wider: tuple[int, ...]


class Report(Struct, frozen=True):
    """`ours` are findings of our items, `theirs` of the operator's. `nothing` are the purposes of our items
    that say so in words; `names` may be the caller's, the likeliest first."""

    ours: tuple[CitedFinding, ...] = ()
    theirs: tuple[CitedFinding, ...] = ()
    about: Findings = Findings(summary="")
    nothing: frozenset[Purpose] = frozenset()
    closed: tuple[ClosedMatter, ...] = ()
    names: tuple[str, ...] = ()
    metadata: Mapping[str, Value] = {}


class _Item(Struct, frozen=True):
    id: str
    use: Use
    value: Value


def read(collected: Collected, mapped: Mapping[str, str], messages: Sequence[Message]) -> Report:
    """Read what is reported of these messages. `mapped` is the agent's `[collected]`. Never raise on any
    values."""
    talk = EvidenceTalk(messages)
    items = [_Item(id_, use(id_, mapped), value) for id_, value in collected.items()]
    ours = {item.use.purpose: item.value for item in items if item.id in OURS}
    names = tuple(_names(items))
    facts, threads = values.lines(ours.get("facts")), values.lines(ours.get("threads"))
    found = chain[_Found](_facts(facts, talk), _threads(threads, talk))
    own = chain[_Found](_own_facts(items, talk), _own_threads(items, talk))
    return Report(
        ours=tuple(_reported(one, talk, names) for one in found),
        theirs=tuple(_reported(one, talk, names) for one in own),
        about=_about(ours),
        nothing=frozenset(purpose for purpose, value in ours.items() if _says_nothing(value)),
        closed=tuple(_closed(values.lines(ours.get("closed")), talk)),
        names=names,
        metadata=dict(_metadata(items)),
    )


def language(collected: Collected, mapped: Mapping[str, str]) -> str:
    """Return the caller's language, a BCP 47 tag; "" when the platform does not say."""
    told = (value for id_, value in collected.items() if use(id_, mapped).purpose == "language")
    return _tag(next(told, None))


def private(collected: Collected, messages: Sequence[Message]) -> frozenset[int]:
    """Return where the caller says what they do not want remembered, as the platform understands it, and the
    agent's answers, which may repeat it."""
    if PRIVATE not in collected:
        return frozenset()
    talk = EvidenceTalk(messages)
    found = {position for line in values.lines(collected[PRIVATE]) for position in talk.find_all(line.text)}
    return talk.with_answers(found)


def grounded_items(collected: Collected, *, name: bool) -> dict[str, Value]:
    """Return our items that are held against the talk, the caller's `name` among them or not."""
    left_out = {"mood"} if name else {"mood", "name"}
    return {id_: value for id_, value in collected.items() if OURS.get(id_, "mood") not in left_out}


def untold(collected: Collected, told: frozenset[str], kept: Sequence[Message]) -> dict[str, Value]:
    """Drop what has one of these roots: lines of our items, values of others; and lines that rest on none of
    the messages that are `kept`."""
    talk = EvidenceTalk(kept)
    there = {id_: _untold(id_, value, told, talk) for id_, value in collected.items()}
    return {id_: value for id_, value in there.items() if value != ""}


def _untold(id_: str, value: Value, told: frozenset[str], talk: EvidenceTalk) -> Value:
    if id_ == PRIVATE or not isinstance(value, str):
        return value
    if id_ not in OURS:
        return value if told.isdisjoint(roots(value)) else ""
    return "\n".join(row for row in values.rows(value) if told.isdisjoint(roots(row)) and _rests(row, talk))


def _rests(row: str, talk: EvidenceTalk) -> bool:
    line = next(iter(values.lines(row)), None)
    return line is None or not line.quoted or bool(talk.find(line.quoted, line.text))


def _about(ours: Mapping[Purpose, Value]) -> Findings:
    mood = Closeness(emotional_state=_words(ours.get("mood")))
    return Findings(summary="", relationship=mood, language=_tag(ours.get("language")))


def _reported(found: _Found, talk: EvidenceTalk, names: Sequence[str]) -> CitedFinding:
    cited = tuple(found.messages)
    return CitedFinding(found, cited, talk.around(cited, found.text, names))


def _facts(lines: Iterable[Line], talk: EvidenceTalk) -> Iterator[FoundFact]:
    for line in lines:
        if found := _found(line, talk):
            text, messages = _worded(line.text, talk), [*talk.exchange(found)]
            yield FoundFact(about="user", text=text, messages=messages, topic=line.more)


def _threads(lines: Iterable[Line], talk: EvidenceTalk) -> Iterator[OpenedThread]:
    for line in lines:
        if found := _found(line, talk):
            kind, text, due = _thread(line.text)
            yield OpenedThread(kind=kind, text=_worded(text, talk), messages=[*found], due=due)


def _closed(lines: Iterable[Line], talk: EvidenceTalk) -> Iterator[ClosedMatter]:
    for line in lines:
        if _found(line, talk):
            yield ClosedMatter(line.text, line.quoted)


def _found(line: Line, talk: EvidenceTalk) -> tuple[int, ...]:
    if line.quoted:
        return talk.find(line.quoted, line.text)
    return talk.find(line.text) if word_count(line.text) >= _QUOTES_ITSELF else ()


def _worded(text: str, talk: EvidenceTalk) -> str:
    """Put only what was said in just these words in quotation marks."""
    bare = text.strip(_MARKS)
    if word_count(bare) >= _QUOTES_ITSELF and talk.is_verbatim(bare):
        return f'"{bare.translate(_INNER)}"'
    return bare if text.startswith(tuple(_MARKS)) else text


def _thread(text: str) -> tuple[ThreadKind, str, str]:
    """Read `promise: The agent will send the recipe; 2026-11-20`. A day in words stays in the text, behind a
    comma."""
    match = _KIND.match(text)
    kind = wording.kind(match[1]) if match else None
    told = text[match.end() :] if match and kind else text
    what, _, day = told.rpartition(";")
    if what and _DAY.fullmatch(day.strip()):
        return kind or "topic", what.strip(), day.strip()
    if what and wording.says_nothing(day):
        return kind or "topic", what.strip(), ""
    if what and len(day.split()) <= _LONGEST_DAY:
        return kind or "topic", f"{what.strip()}, {day.strip()}".strip(" ,"), ""
    return kind or "topic", told.strip(" ;"), ""


def _own_facts(items: Iterable[_Item], talk: EvidenceTalk) -> Iterator[FoundFact]:
    for item in _for(items, "fact"):
        texts = _texts(item)
        topic = item.use.of if len(texts) == 1 else ""  # of one topic one value is true
        for text in texts:
            messages = [*_rests_on(text, talk)]
            yield FoundFact(about="user", text=_told(item, text), messages=messages, topic=topic)


def _own_threads(items: Iterable[_Item], talk: EvidenceTalk) -> Iterator[OpenedThread]:
    for item in _for(items, "thread"):
        kind = next(one for one in wording.KINDS if one == item.use.of)
        for text in _texts(item):
            yield OpenedThread(kind=kind, text=_told(item, text), messages=[*_rests_on(text, talk)])


def _texts(item: _Item) -> list[str]:
    if isinstance(item.value, bool):
        return [values.spoken(item.value)] if item.value else []
    return values.entries(str(item.value))


def _told(item: _Item, text: str) -> str:
    return text if word_count(text) >= _SENTENCE else f"{values.label(item.id)}: {text}"


def _rests_on(text: str, talk: EvidenceTalk) -> tuple[int, ...]:
    """Take all that the user said last where the value was not said: a model made it of the call."""
    found = talk.find(text)
    return talk.exchange(found) if found else talk.users()[-_SPOKEN:]


def _names(items: Iterable[_Item]) -> Iterator[str]:
    for item in sorted(_for(items, "name"), key=lambda one: one.id not in OURS):
        name = neutralise(item.value).strip(" .\"'") if isinstance(item.value, str) else ""
        if _NAME.fullmatch(name) and _is_name_like(name):
            yield name


def _is_name_like(name: str) -> bool:
    few = len(name) <= _LONGEST_NAME and len(name.split()) <= _NAME_WORDS
    return few and not wording.says_nothing(name) and not is_suspicious(name)


def _metadata(items: Iterable[_Item]) -> Iterator[tuple[str, Value]]:
    for item in _for(items, "metadata"):
        value = neutralise(item.value)[:_LONGEST_METADATA] if isinstance(item.value, str) else item.value
        if not isinstance(value, str) or not (wording.says_nothing(value) or is_suspicious(value)):
            yield item.use.of, value


def _for(items: Iterable[_Item], purpose: Purpose) -> Iterator[_Item]:
    return (item for item in items if item.use.purpose == purpose)


def _says_nothing(value: Value) -> bool:
    return isinstance(value, str) and value.strip() != "" and wording.says_nothing(value)


def _words(value: Value | None) -> str:
    return "" if not isinstance(value, str) or wording.says_nothing(value) else value


def _tag(value: Value | None) -> str:
    return value.strip() if isinstance(value, str) and _TAG.fullmatch(value.strip()) else ""
