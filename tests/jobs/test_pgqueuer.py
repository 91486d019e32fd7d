"""What our queue takes from the inside of pgqueuer's, which promises nothing of it from release to release.

So `pyproject.toml` names the last release that was looked at. For a new one: read what changed in its
`core/qm.py`, raise the bound, run this file and test_queue.py.
"""

import inspect
import tomllib
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path

import pytest
from pgqueuer.core.qm import QueueManager
from pgqueuer.core.tm import TaskManager

from voice_server.queue.queue import _Draining

ROOT = Path(__file__).parent.parent.parent
OVERRIDDEN = [name for name, one in vars(_Draining).items() if inspect.isfunction(one)]


def test_no_release_is_allowed_that_nobody_has_looked_at() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bound = next(one for one in project["dependencies"] if one.startswith("pgqueuer"))
    major, minor, *_ = map(int, version("pgqueuer").split("."))

    assert bound == f"pgqueuer>={major}.{minor},<{major}.{minor + 1}"


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_a_method_of_ours_stands_in_for_one_of_theirs(name: str) -> None:
    ours, theirs = vars(_Draining)[name], vars(QueueManager)[name]

    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
    assert inspect.iscoroutinefunction(theirs)


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_their_queue_asks_for_what_ours_stands_in_for(name: str) -> None:
    assert f"await self.{name}(" in inspect.getsource(QueueManager.run)


def test_what_ours_looks_at_is_there() -> None:
    assert "shutdown" in {one.name for one in fields(QueueManager)}
    assert TaskManager().tasks == set()
