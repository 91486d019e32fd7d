"""Chats that go on, and what they are made of."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_CHANGES = """
alter table conversations add column goes_on boolean default false not null;

create table sittings (
    chat_id text not null,
    first integer not null,
    size integer default 0 not null,
    conversation_id bigint,
    asked integer default 0 not null,
    heard_at timestamptz default now() not null,
    primary key (chat_id, first),
    unique (conversation_id),
    foreign key (conversation_id) references conversations (id) on delete set null
);

create index conversations_going_on on conversations (id) where goes_on;
"""


def upgrade() -> None:
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """Refuse: what was learned would be lost."""
    raise NotImplementedError("go back by restoring a backup made before")
