"""Calls of one user that come all at once, or late: each is digested about once, and others do not wait for
them."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from conftest import House
from pretend.elevenlabs import ADA, GRACE, ended_call

from voice_server.jobs.digest_conversations import Basis, DigestJob
from voice_server.settings import Settings
from voice_server.webhooks.bursts import Bursts

OpenHouse = Callable[[Settings], House]
HOUR = 3600
BURST = 30
NAMES = "plum pear fig quince medlar cherry apple peach grape melon".split()


def report(house: House, hours_ago: Iterable[int], caller: str = ADA) -> None:
    """Report calls that ended so many hours ago, in this order."""
    for age in hours_ago:
        fruit, other = NAMES[age % 10], NAMES[age // 10 % 10]
        said = [f"user: I planted a {fruit} tree beside the {other} tree, and my neighbour Tom helped me."]
        event = ended_call(f"conv_{age:02}", said, ended=house.clock() - age * HOUR, caller=caller)
        assert house.platform.post_call(event).status_code == 200


async def do_only(house: House, *jobs: str) -> None:
    handlers = house.worker.queue._handlers
    house.worker.queue._handlers = {name: handlers[name] for name in jobs}
    await house.work()
    house.worker.queue._handlers = handlers


@pytest.fixture
def digests(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each call was digested, by what was said in it."""
    counted: Counter[str] = Counter()
    understand: Callable[..., Any] = DigestJob.understand

    def count(self: DigestJob, basis: Basis) -> Any:
        counted[basis.conversation.messages[0].content] += 1
        return understand(self, basis)

    monkeypatch.setattr(DigestJob, "understand", count)
    return counted


@pytest.mark.parametrize(
    "order", [range(BURST), range(BURST - 1, -1, -1)], ids=["newest first", "oldest first"]
)
async def test_a_burst_takes_about_one_digest_for_each_call(
    house: House, digests: Counter[str], order: range
) -> None:
    report(house, order)
    await do_only(house, "ingest", "ingest_later")
    await do_only(house, "digest_conversations")  # in life, what may wait does so for two seconds

    await house.work()

    assert len(digests) == BURST
    assert digests.total() <= BURST * 1.2


async def test_a_call_that_came_late_is_told_in_its_place(house: House) -> None:
    report(house, [5])
    await house.work()
    report(house, [8])
    await house.work()

    dated = (
        "select platform_id from conversations c join digests d on d.conversation_id = c.id order by "
        "started_at"
    )
    assert await house.query(dated) == [("conv_08",), ("conv_05",)]
    assert "cherry" in house.platform.told(ADA).partition("[LAST TIME]")[2].partition("[/LAST TIME]")[0]


async def test_late_calls_are_digested_once_no_more_of_them_come(
    open_house: OpenHouse, settings: Settings, digests: Counter[str]
) -> None:
    house = open_house(settings.model_copy(update={"backlog_pause_seconds": 3600.0}))
    report(house, [0])
    await house.work()
    report(house, [5, 7])
    house.worker.queue._handlers.pop("digest_conversations_later")

    await house.work()

    waiting = "select platform_id from conversations where digest_state = 'later' order by 1"
    assert await house.query(waiting) == [("conv_05",), ("conv_07",)]
    assert len(digests) == 1


# -- ingest


JOBS = "select entrypoint from pgqueuer order by id"


async def test_a_call_that_ended_long_ago_yields_to_those_that_have_just_ended(house: House) -> None:
    report(house, [2], caller=GRACE)
    report(house, [0])

    assert await house.query(JOBS) == [("ingest_later",), ("ingest",)]


async def test_many_calls_of_one_caller_at_once_yield_to_those_of_others(house: House) -> None:
    for number in range(5):
        house.platform.post_call(ended_call(f"conv_{number}", ended=house.clock() - number))
    house.platform.post_call(ended_call("conv_grace", ended=house.clock(), caller=GRACE))

    assert await house.query(JOBS) == [("ingest",)] * 3 + [("ingest_later",)] * 2 + [("ingest",)]


def test_a_burst_is_counted_from_its_first_delivery() -> None:
    bursts = Bursts(30)

    assert [bursts.counts("ada", now) for now in (0, 1, 29, 30, 31)] == [1, 2, 3, 1, 2]


def test_sources_are_counted_apart() -> None:
    bursts = Bursts(30)

    assert [bursts.counts(who, 0) for who in ("ada", "grace", "ada")] == [1, 1, 2]


def test_what_is_over_is_forgotten() -> None:
    bursts = Bursts(30)
    for number in range(1000):
        bursts.counts(f"caller {number}", number)

    assert len(bursts._since) == 30


def test_a_clock_that_goes_back_forgets_everything() -> None:
    bursts = Bursts(30)
    bursts.counts("ada", 1000)

    assert bursts.counts("ada", 10) == 1
