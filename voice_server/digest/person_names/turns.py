"""A caller's turn: what they say, to whom, and what they were asked."""

from msgspec import Struct

from voice_server.digest.person_names.questions import Question
from voice_server.digest.person_names.reading import Name, Text

_OPENING = 2  # turns of the caller in which they say who they are, unasked


class Turn(Struct, frozen=True):
    """`agents`: words of the agent's opening that may be its name or house. `greeted`: as whom it greets the
    caller; `is_mistaken`: as somebody else. `greets_agent`: by a word of `agents`, which `text` leaves out.
    `before`: words of the name that were known."""

    text: Text
    question: Question
    number: int
    agents: set[str]
    greeted: Name | None
    is_mistaken: bool
    greets_agent: bool
    before: tuple[str, ...]

    @property
    def is_first(self) -> bool:
        return self.number == 1

    @property
    def is_unasked(self) -> bool:
        return not (self.greeted or self.question.other or self.question.part)

    @property
    def answers_other(self) -> bool:
        """Tell whether it answers something else than who is calling."""
        return self.question.other and not self.is_first

    @property
    def may_point(self) -> bool:
        """Tell whether “it's …” says who is calling: not in answer to something else."""
        return self.number <= _OPENING and not (self.question.of_another or self.answers_other)
