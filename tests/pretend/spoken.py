"""Talk as plain words, made into what the ranking reads: for the tests of the pure core of the search."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from msgspec.structs import replace

from voice_server.domain.conversation import Message
from voice_server.search import passages, ranking
from voice_server.search.question import ask, parse
from voice_server.search.ranking import Corpus, RankingQuery, Scores, Weights

NINE = datetime(2026, 11, 10, 9, tzinfo=UTC)


class Spoken:
    """Conversations, a day apart, each as `role: text` lines, `apart` from each other; their corpus, and what
    ranks in it. `gap`: numbers that belong to nobody, before each conversation."""

    def __init__(
        self, *conversations: Sequence[str], gap: int = 0, apart: timedelta = timedelta(seconds=20)
    ) -> None:
        told = [
            [_message(n, line, NINE + timedelta(days=day) + n * apart) for n, line in enumerate(one)]
            for day, one in enumerate(conversations)
        ]
        self.places: dict[str, bytes] = {}
        kept, bases, base = [], [], 0
        for indexed in passages.index([(messages, "en") for messages in told]):
            base += gap
            for lexeme, at in passages.joined([indexed], base).items():
                self.places[lexeme] = self.places.get(lexeme, b"") + at
            for passage in indexed.passages:
                kept.append(passage)
                bases.append(base)
                base += passage.size
        self.corpus = Corpus(
            np.array(bases, np.int64),
            np.array([one.size for one in kept], np.int64),
            np.array([int(one.starts_at.timestamp()) for one in kept], np.int64),
            b"".join(one.seconds for one in kept),
            b"".join(one.lengths for one in kept),
            b"".join(one.kinds for one in kept),
        )

    def asked(self, text: str, **more: Any) -> RankingQuery:
        return replace(
            ask(parse(text, ["en"]), self.corpus, self.places, NINE + timedelta(days=30), ZoneInfo("UTC")),
            **more,
        )

    def ranked(self, text: str, weights: Weights = Weights(), **more: Any) -> Scores:
        return ranking.rank(self.corpus, self.asked(text, **more), weights)

    def scores(self, text: str, **more: Any) -> list[float]:
        return [float(one) for one in self.ranked(text, **more).messages]


def _message(position: int, line: str, said_at: datetime) -> Message:
    role: Any
    role, _, text = line.partition(": ")
    return Message(position, role, text, said_at)
