"""Who is let into the console, and how."""

import asyncio
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from api.conftest import Host
from conftest import House
from console.conftest import SECRET, Browser
from pretend.trouble import Trouble
from redis.asyncio import Redis
from starlette.testclient import TestClient

from voice_server.console.session import COOKIE, link_token
from voice_server.settings import Settings

Open = Callable[..., Host]
PATHS = ["/", "/people", "/events", "/agents", "/events/1", "/conversations/1"]


def stranger(host: Host) -> Browser:
    return Browser(host.house.client)


@pytest.mark.parametrize("path", PATHS)
def test_a_stranger_is_asked_to_log_in(host: Host, path: str) -> None:
    response = stranger(host).get(path)

    to = "" if path == "/" else f"?{urlencode({'to': f'/console{path}'})}"
    assert (response.status_code, response.headers["location"]) == (303, f"/console/login{to}")


def test_a_page_whose_session_is_over_goes_to_the_login_as_a_whole(host: Host) -> None:
    response = stranger(host).get("/", {"hx-request": "true"})

    assert (response.status_code, response.headers["hx-redirect"]) == (401, "/console/login")


def test_who_logs_in_is_led_to_what_they_asked_for_and_never_elsewhere(open_console: Open) -> None:
    browser = stranger(open_console(console_password="open sesame"))
    asked = {"/console/people?find=Ada": "/console/people?find=Ada", "//evil.example/": "/console/"}
    for to in ("https://evil.example", "/console/people\r\nset-cookie: a=b", "/api/users"):
        asked[to] = "/console/"

    for to, leads in asked.items():
        assert 'name="to"' in browser.get(f"/login?{urlencode({'to': to})}").text
        opened = browser.post("/login", {"password": "open sesame", "to": to})
        assert opened.headers["location"] == leads, to


def test_a_link_opens_it_once(host: Host) -> None:
    token = link_token([SECRET])
    first, second = stranger(host).get(f"/login?token={token}"), stranger(host).get(f"/login?token={token}")

    assert (first.status_code, second.status_code) == (303, 403)
    assert "used before" in second.text
    assert "All is well" in stranger(host).page()


def test_a_link_that_is_none_opens_nothing(host: Host) -> None:
    for token in ("", "x", "x.y.z", link_token(["another secret"])):
        response = stranger(host).get(f"/login?token={token}")
        assert COOKIE not in response.headers.get("set-cookie", ""), token

    assert stranger(host).get().status_code == 303


def test_who_only_looks_whether_a_link_is_there_does_not_spend_it(host: Host) -> None:
    token = link_token([SECRET])
    host.house.client.head(f"/console/login?token={token}", headers={"host": "localhost"})

    assert stranger(host).get(f"/login?token={token}").status_code == 303


def test_a_session_is_the_browsers_alone(host: Host) -> None:
    cookie = stranger(host).get(f"/login?token={link_token([SECRET])}").headers["set-cookie"]

    assert all(one in cookie for one in ("HttpOnly", "SameSite=lax", "Path=/console", "Max-Age=43200"))


def test_behind_tls_the_cookie_is_sent_over_tls_alone(host: Host) -> None:
    forwarded = {"x-forwarded-proto": "https"}
    opened = stranger(host).get(f"/login?token={link_token([SECRET])}", forwarded)

    assert "Secure" in opened.headers["set-cookie"]


def test_the_password_opens_it_and_others_do_not(open_console: Open) -> None:
    browser = stranger(open_console(console_password="open sesame"))

    assert browser.post("/login", {"password": "open simsim"}).status_code == 403
    assert browser.post("/login", {"password": "open sesame"}).status_code == 303
    assert "All is well" in browser.page()


def test_without_a_password_none_opens_it(host: Host) -> None:
    assert stranger(host).post("/login", {"password": ""}).status_code == 403


def test_five_passwords_a_minute_may_be_tried(open_console: Open) -> None:
    browser = stranger(open_console(console_password="open sesame"))
    tried = [browser.post("/login", {"password": "no"}).status_code for _ in range(6)]

    assert tried == [403] * 5 + [429]
    assert browser.post("/login", {"password": "open sesame"}).status_code == 429


def test_behind_a_proxy_on_this_machine_each_client_has_its_own_tries(open_console: Open) -> None:
    host = open_console(console_password="open sesame")
    browser = Browser(TestClient(host.house.client.app, client=("127.0.0.1", 50_000)))
    for _ in range(6):
        browser.post("/login", {"password": "no"}, {"x-forwarded-for": "198.51.100.1, 203.0.113.9"})

    response = browser.post("/login", {"password": "open sesame"}, {"x-forwarded-for": "198.51.100.7"})
    assert response.status_code == 303


def test_the_password_alone_is_enough(open_console: Open) -> None:
    browser = stranger(open_console(console_secret="", console_password="open sesame"))
    browser.post("/login", {"password": "open sesame"})

    assert "All is well" in browser.page()


def test_without_a_secret_and_a_password_there_is_no_console(open_console: Open) -> None:
    assert stranger(open_console(console_secret="")).get().status_code == 404


def test_keys_rotate(open_console: Open) -> None:
    browser = stranger(open_console(console_secret=f"a new one,{SECRET}"))
    browser.enter(SECRET)

    assert "All is well" in browser.page()
    browser.enter("a new one")


def test_who_leaves_is_a_stranger_again(browser: Browser) -> None:
    assert browser.post("/logout").headers["location"] == "/console/login"
    assert browser.get().status_code == 303


def test_when_somebody_leaves_a_copy_of_their_cookie_opens_nothing(host: Host, browser: Browser) -> None:
    copied = {"cookie": f"{COOKIE}={host.house.client.cookies[COOKIE]}"}
    assert browser.get(headers=copied).status_code == 200

    browser.post("/logout")

    assert browser.get(headers=copied).headers["location"] == "/console/login"
    assert browser.post("/events/retry", headers=copied).headers["location"] == "/console/login"
    browser.enter()
    assert "All is well" in browser.page(), "another session of the same browser"


def test_who_leaves_ends_their_own_session_alone(host: Host, browser: Browser) -> None:
    other = Browser(TestClient(host.house.client.app))
    other.enter()

    browser.post("/logout")

    assert "All is well" in other.page()


async def test_that_a_session_was_ended_is_kept_as_long_as_it_would_have_lasted(
    host: Host, browser: Browser
) -> None:
    browser.post("/logout")

    async with Redis.from_url(host.house.settings.redis_url) as redis:
        [key] = [key async for key in redis.scan_iter("voice:quota:console_ended:*")]
        assert 12 * 3600 - 60 < await redis.ttl(key) <= 12 * 3600


async def test_while_redis_is_silent_sessions_go_on_and_who_leaves_is_told_so(
    open_house: Callable[[Settings], House], fragile: Settings, trouble: Trouble
) -> None:
    browser = Browser(open_house(fragile.model_copy(update={"console_secret": SECRET})).client)
    browser.enter()
    trouble.freeze("valkey")

    assert (await asyncio.to_thread(browser.get, "/people")).status_code == 200
    left = await asyncio.to_thread(browser.post, "/logout")

    assert (left.status_code, "a copy of its session" in left.text) == (503, True)
    assert "Max-Age=0" in left.headers["set-cookie"]


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "", "[", "[::1"])
def test_under_another_name_it_is_not_there(browser: Browser, name: str) -> None:
    assert browser.get("/", {"host": name}).status_code == 421


def test_its_names_can_be_set(open_console: Open) -> None:
    browser = stranger(open_console(console_hosts="Voice.Example.org"))

    assert browser.get("/login", {"host": "voice.example.org:443"}).status_code == 200
    assert browser.get("/login").status_code == 421


@pytest.mark.parametrize(
    "sent",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "", "origin": "https://evil.example"},
        {"sec-fetch-site": "", "origin": "null"},
        {"sec-fetch-site": "", "origin": "http://["},
        {"sec-fetch-site": ""},
    ],
)
def test_another_page_changes_nothing(browser: Browser, sent: dict[str, str]) -> None:
    assert browser.post("/events/retry", headers=sent).status_code == 403
    assert browser.post("/logout", headers=sent).status_code == 403


def test_an_older_browser_says_the_origin(browser: Browser) -> None:
    response = browser.post("/events/retry", headers={"sec-fetch-site": "", "origin": "http://localhost"})

    assert response.status_code == 303


def test_where_it_is_for_reading_alone_nothing_is_changed(open_console: Open) -> None:
    browser = stranger(open_console(console_read_only=True))
    browser.enter()

    assert "CONSOLE_READ_ONLY" in browser.post("/events/retry").text
    assert browser.post("/logout").status_code == 303


@pytest.mark.parametrize("path", [*PATHS, "/login", "/static/console.css", "/nothing"])
def test_every_answer_says_what_a_browser_may_do(browser: Browser, path: str) -> None:
    headers = browser.get(path).headers

    assert "default-src 'none'" in headers["content-security-policy"]
    assert "script-src 'self';" in headers["content-security-policy"], "nothing within the page"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
