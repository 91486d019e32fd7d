"""A text is judged once while its verdict is kept, and judged right when it is not."""

import pytest

from voice_server.runtime.verdicts import Verdicts


@pytest.fixture
def judged() -> list[str]:
    return []


@pytest.fixture
def verdicts(judged: list[str]) -> Verdicts:
    def judge(text: str) -> bool:
        judged.append(text)
        return "tea" in text

    return Verdicts(judge, 2)


def test_verdicts_stay_right_when_there_are_more_than_are_kept(verdicts: Verdicts) -> None:
    texts = ["Ada likes tea.", "Ada moved to Lisbon.", "Ada plays chess.", "Ada likes tea."]

    assert [verdicts.of(text) for text in texts] == [True, False, False, True]


def test_a_text_that_comes_again_is_not_judged_again(verdicts: Verdicts, judged: list[str]) -> None:
    texts = ["Ada likes tea.", "Ada moved to Lisbon.", "Ada moved to Lisbon.", "Ada likes tea."]

    assert [verdicts.of(text) for text in texts] == [True, False, False, True]
    assert judged == texts[:2]


def test_any_text_has_a_verdict(verdicts: Verdicts) -> None:
    assert not verdicts.of("half a \ud83d character")
