"""Who may see the console: whoever has a link, which works once, or the password. A signed cookie then says
so, until it expires or Redis has the mark that its session was ended."""

import asyncio
import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Sequence

from itsdangerous import BadSignature, URLSafeTimedSerializer
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from voice_server.cache import prompt_cache

log = logging.getLogger(__name__)

COOKIE = "voice_console"
HOURS = 12  # of a session
LINK_MINUTES = 10
_TRIES, _TRIES_FOR = 5, 60  # passwords of one client, in so many seconds
_LINK, _SESSION = "console link", "console session"
_ENDED = "console_ended"
_PATIENCE = 0.5  # seconds for Redis to answer


def link_token(keys: Sequence[str]) -> str:
    """Make the token of a link that opens the console once."""
    return _signer(keys, _LINK).dumps(secrets.token_urlsafe(16))


class Session(Struct, frozen=True):
    """A browser that was let in, at a moment in Unix time."""

    name: str
    began_at: float

    @property
    def seconds_left(self) -> int:
        """Return what is left of its life, one at least: Redis keeps nothing for none."""
        return max(1, round(self.began_at + HOURS * 3600 - time.time()))


class Sessions:
    """`keys` sign: the first makes new signatures, all are believed."""

    def __init__(self, keys: Sequence[str], password: str, redis: Redis) -> None:
        self._keys = keys or ([hashlib.sha256(password.encode()).hexdigest()] if password else [])
        self._password = password
        self._redis = redis

    @property
    def is_there(self) -> bool:
        """True when anybody can log in."""
        return bool(self._keys)

    @property
    def has_password(self) -> bool:
        return bool(self._password)

    async def opens(self, token: str) -> bool:
        """Tell whether a link's token is good; using it spends it. Raises RedisError, OSError."""
        try:
            named = _signer(self._keys, _LINK).loads(token, max_age=LINK_MINUTES * 60)
        except BadSignature:
            return False
        return await prompt_cache.count(self._redis, "console_link", str(named), LINK_MINUTES * 60) == 1

    async def may_try(self, client: str) -> bool:
        """Count a try for a password, and tell whether it is allowed. Raises RedisError, OSError."""
        return await prompt_cache.count(self._redis, "console_tries", client, _TRIES_FOR) <= _TRIES

    def is_password(self, given: str) -> bool:
        return bool(self._password) and hmac.compare_digest(given.encode(), self._password.encode())

    def cookie(self) -> str:
        return _signer(self._keys, _SESSION).dumps(secrets.token_urlsafe(8))

    async def knows(self, cookie: str) -> bool:
        """Tell whether a cookie is one of ours whose session goes on. While Redis does not answer all of them
        go on: whoever looks after the server then needs the console."""
        try:
            return await self._goes_on(cookie)
        except (TimeoutError, RedisError, OSError) as error:
            log.warning("whether a session of the console was ended is not known: %r", error)
            return True

    async def still_knows(self, cookie: str) -> bool:
        """Tell the same, again and again, of one that was known. Whoever asks for a page has it logged that
        Redis is silent."""
        try:
            return await self._goes_on(cookie)
        except (TimeoutError, RedisError, OSError):
            return True

    async def end(self, cookie: str) -> None:
        """End the session of a cookie, of copies too. Raises TimeoutError, RedisError, OSError."""
        if (session := self._session(cookie)) is not None:
            async with asyncio.timeout(_PATIENCE):
                await prompt_cache.count(self._redis, _ENDED, session.name, session.seconds_left)

    async def _goes_on(self, cookie: str) -> bool:
        if (session := self._session(cookie)) is None:
            return False
        async with asyncio.timeout(_PATIENCE):
            return not await prompt_cache.is_counted(self._redis, _ENDED, session.name)

    def _session(self, cookie: str) -> Session | None:
        try:
            name, began_at = _signer(self._keys, _SESSION).loads(
                cookie, max_age=HOURS * 3600, return_timestamp=True
            )
        except BadSignature:
            return None
        return Session(str(name), began_at.timestamp())


def _signer(keys: Sequence[str], salt: str) -> URLSafeTimedSerializer:
    """Reverse the keys: the library signs with the last."""
    return URLSafeTimedSerializer(
        list(reversed(keys)), salt=salt, signer_kwargs={"digest_method": hashlib.sha256}
    )
