"""The release of this server."""

VERSION = "0.1.0"  # pyproject.toml reads it here: a checkout is not installed, and has no other place for it
