"""Chats that go on: which do, and how much of each was understood."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_CHANGES = """
alter table conversations add column goes_on boolean default false not null;

alter table conversations add column understood integer default 0 not null;

create index conversations_going_on on conversations (ended_at) where goes_on;
"""


def upgrade() -> None:
    """Make what is new."""
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """What was learned would be lost."""
    raise NotImplementedError("go back by restoring a backup made before")
