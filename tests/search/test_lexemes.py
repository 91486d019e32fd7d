"""What is indexed of a text: the same lexemes, however a word is written, bent or typed."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voice_server.search.lexemes import called, language_of, lexemes, words


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "camping", "camped"),
        ("en-GB", "painting", "paints"),
        ("de", "Häuser", "Haus"),
        ("de-AT", "Bäume", "Baum"),
        ("fr", "les musées", "le musée"),
        ("es", "cantábamos", "cantaban"),
        ("pt-BR", "amigos", "amigo"),
        ("it", "bellissime città", "bellissima citta"),
        ("ru", "книги", "книга"),
        ("hi", "लड़कियाँ", "लड़की"),
        ("ar", "السَّلَامُ", "سلام"),
    ],
)
def test_words_are_stemmed_by_their_language(language: str, one: str, other: str) -> None:
    assert lexemes(one, language)[-1] == lexemes(other, language)[-1]


@pytest.mark.parametrize(
    ("past", "verb"),
    [
        ("went", "go"),
        ("bought", "buy"),
        ("flown", "fly"),
        ("swam", "swimming"),
        ("taught", "teach"),
        ("written", "writes"),
    ],
)
def test_irregular_pasts_are_their_verb(past: str, verb: str) -> None:
    assert lexemes(past, "en") == lexemes(verb, "en")


def test_irregular_pasts_are_english() -> None:
    assert lexemes("fell", "de") == ["fell"]  # a hide


@pytest.mark.parametrize(
    ("language", "written", "typed"),
    [
        ("fr", "café", "cafe"),
        ("es", "mañana", "manana"),
        ("", "Dvořák", "dvorak"),
        ("en", "naïve", "naive"),
        ("tr", "İstanbul", "istanbul"),
        ("ru", "ёлка", "елка"),
        ("en", "cafe\u0301", "café"),
        ("en", "ﬁsh", "fish"),
        ("he", "שָׁלוֹם", "שלום"),
    ],
)
def test_who_types_leaves_accents_out(language: str, written: str, typed: str) -> None:
    assert lexemes(written, language) == lexemes(typed, language)


def test_english_function_words_say_nothing() -> None:
    assert lexemes("What is it that you don't want to do, if I may ask?", "en") == ["want", "may", "ask"]


def test_a_possession_is_its_owner_and_any_apostrophe_is_one() -> None:
    assert lexemes("my sister’s dog", "en") == lexemes("my sister's dog", "en") == ["sister", "dog"]
    assert lexemes("Ada's", "") == lexemes("Ada", "") == ["ada"]


def test_words_keep_their_order_and_their_repetitions() -> None:
    assert lexemes("Tea, more tea and cake", "en") == ["tea", "tea", "cake"]


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("zh", "我在柏林", ["我", "我在", "在", "在柏", "柏", "柏林", "林"]),
        ("en", "we ate 点心 there", ["eat", "点", "点心", "心"]),
        ("ja", "京都のお寺", ["京", "京都", "都", "都の", "のお", "お寺", "寺"]),
        ("ko", "한국어를", ["한", "한국", "국", "국어", "어", "어를", "를"]),
        ("th", "ฝนตก", ["ฝน", "นต", "ตก"]),
        ("ja", "京", ["京"]),
        ("zh", "𠀋𠀀𠀋", ["𠀋", "𠀋𠀀", "𠀀", "𠀀𠀋", "𠀋"]),
    ],
)
def test_scripts_without_spaces_give_pairs_and_words_of_one_character(
    language: str, text: str, found: list[str]
) -> None:
    assert lexemes(text, language) == found


@pytest.mark.parametrize(
    ("language", "text"),
    [("hi", "हिन्दी में बात"), ("bn", "বাংলা ভাষা"), ("ta", "தமிழ் மொழி"), ("ar", "عَلَيْكُم"), ("he", "שָׁלוֹם")],
)
def test_vowel_signs_stay_in_their_words(language: str, text: str) -> None:
    assert len(lexemes(text, language)) == len(text.split())


def test_what_is_no_text_is_passed_over() -> None:
    assert lexemes("\ud800 cake \0 tea \udfff \x07 🎂", "en") == ["cake", "tea"]


def test_a_very_long_word_is_cut() -> None:
    [lexeme] = lexemes("x" * 100_000, "en")

    assert len(lexeme) == 64
    assert lexemes("x" * 64, "en") == [lexeme]


@given(st.text(max_size=80), st.sampled_from(("", "en", "de", "hi", "ar", "zh", "x-nonsense", "-", "\0")))
@example("\ud800'\udfff’s", "en")
@example("ﷺ½Ⅷ_ǅ", "")
def test_no_text_is_too_odd(text: str, language: str) -> None:
    for lexeme in lexemes(text, language):
        assert lexeme
        assert "\0" not in lexeme
    called(text)
    words(text, [language])
    language_of([text], "", language)


@given(st.lists(st.text(max_size=12), max_size=6), st.sampled_from(("", "en", "de", "ar")))
def test_a_text_has_the_lexemes_of_all_its_words(said: list[str], language: str) -> None:
    separate = [lexeme for word in said for lexeme in lexemes(word, language)]

    assert lexemes(" ".join(said), language) == separate


# -- who is called what


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hey Mel! How are you?", "@mel"),
        ("That is lovely, Mel.", "@mel"),
        ("Good morning Mel, look at that", "@mel"),
        ("Thank you, Mel", "@mel"),
        ("Well, José, perhaps.", "@jose"),
        ("Bye O’Brien.", "@o'brien"),
        ("Oh, Jean-Luc, no!", "@luc"),
        ("Hallo Mel!", "@mel"),
    ],
)
def test_who_is_spoken_to_stands_between_pauses(text: str, name: str) -> None:
    assert name in called(text)


@pytest.mark.parametrize(
    "text",
    [
        "I saw Mel yesterday.",
        "yes, mel, look",
        "Mel, look",
        "Well, look",
        "Mel is here",
        "the name of Mel is short",
    ],
)
def test_who_is_spoken_of_is_not_called(text: str) -> None:
    assert "@mel" not in called(text)


def test_a_name_in_a_query_may_be_called_by_a_short_form() -> None:
    [name] = [word for word in words("where did Melanie's dog go", ["en"]) if word.marks]

    assert name.lexemes == tuple(lexemes("Melanie", "en"))
    assert "@mel" in name.marks
    assert name.marks[-1] == "@melanie"
    assert "@me" not in name.marks


@pytest.mark.parametrize("name", ["Jo", "José", "O’Brien", "Jean-Luc"])
def test_a_name_in_a_query_is_the_one_somebody_is_called_by(name: str) -> None:
    marks = {mark for word in words(f"did {name} say?", ["en"]) for mark in word.marks}

    assert called(f"Hello {name}!") <= marks


def test_a_word_in_small_letters_is_no_name() -> None:
    assert not any(word.marks for word in words("where did the dog go", ["en"]))


def test_words_that_say_nothing_in_english_are_left_out_where_english_is_spoken() -> None:
    assert [word.written for word in words("the name of the dog", ["de", "en"])] == ["name", "dog"]


def test_a_character_that_is_a_word_is_found_in_a_longer_run() -> None:
    assert {"猫"} == {one for word in words("猫", ["zh"]) for one in word.lexemes} & set(
        lexemes("我养了一只猫", "zh")
    )
    assert "집" in lexemes("집에서 책을", "ko")


# -- which language


def test_the_platforms_word_on_the_language_counts_most() -> None:
    assert language_of(["Where are you going to?"], "pt-BR", "de") == "pt"


def test_english_is_recognised_and_else_it_is_the_users_language() -> None:
    assert language_of(["Where are you going to?"], "", "de") == "en"
    assert language_of(["Bahnhof Altstetten?"], "", "de-CH") == "de"
    assert language_of([], "", "") == ""
