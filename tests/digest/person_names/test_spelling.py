"""Words spelled letter by letter are read, whatever stands for a letter."""

import pytest

from voice_server.digest.person_names.lexicon import lexicon
from voice_server.digest.person_names.spelling import spelled


@pytest.mark.parametrize(
    ("language", "said", "word"),
    [
        ("de", "S wie Siegfried, T wie Theodor, R wie Richard, A wie Anton, N, D wie Dora", "strand"),
        ("de", "s wie siegfried a wie anton m wie martha", "sam"),
        ("en", "S as in sugar, M as in mike, I as in india, double T", "smitt"),
        ("nl", "S van Simon, M van Maria, I van Izaak, dubbel T", "smitt"),
        ("fr", "L comme Louis, U comme Ursule, deux N, A comme Anatole", "lunna"),
        ("it", "R come Roma, O come Otranto, due S, I come Imola", "rossi"),
    ],
)
def test_a_word_stands_for_its_letter_and_a_double_for_two(language: str, said: str, word: str) -> None:
    known = lexicon(language)

    assert known is not None
    assert spelled(said, known) == [word]
