"""A line that several people use: nobody's memory is told over it, or made from it, until somebody says
whose."""

from typing import Any

import pytest
from conftest import House
from pretend.elevenlabs import ADA, GRACE, NOBODY_KNOWS, Event, ended_call
from redis.asyncio import Redis

from voice_server.domain.addresses.address import Address
from voice_server.errors import Conflict, NotFound
from voice_server.operations.people import change_addresses, identification
from voice_server.operations.people.identification import Call
from voice_server.queue import queue
from voice_server.store.people import identifications, shared_lines, users

KITCHEN = NOBODY_KNOWS
LINE = Address(f"tel:{KITCHEN}")


def call(conversation: str, summary: str, house: House, caller: str = KITCHEN, **more: Any) -> Event:
    return ended_call(conversation, caller=caller, summary=summary, ended=house.clock(), **more)


async def know(house: House, caller: str, summary: str) -> str:
    """Somebody calls from a number of their own; their id."""
    house.platform.post_call(call(f"conv_of_{caller}", summary, house, caller))
    await house.work()
    return user_of(house, caller)


async def know_both(house: House) -> tuple[str, str]:
    """Ada and Grace have called, each from a number of their own; their ids."""
    house.platform.post_call(call("conv_of_ada", "Ada moved.", house, ADA))
    house.platform.post_call(call("conv_of_grace", "Grace left.", house, GRACE))
    await house.work()
    return user_of(house, ADA), user_of(house, GRACE)


def user_of(house: House, caller: str) -> str:
    user_id: str = house.platform.pre_call(caller)["user_id"]
    return user_id


async def share(house: House, *members: str, line: Address = LINE) -> None:
    async with house.worker.engine.begin() as connection:
        await change_addresses.share(connection, house.worker.redis, line, members)


async def identify(house: House, conversation: str, user_id: str, *, anywhere: bool = False) -> str:
    named = Call("elevenlabs", conversation)
    async with house.worker.engine.begin() as connection:
        return await identification.identify(
            connection, house.worker.redis, named, user_id, anywhere=anywhere
        )


async def test_a_line_made_shared_is_told_nobodys_memory_at_once(house: House) -> None:
    await know(house, ADA, "Ada moved.")

    await share(house, line=Address(f"tel:{ADA}"))

    assert "Ada moved." not in house.platform.told(ADA)
    await house.work()
    assert "Ada" not in house.platform.told(ADA)
    assert await house.keys("voice:prompt:*") == []


async def test_who_calls_first_over_a_line_made_shared_is_not_taken_for_who_called_before(
    house: House,
) -> None:
    await know(house, ADA, "Ada moved.")
    house.platform.pre_call(ADA, conversation="conv_1")

    await share(house, line=Address(f"tel:{ADA}"))

    assert "notes of that call" not in house.platform.told(ADA, conversation="conv_2")


async def test_its_former_owner_uses_it_and_keeps_what_was_said(house: House) -> None:
    ada = await know(house, ADA, "Ada moved.")
    async with house.worker.engine.begin() as connection:
        await change_addresses.link(connection, Address("tel:+14155550102"), ada)

    await share(house, line=Address(f"tel:{ADA}"))
    await house.work()

    async with house.worker.engine.connect() as connection:
        assert (await shared_lines.require(connection, Address(f"tel:{ADA}"))).members == (ada,)
    assert "Ada moved." in house.platform.told("+14155550102")


async def test_a_rebuild_that_had_begun_before_puts_nothing_there(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has read whose line it was; then the line is shared; then it would cache."""
    house.platform.post_call(call("conv_1", "Ada moved.", house, ADA))
    build = house.worker.rebuild.build
    shared = False

    async def meanwhile(*arguments: Any, **more: Any) -> Any:
        nonlocal shared
        built = await build(*arguments, **more)
        if not shared:
            shared = True
            await share(house, line=Address(f"tel:{ADA}"))
        return built

    monkeypatch.setattr(house.worker.rebuild, "build", meanwhile)
    await house.work()

    assert shared
    assert await house.keys("voice:prompt:*") == []


async def test_a_call_of_nobody_known_is_kept_and_not_understood(house: House) -> None:
    await share(house, await know(house, ADA, "Ada moved."))
    house.platform.pre_call(KITCHEN, conversation="conv_1")
    house.platform.post_call(call("conv_1", "A secret.", house, user_id=f"tel:{KITCHEN}"))
    await house.work()

    assert await house.query("select user_id from conversations where platform_id = 'conv_1'") == [(None,)]
    assert await house.query(
        "select count(*) from messages m join conversations c on c.id = m.conversation_id where c.user_id is "
        "null"
    ) == [(2,)]
    assert await house.query("select count(*) from digests") == [(1,)]
    assert "A secret." not in house.platform.told(KITCHEN) + house.platform.told(ADA)


async def test_who_calls_next_is_not_told_of_the_call_before(house: House) -> None:
    await share(house)
    house.platform.pre_call(KITCHEN, conversation="conv_1")
    assert "notes of that call" in house.platform.told(KITCHEN, conversation="conv_2")

    for conversation in ("conv_1", "conv_2"):
        house.platform.post_call(call(conversation, "A secret.", house))
    await house.work()

    assert "notes of that call" not in house.platform.told(KITCHEN, conversation="conv_3")


@pytest.mark.parametrize("is_member", [True, False])
async def test_an_id_of_ours_counts_when_a_member_has_it(house: House, *, is_member: bool) -> None:
    ada = await know(house, ADA, "Ada moved.")
    await share(house, *([ada] if is_member else []))
    house.platform.post_call(call("conv_1", "Ada wed.", house, user_id=ada))
    await house.work()

    assert ("Ada wed." in house.platform.told(ADA)) == is_member


async def test_an_id_of_the_host_application_counts(house: House) -> None:
    await share(house)
    house.platform.post_call(call("conv_1", "Ada wed.", house, user_id="customer-17"))
    await house.work()

    [(address, user_id)] = await house.query(
        "select address, user_id from addresses where user_id is not null"
    )
    assert address == "app:customer-17"
    assert await house.query("select user_id from conversations") == [(user_id,)]


@pytest.mark.parametrize("when", ["before the call", "during it", "after it"])
async def test_a_call_goes_to_whom_it_was_said_to_be(house: House, when: str) -> None:
    ada, grace = await know_both(house)
    await share(house, ada, grace)
    house.platform.pre_call(KITCHEN, conversation="conv_1")
    if when == "during it":
        await identify(house, "conv_1", ada)
        await house.worker.redis.flushdb()  # what was said outlives Redis
    if when == "before the call":
        await identify(house, "conv_1", ada)
    house.platform.post_call(call("conv_1", "Ada wed.", house))
    await house.work()
    if when == "after it":
        await identify(house, "conv_1", ada)
        await house.work()
    await house.worker.upkeep.refill()

    assert "Ada wed." in house.platform.told(ADA)
    assert "Ada wed." not in house.platform.told(GRACE) + house.platform.told(KITCHEN)


async def test_the_latest_word_counts(house: House) -> None:
    ada, grace = await know_both(house)
    await share(house, ada, grace)
    house.platform.post_call(call("conv_1", "Somebody wed.", house))
    await house.work()

    for said in (ada, grace):
        await identify(house, "conv_1", said)
        await house.work()

    assert "Somebody wed." in house.platform.told(GRACE)
    assert "Somebody wed." not in house.platform.told(ADA)
    whose = (
        "select distinct c.user_id from messages m join conversations c on c.id = m.conversation_id order by "
        "1"
    )
    assert await house.query(whose) == sorted([(ada,), (grace,)])


async def test_during_the_call_it_is_known_who_was_named(house: House) -> None:
    ada = await know(house, ADA, "Ada moved.")
    await share(house, ada)
    house.platform.pre_call(KITCHEN, conversation="conv_1")

    await identify(house, "conv_1", ada)

    async with house.worker.engine.connect() as connection:
        assert await identifications.of(connection, "elevenlabs", "conv_1") == ada


@pytest.mark.parametrize("ended", [True, False])
async def test_no_stranger_to_the_line_is_named(house: House, *, ended: bool) -> None:
    ada, grace = await know_both(house)
    await share(house, ada)
    house.platform.pre_call(KITCHEN, conversation="conv_1")
    if ended:
        house.platform.post_call(call("conv_1", "Ada wed.", house))
        await house.work()

    with pytest.raises(Conflict, match=r"came over tel:\+4930901820, of which they are no member"):
        await identify(house, "conv_1", grace)
    with pytest.raises(NotFound, match="no user usr_nobody"):
        await identify(house, "conv_1", "usr_nobody")
    assert await house.query("select * from identifications") == []


async def test_the_owner_of_a_number_may_be_named_on_it(house: House) -> None:
    ada, grace = await know_both(house)
    house.platform.post_call(call("conv_1", "Ada wed.", house, ADA))
    await house.work()
    await identify(house, "conv_1", grace, anywhere=True)

    await identify(house, "conv_1", ada)
    await house.work()

    assert "Ada wed." in house.platform.told(ADA)


async def test_whoever_a_call_was_taken_for_is_told_nothing_of_it_at_once(house: House) -> None:
    _, grace = await know_both(house)
    house.platform.post_call(call("conv_1", "Grace wed.", house, ADA))
    await house.work()
    assert "Grace wed." in house.platform.told(ADA)

    await identify(house, "conv_1", grace, anywhere=True)

    assert "Grace wed." not in house.platform.told(ADA)
    await house.work()
    assert "Ada moved." in house.platform.told(ADA)
    assert "Grace wed." in house.platform.told(GRACE)


async def test_a_call_nothing_is_known_of_is_nobodys_yet(house: House) -> None:
    ada = await know(house, ADA, "Ada moved.")

    with pytest.raises(Conflict, match="not known over which line"):
        await identify(house, "conv_unheard_of", ada)


@pytest.mark.parametrize("before", [True, False])
async def test_from_a_friends_phone_it_is_the_host_applications_word(house: House, *, before: bool) -> None:
    ada, _ = await know_both(house)
    if before:
        await identify(house, "conv_1", ada, anywhere=True)
    house.platform.post_call(call("conv_1", "Ada wed.", house, GRACE))
    await house.work()
    if not before:
        assert "Ada wed." in house.platform.told(GRACE)
        await identify(house, "conv_1", ada, anywhere=True)
        await house.work()

    assert "Ada wed." in house.platform.told(ADA)
    assert "Ada wed." not in house.platform.told(GRACE)
    assert await house.query("select user_id from addresses where address = $1", f"tel:{ADA}") == [(ada,)]


async def test_a_hidden_caller_may_be_named_too(house: House) -> None:
    ada = await know(house, ADA, "Ada moved.")
    house.platform.post_call(call("conv_1", "Ada wed.", house, "anonymous"))
    await house.work()

    await identify(house, "conv_1", ada, anywhere=True)
    await house.work()

    assert "Ada wed." in house.platform.told(ADA)


async def test_a_line_that_is_one_persons_again_is_told_their_memory(house: House) -> None:
    ada = await know(house, ADA, "Ada moved.")
    await share(house, ada)
    async with house.worker.engine.begin() as connection:
        await change_addresses.unshare(connection, LINE, ada)
    await house.work()

    assert "Ada moved." in house.platform.told(KITCHEN)


async def test_a_line_that_is_nobodys_again_makes_somebody_new(house: House) -> None:
    await share(house, await know(house, ADA, "Ada moved."))
    async with house.worker.engine.begin() as connection:
        await change_addresses.unshare(connection, LINE)
    house.platform.post_call(call("conv_1", "Somebody wed.", house))
    await house.work()

    assert "Somebody wed." in house.platform.told(KITCHEN)
    assert "Somebody wed." not in house.platform.told(ADA)


async def test_a_number_taken_from_somebody_is_told_nothing_of_theirs(house: House) -> None:
    ada = await know(house, ADA, "Ada moved.")
    async with house.worker.engine.begin() as connection:
        await change_addresses.unlink(connection, house.worker.redis, Address(f"tel:{ADA}"), ada)

    assert "Ada moved." not in house.platform.told(ADA)
    await house.work()
    assert "Ada moved." not in house.platform.told(ADA)


async def test_a_number_is_one_persons_or_shared_and_not_given_twice(house: House) -> None:
    ada, _ = await know_both(house)
    await share(house, ada)

    async with house.worker.engine.begin() as connection:
        with pytest.raises(Conflict, match="is a shared line"):
            await change_addresses.link(connection, LINE, ada)
        with pytest.raises(Conflict, match="belongs to user"):
            await change_addresses.link(connection, Address(f"tel:{GRACE}"), ada)
        with pytest.raises(NotFound, match="is no address of user"):
            await change_addresses.unlink(connection, house.worker.redis, Address(f"tel:{GRACE}"), ada)
        with pytest.raises(Conflict, match="is no shared line"):
            await change_addresses.unshare(connection, Address(f"tel:{GRACE}"))


async def test_members_come_and_go(house: House) -> None:
    ada = await know(house, ADA, "Ada moved.")
    await share(house)
    await share(house, ada)
    async with house.worker.engine.begin() as connection:
        assert await shared_lines.of(connection, ada) == [LINE]
        assert (await shared_lines.remove_member(connection, LINE, ada)).members == ()
        with pytest.raises(NotFound, match="no member of the shared line"):
            await shared_lines.remove_member(connection, LINE, ada)
        assert await users.find(connection, [LINE]) is None
    with pytest.raises(NotFound, match="no user usr_nobody"):
        await share(house, "usr_nobody")


async def test_what_redis_could_not_forget_is_forgotten_when_it_is_back(house: House) -> None:
    await know(house, ADA, "Ada moved.")
    nowhere = Redis.from_url("redis://127.0.0.1:1", socket_connect_timeout=0.1)
    async with house.worker.engine.begin() as connection:
        await change_addresses.share(connection, nowhere, Address(f"tel:{ADA}"))
    await nowhere.aclose()
    assert "Ada moved." in house.platform.told(ADA)

    await house.work()

    assert "Ada moved." not in house.platform.told(ADA)


async def test_forgetting_late_leaves_what_belongs_there_by_then(house: House) -> None:
    ada = await know(house, ADA, "Ada moved.")
    async with house.worker.engine.begin() as connection:
        await queue.request(connection, queue.Request("forget_address", f"tel:{ADA}"))
    await house.work()

    assert "Ada moved." in house.platform.told(ADA)
    assert house.platform.pre_call(ADA)["user_id"] == ada
