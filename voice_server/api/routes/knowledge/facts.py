"""Facts: what is known, where it comes from, and what a person makes of it."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Any, Self

from fastapi import APIRouter, HTTPException, Query, Response
from msgspec.structs import replace
from pydantic import BaseModel, Field, model_validator, with_config
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from voice_server.api.http import etag, paging, problem, rebuilding
from voice_server.api.http.dependencies import (
    Dependencies,
    OfLockedUser,
    OfUser,
    Reading,
    TheDependencies,
    Writing,
)
from voice_server.api.http.etag import Seen
from voice_server.api.http.fields import (
    STRICT,
    AgentId,
    Day,
    OfAnyAgent,
    OptionalSentence,
    RequestBody,
    RowId,
    Sentence,
    Share,
    Word,
)
from voice_server.api.http.paging import Page
from voice_server.digest.rules import excerpts
from voice_server.domain import fact
from voice_server.domain.fact import About, Claim, Origin
from voice_server.operations import read_excerpt
from voice_server.store.knowledge import facts
from voice_server.store.knowledge.facts import Row
from voice_server.store.prompts import prompt_sources

router = APIRouter(tags=["facts"])

_BESIDE_MESSAGES = {"agent_id", "message_ids", "text", "topic", "certainty", "salience"}
_MessageId = Annotated[str, Field(pattern=r"^[0-9]{1,18}:[0-9]{1,9}$")]
_TOPIC = "What it is a value of (`home`, `job`), when only one can be true at a time; else empty"


class Source(BaseModel):
    """The messages of one conversation on which a fact rests."""

    conversation_id: int
    positions: list[int]


class EarlierWording(BaseModel):
    """The words of a fact before somebody edited it."""

    text: str = Field(description="The words before the latest edit; empty when they were erased")
    origin: Origin = Field(description="Where the words before the first edit came from")
    said_on: date
    said_in: str


class Fact(BaseModel):
    """A durable thing known."""

    id: int
    user_id: str
    agent_id: str
    about: About
    text: str
    topic: str = Field(description=_TOPIC)
    certainty: float
    salience: float
    times: int = Field(description="Conversations that said it; 0: it is no longer said anywhere")
    said_on: date
    last_said_on: date
    valid_from: date | None
    valid_to: date | None = Field(description="The day something newer took its place")
    due: date | None = Field(description="The day of a commitment")
    origin: Origin
    said_in: str = Field(
        description="The platform's id of the conversation in which a tool added it; else empty"
    )
    pinned: bool = Field(description="Always among the first told, never superseded")
    excluded: bool = Field(
        description="Told by no section of a prompt nor `memory.search`, also when it is said again. "
        "What was said stays, and can be looked up"
    )
    flagged: bool = Field(description="It reads like an instruction: kept, shown here, never told")
    superseded_by: int | None = Field(description="The id of the fact that took its place")
    sources: list[Source] = Field(
        description="Also those of what was edited, for as long as the conversations are there"
    )
    edited: EarlierWording | None = Field(description="What it was, if somebody edited it")
    told_now: bool = Field(
        description="It stands in the prompt that a call would get now: until that is rebuilt, a moment "
        "after a change, the one before"
    )
    version: int
    created_at: datetime
    updated_at: datetime


class NewFact(RequestBody):
    """A new fact, in your own words (`text`) or in those of messages (`message_ids`). It wins over what
    conversations said before."""

    agent_id: AgentId
    about: About = "user"
    text: Sentence | None = Field(
        None, examples=["Ada lives in Lisbon."], description="One sentence in the third person"
    )
    message_ids: list[_MessageId] | None = Field(
        None,
        min_length=1,
        max_length=5,
        examples=[["12:3"]],
        description="Messages of one conversation, as a search names them: what they say, quoted, is the "
        "fact. What one says, or what one says and the other answers. It is pinned, dated by when it was "
        "said, and goes with the conversation. Beside it stand `agent_id`, `topic`, `certainty` and "
        "`salience` alone",
    )
    topic: Word = Field("", description=_TOPIC)
    certainty: Share = 1.0
    salience: Share = 0.5
    valid_from: Day | None = None
    due: Day | None = None
    pinned: bool = False
    supersedes: OptionalSentence = Field("", description="The text of the fact whose place it takes")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if (self.text is None) == (self.message_ids is None):
            raise ValueError("send either `text` or `message_ids`")
        if self.message_ids is not None:
            if more := sorted(self.model_fields_set - _BESIDE_MESSAGES):
                raise ValueError(f"beside `message_ids` nothing tells `{more[0]}`")
            if len({one.partition(":")[0] for one in self.message_ids}) > 1:
                raise ValueError("`message_ids` must be of one conversation")
        return self


@with_config(STRICT)
class FactChange(TypedDict, total=False):
    """What to change; what is left out stays."""

    about: About
    text: Sentence
    topic: Word
    certainty: Share
    salience: Share
    valid_from: Day | None
    due: Day | None
    pinned: bool
    excluded: bool


@router.get("/users/{user_id}/facts", response_model=Page[Fact], summary="List facts")
async def list_facts(
    connection: Reading,
    dependencies: TheDependencies,
    user_id: OfUser,
    agent_id: OfAnyAgent = None,
    current: Annotated[  # noqa: FBT002 (a query's)
        bool, Query(description="Only what can be told today, also what gives way on a day to come")
    ] = False,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List all facts of a user, also superseded, excluded and flagged ones."""
    after = paging.after(cursor, int) or 0
    today = (await dependencies.now_for(connection, user_id, agent_id or "")).date() if current else None
    rows = await facts.page(connection, user_id, agent_id, after=after, limit=limit + 1, current_on=today)
    told = await prompt_sources.facts_told_now(connection, user_id)
    return paging.page([_fact(row, told) for row in rows], limit, lambda fact: fact.id)


@router.post(
    "/users/{user_id}/facts", status_code=201, responses=problem.documented(409), summary="Add a fact"
)
async def add_fact(
    connection: Writing,
    dependencies: TheDependencies,
    user_id: OfLockedUser,
    given: NewFact,
    response: Response,
) -> Fact:
    """Add a fact that you know, or that messages say. 404 for messages that are not there, or are another
    user's or agent's. 409 for what the user asked to have forgotten, and for what is a fact already."""
    if given.message_ids is None:
        row = await _add(connection, dependencies, user_id, given)
    else:
        row = await promote(connection, dependencies, user_id, given, given.message_ids)
    response.headers["location"] = f"/api/facts/{row.id}"
    await rebuilding.after(connection, row, response)
    return await _shown(connection, row)


@router.get("/facts/{fact_id}", summary="Get a fact")
async def get_fact(connection: Reading, fact_id: RowId, response: Response) -> Fact:
    """Return a fact with the messages it rests on."""
    row = await facts.get(connection, fact_id)
    etag.tag(response, row.version)
    return await _shown(connection, row)


@router.patch("/facts/{fact_id}", responses=problem.documented(412), summary="Change a fact")
async def change_fact(
    connection: Writing,
    dependencies: TheDependencies,
    fact_id: RowId,
    given: FactChange,
    seen: Seen,
    response: Response,
) -> Fact:
    """Pin, exclude or reword a fact. A new wording makes a new fact with its own id, which supersedes this
    one and keeps where it comes from. The answer is the fact as it is afterwards."""
    there = await facts.get(connection, fact_id)
    now = await dependencies.now_for(connection, there.user_id, there.agent_id)
    row = await facts.change(connection, fact_id, seen, at=now, **given)
    await rebuilding.after(connection, row, response)
    return await _shown(connection, row)


@router.post("/facts/{fact_id}/undo", responses=problem.documented(409, 412), summary="Take an edit back")
async def undo_edit(
    connection: Writing, dependencies: TheDependencies, fact_id: RowId, seen: Seen, response: Response
) -> Fact:
    """Let a fact have its earlier words again, which are the answer. 409 for what was never edited, and for
    an edit that was edited itself."""
    there = await facts.get(connection, fact_id)
    now = await dependencies.now_for(connection, there.user_id, there.agent_id)
    row = await facts.undo(connection, fact_id, seen, at=now)
    await rebuilding.after(connection, row, response)
    return await _shown(connection, row)


async def _shown(connection: AsyncConnection, row: Row) -> Fact:
    return _fact(row, await prompt_sources.facts_told_now(connection, row.user_id))


def _fact(row: Row, told: set[int]) -> Fact:
    values = {name: getattr(row, name) for name in Fact.model_fields if name != "told_now"}
    return Fact.model_validate({**values, "told_now": row.id in told}, from_attributes=True)


async def _add(connection: AsyncConnection, dependencies: Dependencies, user_id: str, given: NewFact) -> Row:
    now = await dependencies.now_for(connection, user_id, given.agent_id)
    said = given.model_dump(exclude={"agent_id", "pinned", "message_ids"})
    claim = Claim(said_on=now.date(), **said)
    return await facts.add(connection, user_id, given.agent_id, claim, at=now, pinned=given.pinned)


async def promote(
    connection: AsyncConnection,
    dependencies: Dependencies,
    user_id: str,
    given: NewFact,
    message_ids: Sequence[str],
) -> Row:
    """Make a fact of what these messages say; the caller asks for a rebuild. Raises NotFound and Conflict as
    documented, HTTPException for what is no statement."""
    source = _source(message_ids)
    excerpt = await read_excerpt.read(connection, user_id, given.agent_id, source)
    if why := excerpts.refusal(excerpt.said):
        raise HTTPException(422, f"body.message_ids: {why}")
    said_at = await dependencies.local(connection, user_id, given.agent_id, excerpt.said[-1].said_at)
    quoted = excerpts.claim(excerpt.said, said_at.date(), excerpt.language)
    claim = replace(quoted, topic=given.topic, certainty=given.certainty, salience=given.salience)
    now = dependencies.now()
    return await facts.promote(connection, user_id, given.agent_id, claim, source, at=now)


def _source(message_ids: Sequence[str]) -> fact.Source:
    named = [one.partition(":") for one in message_ids]
    return fact.Source(int(named[0][0]), tuple(sorted({int(position) for _, _, position in named})))
