"""How long the work of workers took is told by every web process."""

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    create table timings (
        name text not null,
        label text not null,
        at_most double precision not null,
        times bigint not null,
        seconds double precision not null,
        primary key (name, label, at_most)
    )
    """)


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
