"""What is due stands in an index of its own, and a look at all there is remembers how far it came."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_CHANGES = """
create index pending_work_to_do on pending_work (kind, key) where requested > done;

create index cached_voice_prompts_templates on cached_voice_prompts (agent_id, template_version, built_at);

create index open_threads_growing_old
    on open_threads (kind, greatest((touched_at at time zone 'UTC')::date, due))
    where status = 'open' and not pinned;

create index webhook_events_with_body on webhook_events (processed_at)
    where status in ('ingested', 'ignored') and body <> '';

create index user_merges_to_undo on user_merges (id) where moved <> '{}';

create index generated_prompts_of_user on generated_prompts (user_id, id);

create table rounds (
    name text primary key,
    position text default '' not null,
    begun_at timestamptz
);
"""


def upgrade() -> None:
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """Refuse: the migration before cannot be taken back either."""
    raise NotImplementedError("go back by restoring a backup made before")
