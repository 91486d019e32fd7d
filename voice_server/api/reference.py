"""The API's OpenAPI document, and a page to read it that fetches nothing from elsewhere."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from voice_server.api.http.problem import Problem
from voice_server.webhooks.http.local_gate import LocalGate

_DOCUMENT, _PAGE, _ASSETS = "/openapi.json", "/docs", "/docs/assets"
_ELSEWHERE_NOTHING = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
}


def routes(api: FastAPI, gate: LocalGate) -> list[BaseRoute]:
    async def openapi(request: Request) -> Response:
        return gate.refusal(request.headers) or JSONResponse(document(api))

    async def page(request: Request) -> Response:
        return gate.refusal(request.headers) or _page()

    return [
        Route(_DOCUMENT, openapi),
        Route(_PAGE, page),
        Mount(_ASSETS, StaticFiles(packages=[("fastapi_offline", "static")])),
    ]


def document(api: FastAPI) -> dict[str, Any]:
    made = api.openapi()
    _, problems = models_json_schema(
        [(Problem, "serialization")], ref_template="#/components/schemas/{model}"
    )
    made["components"]["schemas"] |= problems["$defs"]
    return made


def _page() -> Response:
    page = get_swagger_ui_html(
        openapi_url=_DOCUMENT,
        title="voice-server: the API",
        swagger_js_url=f"{_ASSETS}/swagger-ui-bundle.js",
        swagger_css_url=f"{_ASSETS}/swagger-ui.css",
        swagger_favicon_url=f"{_ASSETS}/favicon.png",
        swagger_ui_parameters={"validatorUrl": None, "persistAuthorization": False},
    )
    page.headers.update(_ELSEWHERE_NOTHING)
    return page
