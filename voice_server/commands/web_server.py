"""One web process."""

import asyncio
import contextlib
from functools import partial
from typing import cast

import uvicorn

from voice_server.app import create_app
from voice_server.settings import Settings
from voice_server.webhooks.http.connections import Connections
from voice_server.webhooks.uvicorn_protocol import PreCallProtocol


def run(settings: Settings) -> bool:
    """Serve until told to stop; return whether it could start."""
    host, port = settings.address
    app = create_app(settings)
    rules = Connections(settings.request_timeout_seconds, settings.connection_limit)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",
        ws="none",
        http=cast(
            "type[asyncio.Protocol]", partial(PreCallProtocol, app.pre_call, rules)
        ),  # called like a class
        access_log=False,
        proxy_headers=False,  # nothing here asks for the peer's address; it costs 15 % of the requests
        server_header=False,
        log_config=None,
        timeout_graceful_shutdown=10,
    )
    server = uvicorn.Server(config)
    app.shutdown.told_by(lambda: server.should_exit)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    return server.started
