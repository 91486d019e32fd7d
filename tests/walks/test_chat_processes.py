"""Web processes and one chat: each turn is answered once, in order, also when one of them is killed or told
to stop in mid-answer."""

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any

import asyncpg
import httpx2
import pytest
from conftest import API_TOKEN
from pretend.elevenlabs import AGENT
from pretend.model import PretendModel, says
from pretend.trouble import Process, answers, free_port, gone, until

from voice_server.settings import Settings

Start = Callable[..., Process]
TURNS = 5
LEASES_END = "update chat_turns set leased_until = now() where status = 'running'"


class Site:
    """A web process, as the host application calls it."""

    def __init__(self, process: Process, url: str) -> None:
        self.process = process
        self._client = httpx2.AsyncClient(
            base_url=f"{url}/api", headers={"authorization": f"Bearer {API_TOKEN}"}, timeout=30
        )

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        response = await self._client.request(method, path, **more)
        assert response.is_success, response.text
        return response.json()

    async def write(self, user_id: str, turn: int) -> Any:
        body = {"user_id": user_id, "agent_id": AGENT, "chat_id": "boiler", "turn_id": str(turn)}
        asked = {**body, "text": f"Question {turn}?"}
        return await self.ask("POST", "/chat", json=asked, headers={"accept": "application/json"})

    async def has_told(self, user_id: str, turn: int) -> bool:
        """Tell whether some of an answer was told by now."""
        asked = f"/chats/boiler/turns/{turn}"
        response = await self._client.request("GET", asked, params={"user_id": user_id})
        return response.is_success and bool(response.json()["text"])

    async def said(self, user_id: str) -> list[str]:
        """On a busy machine a context may come without its history: it is asked for again."""
        asked = {"agent_id": AGENT, "chat_id": "boiler"}
        told: dict[str, Any] = {"context": {"degraded": True}}
        while told["context"]["degraded"]:
            told = await self.ask("GET", f"/users/{user_id}/text-context", params=asked)
        return [one["content"] for one in told["message_history"]["openai"]]

    async def close(self) -> None:
        await self._client.aclose()


@pytest.fixture
def chat_settings(given: dict[str, str], model: PretendModel) -> dict[str, str]:
    model.otherwise = says("Priya ", "repairs it.")
    chat = {"CHAT_MODEL": "openai-chat:pretend", "LLM_BASE_URL": model.url, "LLM_API_KEY": "key"}
    return {**given, **chat, "API_TOKEN": API_TOKEN}


async def _site(start: Start, settings: dict[str, str]) -> Site:
    port = free_port()
    process, url = start("web", **settings, PORT=str(port)), f"http://127.0.0.1:{port}"
    await until(lambda: answers(url))
    return Site(process, url)


async def test_each_turn_is_answered_once_in_order_whichever_process_is_asked(
    start: Start, chat_settings: dict[str, str], model: PretendModel, settings: Settings
) -> None:
    first, second = await asyncio.gather(*(_site(start, chat_settings) for _ in range(2)))
    await first.ask("PUT", f"/agents/{AGENT}")
    user_id = (await first.ask("POST", "/users", json={}))["id"]
    asked = [site.write(user_id, turn) for turn in range(TURNS) for site in (first, second)]
    answered = await asyncio.gather(*asked)

    assert {one["text"] for one in answered} == {"Priya repairs it."}
    assert len(model.asked) == TURNS
    said = await second.said(user_id)
    assert sorted(said[::2]) == [f"Question {turn}?" for turn in range(TURNS)]
    assert said[1::2] == ["Priya repairs it."] * TURNS

    model.then(says("Priya ", pause=60))
    dying = asyncio.create_task(first.write(user_id, TURNS))
    await until(lambda: len(model.asked) == TURNS + 1)
    first.process.send(signal.SIGKILL)
    with pytest.raises(httpx2.TransportError):
        await dying
    connection = await asyncpg.connect(settings.database_url.replace("+asyncpg", ""))
    await connection.execute(LEASES_END)  # after 15 seconds it is over by itself
    await connection.close()

    assert (await second.write(user_id, TURNS))["text"] == "Priya repairs it."
    assert (await second.said(user_id))[-2:] == [f"Question {TURNS}?", "Priya repairs it."]
    await asyncio.gather(first.close(), second.close())


async def test_told_to_stop_in_mid_answer_it_marks_what_there_is_and_again_repeats_it(
    start: Start, chat_settings: dict[str, str], model: PretendModel
) -> None:
    site = await _site(start, chat_settings)
    await site.ask("PUT", f"/agents/{AGENT}")
    user_id = (await site.ask("POST", "/users", json={}))["id"]
    model.then(says("Priya ", pause=12))
    answering = asyncio.create_task(site.write(user_id, 1))
    await until(lambda: site.has_told(user_id, 1))
    tree = site.process.tree()

    os.killpg(site.process.pid, signal.SIGTERM)  # as a terminal or a service manager does: to all of them
    answer = await answering
    site.process.wait()
    assert len(tree) > 1
    await until(lambda: gone(tree))
    await site.close()

    site = await _site(start, chat_settings)
    assert (answer["status"], answer["text"]) == ("interrupted", "Priya […]")
    assert await site.said(user_id) == ["Question 1?", "Priya […]"]
    assert (await site.write(user_id, 1))["text"] == "Priya repairs it."
    assert [one for one in await site.said(user_id) if one == "Question 1?"] == ["Question 1?"]
    assert (await site.said(user_id))[-1] == "Priya repairs it."
    tree = site.process.tree()
    site.process.send(signal.SIGKILL)
    await until(lambda: gone(tree))
    await site.close()
