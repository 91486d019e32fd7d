"""Working memory: the turns of a chat, which a text agent gets as message history.

Not text of the prompt, but of its budget (docs/explanation/prompt-stack.md, rule 3):

    turns ── outputs of tools cut ── the first exchange, the last 30 ── within the cap ──→ room made by what
                                      gives way before it ──→ what then fits; where nothing had to give
                                                              way, more of what is left unused

The newest turns stay longest, and the first exchange, which says what a chat is about, nearly as long. A tool
call and its result stay or go together, with all that was said in between: no model takes one alone.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

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
from voice_server.domain.chat_summary import ChatSummary
from voice_server.domain.conversation import Message, Turn

NAME = "working_memory"
LEAST = 6  # turns that stay, whatever else does (rule 3)
MOST = 3000  # tokens, of what nobody else uses
PAIR_RULE = "3: call and result"
SUMMED_UP_RULE = "history: summed up"
_OPENING = 300  # tokens of a first exchange that stays: a longer one is as any other
SUMMARY_SHARE = 0.5  # of the tokens at most
_SHOWN_OF_OUTPUT = 0.7  # of its characters the beginning, the rest the end


class HistoryRules(Struct, frozen=True):
    """The most that is told of a chat beside its first exchange. `tokens` are those that nobody else needs,
    `tool_output_chars` of outputs outside the last exchange; `turns` None means the agent's limit."""

    messages: int = 40
    tokens: int = MOST
    tool_output_chars: int = 2000
    turns: int | None = None
    strategy: Literal["truncate", "summarize"] = "truncate"

    @property
    def sums_up(self) -> bool:
        return self.strategy == "summarize"

    def of(self, agent: Agent) -> "HistoryRules":
        own = {name: value for name, value in asdict(agent.history).items() if value is not None}
        return replace(self, **own)


class Turns(Struct, frozen=True):
    """The turns of a chat that may be told, oldest first: its beginning and its end. `there` is how many it
    has in all, `behind` how many messages follow what the `summary` tells of."""

    messages: tuple[Turn, ...] = ()
    there: int = 0
    rules: HistoryRules = HistoryRules()
    summary: ChatSummary | None = None
    behind: int = 0


class History(Struct, frozen=True):
    """The turns that are told, oldest first, in `tokens`, and what was left out and why. Behind the first
    `opening` turns, `left_out` messages are not told, and `summed_up` by the `summary` alone. Of `trimmed`
    tools' outputs only beginning and end are told."""

    messages: tuple[Turn, ...] = ()
    tokens: int = 0
    sources: tuple[str, ...] = ()
    dropped: tuple[Omission, ...] = ()
    opening: int = 0
    left_out: int = 0
    trimmed: int = 0
    summed_up: int = 0
    summary: str = ""

    @property
    def marker(self) -> str:
        return _marker(self.left_out, self.summed_up, self.summary)


class TurnCandidates(Struct, frozen=True):
    """What of a chat could be told. `blocks` stay or go together, the most important first, of these `tokens`
    each; the first `least` always stay, the first `in_limit` are within the `number_rule`. `opening` are
    places, `marker` is in tokens; `condensed` is left out because a summary was asked for."""

    turns: Turns
    budget: Budget
    fill: int  # tokens, up to which it may use what is left unused
    blocks: tuple[tuple[Turn, ...], ...]
    tokens: tuple[int, ...]
    least: int
    in_limit: int
    number_rule: str
    unpaired: tuple[Turn, ...]
    opening: frozenset[int]
    trimmed: frozenset[int]
    marker: int
    condensed: tuple[tuple[Turn, ...], ...]
    count: Count

    def within(self, tokens: int) -> int:
        fitting = (n for n in range(self.in_limit, self.least, -1) if self.size(n) <= tokens)
        return next(fitting, self.least)

    def size(self, blocks: int) -> int:
        return sum(self.tokens[:blocks]) + (self.marker if self.is_cut_at(blocks) else 0)

    def is_cut_at(self, blocks: int) -> bool:
        """Tell whether more was said than so many blocks tell. A call that lacks its result says nothing."""
        is_short = len(self.turns.messages) < self.turns.there
        return blocks < len(self.blocks) or bool(self.condensed) or is_short

    @property
    def claimed(self) -> int:
        """The tokens for which other sections make room."""
        return self.size(self.within(self.budget.cap))

    @property
    def claimed_ids(self) -> frozenset[str]:
        return frozenset(one.id for block in self.blocks[: self.within(self.budget.cap)] for one in block)


def wanted(turns: Turns, agent: Agent, count: Count) -> TurnCandidates:
    """Return what could be told. An agent's own cap holds, whatever is left unused."""
    budget, rules = agent.budgets.get(NAME, BUDGETS[NAME]), turns.rules
    if NAME not in agent.budgets:
        budget = Budget(min(budget.target, rules.tokens), min(budget.cap, rules.tokens))
    turns = _with_fitting_summary(turns, budget.cap, count)
    trimmed, shorter = with_short_outputs(turns.messages, rules.tool_output_chars)
    blocks, unpaired = _blocks(shorter)
    opening = _opening(blocks, count)
    condensed = [block for block in blocks if block not in opening and _is_condensed(block, turns.summary)]
    newest_first = [block for block in blocks if block not in condensed][::-1]
    least = _that_stay(newest_first)
    rest = [block for block in newest_first[least:] if block not in opening]
    first = [block for block in newest_first[least:] if block in opening]
    by_importance = (*newest_first[:least], *first, *rest)
    number, rule = _within_number(
        [*newest_first[:least], *rest], rules.turns or agent.limits.turns, rules.messages
    )
    return TurnCandidates(
        turns,
        budget,
        budget.cap if NAME in agent.budgets else rules.tokens,
        by_importance,
        tuple(sum(tokens_of(message, count) for message in block) for block in by_importance),
        least,
        max(least, number) + len(first),
        rule,
        unpaired,
        frozenset(message.place for block in opening for message in block),
        trimmed,
        count(f"user: {_longest_marker(turns)}{SEPARATOR}"),
        tuple(condensed),
        count,
    )


def fit(turns: TurnCandidates, beside: Sequence[FittedSection], limit: int) -> History:
    """Return the history beside fitted sections, which made room for what it claims."""
    capped = turns.within(turns.budget.cap)
    kept = turns.within(_room(turns, beside, limit))
    told = sorted((message for block in turns.blocks[:kept] for message in block), key=lambda one: one.place)
    untold = turns.turns.there - len(told) if turns.is_cut_at(kept) else 0
    summed_up = _summed_up(turns.turns, told, untold)
    return History(
        tuple(told),
        turns.size(kept),
        tuple(_source(message) for message in told),
        tuple(_dropped(turns, kept, capped)),
        _before_the_gap(told, turns.opening, untold),
        untold - summed_up,
        sum(message.place in turns.trimmed for message in told),
        summed_up,
        turns.turns.summary.text if summed_up and turns.turns.summary else "",
    )


def _marker(left_out: int, summed_up: int = 0, summary: str = "") -> str:
    parts = [f"[{_several(summed_up)} of this chat, in short:\n{summary}]"] if summed_up else []
    parts += [f"[{_several(left_out)} of this chat not shown here]"] if left_out else []
    return "\n".join(parts)


def _several(messages: int) -> str:
    return "1 message" if messages == 1 else f"{messages} messages"


def _longest_marker(turns: Turns) -> str:
    number = max(turns.there, 1)
    return _marker(number, number, turns.summary.text) if turns.summary else _marker(number)


def _with_fitting_summary(turns: Turns, cap: int, count: Count) -> Turns:
    """Most of the history must be what was said word for word."""
    summary = turns.summary
    if summary is None or count(summary.text) <= cap * SUMMARY_SHARE:
        return turns
    return replace(turns, summary=None)


def _is_condensed(block: Sequence[Turn], summary: ChatSummary | None) -> bool:
    return summary is not None and summary.condenses and block[-1].place < summary.until


def _summed_up(turns: Turns, told: Sequence[Turn], untold: int) -> int:
    if turns.summary is None or not untold:
        return 0
    told_behind = sum(one.place >= turns.summary.until for one in told)
    return max(0, untold - max(0, turns.behind - told_behind))


def _room(turns: TurnCandidates, beside: Sequence[FittedSection], limit: int) -> int:
    """More than the cap where nothing had to give way; the target where earlier sections could not make
    enough room; nothing where later ones gave way."""
    unused = limit - sum(one.tokens for one in beside)
    gave_way = [one.section.name for one in beside if one.kept != one.capped]
    if any(map(gives_way_later, gave_way)):
        return 0
    if turns.claimed > unused:
        return min(turns.budget.target, turns.budget.cap, unused)
    return turns.budget.cap if gave_way else max(turns.budget.cap, min(turns.fill, unused))


def with_short_outputs(messages: Sequence[Turn], most: int) -> tuple[frozenset[int], tuple[Turn, ...]]:
    """Return the places of tools' outputs that were cut, and all messages. Outputs grow most, and are needed
    least once they were answered to."""
    last = max((n for n, one in enumerate(messages) if one.role == "user"), default=0)
    shorter = tuple(
        _shortened(one, most) if n < last and one.role == "tool_result" else one
        for n, one in enumerate(messages)
    )
    changed = (new.place for one, new in zip(messages, shorter, strict=True) if new != one)
    return frozenset(changed), shorter


def _shortened(output: Turn, most: int) -> Turn:
    text = output.content
    head = int(most * _SHOWN_OF_OUTPUT)
    tail = len(text) - (most - head)
    if tail <= head:
        return output
    return replace(output, content=f"{text[:head]}[…truncated, {tail - head} chars]{text[tail:]}")


def _blocks(messages: Sequence[Turn]) -> tuple[list[tuple[Turn, ...]], tuple[Turn, ...]]:
    blocks, unpaired = list[tuple[Turn, ...]](), list[Turn]()
    for run in _runs(messages):
        together, alone = _blocks_of_run(run)
        blocks += together
        unpaired += alone
    return blocks, tuple(unpaired)


def _runs(messages: Sequence[Turn]) -> Iterator[Sequence[Turn]]:
    """Part messages at gaps: a result behind one is not of a call before it."""
    ends = [n for n, (one, then) in enumerate(pairwise(messages), 1) if then.place != one.place + 1]
    return (messages[start:end] for start, end in pairwise([0, *ends, len(messages)]))


def _blocks_of_run(messages: Sequence[Turn]) -> tuple[list[tuple[Turn, ...]], list[Turn]]:
    ends = results(messages)
    answers = set(ends.values())
    blocks, unpaired, until = list[list[Turn]](), list[Turn](), -1
    for n, message in enumerate(messages):
        is_alone = n not in ends if message.role == "tool_call" else n not in answers
        if message.role in ("tool_call", "tool_result") and is_alone:
            unpaired.append(message)
            continue
        if n > until:
            blocks.append([])
        blocks[-1].append(message)
        until = max(until, ends.get(n, n))
    return [tuple(block) for block in blocks], unpaired


def results(messages: Sequence[Message]) -> dict[int, int]:
    """Find the result of each call: of several calls of a tool, the first is answered first."""
    waiting, ends = dict[str | None, list[int]](), dict[int, int]()
    for n, message in enumerate(messages):
        if message.role == "tool_call":
            waiting.setdefault(message.tool_name, []).append(n)
        elif message.role == "tool_result" and waiting.get(message.tool_name):
            ends[waiting[message.tool_name].pop(0)] = n
    return ends


def _opening(blocks: Sequence[tuple[Turn, ...]], count: Count) -> list[tuple[Turn, ...]]:
    asked, taken = False, list[tuple[Turn, ...]]()
    for place, block in enumerate(blocks):
        if block[0].place != sum(map(len, blocks[:place])):  # not from the beginning on, or with a gap
            return []
        taken.append(block)
        for message in block:
            asked = asked or message.role == "user"
            if asked and message.role == "agent":
                size = sum(tokens_of(one, count) for part in taken for one in part)
                return taken if size <= _OPENING else []
    return []


def _that_stay(newest_first: Sequence[tuple[Turn, ...]]) -> int:
    users = (n for n, block in enumerate(newest_first, 1) if any(one.role == "user" for one in block))
    turns = (n for n in range(len(newest_first)) if sum(map(len, newest_first[:n])) >= LEAST)
    return max(next(users, 0), next(turns, len(newest_first)))


def _within_number(newest_first: Sequence[tuple[Turn, ...]], turns: int, messages: int) -> tuple[int, str]:
    """Return how many blocks are within both limits, and the narrower limit. Calls and results are no
    turns."""
    said = [sum(one.role in ("user", "agent") for one in block) for block in newest_first]
    by_turns = _until(said, turns)
    by_messages = _until([len(block) for block in newest_first], messages)
    if by_turns <= by_messages:
        return by_turns, f"limits: {turns} turns"
    return by_messages, f"history: {messages} messages"


def _until(sizes: Sequence[int], most: int) -> int:
    return next((n for n in range(len(sizes), 0, -1) if sum(sizes[:n]) <= most), 0)


def _before_the_gap(told: Sequence[Turn], opening: frozenset[int], untold: int) -> int:
    first = [n for n, one in enumerate(told, 1) if one.place in opening]
    if len(told) == len(first):
        return len(first) if untold else 0
    is_gap = first and told[len(first)].place > told[len(first) - 1].place + 1
    return len(first) if is_gap else 0


def tokens_of(message: Message, count: Count) -> int:
    """Count a message with its role, about as much as a model's own marks around a turn take."""
    named = f"{message.role} {message.tool_name}" if message.tool_name else message.role
    return count(f"{named}: {message.content}{SEPARATOR}")


def _dropped(turns: TurnCandidates, kept: int, capped: int) -> Iterator[Omission]:
    for n, block in enumerate(turns.blocks[kept:], kept):
        rule = turns.number_rule if n >= turns.in_limit else LIMIT_RULE if n < capped else CAP_RULE
        yield from (_drop(turns, message, rule) for message in block)
    yield from (_drop(turns, message, PAIR_RULE) for message in turns.unpaired)
    yield from (_drop(turns, message, SUMMED_UP_RULE) for block in turns.condensed for message in block)


def _drop(turns: TurnCandidates, message: Turn, rule: str) -> Omission:
    return Omission(NAME, _source(message), tokens_of(message, turns.count), rule)


def _source(message: Turn) -> str:
    return f"messages/{message.id}"
