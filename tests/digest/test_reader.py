"""What a good reader found in ordinary talk stays, in seven languages and as a recogniser writes it; what was invented
falls. The talk, the reader's items and the inventions are in `grounding/*.jsonl`, a conversation a line: all were had
on Friday 20 November 2026, in Berlin."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, get_args
from zoneinfo import ZoneInfo

import pytest
from msgspec import Struct, convert

from voice_server.digest import transcript
from voice_server.digest.findings import Findings, FoundFact, FoundThought, Moment, OpenedThread
from voice_server.digest.grounding import Grounded, Known, ground
from voice_server.digest.transcript import Window
from voice_server.domain.conversation import Message

FILES = sorted(Path(__file__).with_name("grounding").glob("*.jsonl"))
MORNING = datetime(2026, 11, 20, 9, tzinfo=UTC)
KEPT, CAUGHT = 0.98, 0.95
Kind = Literal["sentence", "fact", "moment", "thread", "thought"]


class Item(Struct):
    """One finding. `wrong` says of an invention what is wrong with it."""

    kind: str
    text: str
    messages: list[int]
    due: str = ""
    wrong: str = ""


class Talk(Struct):
    """One conversation with what was found in it."""

    about: str
    language: str
    caller: str
    turns: list[tuple[str, str]]
    kept: list[Item]
    invented: list[Item]


def talks() -> Iterator[Talk]:
    for file in FILES:
        yield from (convert(json.loads(line), Talk) for line in file.read_text(encoding="utf-8").splitlines())


def shown(talk: Talk) -> Window:
    messages = [
        Message(n, "user" if role == "user" else "agent", text, MORNING + timedelta(seconds=5 * n))
        for n, (role, text) in enumerate(talk.turns)
    ]
    return transcript.lines(messages, ZoneInfo("Europe/Berlin"), language=talk.language)


def found(talk: Talk, items: Sequence[Item]) -> Findings:
    """The items as one answer."""
    of = {kind: [one for one in items if kind_of(one) == kind] for kind in get_args(Kind)}
    return Findings(
        summary=" ".join(one.text for one in of["sentence"]),
        caller_name=talk.caller,
        key_moments=[Moment(text=one.text, messages=one.messages) for one in of["moment"]],
        opened=[
            OpenedThread(kind=one.kind, text=one.text, messages=one.messages, due=one.due)  # type: ignore[arg-type]  # a kind of thread
            for one in of["thread"]
        ],
        facts=[
            FoundFact(about="agent" if one.kind == "agent" else "user", text=one.text, messages=one.messages)
            for one in of["fact"]
        ],
        thoughts=[FoundThought(text=one.text, messages=one.messages) for one in of["thought"]],
    )


def kind_of(item: Item) -> Kind:
    kinds: dict[str, Kind] = {"summary": "sentence", "agent": "fact", "fact": "fact", "moment": "moment"}
    return "thought" if item.kind == "thought" else kinds.get(item.kind, "thread")


def held(talk: Talk, items: Sequence[Item]) -> Grounded:
    return ground(found(talk, items), shown(talk), Known(), language=talk.language)


def fallen(talk: Talk, items: Sequence[Item]) -> dict[str, str]:
    """The texts of those that do not stay, and why."""
    reasons = {(one.kind, one.number): one.reason for one in held(talk, items).left_out}
    numbered = Counter[Kind]()
    found: dict[str, str] = {}
    for item in items:
        kind = kind_of(item)
        numbered[kind] += 1
        if reason := reasons.get((kind, numbered[kind])) or (kind == "sentence" and reasons.get((kind, 2))):
            found[item.text] = f"{talk.language}: {item.text} ({reason})"
    return found


def test_what_a_good_reader_found_stays() -> None:
    lost = [why for talk in talks() for why in fallen(talk, talk.kept).values()]

    of = sum(len(talk.kept) for talk in talks())
    assert len(lost) <= (1 - KEPT) * of, "\n".join(lost)


def test_what_was_invented_falls() -> None:
    passed = [
        f"{talk.language}: {text}"
        for talk in talks()
        for text in {item.text for item in talk.invented} - set(fallen(talk, talk.invented))
    ]

    of = sum(len(talk.invented) for talk in talks())
    assert len(passed) <= (1 - CAUGHT) * of, "\n".join(passed)


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "nl", "pt"])
def test_the_day_that_a_good_reader_worked_out_stays(language: str) -> None:
    theirs = [talk for talk in talks() if talk.language == language]
    dated = [(talk, item) for talk in theirs for item in talk.kept if item.due]

    due = [(item.text, str(thread.due)) for talk, item in dated for thread in held(talk, [item]).opened]

    assert due == [(item.text, item.due) for _, item in dated]
