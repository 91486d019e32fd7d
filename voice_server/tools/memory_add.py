"""memory.add: one durable thing the user has just said of themselves, reconciled like any fact."""

import asyncio
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Annotated, Any, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from voice_server.context.screening.hygiene import neutralise
from voice_server.domain.conversation import Message
from voice_server.domain.fact import Claim
from voice_server.store.conversations import conversations
from voice_server.store.conversations.conversations import StoredConversation
from voice_server.store.knowledge import facts, notes
from voice_server.tools import bounds, note_claim, note_policy, note_verification
from voice_server.tools.bounds import Text
from voice_server.tools.note_claim import Kind
from voice_server.tools.tool import Answer, Caller, Tool, ToolContext

_NAME = "memory_add"
_KINDS = get_args(Kind)

DESCRIPTION = """\
Note one durable fact that the caller has just stated about themselves and that will still matter in a \
month: where they live, whom they care for, what they like or cannot have, how to reach them, what they have \
committed to.
Do NOT call it for what is already in your prompt, for questions, requests or commands, for what holds only \
now ("I'm at the supermarket"), for anything you said or guessed, for raw transcript, or for what the caller \
wants forgotten. The conversation itself is remembered without this. Do not announce it."""


class AddArguments(Struct, frozen=True):
    text: Annotated[
        Text,
        Meta(
            description='One short sentence in the third person with absolute dates: "Ada is allergic to '
            'nuts."'
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


def refusal(asked: AddArguments) -> str:
    why = note_policy.refusal(asked.text) or ("" if neutralise(asked.text) else "there is nothing in it")
    return _not_noted(why) if why else ""


async def run(caller: Caller, asked: AddArguments, context: ToolContext) -> Answer:
    claim = note_claim.claim(asked.text, asked.kind, context.now.date())
    user_id = caller.user_id
    if over := await _over(caller, context):
        found = await _late(over, claim, context)
        if isinstance(found, str):
            return _refused(found)
        user_id, claim = found
    said_in = caller.conversation_id
    if await facts.note(context.connection, user_id, caller.agent_id, claim, at=context.now, said_in=said_in):
        await context.rebuild(context.connection, user_id, caller.agent_id)
    return {"added": True}  # also when it was: a model that is not sure says it twice


async def _over(caller: Caller, context: ToolContext) -> StoredConversation | None:
    """Return the conversation once its event has come; hold it, so that nobody else decides whose it is."""
    if not caller.conversation_id:
        return None
    platform = await notes.platform_of(context.connection, caller.agent_id)
    await notes.hold(context.connection, platform, caller.conversation_id)
    return await conversations.find(context.connection, platform, caller.conversation_id)


async def _late(over: StoredConversation, claim: Claim, context: ToolContext) -> tuple[str, Claim] | str:
    said = await conversations.to_digest(context.connection, over.id)
    if said is None:
        return "this conversation is not remembered"
    listened = await asyncio.to_thread(note_verification.listen, said.messages, said.language)
    judged = listened.verdict(claim.text)
    if judged == "withheld":
        return "the caller does not want that to be remembered"
    return said.user_id, replace(claim, flagged=judged == "unsaid")


def _refused(why: str) -> Answer:
    return {**TOOL.nothing, "say": _not_noted(why)}


def _not_noted(why: str) -> str:
    return f"Not noted: {why}."


def is_call(message: Message) -> bool:
    """Tell whether it is a call of this tool. A platform may put an MCP server's name before the tool's."""
    return message.role == "tool_call" and (message.tool_name or "").replace(".", "_").endswith(_NAME)


def added_in(messages: Iterable[Message]) -> list[str]:
    calls = (one for one in messages if is_call(one))
    return [asked.text for call in calls if (asked := _read(call.content))]


def asked_in(messages: Iterable[Message]) -> Iterator[tuple[AddArguments, datetime]]:
    """Yield the calls' arguments that may be noted at all, and when they were said (UTC)."""
    for one in messages:
        if is_call(one) and (asked := _read(one.content)) and not refusal(asked):
            yield asked, one.said_at


def _read(arguments: str) -> AddArguments | None:
    """Take an unknown kind for a fact: nobody can ask the model again."""
    try:
        handed = msgspec.json.decode(arguments, type=_HandedNote)
        return TOOL.read({"text": handed.text, "kind": handed.kind if handed.kind in _KINDS else "fact"})
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        return None


class _HandedNote(Struct):
    text: str = ""
    kind: Any = "fact"


TOOL = Tool(
    "memory.add",
    DESCRIPTION,
    AddArguments,
    run,
    {"added": False},
    allowance="additions",
    writes=True,
    refusal=refusal,
)
