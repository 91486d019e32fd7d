from voice_server.digest.language.stems import content_stems, word_count


def test_words_of_one_family_share_a_stem() -> None:
    assert content_stems("Running runners run") == ["run", "runner", "run"]


def test_function_words_are_no_content() -> None:
    assert content_stems("It’s what I’ve been to and they'd be") == []


def test_other_languages_keep_their_words() -> None:
    assert content_stems("Die Läufer laufen", english=False) == ["die", "läufer", "laufen"]


def test_scripts_without_spaces_have_length() -> None:
    assert word_count("金曜日の予約") == 4
