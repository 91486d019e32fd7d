"""What is to be digested is known with each conversation, whatever becomes of a job."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

# What a release before left undigested is due: conversations whose job was put aside, and those whose job
# waits.
_CHANGES = """
alter table conversations
    add column digest_state text default 'due' not null,
    add column digest_asked_at timestamptz default now() not null,
    add column digest_tries integer default 0 not null,
    add column digest_error text default '' not null;

update conversations c set digest_state = 'done'
where goes_on or outcome <> 'talked' or user_id is null
    or exists (select from digests d where d.conversation_id = c.id);

update conversations set digest_state = 'due' where id in (
    select (convert_from(payload, 'utf8')::json ->> 'conversation_id')::bigint from pgqueuer
    where entrypoint = 'digest'
);

update pgqueuer set dedupe_key = entrypoint || ':' || (convert_from(payload, 'utf8')::json ->> 'event_id')
where id in (
    select max(id) from pgqueuer where entrypoint = 'ingest' and status in ('queued', 'picked')
    group by convert_from(payload, 'utf8')
);

insert into pending_work (kind, key, requested)
select distinct 'note_later', (call ->> 'platform') || '|' || (call ->> 'platform_id'), 1 from (
    select convert_from(payload, 'utf8')::json as call from pgqueuer where entrypoint = 'note_later'
) asked on conflict do nothing;

delete from pgqueuer where entrypoint in ('digest', 'note_later');

create index conversations_to_digest on conversations (user_id, agent_id, started_at)
    where digest_state <> 'done' and outcome = 'talked' and user_id is not null;
"""


def upgrade() -> None:
    for statement in _CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    """Refuse: an earlier release would not know what is due."""
    raise NotImplementedError("go back by restoring a backup made before")
