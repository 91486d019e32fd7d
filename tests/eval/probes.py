"""Probes: ordinary conversations, what the next prompt must know of them, and what it would be wrong to say.

One JSON object a line in `probes.jsonl`: `calls`, the oldest first, each so many days ago; `must`, of each of
which one alternative must stand in the prompt; `never`, of which none may. An alternative is a regular
expression, blind to case, looked for in the whole prompt, or `{"in": SECTION, "any": […]}` in one section of
it.
"""

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace
from pretend.elevenlabs import Event, ended_call

FILE = Path(__file__).parent / "probes.jsonl"
DAY, TURN_SECONDS = 86400, 4
HESITATIONS, RESTARTS = 0.06, 0.03  # of a recogniser's words


class InSection(Struct, frozen=True):
    """Alternatives that count in one section alone, as `OPEN THREADS`."""

    section: str = field(name="in")
    any: tuple[str, ...]

    def stands_in(self, prompt: str) -> bool:
        """Whether one of them stands there."""
        told = re.findall(rf"\[{self.section}\](.*?)\[/{self.section}\]", prompt, re.DOTALL)
        return _any_in(self.any, "\n".join(told))


Must = InSection | tuple[str, ...]
Never = InSection | str


class Call(Struct, frozen=True):
    """One conversation; its turns as (role, text). The summary and the collected data are the platform's."""

    days_ago: float
    turns: tuple[tuple[str, str], ...]
    summary: str = ""
    collected: Mapping[str, str] = {}


class Probe(Struct, frozen=True):
    """A caller, what was said with them, and what to look for in their next prompt."""

    id: str
    about: str
    language: str
    calls: tuple[Call, ...]
    must: tuple[Must, ...]
    never: tuple[Never, ...] = ()


class Outcome(Struct, frozen=True):
    """What a prompt lacks of a probe, and what it says that it must not."""

    probe: Probe
    missing: tuple[Must, ...]
    wrong: tuple[Never, ...]


class Shares(Struct, frozen=True):
    """In percent: probes told right, things known, forbidden things said."""

    told_right: float
    known: float
    wrong: float


def read() -> list[Probe]:
    """All probes of the file."""
    return [msgspec.json.decode(line, type=Probe) for line in FILE.read_bytes().splitlines()]


def spoken(probe: Probe) -> Probe:
    """The same talk as a recogniser hands it over: small letters, no punctuation, hesitations, restarts, each
    time the same. The platform's own words are left out."""
    chance = random.Random(probe.id)  # noqa: S311 (no secret)
    calls = tuple(
        Call(call.days_ago, tuple((role, _heard(text, chance)) for role, text in call.turns))
        for call in probe.calls
    )
    return replace(probe, calls=calls)


def _heard(text: str, chance: random.Random) -> str:
    said = re.sub(r"[^\w\s'’%$€£-]", " ", text.lower()).split()
    restarts = (chance.random() < RESTARTS for _ in said)
    twice = (word for word, restart in zip(said, restarts, strict=True) for word in [word] * (1 + restart))
    return " ".join(f"um {word}" if chance.random() < HESITATIONS else word for word in twice)


def events(probe: Probe, caller: str, now: float) -> list[Event]:
    """Its calls as the platform reports them."""
    return [_event(probe, number, caller, now) for number in range(len(probe.calls))]


def _event(probe: Probe, number: int, caller: str, now: float) -> Event:
    call = probe.calls[number]
    duration = max(20, TURN_SECONDS * len(call.turns))
    said = [f"{role}: {text}" for role, text in call.turns]
    ended = now - call.days_ago * DAY + duration
    event = ended_call(f"{probe.id}_{number}", said, ended=ended, caller=caller, duration=duration)
    event["data"]["metadata"]["main_language"] = probe.language
    if call.summary or call.collected:
        event["data"]["analysis"] = _analysis(call)
    return event


def _analysis(call: Call) -> Event:
    collected = {
        name: {"data_collection_id": name, "value": value, "rationale": ""}
        for name, value in call.collected.items()
    }
    return {
        "call_successful": "success",
        "transcript_summary": call.summary,
        "evaluation_criteria_results": {},
        "data_collection_results": collected,
    }


def outcome(probe: Probe, prompt: str) -> Outcome:
    """What the prompt makes of the probe."""
    missing = tuple(wanted for wanted in probe.must if not _stands_in(wanted, prompt))
    wrong = tuple(forbidden for forbidden in probe.never if _stands_in(forbidden, prompt))
    return Outcome(probe, missing, wrong)


def _stands_in(wanted: Must | Never, prompt: str) -> bool:
    if isinstance(wanted, InSection):
        return wanted.stands_in(prompt)
    return _any_in((wanted,) if isinstance(wanted, str) else wanted, prompt)


def _any_in(patterns: Sequence[str], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def shares(outcomes: Sequence[Outcome]) -> Shares:
    """How well all of them are told."""
    wanted = sum(len(one.probe.must) for one in outcomes)
    forbidden = sum(len(one.probe.never) for one in outcomes)
    return Shares(
        told_right=100 * sum(not one.missing and not one.wrong for one in outcomes) / len(outcomes),
        known=100 - 100 * sum(len(one.missing) for one in outcomes) / wanted,
        wrong=100 * sum(len(one.wrong) for one in outcomes) / forbidden,
    )


def report(outcomes: Sequence[Outcome]) -> str:
    """What is missing and what is wrong, probe by probe; the shares at its end."""
    lines = [line for one in outcomes for line in _complaints(one)]
    total = shares(outcomes)
    lines.append(
        f"told right {total.told_right:.1f} %, known {total.known:.1f} %, wrong {total.wrong:.1f} %"
        f" of {len(outcomes)} probes"
    )
    return "\n".join(lines)


def _complaints(one: Outcome) -> list[str]:
    found = [
        *(f"    missing  {_shown(wanted)}" for wanted in one.missing),
        *(f"    wrong    {_shown(forbidden)}" for forbidden in one.wrong),
    ]
    return [f"{one.probe.id} ({one.probe.language}): {one.probe.about}", *found] if found else []


def _shown(wanted: Must | Never) -> str:
    if isinstance(wanted, InSection):
        return f"{' | '.join(wanted.any)}  in [{wanted.section}]"
    return wanted if isinstance(wanted, str) else " | ".join(wanted)
