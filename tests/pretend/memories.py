"""Memories of the cast, and the prompt made of them as it would be served: what the tests of the pure core share.

It is always Tuesday 17 November 2026 unless a test says otherwise.
"""

from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from voice_server import tokens
from voice_server.context import prompt as context_prompt
from voice_server.context import slots
from voice_server.context.prompt import Prompt
from voice_server.context.slots import CachedPrompt, Call
from voice_server.domain.digest import KeyMoment, Speaker, ThreadKind
from voice_server.domain.memory import KnownThread, Memory, Remembered
from voice_server.jobs.rebuild import entry_for
from voice_server.templates import AgentTemplates, TemplateLibrary

TEMPLATES = Path(__file__).parent.parent.parent / "prompt_templates"
BERLIN = "Europe/Berlin"
LIMIT = 6150
ADA = "usr_0000000000000000ada0"


def at(text: str, zone: str = BERLIN) -> datetime:
    """`2026-11-17 09:12` on the clocks of `zone`, in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


NOON = at("2026-11-17 12:00")


@cache
def templates() -> AgentTemplates:
    """The default templates."""
    return TemplateLibrary(TEMPLATES, limit=LIMIT, count=tokens.counter()).agent("agent_robin")


def call(id_: int, started: datetime, summary: str = "", moments: str = "", noted: str = "") -> Remembered:
    """A phone call of six minutes; `moments` one per line, a minute apart; `noted` divided by `;`."""
    told = tuple(
        KeyMoment(started + timedelta(minutes=n), line.strip(), n)
        for n, line in enumerate(moments.strip().splitlines())
    )
    found = tuple(one.strip() for one in noted.split(";") if one)
    return Remembered(id_, "voice", started, 360, summary, told, found)


def thread(
    id_: int,
    text: str = "You said you'd send the recipe.",
    kind: ThreadKind = "promise",
    said_on: date = date(2026, 11, 16),
    *,
    due: date | None = None,
    touched: datetime | None = None,
    said_by: Speaker = "agent",
) -> KnownThread:
    """An open thread."""
    return KnownThread(kind, said_by, text, said_on, (0,), due, id_, touched)


def memory(*latest: Remembered, threads: tuple[KnownThread, ...] = (), zone: str = BERLIN) -> Memory:
    """What is known of Ada; the newest call first."""
    ended = [one.started_at + timedelta(seconds=one.duration) for one in latest]
    return Memory(ADA, zone, len(latest), max(ended, default=None), latest, threads)


def build(known: Memory, now: datetime = NOON, *, limit: int = LIMIT) -> Prompt:
    """The prompt as the default templates make it."""
    return context_prompt.build(known, templates(), tokens.counter(), now=now, limit=limit)


def entry(known: Memory, prompt: Prompt) -> CachedPrompt:
    """What would be cached for it."""
    return entry_for(known, prompt, templates().agent)


def read(known: Memory, prompt: Prompt, now: datetime, *, redial: bool = False) -> str:
    """The text of a prompt as it would be served at `now`."""
    return slots.fill_text(prompt.text, prompt.choices, entry(known, prompt), Call(now.timestamp(), redial))


def served(known: Memory, now: datetime = NOON, *, limit: int = LIMIT) -> str:
    """Built and served at the same moment."""
    return read(known, build(known, now, limit=limit), now)


def without_memory(known: Memory) -> Memory:
    """The same person, never met."""
    return replace(known, conversations=0, last_contact=None, latest=(), open_threads=())
