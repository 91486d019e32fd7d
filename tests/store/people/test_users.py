"""Users: one person, one row, whoever comes first."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.domain.addresses.address import Address
from voice_server.store import session
from voice_server.store.people import users

ADA, ADAS_SIP, GRACE = (
    Address("tel:+14155550101"),
    Address("sip:ada@example.org"),
    Address("tel:+442079460123"),
)


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = session.connect(database_url, 20)
    yield made
    await made.dispose()


async def resolve(engine: AsyncEngine, *known_as: Address, user_id: str = "") -> str:
    async with engine.begin() as connection:
        user = await users.resolve(connection, user_id, known_as)
        assert user is not None
        return user


async def addresses(engine: AsyncEngine) -> dict[str, str]:
    async with engine.connect() as connection:
        rows = await connection.execute(sa.text("select address, user_id from addresses"))
        return {row.address: row.user_id for row in rows}


async def test_concurrent_first_calls_of_one_caller_make_one_user(engine: AsyncEngine) -> None:
    orders = [(ADA, ADAS_SIP), (ADAS_SIP, ADA), (ADA,)] * 5

    made = await asyncio.gather(*(resolve(engine, *known_as) for known_as in orders))

    assert len(set(made)) == 1
    assert await addresses(engine) == {ADA: made[0], ADAS_SIP: made[0]}


async def test_a_new_address_of_a_known_caller_becomes_theirs(engine: AsyncEngine) -> None:
    ada = await resolve(engine, ADA)

    assert await resolve(engine, ADA, ADAS_SIP) == ada
    assert await resolve(engine, ADAS_SIP) == ada


async def test_an_address_of_another_user_stays_theirs(engine: AsyncEngine) -> None:
    ada, grace = await resolve(engine, ADA), await resolve(engine, GRACE)

    assert await resolve(engine, ADA, GRACE) == ada
    assert await addresses(engine) == {ADA: ada, GRACE: grace}


async def test_a_known_user_id_comes_before_addresses(engine: AsyncEngine) -> None:
    ada, grace = await resolve(engine, ADA), await resolve(engine, GRACE)

    assert await resolve(engine, GRACE, ADAS_SIP, user_id=ada) == ada
    assert await addresses(engine) == {ADA: ada, ADAS_SIP: ada, GRACE: grace}


async def test_an_unknown_user_id_makes_nobody(engine: AsyncEngine) -> None:
    ada = await resolve(engine, ADA)

    assert await resolve(engine, ADA, user_id="usr_00000000000000000000") == ada


async def test_who_is_looked_for_is_not_made(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        assert await users.find(connection, [ADA]) is None
        assert await users.survivor(connection, "usr_nobody") is None

    assert await addresses(engine) == {}


async def test_a_users_own_zone_comes_before_where_they_call_from(engine: AsyncEngine) -> None:
    ada = await resolve(engine, ADA)
    async with engine.begin() as connection:
        await connection.execute(sa.text("insert into agents (id, platform) values ('a', 'p')"))
        call = """
            insert into conversations
                (platform, platform_id, agent_id, user_id, channel, outcome, started_at, ended_at, timezone)
            values ('p', :id, 'a', :user, 'voice', 'talked', :at, :at, :zone)
        """
        for day, zone in ((1, "Europe/Rome"), (2, ""), (3, "Asia/Tokyo")):
            at = datetime(2026, 11, day, tzinfo=UTC)
            await connection.execute(sa.text(call), {"id": str(day), "user": ada, "at": at, "zone": zone})

        zones = [
            await users.timezone(connection, ada, at=datetime(2026, 11, day, 12, tzinfo=UTC))
            for day in (1, 2, 3)
        ]
        assert zones == ["Europe/Rome", "Europe/Rome", "Asia/Tokyo"]

        await connection.execute(sa.text("update users set timezone = 'Europe/Berlin'"))
        assert (
            await users.timezone(connection, ada, at=datetime(2026, 11, 3, 12, tzinfo=UTC)) == "Europe/Berlin"
        )


async def test_a_phone_number_tells_a_zone_where_nothing_else_does(engine: AsyncEngine) -> None:
    berlin = await resolve(engine, Address("tel:+493012345678"))
    american = await resolve(engine, ADA)

    async with engine.connect() as connection:
        now = datetime(2026, 11, 3, 12, tzinfo=UTC)
        assert await users.timezone(connection, berlin, at=now) == "Europe/Berlin"
        assert await users.timezone(connection, american, at=now) == ""
