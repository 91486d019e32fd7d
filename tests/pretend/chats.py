"""Chats, as message history is made of them."""

from datetime import timedelta

from hypothesis import strategies as st
from pretend.memories import NOON

from voice_server.context.working_memory import HistoryRules, Turns
from voice_server.domain.conversation import Role, Turn

ROOMY = HistoryRules(messages=400)
_WORDS = ["", "tea", "tea and cake ", "日本語。", "\n\n", " a\n", "👋🏽"]
_contents = st.builds(lambda word, times: word * times, st.sampled_from(_WORDS), st.integers(1, 60))
_said = st.tuples(st.sampled_from(["user", "agent"]), _contents).map(lambda one: [one])
# calls of one tool or two, answered at once, later, or out of turn
_called = st.sampled_from(
    [
        ["search"],
        ["search", "!search"],
        ["search", "add", "!search", "!add"],
        ["search", "add", "user", "!add", "!search"],
        ["search", "search", "!search", "!search"],
        ["!add"],
    ]
).flatmap(
    lambda names: st.tuples(st.just(names), _contents).map(lambda one: [(name, one[1]) for name in one[0]])
)
talks = st.lists(_said | _said | _called, max_size=25).map(
    lambda parts: turns_of(*(one for part in parts for one in part))
)


def turns_of(*told: tuple[str, str]) -> Turns:
    """A chat of which nothing is missing: who said it (`search` calls a tool, `!search` is its result), and
    what."""
    return Turns(tuple(turn(n, name, text) for n, (name, text) in enumerate(told)), len(told), ROOMY)


def turn(n: int, name: str, text: str) -> Turn:
    role: Role = "user" if name == "user" else "agent" if name == "agent" else "tool_call"
    tool = None if role != "tool_call" else name.removeprefix("!")
    role = "tool_result" if name.startswith("!") else role
    return Turn(n, role, text, NOON + timedelta(seconds=n), tool, conversation_id=7, place=n)


def chat(number: int, words: int = 30) -> Turns:
    """The user and the agent in turn, the agent last."""
    return turns_of(*((("user", "agent")[n % 2], "tea " * words) for n in range(number)))
