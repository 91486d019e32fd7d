"""What the terminal asks of the API."""

from collections.abc import Iterator

import httpx2
import msgspec
from msgspec import Struct

from voice_server.commands.api_client import Answer, ApiClient, part, refusal
from voice_server.errors import ApiRefusal

TIMEOUT = httpx2.Timeout(30, read=180)  # a model takes its time; a comment comes every 15 seconds
_PAGE, _MOST = 200, 1000


class TurnNews(Struct, frozen=True):
    name: str
    data: Answer


class OpenChat(Struct, frozen=True):
    user_id: str
    agent_id: str
    chat_id: str


class ChatClient(ApiClient):
    def user(self, user_id: str) -> Answer:
        return self.get(f"/users/{part(user_id)}")

    def user_at(self, address: str, name: str = "") -> Answer:
        """Return who has this address; with a name, make them known."""
        found: list[Answer] = self.get("/users", address=address)["items"]
        if found:
            return found[0]
        if not name:
            raise ApiRefusal(f"Nobody has the address {address}.")
        known_by = {"name": name} if all(map(str.isalpha, name.split())) else {}
        return self.send("POST", "/users", json={**known_by, "addresses": [address]})

    def require_agent(self, agent_id: str) -> None:
        self.get(f"/agents/{part(agent_id)}")

    def make_agent_known(self, agent_id: str) -> None:
        self.send("PUT", f"/agents/{part(agent_id)}")

    def agents(self) -> list[str]:
        return [one["id"] for one in self.get("/agents", limit=_PAGE)["items"]]

    def chats(self, writing: OpenChat) -> list[Answer]:
        asked = {"agent_id": writing.agent_id, "limit": 20}
        listed: list[Answer] = self.get(f"/users/{writing.user_id}/chats", **asked)["items"]
        return listed

    def context(self, writing: OpenChat) -> Answer:
        asked = {"agent_id": writing.agent_id, "chat_id": writing.chat_id}
        return self.get(f"/users/{writing.user_id}/text-context", **asked)

    def is_there(self, writing: OpenChat) -> bool:
        """Tell whether anything was said in the chat, as far as the server can tell just now."""
        told = self.context(writing)["context"]
        return bool(told["message_history_there"] or "chat" in told["without"])

    def prompt(self, writing: OpenChat, version: str) -> Answer:
        """Return a prompt that an answer was told."""
        path = f"/users/{writing.user_id}/prompts/{part(version)}"
        return self.get(path, agent_id=writing.agent_id)

    def sum_up(self, writing: OpenChat, focus: str) -> Answer:
        """Return the history's size before and after, and the summary."""
        given = {"user_id": writing.user_id, "agent_id": writing.agent_id, "focus": focus}
        return self.send("POST", f"/chats/{part(writing.chat_id)}/summary", json=given)

    def undo_summary(self, writing: OpenChat) -> None:
        whose = {"user_id": writing.user_id, "agent_id": writing.agent_id}
        self.send("DELETE", f"/chats/{part(writing.chat_id)}/summary", params=whose)

    def facts(self, writing: OpenChat) -> list[Answer]:
        found, asked = list[Answer](), {"agent_id": writing.agent_id, "current": True, "limit": _PAGE}
        while len(found) < _MOST:
            page = self.get(f"/users/{writing.user_id}/facts", **asked)
            found += page["items"]
            if not page["next"]:
                break
            asked["cursor"] = page["next"]
        return found

    def add(self, writing: OpenChat, text: str) -> Answer:
        given = {"agent_id": writing.agent_id, "text": text}
        return self.send("POST", f"/users/{writing.user_id}/facts", json=given)

    def exclude(self, fact_id: str, *, excluded: bool) -> Answer:
        return self.send("PATCH", f"/facts/{fact_id}", json={"excluded": excluded})

    def ask(self, writing: OpenChat, turn_id: str, text: str) -> Answer:
        return self.send("POST", "/chat", json=_turn(writing, turn_id, text), accept="application/json")

    def write(self, writing: OpenChat, turn_id: str, text: str) -> Iterator[TurnNews]:
        with (
            self.heard(),
            self._client.stream(
                "POST",
                self.url("/chat"),
                json=_turn(writing, turn_id, text),
                headers=self.headers("text/event-stream"),
            ) as response,
        ):
            if not response.is_success:
                response.read()
                raise refusal(response)
            yield from _news(response)

    def stop(self, writing: OpenChat, turn_id: str) -> None:
        path = f"/chats/{part(writing.chat_id)}/turns/{turn_id}"
        self.send("DELETE", path, params={"user_id": writing.user_id})


def _turn(writing: OpenChat, turn_id: str, text: str) -> Answer:
    return {**msgspec.to_builtins(writing), "turn_id": turn_id, "text": text}


def _news(response: httpx2.Response) -> Iterator[TurnNews]:
    name = ""
    for line in _lines(response):
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield TurnNews(name, msgspec.json.decode(line.removeprefix("data: ")))


def _lines(response: httpx2.Response) -> Iterator[str]:
    """Split at newlines alone, as server-sent events do: other line ends of Unicode are text."""
    rest = b""
    for more in response.iter_bytes():
        *lines, rest = (rest + more).split(b"\n")
        yield from (line.decode() for line in lines)
