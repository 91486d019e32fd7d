"""The one command: it starts from nothing, stops whole, and gets over being killed."""

import asyncio
import contextlib
import io
import os
import shutil
import signal
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from pretend.elevenlabs import PAYLOADS, PRE_CALL
from pretend.trouble import Process, answers, free_port, gone, until

from voice_server.commands import secrets_file, serve
from voice_server.commands.simulation import simulate_call
from voice_server.commands.simulation.simulate_call import Script
from voice_server.commands.simulation.simulated_platform import Target
from voice_server.embedded.services import EmbeddedServices
from voice_server.settings import Settings

Start = Callable[..., Process]
Refusal = Callable[..., str]
_NO_CERTIFICATES = ssl.SSLContext(
    ssl.PROTOCOL_TLS_CLIENT
)  # none are needed here, and reading them takes a client 50 ms


@dataclass
class Place:
    """A data directory, a port, and what runs there."""

    start: Start
    data: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, **more: str) -> Process:
        """`voice-server serve`, once it answers."""
        process = self.command("serve", **more)
        await until(lambda: process.ended or "serving " in process.said)
        assert not process.ended, process.said
        return process

    def command(self, *arguments: str, **more: str) -> Process:
        given = {"DATA_DIR": str(self.data), "PORT": str(self.port), **more}
        return self.start(*arguments, **given)

    async def call(self, said: str, caller: str = "+14155550101") -> str:
        """A conversation of one sentence; what is shown of it."""
        return await self.play(Script(file=self.write_down(said), caller=caller))

    async def call_by_command(self, said: str) -> str:
        """The same by `voice-server simulate-call`, which takes a second of the processor to load."""
        process = self.command("simulate-call", "--file", str(self.write_down(said)))
        assert await asyncio.to_thread(process.wait) == 0, process.said
        return process.said

    async def play(self, script: Script) -> str:
        """What `simulate-call` plays, from this process."""
        kept = secrets_file.load(self.data)
        target = Target(self.url, kept["PLATFORM_TOKEN"], kept["ELEVENLABS_WEBHOOK_SECRET"], "Europe/Berlin")
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            assert await asyncio.to_thread(simulate_call.run, target, script) == 0, shown.getvalue()
        return shown.getvalue()

    def write_down(self, said: str) -> Path:
        script = self.data.parent / "call.txt"
        script.write_text(f"agent: Hello!\n{said}\n")
        return script

    async def told(self, caller: str = "+14155550101") -> str:
        """What the agent would be told before a call. The call is not begun: it leaves no trace."""
        token = secrets_file.load(self.data)["PLATFORM_TOKEN"]
        client = httpx2.AsyncClient(
            base_url=self.url, headers={"Authorization": f"Bearer {token}"}, verify=_NO_CERTIFICATES
        )
        async with client:
            return (await client.post(PRE_CALL, json={"caller_id": caller, "agent_id": "agent_demo"})).text

    async def listed_tools(self) -> str:
        """What an MCP client is answered that asks for the tools."""
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        token = secrets_file.load(self.data)["PLATFORM_TOKEN"]
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
        }
        async with httpx2.AsyncClient(base_url=self.url, verify=_NO_CERTIFICATES) as client:
            return (await client.post("/mcp", json=asked, headers=headers)).text

    async def remembers(self, words: str) -> bool:
        """Whether the agent would be told of it now."""
        return words in await self.told()

    async def play_captured(self) -> str:
        """A captured payload; what the agent is told next time."""
        shown = await self.play(Script(payload=PAYLOADS / "post_call_transcription.json"))
        return shown.partition("Next time")[2]

    def everything(self, process: Process) -> list[int]:
        """All that belongs to it: its tree, and the services beside it."""
        return [*process.tree(), *EmbeddedServices(self.data).pids().values()]


@pytest.fixture
def refusal(place: Place, refuse: Refusal) -> Refusal:
    """Runs a command that refuses, at this place."""
    return lambda *arguments, **more: refuse(
        *arguments, **{"DATA_DIR": str(place.data), "PORT": str(place.port), **more}
    )


@pytest.fixture
def place(start: Start, tmp_path: Path) -> Place:
    return Place(start, tmp_path / "a place with spaces" / "data", free_port())


def others_run(place: Place, before: dict[str, int]) -> bool:
    """Whether everything runs again, as other processes."""
    now = EmbeddedServices(place.data).pids()
    return len(now) == len(before) and set(now.values()).isdisjoint(before.values())


async def test_it_starts_from_nothing_remembers_stops_whole_and_gets_its_services_back(place: Place) -> None:
    first = await place.serve()
    assert f"console    {place.url}/console/login?token=" in first.said
    assert not answers(f"http://127.0.0.2:{place.port}"), "who sets PORT alone listens on this machine alone"
    shown = await place.call_by_command("I need the recipe for the plum cake.")
    started = place.everything(first)

    assert "You do not know this caller." in shown
    assert "Next time the agent is told" in shown
    assert "+ You have had 1 earlier conversation" in shown
    hidden = await place.call("I need the recipe, too.", caller="anonymous")
    assert "A caller without a number has no memory" in hidden
    assert "did not change" not in hidden
    assert (place.data / "secrets.env").stat().st_mode & 0o777 == 0o600
    assert f"secrets    {place.data / 'secrets.env'}" in first.said
    assert "simulate_call" in first.said
    assert len(started) >= 6

    first.send(signal.SIGTERM)
    assert await asyncio.to_thread(first.wait) == 0
    assert first.said.rstrip().endswith("stopped")
    await until(lambda: gone(started))

    second = await place.serve()
    again = await place.call("Did you send the recipe?")
    assert "plum cake" in again.partition("The call was reported")[0]
    assert "database   up to date" in second.said
    assert "Maya asked to move her Friday consult" in await place.play_captured()
    assert "conversation_search" in await place.listed_tools()
    assert "session" not in second.said

    supervised = EmbeddedServices(place.data).pids()
    os.kill(supervised["supervisor"], signal.SIGKILL)
    await until(lambda: "are back" in second.said)
    for name in ("postgres", "valkey"):
        os.kill(supervised[name], signal.SIGKILL)
    await until(lambda: others_run(place, supervised))
    await until(lambda: place.remembers("plum cake"))
    assert "is started again" not in second.said

    second.send(signal.SIGINT)
    assert await asyncio.to_thread(second.wait) == 0


async def test_whatever_of_it_is_killed_it_remembers_and_says_why_when_it_cannot_go_on(place: Place) -> None:
    first = await place.serve()
    for pid in first.tree()[1:]:
        os.kill(pid, signal.SIGKILL)
    await until(lambda: first.said.count("is started again") == 2 and answers(place.url))
    await place.call("I need the recipe for the plum cake.")

    started = place.everything(first)
    first.send(signal.SIGKILL)
    await until(lambda: gone(started))

    second = await place.serve()
    await until(lambda: place.remembers("plum cake"))

    for pid in place.everything(second):
        os.kill(pid, signal.SIGKILL)
    second.wait()

    third = await place.serve()
    await until(lambda: place.remembers("plum cake"))

    children = third.tree()
    # Postgres, which stops meanwhile, takes its own files away under the hand that removes them.
    while place.data.exists():
        shutil.rmtree(place.data, ignore_errors=True)
    assert await asyncio.to_thread(third.wait) == 1
    assert f"{place.data} was removed or replaced while in use" in third.said
    assert "Traceback" not in third.said
    assert third.said.rstrip().endswith("stopped, because something would not stay up")
    assert gone(children)


def test_a_port_in_use_is_said(place: Place, refusal: Refusal) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", place.port))
        taken.listen()

        said = refusal("serve")

    assert f"port {place.port} on 127.0.0.1 cannot be used" in said
    assert "set PORT" in said
    assert not place.data.exists()


async def test_it_announces_itself_on_the_one_address_it_listens_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.2", 0)) as listening:
        port = listening.getsockname()[1]
        async with asyncio.timeout(60):
            await serve._Tree({}, Settings(host="127.0.0.2", port=port), None)._announce()

    assert f"serving    http://127.0.0.2:{port} " in capsys.readouterr().out


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "localhost"])  # noqa: S104 (listened on for a moment)
def test_every_address_of_this_machine_may_be_listened_on(host: str) -> None:
    serve._require_free(host, free_port())


@pytest.mark.parametrize("command", ["events", "rebuild --all"])
async def test_a_command_on_an_empty_database_says_what_to_do(
    command: str, empty: str, redis_url: str, refuse: Refusal
) -> None:
    given = {
        "DATABASE_URL": empty,
        "REDIS_URL": redis_url,
        "PLATFORM_TOKEN": "the-token",
        "ELEVENLABS_WEBHOOK_SECRET": "wsec_the-secret",
    }

    said = await asyncio.to_thread(refuse, *command.split(), **given)

    assert said.strip().endswith("the database is empty or of an older release: run scripts/migrate")


@pytest.mark.parametrize(
    ("setting", "value", "complaint"),
    [
        ("DEFAULT_TIMEZONE", "Berlin", "DEFAULT_TIMEZONE=Berlin: 'Berlin' is no IANA time zone"),
        ("PORT", "many", "PORT=many"),
        ("DATABASE_URL", "mysql://x", "DATABASE_URL: it must start with postgres://"),
        ("REDIS_URL", "http://x", "REDIS_URL: it must start with redis://"),
        ("PROMPT_TEMPLATES", "/nowhere", "/nowhere"),
        ("PRE_CALL_DEADLINE_MS", "0", "PRE_CALL_DEADLINE_MS=0"),
        ("LLM_MODEL", "nobody:model", "LLM_MODEL=nobody:model: Unknown provider"),
    ],
)
def test_a_bad_setting_is_said(refusal: Refusal, setting: str, value: str, complaint: str) -> None:
    assert complaint in refusal("serve", **{setting: value})


@pytest.mark.parametrize("redis", ["", "redis://127.0.0.1:1"])
def test_on_servers_of_ones_own_a_missing_secret_stops_the_start(
    place: Place, refusal: Refusal, redis: str
) -> None:
    said = refusal(
        "serve", DATABASE_URL="postgres://nobody@127.0.0.1:1/none", REDIS_URL=redis, PLATFORM_TOKEN="t"
    )

    assert "ELEVENLABS_WEBHOOK_SECRET must be set" in said
    assert not (place.data / "pg").exists()


def test_a_call_without_a_server_says_what_to_start(refusal: Refusal) -> None:
    said = refusal("simulate-call", PLATFORM_TOKEN="t", ELEVENLABS_WEBHOOK_SECRET="s")

    assert "does not answer" in said


@pytest.mark.parametrize(
    "body", ["{}", "no json", '{"type": "ping", "data": {}}', '{"caller_id": "+14155550101"}']
)
def test_a_payload_that_is_no_event_is_a_mistake_worth_telling(
    refusal: Refusal, tmp_path: Path, body: str
) -> None:
    path = tmp_path / "payload.json"
    path.write_text(body)

    said = refusal("simulate-call", "--payload", str(path), PLATFORM_TOKEN="t", ELEVENLABS_WEBHOOK_SECRET="s")

    assert "payload.json is no post-call event" in said
