"""A link that opens the console of the running server."""

import os

from voice_server.commands import secrets_file
from voice_server.console.guard import LOGIN
from voice_server.console.session import link_token
from voice_server.errors import ConfigurationError
from voice_server.settings import Settings


def link(settings: Settings) -> str:
    """Return a link that is good once, for ten minutes. Raises ConfigurationError where nothing signs it."""
    kept = os.environ.get("CONSOLE_SECRET") or secrets_file.load(settings.data_dir).get("CONSOLE_SECRET", "")
    keys = [one.strip() for one in kept.split(",") if one.strip()]
    if not keys:
        raise ConfigurationError(
            f"CONSOLE_SECRET is neither set nor in {secrets_file.path_in(settings.data_dir)}: "
            "start scripts/run first"
        )
    return f"{_address(settings)}{LOGIN}?token={link_token(keys)}"


def _address(settings: Settings) -> str:
    """Assume TLS under a name that is not this machine's own."""
    names, (here, _) = settings.console_names, settings.local_address
    return f"https://{names[0]}" if names and here not in names else settings.local_url
