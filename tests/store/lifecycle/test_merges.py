"""Two users become one person, and two again: each with exactly what is theirs."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import Address
from voice_server.domain.conversation import Conversation, Message
from voice_server.domain.digest import Digest, OpenThread
from voice_server.domain.fact import Claim
from voice_server.domain.relationship import RelationshipDelta
from voice_server.domain.thought import NewThought
from voice_server.errors import Conflict, NotFound
from voice_server.store import session
from voice_server.store.conversations import conversations
from voice_server.store.knowledge import digests, facts, relationships, thoughts, threads
from voice_server.store.lifecycle import merges
from voice_server.store.lifecycle.merges import Merge
from voice_server.store.people import agents, identifications, shared_lines, users

ADAS, HERS, KITCHEN = (
    Address("tel:+14155550101"),
    Address("tel:+14155550102"),
    Address("tel:+14155550103"),
)
ROBIN = "agent_robin"
NOW = datetime(2026, 11, 17, 10, 30, tzinfo=UTC)


class People(Struct):
    """Two users who are one person, at the moment `now`, and what happens to them."""

    connection: AsyncConnection
    ada: str
    other: str
    event: int
    now: datetime = NOW
    calls: int = 0

    async def call(self, user_id: str, *claims: str, over: str = "", **understood: Any) -> int:
        """A conversation in which this was claimed; its id."""
        self.calls += 1
        self.now += timedelta(minutes=1)
        name = f"conv_{self.calls}"
        said = (Message(0, "user", "Something was said.", self.now),)
        event = Conversation(name, "elevenlabs", ROBIN, "voice", self.now, 60, said)
        id_ = await conversations.save(
            self.connection, event, user_id=user_id, outcome="talked", event_id=self.event,
            event_timestamp=self.calls, known_as=over,
        )  # fmt: skip
        assert id_ is not None
        told = tuple(Claim("user", text, self.now.date(), (0,), topic=_topic(text)) for text in claims)
        digest = Digest(f"Summary of {name}.", "extractive", claims=told, **understood)
        await digests.save(self.connection, id_, user_id, ROBIN, digest)
        await digests.refresh(self.connection, user_id, ROBIN)
        return id_

    async def merge(self) -> Merge:
        self.now += timedelta(minutes=1)
        return await merges.merge(self.connection, self.other, self.ada, now=self.now)

    async def undo(self, merge: Merge, *, days: int = 30) -> Merge:
        self.now += timedelta(minutes=1)
        return await merges.undo(self.connection, merge.id, now=self.now, days=days)

    async def known(self, user_id: str) -> list[str]:
        """The texts of the facts that hold."""
        return sorted(one.text for one in await facts.page(self.connection, user_id, current_on=NOW.date()))

    async def fact(self, user_id: str, text: str) -> facts.Row:
        rows = await facts.page(self.connection, user_id)
        return next(one for one in rows if one.text == text)

    async def whose(self, *tables: str) -> dict[str, list[str]]:
        """The users of all rows of these tables, by their names."""
        names = {self.ada: "ada", self.other: "other"}
        return {
            table: [
                names[one]
                for one in (
                    await self.connection.execute(sa.text(f"select user_id from {table} order by 1"))  # noqa: S608 (our own)
                ).scalars()
            ]
            for table in tables
        }


_EVENT = """
insert into webhook_events (platform, key, kind, type, conversation_id, body)
values ('elevenlabs', 'k', 'conversation', 't', 'c', '') returning id
"""


def _topic(text: str) -> str:
    return "home" if "lives in" in text else ""


@pytest.fixture
async def people(database_url: str) -> AsyncIterator[People]:
    engine = session.connect(database_url, 2)
    async with engine.begin() as connection:
        await agents.register(connection, ROBIN, "elevenlabs")
        ada = await users.resolve(connection, "", [ADAS])
        other = await users.resolve(connection, "", [HERS])
        assert ada
        assert other
        yield People(connection, ada, other, (await connection.execute(sa.text(_EVENT))).scalar_one())
    await engine.dispose()


# -- merging


async def test_an_old_id_means_the_survivor(people: People) -> None:
    await people.merge()

    assert await users.resolve(people.connection, people.other, []) == people.ada
    assert await users.find(people.connection, [HERS]) == people.ada
    assert await users.survivor(people.connection, people.other) == people.ada


async def test_a_chain_of_merges_ends_at_its_last_survivor(people: People) -> None:
    third = await users.resolve(people.connection, "", [KITCHEN])
    assert third
    await people.merge()
    await merges.merge(people.connection, people.ada, third, now=people.now)

    assert await users.survivor(people.connection, people.other) == third


async def test_everything_of_a_conversation_goes_with_it(people: People) -> None:
    thread = OpenThread("promise", "agent", "You said you'd write.", date(2026, 11, 17), (0,))
    await people.call(
        people.other, "The caller sings.", open_threads=(thread,), thoughts=(NewThought("A thought."),)
    )

    await people.merge()

    tables = ("conversations", "digests", "open_threads", "thoughts", "facts")
    assert await people.whose(*tables) == {table: ["ada"] for table in tables}


async def test_what_both_said_is_one_fact_said_twice(people: People) -> None:
    await people.call(people.ada, "The caller sings in a choir.")
    await people.call(people.other, "The caller sings in a choir.")

    await people.merge()

    assert await people.known(people.ada) == ["The caller sings in a choir."]
    assert (await people.fact(people.ada, "The caller sings in a choir.")).times == 2


async def test_the_later_of_two_contradicting_facts_holds_whoever_said_it(people: People) -> None:
    await people.call(people.other, "The caller lives in Porto.")
    await people.call(people.ada, "The caller lives in Lisbon.")

    await people.merge()

    assert await people.known(people.ada) == ["The caller lives in Lisbon."]


@pytest.mark.parametrize("flags", [facts.Changes(pinned=True), facts.Changes(excluded=True)])
@pytest.mark.parametrize("both_said_it", [True, False])
async def test_what_was_pinned_or_excluded_stays_so(
    people: People, flags: facts.Changes, *, both_said_it: bool
) -> None:
    await people.call(people.other, "The caller sings in a choir.")
    if both_said_it:
        await people.call(people.ada, "The caller sings in a choir.")
    fact = await people.fact(people.other, "The caller sings in a choir.")
    await facts.change(people.connection, fact.id, None, at=people.now, **flags)

    await people.merge()

    fact = await people.fact(people.ada, "The caller sings in a choir.")
    assert (fact.pinned, fact.excluded) == (flags.get("pinned", False), flags.get("excluded", False))


async def test_a_thread_is_closed_by_the_other_ones_call(people: People) -> None:
    thread = OpenThread("promise", "agent", "You said you'd write.", date(2026, 11, 17), (0,))
    await people.call(people.other, open_threads=(thread,))
    [opened] = await threads.page(people.connection, people.other)
    await people.call(people.ada, closes=(opened.id,))
    assert (await threads.get(people.connection, opened.id)).status == "open"

    merge = await people.merge()
    merged = (await threads.get(people.connection, opened.id)).status
    await people.undo(merge)

    assert merged == "closed"
    assert (await threads.get(people.connection, opened.id)).status == "open"


async def test_the_survivors_own_relationship_wins(people: People) -> None:
    await relationships.set_by_hand(people.connection, people.ada, ROBIN, None, at=NOW, chapter="friends")
    await relationships.set_by_hand(people.connection, people.other, ROBIN, None, at=NOW, chapter="strangers")

    await people.merge()

    assert (await relationships.get(people.connection, people.ada, ROBIN)).state.chapter == "friends"


async def test_a_relationship_set_for_one_is_that_of_both_until_they_part(people: People) -> None:
    await people.call(people.ada, relationship=RelationshipDelta(score=0.1))
    await relationships.set_by_hand(
        people.connection, people.other, ROBIN, None, at=NOW, chapter="friends", score=0.5
    )

    merge = await people.merge()
    together = await relationships.get(people.connection, people.ada, ROBIN)
    await people.undo(merge)

    assert (together.state.chapter, together.state.score) == ("friends", 0.6)
    ada = await relationships.get(people.connection, people.ada, ROBIN)
    other = await relationships.get(people.connection, people.other, ROBIN)
    assert (ada.state.chapter, ada.state.score) == ("", 0.1)
    assert (other.state.chapter, other.state.score) == ("friends", 0.5)


async def test_the_survivor_takes_on_what_it_has_not_set(people: People) -> None:
    await people.connection.execute(
        sa.text("update users set timezone = 'Europe/Rome' where id = :id"), {"id": people.other}
    )

    merge = await people.merge()
    together = await users.timezone(people.connection, people.ada, at=people.now)
    await people.undo(merge)

    assert together == "Europe/Rome"
    assert await users.timezone(people.connection, people.ada, at=people.now) == ""


async def test_nobody_is_merged_with_themselves(people: People) -> None:
    await people.merge()

    with pytest.raises(Conflict, match="merged into another one"):
        await people.merge()
    with pytest.raises(Conflict, match="themselves"):
        await merges.merge(people.connection, people.ada, people.ada, now=NOW)
    with pytest.raises(NotFound, match="no user usr_nobody"):
        await merges.merge(people.connection, "usr_nobody", people.ada, now=NOW)


# -- undoing


async def test_each_has_again_what_was_theirs(people: People) -> None:
    await people.call(people.ada, "The caller sings in a choir.", "The caller lives in Porto.")
    await people.call(people.other, "The caller sings in a choir.", "The caller lives in Lisbon.")
    before = [await facts.page(people.connection, one) for one in (people.ada, people.other)]

    await people.undo(await people.merge())

    after = [await facts.page(people.connection, one) for one in (people.ada, people.other)]
    assert [list(map(_as_said, one)) for one in after] == [list(map(_as_said, one)) for one in before]
    assert {one: sorted(whose) for one, whose in (await people.whose("addresses", "digests")).items()} == {
        "addresses": ["ada", "other"],
        "digests": ["ada", "other"],
    }


def _as_said(fact: facts.Row) -> tuple[object, ...]:
    return fact.id, fact.text, fact.times, fact.superseded_by, fact.pinned, fact.excluded


async def test_a_call_since_over_a_number_that_goes_back_goes_back(people: People) -> None:
    merge = await people.merge()
    await people.call(people.ada, "The caller sings.", over=HERS)
    await people.call(people.ada, "The caller dances.", over=ADAS)
    await people.call(people.ada, "The caller paints.", over="app:customer-17")

    await people.undo(merge)

    assert await people.known(people.other) == ["The caller sings."]
    assert await people.known(people.ada) == ["The caller dances.", "The caller paints."]


async def test_a_call_since_that_came_with_the_old_id_alone_goes_back(people: People) -> None:
    merge = await people.merge()
    await people.call(people.ada, "The caller sings.", over=people.other)

    await people.undo(merge)

    assert await people.known(people.other) == ["The caller sings."]


@pytest.mark.parametrize(("said", "over", "goes_to"), [("ada", HERS, "ada"), ("other", ADAS, "other")])
async def test_a_call_goes_to_whom_it_was_said_to_be(
    people: People, said: str, over: str, goes_to: str
) -> None:
    merge = await people.merge()
    await people.call(people.ada, "The caller sings.", over=over)
    await identifications.put(people.connection, "elevenlabs", "conv_1", getattr(people, said))

    await people.undo(merge)

    assert await people.known(getattr(people, goes_to)) == ["The caller sings."]


async def test_what_was_added_since_stays_with_the_survivor(people: People) -> None:
    merge = await people.merge()
    claim = Claim("user", "The caller is left-handed.", NOW.date())
    await facts.add(people.connection, people.ada, ROBIN, claim, at=people.now)

    await people.undo(merge)

    assert await people.known(people.ada) == ["The caller is left-handed."]
    assert await people.known(people.other) == []


async def test_an_edit_since_follows_what_it_edits(people: People) -> None:
    await people.call(people.other, "The caller is called Jon.")
    merge = await people.merge()
    fact = await people.fact(people.ada, "The caller is called Jon.")
    edited = await facts.change(
        people.connection, fact.id, None, at=people.now, text="The caller is called John."
    )
    later = people.now + timedelta(seconds=1)
    await facts.change(people.connection, edited.id, None, at=later, text="The caller is called Joan.")

    await people.undo(merge)

    assert await people.known(people.other) == ["The caller is called Joan."]
    assert await people.known(people.ada) == []


async def test_what_was_excluded_since_stays_so_for_both(people: People) -> None:
    await people.call(people.other, "The caller sings in a choir.")
    merge = await people.merge()
    await people.call(people.ada, "The caller sings in a choir.", over=ADAS)
    fact = await people.fact(people.ada, "The caller sings in a choir.")
    await facts.change(people.connection, fact.id, None, at=people.now, excluded=True)

    await people.undo(merge)

    assert await people.known(people.other) == await people.known(people.ada) == []


@pytest.mark.parametrize("since", [True, False])
async def test_a_pin_taken_over_goes_when_they_part_unless_somebody_set_it_since(
    people: People, *, since: bool
) -> None:
    for user_id in (people.ada, people.other):
        await people.call(user_id, "The caller sings in a choir.")
    pinned = await people.fact(people.other, "The caller sings in a choir.")
    await facts.change(people.connection, pinned.id, None, at=people.now, pinned=True)
    merge = await people.merge()
    if since:
        fact = await people.fact(people.ada, "The caller sings in a choir.")
        await facts.change(people.connection, fact.id, None, at=people.now, pinned=False, excluded=True)

    await people.undo(merge)

    flags = {
        name: ((fact := await people.fact(user_id, "The caller sings in a choir.")).pinned, fact.excluded)
        for name, user_id in (("ada", people.ada), ("other", people.other))
    }
    assert flags == (
        {"ada": (False, True), "other": (False, True)}
        if since
        else {"ada": (False, False), "other": (True, False)}
    )


async def test_what_was_flagged_since_goes_with_those_who_said_it(people: People) -> None:
    merge = await people.merge()
    await people.call(people.ada, "The caller sings in a choir.", over=HERS)
    fact = await people.fact(people.ada, "The caller sings in a choir.")
    await facts.change(people.connection, fact.id, None, at=people.now, pinned=True)

    await people.undo(merge)

    assert (await people.fact(people.other, "The caller sings in a choir.")).pinned
    assert await facts.page(people.connection, people.ada) == []


async def test_hand_made_threads_and_thoughts_come_back(people: People) -> None:
    thread = OpenThread("topic", "user", "The garden.", date(2026, 11, 17), ())
    await threads.add(people.connection, people.other, ROBIN, thread, at=NOW)
    later = NOW + timedelta(days=3)
    await thoughts.add(
        people.connection, people.other, ROBIN, "Ask for the garden.", at=NOW, expires_at=later
    )
    merge = await people.merge()
    together = await people.whose("open_threads", "thoughts")

    await people.undo(merge)

    assert together == {"open_threads": ["ada"], "thoughts": ["ada"]}
    assert await people.whose("open_threads", "thoughts") == {
        "open_threads": ["other"],
        "thoughts": ["other"],
    }


@pytest.mark.parametrize("shared_by_both", [True, False])
async def test_shared_lines_are_used_as_before(people: People, *, shared_by_both: bool) -> None:
    members = [people.ada, people.other] if shared_by_both else [people.other]
    await shared_lines.share(people.connection, KITCHEN, members)
    merge = await people.merge()
    together = await shared_lines.require(people.connection, KITCHEN)

    await people.undo(merge)

    assert together.members == (people.ada,)
    assert set((await shared_lines.require(people.connection, KITCHEN)).members) == set(members)


async def test_merged_again_they_are_as_after_the_first_time(people: People) -> None:
    await people.call(people.ada, "The caller lives in Porto.")
    await people.call(people.other, "The caller lives in Lisbon.")
    first = await people.merge()
    together = await people.known(people.ada)
    await people.undo(first)

    second = await people.merge()

    assert await people.known(people.ada) == together
    assert [one.undone_at is None for one in await merges.page(people.connection, people.other)] == [
        True,
        False,
    ]
    assert second.id > first.id


async def test_a_merge_is_undone_once(people: People) -> None:
    merge = await people.merge()
    await people.undo(merge)

    with pytest.raises(Conflict, match="was undone on 17 November 2026"):
        await people.undo(merge)
    with pytest.raises(NotFound, match="no merge 4711"):
        await merges.undo(people.connection, 4711, now=NOW, days=30)


async def test_after_its_time_a_merge_stays(people: People) -> None:
    merge = await people.merge()
    people.now += timedelta(days=31)

    with pytest.raises(Conflict, match="more than 30 days old"):
        await people.undo(merge)

    assert (await people.undo(merge, days=0)).undone_at == people.now


async def test_later_merges_are_undone_first(people: People) -> None:
    third = await users.resolve(people.connection, "", [KITCHEN])
    assert third
    await people.call(people.other, "The caller sings.")
    first = await people.merge()
    second = await merges.merge(people.connection, people.ada, third, now=people.now)

    with pytest.raises(Conflict, match=f"Merge {second.id} came after"):
        await people.undo(first)
    await people.undo(second)
    await people.undo(first)

    assert await people.known(people.other) == ["The caller sings."]
    assert await users.find(people.connection, [ADAS]) == people.ada


async def test_a_call_begun_as_one_and_ended_as_two_is_that_of_its_number(people: People) -> None:
    merge = await people.merge()
    began = people.now
    await people.undo(merge)

    assert await users.resolve(people.connection, people.ada, [HERS], at=began) == people.other
    assert await users.resolve(people.connection, people.ada, [ADAS], at=began) == people.ada
    assert await users.resolve(people.connection, people.ada, [HERS], at=people.now) == people.ada
