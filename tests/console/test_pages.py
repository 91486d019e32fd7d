"""What the console shows."""

import asyncio
import html
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from api.conftest import Host
from api.routes.conversations.test_chats import silence, tell
from conftest import House
from console.conftest import SECRET, Browser
from pretend.elevenlabs import ADA, AGENT
from pretend.trouble import Trouble, until

from voice_server.console.pages import prompt
from voice_server.settings import Settings
from voice_server.store.prompts.prompt_history import PromptRecord

HOSTILE = "<script>alert(1)</script> & <b>bold</b> \u202eright to left\u202c 👋🏽 {{ 7191 * 7 }}"
BOILER = ("agent: Hello!", "user: My boiler broke last night.", "agent: Priya repairs it on Monday.")
DAY = 86_400


async def ada(host: Host) -> str:
    user_id = await host.call("conv_1", *BOILER)
    host.ok(host.send("PATCH", f"/users/{user_id}", json={"name": "Ada Byron"}))
    await host.house.work()
    return user_id


async def id_of(host: Host, name: str) -> int:
    [(id_,)] = await host.house.query("select id from conversations where platform_id = $1", name)
    return int(id_)


async def pages(host: Host, user_id: str) -> list[str]:
    """All that there are."""
    talk = await id_of(host, "conv_1")
    [prompt, *_] = host.get(f"/users/{user_id}/prompts")["items"]
    facts = host.get(f"/users/{user_id}/facts")["items"]
    agent = f"?agent={AGENT}"
    return [
        "/",
        "/people",
        "/people?find=Ada",
        f"/people/{user_id}",
        f"/people/{user_id}/timeline/2026-11-17{agent}",
        f"/people/{user_id}/timeline/today",
        f"/people/{user_id}/timeline/c{talk}",
        f"/people/{user_id}/facts",
        f"/people/{user_id}/facts?show=all",
        *(f"/people/{user_id}/facts/{one['id']}" for one in facts),
        f"/people/{user_id}/threads?show=all",
        f"/people/{user_id}/thoughts?show=all",
        f"/people/{user_id}/relationship",
        f"/people/{user_id}/prompts/{prompt['version']}{agent}",
        f"/people/{user_id}/prompts/now{agent}",
        f"/people/{user_id}/search?q=boiler",
        f"/people/{user_id}/search?q=boiler&in=facts",
        f"/conversations/{talk}",
        f"/conversations/{talk}/prompt",
        "/events",
        "/events/1",
        "/events/retry",
        "/agents",
        f"/agents/{AGENT}",
    ]


async def test_an_empty_server_says_what_to_do(browser: Browser) -> None:
    assert "scripts/simulate_call --play week" in browser.page()
    assert "Nobody is known yet" in browser.page("/people")


async def test_the_overview_has_the_latest_conversations(host: Host, browser: Browser) -> None:
    user_id = await ada(host)

    shown = browser.page()
    assert "All is well." in shown
    assert f'<a href="/console/people/{user_id}">Ada Byron</a>' in shown
    assert "My boiler broke last night" in shown


async def test_it_says_what_was_put_aside_and_has_it_tried_again(host: Host, browser: Browser) -> None:
    host.house.platform.post_call(b'{"type": "post_call_transcription", "data": {"conversation_id": "c"}}')
    await host.house.work()

    assert "1 put aside: post_call_transcription, " in browser.page()
    assert '<a href="/console/events/retry">Try 1 event again …</a>' in browser.page("/events")
    assert browser.post("/events/retry").headers["location"] == "/console/events"
    assert await host.house.query("select status from webhook_events") == [("received",)]


async def test_before_what_was_put_aside_is_tried_again_it_is_said_how_much_that_is(
    host: Host, browser: Browser
) -> None:
    await ada(host)
    for name in ("a", "b"):
        event = b'{"type": "post_call_transcription", "data": {"conversation_id": "%s"}}' % name.encode()
        host.house.platform.post_call(event)
    await host.house.work()
    await host.house.query("update conversations set digest_state = 'failed'")

    asked = browser.page("/events/retry")

    assert "<h1>Try 2 events and 1 digest again?</h1>" in asked
    assert ">Try 2 events and 1 digest again …</a>" in browser.page("/events")
    assert await host.house.query("select distinct status from webhook_events where id > 1") == [("failed",)]
    [path] = re.findall(r'<form method="post" action="/console(/events/[^"]+)"', asked)
    browser.post(path)
    assert await host.house.query("select status from webhook_events where id > 1") == [("received",)] * 2
    assert "Nothing to try again" in browser.page("/events/retry")
    assert "/events/retry" not in browser.page("/events")


async def test_the_overview_tells_how_much_there_was(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: Is it Monday yet?", chat="trip")

    shown = browser.page()
    assert "<dd>1 call, 1 chat</dd>" in shown
    assert 'aria-label="In the last 24 hours 1 calls and 1 chats began"' in shown
    assert re.search(r"10:00 UTC: 1 calls, 1 chats</title><rect[^>]* y=\"0.0\"[^>]* height=\"32.0\"", shown)


async def test_of_somebody_who_never_called_it_is_said(host: Host, browser: Browser) -> None:
    shown = browser.page(f"/people/{host.user(name='Ada Byron')}")

    assert [word in shown for word in ("None is summed up yet.", "None was built yet.", "None yet.")] == [
        True
    ] * 3


async def test_the_conversations_of_a_person_name_agents_where_there_are_several(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    one = _columns(browser.page(f"/people/{user_id}"))
    await host.call("conv_2", "user: My bicycle has a flat tyre.", agent="agent_abe")

    two = browser.page(f"/people/{user_id}")

    assert one == ["began", "channel", "took", "what was said", "told"]
    assert _columns(two) == ["began", "channel", "agent", "took", "what was said", "told"]
    assert re.findall(r'<td class="dim short">(\w+)</td>', two) == ["agent_abe", AGENT]
    assert {"with", "agent"} < set(_columns(browser.page()))


def _columns(shown: str) -> list[str]:
    return re.findall(r'<th scope="col"[^>]*>([^<]+)</th>', shown)


async def test_one_of_a_kind_is_no_plural(host: Host, browser: Browser) -> None:
    host.ok(host.send("PUT", f"/agents/{AGENT}"))
    user_id = host.user(name="Ada Byron")
    given = {"agent_id": AGENT, "text": "Ada keeps two cats."}
    host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))

    shown = browser.page(f"/people/{user_id}")

    assert ">1 fact</a>" in shown
    assert ">0 threads open</a>" in shown


async def test_the_list_of_people_says_when_each_was_last_heard_of(host: Host, browser: Browser) -> None:
    await ada(host)

    shown = browser.page("/people")
    assert re.search(r'10:3\d</time></td><td class="number"[^>]*>1</td>', shown)


async def test_every_page_with_a_time_says_of_which_zone_it_is(host: Host, browser: Browser) -> None:
    await ada(host)

    with_times = {path: shown for path, shown in browser.crawl(1).items() if "<time" in shown}

    assert {"/console/", "/console/people", "/console/events"} < with_times.keys()
    assert [path for path, shown in with_times.items() if "Times are in " not in shown] == []


@pytest.mark.parametrize("agent", ["a/b", "1234567890123456789", "with space & ?query#part"])
async def test_an_agent_of_whatever_id_has_its_page(host: Host, browser: Browser, agent: str) -> None:
    host.house.platform.pre_call(agent=agent)
    await until(lambda: _knows(host, agent))

    [path] = re.findall(r'<td><a href="/console(/agents/[^"]+)"', browser.page("/agents"))
    assert "Sections in the order" in browser.page(path)


async def _knows(host: Host, agent: str) -> bool:
    return bool(await host.house.query("select from agents where id = $1", agent))


async def test_where_nothing_may_be_changed_no_page_has_a_button_for_it(
    open_house: Callable[[Settings], House], settings: Settings
) -> None:
    given = {"console_secret": SECRET, "console_read_only": True}
    host = Host(open_house(settings.model_copy(update=given)))
    browser = Browser(host.house.client)
    browser.enter()
    user_id = await ada(host)

    for path in await pages(host, user_id):
        buttons = re.findall(r"<button[^>]*>([^<]*)</button>", browser.get(path).text)
        assert set(buttons) <= {"Leave", "Close", "Find", "Search", "Go", "Show"}, path


async def test_a_page_of_somebody_who_was_erased_is_loaded_anew(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    host.send("DELETE", f"/users/{user_id}")

    gone = browser.get(f"/people/{user_id}", {"hx-request": "true"})

    assert (gone.status_code, gone.headers["hx-refresh"]) == (404, "true")


async def test_an_agent_shows_how_it_is_set_up_and_what_strangers_hear(host: Host, browser: Browser) -> None:
    await ada(host)
    await until(lambda: _is_kept(host))

    shown = browser.page(f"/agents/{AGENT}")
    assert re.search(r"open_threads</th><td[^>]*>250</td><td[^>]*>400</td>", shown)
    assert "for callers whom nobody knows" in browser.page(f"/agents/{AGENT}/prompt")
    assert browser.get("/agents/agent_none").status_code == 404


async def test_an_agent_shows_what_is_wrong_with_its_own_templates(
    open_console: Callable[..., Host], templates: Path
) -> None:
    folder = templates / "robin"
    folder.mkdir()
    (folder / "agent.toml").write_text(f'ids = ["{AGENT}"]')
    (folder / "persona.jinja").write_text("You are\n{{ nmae }}")
    host = open_console(prompt_templates=templates)
    for agent in (AGENT, "agent_wren"):
        host.ok(host.send("PUT", f"/agents/{agent}"))
    browser = Browser(host.house.client)
    browser.enter()

    assert f"{folder / 'persona.jinja'} line 2: nothing is called nmae" in browser.page(f"/agents/{AGENT}")
    assert "nothing is called" not in browser.page("/agents/agent_wren")
    assert browser.page("/agents").count("with errors") == 1


async def _is_kept(host: Host) -> bool:
    return bool(await host.house.query("select from default_prompts"))


async def test_an_event_leads_to_its_conversation_while_that_is_there(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    talk = await id_of(host, "conv_1")
    place = f'<a href="/console/people/{user_id}/timeline/c{talk}#c{talk}">'
    host.house.platform.post_call(b'{"type": "post_call_transcription", "data": {"conversation_id": "c"}}')
    await host.house.work()

    listed, shown = browser.page("/events"), browser.page("/events/1")

    assert listed.count(f"{place}conv_1</a>") == 1
    assert f"{place}The conversation that it tells of</a>" in shown
    assert '<td data-label="conversation">c</td>' in listed
    assert "The conversation that it tells of" not in browser.page("/events/2")
    assert host.send("DELETE", f"/conversations/{talk}").status_code == 204
    assert "/timeline/c" not in browser.page("/events")


async def test_an_event_of_nobody_known_leads_to_the_page_of_its_conversation(
    host: Host, browser: Browser
) -> None:
    host.report("conv_hidden", *BOILER, caller="")
    await host.house.work()
    talk = await id_of(host, "conv_hidden")

    assert f'<a href="/console/conversations/{talk}">conv_hidden</a>' in browser.page("/events")


async def test_a_digest_that_was_put_aside_leads_to_its_conversation(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: Is it Monday yet?", chat="trip")
    await silence(host, 7200)
    await host.house.query("update conversations set digest_state = 'failed'")
    [(call, _), (chat, name)] = await host.house.query(
        "select id, platform_id from conversations order by id"
    )

    put_aside = browser.page("/events").partition("<h2>Jobs")[0]

    for talk, shown in ((call, "conv_1"), (chat, name)):
        assert f'/timeline/c{talk}#c{talk}">{html.escape(shown)}</a>' in put_aside


async def test_an_event_is_shown_and_ingested_again(host: Host, browser: Browser) -> None:
    await ada(host)

    assert "My boiler broke last night." in browser.page("/events/1")
    assert browser.post("/events/1/replay").headers["location"] == "/console/events/1"
    assert await host.house.query("select status from webhook_events") == [("received",)]


@pytest.mark.parametrize("wanted", ["ada", "ADA BY", "%2B14155550101", "(415) 555-0101"])
async def test_a_person_is_found_by_how_their_name_begins_or_their_number(
    host: Host, browser: Browser, wanted: str
) -> None:
    user_id = await ada(host)

    assert browser.get(f"/people?find={wanted}").headers["location"] == f"/console/people/{user_id}"
    assert "Nobody is known so." in browser.page("/people?find=Grace")
    assert "Nobody is known so." in browser.page("/people?find=%25")


async def test_of_many_who_are_found_it_is_said_that_there_are_more(host: Host, browser: Browser) -> None:
    few, many = (
        (host.user(name="Grace Hopper") for _ in range(2)),
        (host.user(name="Ada Byron") for _ in range(51)),
    )
    assert len([*few, *many]) == 53

    assert "Write more of the name" in (shown := browser.page("/people?find=Byron"))
    assert shown.count(">Ada Byron<") == 50
    assert "Write more of the name" not in browser.page("/people?find=Hopper")


async def test_a_persons_number_is_masked_until_asked_for(host: Host, browser: Browser) -> None:
    user_id = await ada(host)

    assert f"<summary>tel ••• {ADA[-4:]}</summary>tel:{ADA}</details>" in browser.page(f"/people/{user_id}")
    assert ADA not in browser.page("/people")


async def test_the_timeline_has_phone_and_chat_in_order(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: Is it Monday yet?", "agent: Tomorrow.", chat="trip")
    await silence(host, 120)

    shown = browser.page(f"/people/{user_id}/timeline/2026-11-17?agent={AGENT}")
    said = ("My boiler broke last night.", "Priya repairs it on Monday.", "Is it Monday yet?", "Tomorrow.")
    places = [shown.index(f">{words}</bdi>") for words in said]
    assert places == sorted(places)
    assert "Summary of the day" in shown
    assert f"/console/conversations/{await id_of(host, 'conv_1')}/prompt" in shown


async def test_one_day_leads_to_the_next(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    host.house.clock.now += DAY
    await host.call("conv_2", "user: It is warm again.")

    first = browser.page(f"/people/{user_id}/timeline/2026-11-17?agent={AGENT}")
    second = browser.page(f"/people/{user_id}/timeline/2026-11-18?agent={AGENT}")
    assert f'rel="next" href="/console/people/{user_id}/timeline/2026-11-18' in first
    assert f'rel="prev" href="/console/people/{user_id}/timeline/2026-11-17' in second


async def test_who_looks_for_words_finds_them_with_whichever_agent(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", *BOILER, agent="agent_zoe")
    await host.call("conv_2", "agent: Hello!", "user: My bicycle has a flat tyre.", agent="agent_abe")
    await host.house.work()

    shown = html.unescape(browser.page(f"/people/{user_id}/search?q=boiler&in=all"))

    assert "My boiler broke last night." in shown
    kinds = re.findall(r'<p class="dim">(\w+) · ', shown)
    assert kinds == sorted(kinds, reverse=True), "summaries first"
    assert set(kinds) == {"summary", "message"}
    assert "Nothing was found" in browser.page(f"/people/{user_id}/search?q=boiler&in=all&agent=agent_abe")


async def test_the_overview_says_when_redis_does_not_answer(
    open_house: Callable[[Settings], House], fragile: Settings, trouble: Trouble
) -> None:
    browser = Browser(open_house(fragile.model_copy(update={"console_secret": SECRET})).client)
    browser.enter()
    assert "All is well." in browser.page("/")

    trouble.freeze("valkey")
    shown = (await asyncio.to_thread(browser.get)).text

    assert "Redis does not answer" in shown
    assert "All is well." not in shown


async def test_the_overview_says_when_no_worker_takes_a_call_up(host: Host, browser: Browser) -> None:
    host.report("conv_1", *BOILER)
    assert "All is well." in browser.page("/")

    await host.house.query("update pgqueuer set created = now() - interval '2 minutes'")
    await host.house.query("update pgqueuer set execute_after = created")

    assert "A call has waited for 12" in browser.page("/")
    assert "All is well." not in browser.page("/")


async def test_a_prompt_is_shown_section_by_section_with_what_it_rests_on(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    prompt = host.get(f"/users/{user_id}/prompt-preview", agent_id=AGENT)

    shown = browser.page(f"/people/{user_id}/prompts/now?agent={AGENT}")
    for section in prompt["snapshot"]["sections"]:
        label = f"{section['tokens']} tokens; target {section['target']}, cap {section['cap']}"
        assert f'aria-label="{label}' in shown, section["name"]
    assert "[LAST TIME]" in shown
    talk = await id_of(host, "conv_1")
    assert re.search(rf'<a href="/console/conversations/{talk}\?at=(\d)#m\1">messages/{talk}:\1</a>', shown)


async def test_behind_each_line_of_a_prompt_is_what_it_rests_on(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    talk = await id_of(host, "conv_1")

    shown = browser.page(f"/people/{user_id}/prompts/now?agent={AGENT}")

    lines = dict(re.findall(r"<summary>([^<]+)</summary><ul>(.+?)</ul>", shown, re.DOTALL))
    [boiler] = [line for line in lines if "My boiler broke" in line]
    assert f"messages/{talk}:1" in lines[boiler]
    assert "My boiler broke last night." in lines[boiler]


async def test_a_section_of_prose_rests_on_its_rows_as_a_whole(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    where = {"params": {"agent_id": AGENT}}
    host.ok(host.send("PUT", f"/users/{user_id}/relationship", json={"chapter": "old friends"}, **where))

    shown = browser.page(f"/people/{user_id}/prompts/now?agent={AGENT}")

    [section] = re.findall(r'<section class="panel" id="relationship">(.+?)</section>', shown, re.DOTALL)
    assert "It rests on 1" in section


def test_behind_a_line_is_what_it_tells_and_the_rest_behind_its_section() -> None:
    text = '[A]\n- Ada: "I moved (17 November)." … "Yes." You: "Good luck!"\n- Ada likes plums.\n'
    text += '- You asked "Tea?" Ada: "Yes, please."\n[/A]'
    texts = {
        "messages/1:1": "So, um, I moved. It was hard.",
        "messages/1:2": "Good luck!",
        "messages/1:4": "I moved the car.",
        "facts/3": "Ada likes plums.",
        "facts/4": "Ada likes pears.",
        "facts/5": '"Tea?" – "Yes, please."',
    }
    section = {"name": "a", "tokens": 9, "items_kept": 2, "items_dropped": 0, "begins": 0, "ends": len(text)}
    named = ["messages/1:1 messages/1:2", "messages/1:4", "facts/3", "facts/4", "facts/5", "conversations/9"]
    snapshot = {"sections": [{**section, "sources": named}]}

    [bar] = prompt.bars(
        PromptRecord(None, AGENT, "v1", datetime(2026, 11, 17, tzinfo=UTC), text, snapshot), texts
    )

    assert [line.sources for line in bar.lines] == [
        [],
        ["messages/1:1", "messages/1:2", "messages/1:4"],
        ["facts/3"],
        ["facts/5"],
        [],
    ]
    assert bar.sources == ["facts/4", "conversations/9"]


async def test_a_section_that_a_page_has_no_room_for_is_shown_by_itself(
    host: Host, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_id = await ada(host)
    path = f"/people/{user_id}/prompts/now?agent={AGENT}"
    assert "&amp;section=" not in browser.page(path)

    monkeypatch.setattr(prompt, "_TOLD", 100)
    shown = browser.page(path)

    assert "My boiler broke" not in shown.partition("Left out")[0]
    links = {html.unescape(one) for one in re.findall(r'<a href="([^"]+&amp;section=[^"]+)">', shown)}
    alone = [browser.page(f"/people/{user_id}/prompts/now{one}") for one in links]
    assert any("My boiler broke last night" in one for one in alone)
    assert all(one.count('<section class="panel"') == 1 for one in alone)


async def test_what_was_left_out_is_told_in_its_words(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    talk = await id_of(host, "conv_1")
    item = f"messages/{talk}:1 messages/{talk}:2"
    dropped = [{"section": "working_memory", "item": item, "tokens": 9, "rule": "1: hard cap"}]
    dropped += [{"section": "long_term_memory", "item": "facts/4711", "tokens": 5, "rule": "excluded"}]
    await host.house.query(
        "update generated_prompts set context_snapshot = jsonb_set(context_snapshot, '{dropped}', $1)",
        json.dumps(dropped),
    )
    version = host.get(f"/users/{user_id}/prompts")["items"][0]["version"]

    shown = browser.page(f"/people/{user_id}/prompts/{version}?agent={AGENT}").partition('id="left-out"')[2]

    for position, words in ((1, "My boiler broke last night."), (2, "Priya repairs it on Monday.")):
        place = f'href="/console/conversations/{talk}?at={position}#m{position}"'
        title = f'title="messages/{talk}:{position}"'
        assert f'<bdi>{words}</bdi> <a class="aside" {place} {title}>where it was said</a>' in shown
    assert "1: hard cap" in shown
    assert "no longer kept" in shown
    assert not re.search(r">\s*(messages|facts)/", shown)


async def test_a_prompt_says_whether_it_was_told_why_it_was_built_and_how_often_it_was_heard(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    told = host.get(f"/users/{user_id}/prompts")["items"][0]["version"]
    await host.house.query("update conversations set prompt_version = $1", told)

    kept = browser.page(f"/people/{user_id}/prompts/{told}?agent={AGENT}")
    now = browser.page(f"/people/{user_id}/prompts/now?agent={AGENT}")

    assert "<h1>What the agent was told</h1>" in kept
    assert re.search(r"</time> after a change in [\d.]+ ms · ", kept)
    assert "heard in 1 conversation · " in kept
    assert "<h1>What the agent would be told now</h1>" in now
    assert "</time> without keeping it · " in now


async def test_a_prompt_is_there_as_text(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    told = host.get(f"/users/{user_id}/prompt-preview", agent_id=AGENT)["prompt"]

    [link] = re.findall(
        r'href="([^"]+as=text)"', browser.page(f"/people/{user_id}/prompts/now?agent={AGENT}")
    )

    assert browser.get(f"/people/{user_id}/prompts/now{html.unescape(link)}").text == told


async def test_a_bar_is_as_long_as_its_tokens(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    sections = host.get(f"/users/{user_id}/prompt-preview", agent_id=AGENT)["snapshot"]["sections"]
    most = max(max(one["tokens"], one["cap"]) for one in sections)

    shown = browser.page(f"/people/{user_id}/prompts/now?agent={AGENT}")
    drawn = [float(one) for one in re.findall(r'class="filled" x="0" y="6" width="([\d.]+)"', shown)]
    assert drawn == [round(one["tokens"] * 240 / most, 1) for one in sections]


async def test_a_bar_says_whether_it_is_above_its_target(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    budget = {"target": 250, "cap": 400, "items_kept": 1, "items_dropped": 0}
    sections = [{"name": "last_time", "tokens": 250, **budget}, {"name": "persona", "tokens": 251, **budget}]
    await host.house.query(
        "update generated_prompts set context_snapshot = jsonb_set(context_snapshot, '{sections}', $1)",
        json.dumps(sections),
    )
    version = host.get(f"/users/{user_id}/prompts")["items"][0]["version"]

    shown = browser.page(f"/people/{user_id}/prompts/{version}?agent={AGENT}")

    assert 'aria-label="250 tokens; target 250, cap 400"' in shown
    assert 'aria-label="251 tokens; target 250, cap 400; above its target"' in shown


async def test_what_changed_since_an_earlier_prompt_is_marked(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    before = host.get(f"/users/{user_id}/prompts")["items"][0]["version"]
    host.house.clock.now += DAY
    await host.call("conv_2", "user: I moved to Lisbon.")

    shown = browser.page(f"/people/{user_id}/prompts/now?agent={AGENT}&since={before}")
    assert re.search(r"<ins>[^<]*I moved to Lisbon", shown)
    assert "<del>" in shown


async def test_what_was_said_is_found(host: Host, browser: Browser) -> None:
    user_id = await ada(host)

    shown = browser.page(f"/people/{user_id}/search?q=boiler")
    assert (
        f'<a href="/console/conversations/{await id_of(host, "conv_1")}?at=1#m1"><bdi>My boiler broke'
        in shown
    )
    assert "by boiler" in shown
    assert "Nothing was found." in browser.page(f"/people/{user_id}/search?q=submarine")
    assert "Nothing was found." in browser.page(f"/people/{user_id}/search?q=submarine&in=day&day=9999-12-31")
    assert ">My boiler broke" in browser.page(f"/people/{user_id}/search?q=boiler&in=day&day=2026-11-17")


async def test_what_has_none_of_the_words_says_how_else_it_was_found(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", "agent: How old is your boiler?", "user: Eleven years.")

    shown = browser.page(f"/people/{user_id}/search?q=boiler")

    assert re.search(r"<bdi>Eleven years\..*?none of the words: beside what has them", shown, re.DOTALL)


async def test_what_people_say_is_text_on_every_page(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", f"user: My boiler broke. {HOSTILE}", f"agent: {HOSTILE}")
    tell(host, user_id, f"user: {'x' * 20_000}", "agent: Oh.", chat="trip")
    given = {"agent_id": AGENT, "text": f"She said {HOSTILE}"}
    host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))
    await silence(host, 120)

    for path in await pages(host, user_id):
        shown = browser.get(path).text
        assert "<script>" not in shown, path
        assert "<b>bold" not in shown, path
        assert "50337" not in shown, path


async def test_a_fact_is_pinned_and_told_no_more(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    given = {"agent_id": AGENT, "text": "Ada keeps two cats."}
    fact = host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))
    path = f"/facts/{fact['id']}"

    pinned = browser.post(path, {"do": "pin", "version": str(fact["version"])})
    assert (
        pinned.headers["location"]
        == f"/console/people/{user_id}/facts?show=&of={fact['id']}#fact-{fact['id']}"
    )
    assert re.search(r"pinned</span>\s+<bdi>Ada keeps two cats.", browser.page(f"/people/{user_id}/facts"))
    version = str(host.get(f"/facts/{fact['id']}")["version"])
    browser.post(path, {"do": "exclude", "version": version})
    await host.house.work()

    assert "Ada keeps two cats." not in browser.page(f"/people/{user_id}/facts")
    assert "Ada keeps two cats." in browser.page(f"/people/{user_id}/facts?show=excluded")
    told, _, left_out = browser.page(f"/people/{user_id}/prompts/now?agent={AGENT}").partition("<h2>Left out")
    assert "two cats" not in told
    assert re.search(
        r"<bdi>Ada keeps two cats\.</bdi> .+</div>\s*</td><td[^>]*>\d+</td><td[^>]*>excluded", left_out
    )


async def test_what_somebody_else_changed_meanwhile_is_not_overwritten(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    given = {"agent_id": AGENT, "text": "Ada keeps two cats."}
    fact = host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))
    seen = {"version": str(fact["version"])}
    browser.post(f"/facts/{fact['id']}", {"do": "pin", **seen})

    response = browser.post(f"/facts/{fact['id']}", {"do": "exclude", **seen})

    assert response.status_code == 409
    assert "changed meanwhile" in response.text
    assert not host.get(f"/facts/{fact['id']}")["excluded"]


async def test_what_was_left_open_is_closed(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", "user: Please send me the tax forms by Friday.")
    [thread] = host.get(f"/users/{user_id}/threads")["items"]

    browser.post(f"/threads/{thread['id']}", {"do": "close", "version": str(thread["version"])})

    assert host.get(f"/threads/{thread['id']}")["status"] == "closed"
    assert "tax forms" not in browser.page(f"/people/{user_id}/threads")
    assert "closed by hand" in browser.page(f"/people/{user_id}/threads?show=closed")


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"do": "burn", "version": "1"},
        {"do": "pin"},
        {"do": "pin", "version": "x"},
        {"do": "pin", "version": "9" * 5000},
        {"do": "pin", "version": "1", "show": "x" * 50_000},
    ],
)
async def test_a_form_that_says_nothing_changes_nothing(
    host: Host, browser: Browser, form: dict[str, str]
) -> None:
    user_id = await ada(host)
    given = {"agent_id": AGENT, "text": "Ada keeps two cats."}
    fact = host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))

    assert browser.post(f"/facts/{fact['id']}", form).status_code == 409
    assert host.get(f"/facts/{fact['id']}") == fact


async def test_looking_changes_nothing(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    every = await pages(host, user_id)
    before = await rows(host)

    for path in every:
        browser.get(path)

    assert await rows(host) == before


async def rows(host: Host) -> Any:
    """What pages might change."""
    return await host.house.query(
        "select (select count(*) from generated_prompts), (select count(*) from pgqueuer),"
        " (select sum(requested) from pending_work), (select max(version) from users),"
        " (select string_agg(in_cache::text || built_at::text, '') from cached_voice_prompts),"
        " (select count(*) from messages), (select string_agg(status, '') from webhook_events)"
    )


@pytest.mark.parametrize(
    "path",
    [
        "/people/usr_nobody",
        "/people/usr_nobody/search",
        "/conversations/4711",
        "/conversations/4711/prompt",
        "/events/4711",
        "/nothing",
        "/people?find=%00",
        "/people/%00",
        "/conversations/9223372036854775808",
        f"/events/{'9' * 5000}",
    ],
)
async def test_what_is_not_there_is_said(browser: Browser, path: str) -> None:
    response = browser.get(path)

    assert response.status_code == 404
    assert "To the overview" in response.text


@pytest.mark.parametrize("path", ["/", "/people", "/events", "/agents"])
async def test_a_link_into_a_list_that_is_not_whole_is_said_on_a_page(browser: Browser, path: str) -> None:
    response = browser.get(f"{path}?cursor=half")

    assert response.status_code == 422
    assert "To the overview" in response.text


async def test_a_day_without_talk_and_a_prompt_that_is_gone_are_said(host: Host, browser: Browser) -> None:
    user_id = await ada(host)

    assert "Nothing was said on this day." in browser.page(f"/people/{user_id}/timeline/2026-11-16")
    for path in ("timeline/yesterday", f"prompts/v0?agent={AGENT}", "prompts/now?agent=x"):
        assert browser.get(f"/people/{user_id}/{path}").status_code == 404, path


@pytest.mark.parametrize("harm", [Trouble.take_down, Trouble.freeze])
async def test_while_postgres_is_away_a_page_says_so(
    open_house: Callable[[Settings], House],
    fragile: Settings,
    trouble: Trouble,
    harm: Callable[[Trouble, str], None],
) -> None:
    given = {"console_secret": SECRET, "database_deadline_seconds": 1.0}
    browser = Browser(open_house(fragile.model_copy(update=given)).client)
    browser.enter()
    harm(trouble, "postgres")

    response = await asyncio.to_thread(browser.get)

    assert response.status_code == 503
    assert "does not answer" in response.text
