"""Is this body from the platform?

    ElevenLabs-Signature: t=<unix seconds>,v0=<hex>[,v0=<hex>…]     hex = HMAC-SHA256(secret, "<t>." + body)

The official SDK's helper checks the time on one side only, compares in variable time and looks at the last
`v0` alone, so this is our own (docs/explanation/elevenlabs-contract.md, signature).
"""

import hmac
import re
from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

_TIMESTAMP = re.compile(r"[0-9]{1,12}")


class Verdict(Struct, frozen=True):
    valid: bool
    reason: str = ""


class Tolerance(Struct, frozen=True):
    """How far the signature's time may be from ours, in seconds."""

    past: float = 3600
    future: float = 300


def verify(body: bytes, header: str, secrets: Sequence[str], now: float, tolerance: Tolerance) -> Verdict:
    verifier = Verifier(header, secrets, now, tolerance)
    verifier.update(body)
    return verifier.verdict()


def sign(body: bytes, secret: str, timestamp: int) -> str:
    """Return the header that the platform would send."""
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, sha256).hexdigest()
    return f"t={timestamp},v0={digest}"


class Verifier:
    """Verifies a body in pieces, which is never held whole. `refusal` says why the header alone is refused,
    else it is empty."""

    def __init__(self, header: str, secrets: Sequence[str], now: float, tolerance: Tolerance) -> None:
        timestamp, self._given = _parse(header)
        self.refusal = _refusal(timestamp, self._given, now, tolerance)
        self._macs = [hmac.new(secret.encode(), f"{timestamp}.".encode(), sha256) for secret in secrets]

    def update(self, chunk: bytes) -> None:
        for mac in self._macs:
            mac.update(chunk)

    def verdict(self) -> Verdict:
        """Judge all pieces. Every pair is compared, so that the time tells nothing."""
        if self.refusal:
            return Verdict(valid=False, reason=self.refusal)
        expected = [mac.hexdigest().encode() for mac in self._macs]
        matches = [hmac.compare_digest(one, given) for one in expected for given in self._given]
        return (
            Verdict(valid=True)
            if any(matches)
            else Verdict(valid=False, reason="the signature does not match")
        )


def _parse(header: str) -> tuple[str, list[bytes]]:
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    given = [value.encode("utf-8", "surrogatepass") for name, _, value in parts if name == "v0"]
    return (times[0] if len(times) == 1 else ""), given


def _refusal(timestamp: str, given: list[bytes], now: float, tolerance: Tolerance) -> str:
    if not _TIMESTAMP.fullmatch(timestamp) or not given:
        return "the signature header is missing or malformed; it must be t=<seconds>,v0=<hex>"
    age = now - int(timestamp)
    if age > tolerance.past:
        return f"the signature is {age:.0f} s old; {tolerance.past:.0f} s are allowed"
    if -age > tolerance.future:
        return f"the signature is {-age:.0f} s ahead of our clock; {tolerance.future:.0f} s are allowed"
    return ""
