"""What each section of an agent's prompt may take, in the order in which they are told."""

from msgspec import Struct

from voice_server.context.layout.budget import BUDGETS, SHARED
from voice_server.context.prompt_builder import ORDER
from voice_server.domain.agent import Agent


class SectionBudget(Struct, frozen=True):
    """A section's budget in tokens. `shares` names the section whose budget it is; `is_own`: the agent sets
    it."""

    name: str
    target: int
    cap: int
    shares: str
    is_own: bool


def budgets(agent: Agent) -> list[SectionBudget]:
    return [_budget(name, agent) for name in ("persona", *(agent.order or ORDER), "response_style")]


def _budget(name: str, agent: Agent) -> SectionBudget:
    shares = SHARED.get(name, "")
    whose = shares or name
    budget = agent.budgets.get(whose, BUDGETS[whose])
    return SectionBudget(name, budget.target, budget.cap, shares, whose in agent.budgets)
