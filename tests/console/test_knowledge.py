"""What is known of a person, seen and changed in the console."""

import html
import re
from typing import Any

import pytest
from api.conftest import Host
from console.conftest import Browser
from console.test_days import timeline
from console.test_pages import DAY, ada, id_of
from pretend.elevenlabs import AGENT

from voice_server.console.pages import knowledge


async def fact(host: Host, user_id: str, text: str = "Ada keeps two cats.") -> Any:
    given = {"agent_id": AGENT, "text": text}
    return host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))


async def test_a_fact_is_worded_anew(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    old = await fact(host, user_id)

    browser.post(
        f"/facts/{old['id']}",
        {"do": "edit", "version": str(old["version"]), "text": "Ada keeps three cats."},
    )

    current = browser.page(f"/people/{user_id}/facts")
    assert "<bdi>Ada keeps three cats.</bdi>" in current
    assert "<bdi>Ada keeps two cats.</bdi>" not in current
    assert "<bdi>Ada keeps two cats.</bdi>" in browser.page(f"/people/{user_id}/facts?show=superseded")


async def test_a_fact_worded_anew_shows_where_it_was_said_and_its_earlier_words(
    host: Host, browser: Browser
) -> None:
    user_id = await host.call("conv_1", "user: I live in Lisbon.")
    [old] = host.get(f"/users/{user_id}/facts")["items"]
    host.house.clock.now += 3 * 86400

    browser.post(f"/facts/{old['id']}", {"do": "edit", "version": "1", "text": "Ada lives in Lisboa."})

    shown = browser.page(f"/people/{user_id}/facts")
    assert f'edited, before: <span dir="auto">{old["text"]}</span>' in html.unescape(shown)
    assert f"last said {old['last_said_on']}" in shown
    assert "by hand" not in shown
    place = f"/console/conversations/{old['sources'][0]['conversation_id']}?at=0#m0"
    assert f'href="{place}">where it was said</a>' in shown


async def test_an_edit_is_taken_back(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    old = await fact(host, user_id)
    assert 'value="undo"' not in browser.page(f"/people/{user_id}/facts")
    browser.post(f"/facts/{old['id']}", {"do": "edit", "version": "1", "text": "Ada keeps three cats."})
    edited = next(one for one in host.get(f"/users/{user_id}/facts")["items"] if one["edited"])
    assert 'value="undo">Undo the edit</button>' in browser.page(f"/people/{user_id}/facts")

    restored = browser.post(f"/facts/{edited['id']}", {"do": "undo", "version": str(edited["version"])})

    assert restored.headers["location"].endswith(f"#fact-{old['id']}")
    current = browser.page(f"/people/{user_id}/facts")
    assert "<bdi>Ada keeps two cats.</bdi>" in current
    assert "three cats" not in browser.page(f"/people/{user_id}/facts?show=all")


async def test_an_edit_that_was_edited_since_is_not_taken_back(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    old = await fact(host, user_id)
    browser.post(f"/facts/{old['id']}", {"do": "edit", "version": "1", "text": "Ada keeps three cats."})
    edited = next(one for one in host.get(f"/users/{user_id}/facts")["items"] if one["edited"])
    browser.post(f"/facts/{edited['id']}", {"do": "edit", "version": "1", "text": "Ada keeps five cats."})

    refused = browser.post(f"/facts/{edited['id']}", {"do": "undo", "version": "2"})

    assert (refused.status_code, "was edited since" in refused.text) == (409, True)


async def test_of_two_who_word_it_anew_the_second_sees_both(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    old = await fact(host, user_id)
    seen = {"do": "edit", "version": str(old["version"])}
    browser.post(f"/facts/{old['id']}", {"do": "pin", "version": str(old["version"])})

    refused = browser.post(f"/facts/{old['id']}", {**seen, "text": "Ada keeps four cats."})

    assert refused.status_code == 409
    assert "<bdi>Ada keeps two cats.</bdi>" in refused.text
    assert "Ada keeps four cats.</textarea>" in refused.text
    [version] = re.findall(r'name="version" value="(\d+)"', refused.text)
    browser.post(f"/facts/{old['id']}", {**seen, "version": version, "text": "Ada keeps four cats."})
    assert "<bdi>Ada keeps four cats.</bdi>" in browser.page(f"/people/{user_id}/facts")


async def test_of_two_edits_the_second_is_shown_the_first_and_takes_its_place(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    old = await fact(host, user_id)
    seen = {"do": "edit", "version": str(old["version"])}
    browser.post(f"/facts/{old['id']}", {**seen, "text": "Ada keeps three cats."})

    refused = browser.post(f"/facts/{old['id']}", {**seen, "text": "Ada keeps four cats."})

    assert refused.status_code == 409
    assert "<bdi>Ada keeps three cats.</bdi></p>" in refused.text
    [path] = re.findall(r'<form method="post" action="/console(/facts/\d+)"', refused.text)
    [version] = re.findall(r'name="version" value="(\d+)"', refused.text)
    browser.post(path, {**seen, "version": version, "text": "Ada keeps four cats."})
    current = browser.page(f"/people/{user_id}/facts")
    assert "<bdi>Ada keeps four cats.</bdi>" in current
    assert "<bdi>Ada keeps three cats.</bdi>" not in current


async def test_what_was_said_is_remembered(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    shown = timeline(browser, user_id)
    [message] = re.findall(
        r'last night\.</bdi><button[^>]* form="remember" name="message" value="([\d:]+)"', shown
    )

    kept = browser.post("/remember", {"message": message})

    assert kept.headers["location"].startswith(f"/console/people/{user_id}/facts?of=")
    facts = browser.page(f"/people/{user_id}/facts")
    assert re.search(r'pinned</span>\s+<bdi>"My boiler broke last night', facts.replace("&#34;", '"'))
    assert "· remembered from what was said" in facts


@pytest.mark.parametrize(
    ("message", "status"), [("", 409), ("x", 409), ("4711:1", 404), ("1:4711", 404), ("9" * 40 + ":1", 409)]
)
async def test_what_is_no_message_is_not_remembered(
    host: Host, browser: Browser, message: str, status: int
) -> None:
    await ada(host)

    assert browser.post("/remember", {"message": message}).status_code == status


async def test_what_was_to_be_forgotten_is_not_remembered_by_hand(host: Host, browser: Browser) -> None:
    await host.call("conv_1", "user: My therapist is called Vera.", "user: Please forget that.")
    [(talk,)] = await host.house.query("select id from conversations")

    refused = browser.post("/remember", {"message": f"{talk}:0"})

    assert (refused.status_code, "forgotten" in refused.text) == (409, True)


async def test_a_fact_says_where_it_was_said(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", "user: I live in Lisbon.")
    [talk] = host.get(f"/users/{user_id}/facts")["items"][0]["sources"]

    shown = browser.page(f"/people/{user_id}/facts")

    position = talk["positions"][0]
    place = f"/console/conversations/{talk['conversation_id']}?at={position}#m{position}"
    assert f'href="{place}">where it was said</a>' in shown


async def test_a_fact_leads_to_the_conversations_that_said_it(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", "user: I live in Lisbon.")
    host.house.clock.now += DAY
    await host.call("conv_2", "user: I live in Lisbon.")
    first, second = await id_of(host, "conv_1"), await id_of(host, "conv_2")

    [path] = re.findall(
        r'<a href="/console([^"]+)">in 2 conversations</a>', browser.page(f"/people/{user_id}/facts")
    )
    shown = browser.page(path)

    days = re.findall(r'href="(/console[^"]+)#(c\d+)"><time[^>]*>(\w+ \d+ \w+ \d+), ', shown)
    leads = f"/console/people/{user_id}/timeline/c"
    assert days == [
        (f"{leads}{second}", f"c{second}", "Wed 18 Nov 2026"),
        (f"{leads}{first}", f"c{first}", "Tue 17 Nov 2026"),
    ]
    assert shown.count('<span class="channel call">call</span>') == 2
    assert f'href="/console/conversations/{first}?at=0#m0">where it was said</a>' in shown
    assert "besides" not in shown


async def test_of_a_conversation_that_is_gone_it_is_said_and_so_what_was_said_in_none(
    host: Host, browser: Browser
) -> None:
    user_id = await host.call("conv_1", "user: I live in Lisbon.")
    await host.house.query(
        "update facts set times = 4, said_in = 'conv_gone', sources = sources || $1::jsonb",
        '[{"conversation_id": 4711, "positions": [0]}]',
    )
    [there] = host.get(f"/users/{user_id}/facts")["items"]

    shown = browser.page(f"/people/{user_id}/facts/{there['id']}")

    assert shown.count("A conversation that is no longer kept") == 2
    assert "And 1 time besides in no conversation" in shown
    by_hand = await fact(host, user_id)
    assert "In no conversation: it was said by hand" in browser.page(
        f"/people/{user_id}/facts/{by_hand['id']}"
    )


async def test_a_fact_is_on_no_page_of_somebody_else(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", "user: I live in Lisbon.")
    [there] = host.get(f"/users/{user_id}/facts")["items"]

    for path in (f"{host.user(name='Grace')}/facts/{there['id']}", f"{user_id}/facts/4711"):
        assert browser.get(f"/people/{path}").status_code == 404, path


async def test_a_fact_says_whether_it_is_told_now(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    await host.house.work()
    told = "0 told now: "
    await fact(host, user_id)

    assert "· told now ·" not in (before := browser.page(f"/people/{user_id}/facts"))
    assert told in before
    await host.house.work()
    after = browser.page(f"/people/{user_id}/facts")
    assert re.search(r"Ada keeps two cats\.</bdi>\s*<div[^>]*><span[^>]*>current · told now · ", after)
    assert "1 told now: " in after


async def test_nothing_but_a_sentence_is_a_fact(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    there = await fact(host, user_id)

    for text in ("", "  ", "x" * 1001):
        refused = browser.post(
            f"/facts/{there['id']}", {"do": "edit", "version": str(there["version"]), "text": text}
        )
        assert (refused.status_code, "The text:" in refused.text) == (409, True)
    assert host.get(f"/facts/{there['id']}") == there


async def test_a_thought_is_pinned_told_no_more_and_worded_anew(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    given = {"agent_id": AGENT, "text": "Ask how the move went."}
    thought = host.ok(host.send("POST", f"/users/{user_id}/thoughts", json=given))
    path = f"/thoughts/{thought['id']}"

    browser.post(path, {"do": "edit", "version": "1", "text": "Ask about the new flat."})
    browser.post(path, {"do": "pin", "version": "2"})
    assert re.search(
        r"pinned</span>\s+<bdi>Ask about the new flat", browser.page(f"/people/{user_id}/thoughts")
    )
    browser.post(path, {"do": "exclude", "version": "3"})

    assert "new flat" not in browser.page(f"/people/{user_id}/thoughts")
    assert "new flat" in browser.page(f"/people/{user_id}/thoughts?show=excluded")


async def test_a_closed_thread_is_opened_again(host: Host, browser: Browser) -> None:
    user_id = await host.call("conv_1", "user: Please send me the tax forms by Friday.")
    [thread] = host.get(f"/users/{user_id}/threads")["items"]
    path = f"/threads/{thread['id']}"

    browser.post(path, {"do": "close", "version": "1"})
    browser.post(path, {"do": "reopen", "version": "2"})

    assert "tax forms" in browser.page(f"/people/{user_id}/threads")


async def test_what_was_just_changed_stays_in_its_place_with_what_undoes_it(
    host: Host, browser: Browser
) -> None:
    user_id = await ada(host)
    _, told, _ = [await fact(host, user_id, f"Ada keeps {number} cats.") for number in ("two", "five", "six")]
    seen = {"version": "1", "show": "current"}

    excluded = browser.post(f"/facts/{told['id']}", {**seen, "do": "exclude"})

    shown = browser.page(excluded.headers["location"].removeprefix("/console"))
    assert re.findall(r"<bdi>Ada keeps (\w+) cats", shown) == ["six", "five", "two"]
    [row] = re.findall(rf'<li id="fact-{told["id"]}">.*?</li>', shown, re.DOTALL)
    assert ("excluded · " in row, "Tell it again</button>" in row) == (True, True)
    assert "Ada keeps five cats" not in browser.page(f"/people/{user_id}/facts")


async def test_how_they_stand_is_set_by_hand(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    stands = {"chapter": "friends", "score": "0.4", "intimacy": "0", "passion": "0", "trust": "0.5"}
    form = {**stands, "secureness": "0", "agent": AGENT, "version": "0", "backstory": "They met at sea."}

    set_so = browser.post(f"/people/{user_id}/relationship", form)

    assert set_so.headers["location"] == f"/console/people/{user_id}/relationship"
    told = host.get(f"/users/{user_id}/relationship", agent_id=AGENT)["state"]
    assert (told["chapter"], told["score"], told["metrics"]["trust"]) == ("friends", 0.4, 0.5)
    shown = browser.page(f"/people/{user_id}/relationship")
    assert 'value="friends"' in shown
    assert "They met at sea.</textarea>" in shown


async def test_of_two_who_set_it_the_second_sees_what_both_wrote(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    path, seen = f"/people/{user_id}/relationship", {"agent": AGENT, "version": "0"}
    browser.post(path, {**seen, "chapter": "friends"})

    refused = browser.post(path, {**seen, "chapter": "strangers", "backstory": "At sea,\r\nlong ago."})

    assert refused.status_code == 409
    assert re.search(r'value="strangers"> <span class="dim">now: friends</span>', refused.text)
    assert "At sea,\nlong ago.</textarea>" in refused.text
    assert host.get(f"/users/{user_id}/relationship", agent_id=AGENT)["state"]["chapter"] == "friends"


async def test_what_a_form_leaves_out_stays(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    path = f"/people/{user_id}/relationship"
    browser.post(path, {"agent": AGENT, "version": "0", "chapter": "friends", "backstory": "At sea."})

    browser.post(path, {"agent": AGENT, "version": "1", "score": "0.5"})

    told = host.get(f"/users/{user_id}/relationship", agent_id=AGENT)["state"]
    assert (told["chapter"], told["backstory"], told["score"]) == ("friends", "At sea.", 0.5)


async def test_the_newest_and_the_pinned_are_there_however_many_there_are(
    host: Host, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_id = await ada(host)
    monkeypatch.setattr(knowledge, "_READ", 2)
    pinned = await fact(host, user_id, "Ada is allergic to nuts.")
    browser.post(f"/facts/{pinned['id']}", {"do": "pin", "version": str(pinned["version"])})
    for number in range(3):
        await fact(host, user_id, f"Ada has read book number {number}.")

    shown = browser.page(f"/people/{user_id}/facts")
    assert "allergic to nuts" in shown
    assert "book number 2" in shown
    assert "book number 0" not in shown


async def test_each_fact_is_reached_however_many_there_are(
    host: Host, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_id = await ada(host)
    monkeypatch.setattr(knowledge, "_ROOM", 2500)
    first, *_ = [await fact(host, user_id, f"Ada has read book number {number}.") for number in range(5)]

    shown, seen = browser.page(f"/people/{user_id}/facts"), 0
    while following := re.findall(r'rel="next" href="([^"]+)"', shown):
        shown, seen = browser.page(f"/people/{user_id}/facts{html.unescape(following[0])}"), seen + 1

    assert seen >= 2
    assert f'id="fact-{first["id"]}"' in browser.page(f"/people/{user_id}/facts?show=all&of={first['id']}")


async def test_a_measure_that_is_none_sets_nothing(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    form = {"score": "2", "agent": AGENT, "version": "0"}

    refused = browser.post(f"/people/{user_id}/relationship", form)

    assert (refused.status_code, "score:" in refused.text) == (409, True)
    assert host.get(f"/users/{user_id}/relationship", agent_id=AGENT)["version"] == 0


async def test_to_change_a_word_of_it_leaves_what_conversations_added(host: Host, browser: Browser) -> None:
    user_id = await ada(host)
    host.ok(
        host.send("PUT", f"/users/{user_id}/relationship", params={"agent_id": AGENT}, json={"score": 0.333})
    )
    shown = browser.page(f"/people/{user_id}/relationship")
    form = dict(re.findall(r'name="(\w+)"[^>]*value="([^"]*)"', shown.partition("<h1>")[2]))

    browser.post(f"/people/{user_id}/relationship", {**form, "chapter": "friends", "backstory": ""})

    told = host.get(f"/users/{user_id}/relationship", agent_id=AGENT)["state"]
    assert (told["chapter"], told["score"]) == ("friends", 0.333)
