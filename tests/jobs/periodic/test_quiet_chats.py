"""Chats that go on, where there is a model: it reads them when they end, and their days while they go on."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from conftest import API_TOKEN, House
from hypothesis import given
from hypothesis import strategies as st
from pretend import model as pretend
from pretend.elevenlabs import ADA, AGENT, ended_call
from pretend.model import PretendModel, finds, well

from voice_server.domain.conversation import Message
from voice_server.operations.chats import record_chat
from voice_server.queue import queue
from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]
DAY = "You sum up one day"  # how the instructions begin
HOUR = 3600
MOVED = ("I moved to Lisbon last month, with my sister Maria.", "How lovely.")
TREES = ("We want to plant three fig trees on the balcony.", "Which kind?")
HELLO = "The caller said hello."
TOLD = "The caller moved to Lisbon with their sister Maria."


@pytest.fixture
def house(
    open_house: OpenHouse, settings: Settings, model: PretendModel, monkeypatch: pytest.MonkeyPatch
) -> House:
    """A house with a model, which knows what to say of Lisbon."""
    monkeypatch.setattr(queue, "_FIRST_PAUSE", timedelta(milliseconds=5))
    of_the_chat = pretend.about(DAY, well({"summary": TOLD}), well(finds(TOLD)))
    of_the_call = pretend.about(DAY, well({"summary": HELLO}), well(finds(HELLO)))
    model.otherwise = pretend.about("Lisbon", of_the_chat, of_the_call)
    more = {"llm_model": "openai-chat:pretend", "llm_base_url": model.url, "llm_timeout_seconds": 20.0}
    return open_house(settings.model_copy(update=more))


class Writer:
    """Ada, who has called once and now writes."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.path = ""

    async def begin(self) -> None:
        self.house.platform.post_call(
            ended_call("conv_0", ["user: Hello, it is Ada."], ended=self.house.clock(), duration=60)
        )
        await self.house.work()
        headers = {"authorization": f"Bearer {API_TOKEN}"}
        [user] = self.house.client.get("/api/users", params={"address": ADA}, headers=headers).json()["items"]
        self.path = f"/api/users/{user['id']}/chats/chat_1/messages"
        self.house.clock.now += 10 * 24 * HOUR

    async def write(self, *said: str, times: int = 1, **more: Any) -> None:
        """The user and the agent in turns; the worker looks after it."""
        await self.send(*said, times=times, **more)
        await self.look()

    async def send(self, *said: str, times: int = 1, **more: Any) -> None:
        roles = ("user", "agent")
        messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(said * times)]
        body = {"agent_id": AGENT, "messages": messages, **more}
        response = self.house.client.post(
            self.path, json=body, headers={"authorization": f"Bearer {API_TOKEN}"}
        )
        assert response.is_success, response.text

    async def look(self, after: float = 1) -> None:
        """The worker's looks at what awaits it, some seconds later."""
        await self.house.work()
        self.house.clock.now += after
        for wake in (
            self.house.worker.chats,
            self.house.worker.digest_with_model,
            self.house.worker.summarise_day,
        ):
            if wake is not None:
                await wake.wake()
                await self.house.work()

    async def sources(self, what: str) -> list[Any]:
        """Who made what is known of the chat, or of its day."""
        return [row[0] for row in await self.house.query(what)]


DIGEST = (
    "select d.source from digests d join conversations c on c.id = conversation_id where platform = 'app'"
)
TODAY = "select source from day_segments where day = '2026-11-27'"


@pytest.fixture
async def writer(house: House) -> Writer:
    writer = Writer(house)
    await writer.begin()
    return writer


async def test_a_chat_is_understood_without_the_model_while_it_goes_on(
    writer: Writer, model: PretendModel
) -> None:
    await writer.write(*MOVED, times=5)

    assert await writer.sources(DIGEST) == ["extractive"]
    assert not [read for read in model.read if "Lisbon" in read and DAY not in read]


async def test_the_model_sums_up_the_day_of_a_chat_after_ten_messages(writer: Writer) -> None:
    await writer.write(*MOVED, times=4)
    eight = await writer.sources(TODAY)
    await writer.write(*MOVED)

    assert eight == []
    assert await writer.sources(TODAY) == ["model"]
    assert TOLD.replace("The caller", "Ada") in writer.house.platform.told(ADA)


async def test_the_model_reads_a_chat_that_has_ended(writer: Writer) -> None:
    await writer.write(*MOVED, ended=True)

    assert await writer.sources(DIGEST) == ["model"]


async def test_the_model_reads_a_chat_that_ends_by_itself(writer: Writer) -> None:
    await writer.write(*MOVED)
    await writer.look(after=4 * HOUR)

    assert await writer.sources(DIGEST) == ["model"]


async def test_a_sitting_taken_up_again_is_told_as_it_is_and_read_by_the_model_once_more(
    writer: Writer, model: PretendModel
) -> None:
    await writer.write(*MOVED, ended=True)

    await writer.write(*TREES, times=5)

    assert await writer.sources(DIGEST) == ["extractive"]
    assert "fig trees" in writer.house.platform.told(ADA)
    await writer.write(*TREES, ended=True)
    assert await writer.sources(DIGEST) == ["model"]
    assert "fig trees" in [one for one in model.read if DAY not in one][-1]


async def test_the_model_leaves_a_sitting_alone_that_was_taken_up_before_its_turn(
    writer: Writer, model: PretendModel
) -> None:
    await writer.send(*MOVED, ended=True)
    await writer.send(*TREES)
    await writer.look()

    assert not [one for one in model.read if "Lisbon" in one and DAY not in one]


async def test_what_is_taken_back_after_the_end_is_told_no_more(writer: Writer) -> None:
    await writer.write(*MOVED, ended=True)
    before = writer.house.platform.told(ADA)

    await writer.write("Please don't remember that.")
    await writer.look(after=90)

    assert "Lisbon" in before
    assert "Lisbon" not in writer.house.platform.told(ADA)


async def test_a_sitting_is_not_ended_under_somebody_who_writes(writer: Writer) -> None:
    await writer.write(*MOVED)
    writer.house.clock.now += 4 * HOUR
    over = await chats_of(writer)

    await writer.send(*TREES)
    await writer.house.worker.chats.wake()

    assert over == [True]
    assert await chats_of(writer) == [False, True]


async def chats_of(writer: Writer) -> list[Any]:
    """Which of the sittings go on."""
    return await writer.sources("select goes_on from conversations where platform = 'app' order by id")


@pytest.mark.parametrize("said", [MOVED, ("Please don't remember any of this conversation.", "I won't.")])
async def test_a_quiet_chat_is_looked_at_once(writer: Writer, said: tuple[str, ...]) -> None:
    await writer.write(*said)
    await writer.look(after=90)
    done = "select last_value from pgqueuer_id_seq"
    before = await writer.sources(done)

    await writer.look(after=90)

    assert await writer.sources(done) == before


@given(
    gaps=st.lists(st.integers(0, 5 * HOUR), max_size=30),
    room=st.integers(-1, 6),
    known=st.booleans(),
)
def test_sittings_are_cut_at_pauses_and_when_they_are_long(
    gaps: list[int], room: int, *, known: bool
) -> None:
    pause, longest, began = timedelta(hours=3), 5, datetime(2026, 11, 1, tzinfo=UTC)
    moments = [began + timedelta(seconds=sum(gaps[: n + 1])) for n in range(len(gaps))]
    said = [Message(0, "user", str(n), at) for n, at in enumerate(moments)]

    going_on, *others = record_chat.cut(said, room, began if known else None, pause, longest)

    assert [one for part in (going_on, *others) for one in part] == said
    assert len(going_on) <= max(room, 0)
    assert all(1 <= len(part) <= longest for part in others)
    assert all(b.said_at - a.said_at < pause for part in others for a, b in pairwise(part))
    for before, after in pairwise([going_on, *others]):
        full = len(before) == (max(room, 0) if before is going_on else longest)
        assert full or not known or after[0].said_at - (before[-1].said_at if before else began) >= pause
