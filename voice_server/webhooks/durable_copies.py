"""Durable copies for the pre-call: prompts that Redis does not have, read from Postgres while a call waits.

The connections are its own and opened beforehand: connecting, and the first run of a statement, take longer
than many a call has left. While Postgres is slow or away it is not asked: a call has its default prompt at
once, not at its deadline.
"""

import asyncio
import time

from voice_server.domain.addresses.address import Address
from voice_server.runtime.circuit_breaker import CircuitBreaker
from voice_server.store import session
from voice_server.webhooks.pre_call import Reads

_READ = """
select c.entry from addresses a join cached_voice_prompts c on c.user_id = a.user_id
where a.address = $1 and c.agent_id = $2
"""
_CONNECTIONS = 4  # a read takes a millisecond
_AT_MOST = 100  # reads under way: the last of them waits for 25 others
_SHORTEST = 0.002  # seconds; with less there is no use in asking
_KEPT_OPEN = _CONNECTIONS
_AGAIN = 1.0  # seconds between two looks whether they are
_FRESH = 60.0  # seconds after which one is used, so that no call is the first to find it dead
_PATIENCE = 5.0  # seconds for one
_FAILURES, _PAUSE, _LONGEST_PAUSE = 5, 0.5, 5.0  # in a row; seconds


class DurableCopies:
    """Connects when it is first asked, unless it stays connected."""

    def __init__(self, database_url: str) -> None:
        self.counts = Reads()
        self._direct = session.DirectConnections(database_url, _CONNECTIONS)
        self._circuit = CircuitBreaker(
            time.monotonic, failures=_FAILURES, pause=_PAUSE, longest=_LONGEST_PAUSE
        )
        self._under_way = 0

    def read(self, agent_id: str, address: Address, seconds: float) -> "asyncio.Future[bytes | None] | None":
        if self._circuit.is_open or self._under_way >= _AT_MOST or seconds < _SHORTEST:
            self.counts.refused += 1
            return None
        self._under_way += 1
        reading = asyncio.ensure_future(self._read(agent_id, address, seconds))
        reading.add_done_callback(self._ended)
        return reading

    async def stay_connected(self) -> None:
        """Keep connections open on which the statement has run, also after an outage, until cancelled."""
        while True:
            if self._direct.ready(_FRESH) < _KEPT_OPEN and await self._try():
                await asyncio.gather(*(self._try() for _ in range(_KEPT_OPEN)))
            await asyncio.sleep(_AGAIN)

    async def _try(self) -> bool:
        """Use or open a connection: at first only one, for a Postgres that hangs leaves the others to
        calls."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._direct.value(_READ, "", "")
        except session.ERRORS:
            return False
        return True

    def close(self) -> None:
        self._direct.close()

    async def _read(self, agent_id: str, address: Address, seconds: float) -> bytes | None:
        try:
            async with asyncio.timeout(seconds):
                entry: bytes | None = await self._direct.value(_READ, address, agent_id)
        except session.ERRORS as error:
            return self._failed(error)
        self._circuit.worked()
        self.counts.found += entry is not None
        self.counts.none += entry is None
        return entry or b""

    def _failed(self, error: Exception) -> bytes | None:
        if not session.is_outage(error):  # such an address or agent cannot even be written down there
            self.counts.none += 1
            return b""
        self._circuit.failed()
        late = isinstance(error, TimeoutError)
        self.counts.late += late
        self.counts.failed += not late
        return None

    def _ended(self, _reading: "asyncio.Future[bytes | None]") -> None:
        self._under_way -= 1
