"""Our tokens. Each is compared, in constant time, so that the time tells nothing."""

import hmac
from collections.abc import Sequence

_SCHEME = b"Bearer "


class Bearer:
    def __init__(self, tokens: Sequence[str]) -> None:
        self._accepted = [f"Bearer {token}".encode() for token in tokens]

    def sent(self, authorization: bytes) -> bool:
        return is_one_of(authorization, self._accepted)


def sent_token(authorization: bytes) -> bytes:
    return authorization.removeprefix(_SCHEME) if authorization.startswith(_SCHEME) else b""


def is_one_of(given: bytes, accepted: Sequence[bytes]) -> bool:
    matches = [hmac.compare_digest(given, one) for one in accepted]
    return any(matches)
