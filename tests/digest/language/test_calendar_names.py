"""The names of months and weekdays, which stand once for each language."""

import pytest

from voice_server.digest.dates import date_language
from voice_server.digest.grounding import vocabulary
from voice_server.digest.language import manner
from voice_server.digest.language.calendar_names import calendar, rows
from voice_server.digest.threads.speech import phrases
from voice_server.search.dates import calendar_words

LANGUAGES = sorted({
    *date_language.languages(), *manner.LANGUAGES, *phrases.languages(), *vocabulary.LANGUAGES,
    *calendar_words.LANGUAGES,
})  # fmt: skip


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_that_is_read_names_all_months_and_weekdays(code: str) -> None:
    names = calendar(code)

    assert set(rows(names.months, 1).values()) == set(range(1, 13))
    assert set(rows(names.weekdays).values()) == set(range(7))
    assert len(names.short_months.split()) == 12
