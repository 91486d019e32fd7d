"""What the tests of the search begin with."""

from collections.abc import AsyncIterator

import pytest
from pretend.talk import GRACE, Talk

from voice_server.store import session


@pytest.fixture
async def talk(database_url: str) -> AsyncIterator[Talk]:
    """Nothing said yet, by Ada or by Grace."""
    engine = session.connect(database_url, 5)
    yield await Talk(engine).begin(GRACE)
    await engine.dispose()
