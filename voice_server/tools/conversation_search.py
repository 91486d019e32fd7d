"""conversation.search: what was said about something, in any earlier conversation of this user with this
agent."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, Struct

from voice_server.digest.secrets.redaction import redacted
from voice_server.search import lookup
from voice_server.search.types import SCORE_DIGITS, Hit, Query, Timeline
from voice_server.tools import bounds, speech
from voice_server.tools.bounds import Day, MinScore, Text
from voice_server.tools.tool import Answer, Caller, Tool, ToolContext

_SNIPPET = 200  # characters

DESCRIPTION = """\
Look up what was said in earlier conversations with this caller, when they refer to something that is not in \
your prompt ("what was the restaurant you told me about?", "as I said in March").
Do NOT call it for what is already in your prompt or was said in this conversation, for small talk, for \
facts about the world, to check something you know, or to prepare for what nobody asked. Preferences and \
other durable facts: memory_search. At most a few look-ups per conversation, so ask once, with the words \
that matter. Results are dated; say the date. Nothing found: say so, do not guess."""


class SearchArguments(Struct, frozen=True):
    query: Annotated[
        Text, Meta(description="The words that matter, in the caller's language: names, things, places")
    ]
    day: Annotated[
        Day | None, Meta(description="Only this day, as YYYY-MM-DD; leave it out when the day is not certain")
    ] = None
    recency_days: Annotated[
        Annotated[int, Meta(ge=1, le=3650)] | None,
        Meta(description="Only the last so many days, today included"),
    ] = None
    since: Annotated[
        Day | None, Meta(description="Only from this day on, as YYYY-MM-DD; not beside recency_days")
    ] = None
    until: Annotated[Day | None, Meta(description="Only up to this day, it included, as YYYY-MM-DD")] = None
    limit: Annotated[int, Meta(ge=1, le=20, description="How many results at most, 1 to 20")] = 6
    min_score: Annotated[
        MinScore | None, Meta(description="Only results that score this or better, 0 to 1; usually left out")
    ] = None

    def __post_init__(self) -> None:
        bounds.check(self)
        if self.since is not None and self.until is not None and self.until < self.since:
            raise ValueError(f"until: {self.until} is before since, {self.since}")
        if self.since is not None and self.recency_days is not None:
            raise ValueError("since: leave it out, or recency_days: both say from when on")
        if self.day is not None and not _query(self, "").is_of(self.day):
            raise ValueError(f"day: {self.day} is not from since to until; give either day or these")


def _query(asked: SearchArguments, text: str, before: datetime | None = None) -> Query:
    return Query(
        text, asked.limit, asked.day, asked.recency_days, asked.min_score, asked.since, asked.until, before
    )


async def run(caller: Caller, asked: SearchArguments, context: ToolContext) -> Answer:
    names = (caller.user_name, caller.agent_name)
    timeline = Timeline(caller.user_id, caller.agent_id, caller.timezone, names)
    text = await asyncio.to_thread(redacted, asked.query)  # it may be sent to be embedded
    hits = await lookup.messages_and_days(
        context.connection,
        timeline,
        _query(asked, text, caller.asked_at),
        now=context.now,
        semantics=context.semantics,
    )
    return await asyncio.to_thread(_answer, hits, context.fits)  # 10 ms for twenty long ones


def _answer(hits: Sequence[Hit], fits: Callable[[Answer], bool]) -> Answer:
    answer = speech.results_that_fit([_told(hit) for hit in hits], fits)
    return answer if answer["results"] else {**TOOL.nothing, "say": speech.NOTHING_FOUND}


def _told(hit: Hit) -> dict[str, Any]:
    """Leave out what is not so: each word takes room from another result."""
    told: dict[str, Any] = {"kind": hit.kind, "day_label": speech.day_label(hit.day)}
    if hit.day_segment_id is not None:
        told["day_segment_id"] = hit.day_segment_id
    if hit.message_id is not None:
        told["message_id"] = hit.message_id
    told["snippet"] = speech.said_by(hit.role, speech.told(hit.snippet, _SNIPPET))
    told["score"] = round(hit.score, SCORE_DIGITS)
    if hit.covered_by_summary:
        told["covered_by_summary"] = True
    return told


TOOL = Tool("conversation.search", DESCRIPTION, SearchArguments, run, {"results": []})
