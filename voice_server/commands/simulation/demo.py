"""The demo: three people's calls and chats over two months, played against an empty server and taken away
again."""

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import httpx2

from voice_server.commands.api_client import ApiTarget
from voice_server.commands.chat.client import OpenChat
from voice_server.commands.simulation import dialogue
from voice_server.commands.simulation.dialogue import Call, Life, Talk
from voice_server.commands.simulation.host_application import HostApplication
from voice_server.commands.simulation.simulated_platform import (
    EndedCall,
    Platform,
    Target,
    new_call,
    without_conversation,
)
from voice_server.errors import ConfigurationError

_PATIENCE, _PAUSE = 3.0, 0.2  # seconds for what is to be pinned or closed
_INTERRUPTED = 130  # the exit code of a command that Ctrl-C ended


def run(server: Target, api: ApiTarget, *, remove: bool = False, anyway: bool = False) -> int:
    """Return the exit code. Raises ConfigurationError and ApiRefusal."""
    said: list[str] = []
    with httpx2.Client(base_url=server.url, timeout=30) as client:
        host = HostApplication(client, api)
        with host.heard():
            if remove:
                return take_away(host, dialogue.lives())
            return fill(host, Platform(client, server, say=said.append), dialogue.lives(), anyway=anyway)


def fill(host: HostApplication, platform: Platform, lives: Sequence[Life], *, anyway: bool = False) -> int:
    """Return the exit code. Raises ConfigurationError where there are people already."""
    _require_room(host, lives, anyway=anyway)
    try:
        for life in lives:
            _play(host, platform, life)
    except KeyboardInterrupt:
        print("\nHalf of the demo is here: `voice-server demo --remove` takes it away.")
        return _INTERRUPTED
    print(
        "\n`voice-server console` prints a link that opens the console: look at a person, at one of"
        "\ntheir days, and at what the agent was told before a call. `voice-server demo --remove` takes all"
        "\nof it away."
    )
    return 0


def take_away(host: HostApplication, lives: Sequence[Life]) -> int:
    there = [user for user in map(host.known, lives) if user]
    for user in there:
        host.erase(user["id"])
        print(f"{user['name']} is erased, with all that was said and known.")
    if not there:
        print("Nobody of the demo is here.")
    return 0


def _require_room(host: HostApplication, lives: Sequence[Life], *, anyway: bool) -> None:
    if any(map(host.known, lives)):
        raise ConfigurationError(
            "the demo is here already, or half of it: `voice-server demo --remove` takes it away"
        )
    if not anyway and host.knows_somebody():
        raise ConfigurationError(
            "this server knows people already, and the demo is for an empty one: take another DATA_DIR, or "
            "say --anyway to have three more"
        )


def _play(host: HostApplication, platform: Platform, life: Life) -> None:
    print(f"── {life.title}")
    user_id = host.introduce(life)
    today = life.counted_from(platform.now().astimezone(ZoneInfo(life.timezone)))
    for talk in life.talks:
        began = talk.began(today)
        kind = "call" if isinstance(talk, Call) else "chat"
        print(f"   {began:%a %d %b %Y, %H:%M}  {kind}, {len(talk.turns)} turns", flush=True)
        _talk(host, platform, life, user_id, talk, began)
    for what, change, words in (("fact", host.pin, life.pins), ("thread", host.close, life.closes)):
        if not _done(change, user_id, words):  # a model words facts as it likes
            print(f"   no {what} says “{words}”: it is left as it is")


def _talk(
    host: HostApplication, platform: Platform, life: Life, user_id: str, talk: Talk, began: datetime
) -> None:
    """Wait until the next prompt knows of it. Raises ConfigurationError when it does not."""
    request = new_call(life.caller, life.agent)
    if isinstance(talk, Call):
        before = platform.ask(request)
        ended = EndedCall(talk.turns, began, life.language, talk.summary)
        taken = platform.report_call(request, before, ended)
    else:
        before = platform.ask(without_conversation(request))
        writing = OpenChat(user_id, life.agent, f"{life.external_id}-{began:%Y-%m-%d}")
        host.tell(writing, talk.turns, began, life.language)
        taken = True
    if not taken or platform.next_prompt(request, before) is None:
        raise ConfigurationError(
            f"the demo stopped at {life.name}'s {began:%d %B %Y}: `voice-server events` tells what became "
            "of it, and `voice-server demo --remove` takes away what is here"
        )


def _done(change: Callable[[str, str], bool], user_id: str, words: str) -> bool:
    """Retry for a while: facts are kept after the prompt was made."""
    started = time.monotonic()
    while not change(user_id, words):
        if time.monotonic() - started > _PATIENCE:
            return False
        time.sleep(_PAUSE)
    return True
