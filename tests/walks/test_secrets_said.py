"""Secrets said aloud are kept nowhere: no table, no key, no prompt and no search has them, in any
spelling."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from conftest import API_TOKEN, House
from pretend.elevenlabs import ADA, AGENT, Event, ended_call
from pretend.embedder import PretendEmbedder
from pretend.model import PretendModel

from voice_server.queue.names import INGEST
from voice_server.queue.queue import enqueue
from voice_server.settings import Settings
from voice_server.store.lifecycle import webhook_events

SAID = (
    "agent: Hello, how can I help?",
    "user: I moved to Lisbon last month. My card number is 4111 1111 1111 1111, please note it.",
    "agent: So that is 4111 1111 1111 1111. And the security code?",
    "user: It's seven three nine.",
    "agent: Seven three nine, thank you. What's your PIN?",
    "user: Um, four seven double one.",
    "agent: I have texted you a code, could you read it to me?",
    "user: Yes, 482 913.",
    "user: My password is hunter2. My sister Maria visits me on 12/05/2026 at 10:30.",
    "user: Meine IBAN ist DE89 3704 0044 0532 0130 00 und meine Geheimzahl lautet acht zwo sieben fünf.",
    "user: And the other card, five five five five",
    "agent: Mhm, go on.",
    "user: five five five five, five five five five",
    "agent: Yes?",
    "user: four four four four.",
    "user: Mon code secret est 9073. La contraseña es girasol22. 我的验证码是６６５５４４。",
    "user: My phone number is 415 555 0101 and the order number is 4500123456789. It cost 1299 euros.",
    "agent: Thank you, I'll send you the invoice tomorrow.",
)
SECRETS = (
    "4111", "1111", "seven three nine", "739", "double one", "4711", "482 913", "482913", "hunter2", "DE89",
    "3704", "0532", "acht zwo", "8275", "five five five", "5555", "four four four", "4444", "9073", "girasol",
    "６６５５４４", "665544",
)  # fmt: skip
STAYS = ("415 555 0101", "4500123456789", "1299 euros", "12/05/2026")
BYTES = re.compile(r"\\\\x((?:[0-9a-f]{2})+)")
NO_TALK = re.compile(
    r"\b411111111111111\b|\+?1415555\d{4}|\d+\.\d+|usr_\w+|\b[0-9a-f]{16,}\b|\\\\x[0-9a-f]+|17949\d{5,}"
)
TABLES = "select table_name from information_schema.tables where table_schema = 'public'"


@pytest.fixture
def open_with(open_house: Callable[[Settings], House], settings: Settings) -> Callable[..., House]:
    """A house with some settings of its own."""
    return lambda **more: open_house(settings.model_copy(update=more))


def the_call(at: float) -> Event:
    """A call with a secret of every kind, also in what the platform made of it."""
    event = ended_call(
        "conv_1",
        SAID,
        ended=at,
        duration=300,
        summary="Ada moved to Lisbon. She gave her PIN 4711 and the CVV 739.",
    )
    data = event["data"]
    data["transcript"][3]["tool_calls"] = [
        {
            "request_id": "411111111111111",
            "tool_name": "charge_card",
            "params_as_json": json.dumps({"card_number": "4111111111111111", "cvv": "739", "amount": 1299}),
        }
    ]
    data["transcript"][4]["tool_results"] = [
        {
            "tool_name": "charge_card",
            "result_value": json.dumps({"card": 4111111111111111, "order_id": "4500123456789"}),
        }
    ]
    data["transcript"][2]["original_message"] = (
        "So that is 4111 1111 1111 1111, isn't it? And the security code?"
    )
    data["analysis"]["data_collection_results"] = {
        "pin": {"data_collection_id": "pin", "value": "4711", "rationale": "She said four seven double one."},
        "order": {"value": "4500123456789"},
    }
    client = data["conversation_initiation_client_data"]
    client["dynamic_variables"] |= {"card": "4111111111111111", "system__called_number": "411111111111111"}
    client["conversation_config_override"] = {"agent": {"prompt": {"prompt": "Her PIN is 4711."}}}
    return event


async def rows(house: House) -> list[str]:
    """Everything in the database, as text, with what is stored as bytes."""
    found = []
    for (table,) in await house.query(TABLES):
        found += [f"{table}: {text}" for (text,) in await house.query(f'select t::text from "{table}" t')]  # noqa: S608 (its own names)
    return found + [
        bytes.fromhex(raw).decode(errors="replace") for text in found for raw in BYTES.findall(text)
    ]


async def keys(house: House) -> list[str]:
    """Everything in Redis, as text."""
    redis: Any = house.worker.redis
    read = {b"string": redis.get, b"hash": redis.hgetall, b"set": redis.smembers}
    return [f"{key}: {await read[await redis.type(key)](key)!r}" for key in await house.keys("*")]


def with_secrets(texts: Iterable[str]) -> list[str]:
    """Those that have one; times, ids, vectors and numbers on the line are none."""
    bare = (NO_TALK.sub("", text) for text in texts)
    return [f"{secret} in {text[:300]}" for text in bare for secret in SECRETS if secret in text]


async def test_no_table_key_or_prompt_has_a_secret(
    open_with: Callable[..., House], model: PretendModel, embedder: PretendEmbedder
) -> None:
    house = open_with(
        llm_model="openai-chat:pretend", llm_base_url=model.url,
        embedding_model="openai:pretend", embedding_base_url=embedder.url,
    )  # fmt: skip
    house.platform.pre_call(ADA, conversation="conv_1")
    house.platform.post_call(the_call(house.clock()))
    await house.work()

    told = house.platform.told(ADA)

    assert "Lisbon" in told
    assert with_secrets([*await rows(house), *await keys(house), told]) == []
    assert with_secrets(map(str, [*model.asked, *embedder.asked])) == []


async def test_what_is_no_secret_stays(house: House) -> None:
    house.platform.post_call(the_call(house.clock()))
    await house.work()

    [(said,)] = await house.query("select string_agg(content, ' ' order by position) from messages")
    [(body,)] = await house.query("select convert_from(body, 'UTF8') from webhook_events")
    [(known_as,)] = await house.query("select known_as from conversations")

    assert [one for one in STAYS if one not in said] == []
    assert "411111111111111" in body, "ids and numbers of the call are as they were"
    assert known_as == f"tel:{ADA}"


async def test_the_redacted_event_replayed_is_the_same_conversation(house: House) -> None:
    house.platform.post_call(the_call(house.clock()))
    await house.work()
    before = await house.query("select content, role from messages order by position")

    await house.query("update conversations set platform_id = 'conv_0'")
    async with house.worker.engine.begin() as connection:
        await webhook_events.reopen(connection, 1)
        await enqueue(connection, INGEST, {"event_id": 1})
    await house.work()

    replayed = (
        "select content, role from messages join conversations c on c.id = conversation_id where platform_id "
        "= 'conv_1'"
    )
    assert await house.query(f"{replayed} order by position") == before


async def test_transcripts_keep_secrets_where_they_may_and_nothing_else_does(
    open_with: Callable[..., House],
) -> None:
    house = open_with(redact_transcripts=False)
    house.platform.post_call(the_call(house.clock()))
    await house.work()

    headers = {"authorization": f"Bearer {API_TOKEN}"}
    whole = house.client.get("/api/conversations/1", headers=headers).json()
    kept = [row for row in await rows(house) if not row.startswith(("messages:", "webhook_events:", "{"))]

    assert "4111 1111 1111 1111" in str(whole["messages"])
    assert "hunter2" in str(await house.query("select convert_from(body, 'UTF8') from webhook_events"))
    assert with_secrets([*kept, *await keys(house), house.platform.told(ADA)]) == []
    assert with_secrets(text for (text,) in await house.query("select content from messages")) == []


async def test_an_event_that_cannot_be_read_is_kept_as_it_came(house: House) -> None:
    event = the_call(house.clock())
    del event["data"]["agent_id"]
    house.platform.post_call(event)
    await house.work()

    [(status, body)] = await house.query("select status, convert_from(body, 'UTF8') from webhook_events")

    assert status == "failed"
    assert "4111 1111 1111 1111" in body


async def test_an_event_without_secrets_is_kept_byte_for_byte(house: House) -> None:
    event = json.dumps(ended_call("conv_1", ended=house.clock()), indent=1).encode()
    house.platform.post_call(event)
    await house.work()

    assert await house.query("select body from webhook_events") == [(event,)]


class Host:
    """The host application, whose text agent tells us of a chat."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.headers = {"authorization": f"Bearer {API_TOKEN}"}

    async def begin(self) -> None:
        """Ada has called once."""
        self.house.platform.post_call(
            ended_call("conv_0", ["user: Hello, it is Ada."], ended=self.house.clock())
        )
        await self.house.work()
        [(self.user,)] = await self.house.query("select id from users")

    def tell(self, *said: str, **more: object) -> int:
        """Post messages; the status of the answer."""
        turns = [line.partition(": ") for line in said]
        messages = [{"role": role, "content": text} for role, _, text in turns]
        path = f"/api/users/{self.user}/chats/chat_1/messages"
        body = {"agent_id": AGENT, "messages": messages, **more}
        return self.house.client.post(path, json=body, headers=self.headers).status_code


async def test_a_number_split_over_posts_of_a_chat_is_kept_nowhere(house: House) -> None:
    host = Host(house)
    await host.begin()
    for said in (
        "user: 5555 5555",
        "agent: Is that all?",
        "user: 5555 4444",
        "agent: What's your PIN?",
        "user: 4711",
    ):
        assert host.tell(said) == 200
        await house.work()
    host.tell("user: I moved to Lisbon last month.", ended=True)
    await house.work()

    told = house.platform.told(ADA)

    assert "Lisbon" in told
    assert with_secrets([*await rows(house), *await keys(house), told]) == []


async def test_the_same_messages_of_a_chat_can_be_told_again(house: House) -> None:
    host = Host(house)
    await host.begin()
    said = ("user: My PIN is 4711, and my card is 4111 1111 1111 1111.", "agent: Thank you.")
    host.tell(*said)

    assert host.tell(*said, first=0) == 200
    assert host.tell("user: My name is Ada.", first=0) == 409
    assert await house.query("select count(*) from messages m join sittings s using (conversation_id)") == [
        (2,)
    ]


async def test_a_fact_typed_by_hand_has_no_secret(house: House) -> None:
    host = Host(house)
    await host.begin()
    given = {"agent_id": AGENT, "text": "Ada's PIN is 4711 and she lives in Lisbon."}

    made = house.client.post(f"/api/users/{host.user}/facts", json=given, headers=host.headers)

    assert made.json()["text"] == "Ada's PIN is [PIN] and she lives in Lisbon."


async def test_a_chat_keeps_what_was_said_for_people_where_it_may(open_with: Callable[..., House]) -> None:
    house = open_with(redact_transcripts=False)
    host = Host(house)
    await host.begin()
    for said in ("user: 5555 5555", "agent: Is that all?", "user: 5555 4444"):
        host.tell(said)
    [(id_,)] = await house.query("select conversation_id from sittings")

    shown = house.client.get(f"/api/conversations/{id_}", headers=host.headers).json()["messages"]

    assert [one["content"] for one in shown] == ["5555 5555", "Is that all?", "5555 4444"]
    learned = "select content from messages where conversation_id = $1 order by position"
    assert await house.query(learned, id_) == [("[card number]",), ("Is that all?",), ("[card number]",)]


async def test_what_was_found_of_half_a_number_is_found_no_more(house: House) -> None:
    host = Host(house)
    await host.begin()
    host.tell("user: 5555 5555", "agent: Is that all?")
    await house.work()
    words = "select count(*) from search_words where lexeme = '5555'"
    assert await house.query(words) == [(1,)]

    host.tell("user: 5555 4444")
    await house.work()

    assert await house.query(words) == [(0,)]
