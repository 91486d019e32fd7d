"""A text that turns round what was said, in its own words, is noticed; whatever else it says is not judged here."""

import pytest

from voice_server.digest.polarity import is_opposed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The caller hates coffee.", "I love coffee."),
        ("The caller likes mornings.", "I really dislike mornings."),
        ("The caller doesn't like mornings.", "I like mornings."),
        ("The caller is not allergic to nuts.", "I'm allergic to nuts, so careful."),
        ("The caller is allergic to nuts.", "No, I'm not allergic to nuts."),
        ("The caller can't swim.", "I can swim."),
        ("The caller can drive.", "I’m unable to drive."),
        ("The caller does not eat meat.", "I eat meat every day."),
        ("The caller smokes.", "I stopped smoking."),
        ("The caller drinks coffee with sugar.", "I drink my coffee without sugar."),
    ],
)
def test_what_is_turned_round_is_opposed(text: str, said: str) -> None:
    assert is_opposed(text, [said])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The caller loves coffee.", "I love coffee."),
        ("The caller enjoys coffee.", "I like coffee."),
        ("The caller doesn't like mornings.", "I hate mornings."),
        ("The caller is unable to drive.", "I cannot drive."),
        ("The caller stopped smoking.", "I quit smoking."),
        ("The caller likes dogs.", "I don't dislike dogs."),
        ("The caller likes tea.", "I hate to say it, tea is great."),
        ("The caller hates her job.", "I love my sister but I hate my job."),
        ("The caller sings in a choir.", "Don't you sing in a choir?"),
        ("The caller moved to Lisbon.", "I moved to Lisbon and don't miss Porto."),
        ("Maria moved to Lisbon.", "I can't believe Maria moved to Lisbon!"),
        ("The caller lives with their sister, Maria.", "My sister Maria doesn't live far away."),
        ("The caller can't wait to see Maria.", "I can't wait to see Maria."),
        ("The caller flies to Bath.", "I don't know when I'll fly to Bath."),
    ],
)
def test_what_is_not_is_left_alone(text: str, said: str) -> None:
    assert not is_opposed(text, [said])


def test_what_was_said_both_ways_is_left_alone() -> None:
    assert not is_opposed("The caller hates coffee.", ["I love coffee.", "Well, I hate coffee at night."])
