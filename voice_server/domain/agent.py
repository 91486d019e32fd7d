"""One configured voice or text agent."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Delivery = Literal["override", "variable"]
VariableValue = str | int | float | bool
Tokens = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=0, le=50)]  # of what one query gathers, some are told
# Fewer than six never stay (docs/explanation/prompt-stack.md, rule 3).
Turns = Annotated[int, Meta(ge=6, le=80)]
Facts = Annotated[int, Meta(ge=0, le=300)]
Uses = Annotated[int, Meta(ge=0, le=1000)]


class Budget(Struct, frozen=True, array_like=True):
    """What a section may take, in tokens: the target when the whole prompt is too large, the cap always."""

    target: Tokens
    cap: Tokens


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """How many of each are told at most. Above `facts_min`, only facts worth telling are
    (docs/explanation/prompt-stack.md, facts worth telling). `turns` are those of the conversation going on
    that a text agent gets as message history. `lookups` and `additions` to memory are what its tools do in
    one conversation."""

    open_threads: Number = 5
    thoughts: Number = 3
    facts_min: Facts = 10
    facts_max: Facts = 30
    turns: Turns = 30
    lookups: Uses = 3
    additions: Uses = 3


class HistoryLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """The most that is told of a chat as message history; None: as the server has it."""

    messages: Annotated[int, Meta(ge=6, le=400)] | None = None
    tokens: Annotated[int, Meta(ge=100)] | None = None
    tool_output_chars: Annotated[int, Meta(ge=100)] | None = None
    strategy: Literal["truncate", "summarize"] | None = None


class Agent(Struct, frozen=True, forbid_unknown_fields=True):
    """An agent as its `agent.toml` describes it; `id` is the platform's.

    `delivery` says how a prompt reaches the platform: as an override of the agent's prompt, or as the
    dynamic variable `memory` that the agent's own prompt places. `variables` are all dynamic variables the
    agent declares, with the value sent when we know no better: one that is missing ends the person's call
    (docs/explanation/elevenlabs-contract.md, pre-call answer). `timezone` "" and `token_limit` 0 mean the
    server's default. `order` names the sections told between persona and style; () for the usual ones.
    `name` is what its folder is called, `agent_name` what it calls itself; "": as it is heard to. `tools`:
    it has our tools, and is told when to use them. `collected` says what becomes of the operator's own
    data-collection items, by id (`digest.analysis.uses`)."""

    id: str
    name: str = ""
    agent_name: str = ""
    delivery: Delivery = "override"
    timezone: str = ""
    token_limit: int = 0
    budgets: dict[str, Budget] = {}
    limits: Limits = Limits()
    history: HistoryLimits = HistoryLimits()
    order: tuple[str, ...] = ()
    tools: bool = False
    collected: dict[str, str] = {}
    variables: dict[str, VariableValue] = {}
