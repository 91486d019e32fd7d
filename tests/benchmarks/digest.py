"""How good is the digest without a model, and how fast?

    .venv/bin/python tests/benchmarks/digest.py [--dialogues FOLDER_OR_FILE]

Compares, in one run over the same conversations: the first sentences ("lead"), the published recipe
(statements favoured, half TF-IDF sum, half centroid, MMR, a crude third person), and ours. Prints ROUGE-1 F1
against gold summaries, the share of later-needed evidence turns that are among the digest's sources, words
and milliseconds per conversation; then what the keywords are worth for finding the right day (BM25,
recall@10).

The dialogues are LoCoMo's (snap-research, CC BY-NC 4.0) and no part of this project: by default they are
looked for in `../shared/eval` beside the checkout.
"""

import argparse
import json
import math
import re
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from voice_server.digest.extractive import digest
from voice_server.digest.language.stems import content_stems, word_count
from voice_server.domain.conversation import Message

_DIALOGUES = Path(__file__).resolve().parents[2].parent / "shared" / "eval" / "dialogues.jsonl"
_WORDS = 120
_UTC = ZoneInfo("UTC")


class Session(Struct, frozen=True):
    """One conversation of the evaluation, with what people wrote about it (`gold`)."""

    id: str
    dialogue: str
    gold: str
    turn_ids: tuple[str, ...]
    speakers: tuple[str, ...]
    messages: tuple[Message, ...]

    @property
    def user(self) -> str:
        return self.speakers[0]

    @property
    def agent(self) -> str:
        return next((s for s in self.speakers if s != self.user), "you")


class Query(Struct, frozen=True):
    """A question asked later, the turns that answer it, and their sessions."""

    dialogue: str
    text: str
    evidence: tuple[str, ...]
    sessions: tuple[str, ...]


class Summary(Struct, frozen=True):
    """What one method made of one session: the text and the positions of the messages it stands on."""

    text: str
    positions: frozenset[int]


Method = Callable[[Session, Mapping[str, int], int], Summary]


def read_dialogues(path: Path) -> tuple[list[Session], list[Query]]:
    """The sessions in order of time and the answerable questions."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    turns: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["kind"] == "turn":
            turns[row["session_id"]].append(row)
    found = sorted((r for r in rows if r["kind"] == "session"), key=lambda r: (r["user_id"], r["ts"]))
    queries = [r for r in rows if r["kind"] == "query" and r["category"] != "adversarial"]
    return [_session(r, turns[r["id"]]) for r in found], [_query(r) for r in queries]


def _session(row: dict[str, Any], turns: Sequence[dict[str, Any]]) -> Session:
    user = turns[0]["speaker"]
    messages = tuple(
        Message(i, "user" if t["speaker"] == user else "agent", t["text"], _time(t["ts"]))
        for i, t in enumerate(turns)
    )
    ids, speakers = tuple(t["id"] for t in turns), tuple(t["speaker"] for t in turns)
    return Session(row["id"], row["user_id"], row["summary"], ids, speakers, messages)


def _query(row: dict[str, Any]) -> Query:
    return Query(row["user_id"], row["text"], tuple(row["gold"]), tuple(row["gold_sessions"]))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# The three methods.

_PLAIN_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'0-9])")
_FIRST = re.compile(r"\b(I|we|I'm|I've|we're|my|our)\b")
_FILLER = re.compile(
    r"(Hey|Hi|Wow|Thanks|Thank|Yeah|Cool|Awesome|Great|That's|Sounds|Bye|Take care|Congrat|Yep|Sure"
    r"|Absolutely|Definitely|Totally)"
)
_TIME = re.compile(
    r"\b(yesterday|today|last|next|week|month|year|weekend|tomorrow|tonight|\d{4}|Monday|Tuesday|Wednesday|Thursday"
    r"|Friday|Saturday|Sunday)\b",
    re.IGNORECASE,
)
_CRUDE = (
    (r"\b[Ii]'m\b", "{} is"),
    (r"\b[Ii]'ve\b", "{} has"),
    (r"\b[Ii]'ll\b", "{} will"),
    (r"\bI am\b", "{} is"),
    (r"\bI was\b", "{} was"),
    (r"\bI have\b", "{} has"),
    (r"\bI\b", "{}"),
    (r"\b[Mm]y\b", "their"),
    (r"\b[Mm]e\b", "{}"),
)


def lead(session: Session, _frequencies: Mapping[str, int], _documents: int) -> Summary:
    texts: list[str] = []
    positions: set[int] = set()
    for message in session.messages:
        for text in _PLAIN_BREAK.split(message.content.strip()):
            if word_count(" ".join([*texts, text])) > _WORDS:
                return Summary(" ".join(texts), frozenset(positions))
            texts.append(text)
            positions.add(message.position)
    return Summary(" ".join(texts), frozenset(positions))


def recipe(session: Session, frequencies: Mapping[str, int], documents: int) -> Summary:
    """The published recipe, as it was measured: 37.3 ROUGE-1 and 65.3 % of the evidence on all ten
    dialogues."""
    said = [
        (m.position, session.speakers[m.position], text)
        for m in session.messages
        for text in _PLAIN_BREAK.split(m.content.strip())
        if len(text.split()) >= 3
    ]
    weights = [_weights(text, frequencies, documents) for _, _, text in said]
    vectors = [_unit(w) for w in weights]
    scores = _recipe_scores([text for _, _, text in said], weights, vectors)
    retold = [_crude_third_person(speaker, text) for _, speaker, text in said]
    chosen = sorted(_most_relevant(scores, vectors, [len(text.split()) for text in retold]))
    return Summary(" ".join(retold[i] for i in chosen), frozenset(said[i][0] for i in chosen))


def _weights(text: str, frequencies: Mapping[str, int], documents: int) -> dict[str, float]:
    total = max(documents, 2)
    return {
        s: n * math.log(1 + total / (1 + frequencies.get(s, 0)))
        for s, n in Counter(content_stems(text)).items()
    }


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(w * w for w in vector.values())) + 1e-9
    return {stem: w / length for stem, w in vector.items()}


def _dot(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    return sum(w * b.get(stem, 0) for stem, w in a.items())


def _recipe_scores(
    texts: Sequence[str], weights: Sequence[Mapping[str, float]], vectors: Sequence[Mapping[str, float]]
) -> list[float]:
    centre: Counter[str] = Counter()
    for vector in vectors:
        for stem, weight in vector.items():
            centre[stem] += weight  # type: ignore[assignment]  # a Counter of weights adds like one of counts
    middle = _unit(centre)
    likeness = [_dot(v, middle) for v in vectors]
    totals = [sum(w.values()) for w in weights]
    most_alike, fullest = max(likeness) + 1e-9, max(totals) + 1e-9
    scores = [
        (a / most_alike + b / fullest) / 2 * _recipe_kind(text)
        for a, b, text in zip(likeness, totals, texts, strict=True)
    ]
    best = max(scores) + 1e-9
    return [s / best for s in scores]


def _recipe_kind(text: str) -> float:
    factor = 0.25 if text.strip().endswith("?") else 1
    factor *= 1.35 if _FIRST.search(text) else 0.75
    factor *= 0.5 if _FILLER.match(text) else 1
    return factor * (1.25 if _TIME.search(text) else 1)


def _most_relevant(
    scores: Sequence[float], vectors: Sequence[Mapping[str, float]], lengths: Sequence[int]
) -> list[int]:
    left, chosen, used = set(range(len(scores))), list[int](), 0
    repeated = [0.0] * len(scores)
    while left and used < _WORDS:
        best = max(left, key=lambda i: scores[i] / 2 - repeated[i] / 2)
        left.discard(best)
        if used + lengths[best] > _WORDS * 1.1 and chosen:
            continue
        chosen.append(best)
        used += lengths[best]
        for i in left:
            repeated[i] = max(repeated[i], _dot(vectors[i], vectors[best]))
    return chosen


def _crude_third_person(speaker: str, text: str) -> str:
    for pattern, telling in _CRUDE:
        text = re.sub(pattern, telling.format(speaker), text)
    return text


def ours(session: Session, frequencies: Mapping[str, int], documents: int) -> Summary:
    """Our digest's summary, with the positions of what it quotes."""
    made = digest(
        session.messages,
        timezone=_UTC,
        language="en",
        document_frequencies=frequencies,
        documents=documents,
        words=_WORDS,
    )
    return Summary(
        made.summary, frozenset(one.position for one in made.key_moments if one.text in made.summary)
    )


# What is measured.


def rouge_1(made: str, gold: str) -> float:
    """ROUGE-1 F1 on stemmed lower-case words, function words included."""
    a, b = _all_stems(made), _all_stems(gold)
    overlap = (a & b).total()
    return 2 * overlap / (a.total() + b.total()) if overlap else 0.0


def _all_stems(text: str) -> Counter[str]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return Counter(next(iter(content_stems(word)), word) for word in words)


def evidence_kept(
    summaries: Mapping[str, Summary], sessions: Sequence[Session], queries: Sequence[Query]
) -> float:
    """The share of the evidence turns of all questions that some summary stands on."""
    kept = {s.turn_ids[p] for s in sessions for p in summaries[s.id].positions}
    needed = [turn for query in queries for turn in query.evidence]
    return sum(turn in kept for turn in needed) / len(needed)


def frequencies_before(sessions: Sequence[Session]) -> list[tuple[Counter[str], int]]:
    """For each session the document frequencies of the same dialogue's earlier ones, and how many there
    were."""
    running: dict[str, Counter[str]] = defaultdict(Counter)
    seen: Counter[str] = Counter()
    found = []
    for session in sessions:
        found.append((running[session.dialogue].copy(), seen[session.dialogue]))
        running[session.dialogue].update({s for m in session.messages for s in content_stems(m.content)})
        seen[session.dialogue] += 1
    return found


def day_recall(documents: Mapping[str, str], sessions: Sequence[Session], queries: Sequence[Query]) -> float:
    """Recall@10 of the sessions that hold the evidence, by BM25 over one text per session, in percent."""
    by_dialogue: dict[str, list[str]] = defaultdict(list)
    for session in sessions:
        by_dialogue[session.dialogue].append(session.id)
    recalls = []
    for query in queries:
        ids = by_dialogue[query.dialogue]
        best = set(_bm25(query.text, {i: documents[i] for i in ids})[:10])
        recalls.append(len(best & set(query.sessions)) / len(set(query.sessions)))
    return 100 * statistics.fmean(recalls)


def _bm25(query: str, documents: Mapping[str, str], k1: float = 1.2, b: float = 0.75) -> list[str]:
    counts = {i: Counter(text.split()) for i, text in documents.items()}
    average = statistics.fmean(c.total() for c in counts.values())
    wanted = set(content_stems(query))
    holding = {s: sum(s in c for c in counts.values()) for s in wanted}

    def score(i: str) -> float:
        length = k1 * (1 - b + b * counts[i].total() / average)
        return sum(
            math.log(1 + (len(counts) - holding[s] + 0.5) / (holding[s] + 0.5))
            * counts[i][s]
            * (k1 + 1)
            / (counts[i][s] + length)
            for s in wanted
        )

    return sorted(counts, key=lambda i: (-score(i), i))


# The tables.


def compare(sessions: Sequence[Session], queries: Sequence[Query]) -> None:
    before = frequencies_before(sessions)
    print(f"{'':10} {'ROUGE-1':>8} {'evidence':>9} {'words':>6} {'ms':>6}")
    for name, method in (("lead", lead), ("recipe", recipe), ("ours", ours)):
        made = {s.id: method(s, *known) for s, known in zip(sessions, before, strict=True)}
        rouge = 100 * statistics.fmean(rouge_1(made[s.id].text, s.gold) for s in sessions)
        kept = 100 * evidence_kept(made, sessions, queries)
        length = statistics.fmean(word_count(m.text) for m in made.values())
        print(
            f"{name:10} {rouge:8.1f} {kept:9.1f} {length:6.0f} {_milliseconds(method, sessions, before):6.2f}"
        )


def _milliseconds(
    method: Method, sessions: Sequence[Session], before: Sequence[tuple[Counter[str], int]]
) -> float:
    """Median time for one session."""
    spent = []
    for session, known in zip(sessions, before, strict=True):
        start = time.perf_counter()
        method(session, *known)
        spent.append(1000 * (time.perf_counter() - start))
    return statistics.median(spent)


def worth_of_keywords(sessions: Sequence[Session], queries: Sequence[Query]) -> None:
    summaries, both, gold = dict[str, str](), dict[str, str](), dict[str, str]()
    for session, (frequencies, documents) in zip(sessions, frequencies_before(sessions), strict=True):
        made = digest(
            session.messages,
            timezone=_UTC,
            document_frequencies=frequencies,
            documents=documents,
        )
        summaries[session.id] = " ".join(content_stems(made.summary))
        both[session.id] = f"{summaries[session.id]} {' '.join(made.keywords)}"
        gold[session.id] = " ".join(content_stems(session.gold))
    print("\nfinding the day, recall@10 (BM25)")
    for name, documents_ in (("summary", summaries), ("summary + keywords", both), ("gold summary", gold)):
        print(f"{name:20} {day_recall(documents_, sessions, queries):5.1f}")


def longest_conversation(sessions: Sequence[Session], turns: int = 60) -> None:
    joined = [m for s in sessions[:6] for m in s.messages][:turns]
    messages = [Message(i, m.role, m.content, m.said_at) for i, m in enumerate(joined)]
    spent = []
    for _ in range(20):
        start = time.perf_counter()
        digest(messages, timezone=_UTC)
        spent.append(1000 * (time.perf_counter() - start))
    print(f"\na whole digest of {len(messages)} turns: {statistics.median(spent):.1f} ms")


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--dialogues", type=Path, default=_DIALOGUES, help="dialogues.jsonl or its folder")
    given: Path = parser.parse_args(None if arguments is None else list(arguments)).dialogues
    path = given / "dialogues.jsonl" if given.is_dir() else given
    if not path.is_file():
        print(f"digest: skipped, there are no dialogues at {path} (--dialogues says where they are)")
        return
    sessions, queries = read_dialogues(path)
    print(f"{len(sessions)} sessions, {len(queries)} questions, at {_WORDS} words\n")
    compare(sessions, queries)
    worth_of_keywords(sessions, queries)
    longest_conversation(sessions)


if __name__ == "__main__":
    main()
