"""Digest: from a conversation's messages to its summary, key moments and open threads.

A pass digests all that is due of a user and agent, oldest first, and makes what follows from it once: facts,
the relationship, days, the prompt. What has just ended is due at once. What came late, or is to be weighed
anew, waits until no more of it comes: of 150 old calls that arrive newest first, each is then digested once
and not 50 times.

Understanding happens with no transaction open, and here without a model. Where there is one, its digest
(`jobs.digest_with_model`) replaces this one later, and is not replaced by this one again unless what it
was made from changes. On a chat that goes on the model has its say when it has ended."""

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
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
from voice_server.digest.privacy.remembered import remembered
from voice_server.domain.conversation import Message
from voice_server.domain.days import Trigger
from voice_server.domain.digest import Digest, EarlierThread
from voice_server.domain.person import CallerName
from voice_server.errors import DigestFailed
from voice_server.operations import learning
from voice_server.queue import day_requests, digest_requests, prompt_requests, queue
from voice_server.queue.names import DIGEST_WITH_MODEL
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
    """`pause`: what may wait does so until it is this long that more of it came. `tries` is how often a
    digest may fail before it is put aside. `digested` is told the id of each conversation afterwards."""

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
        """Digest what has just ended of the user and agent of this key. `trigger` says why their days are
        summed up. Raises DigestFailed when one could not be, and is to be tried again."""
        over = _Pass(*_whose(key), "due", _trigger(trigger))
        page = await self._following(over, None)
        if len(page) > _AT_ONCE:
            async with self._engine.begin() as connection:
                await users.lock(connection, over.user_id)
                await digest_requests.slow_down(connection, over.user_id, over.agent_id, _AT_ONCE)
            page = await self._following(over, None)
        await self._pass(over, page)

    async def catch_up(self, key: str, trigger: str) -> timedelta | None:
        """The same for what may wait; or how much longer it does."""
        user_id, agent_id = _whose(key)
        async with self._reading.connect() as connection:
            waiting = await due_digests.waiting(connection, user_id, agent_id)
        if waiting and waiting.last < self._pause and waiting.first < _LONGEST_PAUSES * self._pause:
            return self._pause - waiting.last
        over = _Pass(user_id, agent_id, "later", _trigger(trigger))
        await self._pass(over, await self._following(over, None))
        return None

    async def _pass(self, over: "_Pass", page: list[DueDigest]) -> None:
        """What follows from all digests is made in the end, also when none was due: a pass may have been
        killed."""
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
        """Digest one; whether it worked, or is put aside. One that cannot be digested keeps no other from
        it."""
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
        """When what it was made from changed meanwhile, it is made again: the last word is that of all
        that is known, in whichever order it came. At once, but for what changes with each earlier call
        that is digested beside it: that only weighs words."""
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
        """The caller's at the time of the conversation, or the agent's, or the server's."""
        served_as = self._templates.agent(basis.conversation.agent_id).agent
        return ZoneInfo(basis.timezone or served_as.timezone or self._default_timezone)

    def understand(self, basis: "Basis") -> Digest:
        """The digest without a model of ours: by quotes, and by what the platform collected where that
        stands."""
        quoted = self._quoted(basis)
        conversation = basis.conversation
        if not conversation.collected:
            return quoted
        messages = conversation.messages[-_DIGESTED:]
        reported = report.read(conversation.collected, self._mapped(basis), messages)
        said = transcript.lines(messages, self.timezone(basis), language=quoted.language, served=basis.served)
        return platform_digest.digest(quoted, reported, said, {one.id: one.text for one in basis.known})

    def _mapped(self, basis: "Basis") -> Mapping[str, str]:
        return self._templates.agent(basis.conversation.agent_id).agent.collected

    def _quoted(self, basis: "Basis") -> Digest:
        conversation = basis.conversation
        reported = report.language(conversation.collected, self._mapped(basis))
        if is_instruction(conversation.platform_summary):
            log.warning("the platform's summary of a call reads like an instruction, and is left out")
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
        )
        return replace(
            digest,
            caller_name=digest.caller_name or heard_name(basis, digest.language),
            agent_name=agent.introduced(conversation.messages, digest.language),
            forgets=basis.forgets,
        )


def _is_for_model(before: EarlierDigest | None, basis: "Basis") -> bool:
    """Whether a model, where there is one, is to read a conversation that is digested: not one that was
    digested without it, and in which nothing else was said since."""
    if before is None or before.source == "model" or before.awaits_model:
        return True
    return before.basis not in ("", basis.name)


def heard_name(basis: "Basis", language: str) -> CallerName | None:
    """What the caller is called in a conversation. That the agent calls them as its prompt says tells nothing
    new."""
    name = caller.named(basis.conversation.messages, language)
    if name is None or is_suspicious(name.name):
        return None
    return None if name.certainty == "assumed" and name.name.split()[-1] in basis.served else name


class Basis(Struct, frozen=True):
    """The conversation without what is to be forgotten, the caller's time zone then, the stems of earlier
    ones, the prompt the agent had, the threads that were open; and its language, which also what is to be
    forgotten tells."""

    conversation: DigestibleConversation
    timezone: str
    earlier: list[list[str]]
    served: str
    known: tuple[EarlierThread, ...] = ()
    forgets: tuple[tuple[str, ...], ...] = ()
    language: str = ""

    @property
    def has_speech(self) -> bool:
        """Whether anything is left that the user said and may be remembered."""
        return any(message.role == "user" for message in self.conversation.messages)

    def says_what(self, other: "Basis") -> bool:
        """Whether it is the same but for the stems of earlier conversations."""
        return replace(self, earlier=other.earlier) == other

    @property
    def name(self) -> str:
        """A model's digest is worth making again when this changes: what was said, when and where, and
        that no more follows; not when the prompt of the call is no longer kept."""
        conversation = self.conversation
        said = msgspec.json.encode((self.timezone, conversation.language, conversation.messages))
        more = b"more may follow" if conversation.goes_on else b""
        return hashlib.blake2b(said, digest_size=16, key=more).hexdigest()


class DigestInput(Struct, frozen=True):
    """As it is stored and as it may be understood; and what was understood before, None when nothing was."""

    sources: DigestSources
    basis: Basis
    understood: EarlierDigest | None


async def gather(
    connection: AsyncConnection, conversation_id: int, before: DigestInput | None = None
) -> DigestInput | None:
    """None when the conversation is gone or has no digest. What was gathered `before` need not be weighed
    again when nothing of it changed."""
    found = await digest_inputs.read(connection, conversation_id)
    if found is None:
        return None
    sources, understood = found
    if before is not None and sources == before.sources:
        return replace(before, understood=understood)
    # in a thread: a long conversation takes its time
    return DigestInput(sources, await asyncio.to_thread(_basis, sources), understood)


def _basis(sources: DigestSources) -> Basis:
    conversation = sources.conversation
    return Basis(
        replace(conversation, messages=_kept(conversation, ForgetFilter(sources.forgotten))),
        sources.timezone,
        sources.earlier,
        sources.served,
        sources.known,
        consent.topics(conversation.messages),
        spoken_language([one.content for one in spoken(conversation.messages)], conversation.language),
    )


def _kept(conversation: DigestibleConversation, hidden: ForgetFilter) -> tuple[Message, ...]:
    """The messages that may be understood: also by what later conversations ask to have forgotten."""
    return remembered(conversation.messages, conversation.collected, hidden)


async def keep(
    connection: AsyncConnection,
    conversation_id: int,
    gathered: DigestInput,
    digest: Digest,
    *,
    awaits_model: bool = False,
) -> None:
    """Keep a digest, in a transaction that has locked its user, and ask for those it makes necessary: the
    model's, and those of later conversations where it changes what their words weigh or what they may
    settle. `settle` afterwards."""
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
    await _tell_all(connection, user_id, before, digest.forgets)


async def _keep_wishes(connection: AsyncConnection, conversation_id: int, gathered: DigestInput) -> None:
    """Of a conversation in which nothing else is said, what is to be forgotten is all that is kept."""
    basis = gathered.basis
    user_id, agent_id = basis.conversation.user_id, basis.conversation.agent_id
    if basis.forgets:
        digest = Digest("", "extractive", forgets=basis.forgets)
        await digests.save(connection, conversation_id, user_id, agent_id, digest, basis=basis.name)
    await _tell_all(connection, user_id, gathered.understood, basis.forgets)


async def _tell_all(
    connection: AsyncConnection, user_id: str, before: EarlierDigest | None, now: Sequence[Sequence[str]]
) -> None:
    """No agent tells what is to be forgotten, whichever was asked."""
    if (before.forgets if before else []) != [*map(list, now)]:
        await chat_summaries.remove_all(connection, [user_id])
        await day_requests.forget_earlier(connection, user_id)
        await prompt_requests.request_all(connection, user_id)


async def settle(connection: AsyncConnection, user_id: str, agent_id: str, trigger: Trigger) -> None:
    """Make what follows from all digests of a user and agent, in the transaction that has locked the user;
    ask for their days and for the prompt."""
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


def _whose(key: str) -> tuple[str, str]:
    user_id, _, agent_id = key.partition("|")
    return user_id, agent_id


def _trigger(name: str) -> Trigger:
    """Why days are summed up; a job that was woken does not know it."""
    known: tuple[Trigger, ...] = get_args(Trigger)
    return next((one for one in known if one == name), "conversation")


async def ask_model(connection: AsyncConnection, conversation_id: int) -> None:
    """Enqueue the model's digest of a conversation, once."""
    payload = {"conversation_id": conversation_id}
    await queue.enqueue(connection, DIGEST_WITH_MODEL, payload, key=f"{DIGEST_WITH_MODEL}:{conversation_id}")


async def _reweigh(
    connection: AsyncConnection, conversation_id: int, gathered: DigestInput, digest: Digest
) -> None:
    """The model's digest stays; what earlier calls were about changes only which words tell this one
    apart."""
    conversation, before = gathered.basis.conversation, gathered.understood
    await digests.reweigh(connection, conversation_id, digest.keywords, digest.stems)
    if before is None or before.stems != list(digest.stems):
        await digest_requests.request_later_ones(connection, conversation.user_id, conversation.started_at)
