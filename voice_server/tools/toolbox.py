"""A use of a tool, from whoever asks.

    read the arguments → whose conversation is it (Redis, then one query) → refuse or count → run → answer

Somebody waits with a phone at their ear: there is always an answer within the deadline, whatever is down.
What is late is answered without it, and given up by itself.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.cache import prompt_cache
from voice_server.context.layout.budget import Count
from voice_server.domain.agent import Agent
from voice_server.errors import NotFound
from voice_server.runtime import logs
from voice_server.runtime.histogram import Histogram
from voice_server.runtime.timezones import zone
from voice_server.search.hybrid import Semantics
from voice_server.store import session
from voice_server.store.people import identifications, users
from voice_server.store.people.identifications import IdentifiedCaller
from voice_server.templates.library import TemplateLibrary
from voice_server.tools import speech
from voice_server.tools.tool import Allowance, Answer, Caller, Rebuild, Tool, ToolContext

log = logging.getLogger(__name__)

_LONGEST_ID = 200  # characters; the platform's ids have about 30
_HOUR = 3600
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 2.5)  # seconds
_FAILURES = (*session.ERRORS, RedisError, TimeoutError, NotFound)  # an agent that is not registered


class Rules(Struct, frozen=True):
    """`deadline` is seconds for a whole use; `tokens` an answer's; `counted_for` seconds for which a
    conversation's uses count; `per_hour` uses of each kind by a user-bound token; `timezone` that of users
    and agents without any."""

    deadline: float = 0.7
    tokens: int = 300
    counted_for: int = 172_800
    per_hour: int = 120
    timezone: str = "UTC"


class Counts:
    def __init__(self) -> None:
        self.answered = 0
        self.late = 0  # past the deadline
        self.over_quota = 0
        self.unknown = 0  # nobody known is on the line
        self.misunderstood = 0  # arguments that are none
        self.failed = 0  # Postgres or Redis, or a mistake of ours
        self.unauthorized = 0


Outcome = Literal["answered", "late", "over_quota", "unknown", "misunderstood", "failed"]
Used = tuple[Answer, Outcome]


class Conversation(Struct, frozen=True):
    platform: str
    id: str


class TokenBearer(Struct, frozen=True):
    """Who asks, named by a user-bound token; or by us, in a `conversation`, whose allowance counts, for a
    question that was `asked_at`."""

    user_id: str
    agent_id: str
    conversation: str = ""
    asked_at: datetime | None = None


Requester = Conversation | TokenBearer


class Toolbox:
    """`clock` gives unix seconds; `count` counts tokens; `rebuild` asks for a prompt to be made anew."""

    def __init__(
        self,
        engine: AsyncEngine,
        redis: Redis,
        templates: TemplateLibrary,
        count: Count,
        clock: Callable[[], float],
        rebuild: Rebuild,
        rules: Rules,
        *,
        semantics: Semantics | None = None,
    ) -> None:
        self.counts = Counts()
        self.seconds: dict[str, Histogram] = {}  # by the tool's name, from the request's head to its answer
        self._engine = engine
        self._reading = session.single_statements(engine)
        self._redis = redis
        self._templates = templates
        self._count = count
        self._clock = clock
        self._rebuild = rebuild
        self._rules = rules
        self._semantics = semantics
        self._under_way: set[asyncio.Task[Used]] = set()

    def ends(self) -> float:
        """Return when the deadline of a request that comes in now is over, in the event loop's time."""
        return asyncio.get_running_loop().time() + self._rules.deadline

    async def use(
        self, tool: Tool[Any], asker: Requester, given: Mapping[str, Any], *, ends: float | None = None
    ) -> Answer:
        """Answer by the deadline: `ends`, else counted from now. Never raises."""
        ends = self.ends() if ends is None else ends
        try:
            asked = tool.read(given)
        except ValueError as error:
            return self.misread(tool, str(error), ends)
        task = asyncio.create_task(self._use(tool, asker, asked))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        await asyncio.wait((task,), timeout=max(0, ends - asyncio.get_running_loop().time()))
        if task.done():
            answer, outcome = task.result()
            self._count_use(tool, outcome, ends)
            return answer
        # Not awaited: what hangs on a dead Postgres takes longer to be given up than anybody would wait.
        task.cancel()
        return self.late(tool, ends)

    def late(self, tool: Tool[Any], ends: float) -> Answer:
        self._count_use(tool, "late", ends)
        return {**tool.nothing, "say": speech.NOT_NOTED if tool.writes else speech.LATE}

    def misread(self, tool: Tool[Any], why: str, ends: float) -> Answer:
        self._count_use(tool, "misunderstood", ends)
        return misunderstood(tool, why)

    def _count_use(self, tool: Tool[Any], outcome: Outcome, ends: float) -> None:
        """Measure from a deadline before `ends`, when the use began."""
        seconds = asyncio.get_running_loop().time() + self._rules.deadline - ends
        setattr(self.counts, outcome, getattr(self.counts, outcome) + 1)
        self.seconds.setdefault(tool.name, Histogram(_BUCKETS)).observe(seconds)
        ms = logs.milliseconds(seconds)
        logs.tell(log, logging.INFO, "tool call", tool=tool.name, outcome=outcome, ms=ms)

    async def close(self) -> None:
        for task in tuple(self._under_way):
            task.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=1)

    async def _use(self, tool: Tool[Any], asker: Requester, asked: Struct) -> Used:
        try:
            return await self._run(tool, asker, asked)
        except _FAILURES as error:
            log.warning(
                "%s failed: %s", tool.name, type(error).__name__
            )  # what people said stays out of the log
        except Exception:
            log.exception("%s failed; please report this", tool.name)
        return {**tool.nothing, "say": speech.NOT_NOTED if tool.writes else speech.FAILED}, "failed"

    async def _run(self, tool: Tool[Any], asker: Requester, asked: Struct) -> Used:
        bound = await self._bound(asker)
        opened = self._engine.begin() if tool.writes else self._reading.connect()
        async with opened as connection:
            if tool.writes:
                await users.stay(connection)
            now = datetime.fromtimestamp(self._clock(), UTC)
            found = await _who(connection, asker, bound, now)
            if found is None:
                return {**tool.nothing, "say": speech.NOBODY_YET if tool.writes else speech.NOBODY}, "unknown"
            agent = self._templates.agent(found.agent_id).agent
            if why := tool.refusal(asked):  # what the tool itself refuses is no use of it
                return {**tool.nothing, "say": why}, "answered"
            if not await self._may(tool.allowance, asker, agent):
                why = speech.NOTED_ENOUGH if tool.writes else speech.ENOUGH
                return {**tool.nothing, "say": why}, "over_quota"
            caller = self._caller(found, asker, agent)
            local = now.astimezone(ZoneInfo(caller.timezone))
            context = ToolContext(connection, local, self._fits, self._rebuild, self._semantics)
            answer: Answer = await tool.run(caller, asked, context)
        return answer, "answered"

    async def _bound(self, asker: Requester) -> prompt_cache.Binding | None:
        if isinstance(asker, TokenBearer) or not _is_id(asker.id):
            return None
        return await prompt_cache.binding(self._redis, asker.id)

    async def _may(self, kind: Allowance, asker: Requester, agent: Agent) -> bool:
        """Count in Redis, so that the allowance holds across web processes."""
        if isinstance(asker, TokenBearer) and not asker.conversation:
            whose, most = f"{asker.user_id}:{asker.agent_id}", self._rules.per_hour
            return await prompt_cache.count(self._redis, kind, f"token:{whose}", _HOUR) <= most
        most = agent.limits.lookups if kind == "lookups" else agent.limits.additions
        whose = asker.conversation if isinstance(asker, TokenBearer) else f"{asker.platform}:{asker.id}"
        return await prompt_cache.count(self._redis, kind, whose, self._rules.counted_for) <= most

    def _caller(self, found: IdentifiedCaller, asker: Requester, agent: Agent) -> Caller:
        theirs = (found.timezone, agent.timezone, self._rules.timezone)
        timezone = next((name for name in theirs if name and zone(name)), "UTC")
        conversation = asker.id if isinstance(asker, Conversation) else ""
        agent_name = agent.agent_name or found.agent_name
        return Caller(
            found.user_id,
            found.agent_id,
            timezone,
            conversation,
            found.user_name,
            agent_name,
            None if isinstance(asker, Conversation) else asker.asked_at,
        )

    def _fits(self, answer: Answer) -> bool:
        return self._count(msgspec.json.encode(answer).decode()) <= self._rules.tokens


def misunderstood(tool: Tool[Any], why: str) -> Answer:
    return {**tool.nothing, "error": why[:300], "say": speech.MISUNDERSTOOD}


def _is_id(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_ID and "\0" not in text


async def _who(
    connection: AsyncConnection, asker: Requester, bound: prompt_cache.Binding | None, now: datetime
) -> IdentifiedCaller | None:
    if isinstance(asker, TokenBearer):
        return await identifications.known(connection, asker.user_id, asker.agent_id, at=now)
    if not _is_id(asker.id):
        return None
    agent_id, address = bound or ("", "")
    return await identifications.on_the_line(
        connection, asker.platform, asker.id, agent_id=agent_id, address=address, at=now
    )
