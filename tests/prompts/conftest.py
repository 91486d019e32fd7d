"""`scripts/test tests/prompts --update-prompts` rewrites the golden prompts instead of comparing with
them."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Known only when this folder is named, so that nobody rewrites golden prompts by the way."""
    parser.addoption(
        "--update-prompts", action="store_true", help="rewrite the golden prompts; then read the diff"
    )


@pytest.fixture
def update_prompts(request: pytest.FixtureRequest) -> bool:
    """Whether the golden prompts are to be rewritten."""
    return bool(request.config.getoption("--update-prompts", default=False))
