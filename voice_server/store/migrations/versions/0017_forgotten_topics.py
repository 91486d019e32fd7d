"""What callers want forgotten stays so when the conversation that asked for it is erased."""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table users add column forgets jsonb default '[]' not null")


def downgrade() -> None:
    """Refuse: what callers want forgotten would be told again."""
    raise NotImplementedError("go back by restoring a backup made before")
