"""What the agent was told, why, and what was left out."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Literal
from urllib.parse import urlencode

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from voice_server.api.routes.prompts import preview
from voice_server.console import connections, portions, view
from voice_server.context.layout import formatting
from voice_server.context.sections.quotes import bare
from voice_server.errors import NotFound
from voice_server.store.people import user_profiles, users
from voice_server.store.prompts import prompt_history, prompt_sources
from voice_server.store.prompts.prompt_history import PromptRecord

NOW = "now"  # in place of a version
_LISTED = 30
_TOLD, _LEFT_OUT = 26_000, 16_000  # bytes of sections and of what was left out, on a page with both
_LINE, _SOURCE = 20, 260  # bytes of a line, and of what it rests on, beside their words
_LINES = 400  # on a page
_EXCERPT = 200  # characters that are shown of what a line rests on
_MESSAGE = "messages/"
_QUOTE = re.compile('"([^"]+)"')
_DATE = re.compile(rf" \((?:[^()]* )?(?:{'|'.join(formatting.MONTHS)})[^()]*\)")
_WIDTH = 240  # of the longest bar


class Line(Struct, frozen=True):
    """A line as it was told, and the names of the rows behind it."""

    text: str
    sources: list[str]


class Bar(Struct, frozen=True):
    """A section as a bar, on one scale for the whole prompt. `hollow` is what was left out, as far as there
    is room; `sources` are those of no line in particular."""

    name: str
    tokens: int
    target: int
    cap: int
    told: int
    left_out: int
    shares: str
    tokens_left_out: int
    filled: float
    hollow: float
    target_at: float
    cap_at: float
    sources: list[str]
    lines: list[Line]


Shows = Literal["all", "lines", "nothing"]


class ShownSection(Struct, frozen=True):
    """A section as far as a page has room for it: with what its lines rest on, without, or not at all."""

    bar: Bar
    shows: Shows


async def of_user(request: Request) -> Response:
    version, agent_id = request.path_params["version"], request.query_params.get("agent", "")
    async with connections.connection(request) as connection:
        user_id = await users.require(connection, request.path_params["user_id"])
        if version == NOW:
            record = await preview(connection, connections.dependencies(request), user_id, agent_id)
        else:
            record = await prompt_history.get(connection, user_id, agent_id, version)
        return await shown(request, connection, record, user_id)


async def of_conversation(request: Request) -> Response:
    async with connections.connection(request) as connection:
        id_ = request.path_params["conversation_id"]
        record = await prompt_history.of_conversation(connection, id_)
        return await shown(request, connection, record, record.user_id)


async def shown(
    request: Request, connection: AsyncConnection, record: PromptRecord, user_id: str | None
) -> Response:
    asked = request.query_params
    if asked.get("as") == "text":
        return view.plain(record.prompt)
    person = await user_profiles.get(connection, user_id) if user_id else None
    timezone = await users.timezone(connection, user_id, at=record.created_at) if user_id else ""
    listed = await _listed(connection, record, user_id)
    earlier = await _earlier(connection, record, user_id, asked.get("since", ""))
    difference = _difference(earlier, record) if earlier else []
    dropped = record.snapshot.get("dropped", [])
    named = [*(one["item"] for one in dropped), *_sources(record)]
    texts = await prompt_sources.texts(connection, user_id, named) if user_id else {}
    at = portions.place(asked.get("start"))
    return await view.page(
        "prompt.html",
        record=record,
        person=person,
        timezone=timezone or "UTC",
        **_told(bars(record, texts), texts, asked.get("section", ""), at),
        dropped=portions.portion(dropped, lambda one: _source_size(one["item"], texts), at, room=_LEFT_OUT),
        texts=texts,
        here=lambda **more: f"?{urlencode({**_agent(request), **more})}",
        summary=next((one for one in listed if one.version == record.version), None),
        others=[one for one in listed if one.version != record.version],
        earlier=earlier,
        difference=portions.portion(difference, _line_size, at, most=_LINES) if earlier else None,
    )


def _told(sections: Sequence[Bar], texts: Mapping[str, str], named: str, at: int) -> dict[str, Any]:
    """Return the sections as a page shows them: as far as there is room, or a portion of the one named."""
    alone = next((one for one in sections if one.name == named), None)
    entries = portions.portion(_entries(alone), lambda one: _entry_size(one, texts), at, most=_LINES)
    return {
        "bars": sections,
        "told": shown_sections(sections, texts, _TOLD),
        "alone": alone,
        "entries": entries,
        "lines": [one for one in entries.items if isinstance(one, Line)],
        "beside": [one for one in entries.items if isinstance(one, str)],
    }


def bars(record: PromptRecord, texts: Mapping[str, str]) -> list[Bar]:
    """Return its sections; `texts` are those of the rows that it rests on, by their names."""
    sections: list[dict[str, Any]] = record.snapshot.get("sections", [])
    most = max((max(one["tokens"], one.get("cap", 0)) for one in sections), default=0) or 1
    left_out = Counter[str]()
    for one in record.snapshot.get("dropped", []):
        left_out[one["section"]] += one["tokens"]
    return [_bar(one, left_out[one["name"]], _WIDTH / most, record.prompt, texts) for one in sections]


def shown_sections(sections: Iterable[Bar], texts: Mapping[str, str], room: int) -> list[ShownSection]:
    """Show sections whole as long as there is room, then their lines alone, then that they are there."""
    shown = list[ShownSection]()
    for one in sections:
        lines = sum(_LINE + portions.weight(line.text) for line in one.lines)
        whole = lines + sum(_source_size(name, texts) for name in _behind(one))
        shows: Shows = "all" if whole <= room else "lines" if lines <= room else "nothing"
        room -= {"all": whole, "lines": lines, "nothing": 0}[shows]
        shown.append(ShownSection(one, shows))
    return shown


def _behind(bar: Bar) -> list[str]:
    return [*(name for line in bar.lines for name in line.sources), *bar.sources]


def _entries(bar: Bar | None) -> list[Line | str]:
    """Return the lines of a section, and then what it rests on beside them."""
    return [*bar.lines, *bar.sources] if bar else []


def _entry_size(entry: Line | str, texts: Mapping[str, str]) -> int:
    if isinstance(entry, str):
        return _source_size(entry, texts)
    return _line_size(("", entry.text)) + sum(_source_size(name, texts) for name in entry.sources)


def _line_size(line: tuple[str, str]) -> int:
    return _LINE + portions.weight(line[1])


def _source_size(names: str, texts: Mapping[str, str]) -> int:
    return sum(_SOURCE + portions.weight(texts.get(one, "")[:_EXCERPT]) for one in names.split())


def _agent(request: Request) -> dict[str, str]:
    """Return what the address of each part of a prompt says, too."""
    agent_id = request.query_params.get("agent")
    return {} if agent_id is None else {"agent": agent_id}


def _bar(section: dict[str, Any], left_out: int, scale: float, prompt: str, texts: Mapping[str, str]) -> Bar:
    target, cap, begins = section.get("target", 0), section.get("cap", 0), section.get("begins")
    sources = [one for several in section.get("sources", []) for one in several.split()]
    lines = _lines(prompt[begins : section["ends"]], sources, texts) if begins is not None else []
    behind = {name for line in lines for name in line.sources}
    filled = round(section["tokens"] * scale, 1)
    return Bar(
        section["name"],
        section["tokens"],
        target,
        cap,
        section["items_kept"],
        section["items_dropped"],
        section.get("shares", ""),
        left_out,
        filled,
        round(min(left_out * scale, _WIDTH - filled), 1),
        round(target * scale, 1),
        round(cap * scale, 1),
        [name for name in sources if name not in behind],
        lines,
    )


def _lines(text: str, sources: Sequence[str], texts: Mapping[str, str]) -> list[Line]:
    """Put behind each line what it tells in its words: facts, threads, thoughts, and the messages that have
    its quotes."""
    rows = {name: texts[name] for name in sources if texts.get(name)}
    said = {name: bare(row) for name, row in rows.items() if name.startswith(_MESSAGE)}
    kept = {name: _words(row) for name, row in rows.items() if name not in said}
    return [Line(line, [*_telling(line, kept), *_quoting(line, said)]) for line in text.splitlines()]


def _telling(line: str, kept: Mapping[str, Sequence[str]]) -> Iterator[str]:
    told = bare(_DATE.sub("", line))
    return (name for name, words in kept.items() if words and all(_is_in(part, told) for part in words))


def _quoting(line: str, said: Mapping[str, str]) -> Iterator[str]:
    quotes = _words(_DATE.sub("", line))
    return (name for name, words in said.items() if any(_is_in(quote, words) for quote in quotes))


def _words(text: str) -> list[str]:
    """Return the words of each quote in a text, else its own."""
    return [words for part in _QUOTE.findall(text) or [text] if (words := bare(part))]


def _is_in(part: str, words: str) -> bool:
    return f" {part} " in f" {words} "


def _sources(record: PromptRecord) -> list[str]:
    return [one for section in record.snapshot.get("sections", []) for one in section.get("sources", [])]


async def _listed(
    connection: AsyncConnection, record: PromptRecord, user_id: str | None
) -> list[prompt_history.Summary]:
    if user_id is None:
        return []
    return await prompt_history.page(connection, user_id, record.agent_id, limit=_LISTED)


async def _earlier(
    connection: AsyncConnection, record: PromptRecord, user_id: str | None, version: str
) -> PromptRecord | None:
    if not version or user_id is None:
        return None
    try:
        return await prompt_history.get(connection, user_id, record.agent_id, version)
    except NotFound:
        return None


def _difference(earlier: PromptRecord, later: PromptRecord) -> list[tuple[str, str]]:
    """Mark lines as `came` or `went`."""
    before, after = earlier.prompt.splitlines(), later.prompt.splitlines()
    told: list[tuple[str, str]] = []
    for what, first, last, begins, ends in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            told += (("", line) for line in after[begins:ends])
        else:
            told += (("went", line) for line in before[first:last])
            told += (("came", line) for line in after[begins:ends])
    return told
