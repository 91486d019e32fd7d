"""The queue's log keeps what became of jobs: that one was asked for, or begun, nobody reads."""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

# A retry is logged as `queued` too, with its error, which is read.
_MAKE = """
create function pgqueuer_log_leaves_out() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger pgqueuer_log_outcomes before insert on pgqueuer_log for each row
    when (new.status in ('queued', 'picked') and new.traceback is null)
    execute function pgqueuer_log_leaves_out()
"""
_TAKE_BACK = """
drop trigger pgqueuer_log_outcomes on pgqueuer_log;
drop function pgqueuer_log_leaves_out()
"""


def upgrade() -> None:
    for statement in _MAKE.split(";\n"):
        op.execute(statement)


def downgrade() -> None:
    for statement in _TAKE_BACK.split(";\n"):
        op.execute(statement)
