"""The tables, as SQLAlchemy sees them. Migrations make them; a test compares the two.

Everything of a user is reachable by `user_id`: its own, or that of its conversation or timeline. Every
derived row names what it came from. All times are UTC.
"""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import UserDefinedType

metadata = MetaData()


class HalfVector(UserDefinedType[str]):
    """pgvector's `halfvec`, of any length; in and out as text."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "halfvec"


ischema_names["halfvec"] = HalfVector  # else SQLAlchemy does not recognise what it reads


def _part_of(column: str) -> ForeignKey:
    """Refer to what the row goes with."""
    return ForeignKey(column, ondelete="CASCADE")


def _now(name: str) -> "Column[object]":
    return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())


def _version() -> "Column[object]":
    """Count changes by hand: against lost updates, a client names the version it saw."""
    return Column("version", Integer, nullable=False, server_default=text("1"))


agents = Table(
    "agents",
    metadata,
    Column("id", Text, primary_key=True),
    Column("platform", Text, nullable=False),
    # the agent's own phone numbers, learned from its calls: on outbound calls they look like the caller
    Column("numbers", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    _now("created_at"),
)

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("timezone", Text, nullable=False, server_default=text("''")),
    Column("language", Text, nullable=False, server_default=text("''")),
    Column("name", Text, nullable=False, server_default=text("''")),
    Column("nickname", Text, nullable=False, server_default=text("''")),
    # api | platform | model | said: who knows the name, the first most surely; '' without a name
    Column("name_source", Text, nullable=False, server_default=text("''")),
    # the host application's id of the user, and whatever it keeps with them
    Column("external_id", Text),
    Column("metadata", JSONB, nullable=False, server_default=text("'{}'")),
    # topics that they want forgotten, out of conversations that were erased since: `at` and hashed `stems`
    Column("forgets", JSONB, nullable=False, server_default=text("'[]'")),
    # the user into whom this one was merged; its addresses and conversations are over there
    Column("merged_into", Text, _part_of("users.id")),
    _version(),
    _now("created_at"),
    Index("users_merged", "merged_into", postgresql_where=text("merged_into is not null")),
    Index("users_external_id", "external_id", unique=True),
)
Index(
    "users_by_name",
    func.lower(users.c.name).label("low"),
    postgresql_ops={"low": "text_pattern_ops"},
    postgresql_where=text("name <> ''"),
)
# Of a name every three letters that stand side by side; and of a number its digits, three by three.
Index(
    "users_by_part_of_name",
    func.text_grams(users.c.name),
    postgresql_using="gin",
    postgresql_with={"fastupdate": "off"},
    postgresql_where=text("name <> ''"),
)

addresses = Table(
    "addresses",
    metadata,
    Column("address", Text, primary_key=True),
    # null for a shared line: whose call it is, is found out during or after it
    Column("user_id", Text, _part_of("users.id"), index=True),
    Column("shared", Boolean, nullable=False, server_default=text("false")),
    _now("created_at"),
)
Index(
    "addresses_by_part",
    func.text_grams(func.substr(addresses.c.address, text("6"))),
    postgresql_using="gin",
    postgresql_with={"fastupdate": "off"},
    postgresql_where=text("address like 'tel:+%'"),
)

# Who uses a shared line.
shared_lines = Table(
    "shared_lines",
    metadata,
    Column("address", Text, _part_of("addresses.address"), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), primary_key=True, index=True),
)

# What was moved from one user to another, so that it can be moved back.
user_merges = Table(
    "user_merges",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("from_user", Text, _part_of("users.id"), nullable=False, index=True),
    Column("into_user", Text, _part_of("users.id"), nullable=False, index=True),
    Column("moved", JSONB, nullable=False),
    _now("merged_at"),
    Column("undone_at", DateTime(timezone=True)),
    Index("user_merges_to_undo", "id", postgresql_where=text("moved <> '{}'")),
)

# Who was on the line, where somebody said so: a tool, or the host application. May come before its
# conversation.
identifications = Table(
    "identifications",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("platform_id", Text, primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False, index=True),
    # with whom they talk, where the platform did not ask us; '' when that was not said
    Column("agent_id", Text, nullable=False, server_default=text("''")),
    _now("identified_at"),
)

webhook_events = Table(
    "webhook_events",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("platform", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("conversation_id", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    # received → ingested | ignored | failed; and erased, with its conversation, for good
    Column("status", Text, nullable=False, server_default=text("'received'")),
    Column("reason", Text, nullable=False, server_default=text("''")),
    _now("received_at"),
    Column("processed_at", DateTime(timezone=True)),
    UniqueConstraint("platform", "key"),
    Index(
        "webhook_events_unfinished", "status", "id", postgresql_where=text("status in ('received', 'failed')")
    ),
    Index("webhook_events_of_conversation", "conversation_id"),
    Index(
        "webhook_events_with_body",
        "processed_at",
        postgresql_where=text("status in ('ingested', 'ignored') and body <> ''"),
    ),
)

# Conversations that were erased: no event brings one of them back, also when those it had are no longer kept.
erasures = Table(
    "erasures",
    metadata,
    Column("platform", Text, primary_key=True),
    Column("platform_id", Text, primary_key=True),
    _now("erased_at"),
)

# Users who were erased. An id says nothing of anybody, and is never given again.
erased_users = Table("erased_users", metadata, Column("user_id", Text, primary_key=True), _now("erased_at"))

# Prompts that went with what they told: a call that was under way began with one of them.
erased_prompts = Table(
    "erased_prompts",
    metadata,
    Column("version", Text, primary_key=True),
    _now("erased_at"),
    Index("erased_prompts_by_age", "erased_at"),
)

# When calls of a user and agent began that may have been told of a conversation that was erased.
erased_spans = Table(
    "erased_spans",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False, index=True),
    Column("agent_id", Text, nullable=False),
    Column("since", DateTime(timezone=True), nullable=False),
    _now("until"),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("platform", Text, nullable=False),
    Column("platform_id", Text, nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    Column("user_id", Text, _part_of("users.id")),
    Column("channel", Text, nullable=False),
    # talked | silent | voicemail | short | declined | failed: only the first is digested
    Column("outcome", Text, nullable=False),
    Column("started_at", DateTime(timezone=True), nullable=False),
    Column("ended_at", DateTime(timezone=True), nullable=False),
    Column("language", Text, nullable=False, server_default=text("''")),
    # where the call came from, when the platform knows: the time zone of a user who has set none
    Column("timezone", Text, nullable=False, server_default=text("''")),
    Column("platform_summary", Text, nullable=False, server_default=text("''")),
    Column("collected", JSONB, nullable=False, server_default=text("'{}'")),
    Column("prompt_version", Text, nullable=False, server_default=text("''")),
    # what the host application told the platform that the caller is called
    Column("caller_name", Text, nullable=False, server_default=text("''")),
    # the address over which the caller came, or the user id that came back without one; '' for who hid
    Column("known_as", Text, nullable=False, server_default=text("''")),
    Column("event_id", BigInteger, ForeignKey("webhook_events.id", ondelete="SET NULL")),
    Column("event_timestamp", BigInteger, nullable=False, server_default=text("0")),
    # a sitting of a chat to which messages may still come: `ended_at` is when the last one was said
    Column("goes_on", Boolean, nullable=False, server_default=text("false")),
    # due | later | done | failed: what is to be digested is known here, whatever becomes of a job
    Column("digest_state", Text, nullable=False, server_default=text("'due'")),
    _now("digest_asked_at"),
    Column("digest_tries", Integer, nullable=False, server_default=text("0")),
    Column("digest_error", Text, nullable=False, server_default=text("''")),
    _now("created_at"),
    UniqueConstraint("platform", "platform_id"),
    Index(
        "conversations_to_digest",
        "user_id",
        "agent_id",
        "started_at",
        postgresql_where=text("digest_state <> 'done' and outcome = 'talked' and user_id is not null"),
    ),
    Index("conversations_timeline", "user_id", "agent_id", "started_at"),
    Index("conversations_served", "prompt_version", "agent_id", "started_at"),
    Index("conversations_zones", "user_id", "started_at", postgresql_where=text("timezone <> ''")),
    Index("conversations_latest", "started_at", "id"),
    Index("conversations_of_user", "user_id", "started_at"),
    Index("conversations_going_on", "id", postgresql_where=text("goes_on")),
)

# A chat of the host application's is a row of conversations: one for each sitting.
sittings = Table(
    "sittings",
    metadata,
    # the host application's
    Column("chat_id", Text, primary_key=True),
    # the position of its first message in the chat, and how many it has
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("size", Integer, nullable=False, server_default=text("0")),
    # null once it is erased: what is said later has its position all the same
    Column("conversation_id", BigInteger, ForeignKey("conversations.id", ondelete="SET NULL"), unique=True),
    # how many messages it had when it was last asked for to be understood
    Column("asked", Integer, nullable=False, server_default=text("0")),
    # when we were last told of it
    _now("heard_at"),
)

messages = Table(
    "messages",
    metadata,
    Column("conversation_id", BigInteger, _part_of("conversations.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("role", Text, nullable=False),
    Column("content", Text, nullable=False),
    # as it was said, where secrets were taken out of `content` and transcripts keep them; for people alone
    Column("verbatim", Text),
    Column("tool_name", Text),
    Column("said_at", DateTime(timezone=True), nullable=False),
)

digests = Table(
    "digests",
    metadata,
    Column("conversation_id", BigInteger, _part_of("conversations.id"), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False, index=True),
    Column("source", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("key_moments", JSONB, nullable=False),
    Column("keywords", ARRAY(Text), nullable=False),
    Column("stems", ARRAY(Text), nullable=False),
    Column("language", Text, nullable=False, server_default=text("''")),
    Column("closes", ARRAY(BigInteger), nullable=False, server_default=text("'{}'")),
    # what it says of earlier threads that it leaves open
    Column("follow_ups", JSONB, nullable=False, server_default=text("'[]'")),
    Column("claims", JSONB, nullable=False, server_default=text("'[]'")),
    Column("thoughts", JSONB, nullable=False, server_default=text("'[]'")),
    Column("relationship", JSONB, nullable=False, server_default=text("'{}'")),
    # the name that the caller gave, and how the agent called itself
    Column("caller_name", JSONB(none_as_null=True)),
    Column("agent_name", Text, nullable=False, server_default=text("''")),
    # topics that the caller wants forgotten, each a list of hashed stems, and when each was wished for
    Column("forgets", JSONB, nullable=False, server_default=text("'[]'")),
    Column("forgets_at", JSONB, nullable=False, server_default=text("'[]'")),
    # of the model's digest; '' and 0 for one made without
    Column("model", Text, nullable=False, server_default=text("''")),
    Column("tokens_in", Integer, nullable=False, server_default=text("0")),
    Column("tokens_out", Integer, nullable=False, server_default=text("0")),
    # made without a model while one is wanted: the model's digest is to replace it
    Column("awaits_model", Boolean, nullable=False, server_default=text("false")),
    # how often the model was asked about it in vain, weighed; past a limit it is asked no more
    Column("model_tries", Integer, nullable=False, server_default=text("0")),
    # names what it was made from: another one means that the conversation was retold since
    Column("basis", Text, nullable=False, server_default=text("''")),
    _now("created_at"),
    Index("digests_awaiting_model", "conversation_id", postgresql_where=text("awaits_model")),
    Index("digests_forgetting", "user_id", postgresql_where=text("forgets <> '[]'")),
    Index("digests_following_up", "user_id", postgresql_where=text("follow_ups <> '[]'")),
)

open_threads = Table(
    "open_threads",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False, index=True),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    # null when it was added by hand
    Column("conversation_id", BigInteger, _part_of("conversations.id"), index=True),
    Column("positions", ARRAY(Integer), nullable=False),
    Column("kind", Text, nullable=False),
    Column("said_by", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("said_on", Date, nullable=False),
    Column("due", Date),
    # open | closed | expired | excluded
    Column("status", Text, nullable=False, server_default=text("'open'")),
    Column("pinned", Boolean, nullable=False, server_default=text("false")),
    _now("touched_at"),
    Column("closed_at", DateTime(timezone=True)),
    # the conversation that resolved it; null when it was closed by hand
    Column("closed_by", BigInteger, ForeignKey("conversations.id", ondelete="SET NULL"), index=True),
    # set by hand: a digest made anew leaves it as it is
    Column("by_hand", Boolean, nullable=False, server_default=text("false")),
    _version(),
    Index("open_threads_of_user", "user_id", "agent_id", postgresql_where=text("status = 'open'")),
    # the day from which on nobody came back to it
    Index(
        "open_threads_growing_old",
        "kind",
        text("greatest((touched_at at time zone 'UTC')::date, due)"),
        postgresql_where=text("status = 'open' and not pinned"),
    ),
)

facts = Table(
    "facts",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    # names the fact within its user and agent: made anew from the same claims it is the same row
    Column("key", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("topic", Text, nullable=False, server_default=text("''")),
    Column("stems", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("certainty", Double, nullable=False),
    Column("salience", Double, nullable=False),
    # 0: pinned or excluded, and no longer said anywhere
    Column("times", Integer, nullable=False, server_default=text("1")),
    Column("said_on", Date, nullable=False),
    Column("last_said_on", Date, nullable=False),
    Column("valid_from", Date),
    Column("valid_to", Date),
    Column("due", Date),
    # digest | api | tool | excerpt
    Column("origin", Text, nullable=False),
    Column("pinned", Boolean, nullable=False, server_default=text("false")),
    Column("excluded", Boolean, nullable=False, server_default=text("false")),
    Column("flagged", Boolean, nullable=False, server_default=text("false")),
    # the platform's id of the conversation in which a tool added it; '' for all others
    Column("said_in", Text, nullable=False, server_default=text("''")),
    # the text it was said to replace, when that was said by hand or by a tool
    Column("supersedes", Text, nullable=False, server_default=text("''")),
    Column("superseded_by", BigInteger, ForeignKey("facts.id", ondelete="SET NULL"), index=True),
    # [{conversation_id, positions}], oldest first
    Column("sources", JSONB, nullable=False, server_default=text("'[]'")),
    # of an excerpt: the messages whose words it is
    Column("conversation_id", BigInteger, _part_of("conversations.id")),
    Column("positions", ARRAY(Integer), nullable=False, server_default=text("'{}'")),
    # of an edit: `domain.fact.Provenance`
    Column("provenance", JSONB(none_as_null=True)),
    _version(),
    _now("created_at"),
    _now("updated_at"),
    UniqueConstraint("user_id", "agent_id", "key"),
    Index(
        "facts_current",
        "user_id",
        "agent_id",
        postgresql_where=text("superseded_by is null and not excluded and not flagged and times > 0"),
    ),
    Index("facts_excerpts", "conversation_id", postgresql_where=text("conversation_id is not null")),
    Index("facts_noted", "said_in", postgresql_where=text("said_in <> ''")),
    # those that are never told, among all others
    Index("facts_withheld", "user_id", "agent_id", postgresql_where=text("excluded or flagged")),
    # those that hold until a day to come, among all that were superseded
    Index(
        "facts_giving_way",
        "user_id",
        "agent_id",
        "valid_to",
        postgresql_where=text("superseded_by is not null and not excluded and not flagged and times > 0"),
    ),
)

thoughts = Table(
    "thoughts",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False, index=True),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    # null when it was added by hand
    Column("conversation_id", BigInteger, _part_of("conversations.id"), index=True),
    Column("positions", ARRAY(Integer), nullable=False, server_default=text("'{}'")),
    Column("text", Text, nullable=False),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    # the conversation whose prompt held it
    Column("used_in", BigInteger, ForeignKey("conversations.id", ondelete="SET NULL"), index=True),
    Column("used_at", DateTime(timezone=True)),
    Column("pinned", Boolean, nullable=False, server_default=text("false")),
    Column("excluded", Boolean, nullable=False, server_default=text("false")),
    # set by hand: a digest made anew leaves it as it is
    Column("by_hand", Boolean, nullable=False, server_default=text("false")),
    _version(),
    _now("created_at"),
    Index(
        "thoughts_unused", "user_id", "agent_id", postgresql_where=text("used_at is null and not excluded")
    ),
)

relationships = Table(
    "relationships",
    metadata,
    Column("user_id", Text, _part_of("users.id"), primary_key=True),
    Column("agent_id", Text, ForeignKey("agents.id"), primary_key=True),
    Column("chapter", Text, nullable=False, server_default=text("''")),
    # set by hand; what conversations added since `set_at` comes on top
    Column("score", Double, nullable=False, server_default=text("0")),
    Column("metrics", JSONB, nullable=False, server_default=text("'{}'")),
    Column("engagement", Text, nullable=False, server_default=text("''")),
    Column("emotional_state", Text, nullable=False, server_default=text("''")),
    Column("conflict_state", Text, nullable=False, server_default=text("''")),
    Column("backstory", Text, nullable=False, server_default=text("''")),
    Column("set_at", DateTime(timezone=True)),
    # what conversations added, each bounded, as one JSON object: kept up to date with the digests
    Column("gained", JSONB, nullable=False, server_default=text("'{}'")),
    _version(),
    _now("updated_at"),
)

# How long the work of workers took, of all of them together: as many rows as there are jobs and buckets.
timings = Table(
    "timings",
    metadata,
    # what took long: a job, or news to reach a prompt
    Column("name", Text, primary_key=True),
    # which job; '' where there is but one
    Column("label", Text, primary_key=True),
    # seconds; more than those of the bucket before
    Column("at_most", Double, primary_key=True),
    Column("times", BigInteger, nullable=False),
    Column("seconds", Double, nullable=False),
)

# Turns of chats that our own agent answers: what was written to it, and what became of that.
chat_turns = Table(
    "chat_turns",
    metadata,
    Column("chat_id", Text, primary_key=True),
    # made by who writes, so that a turn can be asked for again
    Column("turn_id", Text, primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False, index=True),
    Column("agent_id", Text, nullable=False),
    # raised each time somebody begins to answer: who began before has lost it
    Column("attempt", Integer, nullable=False, server_default=text("1")),
    # of the user's words in the chat, and the sitting they are in; null until they are written down
    Column("place", Integer),
    Column("conversation_id", BigInteger, _part_of("conversations.id"), index=True),
    # the places of the answer's first and last message
    Column("answer_first", Integer),
    Column("answer_last", Integer),
    Column("status", Text, nullable=False),
    # who answers says again and again until when; after that nobody does
    Column("leased_until", DateTime(timezone=True), nullable=False),
    Column("to_stop", Boolean, nullable=False, server_default=text("false")),
    Column("error", Text, nullable=False, server_default=text("''")),
    Column("usage", JSONB, nullable=False, server_default=text("'{}'")),
    Column("context", JSONB, nullable=False, server_default=text("'{}'")),
    _now("started_at"),
    Column("ended_at", DateTime(timezone=True)),
    Index("chat_turns_running", "chat_id", unique=True, postgresql_where=text("status = 'running'")),
)

# Tokens a model was asked for, per day (UTC): what a day may cost is a setting.
model_usage = Table(
    "model_usage",
    metadata,
    Column("day", Date, primary_key=True),
    Column("calls", Integer, nullable=False, server_default=text("0")),
    Column("tokens_in", BigInteger, nullable=False, server_default=text("0")),
    Column("tokens_out", BigInteger, nullable=False, server_default=text("0")),
)

chat_summaries = Table(
    "chat_summaries",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("chat_id", Text, nullable=False),
    # the latest sitting of which something is in it: whose the chat is, and with which it goes
    Column("conversation_id", BigInteger, _part_of("conversations.id"), nullable=False, index=True),
    # ids of all the sittings of which something is in it
    Column("sources", ARRAY(BigInteger), nullable=False),
    # the place in the chat before which it tells
    Column("until", Integer, nullable=False),
    # '' once it is undone: so far nothing is summed up again by itself
    Column("text", Text, nullable=False),
    # model | digests | person; the model's name
    Column("source", Text, nullable=False),
    Column("model", Text, nullable=False, server_default=text("''")),
    # what who asked for it wants most of it
    Column("focus", Text, nullable=False, server_default=text("''")),
    # it was asked for: what it tells of is told word for word no more
    Column("condenses", Boolean, nullable=False, server_default=text("false")),
    _now("made_at"),
    Index("chat_summaries_chat", "chat_id", "id"),
    Index("chat_summaries_sources", "sources", postgresql_using="gin"),
)

# All talk of a user with an agent on one day. Made from conversations, and made anew when they change.
day_segments = Table(
    "day_segments",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    # on the user's calendar, in the time zone they were in
    Column("day", Date, nullable=False),
    Column("timezone", Text, nullable=False),
    # when its first and its last message were said
    Column("starts_at", DateTime(timezone=True), nullable=False),
    Column("ends_at", DateTime(timezone=True), nullable=False),
    Column("messages", Integer, nullable=False),
    # Markdown; '' and a source of '' while it is withdrawn
    Column("summary", Text, nullable=False, server_default=text("''")),
    # extractive | model
    Column("source", Text, nullable=False, server_default=text("''")),
    # ids of its conversations, and for each a mark that changes with all that the day takes from it
    Column("sources", ARRAY(BigInteger), nullable=False),
    Column("marks", ARRAY(Text), nullable=False),
    # names what was said: a model's summary stays as long as this does
    Column("basis", Text, nullable=False, server_default=text("''")),
    Column("awaits_model", Boolean, nullable=False, server_default=text("false")),
    Column("model_tries", Integer, nullable=False, server_default=text("0")),
    # the day is over, and its last summary made
    Column("finalised", Boolean, nullable=False, server_default=text("false")),
    # names how many messages it tells of, and what a person said of them: a day that grew begins with these
    Column("told", Text, nullable=False, server_default=text("''")),
    Column("told_messages", Integer, nullable=False, server_default=text("0")),
    _now("updated_at"),
    UniqueConstraint("user_id", "agent_id", "day"),
    Index("day_segments_unfinished", "id", postgresql_where=text("not finalised")),
    Index("day_segments_awaiting_model", "id", postgresql_where=text("awaits_model")),
)

# What was said of a day before another text took its place, while it only grew.
earlier_day_summaries = Table(
    "earlier_day_summaries",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("day_id", BigInteger, _part_of("day_segments.id"), nullable=False),
    Column("summary", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("messages", Integer, nullable=False),
    Column("made_at", DateTime(timezone=True), nullable=False),
    Index("earlier_day_summaries_of_day", "day_id", "id"),
)

generated_prompts = Table(
    "generated_prompts",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    Column("version", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("context_snapshot", JSONB, nullable=False),
    _now("created_at"),
    UniqueConstraint("user_id", "agent_id", "version"),
    # a call may turn out to have been another user's: what it was served with is found all the same
    Index("generated_prompts_served", "version", "agent_id"),
    Index("generated_prompts_of_user", "user_id", "id"),
)

# What callers hear whom nobody knows.
default_prompts = Table(
    "default_prompts",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("agent_id", Text, nullable=False),  # '' for agents without templates of their own
    Column("version", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("context_snapshot", JSONB, nullable=False),
    _now("created_at"),
    # when it was last taken up: that of the newest is served
    _now("current_at"),
    UniqueConstraint("version", "agent_id"),
)

cached_voice_prompts = Table(
    "cached_voice_prompts",
    metadata,
    Column("user_id", Text, _part_of("users.id"), primary_key=True),
    Column("agent_id", Text, ForeignKey("agents.id"), primary_key=True),
    Column("version", Text, nullable=False),
    Column("template_version", Text, nullable=False),
    Column("entry", LargeBinary, nullable=False),
    Column("in_cache", Boolean, nullable=False),
    Column("fresh_until", DateTime(timezone=True)),
    _now("built_at"),
    # when their last conversation began; null where there is none, and in what releases before built
    Column("talked_at", DateTime(timezone=True)),
    Index("cached_voice_prompts_not_in_cache", "user_id", postgresql_where=text("not in_cache")),
    Index(
        "cached_voice_prompts_going_stale", "fresh_until", postgresql_where=text("fresh_until is not null")
    ),
    # those of other templates stand side by side, the latest built last
    Index("cached_voice_prompts_templates", "agent_id", "template_version", "built_at"),
    Index("cached_voice_prompts_last_talk", text("coalesce(talked_at, built_at)")),
)

# How much there is to do per key of a coalesced job; raised in the transaction that makes it necessary.
pending_work = Table(
    "pending_work",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("requested", BigInteger, nullable=False),
    Column("done", BigInteger, nullable=False, server_default=text("0")),
    # who asked last, for the record of what is done: event | api | tool | upkeep
    Column("trigger", Text, nullable=False, server_default=text("''")),
    Index("pending_work_to_do", "kind", "key", postgresql_where=text("requested > done")),
)

# How far a look at all there is has come, page by page.
rounds = Table(
    "rounds",
    metadata,
    Column("name", Text, primary_key=True),
    # behind which to go on; '' at the beginning
    Column("position", Text, nullable=False, server_default=text("''")),
    Column("begun_at", DateTime(timezone=True)),
)

# Of which conversations there are vectors. They go with this row: vectors of words that were replaced since
# are never found.
embeddings = Table(
    "embeddings",
    metadata,
    Column("conversation_id", BigInteger, _part_of("conversations.id"), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    Column("model", Text, nullable=False),
    # false as long as the model was only asked in vain, so often
    Column("complete", Boolean, nullable=False, server_default=text("false")),
    # the position up to which it was embedded: one that goes on is embedded from there
    Column("until", Integer, nullable=False, server_default=text("-1")),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    # numbers of a vector; and of the messages, one after the other, the positions (4 bytes) and the codes:
    # what is left of a vector with one bit a number. A search reads all of these, to look at few of the
    # vectors
    Column("length", Integer, nullable=False, server_default=text("0")),
    Column("positions", LargeBinary, nullable=False, server_default=text("''")),
    Column("codes", LargeBinary, nullable=False, server_default=text("''")),
    Index("embeddings_of_user", "user_id", "agent_id"),
)

# Only where Postgres has pgvector.
vectors = Table(
    "vectors",
    metadata,
    Column("conversation_id", BigInteger, _part_of("embeddings.conversation_id"), primary_key=True),
    # message | window
    Column("kind", Text, primary_key=True),
    Column("first_position", Integer, primary_key=True, autoincrement=False),
    Column("last_position", Integer, nullable=False),
    Column("embedding", HalfVector, nullable=False),
)

# The search index of one user's talk with one agent. Places number the messages of a timeline, each for ever:
# what is no longer there leaves a gap, and a timeline with gaps is indexed anew.
search_timelines = Table(
    "search_timelines",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, _part_of("users.id"), nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    Column("next_place", BigInteger, nullable=False, server_default=text("0")),
    # raised when all messages get new numbers: places read before mean other messages since
    Column("generation", Integer, nullable=False, server_default=text("0")),
    UniqueConstraint("user_id", "agent_id"),
)

search_conversations = Table(
    "search_conversations",
    metadata,
    Column("conversation_id", BigInteger, _part_of("conversations.id"), primary_key=True),
    Column("timeline_id", BigInteger, _part_of("search_timelines.id"), nullable=False, index=True),
    # the event that told it: a conversation that was told anew since is not found before it is indexed anew
    Column("told", BigInteger, nullable=False),
    # the position up to which it was indexed: one that goes on is indexed from there
    Column("until", Integer, nullable=False),
)

search_passages = Table(
    "search_passages",
    metadata,
    Column("timeline_id", BigInteger, _part_of("search_timelines.id"), primary_key=True),
    Column("base", BigInteger, primary_key=True, autoincrement=False),
    Column(
        "conversation_id",
        BigInteger,
        _part_of("search_conversations.conversation_id"),
        nullable=False,
        index=True,
    ),
    Column("size", Integer, nullable=False),
    Column("starts_at", DateTime(timezone=True), nullable=False),
    Column("language", Text, nullable=False),
    # one entry for each message: see search.passages
    Column("positions", LargeBinary, nullable=False),
    Column("seconds", LargeBinary, nullable=False),
    Column("lengths", LargeBinary, nullable=False),
    Column("kinds", LargeBinary, nullable=False),
)

# Where a lexeme was said: one row, however often, so that a query reads a handful of rows.
search_words = Table(
    "search_words",
    metadata,
    Column("timeline_id", BigInteger, _part_of("search_timelines.id"), primary_key=True),
    Column("lexeme", Text, primary_key=True),
    Column("places", LargeBinary, nullable=False),
)
