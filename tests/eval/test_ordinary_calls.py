"""Floors under what the next prompt knows of ordinary calls, in seven languages.

`scripts/test tests/eval -q -s` says what is missing and what is wrong; with `SHOW` set to a part of a probe's
id, the prompts of these probes as well.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from conftest import House
from eval import probes
from eval.probes import Probe
from pretend.elevenlabs import NOBODY_KNOWS

from voice_server.digest.extractive import digest
from voice_server.domain.conversation import Message, Role

# In percent, a few points beside what was measured. Raise the floors as memory gets better.
TOLD_RIGHT, KNOWN, WRONG_AT_MOST = 92, 97, 4
KNOWN_SPOKEN = 92
LANGUAGES = {"en", "de", "es", "fr", "it", "pt", "nl"}
BERLIN = ZoneInfo("Europe/Berlin")
PROBES = probes.read()
CALLERS = {probe.id: f"+1415555{2000 + place}" for place, probe in enumerate(PROBES)}


async def next_prompts(house: House, said: Sequence[Probe] = PROBES) -> Mapping[str, str]:
    """What the agent is told at each probe's next call, by the probe's id, after one run of the worker."""
    for probe in said:
        for event in probes.events(probe, CALLERS[probe.id], house.clock()):
            assert house.platform.post_call(event).status_code == 200
    await house.work()
    return {probe.id: house.platform.told(CALLERS[probe.id]) for probe in said}


def turns(call: probes.Call) -> list[Message]:
    """What was said, as the digest is handed it."""
    at = datetime(2026, 11, 17, 9, tzinfo=UTC)
    roles: Mapping[str, Role] = {"agent": "agent", "user": "user"}
    return [Message(place, roles[role], text, at) for place, (role, text) in enumerate(call.turns)]


def shown(prompts: Mapping[str, str]) -> str:
    """The prompts that whoever runs this asks to see."""
    wanted = os.environ.get("SHOW")
    return "\n".join(f"== {id_}\n{prompt}" for id_, prompt in prompts.items() if wanted and wanted in id_)


async def test_the_next_prompt_knows_what_ordinary_calls_said(house: House) -> None:
    prompts = await next_prompts(house)

    outcomes = [probes.outcome(probe, prompts[probe.id]) for probe in PROBES]
    print(shown(prompts), probes.report(outcomes), sep="\n")
    shares = probes.shares(outcomes)
    assert shares.told_right >= TOLD_RIGHT
    assert shares.known >= KNOWN
    assert shares.wrong <= WRONG_AT_MOST


async def test_the_next_prompt_knows_it_as_a_recogniser_hands_it_over(house: House) -> None:
    prompts = await next_prompts(house, [probes.spoken(probe) for probe in PROBES])

    outcomes = [probes.outcome(probe, prompts[probe.id]) for probe in PROBES]
    print(shown(prompts), probes.report(outcomes), sep="\n")
    assert probes.shares(outcomes).known >= KNOWN_SPOKEN


@pytest.mark.pure
@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_no_ordinary_talk_is_too_much_for_the_digest(language: str) -> None:
    calls = [(probe, call) for probe in PROBES if probe.language == language for call in probe.calls]

    assert all(digest(turns(call), timezone=BERLIN, language=probe.language) for probe, call in calls)


async def test_who_was_told_nothing_knows_nothing_of_them(house: House) -> None:
    prompt = house.platform.told(NOBODY_KNOWS)

    knowing = [probe.id for probe in PROBES if probes.outcome(probe, prompt).missing != probe.must]
    assert knowing == []


def test_there_are_enough_of_them_in_each_language() -> None:
    count = Counter(probe.language for probe in PROBES)

    assert len(CALLERS) == len(PROBES) >= 60
    assert set(count) == LANGUAGES
    assert min(count.values()) >= 5


def a_probe(must: tuple[probes.Must, ...] = (), never: tuple[probes.Never, ...] = ()) -> Probe:
    """A probe that looks for this."""
    return Probe("id", "about", "en", calls=(), must=must, never=never)


@pytest.mark.parametrize(
    ("prompt", "is_known"),
    [
        ("[OPEN THREADS]\nfind the KEY\n[/OPEN THREADS]", True),
        ("[LAST TIME]\nfind the key\n[/LAST TIME]\n[OPEN THREADS]\nnone\n[/OPEN THREADS]", False),
        ("find the key", False),
    ],
)
def test_what_belongs_into_a_section_counts_there_alone(prompt: str, *, is_known: bool) -> None:
    wanted = probes.InSection("OPEN THREADS", ("lock", "key"))

    assert (probes.outcome(a_probe(must=(wanted,)), prompt).missing == ()) is is_known
    assert (probes.outcome(a_probe(never=(wanted,)), prompt).wrong != ()) is is_known


def test_shares_count_probes_and_what_is_asked_of_them() -> None:
    right = probes.outcome(a_probe(must=(("a",), ("b", "c")), never=("z",)), "a c")
    wrong = probes.outcome(a_probe(must=(("a",), ("b",)), never=("c",)), "a c")

    assert probes.shares([right, wrong]) == probes.Shares(told_right=50, known=75, wrong=50)
    assert probes.report([right]) == "told right 100.0 %, known 100.0 %, wrong 0.0 % of 1 probes"
    assert "missing  b" in probes.report([right, wrong])
