"""The reader: the model that reads conversations, whatever library asks it."""

from typing import Protocol

from msgspec import Struct

from voice_server.digest.grounding.findings import ChatFindings, DayFindings, Findings, Judgement
from voice_server.digest.model.conversation_prompt import Brief
from voice_server.digest.model.day_prompt import DayBrief
from voice_server.digest.model.review_prompt import ReviewBrief
from voice_server.domain.digest import ModelUse


class ModelConfig(Struct, frozen=True):
    """`model` is `provider:model`; `timeout` is in seconds; `output` is auto, tool, native or prompted;
    `setting` is where the model was named."""

    model: str
    base_url: str = ""
    api_key: str = ""
    output: str = "auto"
    timeout: float = 120.0
    answer_tokens: int = 4000
    setting: str = "LLM_MODEL"


class Answer(Struct, frozen=True):
    """`talk` is what was said to the model and by it, to go on from."""

    findings: Findings
    use: ModelUse
    talk: tuple[object, ...] = ()


class ReviewAnswer(Struct, frozen=True):
    judgements: tuple[Judgement, ...]
    use: ModelUse


class DayAnswer(Struct, frozen=True):
    findings: DayFindings
    use: ModelUse


class ChatAnswer(Struct, frozen=True, tag=True):
    findings: ChatFindings
    use: ModelUse


class Failure(Struct, frozen=True, tag=True):
    """Why there is no answer. `away`: any other conversation would fail the same way; `suspect`: unless this
    one made the model break, or take too long."""

    reason: str
    use: ModelUse
    away: bool
    suspect: bool = False


class ChatReader(Protocol):
    async def sum_up_chat(self, text: str) -> ChatAnswer | Failure:
        """Sum up a chat, from the text of its brief. Raises ConfigurationError when the model is set up
        wrong."""


class Reader(ChatReader, Protocol):
    name: str

    async def read(self, brief: Brief) -> Answer | Failure:
        """Read a conversation."""

    async def read_again(self, brief: Brief, answer: Answer, complaint: str) -> Answer | Failure:
        """Read it again, told what was wrong with the answer."""

    async def review(self, brief: ReviewBrief) -> ReviewAnswer | Failure:
        """Check what was noted of a conversation or a day."""

    async def sum_up(self, brief: DayBrief) -> DayAnswer | Failure:
        """Sum up a day."""

    async def close(self) -> None:
        """Let go of connections."""
