"""Long dialogues between two people, with questions asked later whose evidence is known.

A file of JSON lines, `kind` says what each is: `session` (`user_id`: the dialogue, `id`, `ts`), `turn` (`id`,
`session_id`, `idx`, `speaker`, `text`, `ts`), `query` (`user_id`, `gold`: ids of turns, `category`, `now`).
The dialogues that the figures in the README are of are LoCoMo's (snap-research, CC BY-NC 4.0): for evaluation
only and no part of this project. They are looked for in `../shared/eval` beside the checkout.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

PLACE = Path(__file__).resolve().parents[3].parent / "shared" / "eval"
SOURCE = "dialogues: LoCoMo, snap-research, CC BY-NC 4.0 (unless others were given); for evaluation only"
_UNANSWERABLE = "adversarial"  # asks for what was never said


class Turn(Struct, frozen=True):
    """What one of the two said. `said_at` is UTC."""

    id: str
    speaker: str
    text: str
    said_at: datetime


class Session(Struct, frozen=True):
    id: str
    started_at: datetime
    turns: tuple[Turn, ...]


class Question(Struct, frozen=True):
    """Something asked later with its answer, and the ids of the turns that give it."""

    asked_at: datetime
    text: str
    answer: str
    evidence: tuple[str, ...]


class Dialogue(Struct, frozen=True):
    """The sessions of two people in the order they took place, and what is asked about them."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def user(self) -> str:
        """Who speaks first is the user, the other one the agent."""
        return self.sessions[0].turns[0].speaker

    @property
    def agent(self) -> str:
        """The other one; "" where nobody answers."""
        speakers = (turn.speaker for session in self.sessions for turn in session.turns)
        return next((one for one in speakers if one != self.user), "")

    def moments(self) -> list[datetime]:
        """When questions are asked about something."""
        return sorted({question.asked_at for question in self.questions if self.before(question.asked_at)})

    def asked(self, now: datetime) -> list[Question]:
        return [question for question in self.questions if question.asked_at == now]

    def turns(self, now: datetime) -> list[Turn]:
        return [turn for session in self.before(now) for turn in session.turns]

    def before(self, now: datetime) -> list[Session]:
        return [session for session in self.sessions if session.started_at < now]


def find(given: Path | None) -> Path | None:
    """The file of dialogues: as given (or in the folder given), else where it is looked for; None if
    absent."""
    place = given or PLACE
    path = place / "dialogues.jsonl" if place.is_dir() else place
    return path if path.is_file() else None


def read(path: Path) -> list[Dialogue]:
    """All dialogues of a file, without the questions that nothing answers."""
    rows: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows[row["user_id"]][row["kind"]].append(row)
    return [_dialogue(id_, kinds) for id_, kinds in sorted(rows.items())]


def _dialogue(id_: str, rows: Mapping[str, list[dict[str, Any]]]) -> Dialogue:
    turns: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(rows["turn"], key=lambda row: int(row["idx"])):
        turns[row["session_id"]].append(row)
    sessions = [_session(row, turns[row["id"]]) for row in rows["session"] if turns[row["id"]]]
    asked = [row for row in rows["query"] if row.get("category") != _UNANSWERABLE]
    return Dialogue(
        id_, tuple(sorted(sessions, key=lambda one: (one.started_at, one.id))), tuple(map(_question, asked))
    )


def _session(row: Mapping[str, Any], turns: Iterable[Mapping[str, Any]]) -> Session:
    said = tuple(Turn(one["id"], one["speaker"], one["text"], _time(one["ts"])) for one in turns)
    return Session(row["id"], _time(row["ts"]), said)


def _question(row: Mapping[str, Any]) -> Question:
    return Question(_time(row["now"]), row["text"], str(row.get("answer") or ""), tuple(row["gold"]))


def _time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
