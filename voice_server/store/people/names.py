"""What a user is called: made anew from all their conversations, so that their order does not matter. A name
that the host application set stays."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.digest.person_names.given import as_name
from voice_server.domain.person import NOBODY, CallerName, best
from voice_server.store.session import Statement

# What operators call the item of data collection that asks for the caller's name; the parts of one.
COLLECTED = (
    "caller_name", "user_name", "customer_name", "client_name", "full_name", "name", "guest_name", "nombre",
    "nombre_completo", "nom", "nom_complet", "nome", "nome_completo", "naam", "kundenname", "anrufer",
)  # fmt: skip
_FIRST = ("first_name", "vorname", "prenom", "prénom", "nome_proprio", "voornaam")
_LAST = (
    "last_name",
    "surname",
    "nachname",
    "apellido",
    "apellidos",
    "cognome",
    "apelido",
    "sobrenome",
    "achternaam",
)
_LATEST = 200  # conversations in which a name was heard


async def of(connection: AsyncConnection, user_id: str) -> CallerName:
    row = (await connection.execute(_NAME, {"user": user_id})).first()
    return CallerName(row.name, row.nickname, source=row.name_source) if row and row.name else NOBODY


async def refresh(connection: AsyncConnection, user_id: str) -> bool:
    """Make a user's name anew; return whether it changed. After `users.lock`; ask for a rebuild."""
    rows = await _HEARD.rows(connection, {"user": user_id, "keys": [*COLLECTED, *_FIRST, *_LAST]})
    found = best([name for row in reversed(rows) for name in _heard(*row)])
    values = {"name": found.name, "nickname": found.nickname, "source": found.source}
    return bool(await _RENAME.rows(connection, {"user": user_id, **values}))


def _heard(said: object, noted: Mapping[str, Any], told: str, agent: str) -> Iterator[CallerName]:
    """Yield what a conversation says of the name, the surest last. `noted` is what the platform collected, if
    no digest has held that against the talk."""
    if said is not None:
        yield msgspec.convert(said, CallerName)
    name = collected(noted)
    if name := told if name.casefold() == agent.casefold() else name or told:
        yield CallerName(name, source="platform")


def collected(values: Mapping[str, Any]) -> str:
    plain = {key.lower().strip().replace(" ", "_").replace("-", "_"): value for key, value in values.items()}
    whole = next((name for key in COLLECTED if (name := as_name(plain.get(key)))), "")
    return whole or as_name(" ".join(filter(None, (_first_of(plain, _FIRST), _first_of(plain, _LAST)))))


def _first_of(values: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((name for key in keys if (name := as_name(values.get(key)))), "")


_NAME = sa.text("select name, nickname, name_source from users where id = :user")
_RENAME = Statement("""
update users set name = :name, nickname = :nickname, name_source = :source
where id = :user and name_source <> 'api' and (name, nickname, name_source) <> (:name, :nickname, :source)
returning id
""")
_HEARD = Statement(f"""
select d.caller_name,
    case when d.source in ('extractive', 'platform') then '{{}}' else c.collected end as collected,
    c.caller_name as told, coalesce(d.agent_name, '') as agent
from conversations c left join digests d on d.conversation_id = c.id and d.user_id = c.user_id
where c.user_id = :user and c.outcome = 'talked'
    and (d.caller_name is not null or c.caller_name <> '' or exists (
        select from jsonb_object_keys(c.collected) as key
        where translate(lower(key), ' -', '__') = any(cast(:keys as text[]))
    ))
order by c.started_at desc, c.platform_id desc limit {_LATEST}
""")  # noqa: S608 (the number is ours)
