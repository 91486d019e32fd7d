"""What a later conversation says of a thread that it leaves open."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Earlier conversations have theirs when they are digested anew."""
    op.execute("alter table digests add column follow_ups jsonb default '[]' not null")
    op.execute("create index digests_following_up on digests (user_id) where follow_ups <> '[]'")


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
