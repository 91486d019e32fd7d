"""The log: what its lines tell, and in which form."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from voice_server.runtime import logs
from voice_server.runtime.logs import Format

Written = Callable[[], str]


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    """A logger of the test's own."""
    made = logging.getLogger("a.log")
    made.propagate, made.level = False, logging.INFO
    yield made
    made.handlers.clear()


def written_to(log: logging.Logger, form: Format) -> Written:
    """What stands in the log from now on, in this form."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logs.formatter(form))
    log.addHandler(handler)
    return written.getvalue


def objects(written: Written) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written().splitlines()]


def test_a_line_for_people_ends_with_what_it_tells(log: logging.Logger) -> None:
    written = written_to(log, "text")

    logs.tell(log, logging.INFO, "job", job="ingest", key=17, outcome="done", ms=2.5)
    log.warning("something %s", "else")

    first, second = written().splitlines()
    assert first.endswith(" INFO    a.log job job=ingest key=17 outcome=done ms=2.5")
    assert second.endswith(" WARNING a.log something else")


def test_what_somebody_else_named_begins_no_line_of_its_own(log: logging.Logger) -> None:
    written = written_to(log, "text")

    logs.tell(log, logging.INFO, "pre-call", agent="robin\nERROR all is lost", caller="tel:+1415555****")

    assert written().endswith(' pre-call agent="robin\\nERROR all is lost" caller=tel:+1415555****\n')
    assert written().count("\n") == 1


def test_a_line_for_machines_is_one_object(log: logging.Logger) -> None:
    written = written_to(log, "json")

    logs.tell(log, logging.INFO, "tool call", tool="memory.add", outcome="late", ms=700.12)
    log.warning("two\nlines and %d%%", 5)

    first, second = objects(written)
    assert first.pop("time").endswith("+00:00")
    assert first == {
        "level": "info",
        "logger": "a.log",
        "message": "tool call",
        "tool": "memory.add",
        "outcome": "late",
        "ms": 700.12,
    }
    assert (second["level"], second["message"]) == ("warning", "two\nlines and 5%")


def test_a_traceback_is_part_of_its_object(log: logging.Logger) -> None:
    written = written_to(log, "json")

    try:
        int("broken")
    except ValueError:
        log.exception("it failed")

    [line] = objects(written)
    assert line["message"] == "it failed"
    assert line["exception"].startswith("Traceback (most recent call last):\n")
    assert line["exception"].endswith("ValueError: invalid literal for int() with base 10: 'broken'")


def test_what_is_below_the_level_is_not_told(log: logging.Logger) -> None:
    written = written_to(log, "text")

    logs.tell(log, logging.DEBUG, "pre-call", agent="robin")

    assert written() == ""
