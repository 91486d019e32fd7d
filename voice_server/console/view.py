"""How pages are made: the templates, and how they write moments, numbers and days."""

import asyncio
import re
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from voice_server.console import assets, portions
from voice_server.runtime.timezones import zone

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

read_only: ContextVar[bool] = ContextVar("read_only", default=False)  # of the request under way

_MINUTE = 60  # seconds
_PIECE = 0.0002  # seconds that a page is written for at a stretch
_SHOWN_DIGITS = 4  # of a number that is masked
_CHANNELS = {"voice": "call", "text": "chat", "continuous": "chat"}


async def page(template: str, status: int = 200, **shown: Any) -> HTMLResponse:
    """Write piece by piece: a call that arrives meanwhile waits for one piece at most."""
    written, since = [], monotonic()
    for piece in _environment().get_template(template).generate(**shown):
        written.append(piece)
        if monotonic() - since > _PIECE:
            await asyncio.sleep(0)
            since = monotonic()
    return HTMLResponse("".join(written), status)


def error_page(status: int, title: str, message: str) -> HTMLResponse:
    return HTMLResponse(part("error.html", title=title, message=message), status)


def plain(text: str) -> Response:
    """Show a text as it is, however long: a page has room for so much only."""
    return PlainTextResponse(text)


def part(template: str, **shown: Any) -> Markup:
    return Markup(_environment().get_template(template).render(**shown))  # noqa: S704 (escaped as pages are)


def timeline_path(user_id: str, day: object, agent_id: str = "") -> str:
    query = f"?{urlencode({'agent': agent_id})}" if agent_id else ""
    return f"/console/people/{quote(user_id, safe='')}/timeline/{quote(str(day), safe='')}{query}"


def talk_path(user_id: str | None, conversation_id: int) -> str:
    """Lead to a conversation in the timeline of whom it was with; while nobody knows, to its own page."""
    if user_id is None:
        return f"/console/conversations/{conversation_id}"
    return f"{timeline_path(user_id, f'c{conversation_id}')}#c{conversation_id}"


def message_path(conversation_id: object, position: object) -> str:
    """Lead to the message in the portion of its conversation that has it."""
    return f"/console/conversations/{conversation_id}?at={position}#m{position}"


def short_address(address: str) -> str:
    """Shorten `tel:+14155550101` to `tel ••• 0101`."""
    kind, _, name = address.partition(":")
    if kind == "tel":
        return f"tel ••• {name[-_SHOWN_DIGITS:]}"
    return f"{kind} {name}" if name else kind


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("voice_server.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "day": day,
        "segment": lambda name: quote(name, safe=""),
        "short": short_address,
        "hour": lambda at, timezone: f"{_local(at, timezone):%H:%M}",
        "is_long": portions.is_long,
        "moment": _moment,
        "moment_text": _moment_text,
        "prose": _prose,
        "shortened": portions.shortened,
        "span": _span,
        "time": _time,
        "utc": _utc,
        "thousands": lambda number: f"{number:,}",
    }
    environment.globals |= {
        "channels": _CHANNELS,
        "asset": assets.address,
        "message_path": message_path,
        "talk_path": talk_path,
        "may_change": lambda: not read_only.get(),
    }
    return environment


def _local(at: datetime, timezone: str) -> datetime:
    return at.astimezone(zone(timezone) or ZoneInfo("UTC"))


def _time(at: datetime, timezone: str = "UTC") -> Markup:
    return _written(at, f"{_local(at, timezone):%H:%M}")


def _moment(at: datetime, timezone: str = "UTC") -> Markup:
    return _written(at, _moment_text(at, timezone))


def _moment_text(at: datetime, timezone: str = "UTC") -> str:
    """Write a moment where no element may stand, as in an option of a list."""
    local = _local(at, timezone)
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M}"


def _written(at: datetime, shown: str) -> Markup:
    return Markup('<time datetime="{}" title="{}">{}</time>').format(at.isoformat(), _utc(at), shown)


def _utc(at: datetime) -> str:
    return f"{_local(at, 'UTC'):%Y-%m-%d %H:%M:%S} UTC"


def day(day: Any) -> str:
    """Write `Tuesday 17 November 2026`."""
    return f"{day:%A} {day.day} {day:%B %Y}"


def _span(length: timedelta) -> str:
    seconds = int(length.total_seconds())
    return f"{seconds} s" if seconds < _MINUTE else f"{seconds // _MINUTE} min"


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 (0.15 s, which only a page with a summary needs)

    return MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink"])


def _prose(text: str) -> Markup:
    """Render Markdown without links; its headings stand below the page's own."""
    made = _markdown().render(text)
    return Markup(re.sub(r"(</?)h[1-6]>", r"\1h4>", made))  # noqa: S704 (rendered without HTML in it)
