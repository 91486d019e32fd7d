"""What a model is asked to find in a conversation, a day or a chat: the shapes of its answers.

The model reads the docstrings as descriptions of the fields. Plain data classes, because the library that
asks the model reads no other kind that is free of it. Believe nothing before `grounding` has seen it.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

Strings = list[str]
Numbers = list[int]


class _Finding:
    __pydantic_config__: ClassVar[dict[str, Any]] = {"use_attribute_docstrings": True, "extra": "ignore"}


@dataclass(frozen=True, kw_only=True)
class Moment(_Finding):
    """One thing said that is worth keeping."""

    text: str
    """One sentence, in the third person."""
    messages: Numbers
    """Numbers of the messages it rests on."""


@dataclass(frozen=True, kw_only=True)
class OpenedThread(_Finding):
    """Something left open: a promise, a request, an unanswered question, a plan, a topic to come back to."""

    kind: Literal["promise", "request", "question", "plan", "topic"]
    text: str
    """One sentence, in the third person."""
    messages: Numbers
    """Numbers of the messages it rests on."""
    due: str = ""
    """Day by which it is to be done or takes place, as YYYY-MM-DD; empty when none was named."""
    replaces: str = ""
    """Label (T…, N…) of the listed open thread that this one takes the place of, because it was moved or
    changed; empty when there is none."""


@dataclass(frozen=True, kw_only=True)
class FoundFact(_Finding):
    """Something worth knowing months from now."""

    about: Literal["user", "relationship", "agent"]
    """user: the caller and their life. relationship: what the two went through together. agent: what
    the agent said of itself."""
    text: str
    """One sentence, in the third person."""
    messages: Numbers
    """Numbers of the messages it rests on; of a fact about the user at least one is the caller's."""
    topic: str = ""
    """What it is a value of, in one to four English words, when only one value can be true at a time: home,
    job, name of the dog. Empty otherwise."""
    certainty: float = 1.0
    """0 to 1: 1 was said outright, 0.5 was hinted at."""
    salience: float = 0.5
    """0 to 1: 1 changes how one speaks to the caller, 0.2 is a detail."""
    valid_from: str = ""
    """Day from which it is true, as YYYY-MM-DD, when one was named; empty otherwise."""
    due: str = ""
    """Day of a commitment or an event to come, as YYYY-MM-DD; empty otherwise."""
    supersedes: str = ""
    """Label of the known fact (F…) that is no longer true because of it; empty when there is none."""


@dataclass(frozen=True, kw_only=True)
class FoundThought(_Finding):
    """Something the agent might carry into the next conversations: a hope, a worry, something to ask."""

    text: str
    """One sentence, speaking to the agent as "you"."""
    messages: Numbers
    """Numbers of the messages it rests on."""
    days: int = 14
    """Days after which it is stale."""


@dataclass(frozen=True, kw_only=True)
class Closeness(_Finding):
    """What the conversation changed between the two, where it shows. Of ordinary business nothing does."""

    score: float = 0.0
    """-0.1 to 0.1: how much more (or less) the caller confides in the agent than before; 0 when nothing
    shows."""
    emotional_state: str = ""
    """The caller's mood at the end, in one to five words; empty when it does not show."""
    conflict_state: str = ""
    """What stands between the two, in one to eight words; empty when nothing does."""


@dataclass(frozen=True, kw_only=True)
class Findings(_Finding):
    """What was understood from one conversation, or from one window of a long one."""

    summary: str
    """One to three sentences, in the third person: what this conversation, from its beginning, was about."""
    caller_name: str = ""
    """The caller's own name, as it was said by them or by the agent; empty when nobody said it."""
    key_moments: list[Moment] = field(default_factory=list)
    """Up to six, the most telling, of what is neither a fact nor left open."""
    opened: list[OpenedThread] = field(default_factory=list)
    """What is to come: appointments, promises, plans, requests, unanswered questions. One entry for each: a
    request that the agent accepts is one. Nothing that this conversation also settled."""
    closed: Strings = field(default_factory=list)
    """Labels (T…, N…) of the open threads, as listed, that this conversation settled or dropped, or whose
    day is over."""
    facts: list[FoundFact] = field(default_factory=list)
    """What stays true: one statement each. No appointments, promises or plans."""
    thoughts: list[FoundThought] = field(default_factory=list)
    """At most three."""
    relationship: Closeness = Closeness()
    private: Numbers = field(default_factory=list)
    """Numbers of the messages that the caller, in any language, asked not to be remembered or recorded: also
    those of which only a part is private, the asking itself, and the agent's answer to it."""
    language: str = ""
    """Language the caller spoke, as a BCP 47 tag like en or pt-BR."""


@dataclass(frozen=True, kw_only=True)
class DayFindings(_Finding):
    """What was understood from all that was said on one day."""

    summary: str
    """One to five sentences, in the third person: what the day was about, in the order in which it
    came up."""
    goals: Strings = field(default_factory=list)
    """What the caller wants to reach, beyond these conversations. One sentence each; at most six, as
    below."""
    decisions: Strings = field(default_factory=list)
    """What the caller decided, or the two agreed on."""
    open_loops: Strings = field(default_factory=list)
    """Questions and topics that the day left open. Nothing that it also settled."""
    next_steps: Strings = field(default_factory=list)
    """What the caller or you are to do next, with the day where one was named."""
    private: Numbers = field(default_factory=list)
    """Numbers of the messages that the caller, in any language, asked not to be remembered or recorded."""


@dataclass(frozen=True, kw_only=True)
class ChatFindings(_Finding):
    """What a chat that goes on may need of its earlier part."""

    points: Strings
    """What was said and found out, what matters most first. One sentence each, in the third person; at most
    twenty."""
    open: Strings = field(default_factory=list)
    """Questions without an answer, and what is still to be done. One sentence each; at most six."""
    private: Numbers = field(default_factory=list)
    """Numbers of the messages that the caller, in any language, asked not to be remembered or recorded."""


@dataclass(frozen=True, kw_only=True)
class Judgement(_Finding):
    """What the transcript makes of one statement."""

    statement: int
    """Its number."""
    verdict: Literal["said", "open", "another", "denied", "added"]


@dataclass(frozen=True, kw_only=True)
class Judgements(_Finding):
    """What the transcript makes of each statement."""

    judgements: list[Judgement]
    """One for each statement, in their order."""
