"""Everybody's conversations, the latest first; people by how their name begins."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("create index conversations_latest on conversations (started_at, id)")
    op.execute("create index users_by_name on users (lower(name) text_pattern_ops) where name <> ''")


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
