"""memory.search: what is known for good of this user, as facts."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from voice_server.search import fact_lookup
from voice_server.search.types import SCORE_DIGITS, FactHit, Timeline
from voice_server.tools import bounds, speech
from voice_server.tools.bounds import MinScore, Text
from voice_server.tools.tool import Answer, Caller, Tool, ToolContext

_TEXT = 300  # characters

DESCRIPTION = """\
Look up one durable thing about this caller (a preference, a name, an address, a commitment) that you need \
now and that is not in your prompt.
Do NOT call it for what is in your prompt, for the course of an earlier conversation (conversation_search), \
for anything about the world, or just in case. At most a few look-ups per conversation. Nothing found: ask \
the caller."""


class SearchArguments(Struct, frozen=True):
    query: Annotated[
        Text, Meta(description="What you want to know, in a few words: allergies, name of the daughter")
    ]
    limit: Annotated[int, Meta(ge=1, le=20, description="How many facts at most, 1 to 20")] = 6
    min_score: Annotated[
        MinScore | None, Meta(description="Only facts that score this or better, 0 to 1; usually left out")
    ] = None

    def __post_init__(self) -> None:
        bounds.check(self)


async def run(caller: Caller, asked: SearchArguments, context: ToolContext) -> Answer:
    names = (caller.user_name, caller.agent_name)
    timeline = Timeline(caller.user_id, caller.agent_id, caller.timezone, names)
    found = await fact_lookup.find(
        context.connection,
        timeline,
        asked.query,
        limit=asked.limit,
        min_score=asked.min_score,
        today=context.now.date(),
    )
    answer = speech.results_that_fit([_told(one) for one in found], context.fits)
    return answer if answer["results"] else {**TOOL.nothing, "say": _NOTHING_KNOWN}


_NOTHING_KNOWN = "I have nothing noted about that."


def _told(hit: FactHit) -> dict[str, Any]:
    return {
        "text": speech.told(hit.text, _TEXT),
        "said_on": speech.day_label(hit.said_on),
        "score": round(hit.score, SCORE_DIGITS),
    }


TOOL = Tool("memory.search", DESCRIPTION, SearchArguments, run, {"results": []})
