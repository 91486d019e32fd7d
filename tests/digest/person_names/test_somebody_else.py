"""Of two who share a number, each is called by their own name."""

import pytest

from voice_server.digest.person_names.somebody_else import somebody_else
from voice_server.domain.person import CallerName


@pytest.mark.parametrize(
    ("heard", "name", "nickname", "caller"),
    [
        ("Ines Halloran", "Robert Halloran", "", "Ines"),
        ("Ines", "Robert", "", "Ines"),
        ("Robert", "Robert Halloran", "", ""),
        ("Rebecca", "Bex", "Rebecca", ""),
        ("Reme", "Remedios Quintana", "", ""),
        ("Liz Hale", "Elizabeth Hale", "", ""),
        ("Mrs Halloran", "Robert Halloran", "", ""),
        ("Gaunt", "Wilfred Gant", "", ""),
        ("Ines", "", "", ""),
    ],
)
def test_who_has_another_given_name_is_somebody_else(
    heard: str, name: str, nickname: str, caller: str
) -> None:
    assert somebody_else(CallerName(heard), name, nickname) == caller


def test_what_only_the_agent_called_them_is_not_sure_enough() -> None:
    assert somebody_else(CallerName("Ines", certainty="assumed"), "Robert") == ""
    assert somebody_else(None, "Robert") == ""
