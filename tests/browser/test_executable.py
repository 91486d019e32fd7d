"""Which browser is driven, and what is taken for one that was downloaded."""

from pathlib import Path

import pytest
from browser import download, executable


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The commands of a machine that has no browser."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("BROWSER", raising=False)
    monkeypatch.setattr(executable, "_APPLICATIONS", ())
    monkeypatch.setattr(executable, "FOLDER", tmp_path / "downloaded")
    return tmp_path


def install(path: Path) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_where_there_is_none_none_is_found(machine: Path) -> None:
    assert list(machine.iterdir()) == []
    assert executable.find() is None


def test_the_one_that_is_named_is_taken_before_those_of_the_machine(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(machine / "chromium")
    monkeypatch.setenv("BROWSER", install(machine / "my" / "chrome-beta"))

    assert executable.find() == (str(machine / "my" / "chrome-beta"), {})


def test_what_cannot_be_driven_is_not_taken_though_it_is_named(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", install(machine / "firefox"))

    assert executable.find() is None


def test_those_of_the_machine_are_taken_before_the_one_that_was_downloaded(machine: Path) -> None:
    got = install(machine / "downloaded" / "chromium")
    found = executable.find()
    assert found
    assert found.path == got
    assert found.environment["LD_LIBRARY_PATH"] == str(machine / "downloaded" / "lib")

    install(machine / "google-chrome")
    assert executable.find() == (str(machine / "google-chrome"), {})


def test_a_package_that_is_not_the_one_that_was_chosen_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "package.tgz"
    package.write_bytes(b"something else")

    with pytest.raises(ValueError, match="is not what it was"):
        download._check(package)
