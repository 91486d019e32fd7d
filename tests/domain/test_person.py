"""Which of the names that were heard is the one to go by."""

import pytest

from voice_server.domain.memory import Memory
from voice_server.domain.person import NOBODY, CallerName, Certainty, NameSource, best


def said(
    name: str, certainty: Certainty = "stated", source: NameSource = "said", nickname: str = ""
) -> CallerName:
    return CallerName(name, nickname, certainty, source)


def test_without_a_name_nobody_is_called_anything() -> None:
    assert best([]) == NOBODY


@pytest.mark.parametrize(
    ("heard", "name"),
    [
        ([said("Marta Klein")], "Marta Klein"),
        ([said("Marta Klein"), said("Marta")], "Marta Klein"),
        ([said("Marta"), said("Marta Klein")], "Marta Klein"),
        ([said("Marta Klein"), said("Peter Novak")], "Peter Novak"),
        ([said("Marta Klein"), said("Frau Novak", "assumed")], "Marta Klein"),
        ([said("Frau Novak", "assumed"), said("Marta Klein")], "Marta Klein"),
        ([said("Marta Kline", "corrected"), said("Marta Klein", "assumed")], "Marta Kline"),
        ([said("Marta Klein", source="platform"), said("Martha Klein")], "Marta Klein"),
        ([said("Martha Klein"), said("Marta Klein", source="platform")], "Marta Klein"),
        ([said("Marta Klein", source="platform"), said("Marta Kline", "corrected")], "Marta Kline"),
        ([said("Marta Klein", source="platform"), said("Martha Klein", source="model")], "Marta Klein"),
        ([said("Martha Klein"), said("Marta Klein", source="model")], "Marta Klein"),
        ([said("Priya", source="platform"), said("Priya Nair")], "Priya Nair"),
        ([said("Priya", source="platform"), said("Priya Nair"), said("Priya")], "Priya Nair"),
        ([said("Priya", source="platform"), said("Priya Nair", "assumed")], "Priya"),
        ([said("Priya", source="platform"), said("Priya Nair"), said("Peter Novak")], "Priya Nair"),
    ],
)
def test_the_surest_name_wins_and_of_equals_the_later(heard: list[CallerName], name: str) -> None:
    assert best(heard).name == name


def test_a_surname_with_a_title_takes_no_first_name_away() -> None:
    heard = [CallerName("Ines Castro"), CallerName("Mrs Castro", title="Mrs")]

    assert best(heard).name == "Ines Castro"


def test_a_nickname_stays_with_the_name_it_belongs_to() -> None:
    remedios = said("Remedios Quintana", nickname="Reme")

    assert best([remedios, said("Remedios Quintana")]).nickname == "Reme"
    assert best([remedios, said("Peter Novak")]).nickname == ""


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Marta Klein", "Marta"),
        ("Frau Novak", "Frau Novak"),
        ("Ms Cresswell", "Ms Cresswell"),
        ("Da Silva Moreau", "Da Silva Moreau"),
    ],
)
def test_nobody_is_called_by_a_title_or_the_beginning_of_a_surname(name: str, called: str) -> None:
    assert Memory("usr_ada", "UTC", user_name=name).called == called
