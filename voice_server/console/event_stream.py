"""Server-sent events for the pages' scripts: new content, or the name of what happened."""

from markupsafe import Markup

STREAM = "text/event-stream"
CHANGED = "changed"  # the page is to be asked for again
AT_ONCE = {"x-accel-buffering": "no"}  # a proxy is not to wait for more
ALIVE = b": still there\n\n"


def content(shown: Markup) -> bytes:
    """Write what replaces the content of the element that listens."""
    lines = "".join(f"data: {line}\n" for line in str(shown).splitlines() or [""])
    return f"{lines}\n".encode()


def named(name: str) -> bytes:
    return f"event: {name}\ndata: \n\n".encode()
