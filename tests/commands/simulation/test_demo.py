"""The demo: its three lives, what a server shows that is filled with them, and that they are taken away."""

import asyncio
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import phonenumbers
import pytest
from api.conftest import Host
from conftest import API_TOKEN, SECRET, TOKEN, House
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from typer.testing import CliRunner

from voice_server import cli
from voice_server.commands.api_client import ApiTarget
from voice_server.commands.simulation import demo, dialogue
from voice_server.commands.simulation.dialogue import Call, Life, Talk
from voice_server.commands.simulation.host_application import HostApplication
from voice_server.commands.simulation.simulated_platform import Platform, Target
from voice_server.errors import ApiRefusal, ConfigurationError

LIVES = dialogue.lives()
MADE_UP = {"en": "+1617555014", "de": "+493023125", "es": "+1787555012"}  # kept free for films and books
TRACES = (
    "select count(*) from users",
    "select count(*) from conversations",
    "select count(*) from messages",
    "select count(*) from facts",
    "select count(*) from open_threads",
    "select count(*) from day_segments",
    "select count(*) from webhook_events where body <> ''",
)
of_each = pytest.mark.parametrize("life", LIVES, ids=lambda life: life.external_id)


@pytest.fixture
def host(house: House) -> Host:
    return Host(house)


@pytest.fixture
def application(house: House) -> HostApplication:
    return HostApplication(house.client, ApiTarget("http://testserver", API_TOKEN))


@pytest.fixture
def platform(house: House) -> Platform:
    return Platform(house.client, Target("", TOKEN, SECRET), house.clock, say=lambda _: None)


def cut(life: Life) -> Life:
    """As much of it as has something to pin and to close, and its last day."""
    calls = [talk for talk in life.calls if _has(talk, life.pins) or _has(talk, life.closes)]
    chats = [talk for talk in life.chats if _has(talk, life.closes)]
    last = [talk for talk in life.talks if talk.days_ago == 0]
    return replace(
        life,
        calls=(*calls, *(talk for talk in last if isinstance(talk, Call))),
        chats=(*chats, *(talk for talk in last if not isinstance(talk, Call))),
    )


def _has(talk: Talk, words: str) -> bool:
    return words.casefold() in talk.said.casefold()


SHORT = [cut(life) for life in LIVES]


def test_there_are_three_people_with_languages_agents_and_time_zones_of_their_own() -> None:
    assert {life.language for life in LIVES} == {"en", "de", "es"}
    for of_one in ("name", "external_id", "timezone", "agent", "caller"):
        assert len({getattr(life, of_one) for life in LIVES}) == 3
    assert all(life.external_id.startswith("demo-") for life in LIVES)
    assert all(life.agent.startswith("agent_") for life in LIVES)


@of_each
def test_a_life_is_two_months_of_calls_and_chats(life: Life) -> None:
    days = [talk.days_ago for talk in life.talks]

    assert 9 <= len(life.calls) <= 12
    assert 3 <= len(life.chats) <= 5
    assert 55 <= days[0] <= 65
    assert days[-1] == 0
    assert 1 in days
    assert any(len(call.turns) == 2 for call in life.calls), "somebody hangs up"
    assert all({turn.role for turn in talk.turns} == {"agent", "user"} for talk in life.talks)
    assert all(len(talk.turns) <= 25 for talk in life.talks)


@of_each
def test_a_life_stands_in_its_file_in_the_order_in_which_it_was(life: Life) -> None:
    for kind in (life.calls, life.chats):
        assert list(kind) == [talk for talk in life.talks if talk in kind]
    now = datetime(2026, 11, 17, 12, tzinfo=ZoneInfo(life.timezone))
    ends = [(talk.began(now), talk.began(now) + timedelta(minutes=15)) for talk in life.talks]
    assert all(end < begin for (_, end), (begin, _) in pairwise(ends))


@of_each
def test_a_number_is_valid_and_kept_free(life: Life) -> None:
    assert life.caller.startswith(MADE_UP[life.language])
    assert phonenumbers.is_valid_number(phonenumbers.parse(life.caller))


def test_somebody_writes_on_a_day_on_which_they_call() -> None:
    days = [{call.days_ago for call in life.calls} & {chat.days_ago for chat in life.chats} for life in LIVES]

    assert any(days)


@of_each
@given(minutes=st.integers(0, 2 * 366 * 24 * 60))
def test_nothing_of_a_life_is_still_to_come(life: Life, minutes: int) -> None:
    zone = ZoneInfo(life.timezone)
    now = (datetime(2026, 1, 1, tzinfo=ZoneInfo("UTC")) + timedelta(minutes=minutes)).astimezone(zone)

    latest = max(talk.began(life.counted_from(now)) for talk in life.talks)

    assert latest < now
    assert (now.date() - latest.date()).days <= 1


def test_just_after_midnight_what_was_today_is_yesterday() -> None:
    now = datetime(2026, 11, 17, 0, 30, tzinfo=ZoneInfo("Europe/Berlin"))

    assert [life.counted_from(now).day for life in LIVES] == [16, 16, 16]
    assert [life.counted_from(now.replace(hour=9)).day for life in LIVES] == [17, 17, 17]


async def test_a_server_that_is_filled_shows_three_lives_and_none_once_they_are_taken_away(
    host: Host,
    working: House,
    application: HostApplication,
    platform: Platform,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert await asyncio.to_thread(demo.fill, application, platform, SHORT) == 0

    told = capsys.readouterr().out
    talks = sum(len(life.talks) for life in SHORT)
    assert told.count(" turns") == talks
    assert "it is left as it is" not in told
    assert "voice-server console" in told
    await working.work()
    for life in SHORT:
        shows(host, life)

    with pytest.raises(ConfigurationError, match=r"is here already.*--remove"):
        await asyncio.to_thread(demo.fill, application, platform, SHORT, anyway=True)

    assert await asyncio.to_thread(demo.take_away, application, SHORT) == 0
    assert capsys.readouterr().out.count("is erased") == 3
    await working.work()
    assert [await working.query(trace) for trace in TRACES] == [[(0,)]] * len(TRACES)


def shows(host: Host, life: Life) -> None:
    """What the API tells of this life."""
    [user] = host.get("/users", external_id=life.external_id)["items"]
    assert (user["name"], user["language"], user["timezone"]) == (life.name, life.language, life.timezone)
    assert user["metadata"] == {"demo": True}
    path = f"/users/{user['id']}"
    assert len(host.get(f"{path}/days")["items"]) == len({talk.days_ago for talk in life.talks})
    assert len(host.get(f"{path}/chats")["items"]) == len(life.chats)
    [fact] = [one for one in host.get(f"{path}/facts", limit=200)["items"] if one["pinned"]]
    assert life.pins.casefold() in fact["text"].casefold()
    [thread] = [one for one in host.get(f"{path}/threads", status="closed")["items"] if one["by_hand"]]
    assert life.closes.casefold() in thread["text"].casefold()
    calls = [one for one in host.get(f"{path}/conversations")["items"] if one["channel"] == "voice"]
    assert len(calls) == len(life.calls)
    kept = [host.get(f"/conversations/{one['id']}")["prompt_kept"] for one in calls]
    assert all(kept), "what the agent was told before each call"


@pytest.mark.usefixtures("working")
async def test_a_server_that_knows_somebody_is_filled_only_when_that_is_asked_for(
    host: Host, application: HostApplication, platform: Platform
) -> None:
    ada = host.user(name="Ada Byron")
    life = SHORT[0]

    with pytest.raises(ConfigurationError, match=r"knows people already.*--anyway"):
        await asyncio.to_thread(demo.fill, application, platform, [life])
    assert await asyncio.to_thread(demo.fill, application, platform, [life], anyway=True) == 0

    await asyncio.to_thread(demo.take_away, application, [life])
    assert [user["id"] for user in host.get("/users")["items"]] == [ada]


async def test_half_a_demo_is_taken_away_and_filled_again(
    host: Host,
    working: House,
    application: HostApplication,
    platform: Platform,
    capsys: pytest.CaptureFixture[str],
) -> None:
    life = SHORT[0]

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    interrupted = Platform(platform.client, platform.target, platform.clock, interrupt)
    assert await asyncio.to_thread(demo.fill, application, interrupted, [life]) == 130
    assert "Half of the demo is here" in capsys.readouterr().out

    await asyncio.to_thread(demo.take_away, application, [life])
    await working.work()
    assert host.get("/users")["items"] == []
    assert await asyncio.to_thread(demo.fill, application, platform, [life]) == 0
    await working.work()
    shows(host, life)


def test_where_nobody_of_the_demo_is_nobody_is_taken_away(
    host: Host, application: HostApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    customer = host.user(external_id=LIVES[0].external_id, name="Ada Byron")

    assert demo.take_away(application, LIVES) == 0

    assert capsys.readouterr().out == "Nobody of the demo is here.\n"
    assert [user["id"] for user in host.get("/users")["items"]] == [customer]


def test_it_stops_where_a_call_is_not_taken(application: HostApplication, platform: Platform) -> None:
    stranger = replace(platform.target, secret="another")
    forged = Platform(platform.client, stranger, platform.clock, say=lambda _: None)
    life = next(life for life in SHORT if isinstance(life.talks[0], Call))

    with pytest.raises(ConfigurationError, match=f"stopped at {life.name}'s .*--remove"):
        demo.fill(application, forged, [life])


def test_a_number_that_is_somebodys_is_not_taken(
    host: Host, application: HostApplication, platform: Platform
) -> None:
    host.user(addresses=[LIVES[0].caller])

    with pytest.raises(ApiRefusal, match=r"\+1787"):
        demo.fill(application, platform, LIVES[:1], anyway=True)


@pytest.mark.parametrize(
    ("secrets", "lacks"),
    [({}, "PLATFORM_TOKEN"), ({"PLATFORM_TOKEN": "t", "ELEVENLABS_WEBHOOK_SECRET": "s"}, "API_TOKEN")],
)
def test_without_a_secret_it_says_what_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secrets: dict[str, str], lacks: str
) -> None:
    monkeypatch.delenv("API_TOKEN", raising=False)

    refused = CliRunner().invoke(cli.app, ["demo"], env={**secrets, "DATA_DIR": str(tmp_path)})

    assert isinstance(refused.exception, ConfigurationError)
    assert str(refused.exception).startswith(lacks)


def test_without_a_server_it_says_what_to_start() -> None:
    nowhere = "http://127.0.0.1:1"

    with pytest.raises(ConfigurationError, match=f"{nowhere} does not answer.*scripts/run"):
        demo.run(Target(nowhere, "t", "s"), ApiTarget(nowhere, "t"), remove=True)
