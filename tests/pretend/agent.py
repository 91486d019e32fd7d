"""The agent, as it uses its tools while a call goes on."""

from dataclasses import dataclass, field
from typing import Any

import httpx2
from conftest import API_TOKEN, TOKEN, House
from pretend.elevenlabs import ADA, AGENT, ended_call

MINUTE = 60


@dataclass
class Agent:
    """The agent at the platform: it is called, talks, and looks things up."""

    house: House
    token: str = TOKEN
    calls: list[str] = field(default_factory=list)

    def begin(self, conversation: str, caller: str = ADA, agent: str = AGENT) -> str:
        self.house.platform.pre_call(caller, agent=agent, conversation=conversation)
        return conversation

    async def talked(self, conversation: str, *said: str, caller: str = ADA, agent: str = AGENT) -> None:
        """A whole call, digested."""
        self.report(conversation, *said, caller=caller, agent=agent)
        await self.house.work()

    def report(self, conversation: str, *said: str, caller: str = ADA, agent: str = AGENT) -> None:
        """A whole call, reported and not yet digested."""
        self.begin(conversation, caller, agent)
        self.house.clock.now += MINUTE
        event = ended_call(conversation, said, ended=self.house.clock(), caller=caller, agent=agent)
        self.house.platform.post_call(event)

    def post(self, name: str, body: bytes | str, token: str | None = None) -> httpx2.Response:
        headers = {"authorization": f"Bearer {self.token if token is None else token}"}
        return self.house.client.post(f"/tools/{name}", content=body, headers=headers)

    def use(self, name: str, conversation: str, **given: Any) -> Any:
        """What a tool answers."""
        headers = {"authorization": f"Bearer {self.token}"}
        body = {**given, "conversation_id": conversation}
        response = self.house.client.post(f"/tools/{name}", json=body, headers=headers)
        assert response.status_code == httpx2.codes.OK, response.text
        assert response.headers["content-type"] == "application/json"
        return response.json()

    def counted(self, outcome: str) -> int:
        return self.house.counted("tool_calls", outcome)

    def host(self, method: str, path: str, **more: Any) -> Any:
        headers = {"authorization": f"Bearer {API_TOKEN}"}
        response = self.house.client.request(method, f"/api{path}", headers=headers, **more)
        assert response.is_success, response.text
        return response.json()

    def user(self, address: str = ADA) -> str:
        return str(self.host("GET", "/users", params={"address": address})["items"][0]["id"])
