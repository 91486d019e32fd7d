"""Turns of a chat in any order, with a model that fails and breaks off, processes that die, and clients that
send again: every word is there once, and every turn ends."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from api.conftest import Host
from api.routes.conversations.test_chat import ada, send, turn_of
from conftest import House
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pretend.model import PretendModel, Reply, says, status

from voice_server.settings import Settings

ANSWER, PART = "Priya repairs it.", "Priya"
REPLIES: dict[str, Reply] = {
    "done": says(ANSWER),
    "interrupted": says(PART, breaks=True),
    "failed": status(401),
}
ids, outcomes = st.integers(0, 2), st.sampled_from([*REPLIES, "done"])
STEPS = st.one_of(
    st.tuples(st.just("sends"), ids, outcomes),
    st.tuples(st.just("sends"), ids, outcomes),
    st.tuples(st.just("sends other words"), ids),
    st.tuples(st.just("stops"), ids),
    st.tuples(st.just("dies"), ids),
)


@dataclass
class Chat:
    """What is expected of a chat: what was said in it, and how its turns stand."""

    host: Host
    model: PretendModel
    user_id: str
    name: str
    said: list[str] = field(default_factory=list)
    turns: dict[int, str] = field(default_factory=dict)

    async def take(self, step: str, turn: int, *outcome: str) -> None:
        if step == "sends":
            self.send(turn, *outcome)
        elif step == "sends other words" and turn in self.turns:
            assert send(self.host, self.user_id, "Something else.", str(turn), self.name).status_code == 409
        elif step == "stops":
            stopped = self.host.send(
                "DELETE", f"/chats/{self.name}/turns/{turn}", params={"user_id": self.user_id}
            )
            assert stopped.status_code == (204 if turn in self.turns else 404)
        elif step == "dies" and self.turns.get(turn) == "failed":
            await self.die(turn)

    def send(self, turn: int, outcome: str) -> None:
        """For the first time, again, or to hear what was answered."""
        before = self.turns.get(turn)
        if before != "done":
            self.model.then(REPLIES[outcome])
        answer = send(self.host, self.user_id, f"Question {turn}.", str(turn), self.name)
        if before is None:
            self.said.append(f"user: Question {turn}.")
        if before == "done":
            assert answer.json()["text"] == ANSWER
            return
        self.turns[turn] = outcome
        if outcome == "done":
            assert answer.json()["text"] == ANSWER
            self.said.append(f"agent: {ANSWER}")
        elif outcome == "interrupted":
            self.said.append(f"agent: {PART} […]")
        else:
            assert answer.status_code == 502

    async def die(self, turn: int) -> None:
        """The process that answered is gone, before it could say so."""
        await self.host.house.query(
            "update chat_turns set status = 'running', leased_until = now() - interval '1 second'"
            " where chat_id = $1 and turn_id = $2",
            self.name,
            str(turn),
        )
        self.turns[turn] = "interrupted"

    async def check(self) -> None:
        rows = await self.host.house.query(
            "select m.role, m.content from messages m join sittings s using (conversation_id)"
            " where s.chat_id = $1 order by s.first + m.position",
            self.name,
        )
        assert [f"{role}: {content}" for role, content in rows] == self.said
        for turn, expected in self.turns.items():
            assert turn_of(self.host, self.user_id, str(turn), self.name)["status"] == expected
        assert not self.model.replies


@pytest.fixture
def host(open_house: Callable[[Settings], House], chatting: Settings) -> Host:
    return Host(open_house(chatting))


@given(steps=st.lists(STEPS, max_size=8))
@example([("sends", 0, "failed"), ("dies", 0), ("sends", 1, "interrupted"), ("sends", 0, "done")])
@example([("sends", 0, "interrupted"), ("sends", 0, "failed"), ("dies", 0), ("sends", 1, "done")])
@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_whatever_happens_every_word_is_there_once_and_every_turn_ends(
    host: Host, model: PretendModel, steps: Sequence[tuple[Any, ...]]
) -> None:
    chat = Chat(host, model, await ada(host), uuid.uuid4().hex)
    for step in steps:
        await chat.take(*step)
        await chat.check()
