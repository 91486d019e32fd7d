"""Verdicts on texts that come again and again."""

import hashlib
from collections.abc import Callable


class Verdicts:
    """Verdicts on at most `most` texts, by their hashes: the texts may be erased meanwhile."""

    def __init__(self, judge: Callable[[str], bool], most: int) -> None:
        self._judge = judge
        self._most = most
        self._known: dict[bytes, bool] = {}

    def of(self, text: str) -> bool:
        name = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        verdict = self._known.get(name)
        if verdict is None:
            if len(self._known) >= self._most:
                self._known.clear()
            verdict = self._known[name] = self._judge(text)
        return verdict
