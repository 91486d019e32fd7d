"""All platforms by name."""

from collections.abc import Mapping

from voice_server.errors import ParseError
from voice_server.platforms.elevenlabs.adapter import ELEVENLABS
from voice_server.platforms.platform import Platform

PLATFORMS: Mapping[str, Platform] = {one.name: one for one in (ELEVENLABS,)}
DEFAULT = ELEVENLABS  # of agents and conversations of which it is not said


def of(name: str) -> Platform:
    """Raise ParseError for a platform that this release does not have."""
    if name not in PLATFORMS:
        raise ParseError(f"there is no platform {name}: this release has {', '.join(PLATFORMS)}")
    return PLATFORMS[name]
