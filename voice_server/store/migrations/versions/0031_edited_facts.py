"""Where the words of an edited fact came from."""

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Earlier edits cannot be told from facts that somebody added in the place of others."""
    op.execute("alter table facts add column provenance jsonb")


def downgrade() -> None:
    op.execute("alter table facts drop column provenance")
