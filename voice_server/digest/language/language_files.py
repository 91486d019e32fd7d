"""Which languages are read: those that have a file."""

from importlib.resources.abc import Traversable


def languages_in(folder: Traversable) -> tuple[str, ...]:
    """Return the languages of a folder's files, each named by its code: `en.toml`."""
    names = (file.name for file in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))
