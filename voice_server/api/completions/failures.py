"""Every kind of error in OpenAI's shape."""

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from voice_server.api.completions import answers
from voice_server.api.http import problem
from voice_server.errors import AgentNotFound, ChatRefused, Conflict, NotFound

_NOT_FOUND = 404


def not_ready() -> Response:
    message = "Postgres or Redis does not answer. Send it again."
    return answers.refusal(503, message, "unavailable", {"retry-after": "5"})


async def _refused(request: Request, error: HTTPException) -> Response:
    if error.status_code == _NOT_FOUND:
        return answers.refusal(404, f"There is nothing at {request.url.path}.", "not_found")
    return answers.refusal(error.status_code, error.detail, "refused", error.headers)


async def _wrong_values(_request: Request, error: RequestValidationError) -> Response:
    wrong = problem.wrong_values(error)
    told = "; ".join(f"{one.where.removeprefix('body.')}: {one.detail}" for one in wrong[:3])
    return answers.refusal(400, told, "invalid_request")


async def _not_found(_request: Request, error: NotFound) -> Response:
    code = "model_not_found" if isinstance(error, AgentNotFound) else "not_found"
    return answers.refusal(404, str(error), code)


async def _conflict(_request: Request, error: Conflict) -> Response:
    return answers.refusal(409, str(error), "conflict")


async def _chat_refused(_request: Request, error: ChatRefused) -> Response:
    headers = {"retry-after": str(error.retry)} if error.retry else None
    return answers.refusal(error.status, str(error), error.code, headers)


async def _unavailable(_request: Request, error: Exception) -> Response:
    problem.check_theirs(error)
    return not_ready()


async def _failed(_request: Request, _error: Exception) -> Response:
    return answers.refusal(500, "The server failed; its log says why.", "internal")


HANDLERS = problem.ErrorHandlers(
    _refused, _wrong_values, _not_found, _conflict, _chat_refused, _unavailable, _failed
)
