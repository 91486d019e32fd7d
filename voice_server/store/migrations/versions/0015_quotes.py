"""Memory in people's own words: what was retold is digested anew, as background work, and without a model
where none was awaited; what callers want forgotten."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_CHANGES = """
alter table digests add column forgets jsonb default '[]' not null;

create index digests_forgetting on digests (user_id) where forgets <> '[]';

update conversations set digest_state = 'later'
    where digest_state = 'done' and not goes_on
        and exists (select from digests d where d.conversation_id = id and d.source <> 'model');

update digests d set basis = '' from conversations c
    where c.id = d.conversation_id and not c.goes_on and d.source <> 'model' and not d.awaits_model;
"""


def upgrade() -> None:
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """Refuse: what callers want forgotten would be told again."""
    raise NotImplementedError("go back by restoring a backup made before")
