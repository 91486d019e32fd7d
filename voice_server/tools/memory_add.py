"""memory.add: one durable thing the user has just said of themselves, reconciled like any fact."""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from voice_server.context.hygiene import neutralise
from voice_server.domain.conversation import Message
from voice_server.domain.fact import About, Claim
from voice_server.store import facts
from voice_server.tools import bounds, durable
from voice_server.tools.bounds import Text
from voice_server.tools.tool import Answer, Caller, Means, Tool

Kind = Literal["fact", "preference", "contact", "commitment", "relationship"]
_SALIENCE: dict[Kind, float] = {
    "fact": 0.6,
    "preference": 0.6,
    "contact": 0.7,
    "commitment": 0.8,
    "relationship": 0.6,
}
_ABOUT: dict[Kind, About] = {"relationship": "relationship"}
_NAMES = ("memory_add", "memory.add")
_CERTAINTY = 0.9  # the model heard it; nobody has checked it against the transcript

DESCRIPTION = """\
Note one durable fact that the caller has just stated about themselves and that will still matter in a month: where they \
live, whom they care for, what they like or cannot have, how to reach them, what they have committed to.
Do NOT call it for what is already in your prompt, for questions, requests or commands, for what holds only now ("I'm at \
the supermarket"), for anything you said or guessed, for raw transcript, or for what the caller wants forgotten. The \
conversation itself is remembered without this. Do not announce it."""


class Add(Struct, frozen=True):
    """Arguments."""

    text: Annotated[
        Text,
        Meta(
            description='One short sentence in the third person with absolute dates: "Ada is allergic to nuts."'
        ),
    ]
    kind: Annotated[
        Kind,
        Meta(
            description="fact, preference, contact, commitment, or relationship (between the caller and you)"
        ),
    ] = "fact"

    def __post_init__(self) -> None:
        bounds.check(self)


async def run(caller: Caller, asked: Add, means: Means) -> Answer:
    """Whether it was noted, and if not, why."""
    text = neutralise(asked.text)
    if why := durable.refusal(asked.text) or ("" if text else "there is nothing in it"):
        return {**TOOL.nothing, "say": f"Not noted: {why}."}
    claim = Claim(
        _ABOUT.get(asked.kind, "user"),
        text,
        means.now.date(),
        certainty=_CERTAINTY,
        salience=_SALIENCE[asked.kind],
    )
    if await facts.holds(means.connection, caller.user_id, caller.agent_id, text):
        return {"added": True}  # a model that is not sure says it twice
    await facts.add(
        means.connection,
        caller.user_id,
        caller.agent_id,
        claim,
        at=means.now,
        origin="tool",
        said_in=caller.conversation_id,
    )
    await means.rebuild(means.connection, caller.user_id, caller.agent_id)
    return {"added": True}


def added_in(messages: Iterable[Message]) -> list[str]:
    """The texts that a conversation's calls of this tool handed in, as they were kept."""
    calls = (one for one in messages if one.role == "tool_call" and one.tool_name in _NAMES)
    return [text for call in calls if (text := _text(call.content))]


def _text(arguments: str) -> str:
    try:
        return neutralise(msgspec.json.decode(arguments, type=_Handed).text)
    except (msgspec.DecodeError, RecursionError):
        return ""


class _Handed(Struct):
    text: str = ""


TOOL = Tool("memory.add", DESCRIPTION, Add, run, {"added": False}, allowance="additions", writes=True)
