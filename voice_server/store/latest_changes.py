"""A cheap look whether anything changed of late, for a page that is open."""

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

_TALKS = """
select string_agg(concat_ws(',', c.id, c.user_id, c.outcome, c.ended_at, c.goes_on, c.prompt_version,
    c.digest_state, d.source, length(d.summary)), ';' order by c.started_at, c.id)
from (
    select * from conversations {whose} order by started_at desc, id desc limit 50
) c left join digests d on d.conversation_id = c.id
"""
_OF_EVERYBODY = sa.text(f"""
select md5(concat_ws('|',
    ({_TALKS.format(whose="")}),
    (
        select string_agg(concat_ws(',', id, status), ';' order by id)
        from (select id, status from webhook_events order by id desc limit 20) latest
    ),
    exists (select from webhook_events where status = 'failed')
))
""")  # noqa: S608 (all of it is ours)
_OF_USER = sa.text(f"""
select md5(concat_ws('|',
    ({_TALKS.format(whose="where user_id = :user")}),
    (
        select string_agg(concat_ws(',', id, updated_at, messages), ';' order by id)
        from (
            select id, updated_at, messages from day_segments where user_id = :user order by day desc limit 2
        ) latest
    ),
    (select max(id) from generated_prompts where user_id = :user)
))
""")  # noqa: S608 (all of it is ours)


async def fingerprint(connection: AsyncConnection, user_id: str = "") -> str:
    """Return a hash of the latest conversations and digests: of everybody, with events; or of one user, with
    days and prompts."""
    statement, asked = (_OF_USER, {"user": user_id}) if user_id else (_OF_EVERYBODY, {})
    found: str = (await connection.execute(statement, asked)).scalar_one()
    return found
