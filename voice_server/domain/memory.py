"""What is known of one user with one agent at the moment a prompt is built."""

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from voice_server.domain.conversation import Channel
from voice_server.domain.days import PAUSE_HOURS
from voice_server.domain.digest import FollowUp, KeyMoment, OpenThread
from voice_server.domain.fact import Fact, SupersededFact, WithheldFact
from voice_server.domain.person import in_short
from voice_server.domain.relationship import Relationship
from voice_server.domain.thought import Thought


class RememberedConversation(Struct, frozen=True):
    """One conversation with what its digest kept. `id` is ours, `duration` in seconds; `is_quoted`: only its
    quotes are known, and its summary is made of them. `noted` is what the platform's data collection found,
    as `name: value`. `said` is when (UTC) messages of a chat were written in the last days. `caller` is who
    spoke in it, if somebody else than who the user is now called after."""

    id: int
    channel: Channel
    started_at: datetime
    duration: int
    summary: str = ""
    key_moments: tuple[KeyMoment, ...] = ()
    noted: tuple[str, ...] = ()
    said: tuple[datetime, ...] = ()
    goes_on: bool = False
    is_quoted: bool = False
    caller: str = ""

    @property
    def ended_at(self) -> datetime:
        return self.started_at + timedelta(seconds=self.duration)


class KnownFollowUp(FollowUp, frozen=True, kw_only=True):
    """A follow-up and the conversation (our id) that has it."""

    conversation_id: int


class KnownThread(OpenThread, frozen=True):
    """An open thread, last touched in UTC. Pinned by hand, it comes first; added by hand, it has no
    conversation. `follow_up` is the latest there is."""

    id: int = 0
    touched_at: datetime | None = None
    pinned: bool = False
    conversation_id: int | None = None
    follow_up: KnownFollowUp | None = None


def without_follow_ups(
    threads: Iterable[KnownThread], is_hidden: Callable[[KnownFollowUp], bool]
) -> tuple[KnownThread, ...]:
    """Return the threads, those with a hidden follow-up without it."""
    hides = ((one, one.follow_up is not None and is_hidden(one.follow_up)) for one in threads)
    return tuple(replace(one, follow_up=None) if hidden else one for one, hidden in hides)


class SummarisedDay(Struct, frozen=True):
    """A model's summary (Markdown) of a day, from these conversations. `id` is the segment's."""

    id: int
    day: date
    conversations: tuple[int, ...]
    summary: str


class ForgottenTopic(Struct, frozen=True):
    """A topic to be forgotten, as hashes of its stems. The conversation that asked for it began at `at`, and
    did so at `wished_at` (UTC; None: not known, or as it began)."""

    at: datetime
    stems: tuple[str, ...]
    wished_at: datetime | None = None
    conversation_id: int | None = None

    def until(self, conversation_id: int | None) -> datetime:
        """Return until when it hides what a conversation says (None: any). Of its own, what may be remembered
        is decided by the wish itself (`digest.privacy.consent`)."""
        is_elsewhere = conversation_id is not None and conversation_id != self.conversation_id
        return self.wished_at if self.wished_at is not None and is_elsewhere else self.at


class Memory(Struct, frozen=True):
    """All that one prompt is made of. `conversations` counts those in which something was said. `latest` are
    those of the last local days, newest first, and always the one that ended last, at `last_contact` (UTC).
    `recent_calls` are the platform's ids of the latest calls whose digests are in: another id in the redial
    mark tells a pre-call that one is missing. A fact that shares some of `topical_stems`, of what is on
    between the two now, is relevant. Names are "" where unknown. `days` are those of the last days that a
    model summed up; `day_pause` hours of silence end a session. `withheld` are all excluded facts, and the
    newest flagged ones; `superseded` those of `latest` that do not hold any more."""

    user_id: str
    timezone: str
    conversations: int = 0
    last_contact: datetime | None = None
    latest: tuple[RememberedConversation, ...] = ()
    open_threads: tuple[KnownThread, ...] = ()
    recent_calls: tuple[str, ...] = ()
    relationship: Relationship | None = None
    thoughts: tuple[Thought, ...] = ()
    facts: tuple[Fact, ...] = ()
    topical_stems: tuple[str, ...] = ()
    days: tuple[SummarisedDay, ...] = ()
    day_pause: float = PAUSE_HOURS
    user_name: str = ""
    user_nickname: str = ""
    agent_name: str = ""
    forgotten: tuple[ForgottenTopic, ...] = ()
    withheld: tuple[WithheldFact, ...] = ()
    superseded: tuple[SupersededFact, ...] = ()

    @property
    def called(self) -> str:
        """What the user is called in short: the nickname, else the first of several names."""
        return self.user_nickname or in_short(self.user_name)

    @property
    def last_time(self) -> RememberedConversation | None:
        ended = (one for one in self.latest if not one.goes_on)
        return max(ended, key=lambda one: (one.ended_at, one.id), default=None)
