"""The link that opens the console."""

from pathlib import Path

import pytest

from voice_server.commands import console_link
from voice_server.errors import ConfigurationError
from voice_server.settings import Settings


@pytest.mark.parametrize(
    ("hosts", "begins"),
    [
        ("", "http://127.0.0.1:8123/console/login?token="),
        ("127.0.0.1,voice.example.org", "http://127.0.0.1:8123/console/login?token="),
        ("Voice.Example.org", "https://voice.example.org/console/login?token="),
    ],
)
def test_it_leads_to_where_the_console_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hosts: str, begins: str
) -> None:
    monkeypatch.setenv("CONSOLE_SECRET", "the secret")

    link = console_link.link(Settings(data_dir=tmp_path, port=8123, console_hosts=hosts))

    assert link.startswith(begins)


def test_without_a_secret_it_says_what_to_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONSOLE_SECRET", raising=False)

    with pytest.raises(ConfigurationError, match="scripts/run"):
        console_link.link(Settings(data_dir=tmp_path))
