"""A language that has a file is read: none is passed over because a list does not name it."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

import voice_server
from voice_server.digest.analysis import wording
from voice_server.digest.dates import date_language
from voice_server.digest.grounding import stance, vocabulary
from voice_server.digest.language import manner
from voice_server.digest.language.language_files import languages_in
from voice_server.digest.person_names.lexicon import languages
from voice_server.digest.privacy import forget_patterns
from voice_server.digest.secrets import lexicon, situation_phrases
from voice_server.digest.threads.speech import phrases

PACKAGE = Path(voice_server.__path__[0])
READ: Mapping[str, Collection[str]] = {
    "digest/analysis/phrases": wording.languages(),
    "digest/dates/date_phrases": date_language.languages(),
    "digest/grounding/stances": stance.LANGUAGES,
    "digest/grounding/vocabularies": vocabulary.LANGUAGES,
    "digest/language/manners": manner.LANGUAGES,
    "digest/person_names/phrases": languages(),
    "digest/privacy/forget": {one.tag for one in forget_patterns.languages()},
    "digest/secrets/phrases": lexicon.LANGUAGES,
    "digest/secrets/situations": situation_phrases.LANGUAGES,
    "digest/threads/speech/languages": phrases.languages(),
}
# Of these every file is read, whatever its name.
READ_WHOLE = {
    "context/screening/instruction_phrases",
    "context/screening/order_phrases",
    "digest/language/calendars",
}


@pytest.mark.parametrize("folder", READ)
def test_each_language_that_has_a_file_is_read(folder: str) -> None:
    assert {f"{code}.toml" for code in READ[folder]} == {
        file.name for file in (PACKAGE / folder).glob("*.toml")
    }


def test_every_folder_of_languages_is_one_of_these() -> None:
    found = {str(file.parent.relative_to(PACKAGE)) for file in PACKAGE.rglob("en.toml")}

    assert found == READ.keys() | READ_WHOLE


def test_a_new_file_is_a_new_language(tmp_path: Path) -> None:
    for name in ("en.toml", "pl.toml", "given_names.txt", "numbers.py"):
        (tmp_path / name).touch()

    assert languages_in(tmp_path) == ("en", "pl")
