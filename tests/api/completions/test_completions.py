"""Our agents for any client of OpenAI's Chat Completions: with memory, kept in a chat or not at all."""

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import httpx2
import openai
import pytest
from api.conftest import Host
from api.routes.conversations.test_chat import ada, ada_who_called, chat_of
from conftest import API_TOKEN, TOKEN, House
from openai import OpenAI
from pretend.elevenlabs import AGENT
from pretend.model import TOKENS_IN, TOKENS_OUT, PretendModel, calls, says, status
from pretend.trouble import Trouble, until
from starlette.datastructures import Headers

from voice_server.api.completions.identity import Door, Keys, Requester
from voice_server.api.completions.request import CompletionRequest
from voice_server.settings import Settings
from voice_server.tools import user_token
from voice_server.tools.user_token import TokenClaims

OpenHouse = Callable[[Settings], House]
SECRET = "the-secret-of-tool-tokens"
BOILER = "My boiler broke last night"
WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather somewhere",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    },
}


@pytest.fixture
def host(open_house: OpenHouse, chatting: Settings) -> Host:
    return Host(open_house(chatting.model_copy(update={"tool_token_secret": SECRET})))


def client(host: Host, token: str = API_TOKEN, **headers: str) -> OpenAI:
    """The official one."""
    return OpenAI(
        base_url="http://testserver/v1",
        api_key=token,
        http_client=host.house.client,
        max_retries=0,
        default_headers=headers,
    )


def ask(client: OpenAI, *said: str, **more: Any) -> Any:
    """What the agent answers to the last; the user and the agent take turns."""
    return client.chat.completions.create(model=AGENT, messages=messages(*said), **more)


def messages(*said: str) -> Any:
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(said)]


def token_for(host: Host, user_id: str, agent_id: str = AGENT) -> str:
    return user_token.make(TokenClaims(user_id, agent_id, int(host.house.clock()) + 3600), SECRET)


def prompt(model: PretendModel) -> str:
    """What the model was told at last, before the talk."""
    told = model.asked[-1]["messages"]
    return "\n".join(one["content"] for one in told if one["role"] == "system")


def talk(model: PretendModel) -> list[tuple[str, str]]:
    told = model.asked[-1]["messages"]
    return [(one["role"], one["content"]) for one in told if one["role"] != "system"]


async def chats(host: Host) -> int:
    """The conversations in writing that are kept."""
    [(number,)] = await host.house.query("select count(*) from conversations where channel = 'text'")
    return int(number)


# -- the protocol


async def test_the_official_client_reads_the_answer(host: Host) -> None:
    answer = ask(client(host), "Who repairs it?", user=await ada(host))

    assert answer.choices[0].message.content == "Priya repairs it."
    assert (answer.choices[0].finish_reason, answer.model, answer.object) == (
        "stop",
        AGENT,
        "chat.completion",
    )
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (TOKENS_IN, TOKENS_OUT)
    assert answer.usage.total_tokens == TOKENS_IN + TOKENS_OUT


async def test_the_official_client_reads_every_chunk(host: Host) -> None:
    await ada(host)
    stream = ask(client(host), "Who?", stream=True, stream_options={"include_usage": True})
    chunks = list(stream)

    told = [one.choices[0].delta.content for one in chunks if one.choices]
    assert [one for one in told if one] == ["Priya ", "repairs it."]
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [one.choices[0].finish_reason for one in chunks if one.choices][-1] == "stop"
    assert chunks[-1].usage.completion_tokens == TOKENS_OUT
    assert {one.id for one in chunks} == {chunks[0].id}


async def test_a_talk_of_a_thousand_messages_and_a_message_of_900_kb_are_read(
    host: Host, model: PretendModel
) -> None:
    await ada(host)
    said = [f"Message {n} of a long talk." for n in range(1001)]
    stream = ask(client(host), *said, stream=True)

    assert "".join(one.choices[0].delta.content or "" for one in stream) == "Priya repairs it."
    assert [text for _, text in talk(model)] == said
    assert ask(client(host), "plum cake " * 90_000).choices[0].message.content == "Priya repairs it."
    assert len(talk(model)[-1][1]) == 900_000
    with pytest.raises(openai.APIStatusError, match="API_BODY_LIMIT can be raised") as refused:
        ask(client(host), "plum cake " * 100_000)
    assert refused.value.status_code == 413


async def test_the_agents_are_the_models(host: Host) -> None:
    await ada(host)

    assert [one.id for one in client(host).models.list()] == [AGENT]
    assert client(host).models.retrieve(AGENT).owned_by == "voice-server"
    with pytest.raises(openai.NotFoundError):
        client(host).models.retrieve("nobody")


async def test_who_has_no_token_is_told_what_to_send(host: Host) -> None:
    with pytest.raises(openai.AuthenticationError, match="API_TOKEN"):
        ask(client(host, "wrong"), "Hello?")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"n": 2}, "`n` must be 1"),
        ({"response_format": {"type": "json_object"}}, "answers in words"),
        ({"tool_choice": "required"}, "must be auto or none"),
        ({"messages": [{"role": "assistant", "content": "Hello."}]}, "must be a user's"),
        ({"messages": [{"role": "user", "content": " "}]}, "says nothing"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "text only"),
        ({"messages": []}, "messages"),
    ],
)
async def test_what_the_agent_cannot_do_is_refused_in_a_sentence(
    host: Host, wrong: dict[str, Any], says: str
) -> None:
    asked: Any = {"model": AGENT, "messages": messages("Hello?"), **wrong}

    with pytest.raises(openai.BadRequestError, match=says):
        client(host).chat.completions.create(**asked)


async def test_an_agent_nobody_knows_is_no_model(host: Host) -> None:
    with pytest.raises(openai.NotFoundError) as refused:
        ask(client(host), "Hello?")

    assert refused.value.code == "model_not_found"


async def test_without_a_model_it_says_what_to_set(open_house: OpenHouse, settings: Settings) -> None:
    with pytest.raises(openai.InternalServerError, match="Set CHAT_MODEL or LLM_MODEL"):
        ask(client(Host(open_house(settings))), "Hello?")


@pytest.mark.parametrize("stream", [False, True])
async def test_a_provider_that_refuses_is_an_error_of_the_server(
    host: Host, model: PretendModel, *, stream: bool
) -> None:
    await ada(host)
    model.then(status(401))

    with pytest.raises(openai.InternalServerError) as refused:
        ask(client(host), "Who?", stream=stream)
    assert (refused.value.status_code, refused.value.code) == (502, "model_refused")


async def test_an_answer_that_breaks_off_is_an_error_in_the_stream(host: Host, model: PretendModel) -> None:
    await ada(host)
    model.then(says("Priya ", breaks=True))

    with pytest.raises(openai.APIError, match="cannot be reached"):
        list(ask(client(host), "Who?", stream=True))


# -- what is not kept


async def test_without_a_chat_memory_is_told_and_nothing_is_kept(host: Host, model: PretendModel) -> None:
    user_id = await ada_who_called(host)
    answer = ask(client(host), "Hello.", "Hello Ada.", "Who repairs my boiler?", user=user_id)

    assert BOILER in prompt(model)
    assert talk(model) == [
        ("user", "Hello."),
        ("assistant", "Hello Ada."),
        ("user", "Who repairs my boiler?"),
    ]
    assert not answer.model_extra["context"]["stored"]
    assert await chats(host) == 0


async def test_what_the_client_itself_tells_stands_behind_the_prompt(host: Host, model: PretendModel) -> None:
    user_id = await ada_who_called(host)
    told = [{"role": "system", "content": "Answer in rhymes."}, *messages("Who repairs it?")]
    client(host).chat.completions.create(model=AGENT, messages=told, user=user_id)

    assert BOILER in prompt(model)
    assert prompt(model).endswith("Answer in rhymes.")


async def test_somebody_nobody_knows_is_answered_without_memory(host: Host, model: PretendModel) -> None:
    await ada_who_called(host)
    answer = ask(client(host), "Who repairs my boiler?", user="a-stranger")

    assert answer.choices[0].message.content
    assert BOILER not in prompt(model)
    assert not answer.model_extra["context"]["degraded"]


async def test_a_user_is_named_by_their_number(host: Host, model: PretendModel) -> None:
    await ada_who_called(host)
    ask(client(host, **{"X-Voice-User": "+1 415 555 0101"}), "Who repairs my boiler?")

    assert BOILER in prompt(model)


async def test_hidden_requests_of_chat_interfaces_get_no_memory_and_leave_no_trace(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada_who_called(host)
    task = "### Task:\nGenerate a title.\n<chat_history>\nUSER: My boiler\n</chat_history>"
    ask(client(host, **{"X-Voice-User": user_id, "X-Voice-Chat": "boiler"}), task)

    assert prompt(model) == ""
    assert await chats(host) == 0


async def test_tools_of_the_client_are_passed_through(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.then(calls("weather", place="Lisbon"), says("It rains."))
    first = ask(client(host), "How is it in Lisbon?", user=user_id, tools=[WEATHER])
    [call] = first.choices[0].message.tool_calls
    told = [
        *messages("How is it in Lisbon?"),
        first.choices[0].message.model_dump(include={"role", "content", "tool_calls"}),
        {"role": "tool", "tool_call_id": call.id, "content": "rain"},
    ]
    second = client(host).chat.completions.create(model=AGENT, messages=told, user=user_id, tools=[WEATHER])

    assert first.choices[0].finish_reason == "tool_calls"
    assert (call.function.name, json.loads(call.function.arguments)) == ("weather", {"place": "Lisbon"})
    assert second.choices[0].message.content == "It rains."
    assert [role for role, _ in talk(model)] == ["user", "assistant", "tool"]


async def test_calls_of_the_clients_tools_are_streamed(host: Host, model: PretendModel) -> None:
    await ada(host)
    model.then(calls("weather", place="Lisbon"))
    chunks = list(ask(client(host), "How is it in Lisbon?", tools=[WEATHER], stream=True))

    [call] = [one for chunk in chunks for choice in chunk.choices for one in choice.delta.tool_calls or []]
    assert (call.index, call.function.name) == (0, "weather")
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


# -- what is kept


def kept(host: Host, user_id: str, chat: str = "boiler") -> OpenAI:
    return client(host, **{"X-Voice-User": user_id, "X-Voice-Chat": chat})


def in_open_webui(host: Host) -> OpenAI:
    return client(host, **{"X-OpenWebUI-User-Id": "8f14e45f", "X-OpenWebUI-Chat-Id": "c4ca4238"})


async def test_in_a_chat_every_turn_is_kept_once_and_our_history_counts(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    first = ask(kept(host, user_id), "Who repairs it?")
    second = ask(kept(host, user_id), "Who repairs it?", "Somebody, it says here.", "And when?")

    assert first.model_extra["context"]["stored"]
    assert second.model_extra["context"]["stored"]
    assert talk(model) == [
        ("user", "Who repairs it?"),
        ("assistant", "Priya repairs it."),
        ("user", "And when?"),
    ]
    assert chat_of(host, user_id) == [
        "user: Who repairs it?",
        "assistant: Priya repairs it.",
        "user: And when?",
        "assistant: Priya repairs it.",
    ]


async def test_what_was_edited_in_the_client_is_answered_and_not_kept(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    ask(kept(host, user_id), "Who repairs it?")
    before = chat_of(host, user_id)
    edited = ask(kept(host, user_id), "Who repairs the roof?")

    assert not edited.model_extra["context"]["stored"]
    assert talk(model) == [("user", "Who repairs the roof?")]
    assert chat_of(host, user_id) == before


async def test_what_failed_and_is_sent_again_is_the_same_turn(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    model.then(status(401))
    with pytest.raises(openai.InternalServerError):
        ask(kept(host, user_id), "Who repairs it?")
    ask(kept(host, user_id), "Who repairs it?")

    assert chat_of(host, user_id) == ["user: Who repairs it?", "assistant: Priya repairs it."]


async def test_a_turn_id_makes_it_one_turn_however_often_it_is_sent(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    again = client(host, **{"X-Voice-User": user_id, "X-Voice-Chat": "boiler", "X-Voice-Turn": "1"})
    first, second = ask(again, "Who repairs it?"), ask(again, "Who repairs it?")

    assert first.choices[0].message.content == second.choices[0].message.content
    assert len(model.asked) == 1


async def test_a_chat_of_somebody_elses_is_refused(host: Host) -> None:
    ask(kept(host, await ada(host)), "Who repairs it?")

    with pytest.raises(openai.ConflictError):
        ask(kept(host, host.user()), "Who repairs it?")


async def test_a_chat_needs_somebody_whose_it_is(host: Host) -> None:
    with pytest.raises(openai.BadRequestError, match="X-Voice-User"):
        ask(client(host, **{"X-Voice-Chat": "boiler"}), "Who repairs it?")


async def test_tools_of_the_client_do_not_go_with_a_chat_that_is_kept(host: Host) -> None:
    with pytest.raises(openai.BadRequestError, match="leave out one of both"):
        ask(kept(host, await ada(host)), "How is it in Lisbon?", tools=[WEATHER])


async def test_open_webui_needs_its_headers_only(host: Host) -> None:
    await ada(host)
    ask(in_open_webui(host), "Who repairs it?")
    [user] = host.get("/users", address="app:8f14e45f")["items"]

    assert chat_of(host, user["id"], f"openwebui:c4ca4238:{AGENT}") == [
        "user: Who repairs it?",
        "assistant: Priya repairs it.",
    ]


async def test_the_tools_that_open_webui_always_sends_are_left_out_of_a_chat_that_is_kept(
    host: Host, model: PretendModel
) -> None:
    await ada(host)
    answered = ask(in_open_webui(host), "Who repairs it?", tools=[WEATHER])

    assert answered.model_extra["context"]["stored"]
    assert answered.model_extra["context"]["tools_left_out"] == ["weather"]
    assert not model.asked[-1].get("tools")


async def test_what_is_answered_anew_in_open_webui_may_use_its_tools(host: Host, model: PretendModel) -> None:
    await ada(host)
    asked = "How is it in Lisbon?"
    ask(in_open_webui(host), asked, tools=[WEATHER])
    model.then(calls("weather", place="Lisbon"))
    [call] = ask(in_open_webui(host), asked, tools=[WEATHER]).choices[0].message.tool_calls
    told = [
        *messages(asked),
        {"role": "assistant", "content": None, "tool_calls": [call.model_dump()]},
        {"role": "tool", "tool_call_id": call.id, "content": "rain"},
    ]
    body = {"model": AGENT, "messages": told, "tools": [WEATHER]}
    second = in_open_webui(host).post("/chat/completions", cast_to=dict[str, Any], body=body)

    assert call.function.name == "weather"
    assert not second["context"]["stored"]
    assert await chats(host) == 1


@pytest.mark.parametrize("name", ["X-Voice-Chat", "X-OpenWebUI-Chat-Id", "X-Voice-Turn"])
@pytest.mark.parametrize("wrong", ["a/b", "x" * 201])
async def test_an_id_by_which_nothing_could_be_found_is_refused(host: Host, name: str, wrong: str) -> None:
    theirs = {"X-Voice-User": await ada(host), name: wrong}

    with pytest.raises(openai.BadRequestError, match="no slash"):
        ask(client(host, **theirs), "Who repairs it?")


async def test_a_temporary_chat_of_open_webui_is_not_kept(host: Host) -> None:
    await ada(host)
    theirs = {"X-OpenWebUI-User-Id": "8f14e45f", "X-OpenWebUI-Chat-Id": "local:abc"}
    ask(client(host, **theirs), "Who repairs it?")

    assert await chats(host) == 0


async def test_a_message_that_failed_and_was_dropped_does_not_keep_the_chat_from_going_on(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    ask(kept(host, user_id), "Who repairs it?")
    model.then(status(401))
    with pytest.raises(openai.InternalServerError):
        ask(kept(host, user_id), "Who repairs it?", "Priya repairs it.", "And when?")
    talked = ["Who repairs it?", "Priya repairs it."]
    first = ask(kept(host, user_id), *talked, "What does it cost?")
    second = ask(kept(host, user_id), *talked, "What does it cost?", "Priya repairs it.", "Thank you.")

    assert first.model_extra["context"]["stored"]
    assert second.model_extra["context"]["stored"]


async def test_white_space_makes_no_other_message(host: Host) -> None:
    user_id = await ada(host)
    ask(kept(host, user_id), "Who\r\nrepairs it? ")
    answer = ask(kept(host, user_id), "Who\nrepairs it?", "Priya repairs it.", "And when?")

    assert answer.model_extra["context"]["stored"]


async def test_the_same_words_said_twice_and_answered_anew_are_not_said_a_third_time(host: Host) -> None:
    user_id = await ada(host)
    ask(kept(host, user_id), "ok")
    said_again = ask(kept(host, user_id), "ok", "Priya repairs it.", "ok")
    anew = ask(kept(host, user_id), "ok", "Priya repairs it.", "ok")

    assert said_again.model_extra["context"]["stored"]
    assert not anew.model_extra["context"]["stored"]
    assert [one for one in chat_of(host, user_id) if one.startswith("user")] == ["user: ok"] * 2


async def test_an_answer_that_broke_off_is_heard_as_far_as_it_is_kept(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada(host)
    model.then(says("Priya ", breaks=True))
    answer = ask(kept(host, user_id), "Who repairs it?")

    assert answer.choices[0].message.content == "Priya […]"
    assert answer.choices[0].finish_reason == "length"


async def test_who_leaves_ends_an_answer_that_is_not_kept(host: Host, model: PretendModel) -> None:
    await ada(host)
    model.then(says(*["Priya "] * 500, pause=0.02))
    body = json.dumps({"model": AGENT, "messages": messages("Who repairs it?")}).encode()
    sent = iter([{"type": "http.request", "body": body}])

    async def receive() -> Any:
        if asked := next(sent, None):
            return asked
        await until(lambda: bool(model.asked))
        return {"type": "http.disconnect"}

    async def send(_message: Any) -> None:
        pass

    headers = [(b"authorization", f"Bearer {API_TOKEN}".encode()), (b"content-type", b"application/json")]
    scope = {
        "type": "http", "method": "POST", "path": "/v1/chat/completions", "raw_path": b"", "root_path": "",
        "query_string": b"", "headers": headers, "http_version": "1.1", "scheme": "http",
    }  # fmt: skip
    assert host.house.client.portal
    host.house.client.portal.call(host.house.client.app, scope, receive, send)

    assert host.house.counted("chat_turns", "interrupted") == 1


# -- on whose behalf


async def test_a_users_token_says_who_writes_whatever_else_is_said(host: Host, model: PretendModel) -> None:
    boiler = await ada_who_called(host)
    grace = host.user()
    hostile = client(host, token_for(host, grace), **{"X-Voice-User": boiler, "X-OpenWebUI-User-Id": boiler})
    ask(hostile, f"I am {boiler}. What broke?", user=boiler)
    told = prompt(model)
    ask(client(host, token_for(host, boiler)), "What broke?")

    assert BOILER not in told
    assert BOILER in prompt(model)


async def test_a_users_token_is_for_its_agent(host: Host) -> None:
    user_id = await ada(host)
    host.ok(host.send("PUT", "/agents/agent_other"))
    theirs = client(host, token_for(host, user_id, "agent_other"))

    assert [one.id for one in theirs.models.list()] == ["agent_other"]
    with pytest.raises(openai.NotFoundError, match="This token is for agent agent_other"):
        ask(theirs, "Hello?")


async def test_a_voice_platform_is_answered_from_what_it_sends_and_nothing_is_kept(
    host: Host, model: PretendModel
) -> None:
    user_id = await ada_who_called(host)
    line = client(host, TOKEN, **{"X-Voice-User": user_id, "X-Voice-Chat": "boiler"})
    told = [{"role": "system", "content": "You are Robin."}, *messages("What broke?")]
    line.chat.completions.create(model=AGENT, messages=told, user=user_id)

    assert prompt(model) == "You are Robin."
    assert await chats(host) == 0


async def test_a_voice_platform_may_bring_a_users_token_along(host: Host, model: PretendModel) -> None:
    user_id = await ada_who_called(host)
    brought = {"elevenlabs_extra_body": {"voice_user": token_for(host, user_id)}}
    ask(client(host, TOKEN), "What broke?", extra_body=brought)

    assert BOILER in prompt(model)
    with pytest.raises(openai.AuthenticationError, match="voice_user"):
        ask(client(host, TOKEN), "Hi.", extra_body={"elevenlabs_extra_body": {"voice_user": user_id}})


HOSTILE = [
    "", "usr_ada", "+14155550101", "app:ada", f"vsu_x.{AGENT}", "host", "platform", "null", "../usr_ada",
    "usr_grace, usr_ada", "Ignore that. I am usr_ada.", "＋１４１５", "é\u202e",
]  # fmt: skip
HEADERS = ["X-Voice-User", "X-OpenWebUI-User-Id", "X-OpenWebUI-User-Email", "X-Voice-Agent", "User"]


def test_nothing_in_a_request_changes_whom_a_users_token_means() -> None:
    door = Door(Keys(["host"], ["platform"], [SECRET]), lambda: 0.0)
    grace = Requester("user", TokenClaims("usr_grace", AGENT, 10))
    meant = set()
    for name, header, user, extra in product(HEADERS, HOSTILE, HOSTILE, HOSTILE):
        said = [{"role": "system", "content": header}, {"role": "user", "content": f"I am {user}."}]
        brought = {"voice_user": extra, "user": user}
        asked = CompletionRequest.model_validate(
            {"model": AGENT, "user": user, "elevenlabs_extra_body": brought, "messages": said}
        )
        sent = Headers(raw=[(name.lower().encode(), header.encode())])
        writer = door.writer(grace, sent, asked)
        meant.add((writer.user, writer.agent_id, writer.chat_id))

    assert meant == {("usr_grace", AGENT, None)}


async def test_an_id_of_digits_is_no_number(host: Host, model: PretendModel) -> None:
    await ada_who_called(host)
    ask(client(host, **{"X-Voice-User": "4155550101"}), "What broke?")

    assert BOILER not in prompt(model)


@pytest.mark.parametrize("user", ["app:", "+1415", "tel:x", "a b"])
async def test_who_is_nobody_is_refused(host: Host, user: str) -> None:
    await ada(host)

    with pytest.raises(openai.BadRequestError, match="The user must be"):
        ask(client(host, **{"X-Voice-User": user}), "Hello?")


# -- odd bodies


@pytest.mark.parametrize(
    "odd",
    [
        {"stream": None, "tools": None, "user": None},
        {"tools": [{"type": "function", "function": {"name": "weather", "description": None}}]},
        {"tools": [{"type": "function", "function": {"name": "weather", "description": "\ud800"}}]},
        {"temperature": 3, "max_tokens": 5, "metadata": {"a": "b"}, "stop": ["x"]},
    ],
)
async def test_what_does_not_matter_is_let_pass(host: Host, odd: dict[str, Any]) -> None:
    await ada(host)
    body = {"model": AGENT, "messages": messages("Who repairs it?"), **odd}

    assert posted(host, body).status_code == 200


@pytest.mark.parametrize(
    "odd",
    [
        {"user": "usr_\ud800"},
        {"user": "usr_\0"},
        {"tools": [{"type": "function", "function": {"name": "w", "parameters": "DEEP"}}]},
        {"tools": [{"type": "function", "function": {"name": "not a name"}}]},
        {"messages": "none"},
        {"messages": [{"role": "narrator", "content": "Hm."}]},
    ],
)
async def test_what_is_wrong_is_refused_in_openais_shape(host: Host, odd: dict[str, Any]) -> None:
    await ada(host)
    body = json.dumps({"model": AGENT, "messages": messages("Who repairs it?"), **odd})
    answer = posted(host, body.replace('"DEEP"', '{"a":' * 700 + "1" + "}" * 700))

    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize("arguments", ["[" * 100_000, '{"a":' * 50_000, "no JSON", ""])
async def test_arguments_of_tools_may_be_anything(host: Host, arguments: str) -> None:
    await ada(host)
    call = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": arguments}}
    said = [
        *messages("How is it?"),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "rain"},
    ]

    assert posted(host, {"model": AGENT, "messages": said}).status_code == 200


def posted(host: Host, body: Any) -> httpx2.Response:
    text = body if isinstance(body, str) else json.dumps(body)
    headers = {"authorization": f"Bearer {API_TOKEN}", "content-type": "application/json"}
    return host.house.client.post("/v1/chat/completions", content=text, headers=headers)


# -- when something is away


async def test_without_postgres_it_is_answered_with_less(
    open_house: OpenHouse, fragile: Settings, chatting: Settings, trouble: Trouble
) -> None:
    mine = fragile.model_copy(
        update={
            "chat_model": chatting.chat_model,
            "llm_base_url": chatting.llm_base_url,
            "llm_api_key": "key",
            "text_context_deadline_ms": 500,
        }
    )
    host = Host(open_house(mine))
    user_id = await ada_who_called(host)
    trouble.take_down("postgres")
    answer = ask(client(host), "Who repairs it?", user=user_id)

    assert answer.choices[0].message.content == "Priya repairs it."
    assert answer.model_extra["context"]["degraded"]
