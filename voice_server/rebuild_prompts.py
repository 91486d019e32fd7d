"""Rebuilding by hand: whose prompts, built now, kept or only shown."""

import difflib
import sys
import time
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection
from tqdm import tqdm

from voice_server.domain.address import Address, normalise
from voice_server.errors import ConfigurationError, RebuildError, VoiceServerError
from voice_server.jobs import rebuild
from voice_server.jobs.rebuild import Rebuilt
from voice_server.settings import Settings
from voice_server.store import prompts, session, users
from voice_server.store.prompts import Target
from voice_server.templates import DEFAULT
from voice_server.worker import Worker

Show = Literal["", "prompt", "diff"]
_BAR_FROM = 20  # prompts: fewer are done before a bar could be read


class Selection(Struct, frozen=True):
    """Whose prompts: any of user, address and agent together, or everybody, or only stale ones."""

    user: str = ""
    address: str = ""
    agent: str = ""
    everybody: bool = False
    stale: bool = False


async def run(settings: Settings, selection: Selection, *, show: Show) -> int:
    """Rebuild what was selected, or show it; how many failed. Raises ConfigurationError when nothing was selected."""
    if selection == Selection():
        raise ConfigurationError("say whose prompts: --user, --address, --agent, --stale or --all")
    worker = Worker(settings)
    try:
        targets = await _targets(worker, settings, selection)
        if not targets and selection.agent:
            raise ConfigurationError(
                f"nobody talked with an agent {selection.agent}, or nothing of it is selected"
            )
        return await _rebuild(worker, targets, show)
    finally:
        await worker.close()


async def _targets(worker: Worker, settings: Settings, selection: Selection) -> list[Target]:
    async with worker.engine.connect() as connection:
        user = selection.user
        if selection.address:
            owner = await users.find(connection, [_address(selection.address, settings.default_region)])
            if owner is None or (user and user != owner):
                raise ConfigurationError(f"nobody has the address {selection.address}")
            user = owner
        if user and not await users.exists(connection, user):
            raise ConfigurationError(f"there is no user {user}")
        found = await prompts.targets(connection, user_id=user or None, agent_id=selection.agent or None)
        if not selection.stale:
            return found
        versions = {id_: worker.templates.agent(id_).version for id_ in worker.templates.agent_ids}
        default = worker.templates.agent(DEFAULT).version
        stale = set(await prompts.stale(connection, versions, default, datetime.now(UTC), None))  # noqa: TID251 (the command line is an edge)
        return [target for target in found if target in stale]


def _address(text: str, region: str) -> Address:
    address = normalise(text, region) or (Address(text) if text.startswith("app:") else None)
    if address is None:
        raise ConfigurationError(f"{text!r} is no address: write a phone number, sip:… or app:…")
    return address


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
            before = await prompts.latest_text(connection, target)
            rebuilt = await _build(worker, connection, target)
            tqdm.write(f"── {target.user_id} with {target.agent_id}, {rebuilt.built.version}")
            now = rebuilt.built.prompt
            tqdm.write(_difference(before or "", now) if show == "diff" else now)
        else:
            await rebuild.exclusively(connection, target.user_id, target.agent_id)
            cached = await worker.rebuild.apply(connection, await _build(worker, connection, target))
    if not cached:  # after the commit: what was built is kept, and upkeep will try again
        raise RebuildError("it is stored, but Redis did not take it")


async def _build(worker: Worker, connection: AsyncConnection, target: Target) -> Rebuilt:
    rebuilt = await worker.rebuild.build(connection, target, trigger="by hand")
    if rebuilt is None:
        raise RebuildError("the user is gone")
    return rebuilt


def _difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "cached", "now", lineterm="")
    return "\n".join(lines) or "(nothing changes)"
