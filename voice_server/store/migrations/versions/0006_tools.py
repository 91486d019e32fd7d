"""Tools: what an agent may look up while a call goes on."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_CHANGES = """
alter table identifications add column agent_id text not null default '';
alter table facts add column said_in text not null default '';
create index facts_noted on facts (said_in) where said_in <> ''
"""


def upgrade() -> None:
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """Refuse: what was learned would be lost."""
    raise NotImplementedError("go back by restoring a backup made before")
