"""How a user and an agent stand with each other."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import asdict, replace

_LARGEST_STEP = 0.1  # of one conversation
_DIGITS = 6


class Metrics(Struct, frozen=True):
    """Four measures of closeness, each from 0 to 1."""

    intimacy: float = 0.0
    passion: float = 0.0
    trust: float = 0.0
    secureness: float = 0.0


class RelationshipDelta(Struct, frozen=True):
    """What one conversation changed: differences within ±0.1; a state of "" changes nothing."""

    score: float = 0.0
    intimacy: float = 0.0
    passion: float = 0.0
    trust: float = 0.0
    secureness: float = 0.0
    emotional_state: str = ""
    conflict_state: str = ""


class Relationship(Struct, frozen=True):
    """How the two stand. `chapter` names their phase, `score` goes from 0 to 1, `engagement` and the states
    are a few words each, `backstory` is prose."""

    chapter: str = ""
    score: float = 0.0
    metrics: Metrics = Metrics()
    engagement: str = ""
    emotional_state: str = ""
    conflict_state: str = ""
    backstory: str = ""


def grown(relationship: Relationship, gained: RelationshipDelta) -> Relationship:
    metrics = {
        name: _between(getattr(relationship.metrics, name) + getattr(gained, name))
        for name in Metrics.__struct_fields__
    }
    return replace(
        relationship,
        score=_between(relationship.score + gained.score),
        metrics=Metrics(**metrics),
        emotional_state=gained.emotional_state or relationship.emotional_state,
        conflict_state=gained.conflict_state or relationship.conflict_state,
    )


def gained(start: Relationship, deltas: Iterable[RelationshipDelta]) -> RelationshipDelta:
    """Add up what conversations change, in the order they took place. Each step is bounded, and each measure
    after it: after much praise a quarrel still counts."""
    measured = ("score", *Metrics.__struct_fields__)
    first = {"score": start.score, **asdict(start.metrics)}
    now, emotional_state, conflict_state = dict(first), "", ""
    for delta in deltas:
        now = {name: _between(now[name] + _bounded(getattr(delta, name))) for name in measured}
        emotional_state = delta.emotional_state or emotional_state
        conflict_state = delta.conflict_state or conflict_state
    steps = {name: round(now[name] - first[name], _DIGITS) for name in measured}
    return RelationshipDelta(**steps, emotional_state=emotional_state, conflict_state=conflict_state)


def _bounded(step: float) -> float:
    return min(_LARGEST_STEP, max(-_LARGEST_STEP, step))


def _between(measure: float) -> float:
    return min(1.0, max(0.0, measure))
