"""The model's digest of a conversation, in place of the provisional digest.

gather: the conversation, what is known before it · ask the model, window by window, with no transaction open
· decide what of its answers holds (pure), once it has read them again beside the talk · apply, if what it was
made from has not changed

Nothing waits for this. When the model is away, has used up the day's tokens or fails, `wake` asks again,
those tried least first. No conversation is asked about for ever, and no question is put again that was
answered.

An answer without anything from the transcript gets a second chance. When that is of no use either, or the
provider refuses the question, the provisional digest stands. That the model broke or was too slow may be the
conversation's doing: it counts until the circuit opens, and then once for each new attempt, so only an outage
of hours costs a conversation its turn. What it cannot have caused (no connection, a wrong key, a rate limit)
never counts. An answer that it does not read again is kept as the rules leave it: a provider that grants one
request a minute would never be done with any conversation.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context.layout.budget import Count
from voice_server.digest.grounding import transcript
from voice_server.digest.grounding.grounding import (
    NO_REVIEW,
    GroundedFindings,
    PriorKnowledge,
    Review,
    ground,
)
from voice_server.digest.grounding.transcript import Window
from voice_server.digest.model.conversation_prompt import Brief, complaint
from voice_server.digest.model.merge_windows import known_by, merged
from voice_server.digest.model.reader import Answer, Failure, Reader
from voice_server.digest.model.review_prompt import ReviewBrief, review_of
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.domain.digest import Digest, ModelUse
from voice_server.errors import ModelAway
from voice_server.jobs import digest_conversations
from voice_server.jobs.digest_conversations import Basis, DigestInput, DigestJob, ask_model
from voice_server.queue import queue
from voice_server.runtime.circuit_breaker import CircuitBreaker
from voice_server.store import model_usage
from voice_server.store.knowledge import digests, facts, threads
from voice_server.store.people import names, users

log = logging.getLogger(__name__)

# What counts against one conversation, until its provisional digest stands: an answer of no use, three days
# whose tokens ended in the middle of it, or twelve times that the model broke or was too slow: five that open
# the circuit and seven with growing pauses are two hours.
_ENOUGH, _CUT_SHORT, _BROKE = 12, 4, 1
_USELESS = _ENOUGH
_MOST_KNOWN = 40  # threads, and as many facts, that the model is told
_BATCH = 500


class ModelBounds(Struct, frozen=True):
    """What the model may cost. `tokens_per_day` 0: no limit; `window` in tokens of a transcript; `reviews`:
    each answer is read again."""

    tokens_per_day: int = 0
    window: int = 6000
    windows: int = 8
    reviews: bool = True


class _ModelInput(Struct, frozen=True):
    conversation_id: int
    gathered: DigestInput
    known: PriorKnowledge

    @property
    def basis(self) -> Basis:
        return self.gathered.basis

    @property
    def subject(self) -> tuple[str, str]:
        """What must not change while the model reads: what was said, and by whom."""
        return self.basis.name, self.basis.conversation.user_id

    def about(self, caller: str) -> "_ModelInput":
        return replace(self, known=replace(self.known, caller=self.known.caller or caller))


class DigestWithModel:
    """`clock` gives unix seconds."""

    def __init__(
        self,
        engine: AsyncEngine,
        provisional: DigestJob,
        reader: Reader,
        count: Count,
        clock: Callable[[], float],
        bounds: ModelBounds,
    ) -> None:
        self._engine = engine
        self._provisional = provisional
        self._reader = reader
        self._count = count
        self._clock = clock
        self._bounds = bounds
        self.circuit = CircuitBreaker(clock)
        self._reviews = CircuitBreaker(clock)  # a model that cannot review is not asked to for long

    async def run(self, payload: queue.Payload) -> None:
        """Let the model read the conversation, if that awaits it and has its turn. Raises ModelAway while the
        circuit is closed, to be tried again."""
        conversation_id: int = payload["conversation_id"]
        async with self._engine.connect() as connection:
            asked = await self._gather(connection, conversation_id)
            if asked is None or await self._first(connection, asked) != conversation_id:
                return
        while asked is not None:
            digest = await self._understand(asked)
            asked = await self._apply(asked, digest) if digest else None

    async def wake(self) -> None:
        """Enqueue what awaits the model: it may be back, or a new day begun."""
        if self.circuit.is_open or not await self.may_ask():
            return
        async with self._engine.begin() as connection:
            await self.ask(connection)

    @staticmethod
    async def ask(connection: AsyncConnection) -> None:
        """Enqueue what awaits the model; of each user and agent the earliest, which the others follow."""
        for conversation_id in await digests.awaiting_model(connection, _ENOUGH, _BATCH):
            await ask_model(connection, conversation_id)

    async def _gather(self, connection: AsyncConnection, conversation_id: int) -> _ModelInput | None:
        gathered = await digest_conversations.gather(connection, conversation_id)
        if gathered is None:
            return None
        basis = gathered.basis
        if basis.conversation.goes_on:  # a chat taken up again awaits it when it ends
            return None
        if not await digests.awaits_model(connection, conversation_id):
            return None
        open_ones = await threads.before(connection, conversation_id, _MOST_KNOWN)
        known_ones = await facts.before(connection, conversation_id, _MOST_KNOWN)
        # of what is to be forgotten the model knows nothing
        hidden = ForgetFilter(gathered.sources.forgotten, basis.timezone)
        told = [fact for fact in known_ones if not hidden.on(fact.last_said_on, fact.text)]
        known = PriorKnowledge(
            {f"T{id_}": text for id_, text, said_on in open_ones if not hidden.on(said_on, text)},
            {f"F{fact.id}": fact.text for fact in told},
            {f"F{fact.id}": fact.topic for fact in told if fact.topic},
            caller=(await names.of(connection, basis.conversation.user_id)).name,
        )
        return _ModelInput(conversation_id, gathered, known)

    async def _understand(self, asked: _ModelInput) -> Digest | None:
        provisional = await asyncio.to_thread(self._provisional.understand, asked.basis)
        asked = asked.about(provisional.caller_name.name if provisional.caller_name else "")
        parts: list[GroundedFindings] = []
        use = ModelUse(self._reader.name)
        for window in await asyncio.to_thread(self._windows, asked, provisional.language):
            brief = self._brief(asked, parts, window)
            if await self._rests(asked, begun=bool(parts)):
                return None
            part, cost = await self._read(asked, brief, provisional.language)
            use = _sum(use, cost)
            if part is None:
                return None
            parts.append(part)
        if all(part.is_empty for part in parts):
            await self._count_try(asked, "nothing of what it wrote stands in the transcript", _USELESS)
            return None
        ids = {label: int(label[1:]) for label in asked.known.threads}
        return merged(parts, provisional, ids, use)

    def _windows(self, asked: _ModelInput, language: str) -> list[Window]:
        said = transcript.lines(
            asked.basis.conversation.messages,
            self._provisional.timezone(asked.basis),
            language=language,
            served=asked.basis.served,
        )
        return transcript.windows(said, self._count, tokens=self._bounds.window, most=self._bounds.windows)

    def _brief(self, asked: _ModelInput, parts: list[GroundedFindings], window: Window) -> Brief:
        private = frozenset[int]().union(*(part.private for part in parts))
        shown = transcript.leaving_out(window, private)
        told = next((part.summary for part in reversed(parts) if part.summary), "")
        return Brief(shown, self._provisional.timezone(asked.basis), known_by(parts, asked.known), told)

    async def _rests(self, asked: _ModelInput, *, begun: bool) -> bool:
        """Tell whether the model may not be asked now. Being cut short by the day's limit counts as a try: a
        conversation that alone costs more would be cut short every day."""
        if self.circuit.is_open:
            return True
        if await self.may_ask():
            return False
        if begun:
            await self._count_try(
                asked, "the day's tokens (LLM_TOKENS_PER_DAY) ended in the middle of it", _CUT_SHORT
            )
        return True

    async def _read(
        self, asked: _ModelInput, brief: Brief, language: str
    ) -> tuple[GroundedFindings | None, ModelUse]:
        """Return what holds of its answer, or else of its second answer, and the cost; None for no answer."""
        answer = await self._answered(asked, self._reader.read(brief))
        if isinstance(answer, Failure):
            return None, answer.use
        found, use = await self._hold(asked, answer, brief, language)
        if not found.is_empty or not await self.may_ask():
            return found, use
        complained = complaint(found.left_out)
        again = await self._answered(asked, self._reader.read_again(brief, answer, complained))
        if isinstance(again, Failure):
            return None, _sum(use, again.use)
        found, more = await self._hold(asked, again, brief, language)
        return found, _sum(use, more)

    async def _answered(self, asked: _ModelInput, asking: Awaitable[Answer | Failure]) -> Answer | Failure:
        answer = await asking
        await self.count(answer.use)
        if isinstance(answer, Failure):
            await self._failed(asked, answer)
        else:
            self.circuit.worked()
        return answer

    async def _hold(
        self, asked: _ModelInput, answer: Answer, brief: Brief, language: str
    ) -> tuple[GroundedFindings, ModelUse]:
        """Return what holds of an answer, and the cost with that of its review."""

        def held(review: Review) -> GroundedFindings:
            return ground(answer.findings, brief.window, brief.known, language=language, review=review)

        found = await asyncio.to_thread(held, NO_REVIEW)
        shown = replace(brief, window=transcript.leaving_out(brief.window, found.private))
        question = ReviewBrief(shown.text, found.statements)
        review, use = await self.review(question, f"digest of conversation {asked.conversation_id}")
        if review != NO_REVIEW:
            found = await asyncio.to_thread(held, review)
        if found.left_out:
            reasons = "; ".join(map(str, found.left_out))
            log.info("not kept of the model's digest of conversation %d: %s", asked.conversation_id, reasons)
        return found, _sum(answer.use, use)

    async def _failed(self, asked: _ModelInput, failure: Failure) -> None:
        is_news = not self.circuit.is_open  # else another call found out while this one was under way
        self.circuit.failed()
        if not failure.away:
            await self._count_try(asked, failure.reason, _USELESS)
            return
        if failure.suspect and is_news:
            await self._count_try(asked, failure.reason, _BROKE)
        if not self.circuit.is_open:
            raise ModelAway(failure.reason)
        log.warning("the model is left alone for a while: %s", failure.reason)

    async def _count_try(self, asked: _ModelInput, reason: str, weight: int) -> None:
        log.warning("no use of the model's digest of conversation %d: %s", asked.conversation_id, reason)
        async with self._engine.begin() as connection:
            await digests.count_try(connection, asked.conversation_id, asked.basis.name, weight)
            await self._pass_on(connection, asked)

    async def _apply(self, asked: _ModelInput, digest: Digest) -> _ModelInput | None:
        """Keep the digest; or return what to ask about instead, when the conversation was retold or moved
        meanwhile."""
        async with self._engine.begin() as connection:
            await users.lock(connection, asked.basis.conversation.user_id)
            now = await self._gather(connection, asked.conversation_id)
            if now is None or now.subject != asked.subject:
                return now
            await digest_conversations.keep(connection, asked.conversation_id, now.gathered, digest)
            whose = now.basis.conversation
            await digest_conversations.settle(connection, whose.user_id, whose.agent_id, "conversation")
            await self._pass_on(connection, asked)
        return None

    async def _pass_on(self, connection: AsyncConnection, asked: _ModelInput) -> None:
        following = await self._first(connection, asked)
        if following not in (None, asked.conversation_id):
            await ask_model(connection, following)

    async def _first(self, connection: AsyncConnection, asked: _ModelInput) -> int | None:
        conversation = asked.basis.conversation
        return await digests.next_for_model(connection, conversation.user_id, conversation.agent_id, _ENOUGH)

    async def review(self, brief: ReviewBrief, of: str) -> tuple[Review, ModelUse]:
        """Have the model check what it noted, and tell the cost. No review when it may not be asked or has no
        answer of use, which says nothing of what it reads for the first time; `of` what is for the log."""
        nothing = NO_REVIEW, ModelUse(self._reader.name)
        if not (self._bounds.reviews and brief.statements):
            return nothing
        if self._reviews.is_open or not await self.may_ask():
            why = "none was answered lately" if self._reviews.is_open else "the day's tokens are used up"
            log.info("the model's %s is kept without a review: %s", of, why)
            return nothing
        answer = await self._reader.review(brief)
        await self.count(answer.use)
        review = None if isinstance(answer, Failure) else review_of(answer.judgements, brief)
        if review is not None:
            self._reviews.worked()
            return review, answer.use
        self._reviews.failed()
        why = answer.reason if isinstance(answer, Failure) else "its verdicts cannot be of these statements"
        log.warning("the model's %s is kept without a review: %s", of, why)
        return NO_REVIEW, answer.use

    async def may_ask(self) -> bool:
        """Tell whether the day's tokens are not used up yet. Calls under way do not count: each may exceed
        them."""
        if not self._bounds.tokens_per_day:
            return True
        async with self._engine.connect() as connection:
            used = await model_usage.on(connection, self._today())
        return used.tokens < self._bounds.tokens_per_day

    async def count(self, use: ModelUse) -> None:
        async with self._engine.begin() as connection:
            await model_usage.add(connection, self._today(), use)

    def _today(self) -> date:
        return datetime.fromtimestamp(self._clock(), UTC).date()


def _sum(use: ModelUse, more: ModelUse) -> ModelUse:
    tokens_in, tokens_out = use.tokens_in + more.tokens_in, use.tokens_out + more.tokens_out
    return replace(use, tokens_in=tokens_in, tokens_out=tokens_out)
