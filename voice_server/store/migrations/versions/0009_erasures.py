"""What was erased stays erased: which conversations were. And indexes for what erasing looks up."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_CHANGES = """
create table erasures (
    platform text not null,
    platform_id text not null,
    erased_at timestamptz default now() not null,
    primary key (platform, platform_id)
);

create index webhook_events_of_conversation on webhook_events (conversation_id);

create index users_merged on users (merged_into) where merged_into is not null;

create index ix_open_threads_user_id on open_threads (user_id);

create index ix_thoughts_user_id on thoughts (user_id);
"""


def upgrade() -> None:
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """Refuse: what was erased would come back with an event that is sent again."""
    raise NotImplementedError("go back by restoring a backup made before")
