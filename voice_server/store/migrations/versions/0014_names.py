"""Who is who: the name of a user, the host application's id and data of them, and the names that were
heard."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_CHANGES = """
alter table users
    add column name text default '' not null,
    add column nickname text default '' not null,
    add column name_source text default '' not null,
    add column external_id text,
    add column metadata jsonb default '{}' not null;

create unique index users_external_id on users (external_id);

alter table conversations add column caller_name text default '' not null;

alter table digests
    add column caller_name jsonb,
    add column agent_name text default '' not null;
"""


def upgrade() -> None:
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """Refuse: names set by the host application would be lost."""
    raise NotImplementedError("go back by restoring a backup made before")
