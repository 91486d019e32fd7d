"""Arguments as models write them: understood where they can be, and told what is wrong where they cannot."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.tools import catalogue
from voice_server.tools.conversation_search import SearchArguments


@pytest.mark.parametrize(
    ("name", "asked", "wrong"),
    [
        ("conversation.search", {}, "query"),
        ("conversation.search", {"query": " "}, "query"),
        ("conversation.search", {"query": "x" * 301}, "query"),
        ("conversation.search", {"query": "cake", "limit": 21}, "limit"),
        ("conversation.search", {"query": "cake", "limit": 0}, "limit"),
        ("conversation.search", {"query": "cake", "day": "yesterday"}, "day"),
        ("conversation.search", {"query": "cake", "day": "0001-01-01"}, "day"),
        ("conversation.search", {"query": "cake", "min_score": "nan"}, "min_score"),
        ("conversation.search", {"query": "cake", "recency_days": 0}, "recency_days"),
        ("conversation.search", {"query": ["cake"]}, "query"),
        ("conversation.search", {"query": "cake", "since": "last week"}, "since"),
        ("conversation.search", {"query": "cake", "until": "2026-02-30"}, "until"),
        ("conversation.search", {"query": "cake", "until": "9999-12-31"}, "until"),
        ("conversation.search", {"query": "cake", "since": "2026-03-02", "until": "2026-03-01"}, "until"),
        ("conversation.search", {"query": "cake", "since": "2026-03-02", "recency_days": 3}, "recency_days"),
        ("conversation.search", {"query": "cake", "since": "2026-03-02", "day": "2026-03-01"}, "day"),
        ("conversation.search", {"query": "cake", "day": "2026-03-02", "until": "2026-03-01"}, "day"),
        ("conversation.get", {}, "message_id"),
        ("conversation.get", {"message_id": "1:1", "from_message_id": "1:1"}, "message_id"),
        ("conversation.get", {"to_message_id": "1:1"}, "message_id"),
        ("conversation.get", {"day_segment_id": 1, "to_message_id": "1:1"}, "from_message_id"),
        ("conversation.get", {"day_segment_id": 10**30}, "day_segment_id"),
        ("conversation.get", {"message_id": "1"}, "message_id"),
        ("memory.search", {"query": "cake", "limit": "many"}, "limit"),
        ("memory.add", {"text": "The caller likes cake.", "kind": "spell"}, "kind"),
    ],
)
def test_wrong_arguments_are_named(name: str, asked: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        catalogue.BY_NAME[name].read(asked)


@pytest.mark.parametrize(
    "more",
    [{"limit": "6"}, {"day": ""}, {"min_score": None}, {"something": "else"}, {"user_id": "usr_other"}],
)
def test_what_models_write_instead_of_leaving_it_out_is_left_out(more: dict[str, Any]) -> None:
    assert catalogue.BY_NAME["conversation.search"].read({"query": "cake", **more}) == SearchArguments("cake")


@pytest.mark.parametrize(
    "more",
    [
        {"since": "2026-03-01", "until": "2026-03-01"},
        {"since": "2026-03-01", "until": "2026-03-31", "day": "2026-03-31"},
        {"until": "2026-03-01", "recency_days": 3650},
    ],
)
def test_days_that_do_not_contradict_each_other_go_together(more: dict[str, Any]) -> None:
    read = catalogue.BY_NAME["conversation.search"].read({"query": "cake", **more})

    assert read.until == date.fromisoformat(more["until"])


@given(st.text(min_size=1, max_size=300))
def test_every_text_that_is_read_can_be_stored(text: str) -> None:
    try:
        read = catalogue.BY_NAME["memory.search"].read({"query": f"a{text}"[:300]})
    except ValueError:
        return

    assert "\0" not in read.query
    read.query.encode()


@pytest.mark.parametrize("tool", catalogue.TOOLS, ids=lambda tool: tool.name)
def test_every_description_teaches_when_not_to_call(tool: Any) -> None:
    assert "Do NOT call it" in tool.description
    assert all(one["description"] for one in tool.schema()["properties"].values())
