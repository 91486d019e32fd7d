"""Which of the names that were heard is the one to go by."""

import pytest

from voice_server.domain.memory import Memory
from voice_server.domain.person import NOBODY, CallerName, Certainty, NameSource, best, in_short


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


def test_somebody_else_who_speaks_between_costs_no_surname() -> None:
    heard = [said("Federica Conti"), said("Marta"), said("Federica")]

    assert best(heard).name == "Federica Conti"


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


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("la hija de teresa", "Teresa Aguirre"),
        ("le mari de madame pelletier", "Monique Pelletier"),
        ("tom baker's wife", "Tom Baker"),
        ("la fille de luis", "Luis"),
        ("filha da dona alzira", "Dona Alzira Lopes"),
    ],
)
def test_a_users_relative_is_somebody_else(said: str, name: str) -> None:
    ana = CallerName("Ana", kin_of=said)

    assert ana.is_kin_of(name)
    assert best([CallerName(name), ana]).name == name


@pytest.mark.parametrize(("said", "name"), [("leo klein's mum", "Anna Klein"), ("her husband", "Marta")])
def test_a_relative_of_others_may_be_the_user(said: str, name: str) -> None:
    assert not CallerName("", kin_of=said).is_kin_of(name)


@pytest.mark.parametrize(
    "name",
    [
        "Seu Norberto",
        "Señorita Robles",
        "Signorina Galli",
        "Mademoiselle Morel",
        "Juffrouw Smit",
        "Familie Arslan",
    ],
)
def test_a_title_is_never_told_without_its_name(name: str) -> None:
    assert in_short(name) == name


def test_a_title_that_is_told_later_goes_with_the_surname() -> None:
    heard = [CallerName("Whelan"), CallerName("Mrs Whelan", title="Mrs")]

    assert best(heard).name == "Mrs Whelan"
    assert best([*heard, CallerName("Whelan")]).name == "Mrs Whelan"


def test_a_title_goes_with_no_other_name() -> None:
    assert best([CallerName("Anna Whelan"), CallerName("Mrs Whelan", title="Mrs")]).name == "Anna Whelan"
