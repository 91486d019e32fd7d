"""Connections of a page, which wait for Postgres as long as those of the API."""

import contextlib
from collections.abc import AsyncIterator

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request

from voice_server.api.http.dependencies import Dependencies
from voice_server.store import session


def dependencies(request: Request) -> Dependencies:
    found: Dependencies = request.app.state.dependencies
    return found


@contextlib.asynccontextmanager
async def connection(request: Request) -> AsyncIterator[AsyncConnection]:
    session.expect_answer()
    async with dependencies(request).engine.connect() as opened:
        yield opened


@contextlib.asynccontextmanager
async def transaction(request: Request) -> AsyncIterator[AsyncConnection]:
    session.expect_answer()
    async with dependencies(request).engine.begin() as opened:
        yield opened
