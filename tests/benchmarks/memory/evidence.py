"""Evidence in prompt: how much of what will be asked for does the agent know before anybody asks?

Every session of a dialogue arrives as the platform's event of an ended call and goes the whole way: webhook,
ingest, digest, facts, prompt. At the moment of the questions the prompt is rendered for total limits of 1000,
2000 and 4100 tokens, and of the messages that the questions need it is counted how many it carries (`carried`
says what that means). The questions themselves are never seen: it is what one knows of somebody who is about
to call. Beside it, in the same run, stand the last turns and the first sentences of each session that fit
into the same limit, and what our prompt would seem to carry of another dialogue, by chance.

The agent is one that gives long-term memory the room: persona and style of a line each, as many facts as fit.
What the two are called is handed over, as a host application does: some talk never says it.
"""

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path

import httpx2
import sqlalchemy as sa
from benchmarks.figures import title
from benchmarks.house import ROOT, House, opened
from benchmarks.memory import baselines, calls, dialogues
from benchmarks.memory.carried import Stems, count_carried, lines, needed_messages, needed_sentences
from benchmarks.memory.dialogues import Dialogue
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.context.layout import tokens
from voice_server.context.prompt_builder import GUARDRAIL
from voice_server.domain.addresses.address import Address
from voice_server.jobs.rebuild import Rebuild
from voice_server.settings import Settings
from voice_server.store.people import user_profiles, users
from voice_server.store.prompts.prompts import Target
from voice_server.templates.library import TemplateLibrary
from voice_server.worker import Worker

_LIMITS = (1000, 2000, 4100)
_WITHOUT_MODEL, _WITH_MODEL = "agent_evidence", "agent_evidence_model"
_AREAS = {_WITHOUT_MODEL: "+1415555", _WITH_MODEL: "+1628555"}
_BY_MODEL = """
select count(*) filter (where source = 'model'), count(*)
from digests join conversations on id = conversation_id where agent_id = :agent
"""
_AGENT_TOML = """
token_limit = {limit}
[budgets]
long_term_memory = [{limit}, {limit}]
[limits]
facts_min = 300
facts_max = 300
"""
_PERSONA = "You are on the phone with somebody you know."


class Measure(Struct, frozen=True):
    """What is needed of a message, and how much of that one line has to hold."""

    name: str
    needed: Callable[[Dialogue, datetime], list[Stems]]
    threshold: float


_MEASURES = (
    Measure("the needed sentence, 60 % of it", needed_sentences, 0.6),
    Measure("the needed sentence, 75 % of it", needed_sentences, 0.75),
    Measure("the whole message, 50 % of it", needed_messages, 0.5),
)


class Asked(Struct, frozen=True):
    """A dialogue at the moment of its questions, with the prompts of one contender by limit."""

    dialogue: Dialogue
    now: datetime
    prompts: Mapping[int, str]


def run(given: Path | None, *, quick: bool) -> None:
    """Measure and print; `quick` takes two dialogues."""
    path = dialogues.find(given)
    if path is None:
        print(
            f"evidence: skipped, no dialogues at {given or dialogues.PLACE} (--dialogues says where they are)"
        )
        return
    found = dialogues.read(path)[: 2 if quick else None]
    title(
        "evidence",
        f"{len(found)} dialogues, {sum(len(one.sessions) for one in found)} calls; % carried by the prompt",
    )
    print(f"  {dialogues.SOURCE}")
    with opened() as house:
        asyncio.run(_compare(house, found))


async def _compare(house: House, found: Sequence[Dialogue]) -> None:
    settings = house.settings("default")
    contenders = {
        "the last turns": _baseline(found, baselines.last_turns),
        "lead sentences": _baseline(found, baselines.lead_sentences),
        "ours": await _ours(house, settings.model_copy(update={"llm_model": ""}), found, _WITHOUT_MODEL),
    }
    if settings.llm_model:
        contenders[f"ours, {settings.llm_model}"] = await _ours(house, settings, found, _WITH_MODEL)
    _print_table(contenders)


def _baseline(found: Sequence[Dialogue], baseline: baselines.Baseline) -> list[Asked]:
    count = tokens.counter()
    return [
        Asked(one, now, {limit: baseline(one, now, limit, count) for limit in _LIMITS})
        for one in found
        for now in one.moments()
    ]


async def _ours(house: House, settings: Settings, found: Sequence[Dialogue], agent: str) -> list[Asked]:
    """Let everybody call, and look at the prompts when the questions are asked."""
    clock = _Clock()
    with house.web() as web:
        async with AsyncExitStack() as stack:
            worker = Worker(settings, clock)
            stack.push_async_callback(worker.close)
            client = await stack.enter_async_context(
                httpx2.AsyncClient(base_url=f"http://127.0.0.1:{web.port}")
            )
            walk = _Walk(client, worker, _rebuilds(house, worker, agent, clock), clock, agent, _AREAS[agent])
            asked = [
                one for number, dialogue in enumerate(found) for one in await walk.through(dialogue, number)
            ]
            if worker.reader is not None:
                await walk.print_digests(worker.reader.name)
            return asked


class _Clock:
    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


def _rebuilds(house: House, worker: Worker, agent: str, clock: _Clock) -> dict[int, Rebuild]:
    """For every limit what builds the prompts of an agent that has it."""
    count = tokens.counter()
    found = {}
    for limit in _LIMITS:
        root = house.folder / f"templates_{agent}_{limit}"
        shutil.copytree(ROOT / "prompt_templates" / "default", root / "default")
        (root / agent).mkdir()
        (root / agent / "agent.toml").write_text(_AGENT_TOML.format(limit=limit))
        (root / agent / "persona.jinja").write_text(_PERSONA)
        (root / agent / "response_style.jinja").write_text(GUARDRAIL)
        library = TemplateLibrary(root, limit=limit, count=count)
        found[limit] = Rebuild(worker.redis, library, count, clock, limit=limit, default_timezone="UTC")
    return found


class _Walk(Struct, frozen=True):
    """Feeds dialogues to a running server."""

    client: httpx2.AsyncClient
    worker: Worker
    rebuilds: Mapping[int, Rebuild]
    clock: _Clock
    agent: str
    area: str  # of the callers' numbers: what one agent heard of somebody weighs words for all

    async def through(self, dialogue: Dialogue, number: int) -> list[Asked]:
        """All calls of a dialogue in order, and its prompts at the moments of its questions."""
        caller, waiting, found = f"{self.area}{number:04}", list(dialogue.sessions), list[Asked]()
        for now in dialogue.moments():
            while waiting and waiting[0].started_at < now:
                await calls.deliver(self.client, dialogue, waiting.pop(0), caller=caller, agent=self.agent)
                await self.worker.queue.drain()
            await self._introduce(caller, dialogue)
            self.clock.now = now.timestamp()
            found.append(Asked(dialogue, now, await self._prompts(caller)))
        return found

    async def _introduce(self, caller: str, dialogue: Dialogue) -> None:
        """Say who calls, as a host application does that knows its users."""
        async with self.worker.engine.begin() as connection:
            await user_profiles.change(
                connection, await _owner(connection, caller), None, {"name": dialogue.user}
            )

    async def print_digests(self, model: str) -> None:
        """How many the model made: one that is away or fails leaves the others' standing."""
        async with self.worker.engine.connect() as connection:
            made, of = (await connection.execute(sa.text(_BY_MODEL), {"agent": self.agent})).one()
        print(f"  {made} of {of} digests made by {model}")

    async def _prompts(self, caller: str) -> dict[int, str]:
        async with self.worker.engine.connect() as connection:
            target = Target(await _owner(connection, caller), self.agent)
            return {
                limit: await _prompt(connection, rebuild, target) for limit, rebuild in self.rebuilds.items()
            }


async def _owner(connection: AsyncConnection, caller: str) -> str:
    user_id = await users.find(connection, [Address(f"tel:{caller}")])
    assert user_id is not None, "the call made the caller known"
    return user_id


async def _prompt(connection: AsyncConnection, rebuild: Rebuild, target: Target) -> str:
    rebuilt = await rebuild.build(connection, [target], trigger="benchmark")
    return rebuilt[target].built.prompt


def _print_table(contenders: Mapping[str, Sequence[Asked]]) -> None:
    print(f"  {'':<34}{'':<42}" + "".join(f"{limit:>8}" for limit in _LIMITS) + "   tokens")
    for measure in _MEASURES:
        shares = {name: _shares(asked, measure) for name, asked in contenders.items()}
        for name, by_limit in shares.items():
            _print_row(measure.name, name, [f"{share:.1f}" for share in by_limit])
        best = [max(one) for one in zip(shares["the last turns"], shares["lead sentences"], strict=True)]
        for name in list(shares)[2:]:
            gained = [f"{ours / other:.2f} x" for ours, other in zip(shares[name], best, strict=True)]
            _print_row(measure.name, f"{name}: times the better of the two", gained)
        if len(contenders["ours"]) > 1:
            _print_row(
                measure.name,
                "ours, by chance",
                [f"{share:.1f}" for share in _by_chance(contenders["ours"], measure)],
            )
    _print_row("tokens of the prompt, mean", "ours", _mean_tokens(contenders["ours"]))


def _print_row(measure: str, name: str, cells: Sequence[str]) -> None:
    print(f"  {measure:<34}{name:<42}" + "".join(f"{cell:>8}" for cell in cells), flush=True)


def _shares(asked: Sequence[Asked], measure: Measure) -> list[float]:
    """In percent, by limit."""
    return _carried(asked, [one.prompts for one in asked], measure)


def _by_chance(asked: Sequence[Asked], measure: Measure) -> list[float]:
    """What the prompt of the dialogue before seems to carry."""
    return _carried(asked, [one.prompts for one in [asked[-1], *asked[:-1]]], measure)


def _carried(asked: Sequence[Asked], prompts: Sequence[Mapping[int, str]], measure: Measure) -> list[float]:
    counted, total = Counter[int](), 0
    for one, by_limit in zip(asked, prompts, strict=True):
        needed = measure.needed(one.dialogue, one.now)
        total += len(needed)
        for limit in _LIMITS:
            counted[limit] += count_carried(needed, lines(by_limit[limit]), measure.threshold)
    return [100 * counted[limit] / max(1, total) for limit in _LIMITS]


def _mean_tokens(asked: Sequence[Asked]) -> list[str]:
    count = tokens.counter()
    return [f"{sum(count(one.prompts[limit]) for one in asked) / len(asked):.0f}" for limit in _LIMITS]
