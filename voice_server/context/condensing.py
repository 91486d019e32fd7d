"""When and how far a chat is summed up, so that what its history leaves out is still known.

    ├──────── summed up ────────┼── word for word ──┤
    0                         until               now

The server does so before the history is full. A person who asks for it has all but the newest turns told by
the summary alone.
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
    """Return the place up to which to sum up a chat; None while the history has room. No summary tells
    `messages` yet."""
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
    return min(agent.budgets.get(NAME, BUDGETS[NAME]).cap, rules.tokens)


def now(messages: Sequence[Turn]) -> int | None:
    """Return the place before which all but the newest turns stand; None when nothing does."""
    turns = [n for n, one in enumerate(messages) if one.role in ("user", "agent")]
    return _begins(messages, turns[-LEAST]) if len(turns) > LEAST else None


def _sizes(messages: Sequence[Turn], count: Count) -> Iterator[tuple[int, int, int]]:
    """Yield messages, turns and tokens of the newest message, the newest two, and so on."""
    newest_first = ((1, one.role in ("user", "agent"), tokens_of(one, count)) for one in reversed(messages))
    return accumulate(newest_first, lambda sums, one: (sums[0] + one[0], sums[1] + one[1], sums[2] + one[2]))


def _begins(messages: Sequence[Turn], first: int) -> int | None:
    """Return the place where an exchange begins, with a user's words: the next, else the last."""
    users = [n for n, one in enumerate(messages) if one.role == "user"]
    begins = next((n for n in users if n >= first), users[-1] if users else 0)
    return messages[begins].place if begins else None
