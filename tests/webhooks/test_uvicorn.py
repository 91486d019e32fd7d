"""What our protocol takes from the inside of uvicorn's, which promises nothing of it from release to release.

So `pyproject.toml` names the last release that was looked at. For a new one: read what changed in its
`httptools_impl.py`, raise the bound, run this file and test_uvicorn_protocol.py.
"""

import inspect
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from voice_server.webhooks.uvicorn_protocol import PreCallProtocol, _PreCallCycle

ROOT = Path(__file__).parent.parent.parent
CALLED_BY_UVICORN = [
    "connection_made", "data_received", "on_message_begin", "on_headers_complete", "on_message_complete",
    "on_response_complete", "send_400_response", "_should_upgrade",
]  # fmt: skip


async def nothing(_scope: object, _receive: object, _send: object) -> None:
    """An application that is never asked."""


@pytest.fixture
async def theirs() -> HttpToolsProtocol:
    """A connection as uvicorn makes it, in the middle of a request's head."""
    config = uvicorn.Config(nothing, http="httptools", log_config=None, lifespan="off")
    made = HttpToolsProtocol(config, ServerState(), {})
    made.on_message_begin()
    made.on_url(b"/x")
    made.on_header(b"Content-Length", b"7")
    return made


def asked(pattern: str, by: type) -> set[str]:
    """The names that a class asks for."""
    return set(re.findall(pattern, inspect.getsource(by)))


def test_no_release_is_allowed_that_nobody_has_looked_at() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bound = next(one for one in project["dependencies"] if one.startswith("uvicorn"))
    major, minor, *_ = map(int, version("uvicorn").split("."))

    assert bound == f"uvicorn>={major}.{minor},<{major}.{minor + 1}"


@pytest.mark.parametrize("name", CALLED_BY_UVICORN)
def test_a_method_of_ours_stands_in_for_one_of_theirs(name: str) -> None:
    ours, theirs = vars(PreCallProtocol)[name], vars(HttpToolsProtocol)[name]

    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)


async def test_what_our_protocol_asks_of_theirs_is_there(theirs: HttpToolsProtocol) -> None:
    wanted = asked(r"self\.([a-z]\w+)", PreCallProtocol) - set(vars(PreCallProtocol))

    assert {"parser", "url", "headers", "cycle", "flow", "pipeline"} <= wanted
    assert wanted <= set(dir(theirs))


def test_uvicorn_asks_nothing_of_a_cycle_that_ours_does_not_have() -> None:
    wanted = asked(r"self\.cycle\.(\w+)", HttpToolsProtocol)

    assert {"body", "more_body", "response_complete", "message_event"} <= wanted
    assert wanted <= set(dir(_PreCallCycle()))


async def test_a_head_is_kept_as_our_protocol_reads_it(theirs: HttpToolsProtocol) -> None:
    assert theirs.url == b"/x"
    assert theirs.headers == [(b"content-length", b"7")]
    assert not theirs.expect_100_continue
