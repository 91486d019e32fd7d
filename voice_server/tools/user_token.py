"""User-bound tokens: the holder may use the tools for one user with one agent, until the token expires.

vsu_<user, agent, expiry as base64url>.<HMAC-SHA256 of that as base64url>

Nothing is stored: changing the secret withdraws all tokens.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence

import msgspec
from msgspec import Struct

PREFIX = "vsu_"
_PURPOSE = b"voice-server user token\n"  # what is signed for anything else is no token
_LONGEST = 2000  # characters


class TokenClaims(Struct, frozen=True, array_like=True):
    """`expires` is in unix seconds."""

    user_id: str
    agent_id: str
    expires: int


def make(bound: TokenClaims, secret: str) -> str:
    told = _encoded(msgspec.json.encode(bound))
    return f"{PREFIX}{told}.{_signature(told, secret)}"


def read(token: str, secrets: Sequence[str], now: float) -> TokenClaims | str:
    """Return what a token says, or a sentence why it counts for nothing. Every secret is tried, in constant
    time."""
    told, _, signature = token.removeprefix(PREFIX).partition(".")
    if len(token) > _LONGEST or not told.isascii() or not signature.isascii():
        return "This is no user token."
    matches = [hmac.compare_digest(signature, _signature(told, secret)) for secret in secrets]
    if not any(matches):
        return "The user token was not made here, or its secret was changed."
    bound = _decoder.decode(base64.urlsafe_b64decode(told + "=" * (-len(told) % 4)))
    return bound if bound.expires > now else "The user token has expired: make a new one."


def _signature(told: str, secret: str) -> str:
    return _encoded(hmac.new(secret.encode(), _PURPOSE + told.encode(), hashlib.sha256).digest())


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


_decoder = msgspec.json.Decoder(TokenClaims)
