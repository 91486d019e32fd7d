"""Who was erased, and which prompts went: a call that was under way then names them when it has ended."""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_CHANGES = """
create table erased_users (
    user_id text not null,
    erased_at timestamptz default now() not null,
    primary key (user_id)
);

create table erased_prompts (
    version text not null,
    whole_user boolean not null,
    erased_at timestamptz default now() not null,
    primary key (version)
);
"""


def upgrade() -> None:
    """Make what is new."""
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """What was erased would come back with an event that is sent again."""
    raise NotImplementedError("go back by restoring a backup made before")
