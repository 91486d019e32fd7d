"""Jobs have the names of their modules: those that wait, or were put aside, are found by the new names."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_NAMES = {
    "understand": "digest_with_model",
    "sum_up": "summarise_day",
    "days": "day_summaries",
    "digest": "digest_conversations",
    "digest_later": "digest_conversations_later",
    "note_later": "late_notes",
    "forget": "forget_address",
}
# What waits is locked before its job, as by those who work. The key of a job begins with its name.
_CHANGES = (
    "update pending_work set kind = :now where kind = :before",
    """update pgqueuer set entrypoint = cast(:now as text),
    dedupe_key = regexp_replace(dedupe_key, '^' || cast(:before as text), cast(:now as text))
    where entrypoint = cast(:before as text)""",
    "update pgqueuer_log set entrypoint = :now where entrypoint = :before",
    "update timings set label = :now where name = 'job' and label = :before",
)


def upgrade() -> None:
    for before, now in _NAMES.items():
        for change in _CHANGES:
            op.execute(sa.text(change).bindparams(before=before, now=now))


def downgrade() -> None:
    """Refuse: an earlier release would not find what waits."""
    raise NotImplementedError("go back by restoring a backup made before")
