"""Memories of the cast, and the prompt made of them as it would be served: what the tests of the pure core
share.

It is always Tuesday 17 November 2026 unless a test says otherwise.
"""

from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from voice_server.context import prompt_builder
from voice_server.context.layout import tokens
from voice_server.context.layout.slots import CachedPrompt, Call
from voice_server.context.prompt_builder import Prompt
from voice_server.context.snapshot import told_text
from voice_server.domain.agent import Agent
from voice_server.domain.digest import KeyMoment, Speaker, ThreadKind, checksum
from voice_server.domain.fact import About, Fact
from voice_server.domain.memory import KnownFollowUp, KnownThread, Memory, RememberedConversation
from voice_server.domain.thought import Thought
from voice_server.jobs.rebuild import entry_for
from voice_server.templates.library import AgentTemplates, TemplateLibrary

TEMPLATES = Path(__file__).parent.parent.parent / "prompt_templates"
BERLIN = "Europe/Berlin"
LIMIT = 6150
ADA = "usr_0000000000000000ada0"


def at(text: str, zone: str = BERLIN) -> datetime:
    """`2026-11-17 09:12` on the clocks of `zone`, in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


NOON = at("2026-11-17 12:00")


@cache
def _defaults() -> AgentTemplates:
    return TemplateLibrary(TEMPLATES, limit=LIMIT, count=tokens.counter()).agent("agent_robin")


def templates(agent: Agent | None = None) -> AgentTemplates:
    """The default templates, served as this agent."""
    return AgentTemplates(agent, _defaults()._sections, _defaults().version) if agent else _defaults()


def call(
    id_: int, started: datetime, summary: str = "", moments: str = "", noted: str = ""
) -> RememberedConversation:
    """A phone call of six minutes; `moments` one per line, a minute apart; `noted` divided by `;`."""
    told = tuple(
        KeyMoment(started + timedelta(minutes=n), line.strip(), n)
        for n, line in enumerate(moments.strip().splitlines())
    )
    found = tuple(one.strip() for one in noted.split(";") if one)
    return RememberedConversation(id_, "voice", started, 360, summary, told, found)


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
    return KnownThread(kind, said_by, text, said_on, (0,), due, id_, touched)


def follow_up(
    about: str, text: str, said_on: date, *, said_by: Speaker = "user", of: int = 1
) -> KnownFollowUp:
    """What the first message of the conversation 9 says of a thread with these words."""
    return KnownFollowUp(of, 0, said_by, said_on, text, checksum(about), conversation_id=9)


def fact(
    id_: int, text: str = "", about: About = "user", said_on: date = date(2026, 11, 10), **more: Any
) -> Fact:
    """A fact, last said on the day it was first said unless told otherwise."""
    return Fact(
        id_, about, text or f"Fact {id_}.", f"key {id_}", said_on, **{"last_said_on": said_on, **more}
    )


def thought(
    id_: int, text: str = "", *, days: float = 7, had: datetime = NOON, pinned: bool = False
) -> Thought:
    """A thought the agent had, which expires after some days."""
    return Thought(id_, text or f"Thought {id_}.", had, had + timedelta(days=days), pinned)


def memory(
    *latest: RememberedConversation, threads: tuple[KnownThread, ...] = (), zone: str = BERLIN, **more: Any
) -> Memory:
    """What is known of Ada; the newest call first."""
    ended = [one.started_at + timedelta(seconds=one.duration) for one in latest]
    return Memory(ADA, zone, len(latest), max(ended, default=None), latest, threads, **more)


def build(known: Memory, now: datetime = NOON, *, limit: int = LIMIT, agent: Agent | None = None) -> Prompt:
    """The prompt as the default templates make it."""
    return prompt_builder.build(known, templates(agent), tokens.counter(), now=now, limit=limit)


def entry(known: Memory, prompt: Prompt) -> CachedPrompt:
    """What would be cached for it."""
    return entry_for(known, prompt, templates().agent)


def read(known: Memory, prompt: Prompt, now: datetime, *, redial: bool = False) -> str:
    """The text of a prompt as it would be served at `now`."""
    return told_text(prompt, entry(known, prompt), Call(now.timestamp(), redial)).text


def served(known: Memory, now: datetime = NOON, *, limit: int = LIMIT, agent: Agent | None = None) -> str:
    """Built and served at the same moment."""
    return read(known, build(known, now, limit=limit, agent=agent), now)


def without_memory(known: Memory) -> Memory:
    """The same person, never met."""
    return Memory(known.user_id, known.timezone)
