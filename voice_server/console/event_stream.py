"""Server-sent events, as the pages' scripts read them: what is shown anew, or the name of what happened."""

from markupsafe import Markup

STREAM = "text/event-stream"
CHANGED = "changed"  # the page is to be asked for again
AT_ONCE = {"x-accel-buffering": "no"}  # a proxy is not to wait for more
ALIVE = b": still there\n\n"


def content(shown: Markup) -> bytes:
    """In place of what the element that listens shows."""
    lines = "".join(f"data: {line}\n" for line in str(shown).splitlines() or [""])
    return f"{lines}\n".encode()


def named(name: str) -> bytes:
    return f"event: {name}\ndata: \n\n".encode()
