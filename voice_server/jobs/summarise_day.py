"""The model's summary of a day, in place of the summary made without it.

gather · ask the model, with no transaction open · decide what of its answer holds (pure) · keep it, if what
was said that day has not changed meanwhile

The day's tokens and the circuit are those of `jobs.digest_with_model`. The model reads a day's conversations
first: so a day with many calls in a row is summed up once, after the last.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context.layout.budget import Count
from voice_server.digest.day_summary import DaysTalk, left_by_hand
from voice_server.digest.grounding.findings import DayFindings
from voice_server.digest.model import day_prompt
from voice_server.digest.model.day_prompt import DayBrief
from voice_server.digest.model.reader import Failure, Reader
from voice_server.digest.model.review_prompt import ReviewBrief
from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.errors import ModelAway
from voice_server.jobs.day_summaries import ask_model, basis_of, said_between, talks_of
from voice_server.jobs.digest_with_model import DigestWithModel
from voice_server.queue import prompt_requests, queue
from voice_server.runtime.timezones import zone
from voice_server.store.knowledge import day_segments, forgotten
from voice_server.store.knowledge.day_segments import SegmentToSummarise
from voice_server.store.people import users
from voice_server.store.prompts import prompts

log = logging.getLogger(__name__)

# What counts against one day, until its summary made without the model stands: as in
# `jobs.digest_with_model`.
_ENOUGH, _USELESS, _BROKE = 12, 12, 1
_BATCH = 500
_TOLD_DAYS = 1  # back from today: what a prompt tells


class _ModelInput(Struct, frozen=True):
    """`served` are the prompts the agent had in each conversation."""

    segment: SegmentToSummarise
    talks: tuple[DaysTalk, ...]
    served: tuple[str, ...]


class SummariseDay:
    """`with_model` has the model's circuit and the day's tokens; `tokens` are of one transcript; `clock`
    gives unix seconds."""

    def __init__(
        self,
        engine: AsyncEngine,
        reader: Reader,
        with_model: DigestWithModel,
        count: Count,
        clock: Callable[[], float],
        *,
        tokens: int,
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._with_model = with_model
        self._count = count
        self._clock = clock
        self._tokens = tokens

    async def run(self, payload: queue.Payload) -> None:
        """Sum up a segment, if it awaits the model. Raises ModelAway while the circuit is closed, to be tried
        again."""
        if not await self._may_ask():
            return
        async with self._engine.connect() as connection:
            asked = await self._gather(connection, payload["segment_id"])
        if asked is None:
            return
        brief = await asyncio.to_thread(self._brief, asked)
        found = await self._read(asked.segment, brief)
        if found is not None:
            await self._keep(asked.segment, brief, found)

    async def wake(self) -> None:
        """Enqueue what awaits the model."""
        if not await self._may_ask():
            return
        async with self._engine.begin() as connection:
            for id_, basis in await day_segments.awaiting_model(connection, _ENOUGH, _BATCH):
                await ask_model(connection, id_, basis)

    async def _may_ask(self) -> bool:
        return not self._with_model.circuit.is_open and await self._with_model.may_ask()

    async def _gather(self, connection: AsyncConnection, segment_id: int) -> _ModelInput | None:
        segment = await day_segments.to_sum_up(connection, segment_id, _ENOUGH)
        if segment is None:
            return None
        contents = await day_segments.contents(connection, segment.sources)
        kept = [await asyncio.to_thread(consent.kept, one.messages) for one in contents]
        spoken = {one.id: messages for one, messages in zip(contents, kept, strict=True)}
        said = said_between(spoken, segment.starts_at, segment.ends_at)
        where = dict.fromkeys(spoken, zone(segment.timezone) or ZoneInfo("UTC"))
        talks = talks_of(contents, said, where, spoken)
        if not talks or basis_of(segment.day, talks) != segment.basis:
            return None  # it is being made anew
        hidden = ForgetFilter(await forgotten.topics(connection, segment.user_id), segment.timezone)
        talks = await asyncio.to_thread(_tellable, talks, hidden, segment.day)
        if not talks:
            await self._count_try(segment, "nothing of it is to be told", _ENOUGH)
            return None
        served = [await prompts.served_in(connection, id_) for id_ in talks]
        return _ModelInput(segment, tuple(talks.values()), tuple(served))

    def _brief(self, asked: _ModelInput) -> DayBrief:
        left = left_by_hand(asked.talks)
        return day_prompt.brief(asked.talks, asked.served, self._count, tokens=self._tokens, left=left)

    async def _read(self, segment: SegmentToSummarise, brief: DayBrief) -> DayFindings | None:
        answer = await self._reader.sum_up(brief)
        await self._with_model.count(answer.use)
        if isinstance(answer, Failure):
            await self._failed(segment, answer)
            return None
        self._with_model.circuit.worked()
        return answer.findings

    async def _failed(self, segment: SegmentToSummarise, failure: Failure) -> None:
        """Leave the circuit alone when the model answers: it may digest conversations well."""
        if not failure.away:
            await self._count_try(segment, failure.reason, _USELESS)
            return
        circuit = self._with_model.circuit
        if failure.suspect and not circuit.is_open:
            await self._count_try(segment, failure.reason, _BROKE)
        circuit.failed()
        if not circuit.is_open:
            raise ModelAway(failure.reason)
        log.warning("the model is left alone for a while: %s", failure.reason)

    async def _count_try(self, segment: SegmentToSummarise, reason: str, weight: int) -> None:
        log.warning("no use of the model's summary of day segment %d: %s", segment.id, reason)
        async with self._engine.begin() as connection:
            await day_segments.count_try(connection, segment.id, segment.basis, weight)

    async def _keep(self, segment: SegmentToSummarise, brief: DayBrief, found: DayFindings) -> None:
        held = await asyncio.to_thread(day_prompt.grounded, found, brief)
        question = ReviewBrief(brief.text, day_prompt.statements(held, brief, found))
        review, _ = await self._with_model.review(question, f"summary of day segment {segment.id}")
        summary = day_prompt.reviewed(held, review)
        if not summary.summary:
            await self._count_try(segment, "nothing of what it wrote was said that day", _USELESS)
            return
        async with self._engine.begin() as connection:
            await users.lock(connection, segment.user_id)
            kept = await day_segments.summed_up(connection, segment.id, segment.basis, summary.markdown)
            if kept and self._is_told(segment):
                await prompt_requests.request(connection, segment.user_id, segment.agent_id)

    def _is_told(self, segment: SegmentToSummarise) -> bool:
        now = datetime.fromtimestamp(self._clock(), UTC)
        today = now.astimezone(zone(segment.timezone) or UTC).date()
        return (today - segment.day).days <= _TOLD_DAYS + 1  # in whichever time zone they are by now


def _tellable(talks: Mapping[int, DaysTalk], hidden: ForgetFilter, day: date) -> dict[int, DaysTalk]:
    told = {
        id_: replace(
            talk,
            messages=hidden.kept(talk.messages, of=id_),
            summary="" if hidden.on(day, talk.summary) else talk.summary,
            threads=tuple(one for one in talk.threads if not hidden.on(day, one.text)),
        )
        for id_, talk in talks.items()
    }
    return {id_: talk for id_, talk in told.items() if talk.messages}
