"""Vectors: of messages and of windows of a conversation. Only where Postgres has pgvector 0.7 or newer: on
one without it everything else works, and a worker with an EMBEDDING_MODEL makes the table once it is there.
"""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_EMBEDDINGS = """
create table embeddings (
    conversation_id bigint not null,
    user_id text not null,
    agent_id text not null,
    model text not null,
    complete boolean default false not null,
    until integer default -1 not null,
    tries integer default 0 not null,
    length integer default 0 not null,
    positions bytea default '' not null,
    codes bytea default '' not null,
    primary key (conversation_id),
    foreign key(conversation_id) references conversations (id) on delete cascade,
    foreign key(user_id) references users (id) on delete cascade,
    foreign key(agent_id) references agents (id)
)
"""
_OF_USER = "create index embeddings_of_user on embeddings (user_id, agent_id)"
# Bits that look like chance cannot be compressed, and Postgres need not try.
_UNCOMPRESSED = "alter table embeddings alter column codes set storage external"
_EXTENSION = """
do $$
begin
    create extension if not exists vector;
exception when insufficient_privilege or feature_not_supported or undefined_file then
    raise notice 'no pgvector here: %', sqlerrm;
end $$
"""
_TABLE = """
do $$
begin
    if to_regtype('halfvec') is null then
        return;
    end if;
    create table vectors (
        conversation_id bigint not null,
        kind text not null,
        first_position integer not null,
        last_position integer not null,
        embedding halfvec not null,
        primary key (conversation_id, kind, first_position),
        foreign key(conversation_id) references embeddings (conversation_id) on delete cascade
    );
end $$
"""


def upgrade() -> None:
    for statement in (_EMBEDDINGS, _OF_USER, _UNCOMPRESSED, _EXTENSION, _TABLE):
        op.execute(statement)


def downgrade() -> None:
    """Refuse: what was learned would be lost."""
    raise NotImplementedError("go back by restoring a backup made before")
