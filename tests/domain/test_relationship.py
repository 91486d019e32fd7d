"""How a relationship grows: what conversations gained comes on top of what was set by hand."""

from hypothesis import given
from hypothesis import strategies as st

from voice_server.domain.relationship import Metrics, Relationship, RelationshipDelta, grown

steps = st.floats(-3, 3)


@given(st.builds(RelationshipDelta, *[steps] * 5), st.floats(0, 1))
def test_every_measure_stays_within_its_bounds(gained: RelationshipDelta, score: float) -> None:
    state = grown(Relationship(score=score), gained)

    measures = [state.score, *(getattr(state.metrics, name) for name in Metrics.__struct_fields__)]
    assert all(0 <= measure <= 1 for measure in measures)


def test_a_new_state_replaces_the_old_and_none_leaves_it() -> None:
    before = Relationship("old friends", emotional_state="worried", conflict_state="a small quarrel")

    after = grown(before, RelationshipDelta(emotional_state="glad"))

    assert (after.emotional_state, after.conflict_state, after.chapter) == (
        "glad",
        "a small quarrel",
        "old friends",
    )
