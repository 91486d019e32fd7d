"""ElevenLabs' JSON, read leniently: whatever moves over there, a call is never lost by it."""

import contextlib
import copy
import json
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pretend.elevenlabs import PAYLOADS, Event, ended_call, payload

from voice_server.domain.agent import Agent, VariableValue
from voice_server.domain.conversation import Conversation
from voice_server.domain.event import EndedCall, Envelope, FailedCall, PreCall
from voice_server.errors import ParseError
from voice_server.platforms.elevenlabs.post_call import failed_conversation, parse_post_call, read_envelope
from voice_server.platforms.elevenlabs.pre_call import parse_pre_call, reply

CALL, MINIMAL = "post_call_transcription", "post_call_transcription_minimal_sip"
ROBIN = "agent_7101k5zvyjhmfg983brhmhkd98n6"
PRE_CALLS = sorted(path.stem for path in PAYLOADS.glob("precall_request_*.json"))
POST_CALLS = sorted(
    path.stem for pattern in ("post_call_*", "call_initiation_failure*") for path in PAYLOADS.glob(pattern)
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def encoded(event: Any) -> bytes:
    return json.dumps(event).encode()


def ended(event: Event) -> EndedCall:
    call = parse_post_call(encoded(event))
    assert isinstance(call, EndedCall)
    return call


def said(event: Event) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in ended(event).conversation.messages]


def turns(*transcript: object) -> Event:
    event = ended_call("conv_1", ended=1_794_911_400)
    event["data"]["transcript"] = list(transcript)
    return event


def with_metadata(**metadata: object) -> Event:
    event = ended_call("conv_1", ended=1_794_911_400)
    event["data"]["metadata"] = {"start_time_unix_secs": 1_794_911_340, "call_duration_secs": 60, **metadata}
    event["data"]["conversation_initiation_client_data"] = {}
    return event


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container and key within some JSON."""
    found: list[tuple[Any, Any]] = []
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        found += [(value, key), *places(inner)]
    return found


@st.composite
def mutated(draw: st.DrawFn, names: list[str]) -> Any:
    """A captured payload with some values replaced, removed or added anywhere."""
    event = copy.deepcopy(payload(draw(st.sampled_from(names))))
    for _ in range(draw(st.integers(1, 4))):
        container, key = draw(st.sampled_from(places(event)))
        change = draw(st.sampled_from(["replace", "remove", "add"]))
        if change == "replace" or isinstance(container, list):
            container[key] = draw(anything)
        elif change == "remove":
            del container[key]
        else:
            container[draw(st.text(max_size=8))] = draw(anything)
        if not places(event):
            break
    return event


# -- post-call: the captured payloads


def test_the_captured_call_is_understood() -> None:
    call = ended(payload(CALL))
    conversation = call.conversation

    assert conversation.id == "conv_8901k5zvyjhmfg983brhmhkd98n6"
    assert conversation.agent_id == ROBIN
    assert conversation.channel == "voice"
    assert conversation.started_at == datetime(2026, 11, 17, 10, 0, tzinfo=UTC)
    assert conversation.duration == 65
    assert conversation.language == "en"
    assert conversation.summary.startswith("Maya asked to move her Friday consult with Dr. Søren Müller.")
    assert not conversation.voicemail
    assert call.addresses == ("app:usr_01JD2Q8Z7M", "tel:+15550100142")
    assert call.own_number == "tel:+15550100199"
    assert not call.outbound
    assert call.sent_at == 1_794_909_671


def test_the_captured_calls_turns_are_messages_in_order() -> None:
    messages = ended(payload(CALL)).conversation.messages

    assert [message.position for message in messages] == list(range(len(messages)))
    assert [message.role for message in messages] == [
        "agent", "user", "agent", "tool_call", "tool_result", "agent", "user", "agent", "user", "user",
        "tool_call", "tool_result", "agent", "user", "agent", "tool_call", "tool_result",
    ]  # fmt: skip
    assert [message.tool_name for message in messages if message.role == "tool_call"] == [
        "recall_memory", "reschedule", "end_call",
    ]  # fmt: skip
    assert messages[6].content == "Monday! Not evenings — remember, my kids. 😊"
    assert messages[1].said_at == datetime(2026, 11, 17, 10, 0, 4, tzinfo=UTC)


def test_of_an_interrupted_turn_only_what_was_heard_is_kept() -> None:
    contents = [message.content for message in ended(payload(CALL)).conversation.messages]

    assert "I see Friday the twentieth at half past nine. I could offer Monday..." in contents
    assert not any("evening slot after six" in content for content in contents)


def test_what_data_collection_found_is_kept_and_what_it_did_not_find_is_not() -> None:
    collected = ended(payload(CALL)).conversation.collected

    assert set(collected) == {"facts_json", "callback_needed", "satisfaction"}
    assert collected["callback_needed"] is True
    assert collected["satisfaction"] == 8.5


def test_data_collection_that_comes_as_a_list_alone_is_the_same() -> None:
    event = payload(CALL)
    as_mapping = ended(event).conversation.collected
    event["data"]["analysis"]["data_collection_results"] = None

    assert ended(event).conversation.collected == as_mapping


def test_a_list_of_facts_is_kept_whole_and_of_too_much_the_beginning() -> None:
    event = payload(CALL)
    items = {"memory_facts": "fact\n" * 1500, "mine": "x" * 9000, **{f"item_{n}": n for n in range(300)}}
    event["data"]["analysis"]["data_collection_results"] = {
        name: {"value": one} for name, one in items.items()
    }

    collected = ended(event).conversation.collected

    assert len(str(collected["memory_facts"])) == len("fact\n" * 1500) - 1
    assert len(str(collected["mine"])) == 2000
    assert len(collected) == 200


def test_the_captured_minimal_sip_call_is_understood() -> None:
    call = ended(payload(MINIMAL))

    assert call.addresses == ("tel:+49305550142",)
    assert call.own_number == "tel:+49305550100"
    assert call.conversation.summary == ""
    assert [message.content for message in call.conversation.messages] == ["Guten Tag, Praxis Lindenhof."]


@pytest.mark.parametrize(
    ("name", "reason", "address"),
    [
        ("call_initiation_failure", "no-answer", "tel:+15550100142"),
        ("call_initiation_failure_sip", "busy", "tel:+49305550142"),
    ],
)
def test_a_captured_failure_names_whom_it_did_not_reach(name: str, reason: str, address: str) -> None:
    failed = parse_post_call(encoded(payload(name)))

    assert isinstance(failed, FailedCall)
    assert (failed.reason, failed.address, failed.agent_id) == (reason, address, ROBIN)


def test_the_captured_audio_says_nothing_to_us() -> None:
    assert parse_post_call(encoded(payload("post_call_audio"))) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (CALL, "conversation"),
        (MINIMAL, "conversation"),
        ("post_call_audio", "audio"),
        ("call_initiation_failure", "failure"),
        ("call_initiation_failure_sip", "failure"),
    ],
)
def test_the_envelope_of_every_captured_event_is_read(name: str, kind: str) -> None:
    event = payload(name)

    envelope = read_envelope(encoded(event))

    assert envelope.kind == kind
    assert envelope.key == f"{event['type']}:{event['data']['conversation_id']}:{event['event_timestamp']}"
    assert envelope.agent_id == ROBIN


# -- what we injected


def test_what_we_injected_is_never_taken_for_something_said() -> None:
    event = payload(CALL)
    event["data"]["transcript"].insert(
        0, {"role": "system", "message": "INJECTED prompt", "time_in_call_secs": 0}
    )
    client = event["data"]["conversation_initiation_client_data"]
    client["conversation_config_override"]["agent"]["prompt"]["prompt"] = "INJECTED prompt"
    client["dynamic_variables"]["memory"] = "INJECTED memory"
    event["data"]["transcript"][5]["tool_results"][0]["result_value"] = "INJECTED by a tool"

    conversation = ended(event).conversation

    spoken = [message.content for message in conversation.messages if message.role in ("user", "agent")]
    assert spoken
    assert not any("INJECTED" in text or "Name: Maya Lindqvist" in text for text in spoken)
    assert "INJECTED" not in conversation.summary
    assert ("tool_result", "INJECTED by a tool") in [(one.role, one.content) for one in conversation.messages]


# -- turns


@pytest.mark.parametrize(
    ("turn", "messages"),
    [
        ({"role": "user", "message": "Hello", "tool_calls": None, "tool_results": None}, [("user", "Hello")]),
        ({"role": "agent", "message": None, "tool_calls": [], "tool_results": []}, []),
        ({"role": "user", "message": "..."}, []),
        ({"role": "user", "message": " \0Hel\0lo "}, [("user", "Hello")]),
        ({"role": "USER", "message": "Hello"}, [("user", "Hello")]),
        ({"role": "assistant", "message": "Hello"}, [("agent", "Hello")]),
        ({"role": "narrator", "message": "Hello"}, []),
        ({"message": "Hello"}, []),
        ({"role": "user", "message": {"text": "Hello"}}, []),
        (
            {"role": "agent", "multivoice_message": {"parts": [{"text": "Hel"}, None, {"text": "lo"}]}},
            [("agent", "Hel lo")],
        ),
        ({"role": "agent", "tool_calls": [{"tool_name": "x"}, "junk", None]}, [("tool_call", "")]),
        (
            {"role": "agent", "message": "cut…", "interrupted": True, "original_message": "long"},
            [("agent", "cut…")],
        ),
        ("junk", []),
        (None, []),
    ],
)
def test_a_turn_is_read_leniently(turn: object, messages: list[tuple[str, str]]) -> None:
    assert said(turns(turn)) == messages


def test_a_tool_turn_keeps_its_tools_name_beside_what_is_said() -> None:
    event = turns(
        {
            "role": "agent",
            "message": "One moment.",
            "tool_calls": [{"tool_name": "find", "params_as_json": "{}"}],
        },
        {"role": "agent", "tool_results": [{"tool_name": "find", "result_value": "found"}]},
    )

    assert [(one.role, one.content, one.tool_name) for one in ended(event).conversation.messages] == [
        ("agent", "One moment.", None),
        ("tool_call", "{}", "find"),
        ("tool_result", "found", "find"),
    ]


@pytest.mark.parametrize("transcript", [None, {}, "text", 7])
def test_a_call_without_transcript_is_a_call(transcript: object) -> None:
    event = ended_call("conv_1", ended=1_794_911_400, summary="Ada called.")
    event["data"]["transcript"] = transcript

    assert ended(event).conversation.messages == ()
    assert ended(event).conversation.summary == "Ada called."


def test_a_call_whose_transcript_is_left_out_is_a_call() -> None:
    event = ended_call("conv_1", ended=1_794_911_400)
    del event["data"]["transcript"]

    assert ended(event).conversation.messages == ()


# -- who it was


@pytest.mark.parametrize(
    ("metadata", "addresses", "outbound", "channel"),
    [
        ({"phone_call": {"direction": "outbound", "agent_number": "+14155550199",
                         "external_number": "+14155550101"}},
         ("tel:+14155550101",), True, "voice"),
        ({"whatsapp": {"whatsapp_user_id": "14155550101", "direction": "inbound"}, "text_only": True},
         ("tel:+14155550101",), False, "text"),
        ({"whatsapp": {"whatsapp_user_id": "US.123abc", "direction": "outbound"}},
         ("whatsapp:US.123abc",), True, "voice"),
        ({"sms": {"sms_user_phone_number": "+14155550101", "agent_phone_number": "+14155550199"}},
         ("tel:+14155550101",), False, "text"),
        ({"phone_call": {"direction": "inbound", "external_number": "anonymous"}}, (), False, "voice"),
        ({"phone_call": None}, (), False, "voice"),
    ],
)  # fmt: skip
def test_the_other_end_of_the_line_is_found_on_every_channel(
    metadata: dict[str, object], addresses: tuple[str, ...], *, outbound: bool, channel: str
) -> None:
    call = ended(with_metadata(**metadata))

    assert (call.addresses, call.outbound, call.conversation.channel) == (addresses, outbound, channel)


@pytest.mark.parametrize(
    "line",
    [{"phone_call": {"agent_number": "+14155550199"}}, {"sms": {"agent_phone_number": "+14155550199"}}],
)
def test_the_agents_own_number_is_known(line: dict[str, object]) -> None:
    assert ended(with_metadata(**line)).own_number == "tel:+14155550199"


@pytest.mark.parametrize(
    ("direction", "address"), [("inbound", "tel:+14155550101"), ("outbound", "tel:+14155550102")]
)
def test_without_an_external_number_the_system_variables_tell(direction: str, address: str) -> None:
    event = with_metadata(phone_call={"direction": direction})
    event["data"]["conversation_initiation_client_data"] = {
        "dynamic_variables": {"system__caller_id": "+14155550101", "system__called_number": "+14155550102"}
    }

    assert ended(event).addresses == (address,)


def test_a_user_id_of_ours_is_the_user_and_no_address() -> None:
    call = ended(ended_call("conv_1", ended=1_794_911_400, user_id="usr_0123456789abcdefghij"))

    assert call.user_id == "usr_0123456789abcdefghij"
    assert call.addresses == ("tel:+14155550101",)


@pytest.mark.parametrize(
    ("user_id", "first"),
    [
        ("customer-17", "app:customer-17"),
        ("usr_01JD2Q8Z7M", "app:usr_01JD2Q8Z7M"),
        ("tel:+442079460123", "tel:+442079460123"),
        ("sip:grace@example.org", "sip:grace@example.org"),
        ("whatsapp:US.123abc", "whatsapp:US.123abc"),
        ("anonymous", "tel:+14155550101"),
        ("two words", "tel:+14155550101"),
    ],
)
def test_the_id_that_comes_back_is_the_most_certain_address(user_id: str, first: str) -> None:
    call = ended(ended_call("conv_1", ended=1_794_911_400, user_id=user_id))

    assert call.user_id == ""
    assert call.addresses[0] == first


# -- lenience


@given(mutated(POST_CALLS))
def test_whatever_is_in_an_event_it_is_understood_or_refused_as_unparsable(event: Any) -> None:
    body = encoded(event)

    envelope = read_envelope(body)
    try:
        call = parse_post_call(body)
    except ParseError:
        return

    assert isinstance(envelope, Envelope)
    assert isinstance(call, EndedCall | FailedCall | None)
    if isinstance(call, EndedCall):
        _can_be_stored(call.conversation)


def _can_be_stored(conversation: Conversation) -> None:
    stored = msgspec.json.encode(conversation)
    assert b"\\u0000" not in stored
    assert msgspec.json.decode(stored, type=Conversation) == conversation
    assert [one.position for one in conversation.messages] == list(range(len(conversation.messages)))
    assert 0 <= conversation.duration <= 10 * 86_400
    assert datetime(1970, 1, 1, tzinfo=UTC) <= conversation.started_at <= datetime(2100, 1, 1, tzinfo=UTC)


@given(st.dictionaries(st.text(max_size=8), anything, max_size=4), st.data())
def test_extra_keys_anywhere_change_nothing(extra: dict[str, Any], data: st.DataObject) -> None:
    event = payload(CALL)
    objects = [
        event,
        *(inner for container, key in places(event) if isinstance(inner := container[key], dict)),
    ]
    target = data.draw(st.sampled_from(objects))
    found = event["data"]["analysis"]["data_collection_results"]
    for key, value in extra.items():
        target.setdefault(f"new_{key}", value if target is not found else None)

    assert ended(event) == ended(payload(CALL))


@given(st.binary(max_size=60) | st.builds(encoded, anything))
def test_any_bytes_at_all_are_at_worst_unparsable(body: bytes) -> None:
    assert read_envelope(body).platform == "elevenlabs"
    assert parse_pre_call(body) is None or isinstance(parse_pre_call(body), PreCall)
    with contextlib.suppress(ParseError):
        assert isinstance(parse_post_call(body), EndedCall | FailedCall | None)


@pytest.mark.parametrize("type_", ["post_call_smell", "answering_machine_detection", "", None, 7, {"a": 1}])
def test_an_unknown_type_of_event_says_nothing_to_us(type_: object) -> None:
    event = {**payload(CALL), "type": type_}

    assert parse_post_call(encoded(event)) is None
    assert read_envelope(encoded(event)).kind == "unknown"


@pytest.mark.parametrize("missing", ["conversation_id", "agent_id"])
@pytest.mark.parametrize("value", [None, "", {}, "x" * 129])
def test_a_call_without_its_ids_is_unparsable(missing: str, value: object) -> None:
    event = payload(CALL)
    event["data"][missing] = value

    with pytest.raises(ParseError, match="is it really from ElevenLabs"):
        parse_post_call(encoded(event))


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"[]", b'"text"', b"{", b"[" * 100_000, b'{"data":' * 100_000, b"\xff\xfe", b"1" * 5000],
)
def test_what_is_no_object_is_unparsable_or_nothing(body: bytes) -> None:
    assert read_envelope(body).key.startswith("sha256:")
    assert parse_pre_call(body) is None
    with contextlib.suppress(ParseError):
        assert parse_post_call(body) is None


@pytest.mark.parametrize(
    ("spoilt", "text"),
    [
        (rb"half an emoji \ud83d here", "half an emoji  here"),
        (b"a \x01 control", "a \x01 control"),
        (b"no \xff UTF-8", "no \ufffd UTF-8"),
        (rb"a \u0000 null", "a  null"),
    ],
)
def test_characters_no_json_should_have_lose_no_call(spoilt: bytes, text: str) -> None:
    body = encoded(turns({"role": "user", "message": "SPOILT"})).replace(b"SPOILT", spoilt)

    call = parse_post_call(body)

    assert isinstance(call, EndedCall)
    assert call.conversation.messages[0].content == text
    assert read_envelope(body).key == "post_call_transcription:conv_1:1794911400"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1" * 400])
def test_numbers_no_json_should_have_lose_no_call(number: str) -> None:
    event = ended_call("conv_1", ended=1_794_911_400)
    event["data"]["metadata"]["call_duration_secs"] = "NUMBER"
    event["data"]["analysis"] = {"data_collection_results": {"size": {"value": "NUMBER"}}}
    body = encoded(event).replace(b'"NUMBER"', number.encode())

    call = parse_post_call(body)

    assert isinstance(call, EndedCall)
    assert call.conversation.duration == 0


@pytest.mark.parametrize(
    ("timestamp", "read"),
    [(1_794_911_400, 1_794_911_400), ("1794911400", 1_794_911_400), (1_794_911_400.7, 1_794_911_400),
     ("soon", 0), (None, 0), (True, 0), (10**30, 0)],
)  # fmt: skip
def test_an_events_time_may_be_a_number_or_a_string(timestamp: object, read: int) -> None:
    event = {**payload(MINIMAL), "event_timestamp": timestamp}

    assert ended(event).sent_at == read
    assert read_envelope(encoded(event)).timestamp == read


def test_a_call_without_a_start_began_its_length_before_it_was_reported() -> None:
    event = ended_call("conv_1", ended=1_794_911_400, duration=60)
    del event["data"]["metadata"]["start_time_unix_secs"]

    assert ended(event).conversation.started_at.timestamp() == 1_794_911_340


@pytest.mark.parametrize(
    "metadata",
    [
        {"termination_reason": "Voicemail detected"},
        {"termination_reason": "answering machine"},
        {"features_usage": {"voicemail_detection": {"enabled": True, "used": True}}},
    ],
)
def test_voicemail_is_noticed(metadata: dict[str, object]) -> None:
    assert ended(with_metadata(**metadata)).conversation.voicemail


def test_two_events_without_id_are_known_again_by_their_bytes() -> None:
    one, other = read_envelope(b'{"type":"x"}'), read_envelope(b'{"type":"y"}')

    assert one.key == read_envelope(b'{"type":"x"}').key
    assert one.key != other.key


def test_a_failed_call_is_a_conversation_in_which_nothing_was_said() -> None:
    failed = parse_post_call(encoded(payload("call_initiation_failure")))
    assert isinstance(failed, FailedCall)

    conversation = failed_conversation(failed)

    assert (conversation.messages, conversation.duration) == ((), 0)
    assert conversation.started_at.timestamp() == failed.sent_at


# -- pre-call


@pytest.mark.parametrize("name", PRE_CALLS)
def test_every_captured_pre_call_is_understood(name: str) -> None:
    request = payload(name)

    assert parse_pre_call(encoded(request)) == PreCall(
        agent_id=request["agent_id"],
        caller=request["caller_id"],
        called=request["called_number"],
        conversation_id=request["conversation_id"],
        messaging=name.endswith("whatsapp"),
    )


@pytest.mark.parametrize("body", [b"", b"junk", b"[]", b"7", b'{"agent_id":', b"\xff", b"[" * 100_000])
def test_what_is_no_request_is_no_pre_call(body: bytes) -> None:
    assert parse_pre_call(body) is None


@pytest.mark.parametrize("junk", [None, [], {}, True, 1.5, "x" * 129])
def test_a_field_of_a_wrong_type_is_as_good_as_missing(junk: object) -> None:
    call = parse_pre_call(encoded({"agent_id": junk, "caller_id": "+14155550101", "conversation_id": junk}))

    assert call == PreCall(caller="+14155550101")


def test_a_caller_id_that_is_a_number_is_taken_as_written() -> None:
    call = parse_pre_call(encoded({"agent_id": "a", "caller_id": 14155550101}))

    assert call is not None
    assert call.caller == "14155550101"


@given(mutated(PRE_CALLS))
def test_no_pre_call_can_raise(request: Any) -> None:
    call = parse_pre_call(encoded(request))

    assert call is None or len(call.agent_id) <= 128


# -- reply


def answer(agent: Agent, **more: Any) -> dict[str, Any]:
    """The answer for Ada, who called four times."""
    parts: dict[str, Any] = {
        "prompt": "The prompt.", "memory": "The memory.", "version": "v1", "user_id": "usr_1",
        "known": True, "conversations": 4, **more,
    }  # fmt: skip
    decoded: dict[str, Any] = json.loads(reply(agent, **parts))
    return decoded


def test_with_delivery_override_the_prompt_replaces_the_agents_own() -> None:
    assert answer(Agent("robin")) == {
        "type": "conversation_initiation_client_data",
        "user_id": "usr_1",
        "dynamic_variables": {"prompt_version": "v1"},
        "conversation_config_override": {"agent": {"prompt": {"prompt": "The prompt."}}},
    }


def test_with_delivery_variable_the_memory_is_a_variable_and_nothing_is_overridden() -> None:
    assert answer(Agent("robin", delivery="variable")) == {
        "type": "conversation_initiation_client_data",
        "user_id": "usr_1",
        "dynamic_variables": {"prompt_version": "v1", "memory": "The memory."},
    }


def test_the_name_fills_the_variable_of_agents_that_declare_it() -> None:
    greeting = Agent("robin", variables={"user_name": "you"})

    assert answer(greeting, name="Marta Klein")["dynamic_variables"]["user_name"] == "Marta Klein"
    assert answer(greeting)["dynamic_variables"]["user_name"] == "you"
    assert "user_name" not in answer(Agent("robin"), name="Marta Klein")["dynamic_variables"]


@pytest.mark.parametrize("delivery", ["override", "variable"])
def test_every_variable_the_agent_declares_is_sent(delivery: Any) -> None:
    declared: dict[str, VariableValue] = {
        "caller_name": "",
        "caller_known": False,
        "call_count": 0,
        "vip": True,
        "size": 1.5,
        "prompt_version": "",
    }

    variables = answer(Agent("robin", delivery=delivery, variables=declared))["dynamic_variables"]

    assert declared.keys() <= variables.keys()
    assert (variables["caller_known"], variables["call_count"]) == (True, 4)
    assert (variables["vip"], variables["size"], variables["prompt_version"]) == (True, 1.5, "v1")


def test_facts_nobody_declared_are_not_sent() -> None:
    assert answer(Agent("robin"))["dynamic_variables"] == {"prompt_version": "v1"}


@given(
    st.sampled_from(["override", "variable"]),
    st.dictionaries(
        st.text(min_size=1, max_size=8), st.text(max_size=8) | st.integers(-(2**53), 2**53) | st.booleans()
    ),
    st.text(min_size=1, max_size=20),
)
def test_an_answer_holds_no_null_and_no_empty_override(delivery: Any, variables: Any, prompt: str) -> None:
    body = answer(Agent("robin", delivery=delivery, variables=variables), prompt=prompt)

    assert all(container[key] is not None for container, key in places(body))
    assert all(isinstance(value, str | int | float | bool) for value in body["dynamic_variables"].values())
    if delivery == "override":
        assert body["conversation_config_override"]["agent"]["prompt"]["prompt"] == prompt


def test_an_answer_has_only_fields_of_the_documented_one() -> None:
    documented = payload("precall_response")

    def known(given: Any, sample: Any) -> bool:
        return all(
            key in sample
            and (not isinstance(value, dict) or key == "dynamic_variables" or known(value, sample[key]))
            for key, value in given.items()
        )

    assert known(answer(Agent("robin")), documented)
