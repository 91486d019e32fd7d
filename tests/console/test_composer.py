"""Somebody writes to an agent from the console, as the person whose day they look at."""

import asyncio
import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from api.conftest import Host
from conftest import House
from console.conftest import SECRET, Browser
from console.test_days import timeline
from pretend.elevenlabs import AGENT
from pretend.model import PretendModel, says, status

from voice_server.settings import Settings

TO = urlencode({"agent": AGENT, "chat": ""})


@pytest.fixture
def host(open_house: Callable[[Settings], House], chatting: Settings) -> Host:
    return Host(open_house(chatting.model_copy(update={"console_secret": SECRET})))


@pytest.fixture
def ada(host: Host) -> str:
    host.ok(host.send("PUT", f"/agents/{AGENT}"))
    return host.user(name="Ada Byron")


def write(browser: Browser, user_id: str, text: str, turn: str = "t1", to: str = TO) -> str:
    """Where it leads."""
    sent = browser.post(f"/people/{user_id}/messages", {"to": to, "turn": turn, "text": text})
    assert sent.status_code == 303, sent.text
    return sent.headers["location"].removeprefix("/console").partition("#")[0]


def answer(browser: Browser, user_id: str, chat: str = "console-t1", turn: str = "t1") -> str:
    """What a page hears of it, up to its end."""
    return browser.get(f"/people/{user_id}/answer?chat={chat}&turn={turn}").text


def test_what_is_written_is_answered_and_kept(browser: Browser, ada: str, model: PretendModel) -> None:
    model.otherwise = says("Ten minutes ", "in the morning.")

    path = write(browser, ada, "Which exercises?")
    heard = answer(browser, ada)

    assert heard.endswith(
        'data: <bdi class="words">Ten minutes in the morning.</bdi>\n\nevent: changed\ndata: \n\n'
    )
    shown = browser.page(path)
    assert ">Which exercises?</bdi>" in shown
    assert ">Ten minutes in the morning.</bdi>" in shown
    assert 'id="answer"' not in shown
    assert re.search(r'<option value="[^"]*console-t1" selected>', shown), "the next one goes there, too"


async def test_who_leaves_hears_no_more_of_an_answer(browser: Browser, ada: str, model: PretendModel) -> None:
    model.otherwise = says("Ten ", "minutes.", pause=60)
    write(browser, ada, "Which exercises?")
    hears = asyncio.create_task(asyncio.to_thread(answer, browser, ada))
    await asyncio.sleep(0.5)

    browser.post("/logout")

    heard = await asyncio.wait_for(hears, 5)
    assert heard.endswith("event: changed\ndata: \n\n")
    assert "minutes." not in heard


def test_lines_end_as_everywhere_and_what_cannot_be_kept_is_left_out(
    browser: Browser, ada: str, model: PretendModel
) -> None:
    model.otherwise = says("Good morning.")
    write(browser, ada, "First line.\r\nSecond\0 line.")
    answer(browser, ada)

    assert ">First line.\nSecond line.</bdi>" in timeline(browser, ada)


def test_sent_twice_it_is_asked_once(browser: Browser, ada: str, model: PretendModel) -> None:
    model.otherwise = says("Good morning.")
    write(browser, ada, "Hello!")
    answer(browser, ada)

    write(browser, ada, "Hello!")

    assert len(model.asked) == 1
    assert timeline(browser, ada).count(">Hello!</bdi>") == 1


def test_the_continuous_chat_goes_on(host: Host, browser: Browser, ada: str, model: PretendModel) -> None:
    model.otherwise = says("Good morning.")
    path = write(browser, ada, "Hello!", to=urlencode({"agent": AGENT, "chat": "continuous"}))
    answer(browser, ada, chat=f"continuous:{ada}:{AGENT}")

    assert f"chat=continuous%3A{ada}%3A{AGENT}" in path
    assert [one["chat_id"] for one in host.get(f"/users/{ada}/chats")["items"]] == [
        f"continuous:{ada}:{AGENT}"
    ]


def test_while_it_is_answered_the_page_has_what_there_is_and_a_stop(
    browser: Browser, ada: str, model: PretendModel
) -> None:
    model.otherwise = says("Ten ", "minutes.", pause=60)
    path = write(browser, ada, "Which exercises?")

    shown = browser.page(path)
    assert "answers</h2>" in shown
    assert re.search(r'<option value="[^"]*console-t1" selected>', shown), (
        "what is written next goes there, too"
    )
    assert f'<noscript><meta http-equiv="refresh" content="3; url=/console{path}' in shown.replace(
        "&amp;", "&"
    )
    stopped = browser.post(f"/people/{ada}/answer/stop", {"chat": "console-t1", "turn": "t1"})
    assert stopped.status_code == 303
    assert "event: changed" in answer(browser, ada)
    assert "The answer was stopped, or broke off." in browser.page(path)


def test_a_model_that_fails_is_asked_again(browser: Browser, ada: str, model: PretendModel) -> None:
    model.then(status(401))
    model.otherwise = says("Ten minutes.")
    path = write(browser, ada, "Which exercises?")
    answer(browser, ada)

    shown = browser.page(path)
    assert "There is no answer (" in shown
    again = shown.partition('id="answer"')[2].partition("Ask again")[0]
    form = dict(re.findall(r'name="(to|turn|text)" value="([^"]*)"', again))
    write(browser, ada, form["text"], form["turn"], form["to"].replace("&amp;", "&"))
    answer(browser, ada)

    assert ">Ten minutes.</bdi>" in browser.page(path)
    assert timeline(browser, ada).count(">Which exercises?</bdi>") == 1


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"to": TO, "turn": "t1", "text": "   "},
        {"to": TO, "turn": "t1", "text": "x" * 20_001},
        {"to": TO, "text": "Hello!"},
        {"to": "agent=", "turn": "t1", "text": "Hello!"},
        {"to": TO, "turn": "t" * 5000, "text": "Hello!"},
        {"to": urlencode({"agent": AGENT, "chat": "c" * 5000}), "turn": "t1", "text": "Hello!"},
        {"to": urlencode({"agent": AGENT, "chat": "a/b"}), "turn": "t1", "text": "Hello!"},
        {"to": TO, "turn": "t1", "text": "x" * 400_000},
    ],
)
def test_a_form_that_says_nothing_is_answered_by_nobody(
    browser: Browser, ada: str, model: PretendModel, form: dict[str, str]
) -> None:
    assert browser.post(f"/people/{ada}/messages", form).status_code == 409
    assert not model.asked


def test_an_agent_and_a_person_nobody_knows_are_not_written_to(browser: Browser, ada: str) -> None:
    form = {"to": urlencode({"agent": "agent_none", "chat": ""}), "turn": "t1", "text": "Hello!"}

    assert browser.post(f"/people/{ada}/messages", form).status_code == 404
    assert browser.post("/people/usr_nobody/messages", {**form, "to": TO}).status_code == 404


def test_another_persons_answer_is_not_heard(
    host: Host, browser: Browser, ada: str, model: PretendModel
) -> None:
    model.otherwise = says("Good morning.")
    write(browser, ada, "Hello!")
    other = host.user()

    assert browser.get(f"/people/{other}/answer?chat=console-t1&turn=t1").status_code == 404
    assert "Hello!" not in timeline(browser, other, chat="console-t1", turn="t1")


def test_where_there_is_no_model_the_page_says_what_to_set(
    open_house: Callable[[Settings], House], settings: Settings
) -> None:
    host = Host(open_house(settings.model_copy(update={"console_secret": SECRET})))
    browser = Browser(host.house.client)
    browser.enter()
    user_id = host.user()

    assert "set <code>CHAT_MODEL</code>" in timeline(browser, user_id)
    refused = browser.post(f"/people/{user_id}/messages", {"to": TO, "turn": "t1", "text": "Hello!"})
    assert (refused.status_code, "CHAT_MODEL" in refused.text) == (503, True)


def test_where_nothing_may_be_changed_nobody_writes(
    open_house: Callable[[Settings], House], chatting: Settings
) -> None:
    more = {"console_secret": SECRET, "console_read_only": True}
    host = Host(open_house(chatting.model_copy(update=more)))
    browser = Browser(host.house.client)
    browser.enter()

    assert "Send" not in timeline(browser, host.user())
