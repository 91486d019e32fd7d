"""Of two who share a number, each is called by their own name."""

from importlib.resources import files

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
        ("Peggy", "Margaret Hale", "", ""),
        ("Pepe", "José Luis Vega", "", ""),
        ("Luis", "José Luis Vega", "", ""),
        ("Carl", "Karl Huber", "", ""),
        ("Anna Maria", "Maria Rossi", "", ""),
        ("Hans", "Johannes Brandt", "", ""),
    ],
)
def test_who_has_another_given_name_is_somebody_else(
    heard: str, name: str, nickname: str, caller: str
) -> None:
    assert somebody_else(CallerName(heard), name, nickname) == caller


def test_every_name_in_short_stands_beside_another() -> None:
    text = files("voice_server.digest.person_names").joinpath("phrases", "pet_names.txt").read_text("utf-8")
    lines = [line.split() for line in text.splitlines()]

    assert all(len(set(line)) == len(line) > 1 for line in lines)


def test_what_only_the_agent_called_them_is_not_sure_enough() -> None:
    assert somebody_else(CallerName("Ines", certainty="assumed"), "Robert") == ""
    assert somebody_else(None, "Robert") == ""


def test_a_users_relative_speaks_under_their_own_name_or_none() -> None:
    nico, nobody = CallerName("Nico", kin_of="el novio de caro"), CallerName("", kin_of="el novio de caro")

    assert somebody_else(nico, "Caro Bianchi") == "Nico"
    assert somebody_else(nobody, "Caro Bianchi") == "Somebody else"
    assert somebody_else(nobody, "Lucía Vega") == ""
