"""The web process as a whole: nothing is open that should not be, and the operator sees what is wrong."""

import asyncio
import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import House
from fastapi import FastAPI
from pretend.elevenlabs import ADA, ended_call
from pretend.trouble import Trouble, until
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from voice_server.api import reference
from voice_server.api.http.auth import Guard
from voice_server.app import create_app
from voice_server.console import guard
from voice_server.errors import ConfigurationError
from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]
OPEN = {"/healthz", "/readyz", "/openapi.json", "/docs", "/docs/assets"}  # and nothing else
CONSOLE = "/console"  # whose door has tests of its own
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def routes_of(settings: Settings) -> list[str]:
    """Every path of the routes table."""
    router = create_app(settings).router
    assert isinstance(router, Starlette)
    return [path for route in router.routes for path in paths_of(route)]


def paths_of(route: BaseRoute) -> list[str]:
    """The paths of one line of the table: what is mounted is walked, too."""
    if isinstance(route, Route):
        return [route.path]
    assert isinstance(route, Mount)
    if isinstance(route.app, StaticFiles):
        return [route.path]
    if isinstance(route.app, guard.Guard):
        return [route.path]
    assert isinstance(route.app, Guard)
    assert isinstance(route.app.app, FastAPI)
    return [route.path + path for path in ("/nothing", *reference.document(route.app.app)["paths"])]


@pytest.fixture
def guarded(open_house: OpenHouse, settings: Settings) -> House:
    return open_house(settings.model_copy(update={"metrics_token": "the-metrics-token"}))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "headers", [{}, {"authorization": "Bearer wrong", "elevenlabs-signature": "t=1,v0=00"}]
)
async def test_every_route_refuses_who_has_no_secret(
    guarded: House, method: str, headers: dict[str, str]
) -> None:
    paths = [path for path in routes_of(guarded.settings) if path not in {*OPEN, CONSOLE}]

    answers = {
        path: guarded.client.request(method, path, headers=headers, json={}).status_code for path in paths
    }

    assert answers
    assert set(answers.values()) <= {401, 405}, answers
    assert {code for path, code in answers.items() if path.startswith("/api")} == {401}
    if method == "POST":
        assert {code for path, code in answers.items() if "webhooks" in path} == {401}


async def test_the_routes_are_the_ones_the_design_names(settings: Settings) -> None:
    assert {
        path for path in routes_of(settings) if not path.endswith("/nothing") and not path.startswith("/api/")
    } == {
        "/webhooks/elevenlabs/pre-call",
        "/webhooks/elevenlabs/post-call",
        "/tools/{name}",
        "/mcp",
        "/healthz",
        "/readyz",
        "/metrics",
        "/openapi.json",
        "/docs",
        "/docs/assets",
        "/console",
        "/v1/models",
        "/v1/models/{agent_id}",
        "/v1/chat/completions",
    }


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/webhooks/elevenlabs/pre-call/x", "/webhooks/../healthz/x"]
)
async def test_where_nothing_is_the_answer_says_so(house: House, path: str) -> None:
    response = house.client.get(path)

    assert response.status_code == 404
    assert response.json()["error"] == "not_found"


@pytest.mark.parametrize("path", ["/webhooks/elevenlabs/post-call", "/webhooks/elevenlabs/pre-call"])
async def test_a_wrong_method_is_answered_in_json(house: House, path: str) -> None:
    response = house.client.get(path)

    assert response.status_code == 405
    assert response.json()["error"] == "method_not_allowed"
    assert response.headers["allow"] == "POST"


# -- /metrics


async def test_metrics_want_their_token(guarded: House) -> None:
    answers = [
        guarded.client.get("/metrics", headers={"authorization": given}).status_code
        for given in ("", "Bearer wrong", "the-metrics-token", "Bearer the-metrics-token")
    ]

    assert answers == [401, 401, 401, 200]


async def test_metrics_tell_what_happened(house: House) -> None:
    house.platform.pre_call(ADA)
    house.platform.post_call(ended_call("conv_1", ended=house.clock()))

    text = house.client.get("/metrics").text

    assert 'voice_pre_calls_total{outcome="unknown"} 1.0' in text
    assert 'voice_post_calls_total{outcome="recorded"} 1.0' in text
    assert 'voice_events{status="received"} 1.0' in text
    assert 'voice_jobs{job="ingest",status="queued"} 1.0' in text


async def test_metrics_of_the_process_are_there_without_postgres(
    open_house: OpenHouse, settings: Settings
) -> None:
    nowhere = {"database_url": "postgresql+asyncpg://postgres@127.0.0.1:1/app"}
    house = open_house(settings.model_copy(update=nowhere))

    response = house.client.get("/metrics")

    assert response.status_code == 200
    assert "voice_pre_calls_total" in response.text
    assert "voice_jobs{" not in response.text


# -- who is beyond this machine

BASIC = "Basic " + base64.b64encode(b"whoever:the-api-token").decode()
ELSEWHERE = {"x-forwarded-for": "203.0.113.7"}


@pytest.mark.parametrize("path", ["/metrics", "/openapi.json", "/docs"])
@pytest.mark.parametrize(
    ("host", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("localhost", {}, 200),
        ("::1", {}, 200),
        ("0.0.0.0", {}, 401),  # noqa: S104 (not bound)
        ("192.0.2.1", {}, 401),
        ("voice.example.com", {}, 401),
        ("127.0.0.1", ELSEWHERE, 401),
        ("127.0.0.1", {"forwarded": "for=203.0.113.7"}, 401),
    ],
)
async def test_what_is_open_on_this_machine_is_closed_beyond_it(
    open_house: OpenHouse, settings: Settings, path: str, host: str, headers: dict[str, str], status: int
) -> None:
    tokens = {} if status == 200 or path != "/metrics" else {"metrics_token": "the-metrics-token"}
    house = open_house(settings.model_copy(update={"host": host, **tokens}))

    assert house.client.get(path, headers=headers).status_code == status


@pytest.mark.parametrize("path", ["/openapi.json", "/docs"])
async def test_the_apis_token_opens_its_document_everywhere(
    open_house: OpenHouse, settings: Settings, path: str
) -> None:
    house = open_house(settings.model_copy(update={"host": "0.0.0.0"}))  # noqa: S104 (not bound)

    def opened(authorization: str) -> int:
        return house.client.get(path, headers={"authorization": authorization}).status_code

    assert [opened(given) for given in ("Bearer the-api-token", BASIC)] == [200, 200]
    refused = (
        "Bearer wrong",
        "Basic wrong",
        "Basic " + base64.b64encode(b"the-api-token:").decode(),
        "Basic %%%",
    )
    assert [opened(given) for given in refused] == [401] * 4
    assert "Basic" in house.client.get(path).headers["www-authenticate"]


@pytest.mark.parametrize(
    ("path", "variable"),
    [("/metrics", "METRICS_TOKEN"), ("/openapi.json", "API_TOKEN"), ("/docs", "API_TOKEN")],
)
async def test_without_a_token_what_is_closed_says_which_one_to_set(
    open_house: OpenHouse, settings: Settings, path: str, variable: str
) -> None:
    house = open_house(settings.model_copy(update={"host": "0.0.0.0", "api_token": ""}))  # noqa: S104 (not bound)

    response = house.client.get(path)

    assert response.status_code == 403
    assert variable in response.json()["message"]


async def test_who_forwards_a_request_needs_the_token_of_the_metrics(guarded: House) -> None:
    answers = [
        guarded.client.get("/metrics", headers={**ELSEWHERE, "authorization": given}).status_code
        for given in ("", "Bearer the-metrics-token")
    ]

    assert answers == [401, 200]


# -- /healthz, /readyz


async def test_a_ready_process_says_so(house: House) -> None:
    response = house.client.get("/readyz")

    assert response.status_code == 200
    assert response.json() == {"postgres": "ok", "redis": "ok", "cache": "ok", "templates": "ok"}


@pytest.mark.parametrize(("service", "part"), [("postgres", "postgres"), ("valkey", "redis")])
@pytest.mark.parametrize("how", ["take_down", "freeze"])
async def test_readiness_says_which_part_is_down(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble, service: str, part: str, how: str
) -> None:
    house = open_house(fragile.model_copy(update={"database_deadline_seconds": 0.3}))
    assert house.client.get("/readyz").status_code == 200

    getattr(trouble, how)(service)
    response = await asyncio.to_thread(house.client.get, "/readyz")

    other = {"postgres": "redis", "redis": "postgres"}[part]
    assert response.status_code == 503
    assert response.json()[part] != "ok"
    assert response.json()[other] == "ok"
    assert house.client.get("/healthz").status_code == 200
    await trouble.mend()
    await until(lambda: house.client.get("/readyz").status_code == 200)


async def test_a_database_that_is_not_migrated_is_not_ready(house: House) -> None:
    await house.query("alter table webhook_events rename to webhook_events_of_old")

    response = house.client.get("/readyz")

    assert (response.status_code, response.json()["postgres"]) == (
        503,
        "not migrated: run `voice-server migrate`",
    )


async def test_a_wrong_template_of_one_agent_is_shown_and_stops_nobody(
    open_house: OpenHouse, settings: Settings, templates: Path
) -> None:
    (templates / "agent_wren").mkdir()
    (templates / "agent_wren" / "persona.jinja").write_text("{% if %}")

    house = open_house(settings.model_copy(update={"prompt_templates": templates}))

    response = house.client.get("/readyz")
    assert (response.status_code, response.json()["templates"]) == (
        200,
        "wrong: agent_wren (the log says where)",
    )
    assert "voice_wrong_templates 1.0" in house.client.get("/metrics").text
    assert "attentive assistant" in house.platform.told(agent="agent_wren")


# -- the start


async def test_a_broken_template_stops_the_start(settings: Settings, templates: Path) -> None:
    (templates / "default" / "persona.jinja").write_text("{% if %}")

    with pytest.raises(ConfigurationError, match=r"persona\.jinja line 1"):
        create_app(settings.model_copy(update={"prompt_templates": templates}))


async def test_a_start_without_postgres_and_redis_still_answers_calls(
    open_house: OpenHouse, settings: Settings
) -> None:
    nowhere = {
        "database_url": "postgresql+asyncpg://postgres@127.0.0.1:1/app",
        "redis_url": "redis://127.0.0.1:1",
    }
    house = open_house(settings.model_copy(update=nowhere))

    assert "You do not know this caller." in house.platform.told(ADA)
    assert house.platform.post_call(ended_call("conv_1", ended=house.clock())).status_code == 503
