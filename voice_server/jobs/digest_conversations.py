"""Digest: from a conversation's messages to its summary, key moments and open threads.

A pass digests all that is due of a user and agent, oldest first, and makes what follows once: facts, the
relationship, days, the prompt. What came late, or is to be weighed anew, waits until no more of it comes: of
150 old calls that arrive newest first, each is digested once and not 50 times.

This happens with no transaction open and without a model. A model's digest (`jobs.digest_with_model`)
replaces this digest later, for good unless what it was made from changes; that of a chat, when it has ended.
"""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import get_args
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.context.screening.hygiene import is_instruction, is_suspicious, neutralise
from voice_server.digest import extractive
from voice_server.digest.analysis import platform_digest, report
from voice_server.digest.grounding import transcript
from voice_server.digest.language.languages import spoken_language
from voice_server.digest.language.sentences import spoken
from voice_server.digest.person_names import agent, caller
from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.digest.privacy.remembered import digestible
from voice_server.domain.days import Trigger
from voice_server.domain.digest import Digest, EarlierThread
from voice_server.domain.person import CallerName
from voice_server.errors import DigestFailed
from voice_server.operations import learning
from voice_server.queue import day_requests, digest_requests, prompt_requests, queue
from voice_server.queue.names import DIGEST_WITH_MODEL, timeline_of
from voice_server.store import session
from voice_server.store.conversations import chat_summaries
from voice_server.store.conversations.conversations import DigestibleConversation
from voice_server.store.inputs import digest_inputs
from voice_server.store.inputs.digest_inputs import DigestSources, EarlierDigest
from voice_server.store.knowledge import digests, due_digests, excerpts
from voice_server.store.knowledge.due_digests import DueDigest, Hurry
from voice_server.store.people import user_profiles, users
from voice_server.templates.library import TemplateLibrary

log = logging.getLogger(__name__)

_DIGESTED = 1500  # messages, the latest: hours of talk; choosing among more takes longer than it is worth
_AT_ONCE = 3  # calls of one user that are digested at once: of more, the latest
_PAGE = 20  # calls of one user that are due, read at a time
_LONGEST_PAUSES = 15  # pauses that what may wait is put off at most, while more of it comes


class DigestJob:
    """`pause`: how long no more may come before what may wait is digested. `tries`: failures after which a
    digest is put aside. `digested` is told each conversation's id afterwards."""

    def __init__(
        self,
        engine: AsyncEngine,
        templates: TemplateLibrary,
        default_timezone: str,
        *,
        has_model: bool = False,
        pause: timedelta = timedelta(seconds=2),
        tries: int = 8,
        digested: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._engine = engine
        self._reading = session.single_statements(engine)
        self._templates = templates
        self._default_timezone = default_timezone
        self._has_model = has_model
        self._pause = pause
        self._tries = tries
        self._digested = digested

    async def run(self, key: str, trigger: str) -> None:
        """Digest what has just ended. `trigger` says why the days are summed up. Raises DigestFailed when a
        digest is to be tried again."""
        over = _Pass(*timeline_of(key), "due", _trigger(trigger))
        page = await self._following(over, None)
        if len(page) > _AT_ONCE:
            async with self._engine.begin() as connection:
                await users.lock(connection, over.user_id)
                await digest_requests.slow_down(connection, over.user_id, over.agent_id, _AT_ONCE)
            page = await self._following(over, None)
        await self._pass(over, page)

    async def catch_up(self, key: str, trigger: str) -> timedelta | None:
        """Digest what may wait, or return how much longer it does."""
        user_id, agent_id = timeline_of(key)
        async with self._reading.connect() as connection:
            waiting = await due_digests.waiting(connection, user_id, agent_id)
        if waiting and waiting.last < self._pause and waiting.first < _LONGEST_PAUSES * self._pause:
            return self._pause - waiting.last
        over = _Pass(user_id, agent_id, "later", _trigger(trigger))
        await self._pass(over, await self._following(over, None))
        return None

    async def _pass(self, over: "_Pass", page: list[DueDigest]) -> None:
        """Settle also when nothing was due: an earlier pass may have been killed."""
        failed: list[int] = []
        while page:
            failed += [due.id for due in page if not await self._try(due)]
            # behind a page that is not full is only what has come since: a pass of its own is asked for that
            page = await self._following(over, page[-1]) if len(page) == _PAGE else []
        async with self._engine.begin() as connection:
            if await users.lock(connection, over.user_id):  # they may have been erased meanwhile
                await settle(connection, over.user_id, over.agent_id, over.trigger)
        if failed:
            raise DigestFailed(f"conversations {failed} could not be digested; their errors are logged")

    async def _following(self, over: "_Pass", after: DueDigest | None) -> list[DueDigest]:
        async with self._reading.connect() as connection:
            return await due_digests.following(
                connection, over.user_id, over.agent_id, over.hurry, after, _PAGE
            )

    async def _try(self, due: DueDigest) -> bool:
        """Return whether it worked, or is put aside: a failure keeps no other conversation from being
        digested."""
        try:
            await self._digest(due)
        except Exception as error:
            if session.is_outage(error):
                raise
            log.exception("conversation %d could not be digested", due.id)
            reason = f"{type(error).__name__}: {error}"
            async with self._engine.begin() as connection:
                await users.lock(connection, due.user_id)
                return await due_digests.count_try(connection, due.id, reason, self._tries)
        if self._digested is not None:
            await self._digested(due.id)
        return True

    async def _digest(self, due: DueDigest) -> None:
        """Digest again when the basis changed meanwhile, so that the last word is that of all that is known.
        A change in earlier calls only weighs words, and waits."""
        async with self._reading.connect() as connection:
            gathered = await gather(connection, due.id)
        while gathered is not None:
            # in a thread: an hour's call takes a tenth of a second, and heartbeats must go on
            digest = await asyncio.to_thread(self.understand, gathered.basis)
            async with self._engine.begin() as connection:
                await users.lock(connection, gathered.basis.conversation.user_id)
                used, gathered = gathered, await gather(connection, due.id, gathered)
                if gathered is not None and gathered.basis.says_what(used.basis):
                    await self._keep(connection, due.id, replace(gathered, basis=used.basis), digest)
                    await due_digests.finish(connection, due.id)
                    if gathered.basis != used.basis:
                        await digest_requests.request_again(connection, due.id, due.user_id, due.agent_id)
                    return

    async def _keep(
        self, connection: AsyncConnection, conversation_id: int, gathered: "DigestInput", digest: Digest
    ) -> None:
        basis, before = gathered.basis, gathered.understood
        conversation = basis.conversation
        if not basis.has_speech:
            await learning.unlearn(connection, conversation_id, conversation.user_id, conversation)
            await _keep_wishes(connection, conversation_id, gathered)
        elif before is not None and (before.source, before.basis) == ("model", basis.name):
            await _reweigh(connection, conversation_id, gathered, digest)
        else:
            awaits = self._has_model and not conversation.goes_on and _is_for_model(before, basis)
            await keep(connection, conversation_id, gathered, digest, awaits_model=awaits)

    def timezone(self, basis: "Basis") -> ZoneInfo:
        served_as = self._templates.agent(basis.conversation.agent_id).agent
        return ZoneInfo(basis.timezone or served_as.timezone or self._default_timezone)

    def understand(self, basis: "Basis") -> Digest:
        """Make a digest from quotes, and from what the platform collected where that stands."""
        quoted = self._quoted(basis)
        conversation = basis.conversation
        if not conversation.collected:
            return quoted
        messages = conversation.messages[-_DIGESTED:]
        reported = report.read(conversation.collected, self._mapped(basis), messages)
        said = transcript.lines(messages, self.timezone(basis), language=quoted.language, served=basis.served)
        known = {one.id: one.text for one in basis.known}
        digest, left_out = platform_digest.digest(quoted, reported, said, known)
        if left_out:
            log.info("not kept of the platform's analysis of a call: %s", "; ".join(left_out))
        return digest

    def _mapped(self, basis: "Basis") -> Mapping[str, str]:
        return self._templates.agent(basis.conversation.agent_id).agent.collected

    def _quoted(self, basis: "Basis") -> Digest:
        conversation = basis.conversation
        reported = report.language(conversation.collected, self._mapped(basis))
        if is_instruction(conversation.platform_summary):
            log.warning("the platform's summary of a call reads like an instruction, and is left out")
        naming = caller.naming()
        digest = extractive.digest(
            conversation.messages[-_DIGESTED:],
            timezone=self.timezone(basis),
            platform_summary=neutralise(conversation.platform_summary),
            language=reported or basis.language,
            document_frequencies=Counter(stem for stems in basis.earlier for stem in stems),
            documents=len(basis.earlier) + 1,
            served=basis.served,
            open_before=basis.known,
            is_call=conversation.channel == "voice",
            naming=naming,
        )
        return replace(
            digest,
            caller_name=digest.caller_name or heard_name(basis, digest.language, naming) or basis.introduced,
            agent_name=agent.introduced(conversation.messages, digest.language),
            forgets=basis.forgets,
            forgets_at=basis.forgets_at,
        )


def _is_for_model(before: EarlierDigest | None, basis: "Basis") -> bool:
    """Tell whether a model is to read it, unless it was digested without one and is unchanged."""
    if before is None or before.source == "model" or before.awaits_model:
        return True
    return before.basis not in ("", basis.name)


def heard_name(basis: "Basis", language: str, naming: caller.Naming) -> CallerName | None:
    """Return the caller's name, if the agent does not only call them as its prompt says."""
    name = naming(basis.conversation.messages, language)
    if name is None or is_suspicious(name.name):
        return None
    return None if name.certainty == "assumed" and name.name.split()[-1] in basis.served else name


class Basis(Struct, frozen=True):
    """What a digest is made from, without what is to be forgotten (which counts for `language`). The time
    zone is the caller's at the time, `earlier` the stems of earlier conversations, `served` the prompt the
    agent had."""

    conversation: DigestibleConversation
    timezone: str
    earlier: list[list[str]]
    served: str
    known: tuple[EarlierThread, ...] = ()
    forgets: tuple[tuple[str, ...], ...] = ()
    forgets_at: tuple[datetime, ...] = ()
    language: str = ""
    introduced: CallerName | None = None

    @property
    def has_speech(self) -> bool:
        return any(message.role == "user" for message in self.conversation.messages)

    def says_what(self, other: "Basis") -> bool:
        """Tell whether it is the same but for the stems of earlier conversations."""
        return replace(self, earlier=other.earlier) == other

    @property
    def name(self) -> str:
        """A hash: when it changes, a model's digest is worth making again. The prompt of the call does not
        count: it may be gone."""
        conversation = self.conversation
        said = msgspec.json.encode((self.timezone, conversation.language, conversation.messages))
        more = b"more may follow" if conversation.goes_on else b""
        return hashlib.blake2b(said, digest_size=16, key=more).hexdigest()


class DigestInput(Struct, frozen=True):
    """A conversation as it is stored and as it may be understood, and its earlier digest."""

    sources: DigestSources
    basis: Basis
    understood: EarlierDigest | None


async def gather(
    connection: AsyncConnection, conversation_id: int, before: DigestInput | None = None
) -> DigestInput | None:
    """Gather a conversation; None when it is gone or has no digest. `before` saves weighing again what did
    not change."""
    found = await digest_inputs.read(connection, conversation_id)
    if found is None:
        return None
    sources, understood = found
    if before is not None and sources == before.sources:
        return replace(before, understood=understood)
    # in a thread: a long conversation takes its time
    return DigestInput(sources, await asyncio.to_thread(_basis, sources), understood)


def _basis(sources: DigestSources) -> Basis:
    conversation, hidden = sources.conversation, ForgetFilter(sources.forgotten)
    wished = consent.topics(conversation.messages, sources.meant)
    basis = Basis(
        _understandable(sources, hidden),
        sources.timezone,
        sources.earlier,
        sources.served,
        sources.known,
        tuple(wished),
        tuple(wished.values()),
        spoken_language([one.content for one in spoken(conversation.messages)], conversation.language),
    )
    return replace(basis, introduced=_introduced(basis, sources, hidden))


def _introduced(basis: Basis, sources: DigestSources, hidden: ForgetFilter) -> CallerName | None:
    """Return who calls, where they said so in a turn that is withheld: that is no secret, unless they ask for
    it."""
    spoken_in = sources.conversation
    is_withheld = (*basis.conversation.messages,) != (*spoken_in.messages,)
    if not is_withheld or consent.asks_for_name(spoken_in.messages):
        return None
    name = heard_name(replace(basis, conversation=spoken_in), basis.language, caller.naming())
    is_hidden = name and hidden.at(spoken_in.started_at, name.name, of=sources.conversation_id)
    return None if is_hidden else name


def _understandable(sources: DigestSources, hidden: ForgetFilter) -> DigestibleConversation:
    """Leave out what the platform understood where a later conversation wants some of it forgotten."""
    conversation, of = sources.conversation, sources.conversation_id
    messages = digestible(conversation.messages, conversation.collected, hidden, of=of)
    if len(hidden.kept(conversation.messages, of=of)) == len(conversation.messages):
        return replace(conversation, messages=messages)
    return replace(conversation, messages=messages, platform_summary="", collected={})


async def keep(
    connection: AsyncConnection,
    conversation_id: int,
    gathered: DigestInput,
    digest: Digest,
    *,
    awaits_model: bool = False,
) -> None:
    """Keep a digest, in a transaction that has locked its user, and ask for those it makes necessary: the
    model's, and later conversations' whose words it weighs or whose threads may settle. `settle`
    afterwards."""
    basis, before = gathered.basis, gathered.understood
    conversation = basis.conversation
    user_id, agent_id = conversation.user_id, conversation.agent_id
    opens_others = await digests.save(
        connection, conversation_id, user_id, agent_id, digest, basis=basis.name, awaits_model=awaits_model
    )
    await excerpts.keep_said(connection, conversation_id, (one.position for one in conversation.messages))
    if digest.metadata:
        await user_profiles.keep_collected(connection, user_id, conversation.started_at, digest.metadata)
    if awaits_model:
        await ask_model(connection, conversation_id)
    if opens_others or before is None or before.stems != list(digest.stems):
        await digest_requests.request_later_ones(connection, user_id, conversation.started_at)
    await _tell_all(connection, conversation, before, digest)


async def _keep_wishes(connection: AsyncConnection, conversation_id: int, gathered: DigestInput) -> None:
    """Where nothing else is said, what is to be forgotten is all that is kept."""
    basis = gathered.basis
    user_id, agent_id = basis.conversation.user_id, basis.conversation.agent_id
    digest = Digest("", "extractive", forgets=basis.forgets, forgets_at=basis.forgets_at)
    if basis.forgets:
        await digests.save(connection, conversation_id, user_id, agent_id, digest, basis=basis.name)
    await _tell_all(connection, basis.conversation, gathered.understood, digest)


async def _tell_all(
    connection: AsyncConnection,
    asking: DigestibleConversation,
    before: EarlierDigest | None,
    now: Digest,
) -> None:
    """No agent tells what is to be forgotten, whichever was asked."""
    wished = (before.forgets, before.forgets_at) if before else ([], [])
    if wished != ([*map(list, now.forgets)], [*now.forgets_at]):
        user_id = asking.user_id
        until = max((asking.started_at, *now.forgets_at))
        await digest_requests.request_earlier_ones(connection, user_id, until)
        await chat_summaries.remove_all(connection, [user_id])
        await day_requests.forget_earlier(connection, user_id)
        await prompt_requests.request_all(connection, user_id)


async def settle(connection: AsyncConnection, user_id: str, agent_id: str, trigger: Trigger) -> None:
    """Make what follows from all digests, in the transaction that has locked the user; ask for days and
    prompt."""
    renamed = await digests.refresh(connection, user_id, agent_id)
    prompt = prompt_requests.wanted(user_id, agent_id)
    await queue.request(connection, day_requests.wanted(user_id, agent_id, trigger), prompt)
    if renamed:
        await prompt_requests.request_all(connection, user_id)


class _Pass(Struct, frozen=True):
    user_id: str
    agent_id: str
    hurry: Hurry
    trigger: Trigger


def _trigger(name: str) -> Trigger:
    """Fall back on a reason: a job that was woken knows none."""
    known: tuple[Trigger, ...] = get_args(Trigger)
    return next((one for one in known if one == name), "conversation")


async def ask_model(connection: AsyncConnection, conversation_id: int) -> None:
    payload = {"conversation_id": conversation_id}
    await queue.enqueue(connection, DIGEST_WITH_MODEL, payload, key=f"{DIGEST_WITH_MODEL}:{conversation_id}")


async def _reweigh(
    connection: AsyncConnection, conversation_id: int, gathered: DigestInput, digest: Digest
) -> None:
    """Keep the model's digest: only which words tell this call apart has changed."""
    conversation, before = gathered.basis.conversation, gathered.understood
    await digests.reweigh(connection, conversation_id, digest.keywords, digest.stems)
    if before is None or before.stems != list(digest.stems):
        await digest_requests.request_later_ones(connection, conversation.user_id, conversation.started_at)
