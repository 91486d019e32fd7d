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
    """What a section may take, in tokens: `target` when the whole prompt is too large, `cap` always."""

    target: Tokens
    cap: Tokens


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """The most that is told of each; beyond `facts_min` only facts worth telling
    (docs/explanation/prompt-stack.md, facts worth telling). `turns` are for a text agent's message history.
    `lookups` and `additions` are what tools may do in one conversation."""

    open_threads: Number = 5
    thoughts: Number = 3
    facts_min: Facts = 10
    facts_max: Facts = 30
    turns: Turns = 30
    lookups: Uses = 3
    additions: Uses = 3


class HistoryLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """The most of a chat that is told as message history; None means the server's setting."""

    messages: Annotated[int, Meta(ge=6, le=400)] | None = None
    tokens: Annotated[int, Meta(ge=100)] | None = None
    tool_output_chars: Annotated[int, Meta(ge=100)] | None = None
    strategy: Literal["truncate", "summarize"] | None = None


class Agent(Struct, frozen=True, forbid_unknown_fields=True):
    """An agent as its `agent.toml` describes it; `id` is the platform's.

    `delivery`: a prompt overrides the agent's own, or is the dynamic variable `memory` in it. `variables` are
    all dynamic variables of the agent with their defaults: a missing one ends the call
    (docs/explanation/elevenlabs-contract.md, pre-call answer). `timezone` "" and `token_limit` 0 mean the
    server's default. `order` names the sections between persona and style; () means the usual ones. `name` is
    its folder's, `agent_name` what it calls itself, "" to learn it from calls. `tools`: it has ours, and is
    told when to use them. `collected` says what becomes of the operator's data-collection items, by id
    (`digest.analysis.uses`)."""

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
