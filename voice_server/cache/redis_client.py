"""The client for Redis everywhere but on the pre-call path: redis-py, which gives up soon."""

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from voice_server.cache.redis_endpoint import parse_url

_PATIENCE = 2.0  # seconds to connect, and for each answer


def connect(url: str) -> Redis:
    """A client. Connects to nothing before it is used. Raises ConfigurationError when the URL is wrong.

    One retry, for the pooled connection that a restart of Redis broke. By default there are ten with pauses:
    a job would wait for a minute, holding its locks, on a Redis that hangs. The older protocol: the newer one
    begins with a HELLO, and an answer to it that is none raises AttributeError in redis-py. It does not tell
    Redis its own name: for that, each connection would look through all installed packages.
    """
    parse_url(url)  # redis-py's own complaint about a wrong one is a ValueError that names no variable
    return Redis.from_url(
        url,
        protocol=2,
        driver_info=None,
        socket_timeout=_PATIENCE,
        socket_connect_timeout=_PATIENCE,
        retry=Retry(NoBackoff(), 1),
    )
