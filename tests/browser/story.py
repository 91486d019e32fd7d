"""What there is to see in the console of these tests: people who called and wrote, one of them hostile, and
an event that was put aside."""

from typing import Any

from api.conftest import Host
from api.routes.conversations.test_chats import silence, tell
from jobs.test_late_notes import tool_turn
from pretend.elevenlabs import ADA, AGENT, GRACE, ended_call

MALLORY, WORDY = "+4915112345678", "+4915112345999"
HOUR = 3600
DAY = 24 * HOUR
# What a page must show as it is. No page has an element of the name `hostile-element` otherwise.
HOSTILE = (
    '<script>alert(1)</script><img src=x onerror="alert(2)"><hostile-element></hostile-element> & '
    "\u202eright to left\u202c 👋🏽 {{ 7191 * 7 }}"
)
SHOWN, CALCULATED = "<script>alert(1)</script>", "50337"
ENDLESS = "x" * 20_000
LONG_ID = f"agent_{'x' * 90}"
BROKEN = b'{"type": "post_call_transcription", "data": {"conversation_id": "conv_broken"}}'


async def told(host: Host) -> None:
    """All of it has happened, and is digested."""
    await host.call("conv_long", "user: My roof leaks.", caller=WORDY, agent=LONG_ID)
    await _ada(host)
    await host.call("conv_grace", "agent: Hello!", "user: I grow roses.", caller=GRACE)
    await _mallory(host)
    await something_fails(host)


async def something_fails(host: Host) -> None:
    """An event comes that nobody can read."""
    host.house.platform.post_call(BROKEN)
    await host.house.work()


def note(host: Host, user_id: str, text: str) -> Any:
    """A fact about somebody, as the host application says it."""
    given = {"agent_id": AGENT, "text": text}
    return host.ok(host.send("POST", f"/users/{user_id}/facts", json=given))


async def _ada(host: Host) -> None:
    """She called the day before yesterday and yesterday, when the agent used a tool, and wrote today."""
    await host.call(
        "conv_1", "agent: Hello!", "user: My boiler broke last night.", "agent: Priya repairs it on Monday."
    )
    ada = host.user_at(ADA)
    host.ok(host.send("PATCH", f"/users/{ada}", json={"name": "Ada Byron"}))
    host.house.clock.now += DAY
    said = ("agent: Hello!", "user: Please send me the tax forms by Friday.", "agent: I will.")
    event = ended_call("conv_2", said, ended=host.house.clock())
    event["data"]["transcript"].append(tool_turn({"query": "boiler"}, "conversation_search"))
    host.house.platform.post_call(event)
    await host.house.work()
    host.house.clock.now += DAY
    tell(
        host, ada, "user: Is **Priya** coming?", "agent: On Monday.", "user: I moved to Lisbon.", chat="trip"
    )
    note(host, ada, "Ada keeps two cats.")
    await silence(host, HOUR)


async def _mallory(host: Host) -> None:
    """Whatever they say and are called is hostile, or without end."""
    said = (
        f"user: My boiler broke. {HOSTILE}",
        f"agent: {HOSTILE}",
        f"user: Please send me {HOSTILE} by Friday.",
    )
    mallory = await host.call("conv_mallory", *said, caller=MALLORY)
    # The API takes only names that look like names.
    named = "update users set name = $2, name_source = 'api' where id = $1"
    await host.house.query(named, mallory, f"Mallory {HOSTILE}")
    tell(host, mallory, f"user: {HOSTILE}", f"agent: {ENDLESS}", f"user: {ENDLESS}", chat="<endless>")
    note(host, mallory, f"She said {HOSTILE}")
    note(host, mallory, "y" * 400)
    await silence(host, HOUR)
