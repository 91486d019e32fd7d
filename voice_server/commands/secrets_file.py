"""Secrets for the one-command start: made once, kept in DATA_DIR/secrets.env, readable by the owner alone."""

import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

from voice_server.errors import ConfigurationError

_MADE: Mapping[str, Callable[[], str]] = {
    "PLATFORM_TOKEN": lambda: secrets.token_urlsafe(32),
    "ELEVENLABS_WEBHOOK_SECRET": lambda: f"wsec_{secrets.token_hex(32)}",
    "API_TOKEN": lambda: secrets.token_urlsafe(32),
    "TOOL_TOKEN_SECRET": lambda: secrets.token_urlsafe(32),
    "CONSOLE_SECRET": lambda: secrets.token_urlsafe(32),
}
_REQUIRED = (
    "PLATFORM_TOKEN",
    "ELEVENLABS_WEBHOOK_SECRET",
)  # without the others the API, or /mcp for one user, stays closed


def path_in(data_dir: Path) -> Path:
    return data_dir / "secrets.env"


def load(data_dir: Path) -> dict[str, str]:
    """Return the secrets of an earlier start, by variable name."""
    path = path_in(data_dir)
    if not path.exists():
        return {}
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def complete(data_dir: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the secrets that the environment lacks, made now if they never were."""
    kept = load(data_dir)
    lacking = {name: make for name, make in _MADE.items() if not environment.get(name)}
    made = {name: make() for name, make in lacking.items() if not kept.get(name)}
    if made:
        _append(path_in(data_dir), made)
    return {name: {**kept, **made}[name] for name in lacking}


def require(environment: Mapping[str, str]) -> None:
    """Raise ConfigurationError for missing secrets: none are made up when the operator runs the services."""
    missing = [name for name in _REQUIRED if not environment.get(name, "").strip(" ,")]
    if missing:
        raise ConfigurationError(
            f"{' and '.join(missing)} must be set when DATABASE_URL is set: the platform's requests are "
            "checked against them"
        )


def _append(path: Path, made: Mapping[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        if not _ends_a_line(path):
            file.write("\n")
        file.writelines(f"{name}={value}\n" for name, value in made.items())


def _ends_a_line(path: Path) -> bool:
    """Return False when somebody left the last line open: ours must not be glued to it."""
    return path.read_bytes()[-1:] in (b"", b"\n")
