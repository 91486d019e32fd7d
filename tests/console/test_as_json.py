"""Beside what a page shows stands what the API answers of it."""

import html
import re

import pytest
from api.conftest import Host
from console.conftest import HERE, Browser
from console.test_pages import ada, pages
from pretend.elevenlabs import AGENT

OF_ONE = (
    "users/*",
    "users/*/facts",
    "users/*/threads",
    "users/*/thoughts",
    "users/*/relationship",
    "users/*/days/*",
    "users/*/days/*/messages",
    "users/*/prompts/*",
    "users/*/prompt-preview",
    "facts/*",
    "conversations/*",
    "conversations/*/prompt",
    "events/*",
    "agents/*",
)


async def linked(host: Host, browser: Browser) -> set[str]:
    """The paths below `/api` that the console's pages lead to."""
    shown = [browser.get(path).text for path in await pages(host, await ada(host))]
    found = {one for page in shown for one in re.findall(r'href="/console/api/([^"]+)"', page)}
    return set(map(html.unescape, found))


async def test_each_page_of_one_thing_leads_to_what_the_api_answers_of_it(
    host: Host, browser: Browser
) -> None:
    there = await linked(host, browser)

    assert {
        re.sub(r"(?<=/)(usr_\w+|agent_\w+|v\w{4,}|\d+)", "*", one.partition("?")[0]) for one in there
    } == {*OF_ONE}
    for path in there - {one for one in there if "preview" in one}:  # which tells when it was built
        answer, same = browser.get(f"/api/{path}"), host.send("GET", f"/{path}")
        assert (answer.status_code, answer.json()) == (200, same.json()), path
        assert answer.headers["content-type"] == same.headers["content-type"] == "application/json"
        assert answer.headers["cache-control"] == "no-store"


async def test_without_the_consoles_session_there_is_no_json(host: Host) -> None:
    user_id = await ada(host)
    stranger = Browser(host.house.client)
    path = f"/api/users/{user_id}/facts"

    refused = stranger.get(path)

    assert (refused.status_code, "boiler" in refused.text) == (303, False)
    assert refused.headers["location"].startswith("/console/login?to=")
    elsewhere = host.house.client.get(f"/console{path}", headers={"host": "elsewhere.example"})
    assert elsewhere.status_code == 421
    token = {**HERE, "authorization": f"Bearer {host.token}"}
    by_token = host.house.client.get(f"/console{path}", headers=token, follow_redirects=False)
    assert by_token.status_code == 303


@pytest.mark.usefixtures("browser")
async def test_nothing_is_changed_by_it(host: Host) -> None:
    user_id = await ada(host)
    [fact, *_] = host.get(f"/users/{user_id}/facts")["items"]

    for method in ("POST", "PATCH", "DELETE", "PUT"):
        for path in (f"users/{user_id}", f"users/{user_id}/facts", f"facts/{fact['id']}"):
            asked = host.house.client.request(
                method,
                f"/console/api/{path}",
                json={"agent_id": AGENT, "text": "Ada keeps two cats.", "excluded": True},
                headers={**HERE, "sec-fetch-site": "same-origin"},
            )
            assert asked.status_code == 405, (method, path)
    assert host.get(f"/facts/{fact['id']}") == fact


@pytest.mark.parametrize(
    "path",
    ["users", "users/{}/export", "users/{}/voice-context", "users/{}/tool-tokens", "queue", "", "nothing"],
)
async def test_no_more_of_the_api_is_open_than_pages_show(host: Host, browser: Browser, path: str) -> None:
    user_id = await ada(host)

    assert browser.get(f"/api/{path.format(user_id)}").status_code == 404


async def test_what_is_not_there_is_said_as_the_api_says_it(browser: Browser) -> None:
    answer = browser.get("/api/users/usr_nobody")

    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


async def test_an_agent_whose_id_is_a_long_number_has_its_json(host: Host, browser: Browser) -> None:
    agent = "1234567890123456789"
    host.ok(host.send("PUT", f"/agents/{agent}"))

    assert browser.get(f"/api/agents/{agent}").json()["id"] == agent
