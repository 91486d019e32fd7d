"""Golden prompts: the facts of one caller, and what the agent is told about them. Both are meant to be read.

    tests/prompts/<case>/facts.json    a memory, the moment it is built and served, how the agent is set up
    tests/prompts/<case>/prompt.txt    the text as served at that moment

Rewriting is deliberate: `pytest tests/prompts --update-prompts`, then read the difference.
"""

import difflib
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace
from pretend.elevenlabs import prompt_of
from pretend.memories import templates

from voice_server.context import prompt_builder
from voice_server.context.layout import slots, tokens
from voice_server.context.layout.slots import Call
from voice_server.domain.agent import Agent
from voice_server.domain.memory import Memory
from voice_server.jobs.rebuild import entry_for

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/facts.json"))


class Facts(Struct, frozen=True, forbid_unknown_fields=True):
    """One case. `served` None: served when it is built."""

    about: str
    built: datetime
    memory: Memory
    served: datetime | None = None
    redial: bool = False
    known: bool = True
    limit: int = 6150
    agent: Agent = Agent("agent_robin")


def read(case: str) -> Facts:
    text = (Path(__file__).parent / case / "facts.json").read_bytes()
    return msgspec.json.decode(text, type=Facts)


def told(facts: Facts) -> str:
    """What the model reads, taken from the platform's answer."""
    prompt = prompt_builder.build(
        facts.memory,
        templates(facts.agent),
        tokens.counter(),
        now=facts.built,
        limit=facts.limit,
        known=facts.known,
    )
    waiting = slots.unpack(slots.pack(entry_for(facts.memory, prompt, facts.agent, known=facts.known)))
    assert waiting is not None
    moment = (facts.served or facts.built).astimezone(UTC).timestamp()
    answer = slots.fill(waiting, Call(moment, facts.redial, "tel:+4930901820"))
    return prompt_of(msgspec.json.decode(answer))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_agent_is_told_what_is_written_down(case: Path, *, update_prompts: bool) -> None:
    golden = case / "prompt.txt"
    text = told(read(case.name)) + "\n"
    if update_prompts:
        golden.write_text(text, encoding="utf-8")

    written = golden.read_text(encoding="utf-8")

    assert text == written, "\n".join(difflib.unified_diff(written.splitlines(), text.splitlines()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_golden_prompt_is_within_its_limit(case: Path) -> None:
    facts = read(case.name)

    assert tokens.counter()(told(facts)) <= facts.limit


def test_one_call_more_changes_only_what_it_must() -> None:
    """When the call is told, what was thought has been used, and one thing more is known."""
    before, after = told(read("regular_caller")).split("\n\n"), told(read("one_call_more")).split("\n\n")

    changed = {paragraph.splitlines()[0] for paragraph in {*before} ^ {*after}}

    assert changed == {"# Right now", "[LAST TIME]", "[TODAY SO FAR]", "[INNER LIFE]", "[LONG-TERM MEMORY]"}


def test_one_fact_more_is_one_line_more_of_long_term_memory() -> None:
    before, after = (
        told(read(case)).partition("[LONG-TERM MEMORY]")[2].splitlines()
        for case in ("regular_caller", "one_call_more")
    )

    assert [line for line in after if line not in before] == ["- Ada's oven runs hot. (said 17 Nov 2026)"]
    assert [line for line in after if line in before] == before


def test_a_caller_with_memory_and_the_same_one_without_share_persona_and_style() -> None:
    facts = read("regular_caller")
    alone = replace(facts, memory=Memory(facts.memory.user_id, facts.memory.timezone))

    parts = told(facts).split("\n\n"), told(alone).split("\n\n")

    assert [part[:2] for part in parts] == [parts[1][:2]] * 2
    assert parts[0][-1] == parts[1][-1]
