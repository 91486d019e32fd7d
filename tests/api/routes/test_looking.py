"""What whoever runs the server looks at: everybody's conversations, a day word for word, the search with its
reasons, a prompt as it would be built now, events, and work that was put aside."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from api.conftest import Host, refused
from api.routes.conversations.test_chats import silence, tell
from conftest import House
from pretend.elevenlabs import AGENT, GRACE
from pretend.model import PretendModel, about, finds, well

from voice_server.settings import Settings

DAY = 86_400
BOILER = ("agent: Hello!", "user: My boiler broke last night.", "agent: Priya repairs it on Monday.")
OTHER = "agent_wren"
LATE = base64.urlsafe_b64encode(b'["9999-12-31T23:59:59-14:00",1]').decode()


async def two_callers(host: Host) -> tuple[str, str]:
    ada = await host.call("conv_1", *BOILER)
    host.house.clock.now += DAY
    grace = await host.call("conv_2", "user: I need a plum cake.", caller=GRACE, agent=OTHER)
    return ada, grace


def named(page: Any) -> list[str]:
    return [one["platform_id"] for one in page["items"]]


# -- everybody's conversations


async def test_those_of_everybody_are_listed_the_latest_first_page_by_page(host: Host) -> None:
    await two_callers(host)
    first = host.get("/conversations", limit=1)
    rest = host.get("/conversations", limit=1, cursor=first["next"])

    assert named(first) + named(rest) == ["conv_2", "conv_1"]
    assert rest["next"] is None


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"agent_id": AGENT}, ["conv_1"]),
        ({"channel": "voice"}, ["conv_2", "conv_1"]),
        ({"channel": "text"}, ["trip:0"]),
        ({"outcome": "short"}, []),
        ({"since": "2026-11-18T00:00:00Z"}, ["trip:0", "conv_2"]),
        ({"until": "2026-11-18T00:00:00Z"}, ["conv_1"]),
    ],
)
async def test_some_of_them_are_listed(host: Host, wanted: dict[str, str], found: list[str]) -> None:
    ada, _ = await two_callers(host)
    host.house.clock.now += DAY
    tell(host, ada, "user: I packed my bag.", "agent: Well done.", chat="trip")
    if wanted == {"agent_id": AGENT}:
        found = ["trip:0", *found]

    assert named(host.get("/conversations", **wanted)) == found


# -- a day


async def test_what_was_said_on_a_day_is_told_in_order_over_all_conversations(host: Host) -> None:
    ada = await host.call("conv_1", *BOILER)
    tell(host, ada, "user: Is it Monday yet?", "agent: Tomorrow.", chat="trip")
    await silence(host, 120)

    said = host.get(f"/users/{ada}/days/2026-11-17/messages")

    assert [one["content"] for one in said] == [
        "Hello!",
        "My boiler broke last night.",
        "Priya repairs it on Monday.",
        "Is it Monday yet?",
        "Tomorrow.",
    ]
    assert len({one["conversation_id"] for one in said}) == 2
    refused(host.send("GET", f"/users/{ada}/days/2026-11-16/messages"), 404)


async def test_a_day_is_summed_up_anew(
    open_house: Callable[[Settings], House], settings: Settings, model: PretendModel
) -> None:
    def says(summary: str) -> None:
        model.otherwise = about("You sum up one day", well({"summary": summary}), well(finds()))

    given = {"llm_model": "openai-chat:pretend", "llm_base_url": model.url, "llm_api_key": "key"}
    host = Host(open_house(settings.model_copy(update=given)))
    says("The boiler broke.")
    ada = await host.call("conv_1", *BOILER)
    days = f"/users/{ada}/days/2026-11-17"
    assert "The boiler broke." in host.get(days)["summary"]

    says("Priya repairs the boiler.")
    assert host.send("POST", f"{days}/summary").status_code == 202
    assert "The boiler broke." in host.get(days)["summary"], "until there is another"
    await host.house.work()

    assert "Priya repairs the boiler." in host.get(days)["summary"]


# -- a person


async def test_people_are_found_by_how_their_name_begins(host: Host) -> None:
    ada, grace = host.user(name="Ada Byron"), host.user(name="Grace Hopper")

    assert [one["id"] for one in host.get("/users", name="ada b")["items"]] == [ada]
    assert [one["id"] for one in host.get("/users", name="G")["items"]] == [grace]
    assert host.get("/users", name="%")["items"] == []


async def test_all_that_is_known_of_a_person_is_exported(host: Host) -> None:
    ada, _ = await two_callers(host)

    response = host.send("GET", f"/users/{ada}/export")
    told = [json.loads(line) for line in response.text.splitlines()]

    assert [one["type"] for one in told[:2]] == ["user", "conversation"]
    assert {one["type"] for one in told} >= {"user", "conversation", "day", "fact", "prompt"}
    assert "My boiler broke last night." in response.text
    assert "plum cake" not in response.text, "somebody else said it"
    assert host.send("GET", "/conversations", params={"cursor": LATE}).status_code == 422
    refused(host.send("GET", "/users/usr_nobody/export"), 404)


async def test_where_an_edited_fact_came_from_is_exported(host: Host) -> None:
    ada, _ = await two_callers(host)
    [old, *_] = host.get(f"/users/{ada}/facts")["items"]
    edited = host.ok(host.send("PATCH", f"/facts/{old['id']}", json={"text": "Ada's boiler is new."}))

    lines = host.send("GET", f"/users/{ada}/export").text.splitlines()

    [told] = [one for one in map(json.loads, lines) if one["type"] == "fact" and one["id"] == edited["id"]]
    assert (told["supersedes"], told["provenance"]["origin"]) == (old["text"], "digest")
    assert told["provenance"]["sources"] == old["sources"]


# -- the search


async def test_what_was_said_is_found_with_the_words_it_was_found_by(host: Host) -> None:
    ada, grace = await two_callers(host)

    found = host.get(f"/users/{ada}/search", agent_id=AGENT, query="which boiler broke")

    [message] = [one for one in found if one["message_id"] and "boiler" in one["text"]]
    assert message["words"] == ["boiler", "broke"]
    assert (message["role"], message["day"]) == ("user", "2026-11-17")
    assert host.get(f"/users/{grace}/search", agent_id=OTHER, query="boiler") == []


async def test_it_is_searched_on_some_days(host: Host) -> None:
    ada, _ = await two_callers(host)

    def found(**days: str) -> bool:
        return bool(host.get(f"/users/{ada}/search", agent_id=AGENT, query="boiler", **days))

    assert found(day="2026-11-17")
    assert not found(day="2026-11-16")
    assert not found(until="2026-11-16")
    wrong = {"agent_id": AGENT, "query": "boiler", "since": "2026-11-18", "until": "2026-11-17"}
    assert "before since" in refused(host.send("GET", f"/users/{ada}/search", params=wrong), 422)


async def test_what_is_known_is_found(host: Host) -> None:
    ada, _ = await two_callers(host)
    given = {"agent_id": AGENT, "text": "Ada keeps two cats."}
    host.ok(host.send("POST", f"/users/{ada}/facts", json=given))

    [fact] = host.get(f"/users/{ada}/fact-search", agent_id=AGENT, query="the cats")

    assert (fact["text"], fact["words"]) == ("Ada keeps two cats.", ["cats"])


# -- a prompt


async def test_a_prompt_is_built_without_being_kept(host: Host) -> None:
    ada, _ = await two_callers(host)
    kept = host.get(f"/users/{ada}/prompts")["items"]

    preview = host.get(f"/users/{ada}/prompt-preview", agent_id=AGENT)

    assert "My boiler broke last night" in preview["prompt"]
    assert preview["snapshot"]["trigger"] == "preview"
    assert host.get(f"/users/{ada}/prompts")["items"] == kept


async def test_a_prompt_says_where_each_section_stands_and_what_it_may_have(host: Host) -> None:
    ada, _ = await two_callers(host)
    prompt = host.get(f"/users/{ada}/prompt-preview", agent_id=AGENT)

    sections = {one["name"]: one for one in prompt["snapshot"]["sections"]}
    spans = [(one["begins"], one["ends"]) for one in sections.values() if one["begins"] is not None]
    assert "\n\n".join(prompt["prompt"][begins:ends] for begins, ends in spans) == prompt["prompt"]
    persona, last_time = sections["persona"], sections["last_time"]
    assert prompt["prompt"][persona["begins"] :].startswith("# Who you are")
    assert prompt["prompt"][last_time["begins"] :].startswith("[LAST TIME]")
    assert (last_time["target"], last_time["cap"]) == (150, 250)
    assert sections["situation"]["shares"] == "relationship"
    assert prompt["snapshot"]["limit"] == 6150


# -- events


async def test_events_are_listed_with_what_became_of_them(host: Host) -> None:
    await two_callers(host)

    first = host.get("/events", limit=1)
    rest = host.get("/events", cursor=first["next"])
    assert [one["conversation_id"] for one in (*first["items"], *rest["items"])] == ["conv_2", "conv_1"]
    assert host.get("/events", status="failed")["items"] == []
    [one] = host.get("/events", conversation_id="conv_1")["items"]
    assert one["status"] == "ingested"


async def test_an_event_is_shown_as_it_came_in_and_ingested_again(host: Host) -> None:
    await host.call("conv_1", *BOILER)
    [event] = host.get("/events")["items"]

    whole = host.get(f"/events/{event['id']}")
    again = host.send("POST", f"/events/{event['id']}/replay")

    assert "My boiler broke last night." in whole["body"]
    assert (again.status_code, again.json()) == (202, {"events": 1, "digests": 0})
    assert host.get("/events")["items"][0]["status"] == "received"
    await host.house.work()
    assert host.get("/events")["items"][0]["status"] == "ingested"
    refused(host.send("POST", "/events/4711/replay"), 404)
    refused(host.send("GET", "/events/4711"), 404)


async def test_what_was_put_aside_is_listed_and_tried_again(host: Host) -> None:
    host.house.platform.post_call(b'{"type": "post_call_transcription", "data": {"conversation_id": "c"}}')
    await host.house.work()

    [failure] = host.get("/failures")
    assert (failure["conversation"], failure["status"]) == ("c", "failed")
    assert failure["reason"]
    assert host.get("/events", status="failed")["items"][0]["id"] == failure["event"]
    tried = host.send("POST", "/failures/retry")
    assert (tried.status_code, tried.json()["events"]) == (202, 1)
    assert [one["job"] for one in host.get("/queue") if one["queued"]] == ["ingest_later"]
