"""The platforms there are, by their names: the one place that knows them all."""

from collections.abc import Mapping

from voice_server.errors import ParseError
from voice_server.platforms.elevenlabs.adapter import ELEVENLABS
from voice_server.platforms.platform import Platform

PLATFORMS: Mapping[str, Platform] = {one.name: one for one in (ELEVENLABS,)}
DEFAULT = ELEVENLABS  # of agents and conversations of which it is not said


def of(name: str) -> Platform:
    """The platform of this name. Raises ParseError for one that this release does not have."""
    if name not in PLATFORMS:
        raise ParseError(f"there is no platform {name}: this release has {', '.join(PLATFORMS)}")
    return PLATFORMS[name]
