"""Kinds of values with their bounds, so that nothing is refused later than at the door."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from voice_server import settings
from voice_server.api.http.languages import is_language
from voice_server.digest.person_names.given import as_name
from voice_server.digest.person_names.reading import LONGEST
from voice_server.digest.secrets.redaction import redacted
from voice_server.domain.bounds import FIRST_DAY, LARGEST, LAST_DAY

_FIRST_MOMENT, _LAST_MOMENT = datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def _storable(text: str) -> str:
    """Refuse what JSON can write and Postgres cannot store."""
    if "\0" in text:
        raise ValueError("it must not contain a NUL character")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it must not contain half of a surrogate pair") from None
    return text


def _without_secrets(text: str) -> str:
    return redacted(text)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Storable = AfterValidator(_storable)
LONGEST_MESSAGE = 20_000  # characters
_trimmed = StringConstraints(strip_whitespace=True)
Word = Annotated[str, _trimmed, Field(max_length=100), Storable]
# What is kept as memory: a card number or a PIN in it gives way to a mark, which the answer shows.
_WithoutSecrets = AfterValidator(_without_secrets)
Sentence = Annotated[str, _trimmed, Field(min_length=1, max_length=1000), Storable, _WithoutSecrets]
OptionalSentence = Annotated[str, _trimmed, Field(max_length=1000), Storable, _WithoutSecrets]
Prose = Annotated[str, _trimmed, Field(max_length=4000), Storable, _WithoutSecrets]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Day = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY)]
Moment = Annotated[AwareDatetime, Field(ge=_FIRST_MOMENT, le=_LAST_MOMENT), AfterValidator(_utc)]


def _language(tag: str) -> str:
    if tag and not is_language(tag):
        raise ValueError(
            f"{tag!r} is no language; write its ISO 639 code, as en, or with a country, as en-GB"
        )
    return tag


Language = Annotated[
    str, Field(max_length=35, description="BCP 47, as `en-GB`; empty: not known"), AfterValidator(_language)
]

UserId = Annotated[str, Path(min_length=1, max_length=64, description="`usr_…`"), Storable]
AnyUser = Annotated[str, Field(min_length=1, max_length=64), Storable]
RowId = Annotated[int, Path(ge=1, le=LARGEST)]
AgentId = Annotated[
    str, Field(min_length=1, max_length=200, description="The agent's id at its platform"), Storable
]
OfAgent = Annotated[AgentId, Query()]
OfAnyAgent = Annotated[AgentId | None, Query(description="Only with this agent")]


Timezone = Annotated[settings.Timezone, Field(max_length=64, description="IANA name, as `Europe/Berlin`")]


def _timezone_or_none(name: str) -> str:
    return settings.iana_timezone(name) if name else name


OptionalTimezone = Annotated[
    str,
    Field(max_length=64, description="IANA name, as `Europe/Berlin`; empty: not known"),
    AfterValidator(_timezone_or_none),
]


STRICT = ConfigDict(extra="forbid")  # a field nobody knows is a mistake worth telling


def _name(text: str) -> str:
    if text.strip() and not as_name(text):
        raise ValueError("it must be a name: letters, spaces, hyphens, apostrophes and dots")
    return as_name(text)


def _small(data: dict[str, Any]) -> dict[str, Any]:
    for text in _texts(data, _DEEPEST_DATA):
        _storable(text)
    try:
        written = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise ValueError("it must hold no number that JSON cannot write, as NaN") from None
    if len(written) > _LARGEST_DATA:
        raise ValueError(f"it must not be above {_LARGEST_DATA} characters of JSON")
    return data


def _texts(value: object, depth: int) -> Iterator[str]:
    """Yield every key and every text within a value of JSON. Raises ValueError for one that is too deep."""
    if isinstance(value, str):
        yield value
    if not isinstance(value, dict | list):
        return
    if not depth:
        raise ValueError(f"it must not be nested deeper than {_DEEPEST_DATA} levels")
    if isinstance(value, dict):
        yield from value
    for one in value.values() if isinstance(value, dict) else value:
        yield from _texts(one, depth - 1)


_DEEPEST_DATA = 20
_LARGEST_DATA = 8000
Name = Annotated[str, Field(max_length=LONGEST), Storable, AfterValidator(_name)]
ExternalId = Annotated[str, _trimmed, Field(min_length=1, max_length=128), Storable]
Metadata = Annotated[dict[str, Any], Field(max_length=100), AfterValidator(_small)]


class RequestBody(BaseModel):
    """A request's body. A change of something that is there is a TypedDict instead: what is left out
    stays."""

    model_config = STRICT
