"""The host application, as it calls the API of a running house."""

from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from conftest import API_TOKEN, House
from pretend.elevenlabs import ADA, AGENT, ended_call

MINUTE = 60
PROBLEM = "application/problem+json"


@dataclass
class Host:
    house: House
    token: str = API_TOKEN

    def send(self, method: str, path: str, **more: Any) -> httpx2.Response:
        headers = {"authorization": f"Bearer {self.token}", **more.pop("headers", {})}
        return self.house.client.request(method, f"/api{path}", headers=headers, **more)

    def get(self, path: str, **query: Any) -> Any:
        return self.ok(self.send("GET", path, params=query))

    def ok(self, response: httpx2.Response) -> Any:
        assert response.is_success, response.text
        return response.json()

    def user(self, **given: Any) -> str:
        return str(self.ok(self.send("POST", "/users", json=given))["id"])

    async def call(self, conversation: str, *said: str, caller: str = ADA, agent: str = AGENT) -> str:
        """Somebody calls for a minute, and what was said is digested; the caller's user id."""
        self.report(conversation, *said, caller=caller, agent=agent)
        await self.house.work()
        return self.user_at(caller)

    def report(self, conversation: str, *said: str, caller: str = ADA, agent: str = AGENT) -> None:
        """Somebody calls for a minute; what was said is reported and not yet digested."""
        clock = self.house.clock
        told = self.house.platform.pre_call(caller, agent=agent, conversation=conversation)
        clock.now += MINUTE
        event = ended_call(
            conversation,
            said or ("agent: Hello!", "user: I need the recipe for the plum cake."),
            ended=clock(),
            duration=MINUTE,
            caller=caller,
            agent=agent,
            prompt_version=told["dynamic_variables"]["prompt_version"],
        )
        self.house.platform.post_call(event)

    def user_at(self, address: str) -> str:
        return str(self.get("/users", address=address)["items"][0]["id"])


@pytest.fixture
def host(house: House) -> Host:
    return Host(house)


def refused(response: httpx2.Response, status: int) -> str:
    """What a refusal says, which must be a problem of this status."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == PROBLEM
    problem = response.json()
    assert problem["status"] == status
    return str(problem["detail"])
