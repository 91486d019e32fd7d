"""What a tool is: a name, a description that teaches the model when to call it, arguments, a function.

    arguments + who is on the line → run → answer (small, dated, speakable)

Who is on the line never comes from the arguments. The arguments' type makes the schema that a model sees.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.tool import ToolDescription
from voice_server.search.hybrid import Semantics

Answer = Mapping[str, Any]
Allowance = Literal["lookups", "additions"]
Rebuild = Callable[[AsyncConnection, str, str], Awaitable[None]]
_A = TypeVar("_A", bound=Struct)
_WHERE = re.compile(r" - at `\$\.?(?P<where>[^`]*)`$")
#: What msgspec says, and what a model does better with.
_PLAINLY = {
    "Invalid RFC3339 encoded date": "write a day as YYYY-MM-DD, as in 2026-11-20",
    "Object missing required field ": "required, and missing: ",
}


class Caller(Struct, frozen=True):
    """Who is on the line with which agent. `timezone` is the user's, an IANA name; `conversation_id` the
    platform's. What is not known is empty. In a chat the question that is being answered was `asked_at`."""

    user_id: str
    agent_id: str
    timezone: str
    conversation_id: str = ""
    user_name: str = ""
    agent_name: str = ""
    asked_at: datetime | None = None


class ToolContext(Struct, frozen=True):
    """`now` is in the user's time zone; `fits` tells whether an answer is small enough; `rebuild` asks, in
    the transaction, for a prompt to be made anew; `semantics` is None where there are no vectors."""

    connection: AsyncConnection
    now: datetime
    fits: Callable[[Answer], bool]
    rebuild: Rebuild
    semantics: Semantics | None = None


def _nothing_to_refuse(_asked: Struct) -> str:
    return ""


class Tool(Struct, Generic[_A], frozen=True):
    """`nothing` is the answer that says so. A use counts against `allowance`. A tool that `writes` runs in a
    transaction. `refusal` explains why such arguments are not for it: that counts as no use, so the agent can
    ask better."""

    name: str
    description: str
    arguments: type[_A]
    run: Callable[[Caller, _A, ToolContext], Awaitable[Answer]]
    nothing: Answer
    allowance: Allowance = "lookups"
    writes: bool = False
    refusal: Callable[[_A], str] = _nothing_to_refuse

    @property
    def plain_name(self) -> str:
        return self.describe().plain_name

    def describe(self) -> ToolDescription:
        return ToolDescription(self.name, self.description, self.schema(), self.writes)

    def schema(self) -> dict[str, Any]:
        """Return a flat object, each property with its description."""
        (_, components) = msgspec.json.schema_components([self.arguments])
        made = components[self.arguments.__name__]
        properties = {name: _flat(one) for name, one in made["properties"].items()}
        return {"type": "object", "properties": properties, "required": made.get("required", [])}

    def read(self, given: Mapping[str, Any]) -> _A:
        """Read what a model gave. Empty counts as left out, numbers may be text, unknown arguments are
        ignored. Raises ValueError with a sentence that says what is wrong."""
        there = {name: _clean(value) for name, value in given.items() if value not in (None, "")}
        try:
            return msgspec.convert(there, self.arguments, strict=False)
        except (msgspec.ValidationError, RecursionError) as error:
            raise ValueError(_said(str(error))) from None


def _flat(schema: Mapping[str, Any]) -> dict[str, Any]:
    choices = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
    told = {name: value for name, value in schema.items() if name not in ("anyOf", "default")}
    if schema.get("default") is not None:
        told["default"] = schema["default"]
    flat = {**(choices[0] if choices else {}), **told}
    return flat if "type" in flat else {"type": "string", **flat}  # a choice of words


def _clean(value: Any) -> Any:
    """Replace NUL, which Postgres does not store, and half surrogate pairs, which nothing stores."""
    if not isinstance(value, str):
        return value
    return value.replace("\0", " ").encode(errors="replace").decode()


def _said(error: str) -> str:
    found = _WHERE.search(error)
    where = found["where"] if found else ""
    told = _WHERE.sub("", error).replace("`", "")
    for said, plain in _PLAINLY.items():
        told = told.replace(said, plain)
    return f"{where}: {told}" if where else told
