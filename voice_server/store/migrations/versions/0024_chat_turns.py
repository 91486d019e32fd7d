"""Turns of chats that our own agent answers."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    create table chat_turns (
        chat_id text not null,
        turn_id text not null,
        user_id text not null references users (id) on delete cascade,
        agent_id text not null,
        attempt integer default 1 not null,
        place integer,
        conversation_id bigint references conversations (id) on delete cascade,
        answer_first integer,
        answer_last integer,
        status text not null,
        leased_until timestamptz not null,
        to_stop boolean default false not null,
        error text default '' not null,
        usage jsonb default '{}' not null,
        context jsonb default '{}' not null,
        started_at timestamptz default now() not null,
        ended_at timestamptz,
        primary key (chat_id, turn_id)
    )
    """)
    op.execute("create unique index chat_turns_running on chat_turns (chat_id) where status = 'running'")
    op.execute("create index ix_chat_turns_user_id on chat_turns (user_id)")
    op.execute("create index ix_chat_turns_conversation_id on chat_turns (conversation_id)")


def downgrade() -> None:
    """Refuse: what was asked and answered would be asked again."""
    raise NotImplementedError("go back by restoring a backup made before")
