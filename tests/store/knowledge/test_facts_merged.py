"""Whatever happens to the facts of two users who become one and two again, in any order.

After every step nothing is left to do, what a person set is as set, and no topic has two values that hold. At
any time: thrown away and made from scratch, the facts are the same; merged and parted at once, they are as
before. What conversations alone said, each has in the end as if there had been no merge; and as one, what
they have is what one user would have, of whom all of it was said and added by hand.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pretend.timeline import ADA, ROBIN, Timeline, at, claim

from voice_server.domain.digest import Digest
from voice_server.domain.fact import Claim
from voice_server.store.knowledge import digests, facts
from voice_server.store.knowledge.facts import Row
from voice_server.store.lifecycle import merges
from voice_server.store.people import users

GRACE = "usr_000000000000000grace"
WHO = (ADA, GRACE)
WORDS = [
    "The caller lives in Porto.",
    "The caller lives in Lisbon.",
    "She is living in Lisbon now.",
    "The caller has two dogs.",
    "She has 2 dogs.",
    "She plays old songs on her violin.",
    "She plays old songs on her small violin.",
]
people, days, words = st.sampled_from(WHO), st.integers(1, 6), st.integers(0, len(WORDS) - 1)
SAYS = st.tuples(st.just("says"), people, days, st.lists(words, max_size=3, unique=True).map(tuple))
ADDS = st.tuples(st.just("adds"), people, days, words)
PARTS = st.sampled_from([("merge",), ("undo",)])
SETS = st.one_of(
    st.tuples(st.just("edits"), people, st.integers(0, 9), words),
    st.tuples(st.sampled_from(["pinned", "unpinned", "excluded", "let back in"]), people, st.integers(0, 9)),
)
BACK = st.tuples(st.just("takes back"), people, days)
Steps = Sequence[tuple[Any, ...]]
Content = list[tuple[Any, ...]]


def _claim(word: int, day: int) -> Claim:
    text = WORDS[word]
    return claim(text, day, topic="home" if "liv" in text else "")


class Machine:
    """Ada and Grace, each with a number of her own, and a merge of them that comes and goes."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.merge: int | None = None
        self.number = 0

    async def run(self, steps: Steps, *, as_one: bool = False) -> None:
        """Take the steps; `as_one`: there was only Ada all the time."""
        await self.timeline.query(
            "truncate facts, digests, conversations, user_merges, addresses, agents, users cascade"
        )
        await self.timeline.begin(GRACE)
        for one in WHO:
            owner = ADA if as_one else one
            linked = "insert into addresses (address, user_id) values (:address, :owner)"
            await self.timeline.query(linked, address=f"tel:{one}", owner=owner)
        self.merge, self.number = None, 0
        for step, *arguments in steps:
            self.number += 1
            await self.take(step, *arguments)
            await self.check()

    async def take(self, step: str, *arguments: Any) -> None:
        if step == "merge":
            await self.be_one()
        elif step == "undo":
            await self.part()
        elif step == "says":
            await self._say(*arguments)
        elif step == "takes back":
            await self._take_back(*arguments)
        elif step == "adds":
            await self._add(*arguments)
        elif step == "edits":
            await self._change(*arguments[:2], text=WORDS[arguments[2]])
        elif step in ("pinned", "unpinned"):
            await self._change(*arguments, pinned=step == "pinned")
        else:
            await self._change(*arguments, excluded=step == "excluded")

    async def be_one(self) -> None:
        if self.merge is None:
            async with self.timeline.transaction() as connection:
                await users.lock(connection, *WHO)
                self.merge = (await merges.merge(connection, GRACE, ADA, now=self._now())).id

    async def part(self) -> None:
        if self.merge is not None:
            async with self.timeline.transaction() as connection:
                await users.lock(connection, *WHO)
                await merges.undo(connection, self.merge, now=self._now(), days=0)
                self.merge = None

    async def check(self) -> None:
        """What holds at any time of who is there: of one who was merged, what is met again waits."""
        for one in WHO if self.merge is None else (ADA,):
            async with self.timeline.transaction() as connection:
                assert not await facts.refresh(connection, one, ROBIN)
            rows = await self.rows(one)
            told = [row for row in rows if row.superseded_by is None and not row.excluded and row.times > 0]
            home = [row for row in told if row.topic == "home"]
            assert len([row for row in home if not row.pinned]) <= (
                0 if any(row.pinned for row in home) else 1
            )
            assert {row.superseded_by for row in rows} - {None} <= {row.id for row in rows}

    async def rows(self, who: str) -> list[Row]:
        async with self.timeline.transaction() as connection:
            return await facts.page(connection, who, ROBIN, limit=1000)

    async def content(self) -> list[Content]:
        """The facts of each who is there, apart from which row each is in."""
        return [_content(await self.rows(one)) for one in (WHO if self.merge is None else (ADA,))]

    async def from_scratch(self) -> None:
        """Forget all that was made, and make it again from what was said and set."""
        await self.timeline.query("delete from facts where origin = 'digest' and not pinned and not excluded")
        for one in WHO if self.merge is None else (ADA,):
            async with self.timeline.transaction() as connection:
                await facts.refresh(connection, one, ROBIN)

    def _now(self) -> Any:
        return at(10 + self.number // 24, self.number % 24)

    async def _owner(self, who: str) -> str:
        [(owner,)] = await self.timeline.query(
            "select user_id from addresses where address = :a", a=f"tel:{who}"
        )
        return str(owner)

    async def _call(self, who: str, day: int) -> int:
        """The same conversation whoever's it is; between those of one day, Ada's comes first."""
        id_ = await self.timeline.call(day, await self._owner(who), name=f"conv_{day}_{WHO.index(who)}")
        await self.timeline.query(
            "update conversations set known_as = :a where id = :id", a=f"tel:{who}", id=id_
        )
        return id_

    async def _say(self, who: str, day: int, said: tuple[int, ...]) -> None:
        id_, owner = await self._call(who, day), await self._owner(who)
        claims = tuple(_claim(word, day) for word in said)
        async with self.timeline.transaction() as connection:
            await users.lock(connection, owner)
            await digests.save(connection, id_, owner, ROBIN, Digest("", "extractive", claims=claims))
            await digests.refresh(connection, owner, ROBIN)

    async def _take_back(self, who: str, day: int) -> None:
        await self.timeline.take_back(await self._call(who, day))

    async def _add(self, who: str, day: int, word: int) -> None:
        async with self.timeline.transaction() as connection:
            await facts.add(connection, await self._owner(who), ROBIN, _claim(word, day), at=self._now())

    async def _change(self, who: str, which: int, **changes: Any) -> None:
        if rows := await self.rows(await self._owner(who)):
            row = rows[which % len(rows)]
            async with self.timeline.transaction() as connection:
                await facts.change(connection, row.id, row.version, at=self._now(), **changes)


def _content(rows: Sequence[Row]) -> Content:
    texts = {row.id: row.text for row in rows}
    return sorted(
        (
            row.text, row.times, row.said_on, row.last_said_on, str(row.valid_to), row.origin, row.pinned,
            row.excluded, texts.get(row.superseded_by or 0, ""), len(row.sources),
        )
        for row in rows
    )  # fmt: skip


@pytest.fixture
def machine(timeline: Timeline) -> Machine:
    return Machine(timeline)


def examples(number: int) -> settings:
    slow = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=number, deadline=None, suppress_health_check=slow)


@given(steps=st.lists(st.one_of(SAYS, ADDS, BACK, SETS, PARTS), max_size=10))
@examples(15)
async def test_made_from_scratch_they_are_the_same(machine: Machine, steps: Steps) -> None:
    await machine.run(steps)
    before = await machine.content()

    await machine.from_scratch()

    assert await machine.content() == before


@given(steps=st.lists(st.one_of(SAYS, ADDS, BACK, SETS), max_size=8))
@example([("says", GRACE, 2, (0, 3, 1)), ("adds", ADA, 1, 1), ("pinned", GRACE, 8), ("takes back", GRACE, 2)])
@example([("says", ADA, 1, (1,)), ("adds", GRACE, 1, 1), ("edits", ADA, 0, 0)])
@example([("says", ADA, 4, (0,)), ("says", GRACE, 1, (0,)), ("pinned", ADA, 0), ("takes back", ADA, 4)])
@examples(15)
async def test_merged_and_parted_at_once_each_has_what_was_theirs(machine: Machine, steps: Steps) -> None:
    await machine.run(steps)
    before = await machine.content()

    for _ in range(2):
        await machine.be_one()
        await machine.check()
        await machine.part()
        await machine.check()

    assert await machine.content() == before


@given(steps=st.lists(st.one_of(SAYS, SAYS, BACK, PARTS), max_size=9))
@examples(15)
async def test_what_conversations_said_is_each_ones_own_as_if_they_had_never_been_one(
    machine: Machine, steps: Steps
) -> None:
    await machine.run([*steps, ("undo",)])
    parted = await machine.content()

    await machine.run([step if step not in (("merge",), ("undo",)) else ("undo",) for step in steps])

    assert parted == await machine.content()


@given(steps=st.lists(st.one_of(SAYS, SAYS, BACK, ADDS), max_size=9), when=st.integers(0, 9))
@examples(15)
async def test_as_one_they_have_what_one_user_would_have(machine: Machine, steps: Steps, when: int) -> None:
    await machine.run([*steps[:when], ("merge",), *steps[when:]])
    merged = await machine.content()

    await machine.run([*steps[:when], ("undo",), *steps[when:]], as_one=True)

    assert merged == (await machine.content())[:1]
