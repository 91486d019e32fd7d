"""Redis: get and put the cached voice prompt. The only file that spells a key.

    voice:prompt:{agent}:{address}   the cached voice prompt (slots.pack), for each of the user's addresses;
                                     for seconds, while a durable copy is on its way there, a reservation
    voice:call:{conversation}        who is on the line with whom, bound at pre-call: address, agent
    voice:quota:{kind}:{whose}       how often a tool was used in a conversation, or by a token in an hour;
                                     that a link of the console was used, or a session of it ended
    voice:mark:{agent}:{address}     the latest call started, for the redial: when (unix ms), conversation,
                                     and the one before it while the prompt does not know of it
    voice:filled                     1 while nothing was lost; else how far a refill from durable copies came

The pre-call reads through a RedisLine with the bytes made here; everyone else through redis-py.

All keys but the last expire: a Redis that evicts with a volatile-* policy, as the embedded one does, never
takes it, and without it the cache would be refilled for ever.

    reserve ─→ read the durable copy ─→ put_reserved

Whoever changes or erases the copy meanwhile removes the reservation, too: nothing older comes back.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from voice_server.cache.redis_endpoint import encode
from voice_server.domain.addresses.address import Address

FILLED = "voice:filled"
_WHOLE = b"1"
_AT_ONCE = 1000  # keys deleted with one command: Redis does nothing else meanwhile
_LOOKED_AT = 2000  # keys whose names Redis looks at with one command: 1 to 2 ms
_KEPT = 90 * 86_400  # seconds: who has not called for as long is told from the durable copy
_RESERVED = b"?"  # begins a reservation, and no entry
_RESERVED_FOR = 30  # seconds: what a process leaves that dies meanwhile
# GET, SET EX and SET EX GET as Redis reads them (RESP), filled in one go: a third of what encoding each
# costs.
_LOOK_UP = (
    b"*2\r\n$3\r\nGET\r\n$%d\r\n%b\r\n"
    b"*5\r\n$3\r\nSET\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n$2\r\nEX\r\n$%d\r\n%b\r\n"
    b"*6\r\n$3\r\nSET\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n$2\r\nEX\r\n$%d\r\n%b\r\n$3\r\nGET\r\n"
)
_AND_BEFORE = "\0"  # between the two calls of a mark; no id has it
_WITH = b"\0"  # between address and agent of a binding; no address has it
# One round trip, and nobody else's in between: counted by two processes at once, no two get the same number.
_COUNT = (
    "local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end return n"
)
_PUT = "for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[i + 1], 'EX', ARGV[1]) end"
_RESERVE = """
local reserved = {}
for i, key in ipairs(KEYS) do
    if redis.call('SET', key, ARGV[1], 'NX', 'EX', ARGV[2]) then table.insert(reserved, i) end
end
return reserved
"""
_NOTE_FILLED = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end"
_PUT_RESERVED = """
local put = 0
for i, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then
        if ARGV[i + 2] == '' then
            redis.call('DEL', key)
        else
            redis.call('SET', key, ARGV[i + 2], 'EX', ARGV[2])
            put = put + 1
        end
    end
end
return put
"""


class RedialMark(NamedTuple):
    """The latest call from an address: when it was asked about (unix ms), and the call before it, or ""."""

    at: int
    call: str
    before: str


class Binding(NamedTuple):
    """Who is on the line with which agent, as the pre-call saw it. `agent_id` is "" in bindings of an earlier
    release."""

    agent_id: str
    address: Address


class Redis(Protocol):
    async def execute_command(self, *args: object) -> object: ...


def look_up(
    agent_id: str, address: Address, conversation_id: str, now: float, binding_ttl: int, redial_window: int
) -> tuple[bytes, int]:
    """Return the pre-call's one round trip, encoded, and its number of replies. Without id, nothing is bound
    or marked."""
    prompt = _prompt(agent_id, address).encode()
    if not conversation_id:
        return encode(b"GET", prompt), 1
    call = b"%d %b" % (now * 1000, conversation_id.encode())
    who = b"%b\0%b" % (address.encode(), agent_id.encode())
    binding, binding_for = _call(conversation_id).encode(), b"%d" % binding_ttl
    mark, mark_for = _mark(agent_id, address).encode(), b"%d" % redial_window
    get = (len(prompt), prompt)
    bind = (len(binding), binding, len(who), who, len(binding_for), binding_for)
    leave = (len(mark), mark, len(call), call, len(mark_for), mark_for)
    return _LOOK_UP % (*get, *bind, *leave), 3


def read_look_up(replies: Sequence[object], conversation_id: str) -> tuple[object, str]:
    """Return the entry (or None) and the call before this one, as the mark tells (or "")."""
    mark = _read_mark(replies[2]) if len(replies) > 1 else None
    if mark is None:
        return replies[0], ""
    return replies[0], mark.before if mark.call == conversation_id else mark.call


def keep_before(
    agent_id: str, address: Address, conversation_id: str, before: str, now: float, redial_window: int
) -> bytes:
    """Return a command, encoded, after which a second pre-call of this call gets the same answer."""
    mark = f"{now * 1000:.0f} {conversation_id}{_AND_BEFORE}{before}"
    return encode(b"SET", _mark(agent_id, address).encode(), mark.encode(), b"EX", b"%d" % redial_window)


async def put(redis: Redis, entries: Sequence[tuple[str, Address, bytes]]) -> None:
    """Cache prompts, each for an agent under one address of its user."""
    if entries:
        keys = [_prompt(agent, address) for agent, address, _ in entries]
        await redis.execute_command("EVAL", _PUT, len(keys), *keys, _KEPT, *(entry for *_, entry in entries))


class Reservation(NamedTuple):
    """Where there was no entry, and durable copies may be put. `token` says whose it is."""

    callers: list[tuple[str, Address]]
    token: bytes


async def reserve(redis: Redis, callers: Sequence[tuple[str, Address]]) -> Reservation:
    """Reserve the entries that are missing. Read the copies after this, then `put_reserved`."""
    token = _RESERVED + os.urandom(12)
    keys = [_prompt(*caller) for caller in callers]
    reserved: Any = await redis.execute_command("EVAL", _RESERVE, len(keys), *keys, token, _RESERVED_FOR)
    return Reservation([callers[number - 1] for number in reserved], token)


async def put_reserved(
    redis: Redis, reserved: Reservation, entries: Mapping[tuple[str, Address], bytes]
) -> int:
    """Put durable copies that were read after they were reserved; return how many. What was put, removed or
    reserved meanwhile stays so."""
    keys = [_prompt(*caller) for caller in reserved.callers]
    values = [entries.get(caller, b"") for caller in reserved.callers]
    put = await redis.execute_command("EVAL", _PUT_RESERVED, len(keys), *keys, reserved.token, _KEPT, *values)
    return put if isinstance(put, int) else 0


def is_reserved(entry: object) -> bool:
    return isinstance(entry, bytes) and entry.startswith(_RESERVED)


async def get(redis: Redis, agent_id: str, address: Address) -> bytes | None:
    entry = await redis.execute_command("GET", _prompt(agent_id, address))
    return entry if isinstance(entry, bytes) and not is_reserved(entry) else None


async def remove(redis: Redis, agent_ids: Sequence[str], addresses: Sequence[Address]) -> None:
    keys = [_prompt(agent, address) for agent in agent_ids for address in addresses]
    if keys:
        await redis.execute_command("DEL", *keys)


async def binding(redis: Redis, conversation_id: str) -> Binding | None:
    """Return who was on the line, or None if the call's pre-call was not seen."""
    return _read_binding(await redis.execute_command("GET", _call(conversation_id)))


async def count(redis: Redis, kind: str, whose: str, seconds: int) -> int:
    """Count one use; return how many there are in the `seconds` since the first. Atomic: no two get the same
    number."""
    counted = await redis.execute_command("EVAL", _COUNT, 1, _quota(kind, whose), seconds)
    if not isinstance(counted, int):
        raise TypeError(f"Redis counted {counted!r}")
    return counted


async def is_counted(redis: Redis, kind: str, whose: str) -> bool:
    return bool(await redis.execute_command("EXISTS", _quota(kind, whose)))


class BoundCall(NamedTuple):
    """A call bound to an address, and the agent it is with."""

    id: str
    agent_id: str


async def calls_from(redis: Redis, addresses: Collection[Address]) -> list[BoundCall]:
    """Find the calls bound to these addresses. Redis goes through the names of all its keys, a million in a
    second: for what happens rarely, and while nobody waits for a lock."""
    calls = list[BoundCall]()
    cursor: object = b"0"
    while True:
        cursor, keys = await _scan_calls(redis, cursor)
        calls += await _bound_to(redis, keys, addresses)
        if cursor in (b"0", 0, "0"):
            return calls


async def _bound_to(redis: Redis, keys: Sequence[str], addresses: Collection[Address]) -> Iterator[BoundCall]:
    values = await _values(redis, keys)
    bound = ((key, _read_binding(value)) for key, value in zip(keys, values, strict=True))
    return (
        BoundCall(key.removeprefix(_call("")), who.agent_id)
        for key, who in bound
        if who is not None and who.address in addresses
    )


async def forget_traces(redis: Redis, agent_ids: Sequence[str], addresses: Collection[Address]) -> None:
    """Forget what stands under these addresses, and who the latest calls from them were bound to."""
    marks = [_mark(agent, address) for agent in agent_ids for address in addresses]
    left = [_read_mark(value) for value in await _values(redis, marks)]
    latest = {call for mark in left if mark for call in (mark.call, mark.before) if call}
    prompts = [_prompt(agent, address) for agent in agent_ids for address in addresses]
    await _delete(redis, [*prompts, *marks, *map(_call, latest)])


async def _values(redis: Redis, keys: Sequence[str]) -> list[object]:
    values = await redis.execute_command("MGET", *keys) if keys else []
    if not isinstance(values, list):
        raise TypeError(f"Redis had {values!r}")
    return values


async def _scan_calls(redis: Redis, cursor: object) -> tuple[object, list[str]]:
    answer = await redis.execute_command("SCAN", cursor, "MATCH", f"{_call('')}*", "COUNT", _LOOKED_AT)
    if not isinstance(answer, list | tuple):
        raise TypeError(f"Redis scanned {answer!r}")
    return answer[0], [key.decode(errors="replace") for key in answer[1] if isinstance(key, bytes)]


async def forget_mark(redis: Redis, agent_id: str, address: Address, conversation_id: str) -> None:
    """Take back the mark of a call that never came about, unless a later call left its own."""
    key = _mark(agent_id, address)
    mark = _read_mark(await redis.execute_command("GET", key))
    if mark is not None and mark.call == conversation_id:
        await redis.execute_command("DEL", key)


async def forget_marks(redis: Redis, agent_ids: Sequence[str], address: Address) -> None:
    """Forget which call was the latest from an address: its next caller may be somebody else."""
    await _delete(redis, [_mark(agent, address) for agent in agent_ids])


async def forget_bindings(redis: Redis, conversation_ids: Sequence[str]) -> None:
    await _delete(redis, [_call(one) for one in conversation_ids])


async def forget_counts(redis: Redis, kinds: Sequence[str], whose: Sequence[str]) -> None:
    await _delete(redis, [_quota(kind, one) for kind in kinds for one in whose])


async def latest_call(redis: Redis, agent_id: str, addresses: Sequence[Address]) -> str | None:
    """Return the call from one of these addresses that left its mark last, or None."""
    left = [_read_mark(await redis.execute_command("GET", _mark(agent_id, one))) for one in addresses]
    return max((mark for mark in left if mark), default=RedialMark(0, "", "")).call or None


async def forget_all(redis: Redis) -> None:
    """Forget everything of ours, and nothing of others who use the same Redis."""
    cursor = 0
    while True:
        answer: Any = await redis.execute_command("SCAN", cursor, "MATCH", "voice:*", "COUNT", _AT_ONCE)
        cursor, keys = int(answer[0]), answer[1]
        await _delete(redis, keys)
        if not cursor:
            return


async def ping(redis: Redis) -> None:
    """Raise what redis-py raises when Redis does not answer."""
    await redis.execute_command("PING")


class MemoryUse(NamedTuple):
    """Bytes that Redis uses, and may use (0: any number); keys evicted since it started."""

    used: int
    limit: int
    evicted: int


async def memory_use(redis: Redis) -> MemoryUse:
    used: Any = await redis.execute_command("INFO", "memory")
    stats: Any = await redis.execute_command("INFO", "stats")
    return MemoryUse(int(used["used_memory"]), int(used.get("maxmemory", 0)), int(stats["evicted_keys"]))


async def is_filled(redis: Redis) -> bool:
    """Tell whether Redis still holds what was put there: not after it was restarted empty."""
    return await redis.execute_command("GET", FILLED) == _WHOLE


async def filled_to(redis: Redis) -> bytes | None:
    """Return how far a refill has come, b"" before its beginning, or None when there is nothing to refill."""
    mark = await redis.execute_command("GET", FILLED)
    if mark == _WHOLE:
        return None
    if isinstance(mark, bytes):
        return mark
    await redis.execute_command("SET", FILLED, b"", "NX")
    return b""


async def keep_filled(redis: Redis, begun: bytes, position: bytes | None) -> None:
    """Note how far a refill has come (None: to its end). Nothing is noted where Redis was emptied meanwhile,
    or came back as it was before: what was put is lost."""
    await redis.execute_command(
        "EVAL", _NOTE_FILLED, 1, FILLED, begun, _WHOLE if position is None else position
    )


async def _delete(redis: Redis, keys: Sequence[str]) -> None:
    for first in range(0, len(keys), _AT_ONCE):
        await redis.execute_command("DEL", *keys[first : first + _AT_ONCE])


def _read_binding(stored: object) -> Binding | None:
    if not isinstance(stored, bytes):
        return None
    address, _, agent = stored.partition(_WITH)
    return Binding(agent.decode(errors="replace"), Address(address.decode(errors="replace")))


def _read_mark(stored: object) -> RedialMark | None:
    if not isinstance(stored, bytes):
        return None
    at, _, calls = stored.decode(errors="replace").partition(" ")
    call, _, before = calls.partition(_AND_BEFORE)
    return RedialMark(int(at), call, before) if at.isdecimal() else None


def _prompt(agent_id: str, address: str) -> str:
    return f"voice:prompt:{_plain(agent_id)}:{address}"


def _call(conversation_id: str) -> str:
    return f"voice:call:{conversation_id}"


def _quota(kind: str, whose: str) -> str:
    return f"voice:quota:{kind}:{whose}"


def _mark(agent_id: str, address: str) -> str:
    return f"voice:mark:{_plain(agent_id)}:{address}"


def _plain(agent_id: str) -> str:
    """Escape colons, so that no two keys are spelled alike."""
    return agent_id.replace("%", "%25").replace(":", "%3A")
