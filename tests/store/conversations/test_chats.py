"""Chats in the store."""

import pytest
from benchmarks.statements import nodes, recorded
from pretend.timeline import ADA, ROBIN, Timeline
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store import session
from voice_server.store.conversations import chats

SITTINGS, EACH = 300, 20
LOOKED_AT = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")  # at each loop
YEARS = (
    """
insert into conversations
    (platform, platform_id, agent_id, user_id, channel, outcome, started_at, ended_at)
    select 'app', 'years:' || n * $4, $1, $2, 'text', 'talked', now(), now() from generate_series(0, $3 - 1) n
""",
    """
insert into sittings (chat_id, first, size, asked, conversation_id)
    select 'years', split_part(platform_id, ':', 2)::int, $4, $4, id from conversations
    where agent_id = $1 and user_id = $2 and $3 > 0
""",
    """
insert into messages (conversation_id, position, role, content, said_at)
    select id, n, 'user', 'Plums, as always.', ended_at from conversations, generate_series(0, $4 - 1) n
    where agent_id = $1 and user_id = $2 and $3 > 0
""",
)


@pytest.mark.parametrize("planned", ["force_custom_plan", "force_generic_plan"])
async def test_of_a_chat_of_years_hardly_more_is_read_than_is_told(timeline: Timeline, planned: str) -> None:
    async with timeline.transaction() as connection:
        for statement in YEARS:
            await (await session.driver(connection)).execute(statement, ROBIN, ADA, SITTINGS, EACH)
        await connection.exec_driver_sql("analyze")

        with recorded() as asked:
            told, there = await chats.history(connection, (ADA, ROBIN), "years", 10, 40)
        looked_at = [await rows(connection, one.text, one.values, planned) for one in asked]

    assert (len(told), there) == (50, SITTINGS * EACH)
    assert [one.place for one in told[8:12]] == [8, 9, SITTINGS * EACH - 40, SITTINGS * EACH - 39]
    assert max(looked_at) < SITTINGS * EACH / 2


async def rows(connection: AsyncConnection, text: str, values: tuple[object, ...], planned: str) -> int:
    """How many rows the steps of a statement look at, the same ones again and again, too."""
    driver = await session.driver(connection)
    await driver.execute(f"set local plan_cache_mode = {planned}")
    await driver.execute(f"prepare asked as {text}")
    given = ", ".join(map(repr, values))
    [plan] = await driver.fetchval(f"explain (analyze, format json) execute asked ({given})")
    await driver.execute("deallocate asked")
    return sum(step["Actual Loops"] * sum(step.get(one, 0) for one in LOOKED_AT) for step in nodes(plan))
