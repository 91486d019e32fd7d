"""Turns of chats: what they cost the web process, and what the phone notices of twenty that stream at once.

The model is a pretend one beside the load, on the other core: two hundred pieces, fifty a second. Calls go on
at 400 a second; rounds with chats and without take turns.
"""

import asyncio
import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import httpx2
import uvloop
from benchmarks import people
from benchmarks.figures import figure, interleaved, ratio, row, title
from benchmarks.house import House
from benchmarks.load import Load, write_requests
from benchmarks.people import AGENT, People
from benchmarks.pre_call import requests
from benchmarks.processes import Measured, let_pass
from pretend import model as pretend_model
from pretend.model import PretendModel, says

from voice_server.chat.model import connect
from voice_server.chat.port import ModelTurn, StopSignal
from voice_server.context.layout import tokens
from voice_server.digest.model.reader import ModelConfig
from voice_server.worker import Worker

_CHATS, _PIECES, _PAUSE = 20, 200, 0.02
_CALLERS = People(2, 301)  # the first has the chat of years
_CONNECTIONS, _RATE = 64, 400
_SETTLED = 15  # seconds until a web process has compiled what it looks through texts with
_TOKEN = "the-api-token"
_ASKED = {
    "model": "pretend",
    "stream": True,
    "messages": [{"role": "user", "content": "How long does the cake keep?"}],
}


def measure(house: House, *, quick: bool) -> None:
    asyncio.run(_prepare(house))
    known = list(zip(_CALLERS.phone_numbers, _CALLERS.past_calls, strict=True))
    write_requests(house.folder / "calls", requests(known * 40))
    with pretend_model.serving() as model, house.web(_environment(model)) as web:
        time.sleep(_SETTLED)
        before = web.memory()
        model.otherwise = says("The cake keeps ", "a week.")
        first = asyncio.run(_first_text(web.port, model, 20 if quick else 100))
        model.otherwise = says(*(["plum "] * _PIECES))
        memory = (before, web.memory(), web.memory_of_children())
        times = 10 if quick else 40
        cpu = asyncio.run(_cpu(web, times))
        library = uvloop.run(_cpu_of_library(model, times))
        model.otherwise = says(*(["plum "] * _PIECES), pause=_PAUSE)
        load = Load(house.folder / "calls")
        rounds = interleaved(
            ["chats", "none"], lambda name: _p99(web, load, chats=name == "chats"), 5 if quick else 15
        )
    title("chat turns", f"{_PIECES} pieces each, {len(rounds)} rounds at {_RATE} calls/s")
    row("first text after the model's own, p50", first, "ms", most=30)
    row("CPU of a turn", cpu, "ms")
    row("CPU of the same answer, heard by its library alone", library, "ms")
    row("added by us", cpu - library, "ms", most=25)
    whose = ("web process before the first chat", "web process after", "process that asks the model")
    for name, size in zip(whose, memory, strict=True):
        row(f"memory of the {name}", size / 2**20, "MB")
    for name in ("none", "chats"):
        row(
            f"pre-call p99, {_CHATS if name == 'chats' else 0} chats",
            figure(one[name] for one in rounds),
            "µs",
        )
    row("with chats : without", ratio(rounds, "chats", "none", lambda one: one), "x", most=1.3)


def _environment(model: PretendModel) -> dict[str, str]:
    return {
        "API_TOKEN": _TOKEN,
        "CHAT_MODEL": "openai-chat:pretend",
        "LLM_BASE_URL": model.url,
        "LLM_API_KEY": "key",
    }


async def _prepare(house: House) -> None:
    await people.make(house.database_url, _CALLERS)
    worker = Worker(house.settings())
    try:
        await people.cache_prompts(worker, _CALLERS)
    finally:
        await worker.close()


async def _first_text(port: int, model: PretendModel, times: int) -> float:
    """Milliseconds."""
    async with httpx2.AsyncClient(timeout=60) as client:
        await _turn(client, port, 0)  # loads the model's library
        ours = [await _turn(client, port, n % _CHATS) for n in range(times)]
        theirs = [await _directly(client, model) for _ in range(times)]
    return 1000 * (median(ours) - median(theirs))


async def _directly(client: httpx2.AsyncClient, model: PretendModel) -> float:
    began = time.perf_counter()
    async with client.stream("POST", f"{model.url}/chat/completions", json=_ASKED) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: "):
                return time.perf_counter() - began
    raise AssertionError("the model said nothing")


async def _cpu(web: Measured, times: int) -> float:
    """Milliseconds of a turn, one after the other."""
    async with httpx2.AsyncClient(timeout=60) as client:
        before = web.cpu_seconds()
        for n in range(times):
            await _turn(client, web.port, n % _CHATS)
    return 1000 * (web.cpu_seconds() - before) / times


async def _cpu_of_library(model: PretendModel, times: int) -> float:
    """Milliseconds of an answer that nobody hears and nothing keeps."""
    connected = connect(ModelConfig("openai-chat:pretend", model.url, "key"), tokens.counter())
    asked = ModelTurn("You are Robin.", (), "How long does the cake keep?")
    await connected.answer(asked, _Nobody(), StopSignal())
    before = time.thread_time()
    for _ in range(times):
        await connected.answer(asked, _Nobody(), StopSignal())
    spent = time.thread_time() - before
    return 1000 * spent / times


class _Nobody:
    """Hears it."""

    def text(self, more: str) -> None:
        pass

    def tool(self, name: str) -> None:
        pass


async def _turn(client: httpx2.AsyncClient, port: int, who: int) -> float:
    """Seconds until the first text of an answer that is heard to its end."""
    asked = {
        "user_id": _CALLERS.targets[who].user_id,
        "agent_id": AGENT,
        "chat_id": f"chat-{who}-{uuid.uuid4().hex}",
        "turn_id": "1",
        "text": "How long does the cake keep?",
    }
    headers = {"authorization": f"Bearer {_TOKEN}", "accept": "text/event-stream"}
    began, first, last = time.perf_counter(), 0.0, ""
    url = f"http://127.0.0.1:{port}/api/chat"
    async with client.stream("POST", url, json=asked, headers=headers) as response:
        async for line in response.aiter_lines():
            if line == "event: text" and not first:
                first = time.perf_counter() - began
            last = line or last
    assert first, last
    assert json.loads(last.removeprefix("data: "))["status"] == "done", last
    return first


def _p99(web: Measured, load: Load, *, chats: bool) -> float:
    """Microseconds."""
    with _chatting(web.port, _CHATS if chats else 0):
        let_pass()  # model and listeners, which in life are elsewhere
        return load.run(web.port, connections=_CONNECTIONS, seconds=2.5, rate=_RATE).p99


@contextmanager
def _chatting(port: int, number: int) -> Iterator[None]:
    """While so many chats are answered."""

    async def all_of_them() -> None:
        async with httpx2.AsyncClient(timeout=60) as client:
            await asyncio.gather(*(_turn(client, port, who) for who in range(number)))

    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        heard = loop.run_in_executor(None, asyncio.run, all_of_them())
        time.sleep(1 if number else 0)  # the prompts are made, and the answers begin
        yield
        loop.run_until_complete(heard)
