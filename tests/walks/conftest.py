"""Processes of our own beside the tests' services."""

import pytest
from conftest import SECRET, TOKEN

from voice_server.settings import Settings


@pytest.fixture
def given(settings: Settings) -> dict[str, str]:
    """What such a process needs to be told."""
    return {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLATFORM_TOKEN": TOKEN,
        "ELEVENLABS_WEBHOOK_SECRET": SECRET,
        "JOB_HEARTBEAT_SECONDS": "1",
        "DATABASE_POOL": "5",
        "HOST": "127.0.0.1",
        "PRE_CALL_DEADLINE_MS": "2000",
    }
