"""Working memory: the turns of the conversation going on, which a text agent gets as message history.

Not text of the prompt, but of its budget (docs/explanation/prompt-stack.md, rule 3):

    turns ── the last 30 ── within the cap ──→ room made by what gives way before it ──→ what then fits
                                               nothing had to give way: up to 3000 of what is left unused

The newest turns stay longest. A tool call and its result stay or go together, with all that was said in
between; without the other, neither can be shown to a model. The newest six turns and the newest of the user
always stay.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from voice_server.context.layout.budget import (
    BUDGETS,
    CAP_RULE,
    LIMIT_RULE,
    SEPARATOR,
    Count,
    FittedSection,
    Omission,
    gives_way_later,
)
from voice_server.domain.agent import Agent, Budget
from voice_server.domain.conversation import Message, message_id

NAME = "working_memory"
LEAST = 6  # turns that stay, whatever else does (rule 3)
MOST = 3000  # tokens, of what nobody else uses
PAIR_RULE = "3: call and result"


class Turns(Struct, frozen=True):
    """The turns of a conversation that goes on, oldest first. `conversation_id` is ours, not the
    platform's."""

    conversation_id: int
    messages: tuple[Message, ...]


class History(Struct, frozen=True):
    """The turns that are told, oldest first, in `tokens`; their rows, and what was left out and why."""

    messages: tuple[Message, ...] = ()
    tokens: int = 0
    sources: tuple[str, ...] = ()
    dropped: tuple[Omission, ...] = ()


class TurnCandidates(Struct, frozen=True):
    """`blocks` are messages that stay or go together, newest first, of these `tokens` each; the first
    `least` always stay, the first `in_limit` are within the number of turns."""

    conversation_id: int
    budget: Budget
    fill: int  # tokens, up to which it may use what is left unused
    turns: int
    blocks: tuple[tuple[Message, ...], ...]
    tokens: tuple[int, ...]
    least: int
    in_limit: int
    unpaired: tuple[Message, ...]
    count: Count

    def within(self, tokens: int) -> int:
        """How many blocks fit: until the first that does not, and never fewer than must stay."""
        fitting = (n for n in range(self.in_limit, self.least, -1) if sum(self.tokens[:n]) <= tokens)
        return next(fitting, self.least)

    @property
    def claimed(self) -> int:
        """The tokens for which others make room: what is within the cap."""
        return sum(self.tokens[: self.within(self.budget.cap)])


def wanted(turns: Turns, agent: Agent, count: Count) -> TurnCandidates:
    """What of a conversation could be told. An agent's own cap is a cap, whatever is left unused."""
    budget, most = agent.budgets.get(NAME, BUDGETS[NAME]), agent.limits.turns
    blocks, unpaired = _blocks(turns.messages)
    newest_first = tuple(reversed(blocks))
    least = _that_stay(newest_first)
    return TurnCandidates(
        turns.conversation_id,
        budget,
        budget.cap if NAME in agent.budgets else MOST,
        most,
        newest_first,
        tuple(sum(_tokens(message, count) for message in block) for block in newest_first),
        least,
        max(least, _within_number(newest_first, most)),
        unpaired,
        count,
    )


def fit(turns: TurnCandidates, beside: Sequence[FittedSection], limit: int) -> History:
    """The history beside the fitted sections of a prompt, which made room for what it claims."""
    capped = turns.within(turns.budget.cap)
    kept = turns.within(_room(turns, beside, limit))
    blocks = reversed(turns.blocks[:kept])
    messages = tuple(message for block in blocks for message in block)
    return History(
        messages,
        sum(turns.tokens[:kept]),
        tuple(_source(turns, message) for message in messages),
        tuple(_dropped(turns, kept, capped)),
    )


def _room(turns: TurnCandidates, beside: Sequence[FittedSection], limit: int) -> int:
    """Its own cap where the sections that give way first made room for it; more where none had to; its target
    where they could not make enough; nothing where those had to give way that do so after it."""
    unused = limit - sum(one.tokens for one in beside)
    gave_way = [one.section.name for one in beside if one.kept != one.capped]
    if any(map(gives_way_later, gave_way)):
        return 0
    if turns.claimed > unused:
        return min(turns.budget.target, turns.budget.cap, unused)
    return turns.budget.cap if gave_way else max(turns.budget.cap, min(turns.fill, unused))


def _blocks(messages: Sequence[Message]) -> tuple[list[tuple[Message, ...]], tuple[Message, ...]]:
    """Blocks that stay or go together; and the calls and results that lack the other."""
    ends = _results(messages)
    answers = set(ends.values())
    blocks, unpaired, until = list[list[Message]](), list[Message](), -1
    for n, message in enumerate(messages):
        is_alone = n not in ends if message.role == "tool_call" else n not in answers
        if message.role in ("tool_call", "tool_result") and is_alone:
            unpaired.append(message)
            continue
        if n > until:
            blocks.append([])
        blocks[-1].append(message)
        until = max(until, ends.get(n, n))
    return [tuple(block) for block in blocks], tuple(unpaired)


def _results(messages: Sequence[Message]) -> dict[int, int]:
    """Where the result of each call is: of several calls of a tool, the first is answered first."""
    waiting, ends = dict[str | None, list[int]](), dict[int, int]()
    for n, message in enumerate(messages):
        if message.role == "tool_call":
            waiting.setdefault(message.tool_name, []).append(n)
        elif message.role == "tool_result" and waiting.get(message.tool_name):
            ends[waiting[message.tool_name].pop(0)] = n
    return ends


def _that_stay(newest_first: Sequence[tuple[Message, ...]]) -> int:
    users = (n for n, block in enumerate(newest_first, 1) if any(one.role == "user" for one in block))
    turns = (n for n in range(len(newest_first)) if sum(map(len, newest_first[:n])) >= LEAST)
    return max(next(users, 0), next(turns, len(newest_first)))


def _within_number(newest_first: Sequence[tuple[Message, ...]], most: int) -> int:
    numbers = range(len(newest_first), 0, -1)
    return next((n for n in numbers if sum(map(len, newest_first[:n])) <= most), 0)


def _tokens(message: Message, count: Count) -> int:
    """With its role, as a model is shown it, about as much as a model's own marks around a turn take."""
    named = f"{message.role} {message.tool_name}" if message.tool_name else message.role
    return count(f"{named}: {message.content}{SEPARATOR}")


def _dropped(turns: TurnCandidates, kept: int, capped: int) -> Iterator[Omission]:
    for n, block in enumerate(turns.blocks[kept:], kept):
        if n >= turns.in_limit:
            rule = f"limits: {turns.turns} turns"
        else:
            rule = LIMIT_RULE if n < capped else CAP_RULE
        yield from (_drop(turns, message, rule) for message in block)
    yield from (_drop(turns, message, PAIR_RULE) for message in turns.unpaired)


def _drop(turns: TurnCandidates, message: Message, rule: str) -> Omission:
    return Omission(NAME, _source(turns, message), _tokens(message, turns.count), rule)


def _source(turns: TurnCandidates, message: Message) -> str:
    return f"messages/{message_id(turns.conversation_id, message.position)}"
