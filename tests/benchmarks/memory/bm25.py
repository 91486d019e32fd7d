"""BM25 as everybody has it: stems, no stop words, k1 1.2, b 0.75. A baseline."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping

from voice_server.digest.language.stems import content_stems

_K1, _B = 1.2, 0.75


class Index:
    def __init__(self, texts: Mapping[str, str]) -> None:
        stems = {id_: Counter(content_stems(text)) for id_, text in texts.items()}
        self._lengths = {id_: sum(counts.values()) for id_, counts in stems.items()}
        self._mean = sum(self._lengths.values()) / max(1, len(stems))
        self._having: dict[str, dict[str, int]] = defaultdict(dict)
        for id_, counts in stems.items():
            for stem, times in counts.items():
                self._having[stem][id_] = times

    def best(self, text: str, limit: int) -> list[str]:
        scores: dict[str, float] = defaultdict(float)
        for stem in set(content_stems(text)):
            having = self._having.get(stem, {})
            rarity = math.log1p((len(self._lengths) - len(having) + 0.5) / (len(having) + 0.5))
            for id_, times in having.items():
                longer = _K1 * (1 - _B + _B * self._lengths[id_] / self._mean)
                scores[id_] += rarity * times * (_K1 + 1) / (times + longer)
        return sorted(scores, key=lambda id_: -scores[id_])[:limit]
