"""A text is checked once while its answer is kept, and rightly when it is not."""

import pytest

from voice_server.runtime.remembered_checks import RememberedChecks


@pytest.fixture
def checked() -> list[str]:
    return []


@pytest.fixture
def checks(checked: list[str]) -> RememberedChecks:
    def check(text: str) -> bool:
        checked.append(text)
        return "tea" in text

    return RememberedChecks(check, 2)


def test_answers_stay_right_when_there_are_more_than_are_kept(checks: RememberedChecks) -> None:
    texts = ["Ada likes tea.", "Ada moved to Lisbon.", "Ada plays chess.", "Ada likes tea."]

    assert [checks.of(text) for text in texts] == [True, False, False, True]


def test_a_text_that_comes_again_is_not_checked_again(checks: RememberedChecks, checked: list[str]) -> None:
    texts = ["Ada likes tea.", "Ada moved to Lisbon.", "Ada moved to Lisbon.", "Ada likes tea."]

    assert [checks.of(text) for text in texts] == [True, False, False, True]
    assert checked == texts[:2]


def test_any_text_has_an_answer(checks: RememberedChecks) -> None:
    assert not checks.of("half a \ud83d character")
