"""Vectors are searched exactly, in one timeline: indexes of their own go."""

from alembic import context, op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

# What Postgres made over vector_codes goes with that table. Where there are no vectors, the first two never
# were.
_CHANGES = (
    "drop table if exists vector_places",
    "drop table if exists vector_codes",
    "drop table vector_indexes",
    "alter table embeddings drop column index_id",
)


def upgrade() -> None:
    """Drop what only led to vectors: none of them is lost."""
    for statement in _CHANGES:
        op.execute(statement)


def downgrade() -> None:
    """Make the tables again, empty: an earlier release fills them from the vectors."""
    context.script.get_revision("0010").module.upgrade()
