"""Whatever happens to facts, in any order: they are what all claims and all changes by hand together say.

After every step: nothing is left to do, what a person set is as set, and no topic has two values that hold.
At the end: thrown away and made from scratch, the facts are the same; delivered in order, they would be, too.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pretend.timeline import ADA, ROBIN, Timeline, at, claim, on

from voice_server.digest.facts.similarity import form, is_same
from voice_server.domain.fact import Claim
from voice_server.errors import Conflict
from voice_server.store.knowledge import facts
from voice_server.store.knowledge.facts import Row

CITIES = ["Porto", "Lisbon", "Madrid"]
WORDS = [
    *(f"The caller lives in {city}." for city in CITIES),
    "She is living in Lisbon now.",
    "The caller has two dogs.",
    "She has 2 dogs.",
    "The caller has three dogs.",
    "She plays old songs on her violin.",
    "She plays old songs on her small violin.",
]
DAYS = st.integers(1, 6)
FACTS = st.lists(st.integers(0, len(WORDS) - 1), max_size=3, unique=True).map(tuple)
ANY, MOMENTS = st.integers(0, 20), st.integers(7, 23)  # of the rows there are; hours of a day
STEPS = st.one_of(
    st.tuples(st.just("a conversation says"), DAYS, FACTS),
    st.tuples(st.just("a conversation is taken back"), DAYS),
    st.tuples(st.just("added by hand"), DAYS, MOMENTS, st.integers(0, len(WORDS) - 1)),
    st.tuples(st.just("edited"), ANY, st.integers(0, len(WORDS) - 1)),
    st.tuples(st.just("an edit is taken back"), ANY),
    st.tuples(st.sampled_from(["pinned", "unpinned", "excluded", "let back in"]), ANY),
)
Steps = Sequence[tuple[Any, ...]]


def _claim(word: int, day: int) -> Claim:
    text = WORDS[word]
    return claim(text, day, topic="home" if "liv" in text else "")


class Machine:
    """Ada's facts, and what can happen to them. Says are kept: what each conversation said last."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.says: dict[int, tuple[int, ...]] = {}
        self.set: dict[int, tuple[bool, bool]] = {}  # by row: pinned, excluded
        self.now = 0

    async def start_over(self) -> None:
        await self.timeline.query("truncate facts, digests, conversations cascade")
        self.says, self.set, self.now = {}, {}, 0

    async def run(self, steps: Steps) -> None:
        await self.start_over()
        for step, *arguments in steps:
            await self.take(step, *arguments)
            await self.check()

    async def take(self, step: str, *arguments: Any) -> None:
        if step == "a conversation says":
            await self._say(*arguments)
        elif step == "a conversation is taken back":
            await self._take_back(*arguments)
        elif step == "added by hand":
            await self._add(*arguments)
        elif step == "edited":
            await self._change(arguments[0], text=WORDS[arguments[1]])
        elif step == "an edit is taken back":
            await self._undo(arguments[0])
        elif step in ("pinned", "unpinned"):
            await self._change(arguments[0], pinned=step == "pinned")
        else:
            await self._change(arguments[0], excluded=step == "excluded")

    async def rows(self) -> list[Row]:
        async with self.timeline.transaction() as connection:
            return await facts.page(connection, ADA, ROBIN, limit=1000)

    async def check(self) -> None:
        """What holds at any time."""
        async with self.timeline.transaction() as connection:
            assert not await facts.refresh(connection, ADA, ROBIN)
        rows = {row.id: row for row in await self.rows()}
        assert {id_: (rows[id_].pinned, rows[id_].excluded) for id_ in self.set} == self.set
        told = [row for row in rows.values() if _is_told(row)]
        _check_topics(told)
        _check_excluded(told, list(rows.values()))
        assert not [
            one for one in rows.values() if one.pinned and one.times and not one.excluded and one not in told
        ]

    async def from_scratch(self) -> None:
        """Forget all that was made, and make it again from what was said and set."""
        await self.timeline.query("delete from facts where origin = 'digest' and not pinned and not excluded")
        async with self.timeline.transaction() as connection:
            await facts.refresh(connection, ADA, ROBIN)

    async def in_order(self) -> None:
        """Say everything again, in the order in which it was said."""
        for day in sorted(self.says):
            await self._say(day, self.says[day])

    async def content(self) -> list[tuple[Any, ...]]:
        """All facts, apart from which row each is in."""
        rows = await self.rows()
        texts = {row.id: row.text for row in rows}
        return sorted(
            (
                row.text, row.times, row.said_on, row.last_said_on, str(row.valid_to), row.origin, row.pinned,
                row.excluded, texts.get(row.superseded_by or 0, ""), row.sources, str(row.edited),
            )
            for row in rows
        )  # fmt: skip

    async def _say(self, day: int, words: tuple[int, ...]) -> None:
        self.says[day] = words
        await self.timeline.digest(day, *(_claim(word, day) for word in words))

    async def _take_back(self, day: int) -> None:
        if day in self.says:
            del self.says[day]
            await self.timeline.take_back(await self.timeline.call(day))

    async def _add(self, day: int, hour: int, word: int) -> None:
        async with self.timeline.transaction() as connection:
            await facts.add(connection, ADA, ROBIN, _claim(word, day), at=at(day, hour))

    async def _change(self, which: int, **changes: Any) -> None:
        rows = await self.rows()
        if not rows:
            return
        row = rows[which % len(rows)]
        self.now += 1
        async with self.timeline.transaction() as connection:
            changed = await facts.change(connection, row.id, row.version, at=at(10 + self.now), **changes)
        if changed.id != row.id and row.id in self.set:
            self._note(row, pinned=False, excluded=row.excluded)
        self._note(changed, pinned=changed.pinned, excluded=changed.excluded)

    async def _undo(self, which: int) -> None:
        edits = [row for row in await self.rows() if row.edited]
        if not edits:
            return
        row = edits[which % len(edits)]
        self.now += 1
        try:
            async with self.timeline.transaction() as connection:
                before = await facts.undo(connection, row.id, row.version, at=at(10 + self.now))
        except Conflict:  # it was edited since, or nothing says any more what it changed only the day of
            return
        if before.id < row.id:
            del self.set[row.id]
        else:
            self._note(row, pinned=False, excluded=row.excluded)
        self._note(before, pinned=before.pinned, excluded=before.excluded)

    def _note(self, row: Row, *, pinned: bool, excluded: bool) -> None:
        self.set[row.id] = (pinned, excluded)
        if row.origin == "digest" and not (pinned or excluded):
            self.set.pop(row.id, None)  # nothing is set any more: it may go like any other


def _is_told(row: Row) -> bool:
    return row.superseded_by is None and not row.excluded and row.times > 0


def _check_topics(told: Sequence[Row]) -> None:
    at_home = [row for row in told if row.topic == "home" and not row.pinned]
    pinned = [row for row in told if row.topic == "home" and row.pinned]
    assert len(at_home) <= (0 if pinned else 1), "a topic has one value that holds, or those pinned"


def _check_excluded(told: Sequence[Row], rows: Sequence[Row]) -> None:
    """Not told in the words in which it was excluded, but by who edited it into them."""
    out = [row for row in rows if row.excluded]
    assert not [
        row
        for row in told
        if row.origin == "digest" and not row.pinned
        and any(row.about == one.about and is_same(form(row.text), form(one.text)) for one in out)
    ]  # fmt: skip


@pytest.fixture
def machine(timeline: Timeline) -> Machine:
    return Machine(timeline)


@given(steps=st.lists(STEPS, max_size=12))
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_facts_are_what_was_said_and_set_whatever_happened_on_the_way(
    machine: Machine, steps: Steps
) -> None:
    await machine.run(steps)
    before = await machine.content()

    await machine.from_scratch()
    assert await machine.content() == before

    await machine.in_order()
    assert await machine.content() == before


async def test_the_steps_do_what_they_say(machine: Machine) -> None:
    porto, lisbon, _, _, dogs, *_ = range(len(WORDS))
    await machine.run(
        [
            ("a conversation says", 3, (lisbon,)),
            ("a conversation says", 1, (porto, dogs)),
            ("pinned", 0),
            ("excluded", 2),
            ("added by hand", 2, 20, porto),
            ("a conversation is taken back", 3),
        ]
    )

    rows = await machine.rows()
    assert [(row.text, row.pinned, row.excluded, row.times) for row in rows] == [
        (WORDS[lisbon], True, False, 0),
        (WORDS[porto], False, False, 1),
        (WORDS[dogs], False, True, 1),
        (WORDS[porto], False, False, 2),
    ]
    assert on(1) == rows[1].said_on
