"""Has a model read conversations from before there was a model."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.errors import ConfigurationError
from voice_server.jobs.digest_with_model import DigestWithModel
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.store.knowledge import digests
from voice_server.store.people import users


class Selection(Struct, frozen=True):
    """`since` is a day, as `2026-11-01`."""

    since: str = ""
    user: str = ""
    everybody: bool = False


async def run(settings: Settings, selection: Selection) -> str:
    """Queue them for a worker, which reads earliest first, within a day's tokens; return what to say. Raises
    ConfigurationError without a model, and for an empty or impossible selection."""
    _check(settings, selection)
    since = _midnight(selection.since, settings.default_timezone)
    async with session.at_work(settings.database_url) as connection:
        user = await _user(connection, selection.user)
        number = await digests.await_model(connection, user_id=user, since=since)
        await DigestWithModel.ask(connection)
    return f"{number} conversations await {settings.llm_model}, {_pace(settings.llm_tokens_per_day)}"


def _check(settings: Settings, selection: Selection) -> None:
    if not settings.llm_model:
        raise ConfigurationError("there is no model: set LLM_MODEL, here and for the workers, and try again")
    if selection == Selection():
        raise ConfigurationError("say which conversations: --since 2026-11-01, --user usr_…, or --all")
    if selection.everybody and selection != Selection(everybody=True):
        raise ConfigurationError("--all is everything: leave out --since and --user, or --all")


def _midnight(day: str, timezone: str) -> datetime | None:
    if not day:
        return None
    try:
        return datetime.combine(date.fromisoformat(day), time(), ZoneInfo(timezone))
    except ValueError:
        raise ConfigurationError(f"--since {day}: write a day like 2026-11-01") from None


async def _user(connection: AsyncConnection, user_id: str) -> str | None:
    survivor = await users.survivor(connection, user_id)
    if user_id and survivor is None:
        raise ConfigurationError(f"there is no user {user_id}")
    return survivor


def _pace(tokens_per_day: int) -> str:
    return (
        f"at most {tokens_per_day} tokens a day (LLM_TOKENS_PER_DAY)"
        if tokens_per_day
        else "as fast as it can"
    )
