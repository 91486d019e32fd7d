"""One configured voice or text agent."""

from typing import Literal

from msgspec import Struct

Delivery = Literal["override", "variable"]
VariableValue = str | int | float | bool


class Agent(Struct, frozen=True, forbid_unknown_fields=True):
    """An agent as its `agent.toml` describes it; `id` is the platform's id for it.

    `delivery` says how a prompt reaches the platform: as an override of the agent's prompt, or as
    the dynamic variable `memory` that the agent's own prompt places. `variables` are all dynamic
    variables the agent declares, with the value sent when we know no better: one that is missing
    ends the person's call (ElevenLabs, personalization). `timezone` "" means the server's default.
    `token_limit` 0 means the server's default.
    """

    id: str
    name: str = ""
    delivery: Delivery = "override"
    timezone: str = ""
    token_limit: int = 0
    variables: dict[str, VariableValue] = {}
