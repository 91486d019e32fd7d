"""The process that asks models: when it dies or hangs, an answer breaks off and the next one is whole."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from api.conftest import Host
from api.routes.conversations.test_chat import ada, chat_of, turn_of, under_way, write
from conftest import House
from pretend.model import PretendModel, calls
from pretend.trouble import gone, until

from voice_server.chat import model_child, remote_model
from voice_server.chat.port import ModelTurn, StopSignal, TurnFailure
from voice_server.chat.remote_model import ModelProcess, RemoteModel
from voice_server.digest.model.reader import ModelConfig
from voice_server.settings import Settings


@pytest.fixture
def host(open_house: Callable[[Settings], House], chatting: Settings) -> Host:
    return Host(open_house(chatting))


async def test_when_it_is_killed_what_was_said_stays_and_the_next_turn_is_answered(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    answering = await under_way(host, model, user_id, "Priya ", "repairs it.", pause=3)

    remote_model.SHARED.kill()

    answer = host.ok(await answering)
    assert (answer["status"], answer["error"]) == ("interrupted", "model_unavailable")
    assert chat_of(host, user_id) == ["user: Who repairs it?", "assistant: Priya […]"]
    assert write(host, user_id, "And when?", turn="2")["text"] == "Priya repairs it."
    assert write(host, user_id, "Who repairs it?")["text"] == "Priya repairs it."
    assert turn_of(host, user_id)["status"] == "done"


class Ear:
    """Hears an answer."""

    def __init__(self) -> None:
        self.heard = ""

    def text(self, more: str) -> None:
        self.heard += more

    def tool(self, name: str) -> None:
        raise AssertionError(name)


async def test_when_it_hangs_it_is_killed_and_another_one_answers(
    model: PretendModel, chatting: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_model, "_GRACE", 0.1)
    config = ModelConfig(chatting.chat_model, model.url, "key", timeout=60.0)
    process, turn, ear = ModelProcess(), ModelTurn("", (), "Who repairs it?"), Ear()
    await RemoteModel(config, process).answer(turn, ear, StopSignal())
    hanging = process.pid
    os.kill(hanging, signal.SIGSTOP)

    impatient = RemoteModel(ModelConfig(chatting.chat_model, model.url, "key", timeout=0.1), process)
    said = await impatient.answer(turn, ear, StopSignal())

    assert isinstance(said, TurnFailure)
    assert said.code == "model_unavailable"
    assert not isinstance(await RemoteModel(config, process).answer(turn, ear, StopSignal()), TurnFailure)
    assert ear.heard == 2 * "Priya repairs it."
    process.end()
    assert gone([hanging])


async def test_asked_by_many_at_once_it_is_started_once(model: PretendModel, chatting: Settings) -> None:
    config = ModelConfig(chatting.chat_model, model.url, "key")
    process, ears = ModelProcess(), [Ear() for _ in range(5)]
    asked = RemoteModel(config, process)

    await asyncio.gather(
        *(asked.answer(ModelTurn("", (), f"Question {n}?"), ears[n], StopSignal()) for n in range(5))
    )

    assert [one.heard for one in ears] == ["Priya repairs it."] * 5
    process.end()


async def test_whatever_a_model_gives_a_tool_arrives_there(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.then(calls("conversation_search", query="half a \ud83d", limit=10**30))

    answer = write(host, user_id, "Who repairs it?")

    assert answer["text"] == "Priya repairs it."


async def test_where_it_cannot_be_started_the_turn_says_that_the_model_is_away(
    model: PretendModel, chatting: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = RemoteModel(ModelConfig(chatting.chat_model, model.url, "key"), process := ModelProcess())
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    said = await asked.answer(ModelTurn("", (), "Who repairs it?"), Ear(), StopSignal())

    assert isinstance(said, TurnFailure)
    assert (said.code, "/nowhere/python" in said.detail) == ("model_unavailable", True)
    assert said.message == "The server cannot start the process that asks its model. Its log says why."
    monkeypatch.undo()
    assert not isinstance(
        await asked.answer(ModelTurn("", (), "Who repairs it?"), Ear(), StopSignal()), TurnFailure
    )
    process.end()


async def test_an_answer_is_stopped_though_the_process_hangs(
    model: PretendModel, chatting: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_model, "_STOPPING", 0.1)
    process, stop = ModelProcess(), StopSignal()
    asked = RemoteModel(ModelConfig(chatting.chat_model, model.url, "key"), process)
    await asked.answer(ModelTurn("", (), "Who repairs it?"), Ear(), StopSignal())
    os.kill(process.pid, signal.SIGSTOP)

    answering = asyncio.create_task(asked.answer(ModelTurn("", (), "And when?"), Ear(), stop))
    await asyncio.sleep(0.1)
    stop.now()

    said = await answering
    assert isinstance(said, TurnFailure)
    assert said.code == "stopped"
    process.end()


async def test_it_goes_behind_a_server_that_goes_behind_others(
    model: PretendModel, chatting: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_child, "_NICE", -20)
    process = ModelProcess()
    asked = RemoteModel(ModelConfig(chatting.chat_model, model.url, "key"), process)

    await asked.answer(ModelTurn("", (), "Who repairs it?"), Ear(), StopSignal())

    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == ours
    process.end()


async def test_one_that_fails_as_it_starts_is_told_once_in_the_log_and_tried_again_later(
    model: PretendModel,
    chatting: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    asked = RemoteModel(ModelConfig(chatting.chat_model, model.url, "key"), process := ModelProcess())
    turn = ModelTurn("", (), "Who repairs it?")
    monkeypatch.setattr(model_child, "_MODULE", "voice_server.chat.no_such_module")

    said = [await asked.answer(turn, Ear(), StopSignal()) for _ in range(3)]

    sentence = "The server cannot start the process that asks its model. Its log says why."
    assert [one.message for one in said if isinstance(one, TurnFailure)] == [sentence] * 3
    assert capfd.readouterr().err.count("no_such_module") == 1
    [told] = [one.getMessage() for one in caplog.records if one.name == remote_model.__name__]
    assert told == "no chat is answered: the process that asks models ended with exit code 1"
    monkeypatch.undo()
    monkeypatch.setattr(model_child, "_YOUNG", 0.0)
    assert not isinstance(await asked.answer(turn, Ear(), StopSignal()), TurnFailure)
    process.end()


async def test_killed_at_rest_it_is_not_left_over(model: PretendModel, chatting: Settings) -> None:
    process = ModelProcess()
    asked = RemoteModel(ModelConfig(chatting.chat_model, model.url, "key"), process)
    await asked.answer(ModelTurn("", (), "Who repairs it?"), Ear(), StopSignal())
    there = process.pid

    os.kill(there, signal.SIGKILL)

    await until(lambda: not Path(f"/proc/{there}").exists())
    assert process.pid == 0
    process.end()
