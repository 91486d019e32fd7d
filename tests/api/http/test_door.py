"""The door of the API: who gets in, what is refused, and how it is said."""

import asyncio
import json
import re
from collections.abc import Callable

import pytest
from api.conftest import Host, refused
from conftest import API_TOKEN, House
from pretend.elevenlabs import AGENT
from pretend.trouble import Trouble

from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]


def test_a_wrong_token_is_refused(host: Host) -> None:
    for token in ("", "wrong", API_TOKEN[:-1], API_TOKEN + "x", "tökén"):
        late = host.send("GET", "/users", headers={"authorization": f"Bearer {token}".encode()})

        assert "API_TOKEN" in refused(late, 401)
        assert late.headers["www-authenticate"].startswith("Bearer")


def test_the_platforms_token_is_another(host: Host) -> None:
    host.token = host.house.platform.token

    refused(host.send("GET", "/users"), 401)


def test_while_tokens_are_rotated_both_are_good(open_house: OpenHouse, settings: Settings) -> None:
    house = open_house(settings.model_copy(update={"api_token": "old, new"}))

    assert [Host(house, token).send("GET", "/users").status_code for token in ("old", "new", "old, new")] == [
        200,
        200,
        401,
    ]


def test_without_a_token_the_api_is_closed_and_says_what_to_set(
    open_house: OpenHouse, settings: Settings
) -> None:
    house = open_house(settings.model_copy(update={"api_token": ""}))

    assert "API_TOKEN" in refused(Host(house, "").send("GET", "/users"), 503)
    assert house.platform.told()


def test_where_nothing_is_a_problem_says_so(host: Host) -> None:
    assert "/docs" in refused(host.send("GET", "/nothing"), 404)
    assert "/docs" in refused(host.send("GET", "/users/"), 404)


def test_a_method_that_is_none_is_a_problem_too(host: Host) -> None:
    late = host.send("DELETE", "/users")

    assert "does not take DELETE" in refused(late, 405)
    assert late.headers["allow"] in ("GET", "POST")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_beyond_the_limit_is_not_read(
    open_house: OpenHouse, settings: Settings, *, chunked: bool
) -> None:
    host = Host(open_house(settings.model_copy(update={"api_body_limit": 2000})))
    body = json.dumps({"language": "x" * 3000}).encode()

    late = host.send(
        "POST",
        "/users",
        content=iter([body[:1000], body[1000:]]) if chunked else body,
        headers={"content-type": "application/json"},
    )

    assert "2000 bytes" in refused(late, 413)


NO_OBJECT = (
    b"", b"{", b"[]", b"7", b'{"language": ', b"\xff\xfe", b'"' + b"[" * 50_000, b"[" * 50_000, b"null",
    rb'{"timezone": "\ud800"}', rb'{"\ud800": 1}', b'{"timezone": NaN}',
    b'{"timezone": ' + b"9" * 5000 + b"}",
)  # fmt: skip


def test_a_body_that_is_no_user_is_refused(host: Host) -> None:
    for body in NO_OBJECT:
        late = host.send("POST", "/users", content=body, headers={"content-type": "application/json"})

        assert late.status_code in (400, 422), body[:20]
        refused(late, late.status_code)


def test_several_wrong_values_are_all_named(host: Host) -> None:
    late = host.send("POST", "/users", json={"timezone": "Berlin", "language": "!", "shoe_size": "A"})

    refused(late, 422)
    assert {one["where"] for one in late.json()["errors"]} == {
        "body.timezone",
        "body.language",
        "body.shoe_size",
    }


async def test_without_postgres_the_answer_is_to_come_again(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    host = Host(open_house(fragile.model_copy(update={"database_deadline_seconds": 0.5})))
    host.user()
    trouble.take_down("postgres")

    late = host.send("GET", "/users")

    assert "Send it again" in refused(late, 503)
    assert late.headers["retry-after"]


async def test_while_postgres_hangs_every_request_hears_so_though_more_wait_than_there_are_connections(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    host = Host(open_house(fragile.model_copy(update={"database_deadline_seconds": 0.3})))
    user = host.user()
    paths = host.house.client.get("/openapi.json").json()["paths"]
    asked = [
        ("GET", path)
        for path, operations in paths.items()
        if "get" in operations and not path.endswith("/text-context")  # which has an answer all the same
    ]
    trouble.freeze("postgres")

    def ask(method: str, path: str) -> str:
        named = {"user_id": user, "day": "2026-11-17", "address": "tel:+14155550101"}
        known = re.sub(r"\{(\w+)\}", lambda name: named.get(name[1], name[0]), path)
        query = {"agent_id": AGENT, "user_id": user, "conversation_id": "conv_1"}
        return refused(host.send(method, re.sub(r"\{\w+\}", "1", known), params=query), 503)

    answers = await asyncio.gather(
        *(asyncio.to_thread(ask, *one) for one in [*asked, ("DELETE", "/users/{user_id}")])
    )

    assert len(answers) > 15
    assert set(answers) == {"Postgres or Redis does not answer. Send it again."}


# -- the document and the page to read it


def test_the_document_names_every_resource(host: Host) -> None:
    document = host.house.client.get("/openapi.json").json()

    assert document["openapi"].startswith("3.1")
    tags = {
        tag for path in document["paths"].values() for operation in path.values() for tag in operation["tags"]
    }
    assert tags == {
        "users",
        "addresses",
        "agents",
        "merges",
        "relationship",
        "events",
        "facts",
        "forgotten topics",
        "search",
        "statistics",
        "open threads",
        "thoughts",
        "conversations",
        "chats",
        "days",
        "prompts",
        "tool tokens",
    }


def test_every_operation_explains_itself_and_its_problems(host: Host) -> None:
    document = host.house.client.get("/openapi.json").json()

    operations = [one for path in document["paths"].values() for one in path.values()]

    assert all(one["summary"] and one["description"] for one in operations)
    assert all({"401", "404", "422"} <= one["responses"].keys() for one in operations)
    assert all("HTTPBearer" in one["security"][0] for one in operations)


def test_every_name_the_document_refers_to_is_in_it(host: Host) -> None:
    text = host.house.client.get("/openapi.json").text
    schemas = json.loads(text)["components"]["schemas"]

    referred = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}

    assert referred == set(schemas)


def test_the_page_fetches_nothing_from_elsewhere(host: Host) -> None:
    page = host.house.client.get("/docs")

    sources = [part.split('"')[0] for part in page.text.replace("'", '"').split('src="')[1:]]
    linked = [part.split('"')[0] for part in page.text.replace("'", '"').split('href="')[1:]]
    assert sources
    for one in sources + linked:
        assert one.startswith("/docs/assets/")
        assert host.house.client.get(one).status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
