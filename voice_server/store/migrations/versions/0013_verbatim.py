"""Messages as they were said, where secrets were taken out of them and transcripts are to keep these."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column that is null where nothing was taken out."""
    op.execute("alter table messages add column verbatim text")


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
