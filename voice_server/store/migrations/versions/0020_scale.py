"""Who talked last, and what was erased first, is known without sorting; and a message is whose its
conversation is.

Rows of messages are not written anew: those that are there keep the room of the column until they are. Two
indexes of the queue's log are for statistics of its library that nobody asks for; five rows a call were
written into each.
"""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_CHANGES = """
alter table cached_voice_prompts add talked_at timestamptz;

create index cached_voice_prompts_last_talk on cached_voice_prompts (coalesce(talked_at, built_at));

create index erased_prompts_by_age on erased_prompts (erased_at);

alter table messages drop column user_id;

drop index pgqueuer_log_status;

drop index pgqueuer_log_not_aggregated
"""


def upgrade() -> None:
    for statement in _CHANGES.split(";\n"):
        op.execute(statement)


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
