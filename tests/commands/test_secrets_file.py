"""Secrets of the one-command start: made once, kept, for the owner's eyes."""

import os
import stat
from pathlib import Path

import pytest

from voice_server.commands import secrets_file
from voice_server.errors import ConfigurationError

ALL = {
    "PLATFORM_TOKEN", "ELEVENLABS_WEBHOOK_SECRET", "API_TOKEN", "TOOL_TOKEN_SECRET", "CONSOLE_SECRET",
}  # fmt: skip


def test_missing_secrets_are_made_and_long(tmp_path: Path) -> None:
    made = secrets_file.complete(tmp_path, {})

    assert made.keys() == ALL
    assert all(len(secret) >= 40 for secret in made.values())
    assert made["ELEVENLABS_WEBHOOK_SECRET"].startswith("wsec_")


def test_the_next_start_finds_the_same_ones(tmp_path: Path) -> None:
    first = secrets_file.complete(tmp_path, {})
    written = secrets_file.path_in(tmp_path).read_bytes()

    assert secrets_file.complete(tmp_path, {}) == first
    assert secrets_file.path_in(tmp_path).read_bytes() == written


def test_only_the_owner_can_read_them(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        secrets_file.complete(tmp_path / "a" / "b", {})
    finally:
        os.umask(before)

    assert stat.S_IMODE(secrets_file.path_in(tmp_path / "a" / "b").stat().st_mode) == 0o600


def test_a_secret_in_the_environment_is_neither_made_nor_kept(tmp_path: Path) -> None:
    made = secrets_file.complete(tmp_path, {"PLATFORM_TOKEN": "of my own"})

    assert made.keys() == ALL - {"PLATFORM_TOKEN"}
    assert "of my own" not in secrets_file.path_in(tmp_path).read_text()


def test_with_all_secrets_set_there_is_no_file(tmp_path: Path) -> None:
    assert secrets_file.complete(tmp_path, dict.fromkeys(ALL, "x")) == {}
    assert not secrets_file.path_in(tmp_path).exists()


def test_one_more_is_appended_and_what_was_written_by_hand_stays(tmp_path: Path) -> None:
    path = secrets_file.path_in(tmp_path)
    path.write_text("# mine\nOTHER = kept\nPLATFORM_TOKEN=typed by hand")

    made = secrets_file.complete(tmp_path, {})

    assert made["PLATFORM_TOKEN"] == "typed by hand"
    assert path.read_text().startswith(
        "# mine\nOTHER = kept\nPLATFORM_TOKEN=typed by hand\nELEVENLABS_WEBHOOK_SECRET=wsec_"
    )
    assert secrets_file.load(tmp_path) == {"OTHER": "kept", **made}


def test_an_empty_secret_is_made_anew(tmp_path: Path) -> None:
    secrets_file.path_in(tmp_path).write_text("PLATFORM_TOKEN=\n")

    made = secrets_file.complete(tmp_path, {})

    assert made["PLATFORM_TOKEN"]
    assert secrets_file.complete(tmp_path, {}) == made


def test_on_servers_of_ones_own_a_missing_secret_stops_the_start() -> None:
    with pytest.raises(ConfigurationError, match="ELEVENLABS_WEBHOOK_SECRET must be set"):
        secrets_file.require({"PLATFORM_TOKEN": "x"})

    secrets_file.require(dict.fromkeys(ALL, "x"))


def test_a_deployment_that_has_no_api_token_starts_as_before() -> None:
    secrets_file.require(dict.fromkeys(ALL - {"API_TOKEN"}, "x"))
