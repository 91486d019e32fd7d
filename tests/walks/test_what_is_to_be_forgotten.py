"""What a caller asks to be forgotten stays in the transcript, and is nowhere else."""

from collections.abc import Callable

from conftest import House
from pretend.agent import Agent
from pretend.elevenlabs import ADA
from pretend.embedder import PretendEmbedder

from voice_server.settings import Settings

SAID = (
    "agent: Hello, how is the garden?",
    "user: I grow tomatoes on the balcony now.",
    "agent: That sounds lovely.",
    "user: My brother went to prison for smuggling cheese.",
    "agent: Oh dear, prison is hard for a family.",
    "user: uh actually dont keep that",
    "agent: Of course.",
    "user: Ich bin in Frau Zimmermann aus dem Laden verliebt.",
    "agent: Wie schön, Frau Zimmermann ist nett.",
    "user: Das müssen Sie nicht festhalten.",
    "agent: Gut.",
    "user: I saw my therapist on Monday.",
    "agent: I hope it went well.",
    "user: The basil grows very well, too.",
    "agent: How nice.",
    "user: What I said about the therapist earlier, please erase it",
    "agent: It is forgotten.",
)
SECRETS = ("prison", "smuggl", "zimmermann", "therapist")
_TELLS = 'select 1 from "{}" as one where one::text ~* $1 limit 1'
RAW = {"messages", "events"}  # what was said, for people; erased with its conversation


async def test_what_is_to_be_forgotten_is_only_in_the_transcript(
    open_house: Callable[[Settings], House], settings: Settings, embedder: PretendEmbedder
) -> None:
    model = {"embedding_model": "openai:pretend", "embedding_base_url": embedder.url}
    house = open_house(settings.model_copy(update=model))
    agent = Agent(house)

    await agent.talked("conv_1", *SAID)

    assert await _tables_that_tell(house) <= RAW
    embedded = str(embedder.asked).lower()
    assert "tomatoes" in embedded
    assert not _told(embedded)
    agent.begin("conv_2")
    assert "basil" in house.platform.told(ADA)
    assert not _told(house.platform.told(ADA))
    assert "tomatoes" in str(agent.use("conversation.search", "conv_2", query="tomatoes"))
    assert not _told(str([agent.use("conversation.search", "conv_2", query=secret) for secret in SECRETS]))
    assert not _told(str(agent.use("conversation.get", "conv_2", from_message_id="1:0")))
    assert not _told(str(agent.use("conversation.get", "conv_2", day_segment_id=1)))


def _told(text: str) -> set[str]:
    return {secret for secret in SECRETS if secret in text.lower()}


async def _tables_that_tell(house: House) -> set[str]:
    """The tables in which a secret is found."""
    tables = await house.query(
        "select table_name from information_schema.tables"
        " where table_schema = 'public' and table_type = 'BASE TABLE'"
    )
    pattern = "|".join(SECRETS)
    return {name for (name,) in tables if await house.query(_TELLS.format(name), pattern)}
