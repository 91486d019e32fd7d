from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.digest.dates.date_context import contexts_before
from voice_server.digest.dates.dates import (
    in_full,
    is_over,
    named_days,
    names_a_day,
    possible_days,
    spoken_dates,
    upcoming,
    with_dates,
    without_dates,
)

TUESDAY = date(2026, 11, 17)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("I'll call tomorrow", date(2026, 11, 18)),
        ("I'll call tomorrow morning", date(2026, 11, 18)),
        ("the day after tomorrow we leave", date(2026, 11, 19)),
        ("I'm out tonight", TUESDAY),
        ("I'm free this afternoon", TUESDAY),
        ("see you on Friday", date(2026, 11, 20)),
        ("see you this Friday", date(2026, 11, 20)),
        ("it's due by Friday", date(2026, 11, 20)),
        ("let's meet next Tuesday", date(2026, 11, 24)),
        ("Tuesday next week works", date(2026, 11, 24)),
        ("next week on Monday works", date(2026, 11, 23)),
        ("we start next week", date(2026, 11, 23)),
        ("we start next month", date(2026, 12, 1)),
        ("we start next year", date(2027, 1, 1)),
        ("in two weeks I'm back", date(2026, 12, 1)),
        ("in 3 days I'm back", date(2026, 11, 20)),
        ("in a week I'm back", date(2026, 11, 24)),
        ("two weeks from now", date(2026, 12, 1)),
        ("a week from tomorrow", date(2026, 11, 25)),
        ("in three months", date(2027, 2, 1)),
        ("I'll come on the 23rd", date(2026, 11, 23)),
        ("it's due on the twenty-third at nine", date(2026, 11, 23)),
        ("by the twenty third.", date(2026, 11, 23)),
        ("on the fifth we move", date(2026, 12, 5)),
        ("Monday the twenty-third at nine", date(2026, 11, 23)),
        ("Monday, the 23rd", date(2026, 11, 23)),
        ("I'll be there on 20 November", date(2026, 11, 20)),
        ("we meet Nov 20th", date(2026, 11, 20)),
        ("the deadline is on Nov. 20", date(2026, 11, 20)),
        ("we're leaving November the twentieth", date(2026, 11, 20)),
        ("my appointment is the 20th of November", date(2026, 11, 20)),
        ("we fly the third of January", date(2027, 1, 3)),
        ("November 20, 2026", date(2026, 11, 20)),
        ("2026-11-20", date(2026, 11, 20)),
        ("at the end of the month", date(2026, 11, 30)),
        ("by the end of next month", date(2026, 12, 31)),
        ("by the end of the week", date(2026, 11, 20)),
        ("at the end of the year", date(2026, 12, 31)),
        ("I'm busy this weekend", date(2026, 11, 21)),
        ("we will go in March", date(2027, 3, 1)),
        ("see you on friday", date(2026, 11, 20)),
    ],
)
def test_a_day_to_come_is_resolved_against_the_day_it_was_said(words: str, day: date) -> None:
    assert upcoming(words, TUESDAY) == day


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("I saw her yesterday", date(2026, 11, 16)),
        ("I saw her the day before yesterday", date(2026, 11, 15)),
        ("I slept badly last night", date(2026, 11, 16)),
        ("I saw her last Friday", date(2026, 11, 13)),
        ("I went there on Friday", date(2026, 11, 13)),
        ("we met on the 15th", date(2026, 11, 15)),
        ("I moved here on 3 May", date(2026, 5, 3)),
        ("three days ago it rained", date(2026, 11, 14)),
    ],
)
def test_a_day_gone_by_is_found_and_is_over(words: str, day: date) -> None:
    assert [found.first for found in spoken_dates(words, TUESDAY)] == [day]
    assert is_over(words, TUESDAY)
    assert upcoming(words, TUESDAY) is None


@pytest.mark.parametrize(
    "words",
    [
        "the second time it worked",
        "on the first try",
        "in a day or two",
        "in a couple of weeks",
        "a few days ago",
        "I may 5 times",
        "we march 3 miles",
        "30 February",
        "I'm flying to Lisbon next Friday",
        "let's meet on Tuesday",
        "let's meet this Tuesday",
        "next weekend",
        "the 29th of February",
        "on 3 May",
        "in March",
        "the operation in March",
        "on Friday",
        "the 31st of June",
        "Sunday the twenty-third",
        "we finished it in two weeks",
        "my birthday party",
        "someday soon",
        "a one-week course",
        "I noted Monday",
        "2026-13-45",
    ],
)
def test_what_is_no_sure_day_is_not_resolved(words: str) -> None:
    assert not spoken_dates(words, TUESDAY)


@pytest.mark.parametrize(
    ("words", "dated"),
    [
        ("I'll call tomorrow.", "I'll call tomorrow (18 November 2026)."),
        ("We start next week.", "We start next week (week of 23 November 2026)."),
        ("We moved last month.", "We moved last month (October 2026)."),
        ("We met two weeks ago.", "We met two weeks ago (around 3 November 2026)."),
        ("I'm free this weekend.", "I'm free this weekend (21 to 22 November 2026)."),
        ("It's on 20 November 2026.", "It's on 20 November 2026."),
        ("Tomorrow, I mean tomorrow!", "Tomorrow (18 November 2026), I mean tomorrow!"),
        ("I don’t know about tomorrow", "I don’t know about tomorrow (18 November 2026)"),
        ("Nothing dated here.", "Nothing dated here."),
        ("It's been so since May.", "It's been so since May (2026)."),
        ("On 2 December I'm away.", "On 2 December I'm away."),
        ("On 5 January we fly.", "On 5 January (2027) we fly."),
        ("I fell on 3 October.", "I fell on 3 October (2026)."),
    ],
)
def test_relative_words_are_followed_by_the_date(words: str, dated: str) -> None:
    assert with_dates(words, TUESDAY) == dated


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "I'll come on 17 April, no, 18, which is on Sunday"),
        ("de", "ich komme am 17. April, nein, 18, das ist ein Sonntag"),
        ("es", "voy a llegar el 17 de abril, no, 18, que es domingo"),
        ("fr", "je vais arriver le 17 avril, non, 18, c'est dimanche"),
        ("it", "arriverò il 17 aprile, no, 18, che è domenica"),
        ("pt", "vou chegar dia 17 de abril, não, 18, que é domingo"),
        ("nl", "ik kom op 17 april, nee, 18, dat is zondag"),
    ],
)
def test_the_weekday_said_of_a_numbered_day_is_no_other_day(language: str, words: str) -> None:
    assert [found.first for found in spoken_dates(words, TUESDAY, language)] == []


def test_a_weekend_across_two_months_names_both() -> None:
    assert with_dates("I'll rest this weekend", date(2026, 10, 27)) == (
        "I'll rest this weekend (31 October to 1 November 2026)"
    )


def test_on_sunday_next_tuesday_is_two_days_away_for_some_and_nine_for_others() -> None:
    sunday = date(2026, 11, 22)

    assert upcoming("we meet next Tuesday", sunday) is None
    assert {first for first, _ in possible_days("we meet next Tuesday", sunday)} == {
        date(2026, 11, 24),
        date(2026, 12, 1),
    }


def test_where_weeks_begin_on_monday_next_tuesday_said_on_sunday_is_in_two_days() -> None:
    assert upcoming("wir sehen uns nächsten Dienstag", date(2026, 11, 22), "de-AT") == date(2026, 11, 24)


def test_the_end_of_the_week_said_on_saturday_is_what_is_left_of_it() -> None:
    assert with_dates("I'll call at the end of the week", date(2026, 11, 21)) == (
        "I'll call at the end of the week (21 to 22 November 2026)"
    )


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("tomorrow", date(2027, 1, 1)),
        ("next month", date(2027, 1, 1)),
        ("we meet on the 2nd", date(2027, 1, 2)),
        ("we meet on 3 January", date(2027, 1, 3)),
        ("next week", date(2027, 1, 4)),
        ("we will move in January", date(2027, 1, 1)),
    ],
)
def test_the_year_ends(words: str, day: date) -> None:
    assert upcoming(words, date(2026, 12, 31)) == day


def test_a_text_without_its_dates_keeps_the_rest() -> None:
    assert without_dates("I'm flying to Lisbon on Friday at nine", TUESDAY) == "I'm flying to Lisbon  at nine"


def test_beyond_the_calendar_nothing_is_resolved() -> None:
    assert not spoken_dates("tomorrow and next week and in 99 years", date.max)
    assert not spoken_dates("yesterday", date.min)


FUTURE = st.sampled_from(
    [
        "tomorrow", "tonight", "next week", "next month", "next year", "I'll come on Friday", "next Sunday",
        "I'll come this Monday", "in two weeks", "in 30 days", "in a month", "I'll come on the 31st",
        "it's due on the first.", "I'll come on 20 November", "we'll marry on 29 February",
        "at the end of the month", "by the end of the week", "I'll rest this weekend", "next weekend",
        "we will go in June", "see you Tuesday", "the day after tomorrow", "by Friday",
        "I'll come Friday the thirteenth",
    ]
)  # fmt: skip
ORDINARY_DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))


@given(FUTURE, ORDINARY_DAYS)
def test_what_is_to_come_never_lies_before_the_day_it_was_said(words: str, said: date) -> None:
    for found in spoken_dates(words, said):
        assert found.first <= found.last
        assert found.last >= said
    day = upcoming(words, said)
    assert day is None or said <= day <= said + timedelta(days=366 * 8)


@given(st.lists(st.one_of(FUTURE, st.text(max_size=12)), max_size=6).map(" ".join), st.dates())
def test_no_text_on_no_day_raises(words: str, said: date) -> None:
    dated = with_dates(words, said)
    assert len(dated) >= len(words)
    found = spoken_dates(words, said)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("said", "full"),
    [
        ("I leave tomorrow.", "I leave on 18 November 2026."),
        ("Yesterday I went to the sea.", "On 16 November 2026 I went to the sea."),
        ("I went there last week.", "I went there in the week of 9 November 2026."),
        ("We flew last night.", "We flew on the night of 16 November 2026."),
        ("Since last year I swim.", "Since 2025 I swim."),
        ("I moved it to next Tuesday.", "I moved it to 24 November 2026."),
        ("I come back in two weeks.", "I come back around 1 December 2026."),
        ("Today's match was good.", "17 November 2026's match was good."),
        ("The last weekend was fine.", "The last weekend (14 to 15 November 2026) was fine."),
        ("I went on 3 November 2026.", "I went on 3 November 2026."),
    ],
)
def test_a_date_in_full_takes_the_place_of_a_relative_one_where_that_is_grammar(said: str, full: str) -> None:
    assert in_full(said, TUESDAY) == full


ANY_LANGUAGE = st.sampled_from(["en", "de-CH", "es_MX", "fr", "it", "pt-BR", "nl", "", "xx", "ja"])
PIECES = st.sampled_from(
    [
        "am 3. mai",
        "le 31",
        "el viernes",
        "na sexta",
        "vrijdag",
        "01.02.2026",
        "99/99/9999",
        "in",
        "seit",
        "’",
        "İ",
        "ﬁ",
        "\n",
    ]
)


@given(
    st.lists(st.one_of(PIECES, FUTURE, st.text(max_size=12)), max_size=6).map(" ".join),
    st.dates(),
    ANY_LANGUAGE,
)
def test_no_text_in_no_language_raises(words: str, said: date, language: str) -> None:
    for found in spoken_dates(words, said, language):
        assert 0 <= found.start < found.end <= len(words)
        assert found.first <= found.last
    assert len(with_dates(words, said, language)) >= len(words)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("I'll pick up the Easter cards on Monday.", date(2026, 11, 23)),
        ("I'll see you before Christmas, on Monday at ten.", date(2026, 11, 23)),
        ("I'll ring you on Friday about the Easter holiday.", date(2026, 11, 20)),
    ],
)
def test_a_feast_that_is_only_spoken_of_takes_no_day_away(words: str, day: date) -> None:
    assert [one.first for one in spoken_dates(words, date(2026, 11, 17))] == [day]


def test_what_is_certain_is_possible() -> None:
    assert possible_days("we met on Friday", TUESDAY) == [
        (date(2026, 11, 13), date(2026, 11, 13)),
        (date(2026, 11, 20), date(2026, 11, 20)),
    ]


def test_in_a_language_that_is_not_read_nothing_is_found() -> None:
    assert not spoken_dates("tomorrow", TUESDAY, "fi")


@pytest.mark.parametrize(
    ("words", "dated", "language"),
    [
        ("Ich rufe morgen an.", "Ich rufe morgen (18 November 2026) an.", "de"),
        ("ich komme am freitag", "ich komme am freitag (20 November 2026)", "de"),
        ("Vuelvo el viernes.", "Vuelvo el viernes (20 November 2026).", "es-ES"),
        ("elle a son anniversaire le 9 mars", "elle a son anniversaire le 9 mars", "fr"),
    ],
)
def test_dates_stand_behind_the_words_of_any_language(words: str, dated: str, language: str) -> None:
    assert with_dates(words, TUESDAY, language) == dated


@pytest.mark.parametrize(
    ("language", "words", "day"),
    [
        ("en", "I was there on Monday, no, on Friday", 13),
        ("de", "Ich war am Montag da, äh nein, am Freitag", 13),
        ("es", "Llego el lunes, perdón, el viernes", 20),
        ("fr", "J'arriverai lundi, euh, non, vendredi", 20),
        ("it", "Arrivo lunedì, anzi, venerdì", 20),
        ("pt", "Vou na segunda, não, na sexta", 20),
        ("nl", "Ik kom maandag, nee wacht, vrijdag", 20),
    ],
)
def test_a_day_that_is_taken_back_has_no_date_and_the_one_in_its_place_has(
    language: str, words: str, day: int
) -> None:
    assert with_dates(words, TUESDAY, language) == f"{words} ({day} November 2026)"


def test_a_day_that_is_only_said_again_is_not_taken_back() -> None:
    assert with_dates("Friday? No problem, Friday works.", TUESDAY) == (
        "Friday? No problem, Friday (20 November 2026) works."
    )


def test_the_weekday_settles_the_year() -> None:
    assert spoken_dates("Thursday the 14th of January", TUESDAY)[0].first == date(2027, 1, 14)


def test_a_date_whose_weekday_is_another_is_none() -> None:
    assert not spoken_dates("I'll come on Monday, 20 November 2026", TUESDAY)


def test_what_could_not_be_done_on_a_weekday_may_be_past_or_to_come() -> None:
    assert with_dates("I couldn't make it on Tuesday", TUESDAY) == "I couldn't make it on Tuesday"
    assert with_dates("I can't make it on Friday", TUESDAY).endswith("Friday (20 November 2026)")


def test_a_long_text_without_an_end_is_read() -> None:
    text = "i will come on friday and she was there on monday, " * 400

    assert len(spoken_dates(text, TUESDAY)) == 800


@pytest.mark.parametrize(
    ("said", "language"),
    [("we meet next Friday", "en"), ("wir sehen uns am Freitag", "de"), ("nos vemos el viernes", "es")],
)
def test_words_name_a_day_even_if_it_is_not_certain_which(said: str, language: str) -> None:
    assert names_a_day(said, language)


@pytest.mark.parametrize(
    ("said", "language"), [("my sister painted the fence", "en"), ("we meet next Friday", "sw")]
)
def test_words_that_name_no_day_that_is_read(said: str, language: str) -> None:
    assert not names_a_day(said, language)


_UNDATED = {
    "en": "we were ahead and then in the of at third 3rd 2nd 12 4.50 3/4 floor version Dr. Hill St. down ten",
    "de": "wir lagen zurück im die zweite 3. 4,50 3/4 Stock Version Nr. und bei zehn Euro Haus",
    "es": "íbamos perdiendo en la segundo 3 12 4,50 3/4 piso versión y con diez euros casa número",
    "fr": "on perdait dans la deuxième 3 12 4,50 3/4 étage version et avec dix euros maison numéro",
    "it": "eravamo sotto nel la secondo 3 12 4,50 3/4 piano versione e con dieci euro casa numero",
    "pt": "estávamos a perder no o a segundo 3 12 4,50 3/4 andar versão e com dez euros casa número",
    "nl": "we stonden achter in de het tweede 3e 12 4,50 3/4 verdieping versie en met tien euro huis nummer",
}


@pytest.mark.parametrize("language", _UNDATED)
@given(data=st.data())
def test_numbers_without_a_word_of_the_calendar_get_no_date(language: str, data: st.DataObject) -> None:
    said = data.draw(st.lists(st.sampled_from(_UNDATED[language].split()), min_size=1, max_size=12))

    assert with_dates(" ".join(said), TUESDAY, language) == " ".join(said)


@pytest.mark.parametrize(
    ("words", "language", "dated"),
    [
        ("En décembre. Le samedi 12, ça irait ?", "fr", "Le samedi 12 (12 December 2026)"),
        ("We fly on the 30th of November and come back on the 4th.", "en", "on the 4th (4 December 2026)"),
    ],
)
def test_a_number_is_a_day_of_the_month_just_named(words: str, language: str, dated: str) -> None:
    assert dated in with_dates(words, TUESDAY, language)


def test_the_same_number_said_in_full_just_behind_says_which_month() -> None:
    words = "El 20 de febrero. Ay, no, el 27, el 27 de febrero."

    assert "(27 November" not in with_dates(words, TUESDAY, "es")


def test_a_weekday_and_its_number_are_no_day_gone_by_unless_one_looks_back() -> None:
    october = date(2026, 10, 8)

    assert with_dates("Le samedi 12, ça irait ?", october, "fr") == "Le samedi 12, ça irait ?"
    assert "(12 September 2026)" in with_dates("We met on Saturday the 12th.", october)


def test_the_reply_says_which_month_is_meant() -> None:
    said = [(0, "It's been moved to the 19th.", TUESDAY), (1, "Yes, the 19th of January.", TUESDAY)]
    first, _ = contexts_before(said, "en")

    assert "(19 January 2027)" in with_dates(said[0][1], TUESDAY, before=first)


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "We see her doctor on Monday.", "On the 23rd?"),
        ("de", "Am Montag haben wir den Termin.", "Am dreiundzwanzigsten?"),
        ("fr", "On a rendez-vous lundi.", "Le 23, c'est ça ?"),
    ],
)
def test_a_number_that_fits_the_weekday_just_named_is_that_day(
    language: str, first: str, second: str
) -> None:
    """Whichever month was spoken of: “from January on I work days”."""
    said = [(0, "In January.", TUESDAY), (1, first, TUESDAY), (2, second, TUESDAY)]
    before = list(contexts_before(said, language))[2]

    assert {day for day, _ in possible_days(second, TUESDAY, language, before)} == {date(2026, 11, 23)}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "from the 1st of December, no wait, the third, the 1st is a Tuesday"),
        ("it", "dal primo dicembre... anzi no, aspetti, dal tre, che il primo è martedì"),
    ],
)
def test_what_only_says_why_a_day_is_taken_back_is_no_day(language: str, said: str) -> None:
    assert date(2026, 12, 1) not in {one.first for one in spoken_dates(said, TUESDAY, language)}
    assert date(2026, 12, 1) not in named_days(said, TUESDAY, language)


@pytest.mark.parametrize(
    "said",
    [
        "he says were to be out by the end of january",
        "were getting married in june",
        "yeah were all going to spain in february",
        "so were moving in march",
        "my wife was told shed start in february",
        "i was told theyll ring in january",
    ],
)
def test_a_recognisers_were_without_anybody_before_it_looks_back_nowhere(said: str) -> None:
    assert [found.first for found in spoken_dates(said, TUESDAY, "en") if found.first < TUESDAY] == []


@pytest.mark.parametrize(
    "said",
    ["we were getting married in june", "the kids were ill in october", "they were to start in march"],
)
def test_were_of_somebody_looks_back(said: str) -> None:
    assert [found.first < TUESDAY for found in spoken_dates(said, TUESDAY, "en")] == [True]


@pytest.mark.parametrize("has", ["ive got", "weve got", "hes got", "I've got"])
def test_what_somebody_has_got_to_do_is_not_past(has: str) -> None:
    said = f"thursday morning please {has} the dentist at two"

    assert [found.first for found in spoken_dates(said, TUESDAY, "en") if found.first < TUESDAY] == []


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("i signed up for the ged test in march", "en"),
        ("I got us two tickets for the opera in March.", "en"),
        ("ich habe Karten für das Konzert am 3. März gekauft", "de"),
        ("j'ai acheté des places pour le concert en mars", "fr"),
        ("me inscribí en el maratón de abril", "es"),
        ("ho comprato i biglietti per il concerto di marzo", "it"),
        ("ik heb me ingeschreven voor het examen in maart", "nl"),
        ("inscrevi-me no curso em março", "pt"),
    ],
)
def test_what_somebody_put_their_name_down_for_is_not_over(said: str, language: str) -> None:
    assert with_dates(said, TUESDAY, language) == said


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Saturday the sixteenth at ten", "en"),
        ("Samstag den sechzehnten um zehn", "de"),
        ("le samedi seize à dix heures", "fr"),
        ("el sábado dieciséis a las diez", "es"),
        ("sabato sedici alle dieci", "it"),
        ("zaterdag de zestiende om tien uur", "nl"),
        ("sábado dia dezasseis às dez", "pt"),
    ],
)
def test_a_weekday_and_its_number_name_the_first_such_day_of_the_coming_months(
    said: str, language: str
) -> None:
    assert [day.first for day in spoken_dates(said, TUESDAY, language)] == [date(2027, 1, 16)]


@pytest.mark.parametrize(
    ("language", "feast", "said"),
    [
        ("en", "A room over New Year, please.", "From the 30th to the 1st."),
        ("de", "Ein Zimmer über Silvester, bitte.", "Vom 30. bis zum 1."),
        ("it", "Vorrei prenotare per Capodanno.", "Dal 30 al 1."),
        ("fr", "Une chambre pour le réveillon.", "Du 30 au 1."),
        ("es", "Una habitación para Nochevieja.", "Del 30 al 1."),
    ],
)
def test_days_at_the_turn_of_the_year_are_of_december(language: str, feast: str, said: str) -> None:
    texts = [(0, feast, TUESDAY), (1, "?", TUESDAY), (2, said, TUESDAY)]
    *_, before = contexts_before(texts, language)

    assert [(one.first, one.last) for one in spoken_dates(said, TUESDAY, language, before)] == [
        (date(2026, 12, 30), date(2027, 1, 1))
    ]


@pytest.mark.parametrize(
    ("language", "offered", "reply"),
    [
        ("en", "Tuesday the fifteenth of December?", "Could we do Thursday instead?"),
        ("de", "Dienstag, den 15. Dezember?", "Ginge auch Donnerstag?"),
        ("fr", "Le mardi 15 décembre ?", "On peut mettre jeudi plutôt ?"),
        ("nl", "Dinsdag 15 december?", "Kan donderdag ook?"),
    ],
)
def test_behind_a_day_weeks_ahead_a_weekday_may_be_of_its_week(
    language: str, offered: str, reply: str
) -> None:
    *_, of_its_week = contexts_before([(0, offered, TUESDAY), (1, reply, TUESDAY)], language)

    assert spoken_dates(reply, TUESDAY, language, of_its_week) == ()
    assert [day.first for day in spoken_dates(reply, TUESDAY, language)] == [date(2026, 11, 19)]


@pytest.mark.parametrize(
    "said", ["The plumber will come on Thursday.", "Shall we do a lesson on Thursday at four?"]
)
def test_a_weekday_of_another_matter_is_the_coming_one(said: str) -> None:
    *_, before = contexts_before([(0, "It's on the 15th of December.", TUESDAY), (1, said, TUESDAY)], "en")

    assert [day.first for day in spoken_dates(said, TUESDAY, "en", before)] == [date(2026, 11, 19)]


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [
        ("en", "from Friday the 11th of December to Sunday", [date(2026, 12, 11), date(2026, 12, 13)]),
        ("de", "von Freitag, dem 11. Dezember bis Sonntag", [date(2026, 12, 11), date(2026, 12, 13)]),
        ("nl", "vrijdag 11 december tot en met zondag", [date(2026, 12, 11), date(2026, 12, 13)]),
        ("es", "del viernes 11 de diciembre al domingo", [date(2026, 12, 11), date(2026, 12, 13)]),
        ("it", "sabato 5 dicembre fino a martedì", [date(2026, 12, 5), date(2026, 12, 8)]),
    ],
)
def test_a_weekday_that_ends_a_span_is_the_next_one_behind_its_begin(
    language: str, text: str, days: list[date]
) -> None:
    assert [one.first for one in spoken_dates(text, TUESDAY, language)] == days


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Perfect, Friday the 27th, till Monday!"),
        ("fr", "Vendredi 27, à lundi !"),
        ("es", "El viernes 27, hasta el lunes."),
        ("en", "Please move my appointment from Friday the 27th to Monday."),
        ("es", "Pásalo del viernes 27 al lunes."),
    ],
)
def test_a_weekday_that_may_end_no_span_is_not_told(language: str, text: str) -> None:
    assert [one.first for one in spoken_dates(text, TUESDAY, language)] == [date(2026, 11, 27)]


def test_what_the_next_sentence_says_ends_no_span() -> None:
    found = spoken_dates("It's Friday the 27th. Till Monday!", TUESDAY, "en")

    assert [one.first for one in found] == [date(2026, 11, 27), date(2026, 11, 23)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Any room over Christmas? The twenty-third to the twenty-eighth."),
        ("de", "Haben Sie über Weihnachten was frei? Wir kommen am 28. um drei."),
        ("es", "¿Hay sitio en Navidad? El 28 nos vamos."),
        ("fr", "Vous avez de la place à Noël ? On part le 28."),
        ("it", "C'è posto a Natale? Arriviamo il 28 alle tre."),
        ("nl", "Is er plek met kerst? Op de 28e gaan we weg."),
        ("pt", "Há lugar no Natal? No dia 28 vamos embora."),
    ],
)
def test_a_day_without_a_month_near_christmas_may_be_of_december(language: str, text: str) -> None:
    assert date(2026, 12, 28) in {first for first, _ in possible_days(text, TUESDAY, language)}
    assert spoken_dates(text, TUESDAY, language) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Five on the Saturday at seven thirty."),
        ("en", "And the Saturday we'll leave for now."),
        ("en", "I had to drop the Tuesday run."),
        ("es", "bueno pues el jueves a qué hora"),
        ("es", "los domingos no abrimos el lunes"),
        ("pt", "Ela pediu pra confirmar dia três."),
    ],
)
def test_a_day_that_may_be_another_is_not_told(language: str, said: str) -> None:
    assert with_dates(said, date(2026, 11, 26), language) == said


def test_what_is_said_in_a_month_stays_in_it() -> None:
    said = ["I want a room for the 4th of December.", "So the 5th to the 6th?", "The 4th to the 6th."]
    texts = [(place, text, date(2026, 11, 1)) for place, text in enumerate(said)]

    *_, last = contexts_before(texts, "en")

    assert [one.day for one in last.days] == [date(2026, 12, 4), date(2026, 12, 6)]


@pytest.mark.parametrize(
    ("language", "before", "said"),
    [
        ("en", "It came in October, yes.", "From the 6th to the 8th, then."),
        ("de", "Seit Oktober, ja.", "Vom 6. bis zum 8., dann."),
        ("es", "En octubre, sí.", "Del 6 al 8, entonces."),
        ("fr", "En octobre, oui.", "Du 6 au 8, donc."),
        ("it", "Arrivata a ottobre, sì.", "Dal 6 all'8, allora."),
        ("nl", "In oktober, ja.", "Van de 6e tot de 8e, dan."),
        ("pt", "Em outubro, sim.", "Do 6 ao 8, então."),
    ],
)
def test_the_month_before_this_one_is_not_next_years(language: str, before: str, said: str) -> None:
    *_, last = contexts_before([(0, before, date(2026, 11, 26)), (1, said, date(2026, 11, 26))], language)

    assert "2027" not in with_dates(said, date(2026, 11, 26), language, last)


def test_a_weekday_is_no_day_that_was_named_without_it() -> None:
    said = ["Er kommt am 7. Dezember heim.", "Schön.", "Erinnere mich am Montag an den Antrag."]
    texts = [(place, text, date(2026, 11, 25)) for place, text in enumerate(said)]

    *_, last = contexts_before(texts, "de")

    assert with_dates(said[-1], date(2026, 11, 25), "de", last) == said[-1]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "I found out about Friday: they fetch you"),
        ("en", "we lost the last one the next is friday"),
        ("en", "I had an answer from them they're ringing me friday"),
        ("de", "das war ein fehler ich erstatte es ihnen im dezember"),
        ("de", "das letzte haben wir verloren das nächste ist freitag"),
        ("es", "he preguntado por lo del viernes, la recogen a las ocho"),
        ("es", "fue un error le devuelvo doce euros en diciembre"),
        ("fr", "c'était une erreur je vous rembourse en décembre"),
        ("it", "ho saputo di venerdì: viene la signora"),
        ("it", "è stato un errore le rimborso dodici euro a dicembre"),
        ("pt", "foi um erro devolvo-lhe doze euros em dezembro"),
        ("pt", "a prova já foi a outra é sexta"),
        ("nl", "ik heb navraag gedaan over vrijdag, u wordt opgehaald"),
        ("nl", "dat was een fout ik betaal u in december terug"),
        ("de", "das hab ich vergessen ich steck's am freitag in die tasche"),
        ("es", "se me pasó la meto en la mochila el viernes"),
        ("fr", "j'ai oublié je le mets dans le sac vendredi"),
        ("it", "me ne sono dimenticata lo metto nello zaino venerdì"),
        ("nl", "dat ben ik vergeten ik stop het vrijdag in de tas"),
        ("pt", "esqueci-me meto-a na mochila na sexta"),
        ("es", "desde diciembre"),
        ("pt", "desde sexta"),
    ],
)
def test_a_verb_of_the_past_that_is_not_the_days_makes_no_past_of_it(language: str, words: str) -> None:
    assert not is_over(words, TUESDAY, language)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "she saw the doctor yesterday on thursday she has choir"),
        ("de", "ich war heute morgen beim arzt am donnerstag spielt mein bruder das endspiel"),
        ("de", "wir haben gestern eingekauft donnerstag hat er prüfung"),
        ("nl", "ik ben vanmorgen bij de dokter geweest donderdag speelt mijn broer de finale"),
        ("es", "he ido esta mañana al médico el jueves mi hija tiene coro"),
        ("fr", "j'y suis allée ce matin jeudi mon frère joue la finale"),
        ("it", "ci sono andata stamattina giovedì mio fratello fa la finale"),
        ("it", "nicolò oggi non è venuto ha l'esame di guida giovedì"),
        ("pt", "almoçámos com ela ontem na quinta ela tem coro"),
    ],
)
def test_a_verb_of_the_past_with_its_own_day_makes_no_past_of_the_next(language: str, words: str) -> None:
    assert "(12 November" not in with_dates(words, TUESDAY, language)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "today i feel better i fell on thursday"),
        ("de", "heute bin ich zu hause er kam am donnerstag"),
        ("nl", "vandaag gaat het beter ik ben donderdag gevallen"),
        ("es", "hoy estoy mejor me caí el jueves"),
        ("fr", "aujourd'hui ça va mieux je suis tombée jeudi"),
        ("it", "oggi sto meglio sono caduta giovedì"),
        ("pt", "hoje estou melhor caí na quinta"),
        ("pt", "esqueci-me do lenço aí na quinta"),
    ],
)
def test_a_verb_of_the_past_behind_another_day_makes_its_own_past(language: str, words: str) -> None:
    assert "(12 November" in with_dates(words, TUESDAY, language)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "they told me he came on friday"),
        ("de", "ich war froh er kam am freitag"),
        ("de", "gestern war ich krank und am freitag war er da"),
        ("es", "se me rompió el viernes"),
        ("fr", "j'étais contente il est venu vendredi"),
        ("it", "mi ha chiamato venerdì"),
        ("pt", "ela me ligou na sexta"),
        ("nl", "hij is vrijdag gekomen"),
        ("es", "saqué la foto el viernes"),
        ("it", "ho visto lo zio venerdì"),
        ("es", "vivo aquí desde diciembre"),
    ],
)
def test_a_verb_of_the_past_behind_its_subject_makes_the_day_past(language: str, words: str) -> None:
    assert is_over(words, TUESDAY, language)


@pytest.mark.parametrize(
    ("language", "words", "said", "days"),
    [
        ("es", "el miércoles que viene tengo médico", TUESDAY, [date(2026, 11, 25)]),
        ("es", "el viernes que viene tengo médico", TUESDAY, [date(2026, 11, 20)]),
        (
            "it",
            "sabato che viene ho l'oculista",
            date(2026, 11, 20),
            [date(2026, 11, 28)],
        ),
        ("nl", "aanstaande woensdag kom ik", TUESDAY, [date(2026, 11, 18)]),
    ],
)
def test_a_weekday_to_come_is_not_tomorrow(language: str, words: str, said: date, days: list[date]) -> None:
    assert [first for first, _ in possible_days(words, said, language)] == days


KITTENS = [
    ("en", "The kittens come at the beginning of December.", "I'll ask you after the 24th."),
    ("de", "Die Kätzchen kommen Anfang Dezember.", "Ich frage Sie dann am vierundzwanzigsten."),
    ("es", "Los gatitos nacen a principios de diciembre.", "Le pregunto después del 24."),
    ("fr", "Les petits sont attendus pour début décembre.", "Je vous demanderai après le 24."),
    ("it", "I gattini nascono a inizio dicembre.", "Le chiedo dopo il 24."),
    ("nl", "De kittens komen begin december.", "Ik vraag het u op de 24e."),
    ("pt", "Os gatinhos nascem no início de dezembro.", "Pergunto-lhe depois do dia 24."),
]


@pytest.mark.parametrize(("language", "named", "said"), KITTENS)
def test_a_number_long_after_another_month_may_be_of_either(language: str, named: str, said: str) -> None:
    *_, soon = contexts_before([(0, named, TUESDAY), (2, said, TUESDAY)], language)
    *_, later = contexts_before([(0, named, TUESDAY), (6, said, TUESDAY)], language)
    meant = {first for first, _ in possible_days(said, TUESDAY, language, later)}

    assert date(2026, 11, 24) not in {one.first for one in spoken_dates(said, TUESDAY, language, soon)}
    assert meant >= {date(2026, 11, 24), date(2026, 12, 24)}
    assert spoken_dates(said, TUESDAY, language, later) == ()


NEXT_WEEKEND = [
    ("en", "Tom can't make it tomorrow after all. He's coming next weekend."),
    ("de", "Tom kann morgen doch nicht. Er kommt jetzt am nächsten Wochenende."),
    ("es", "Tom no puede mañana. Viene el próximo fin de semana."),
    ("fr", "Tom ne peut pas demain. Il vient le week-end prochain."),
    ("it", "Tom domani non può. Viene il prossimo fine settimana."),
    ("nl", "Tom kan morgen niet. Hij komt volgend weekend."),
    ("pt", "O Tom não pode amanhã. Vem no próximo fim de semana."),
]


@pytest.mark.parametrize(("language", "said"), NEXT_WEEKEND)
def test_next_weekend_beside_a_day_of_this_one_is_the_next(language: str, said: str) -> None:
    friday, tuesday = date(2026, 11, 20), date(2026, 11, 17)

    assert with_dates(said, friday, language).endswith(" (28 to 29 November 2026).")
    assert "22 November" not in with_dates(said, tuesday, language)


@pytest.mark.parametrize(("language", "said"), NEXT_WEEKEND)
def test_next_weekend_said_after_a_day_of_this_one_is_the_next(language: str, said: str) -> None:
    friday = date(2026, 11, 20)
    texts = [(0, sentence, friday) for sentence in said.split(". ")]
    *_, before = contexts_before(texts, language)

    assert with_dates(texts[-1][1], friday, language, before).endswith(" (28 to 29 November 2026).")


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("en", "Next Thursday at eight?", "Friday would be better."),
        ("de", "Nächsten Donnerstag um acht?", "Freitag wäre besser."),
        ("es", "¿El próximo jueves a las ocho?", "El viernes sería mejor."),
        ("fr", "Jeudi prochain à huit heures ?", "Vendredi, ce serait mieux."),
        ("it", "Giovedì prossimo alle otto?", "Venerdì sarebbe meglio."),
        ("nl", "Volgende donderdag om acht uur?", "Vrijdag zou beter zijn."),
        ("pt", "Na próxima quinta às oito?", "Na sexta seria melhor."),
    ],
)
def test_a_weekday_beside_one_of_next_week_may_be_of_either(language: str, asked: str, answer: str) -> None:
    said = [(0, asked, TUESDAY), (1, answer, TUESDAY)]
    _, context = contexts_before(said, language)

    assert with_dates(answer, TUESDAY, language, context) == answer


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "My mother turns eighty on Sunday."),
        ("en", "Max turns 9 on Sunday."),
        ("de", "Meine Mutter wird am Sonntag achtzig."),
        ("es", "Mi madre cumple ochenta el domingo."),
        ("fr", "Ma mère fête ses quatre-vingts ans dimanche."),
        ("it", "Mia madre compie ottant'anni domenica."),
        ("nl", "Mijn moeder wordt zondag tachtig."),
    ],
)
def test_who_turns_an_age_on_a_weekday_does_so_on_the_coming_one(language: str, said: str) -> None:
    assert [found.first for found in spoken_dates(said, TUESDAY, language)] == [date(2026, 11, 22)]


@pytest.mark.parametrize(
    ("language", "wished", "offered"),
    [
        ("en", "The week after, maybe Tuesday?", "I've moved you to Wednesday at half eight."),
        ("de", "in der woche drauf vielleicht dienstag", "Ich habe Sie auf Mittwoch halb neun umgetragen."),
        ("es", "La semana siguiente, ¿el martes?", "La he cambiado al miércoles a las ocho."),
        ("fr", "La semaine d'après, mardi ?", "Je vous ai déplacée à mercredi huit heures."),
        ("it", "La settimana dopo, martedì?", "L'ho spostata a mercoledì alle otto."),
        ("nl", "De week erna, dinsdag misschien?", "Ik heb u op woensdag om acht uur gezet."),
        ("pt", "Na semana seguinte, terça?", "Mudei-a para quarta às oito."),
    ],
)
def test_of_the_week_after_another_no_weekday_has_a_day(language: str, wished: str, offered: str) -> None:
    _, before = contexts_before([(0, wished, TUESDAY), (1, offered, TUESDAY)], language)

    assert spoken_dates(wished, TUESDAY, language) == ()
    assert spoken_dates(offered, TUESDAY, language, before) == ()
    assert spoken_dates(offered, TUESDAY, language), "without the week it has one"
