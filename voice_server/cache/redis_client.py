"""The client for Redis everywhere but on the pre-call path: redis-py, which gives up soon."""

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from voice_server.cache.redis_endpoint import parse_url

_PATIENCE = 2.0  # seconds to connect, and for each answer


def connect(url: str) -> Redis:
    """Return a client that connects when first used. Raises ConfigurationError when the URL is wrong.

    One retry, for the pooled connection that a restart of Redis broke: with redis-py's ten a job would hold
    its locks for a minute. The older protocol: an answer to HELLO that is none raises AttributeError in
    redis-py. No library name: for that, each connection would look through all installed packages.
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
