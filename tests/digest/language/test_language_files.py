"""A language that has a file is read: none is passed over because a list does not name it."""

from collections.abc import Collection
from importlib.resources import files

import pytest

from voice_server.digest.grounding import vocabulary
from voice_server.digest.language import manner
from voice_server.digest.secrets import lexicon

LISTED = [
    ("digest.language", "manners", manner.LANGUAGES),
    ("digest.grounding", "vocabularies", vocabulary.LANGUAGES),
    ("digest.grounding", "stances", vocabulary.LANGUAGES),
    ("digest.secrets", "phrases", lexicon.LANGUAGES),
]


@pytest.mark.parametrize(("package", "folder", "listed"), LISTED, ids=[folder for _, folder, _ in LISTED])
def test_each_file_of_a_folder_is_of_a_language_that_is_listed(
    package: str, folder: str, listed: Collection[str]
) -> None:
    found = files(f"voice_server.{package}").joinpath(folder).iterdir()

    assert {file.name for file in found} == {f"{code}.toml" for code in listed}
