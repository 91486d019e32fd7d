"""Everybody's conversations, the latest first."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make what is new."""
    op.execute("create index conversations_latest on conversations (started_at, id)")


def downgrade() -> None:
    """The migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
