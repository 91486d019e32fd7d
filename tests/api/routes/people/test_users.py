"""Users over the API: made, found, changed, linked."""

import base64
import json

import pytest
from api.conftest import Host, refused
from pretend.elevenlabs import ADA, AGENT, GRACE

ADDRESS = f"tel:{ADA}"


def test_a_new_user_is_found_by_their_address(host: Host) -> None:
    made = host.send("POST", "/users", json={"timezone": "Europe/Berlin", "addresses": ["+1 415-555-0101"]})

    user = host.ok(made)
    assert made.status_code == 201
    assert made.headers["location"] == f"/api/users/{user['id']}"
    assert user["addresses"] == [{"address": ADDRESS, "shared": False}]
    [found] = host.get("/users", address=ADA)["items"]
    assert found == {**user, "last_seen": None, "conversations": 0}
    assert host.get(f"/users/{user['id']}") == user


async def test_who_called_is_a_user(host: Host) -> None:
    user_id = await host.call("conv_1")

    assert host.get(f"/users/{user_id}")["addresses"] == [{"address": ADDRESS, "shared": False}]


def test_an_address_nobody_has_finds_nobody(host: Host) -> None:
    assert host.get("/users", address=GRACE) == {"items": [], "next": None}


def test_what_is_no_address_is_refused(host: Host) -> None:
    for text in ("anonymous", "ring me", "app:"):
        assert "no address" in refused(host.send("GET", "/users", params={"address": text}), 422)


def test_an_id_of_the_host_application_is_an_address(host: Host) -> None:
    user_id = host.user(addresses=["app:customer-17"])

    assert [one["id"] for one in host.get("/users", address="app:customer-17")["items"]] == [user_id]


def test_users_come_a_page_at_a_time(host: Host) -> None:
    made = {host.user() for _ in range(5)}

    pages: list[list[str]] = []
    cursor = None
    while not pages or cursor:
        answer = host.get("/users", limit=2, **({"cursor": cursor} if cursor else {}))
        pages.append([one["id"] for one in answer["items"]])
        cursor = answer["next"]

    assert [len(page) for page in pages] == [2, 2, 1]
    assert {one for page in pages for one in page} == made


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/users", "usr_\0"),
        ("/agents", "\0"),
        ("/users/{user}/facts", 10**30),
        ("/users/{user}/threads", -(10**30)),
        ("/users/{user}/conversations", ["2026-11-20T10:00:00Z", 10**30]),
    ],
)
def test_a_cursor_with_what_no_list_has_is_refused(host: Host, path: str, key: object) -> None:
    user = host.send("POST", "/users", json={}).json()["id"]
    cursor = base64.urlsafe_b64encode(json.dumps(key).encode()).decode()

    refusal = host.send("GET", path.format(user=user), params={"cursor": cursor})

    assert "cursor" in refused(refusal, 422)


def test_what_is_no_cursor_is_refused(host: Host) -> None:
    for cursor in ("x", "AAAA", "bnVsbA==", "%00", "é"):
        assert "cursor" in refused(host.send("GET", "/users", params={"cursor": cursor}), 422)


async def test_a_new_time_zone_is_told_on_the_next_call(host: Host) -> None:
    user_id = await host.call("conv_1")
    assert "10:31" in host.house.platform.told()

    host.ok(host.send("PATCH", f"/users/{user_id}", json={"timezone": "Asia/Tokyo"}))
    await host.house.work()

    assert "19:31" in host.house.platform.told()


async def test_ten_changes_make_one_rebuild(host: Host) -> None:
    user_id = await host.call("conv_1")

    for zone in ("Asia/Tokyo", "Europe/Rome") * 5:
        host.ok(host.send("PATCH", f"/users/{user_id}", json={"timezone": zone}))

    assert await host.house.query("select count(*) from pgqueuer where entrypoint = 'rebuild'") == [(1,)]


def test_a_time_zone_that_is_none_is_refused(host: Host) -> None:
    user_id = host.user()

    for zone in ("Berlin", "Europe", "../etc/passwd", "x\0", "Europe/Berlin" * 50, 7, None):
        assert "timezone" in refused(host.send("PATCH", f"/users/{user_id}", json={"timezone": zone}), 422)


def test_what_is_left_out_stays_and_what_is_empty_is_unset(host: Host) -> None:
    user_id = host.user(timezone="Europe/Berlin", language="de")

    host.ok(host.send("PATCH", f"/users/{user_id}", json={"timezone": ""}))

    user = host.get(f"/users/{user_id}")
    assert (user["timezone"], user["language"]) == ("", "de")


def test_a_stale_version_changes_nothing(host: Host) -> None:
    user_id = host.user()
    seen = host.send("GET", f"/users/{user_id}").headers["etag"]
    host.ok(host.send("PATCH", f"/users/{user_id}", json={"language": "de"}, headers={"if-match": seen}))

    late = host.send("PATCH", f"/users/{user_id}", json={"language": "fr"}, headers={"if-match": seen})

    assert "version is 2 now" in refused(late, 412)
    assert host.get(f"/users/{user_id}")["language"] == "de"


def test_an_etag_nobody_gave_out_is_refused(host: Host) -> None:
    user_id = host.user()

    for tag in ("1", 'W/"1"', '"x"', '"99999999999"'):
        said = refused(host.send("PATCH", f"/users/{user_id}", json={}, headers={"if-match": tag}), 422)
        assert 'as If-Match: "3"' in said


def test_a_field_nobody_knows_is_a_mistake_worth_telling(host: Host) -> None:
    user_id = host.user()

    assert "timezome" in refused(host.send("PATCH", f"/users/{user_id}", json={"timezome": "UTC"}), 422)


# -- addresses


async def test_a_second_number_brings_the_same_memory(host: Host) -> None:
    user_id = await host.call("conv_1", "user: My sister Maria lives in Lisbon, I must call her.")

    host.ok(host.send("PUT", f"/users/{user_id}/addresses/{GRACE}"))
    await host.house.work()

    assert "Maria" in host.house.platform.told(GRACE)


async def test_an_unlinked_number_is_a_strangers(host: Host) -> None:
    user_id = await host.call("conv_1", "user: My sister Maria lives in Lisbon, I must call her.")
    assert "Maria" in host.house.platform.told(ADA)

    host.ok(host.send("DELETE", f"/users/{user_id}/addresses/{ADDRESS}"))

    assert "Maria" not in host.house.platform.told(ADA)
    await host.house.work()
    assert "Maria" not in host.house.platform.told(ADA)


def test_an_address_of_somebody_else_is_not_taken_away_from_them(host: Host) -> None:
    owner, other = host.user(addresses=[ADA]), host.user()

    assert owner in refused(host.send("PUT", f"/users/{other}/addresses/{ADA}"), 409)
    refused(host.send("POST", "/users", json={"addresses": [ADA]}), 409)


def test_what_is_not_theirs_cannot_be_unlinked(host: Host) -> None:
    host.user(addresses=[ADA])

    refused(host.send("DELETE", f"/users/{host.user()}/addresses/{ADA}"), 404)


async def test_an_agents_own_number_is_nobodys(host: Host) -> None:
    await host.call("conv_1")
    numbers = {one["id"]: one["numbers"] for one in host.get("/agents")["items"]}

    late = host.send("PUT", f"/users/{host.user()}/addresses/{numbers[AGENT][0]}")

    assert "agent's own number" in refused(late, 409)


def test_what_is_no_language_is_refused_with_what_to_write(host: Host) -> None:
    user_id = host.user()

    for tag in ("klingon", "xx", "english", "e", "de_DE"):
        said = refused(host.send("PATCH", f"/users/{user_id}", json={"language": tag}), 422)
        assert "write its ISO 639 code, as en" in said
    for tag in ("de", "en-GB", "yue", "zh-Hant-TW", ""):
        host.ok(host.send("PATCH", f"/users/{user_id}", json={"language": tag}))


def test_a_wrong_time_zone_and_broken_json_are_told_what_to_do(host: Host) -> None:
    path = f"/users/{host.user()}"
    zone = refused(host.send("PATCH", path, json={"timezone": "Berlin"}), 422)
    broken = refused(
        host.send("PATCH", path, content='{"name": ', headers={"content-type": "application/json"}), 422
    )

    assert zone == "body.timezone: 'Berlin' is no IANA time zone; write one like Europe/Berlin"
    assert broken.startswith("body: it is no JSON: ")
