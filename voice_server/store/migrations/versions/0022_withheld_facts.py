"""The facts that are never told are found among all others: prompts leave out what says the same."""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("create index facts_withheld on facts (user_id, agent_id) where excluded or flagged")


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
