"""People: found by a part of their name or number, and listed with when they were last heard of."""

import pytest
from api.conftest import Host, refused
from pretend.elevenlabs import ADA, GRACE

from voice_server.store.people import talk_counts, user_search

LINE = "tel:+442079460001"


def found(host: Host, text: str) -> list[str]:
    return [one["name"] for one in host.get("/users", find=text)["items"]]


@pytest.fixture(params=[2000, 1], ids=["near", "far"])
def stretch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few people all are in the first stretch: with a short one, the others are found by the index."""
    monkeypatch.setattr(user_search, "_STRETCH", request.param)


@pytest.mark.usefixtures("stretch")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Byron", ["Ada Byron"]),
        ("BYRO", ["Ada Byron"]),
        ("yro", ["Ada Byron"]),
        ("a  by", ["Ada Byron"]),
        ("özd", ["Gül Özdemir"]),
        ("ad", ["Ada Byron"]),
        ("by", []),
        ("%", []),
        ("___", []),
        ("nobody", []),
        ("415555", ["Ada Byron", "Grace Hopper"]),
        ("0101", ["Ada Byron"]),
        ("+1 (415) 555-01.02", ["Grace Hopper"]),
        ("01", []),
        ("tel", []),
        ("1017", []),
        ("946", ["Ada Byron", "Gül Özdemir"]),
    ],
)
async def test_people_are_found_by_a_part_of_a_name_or_of_a_number(
    host: Host, text: str, names: list[str]
) -> None:
    ada = host.user(name="Ada Byron", addresses=["+14155550101", "app:customer-1017"])
    host.user(name="Grace Hopper", addresses=["+14155550102"])
    gul = host.user(name="Gül Özdemir")
    host.user(addresses=["sip:415@example.org"])
    host.ok(host.send("PUT", f"/shared-lines/{LINE}", json={"members": [ada, gul]}))

    assert sorted(found(host, text)) == names


@pytest.mark.usefixtures("stretch")
async def test_who_is_found_comes_page_by_page(host: Host) -> None:
    ids = sorted(host.user(name=f"Ada {word}") for word in ("Byron", "Lovelace", "King"))
    host.user(name="Grace Hopper")

    first = host.get("/users", find="ada", limit=2)
    rest = host.get("/users", find="ada", limit=2, cursor=first["next"])

    assert [one["id"] for one in (*first["items"], *rest["items"])] == ids
    assert rest["next"] is None


async def test_who_was_merged_is_found_and_says_into_whom(host: Host) -> None:
    ada = host.user(name="Ada Byron", addresses=[ADA])
    old = host.user(name="Ada King", addresses=[GRACE])
    host.ok(host.send("POST", "/merges", json={"from_user": old, "into_user": ada}))

    merged = {one["id"]: one["merged_into"] for one in host.get("/users", find="ada")["items"]}
    [by_number] = host.get("/users", find=GRACE)["items"]

    assert merged == {ada: None, old: ada}
    assert by_number["id"] == ada


async def test_a_question_that_is_too_long_or_empty_is_refused(host: Host) -> None:
    refused(host.send("GET", "/users", params={"find": "a" * 101}), 422)
    refused(host.send("GET", "/users", params={"find": ""}), 422)
    refused(host.send("GET", "/users", params={"find": "a\0b"}), 422)


async def test_a_list_says_when_each_was_last_heard_of_and_how_often(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = host.user(name="Grace Hopper")
    ada = await host.call("conv_1")
    await host.call("conv_2")
    await host.call("conv_3")

    listed = {one["id"]: one for one in host.get("/users")["items"]}

    assert (listed[nobody]["last_seen"], listed[nobody]["conversations"]) == (None, 0)
    assert (listed[ada]["last_seen"], listed[ada]["conversations"]) == ("2026-11-17T10:33:00Z", 3)
    [by_address] = host.get("/users", address=ADA)["items"]
    assert by_address == listed[ada]
    monkeypatch.setattr(talk_counts, "MOST_COUNTED", 2)
    assert host.get("/users", address=ADA)["items"][0]["conversations"] == 2, "counted no further"
