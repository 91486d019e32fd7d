"""The pictures of the console in the documentation: `scripts/screenshots`. They are taken of a server that is
started for it, filled as anybody fills theirs, and gone afterwards."""

import asyncio
import contextlib
import io
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from browser import executable
from PIL import Image
from playwright.async_api import FloatRect, Page, ViewportSize, async_playwright, expect
from pretend.trouble import Process, free_port, processes, until

FILL = ("demo",)
PERSON = re.compile("Nadia Brandt|Claire Donovan")  # who is shown
DAY = 1  # of the days, the latest first
QUESTION = "exercises"  # what is looked for in their talk
FOLDER = executable.ROOT / "docs" / "images"
COLOURS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH, MOST_HEIGHT = 1200, 1000
PATIENCE = 300  # seconds


@dataclass
class Server:
    """A server of our own, and the commands that speak to it."""

    folder: Path
    started: list[Process]
    port: int = field(default_factory=free_port)

    async def start(self) -> None:
        process = self._start("serve")
        await until(lambda: process.ended or "serving " in process.said, PATIENCE)
        assert not process.ended, process.said

    async def run(self, *command: str) -> str:
        """What it says."""
        process = self._start(*command)
        code = await asyncio.to_thread(process.wait, PATIENCE)
        assert code == 0, process.said
        return process.said

    def _start(self, *command: str) -> Process:
        given = {"DATA_DIR": str(self.folder / "data"), "PORT": str(self.port)}
        log = self.folder / f"{len(self.started)}.log"
        self.started.append(Process(*command, environment=given, log=log))
        return self.started[-1]


async def main() -> int:
    if not (found := executable.find()):
        print(executable.WHAT_TO_DO, file=sys.stderr)
        return 1
    environment: dict[str, str | float | bool] = {**os.environ, **found.environment}
    async with _filled() as server, async_playwright() as playwright:
        flags = list(executable.FLAGS)
        browser = await playwright.chromium.launch(executable_path=found.path, args=flags, env=environment)
        for colours in COLOURS:
            size = ViewportSize(width=WIDTH, height=MOST_HEIGHT)
            context = await browser.new_context(color_scheme=colours, viewport=size)
            page = await context.new_page()
            async for name in _tour(page, await server.run("console")):
                await _take(page, FOLDER / f"console-{name}-{colours}.png")
            await context.close()
        await browser.close()
    return 0


@contextlib.asynccontextmanager
async def _filled() -> AsyncIterator[Server]:
    with tempfile.TemporaryDirectory() as folder, processes() as started:
        server = Server(Path(folder), started)
        await server.start()
        await server.run(*FILL)
        yield server
        started[0].send(signal.SIGTERM)  # so that its services end, too
        await asyncio.to_thread(started[0].wait)


async def _tour(page: Page, link: str) -> AsyncIterator[str]:
    """Goes from page to page: the name of each it stands on."""
    await page.goto(link.strip())
    await _wait_for_digests(page)
    yield "overview"
    await page.get_by_role("link", name="People").click()
    await page.get_by_role("link", name=PERSON).click()
    await page.wait_for_url("**/people/usr_*")
    person = page.url
    yield "person"
    await page.locator("ul.days a").nth(DAY).click()
    yield "timeline"
    await page.get_by_role("link", name="Facts").click()
    yield "facts"
    await page.goto(person)
    await page.locator("a[href*='/prompts/now']").first.click()
    yield "prompt"
    await page.goto(person)
    await page.get_by_role("link", name="Search").first.click()
    await page.get_by_label("What").fill(QUESTION)
    await page.get_by_role("button", name="Search").click()
    yield "search"
    await page.get_by_role("link", name="Events").click()
    yield "events"
    await page.get_by_role("link", name="Agents").click()
    yield "agents"


async def _wait_for_digests(page: Page) -> None:
    async def are_done() -> bool:
        await page.reload()
        return await page.get_by_text("not digested yet").count() == 0

    await until(are_done, PATIENCE)


async def _take(page: Page, path: Path) -> None:
    await page.wait_for_load_state("load")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    content = await page.evaluate("() => Math.ceil(document.body.getBoundingClientRect().bottom)")
    part = FloatRect(x=0, y=0, width=WIDTH, height=min(content, MOST_HEIGHT))
    taken = await page.screenshot(clip=part, animations="disabled")
    _save(taken, path)


def _save(picture: bytes, path: Path) -> None:
    """In few colours: it is a third as large, and nobody sees it, since a page is text on paper."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(io.BytesIO(picture)) as opened:
        few = opened.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    print(f"{path.relative_to(executable.ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
