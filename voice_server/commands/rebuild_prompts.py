"""Rebuilding by hand: whose prompts, built now, kept or only shown."""

import difflib
import sys
import time
from datetime import UTC, datetime
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection
from tqdm import tqdm

from voice_server.commands.user_records import required_address
from voice_server.context.layout import slots
from voice_server.context.layout.slots import Call
from voice_server.errors import ConfigurationError, RebuildError, VoiceServerError
from voice_server.jobs.rebuild import RebuiltPrompt
from voice_server.platforms import registry
from voice_server.queue import prompt_requests
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.store.people import users
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import BuiltPrompt, Target, Templates
from voice_server.templates.library import DEFAULT
from voice_server.worker import Worker

Show = Literal["", "prompt", "diff"]
_PAGE = 5000  # looked at with one statement
_BAR_FROM = 20  # prompts: fewer are done before a bar could be read


class Selection(Struct, frozen=True):
    """User, address and agent narrow it together; `stale` takes stale prompts alone."""

    user: str = ""
    address: str = ""
    agent: str = ""
    everybody: bool = False
    stale: bool = False


async def run(settings: Settings, selection: Selection, *, show: Show) -> int:
    """Return how many failed. Raises ConfigurationError for no selection."""
    if selection == Selection():
        raise ConfigurationError("say whose prompts: --user, --address, --agent, --stale or --all")
    if selection.everybody and selection != Selection(everybody=True, stale=selection.stale):
        raise ConfigurationError("--all is everybody: leave out --user, --address and --agent, or --all")
    worker = Worker(settings.model_copy(update={"llm_model": ""}))  # nothing is digested here
    try:
        targets = await _targets(worker, settings, selection)
        if not targets and selection.agent:
            raise ConfigurationError(
                f"nobody talked with an agent {selection.agent}, or nothing of it is selected"
            )
        if show:
            _require_templates(worker, targets)
        return await _rebuild(worker, targets, show)
    finally:
        await worker.close()


def _require_templates(worker: Worker, targets: list[Target]) -> None:
    """Refuse agents with broken templates: the default ones would be shown under their name."""
    versions = worker.templates.versions
    broken = {target.agent_id for target in targets if versions.get(target.agent_id, "") is None}
    if broken:
        raise ConfigurationError("; ".join(worker.templates.errors.values()))


async def _targets(worker: Worker, settings: Settings, selection: Selection) -> list[Target]:
    async with session.single_statements(worker.engine).connect() as connection:
        user = selection.user
        if selection.address:
            owner = await users.find(
                connection, [required_address(selection.address, settings.default_region)]
            )
            if owner is None or (user and await users.survivor(connection, user) != owner):
                raise ConfigurationError(f"nobody has the address {selection.address}")
            user = owner
        survivor = await users.survivor(connection, user) if user else None
        if user and survivor is None:
            raise ConfigurationError(f"there is no user {user}")
        if selection.stale:
            return await _stale(worker, connection, survivor, selection.agent)
        if survivor is None:
            return await _everybody(connection, selection.agent)
        return await prompts.targets(connection, survivor, selection.agent or None)


async def _everybody(connection: AsyncConnection, agent_id: str) -> list[Target]:
    found, page = list[Target](), list[Target]()
    while page := await prompts.talked_with(connection, page[-1] if page else None, _PAGE):
        found += [target for target in page if agent_id in ("", target.agent_id)]
    return found


async def _stale(
    worker: Worker, connection: AsyncConnection, user_id: str | None, agent_id: str
) -> list[Target]:
    templates, now = Templates(worker.templates.versions, DEFAULT), datetime.now(UTC)  # noqa: TID251 (the command line is an edge)
    found = list[Target]()
    last: Target | None = Target("", "")
    while last is not None:
        page, last = await prompts.stale_after(connection, templates, now, last, _PAGE)
        found += page
    return [one for one in found if user_id in (None, one.user_id) and agent_id in ("", one.agent_id)]


async def _rebuild(worker: Worker, targets: list[Target], show: Show) -> int:
    started, failed = time.monotonic(), 0
    bar = tqdm(targets, unit="prompt", disable=bool(show) or len(targets) < _BAR_FROM, file=sys.stderr)
    for target in bar:
        try:
            await _one(worker, target, show)
        except (VoiceServerError, *session.ERRORS) as error:
            failed += 1
            tqdm.write(f"{target.user_id} with {target.agent_id} failed: {error}", file=sys.stderr)
    done = len(targets) - failed
    verb = "shown" if show else "rebuilt"
    tqdm.write(f"{done} {verb}, {failed} failed, in {time.monotonic() - started:.1f} s", file=sys.stderr)
    return failed


async def _one(worker: Worker, target: Target, show: Show) -> None:
    cached = True
    async with worker.engine.begin() as connection:
        if show:
            before = await prompts.copy_of(connection, target)
            rebuilt = await _build(worker, connection, target)
            tqdm.write(f"── {target.user_id} with {target.agent_id}, {rebuilt.built.version}")
            tqdm.write(_difference(before, rebuilt.built) if show == "diff" else rebuilt.built.prompt)
        else:
            await prompt_requests.exclusively(connection, target.user_id, target.agent_id)
            rebuilt = await _build(worker, connection, target)
            cached = await worker.rebuild.apply(connection, [rebuilt])
    if not cached:  # after the commit: what was built is kept, and upkeep will try again
        raise RebuildError("it is stored, but Redis did not take it")
    if rebuilt.without:
        reasons = "; ".join(f"{what} ({reason})" for what, reason in rebuilt.without.items())
        raise RebuildError(f"it is built, but without {reasons}")


async def _build(worker: Worker, connection: AsyncConnection, target: Target) -> RebuiltPrompt:
    rebuilt = await worker.rebuild.build(connection, [target], trigger="by hand")
    if target not in rebuilt:
        raise RebuildError("the user is gone")
    return rebuilt[target]


def _difference(cached: bytes | None, built: BuiltPrompt) -> str:
    """Fill both for one moment: what the clock changes is no difference."""
    before, after = (_told(entry, built.built_at.timestamp()) for entry in (cached, built.entry))
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "cached", "now", lineterm="")
    return "\n".join(lines) or "(nothing changes)"


def _told(entry: bytes | None, now: float) -> str:
    prompt = slots.unpack(entry) if entry else None
    return registry.DEFAULT.told(msgspec.json.decode(slots.fill(prompt, Call(now)))) if prompt else ""
