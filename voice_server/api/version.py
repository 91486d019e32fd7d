"""Against lost updates: what can be changed carries its version as ETag, and If-Match says which one was seen."""

from typing import Annotated

from fastapi import Depends, Header, Response

_TAG = r'^(\*|"[0-9]{1,9}")$'


def _seen(
    if_match: Annotated[
        str | None,
        Header(
            alias="If-Match",
            pattern=_TAG,
            description="The ETag that was read; 412 when it was changed since. Left out: whatever is there",
        ),
    ] = None,
) -> int | None:
    return int(if_match.strip('"')) if if_match and if_match != "*" else None


Seen = Annotated[int | None, Depends(_seen)]


def tag(response: Response, version: int) -> None:
    """Let the answer carry its version."""
    response.headers["etag"] = f'"{version}"'
