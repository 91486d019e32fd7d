"""What tests of the store start with."""

from collections.abc import AsyncIterator

import pytest
from pretend.timeline import Timeline

from voice_server.store import session


@pytest.fixture
async def timeline(database_url: str) -> AsyncIterator[Timeline]:
    """Ada and Robin, who have not talked yet."""
    engine = session.connect(database_url, 5)
    made = Timeline(engine)
    await made.begin()
    yield made
    await engine.dispose()
