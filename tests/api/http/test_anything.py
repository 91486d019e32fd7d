"""Requests that nobody thinks of, made from the OpenAPI document: whatever comes in, the answer is never a
500."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
import schemathesis
from api.conftest import PROBLEM, Host
from conftest import House
from hypothesis import HealthCheck, given, settings
from pretend.elevenlabs import ADA, AGENT, GRACE
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation

from voice_server.settings import Settings

EXAMPLES = 5  # of each operation
ROWS = 3  # facts, threads, … that are there
ERASING = {("DELETE", "/users/{user_id}"), ("DELETE", "/conversations/{conversation_id}")}


@pytest.fixture
async def lived_in(open_house: Callable[[Settings], House], chatting: Settings) -> Host:
    """A house where there is something to be found and changed; `{user_id}` is who called."""
    host = Host(open_house(chatting))
    for number in range(ROWS):
        await host.call(
            f"conv_{number}", "user: I'll send Maria the plum cake recipe tomorrow. I live in Lisbon."
        )
    user_id = host.get("/users", address=ADA)["items"][0]["id"]
    for number in range(ROWS):
        given = {"agent_id": AGENT, "text": f"Something that is known, the {number}. of it."}
        for kind, more in (("facts", {}), ("thoughts", {}), ("threads", {"kind": "topic"})):
            host.ok(host.send("POST", f"/users/{user_id}/{kind}", json=given | more))
    return host


@pytest.mark.parametrize("mode", GenerationMode)
def test_whatever_comes_in_is_answered(lived_in: Host, mode: GenerationMode) -> None:
    document = lived_in.house.client.get("/openapi.json").json()
    user_id = lived_in.get("/users", address=ADA)["items"][0]["id"]
    answered: Counter[int] = Counter()

    found = list(schemathesis.openapi.from_dict(document).get_all_operations())
    operations = [one.ok() for one in found if isinstance(one, Ok)]
    assert len(operations) == len(found)
    for operation in sorted(operations, key=_erases):

        @settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def probe(case: Case[Any]) -> None:
            for change in (_as_it_is, _about_what_is_there):
                response = _send(lived_in, change(case, user_id))
                answered[response.status_code] += 1
                assert response.status_code < 500, (
                    case.method,
                    case.formatted_path,
                    case.body,
                    response.text,
                )
                if response.status_code >= 400 and not _is_no_path(case):
                    assert response.headers["content-type"] == PROBLEM
                    assert response.json()["status"] == response.status_code

        probe()

    assert answered[422]
    assert mode is GenerationMode.NEGATIVE or answered[200]


def _erases(operation: APIOperation[Any, Any, Any, Any]) -> bool:
    """Whether it takes away what all others are about: it comes after them."""
    return (operation.method.upper(), operation.path) in ERASING


def _as_it_is(case: Case[Any], _user_id: str) -> Case[Any]:
    return case


def _is_no_path(case: Case[Any]) -> bool:
    """A line break is in no path of ours: such a request never comes as far as the API."""
    return "%0A" in case.formatted_path


def _about_what_is_there(case: Case[Any], user_id: str) -> Case[Any]:
    """The same request, about a user, an agent and rows that are there."""
    for name, value in case.path_parameters.items():
        case.path_parameters[name] = _there(name, value, user_id)
    for values in (case.query, case.body):
        if isinstance(values, dict):
            values |= {
                name: _there(name, values[name], user_id)
                for name in ("agent_id", "user_id")
                if name in values
            }
    return case


def _there(name: str, value: Any, user_id: str) -> Any:
    if name == "user_id":
        return user_id
    if name in ("agent_id", "address"):
        return {"agent_id": AGENT, "address": GRACE}[name]
    return 1 + value % ROWS if isinstance(value, int) and value > ROWS else value


def _send(host: Host, case: Case[Any]) -> httpx2.Response:
    arguments = case.as_transport_kwargs(base_url="")
    headers = {name: value for name, value in arguments["headers"].items() if name.lower() != "authorization"}
    body = {"json": arguments["json"]} if "json" in arguments else {"content": arguments.get("data")}
    return host.send(
        case.method, case.formatted_path, headers=headers, params=arguments.get("params"), **body
    )
