"""When each topic was wished to be forgotten: a sitting may last for hours, in which much else is said."""

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Earlier wishes count from when their conversation began, until it is digested again."""
    op.execute("alter table digests add column forgets_at jsonb default '[]' not null")


def downgrade() -> None:
    op.execute("alter table digests drop column forgets_at")
