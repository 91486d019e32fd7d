"""When and how far a chat is summed up, so that what its history leaves out is still known.

    ├──────── summed up ────────┼── word for word ──┤
    0                         until               now

By itself that is done before the history is full: what it is about to leave out is told by then. Somebody who
asks for it has all but the newest turns told by the summary alone.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from voice_server.context.layout.budget import BUDGETS, Count
from voice_server.context.working_memory import (
    LEAST,
    NAME,
    HistoryRules,
    tokens_of,
    with_short_outputs,
)
from voice_server.domain.agent import Agent
from voice_server.domain.conversation import Turn

_FULL, _KEPT = 0.8, 0.5  # of what a history may have


def due(messages: Sequence[Turn], rules: HistoryRules, agent: Agent, count: Count) -> int | None:
    """The place up to which a chat is to be summed up, of which these messages are not yet; None while the
    history has room for them."""
    _, shorter = with_short_outputs(messages, rules.tool_output_chars)
    cap = room(rules, agent)
    turns = rules.turns or agent.limits.turns
    shares = [
        max(number / rules.messages, said / turns, tokens / cap)
        for number, said, tokens in _sizes(shorter, count)
    ]
    if not shares or shares[-1] < _FULL:
        return None
    kept = sum(share <= _KEPT for share in shares)
    return _begins(shorter, len(shorter) - kept)


def room(rules: HistoryRules, agent: Agent) -> int:
    """The tokens that the history has for certain."""
    return min(agent.budgets.get(NAME, BUDGETS[NAME]).cap, rules.tokens)


def now(messages: Sequence[Turn]) -> int | None:
    """The place up to which a chat can be summed up now: all before its newest turns; None when that is
    nothing."""
    turns = [n for n, one in enumerate(messages) if one.role in ("user", "agent")]
    return _begins(messages, turns[-LEAST]) if len(turns) > LEAST else None


def _sizes(messages: Sequence[Turn], count: Count) -> Iterator[tuple[int, int, int]]:
    """Messages, turns and tokens of the newest message, the newest two, and so on."""
    newest_first = ((1, one.role in ("user", "agent"), tokens_of(one, count)) for one in reversed(messages))
    return accumulate(newest_first, lambda sums, one: (sums[0] + one[0], sums[1] + one[1], sums[2] + one[2]))


def _begins(messages: Sequence[Turn], first: int) -> int | None:
    """The place of the user's words with which an exchange begins there, or behind it; else before it."""
    users = [n for n, one in enumerate(messages) if one.role == "user"]
    begins = next((n for n in users if n >= first), users[-1] if users else 0)
    return messages[begins].place if begins else None
