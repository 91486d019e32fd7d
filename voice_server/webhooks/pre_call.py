"""A call is about to start: answer with the cached prompt.

    verify the token → parse → one Redis round trip → fill the slots → bytes out
                                      └ no entry, too late, gone: one read of the durable copy ┘

A person hears silence while this runs, and the platform fails closed. So the answer is always 200 with a
complete body: from the cache, else from Postgres, else the agent's default prompt. Only a wrong token gets
401. It is a raw ASGI app ahead of the router, which adds a fifth to the CPU of all that (docs/benchmarks.md,
three ways into the pre-call).

Nothing here, nor anything it imports, loads SQL, the queue, templates or a model.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Protocol, TypeVar

from msgspec import Struct

from voice_server.cache import prompt_cache
from voice_server.cache.multiplexed import LineDown, LineError, RedisLine
from voice_server.context.layout import slots
from voice_server.context.layout.slots import CachedPrompt, Call
from voice_server.domain.addresses.address import Address, masked, normalise
from voice_server.domain.event import PreCall
from voice_server.platforms.platform import Platform
from voice_server.runtime import logs
from voice_server.runtime.histogram import Histogram
from voice_server.runtime.right_of_way import RightOfWay
from voice_server.webhooks.http import asgi
from voice_server.webhooks.http.asgi import Receive, Scope, Send
from voice_server.webhooks.http.bearer import Bearer

_T = TypeVar("_T")

log = logging.getLogger(__name__)

SOURCES = _CACHE, _DURABLE_COPY, _DEFAULT = "cache", "durable_copy", "default"  # where a prompt came from
_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0)  # seconds
_PENDING_LIMIT = 10_000  # unknown agents and missing prompts remembered for the background, at most
_UNAUTHORIZED = (
    b'{"error":"unauthorized","message":"Send the header Authorization: Bearer <PLATFORM_TOKEN>; '
    b'the token is set where this server runs."}'
)
_METHOD = b'{"error":"method_not_allowed","message":"The pre-call webhook takes POST."}'
_ALLOW = (b"allow", b"POST")
_JUNK = PreCall()  # what stands for a body that is no call


class Limits(Struct, frozen=True):
    """`body` is in bytes, the rest in seconds; numbers are read as in `region`."""

    body: int = 65_536
    binding_ttl: int = 172_800
    redial_window: int = 7200
    region: str = "US"
    deadline: float = 0.150


class Defaults:
    """The prompts of callers nobody knows: one per agent, one for any other. The background refresh replaces
    them whole.

    `own_numbers` are the agents' own: a call “from” one of them is outbound, and the other end is the user.
    """

    def __init__(self, fallback: CachedPrompt) -> None:
        self.fallback = fallback
        self.by_agent: dict[str, CachedPrompt] = {}
        self.own_numbers: frozenset[Address] = frozenset()

    def of(self, agent_id: str) -> CachedPrompt:
        return self.by_agent.get(agent_id, self.fallback)


class Counts:
    def __init__(self) -> None:
        self.known = 0  # from the cache
        self.recalled = 0  # from the durable copy
        self.unknown = 0  # no entry for this caller, nor a copy
        self.withheld = 0  # no usable caller id
        self.timed_out = 0  # Redis too slow
        self.down = 0  # Redis gone, or given up on for the moment
        self.garbage = 0  # Redis answered something that is no cached prompt
        self.junk = 0  # a body that is no pre-call request
        self.unauthorized = 0


class Reads:
    def __init__(self) -> None:
        self.found = 0
        self.none = 0  # nobody's address, or a shared line, or somebody whom this agent knows nothing of
        self.late = 0  # not in what was left of the deadline
        self.failed = 0  # Postgres is away, or unwilling
        self.refused = 0  # not asked: it was late or away before, or too many wait


class DurableCopies(Protocol):
    counts: Reads

    def read(self, agent_id: str, address: Address, seconds: float) -> "asyncio.Future[bytes | None] | None":
        """Return the entry; b"" when there is none, None when that is not known in time. There is no future
        when nobody may ask now."""


class PreCallApp:
    """The ASGI app. `clock` gives unix seconds. The background looks after `unknown_agents`, `missing`
    (callers with a copy but no entry) and `unreadable` (entries that are none)."""

    def __init__(
        self,
        platform: Platform,
        line: RedisLine,
        tokens: Sequence[str],
        defaults: Defaults,
        limits: Limits,
        clock: Callable[[], float] = time.time,
        durable: DurableCopies | None = None,
    ) -> None:
        self.platform = platform
        self.defaults = defaults
        self.counts = Counts()
        self.sources = dict.fromkeys(SOURCES, 0)  # prompts told
        self.seconds = Histogram(_BUCKETS)  # from the whole request to its answer
        self.unknown_agents: set[str] = set()
        self.missing: set[tuple[str, Address]] = set()
        self.unreadable: set[tuple[str, Address]] = set()
        self.right_of_way = RightOfWay()  # of calls, over all else that this process does
        self._line = line
        self.durable = durable
        self._clock = clock
        self._parse = platform.parse_pre_call
        self._limits = limits
        self.authorized = Bearer(tokens).sent  # whether an Authorization header carries one of them

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await asgi.answer(send, 405, _METHOD, _ALLOW)
        elif not self.authorized(asgi.header(scope["headers"], b"authorization")):
            self.counts.unauthorized += 1
            await asgi.answer(send, 401, _UNAUTHORIZED)
        else:
            body = await _read(receive, self._limits.body)
            await asgi.answer(send, 200, await self.answer(body))

    async def answer(self, body: bytes | None) -> bytes:
        """Answer a body, None if it was too long. Awaits futures alone, so it needs no task. An unforeseen
        error gets the default prompt, too, and never ends the call."""
        since, call, address, source = monotonic(), _JUNK, None, _DEFAULT
        self.right_of_way.taken += 1
        try:
            call = (self._parse(body) if body else None) or _JUNK
            address = self._address_of(call) if call.agent_id else None
            if address is None:
                answer = self._tell_nobody(call)
            else:
                prompt, source, previous_call = await self._find_prompt(call, address, since)
                answer = self._tell(prompt, call, address, previous_call)
        except Exception:
            log.exception("a pre-call failed and got the default prompt; please report this")
            source, answer = _DEFAULT, self._default(call, address)
        finally:
            self.right_of_way.taken -= 1
        self._tell_of(source, call, address, monotonic() - since)
        return answer

    def _tell_of(self, source: str, call: PreCall, address: Address | None, seconds: float) -> None:
        """Log only for `debug`: a line nearly doubles a pre-call's CPU (1.8 ×)."""
        self.sources[source] += 1
        self.seconds.observe(seconds)
        if log.isEnabledFor(logging.DEBUG):
            caller, ms = masked(address or self.platform.anonymous), logs.milliseconds(seconds)
            logs.tell(
                log, logging.DEBUG, "pre-call", agent=call.agent_id, caller=caller, prompt=source, ms=ms
            )

    def _address_of(self, call: PreCall) -> Address | None:
        """Take the called number when the “caller” is our own: the call is outbound
        (docs/explanation/elevenlabs-contract.md, outbound calls). When both are ours, the agent that calls is
        the caller."""
        ours, region = self.defaults.own_numbers, self._limits.region
        caller = normalise(call.caller, region, whatsapp=call.messaging)
        if caller is None or caller not in ours:
            return caller
        called = normalise(call.called, region, whatsapp=call.messaging)
        return caller if called in ours else called

    async def _find_prompt(
        self, call: PreCall, address: Address, since: float
    ) -> tuple[CachedPrompt, str, str]:
        """Return the prompt, where it came from, and the call before this one, by the redial mark."""
        until, previous_call, missed = since + self._limits.deadline, "", False
        try:
            replies = await self._look_up(call, address)
            entry, previous_call = prompt_cache.read_look_up(replies, call.conversation_id)
            prompt = slots.unpack(entry) if isinstance(entry, bytes) else None
            if prompt is not None:
                self.counts.known += 1
                return prompt, _CACHE, previous_call
            missed = self._notice_missing(call.agent_id, address, entry)
        except LineError as error:
            self._count_failure(error)
        prompt = await self._recall(call.agent_id, address, until)
        if prompt is not None:
            self.counts.recalled += 1
            return prompt, _DURABLE_COPY, previous_call
        self.counts.unknown += missed
        self._notice_agent(call.agent_id)
        return self.defaults.of(call.agent_id), _DEFAULT, previous_call

    def _look_up(self, call: PreCall, address: Address) -> "asyncio.Future[list[object]]":
        """Raise LineDown; the future may, too, or LineTimeout."""
        commands, expected = prompt_cache.look_up(
            call.agent_id,
            address,
            call.conversation_id,
            self._clock(),
            self._limits.binding_ttl,
            self._limits.redial_window,
        )
        return self._line.send(commands, expected)

    def _notice_missing(self, agent_id: str, address: Address, entry: object) -> bool:
        if entry is None or prompt_cache.is_reserved(entry):
            return True
        self.counts.garbage += 1
        _add(self.unreadable, (agent_id, address))
        return False

    async def _recall(self, agent_id: str, address: Address, until: float) -> CachedPrompt | None:
        reading = self.durable.read(agent_id, address, until - monotonic()) if self.durable else None
        entry = None if reading is None else await reading
        if entry != b"":  # Redis may get what there is, or may be
            _add(self.missing, (agent_id, address))
        return slots.unpack(entry) if entry else None

    def _tell(self, prompt: CachedPrompt, call: PreCall, address: Address, previous_call: str) -> bytes:
        # The prompt does not know of the call before yet.
        is_redial = bool(previous_call) and previous_call not in prompt.recent_calls
        if is_redial:
            self._keep_previous(call, address, previous_call)
        return slots.fill(prompt, Call(self._clock(), is_redial, user_id=address))

    def _keep_previous(self, call: PreCall, address: Address, previous_call: str) -> None:
        """Remember it, for the platform asking about this call again."""
        command = prompt_cache.keep_before(
            call.agent_id,
            address,
            call.conversation_id,
            previous_call,
            self._clock(),
            self._limits.redial_window,
        )
        with contextlib.suppress(LineDown):
            self._line.send(command, 1).add_done_callback(_unheard)

    def _tell_nobody(self, call: PreCall) -> bytes:
        if call.agent_id:
            self.counts.withheld += 1
            self._notice_agent(call.agent_id)
        else:
            self.counts.junk += 1
        return self._default(call, None)

    def _default(self, call: PreCall, address: Address | None) -> bytes:
        user_id = address or self.platform.anonymous
        return slots.fill(self.defaults.of(call.agent_id), Call(self._clock(), user_id=user_id))

    def _count_failure(self, error: LineError) -> None:
        if isinstance(error, LineDown):
            self.counts.down += 1
        else:
            self.counts.timed_out += 1

    def _notice_agent(self, agent_id: str) -> None:
        if agent_id not in self.defaults.by_agent:
            _add(self.unknown_agents, agent_id)


def _add(noticed: "set[_T]", one: _T) -> None:
    if len(noticed) < _PENDING_LIMIT:
        noticed.add(one)


def _unheard(answer: "asyncio.Future[list[object]]") -> None:
    """Ignore the error: the line's own counters tell it."""
    if not answer.cancelled():
        answer.exception()


async def _read(receive: Receive, limit: int) -> bytes | None:
    """Return None for a body longer than `limit`, without reading the rest."""
    message = await receive()
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        return body if len(body) <= limit else None
    chunks, size = [body], len(body)
    while message.get("more_body", False):
        if size > limit:
            return None
        message = await receive()
        chunk = message.get("body", b"")
        size += len(chunk)
        chunks.append(chunk)
    return b"".join(chunks) if size <= limit else None
