"""Every error of the API in one shape: problem+json (RFC 9457).

store: NotFound, Conflict ─┐
FastAPI: a wrong value ────┼→ {"type", "title", "status", "detail", "errors"}
Postgres, Redis: away ─────┘
"""

import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from redis.exceptions import RedisError
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError, SQLAlchemyError
from starlette.exceptions import HTTPException

from voice_server.errors import ChatRefused, Conflict, NotFound

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
_OF_TURNS = {
    "conflict": 409,
    "no_model": 503,
    "unavailable": 503,
    "model_unavailable": 503,
    "model_refused": 502,
    "model_wrong": 502,
    "model_timeout": 504,
    "lost": 404,
}
_OURS = (DataError, IntegrityError, ProgrammingError)  # Postgres answered: the mistake is in what we asked


class WrongValue(BaseModel):
    """A value that was refused."""

    where: str = Field(description="As `body.timezone`, `query.limit`, `header.If-Match`")
    detail: str


class Problem(BaseModel):
    """An error, as RFC 9457 writes it."""

    type: str = "about:blank"
    title: str = Field(description="What the status means")
    status: int
    detail: str = Field(description="What was wrong, and what to do")
    errors: list[WrongValue] = Field([], description="The values that were refused, when there were any")


def answer(
    status: int, detail: str, errors: Sequence[WrongValue] = (), headers: Mapping[str, str] | None = None
) -> Response:
    """Return a problem in ASCII: what it quotes of a request may not be encodable otherwise."""
    problem = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, errors=list(errors))
    content = json.dumps(problem.model_dump(mode="python")).encode()
    return Response(content, status, dict(headers or {}), MEDIA_TYPE)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe these answers as problems in the OpenAPI document."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {one: {"description": HTTPStatus(one).phrase, "content": content} for one in statuses}


def status_of_turn(code: str) -> int:
    return _OF_TURNS.get(code, 500)


def install(app: FastAPI, handlers: "ErrorHandlers | None" = None) -> None:
    """Answer every error of this application, with a problem unless `handlers` say otherwise."""
    told = handlers or _PROBLEMS
    app.exception_handler(HTTPException)(told.refused)
    app.exception_handler(RequestValidationError)(told.wrong_values)
    app.exception_handler(NotFound)(told.not_found)
    app.exception_handler(Conflict)(told.conflict)
    app.exception_handler(ChatRefused)(told.chat_refused)
    for unreachable in (SQLAlchemyError, RedisError, OSError):
        app.exception_handler(unreachable)(told.unavailable)
    app.exception_handler(Exception)(told.failed)


async def _refused(request: Request, error: HTTPException) -> Response:
    details = {
        404: f"There is nothing at {request.url.path}; /docs lists what there is.",
        405: f"{request.url.path} does not take {request.method}.",
    }
    said = error.detail != HTTPStatus(error.status_code).phrase
    detail = error.detail if said else details.get(error.status_code, error.detail)
    return answer(error.status_code, detail, headers=error.headers)


async def _wrong_values(_request: Request, error: RequestValidationError) -> Response:
    wrong = wrong_values(error)
    return answer(422, "; ".join(f"{one.where}: {one.detail}" for one in wrong[:3]), wrong)


def wrong_values(error: RequestValidationError) -> list[WrongValue]:
    return [_wrong_value(one) for one in error.errors()]


# What pydantic adds to say which of several types, or which check, did not take a value.
_OF_THE_LIBRARY = re.compile(r"(?:function-|constrained-|literal\[|list\[|nullable)")


def _wrong_value(error: Mapping[str, Any]) -> WrongValue:
    if error["type"] == "json_invalid":
        why = error.get("ctx", {}).get("error", error["msg"])
        place = error["loc"][-1]
        return WrongValue(
            where="body", detail=f"it is no JSON: {why} at character {place}. Mend it and send it again"
        )
    where = ".".join(str(part) for part in error["loc"] if not _OF_THE_LIBRARY.match(str(part)))
    return WrongValue(where=where, detail=str(error["msg"]).removeprefix("Value error, "))


async def _not_found(_request: Request, error: NotFound) -> Response:
    return answer(404, str(error))


async def _conflict(request: Request, error: Conflict) -> Response:
    """Answer 412 when the request named the version that it meant (RFC 9110, 13.1.1)."""
    return answer(412 if "if-match" in request.headers else 409, str(error))


async def _chat_refused(_request: Request, error: ChatRefused) -> Response:
    return answer(
        error.status, str(error), headers={"retry-after": str(error.retry)} if error.retry else None
    )


async def _unavailable(_request: Request, error: Exception) -> Response:
    check_theirs(error)
    return unavailable(repr(error))


def check_theirs(error: Exception) -> None:
    """Raise the error again when the mistake is ours and no service is away."""
    if isinstance(error, _OURS):
        raise error


def unavailable(reason: str) -> Response:
    log.error("a request of the API failed: %s", reason)
    return answer(503, "Postgres or Redis does not answer. Send it again.", headers={"retry-after": "5"})


async def _failed(_request: Request, _error: Exception) -> Response:
    return answer(500, "The server failed; its log says why.")


class ErrorHandlers(NamedTuple):
    refused: Callable[[Request, HTTPException], Awaitable[Response]]
    wrong_values: Callable[[Request, RequestValidationError], Awaitable[Response]]
    not_found: Callable[[Request, NotFound], Awaitable[Response]]
    conflict: Callable[[Request, Conflict], Awaitable[Response]]
    chat_refused: Callable[[Request, ChatRefused], Awaitable[Response]]
    unavailable: Callable[[Request, Exception], Awaitable[Response]]
    failed: Callable[[Request, Exception], Awaitable[Response]]


_PROBLEMS = ErrorHandlers(
    _refused, _wrong_values, _not_found, _conflict, _chat_refused, _unavailable, _failed
)
