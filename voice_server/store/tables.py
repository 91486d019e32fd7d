"""The tables, as SQLAlchemy sees them. Migrations make them; a test compares the two.

Everything of one user is reachable by `user_id`. Every derived row names what it came from.
All times are UTC.
"""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
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

metadata = MetaData()


def _now(name: str) -> "Column[object]":
    return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())


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
    _now("created_at"),
)

addresses = Table(
    "addresses",
    metadata,
    Column("address", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    _now("created_at"),
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
    # received → ingested | ignored | failed
    Column("status", Text, nullable=False, server_default=text("'received'")),
    Column("reason", Text, nullable=False, server_default=text("''")),
    _now("received_at"),
    Column("processed_at", DateTime(timezone=True)),
    UniqueConstraint("platform", "key"),
    Index(
        "webhook_events_unfinished", "status", "id", postgresql_where=text("status in ('received', 'failed')")
    ),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("platform", Text, nullable=False),
    Column("platform_id", Text, nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE")),
    Column("channel", Text, nullable=False),
    # talked | silent | voicemail | short | failed: only the first is digested
    Column("outcome", Text, nullable=False),
    Column("started_at", DateTime(timezone=True), nullable=False),
    Column("ended_at", DateTime(timezone=True), nullable=False),
    Column("language", Text, nullable=False, server_default=text("''")),
    # where the call came from, when the platform knows: the time zone of a user who has set none
    Column("timezone", Text, nullable=False, server_default=text("''")),
    Column("platform_summary", Text, nullable=False, server_default=text("''")),
    Column("collected", JSONB, nullable=False, server_default=text("'{}'")),
    Column("prompt_version", Text, nullable=False, server_default=text("''")),
    Column("event_id", BigInteger, ForeignKey("webhook_events.id", ondelete="SET NULL")),
    Column("event_timestamp", BigInteger, nullable=False, server_default=text("0")),
    _now("created_at"),
    UniqueConstraint("platform", "platform_id"),
    Index("conversations_timeline", "user_id", "agent_id", "started_at"),
    Index("conversations_zones", "user_id", "started_at", postgresql_where=text("timezone <> ''")),
)

messages = Table(
    "messages",
    metadata,
    Column(
        "conversation_id", BigInteger, ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), index=True),
    Column("role", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("tool_name", Text),
    Column("said_at", DateTime(timezone=True), nullable=False),
)

digests = Table(
    "digests",
    metadata,
    Column(
        "conversation_id", BigInteger, ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("source", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("key_moments", JSONB, nullable=False),
    Column("keywords", ARRAY(Text), nullable=False),
    Column("stems", ARRAY(Text), nullable=False),
    Column("language", Text, nullable=False, server_default=text("''")),
    _now("created_at"),
)

open_threads = Table(
    "open_threads",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    Column(
        "conversation_id",
        BigInteger,
        ForeignKey("conversations.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("positions", ARRAY(Integer), nullable=False),
    Column("kind", Text, nullable=False),
    Column("said_by", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("said_on", Date, nullable=False),
    Column("due", Date),
    Column("status", Text, nullable=False, server_default=text("'open'")),
    _now("touched_at"),
    Column("closed_at", DateTime(timezone=True)),
    Index("open_threads_of_user", "user_id", "agent_id", postgresql_where=text("status = 'open'")),
)

generated_prompts = Table(
    "generated_prompts",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("agent_id", Text, ForeignKey("agents.id"), nullable=False),
    Column("version", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("context_snapshot", JSONB, nullable=False),
    _now("created_at"),
    UniqueConstraint("user_id", "agent_id", "version"),
)

cached_voice_prompts = Table(
    "cached_voice_prompts",
    metadata,
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("agent_id", Text, ForeignKey("agents.id"), primary_key=True),
    Column("version", Text, nullable=False),
    Column("template_version", Text, nullable=False),
    Column("entry", LargeBinary, nullable=False),
    Column("in_cache", Boolean, nullable=False),
    Column("fresh_until", DateTime(timezone=True)),
    _now("built_at"),
    Index("cached_voice_prompts_not_in_cache", "user_id", postgresql_where=text("not in_cache")),
    Index(
        "cached_voice_prompts_going_stale", "fresh_until", postgresql_where=text("fresh_until is not null")
    ),
)

# How much there is to do per key of a coalesced job; raised in the transaction that makes it necessary.
pending_work = Table(
    "pending_work",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("requested", BigInteger, nullable=False),
    Column("done", BigInteger, nullable=False, server_default=text("0")),
)
