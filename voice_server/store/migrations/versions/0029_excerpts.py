"""Facts in the words of messages, which go with their conversation."""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    alter table facts
        add column conversation_id bigint references conversations (id) on delete cascade,
        add column positions integer[] default '{}' not null
    """)
    op.execute("create index facts_excerpts on facts (conversation_id) where conversation_id is not null")


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
