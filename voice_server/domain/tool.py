"""A tool as whoever configures an agent sees it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class ToolDescription(Struct, frozen=True):
    """What a model is told of a tool. `schema` is the JSON schema of its arguments; `writes`: it changes
    memory."""

    name: str
    description: str
    schema: Mapping[str, Any]
    writes: bool

    @property
    def plain_name(self) -> str:
        """The name without dots: platforms and models take letters, digits, _ and -."""
        return self.name.replace(".", "_")
