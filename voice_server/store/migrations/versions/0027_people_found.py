"""People found by any part of their name or number, and listed with when they were last heard of."""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make a function that needs no extension, which not every Postgres may have."""
    op.execute("""
    create function text_grams(whole text) returns text[] language sql immutable strict parallel safe as $$
        select array_agg(distinct substr(lower(whole), place, 3))
        from generate_series(1, length(whole) - 2) place
    $$
    """)
    op.execute("""
    create index users_by_part_of_name on users using gin (text_grams(name))
        with (fastupdate = off) where name <> ''
    """)
    op.execute("""
    create index addresses_by_part on addresses using gin (text_grams(substr(address, 6)))
        with (fastupdate = off) where address like 'tel:+%'
    """)
    op.execute("create index conversations_of_user on conversations (user_id, started_at)")


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
