"""Against lost updates: the ETag carries a version, and If-Match names the version that was read."""

import re
from typing import Annotated

from fastapi import Depends, Header, HTTPException, Response

_TAG = r'^(\*|"[0-9]{1,9}")$'


_HOW = (
    'header.If-Match: send the ETag as it was read, in its quotes, as If-Match: "3"; one at a time and no '
    "weak one (W/), or * for whatever is there"
)


def _seen(
    if_match: Annotated[
        str | None,
        Header(
            alias="If-Match",
            description="The ETag that was read; 412 when it was changed since. Left out: whatever is there",
            json_schema_extra={"pattern": _TAG},
        ),
    ] = None,
) -> int | None:
    if if_match is not None and not re.match(_TAG, if_match):
        raise HTTPException(422, _HOW)
    return int(if_match.strip('"')) if if_match and if_match != "*" else None


Seen = Annotated[int | None, Depends(_seen)]


def tag(response: Response, version: int) -> None:
    response.headers["etag"] = f'"{version}"'
