"""Checks of texts that come again and again."""

import hashlib
from collections.abc import Callable


class RememberedChecks:
    """What `check` said of at most `most` texts, kept by their hashes: the texts may be erased meanwhile."""

    def __init__(self, check: Callable[[str], bool], most: int) -> None:
        self._check = check
        self._most = most
        self._known: dict[bytes, bool] = {}

    def of(self, text: str) -> bool:
        name = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        answer = self._known.get(name)
        if answer is None:
            if len(self._known) >= self._most:
                self._known.clear()
            answer = self._known[name] = self._check(text)
        return answer
