"""The days that a query names, asked on Tuesday 17 November 2026."""

from collections.abc import Collection
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voice_server.search.dates.calendar_words import LANGUAGES
from voice_server.search.dates.date_query import spans
from voice_server.search.dates.date_range import Span

TODAY = date(2026, 11, 17)


def days(text: str, today: date = TODAY, talk: Collection[str] = ()) -> list[str]:
    """What a text names, as `first..last`, or one day; asked in talk of these languages."""
    return [
        f"{one.first}..{one.last}" if one.first != one.last else f"{one.first}"
        for one in spans(text, today, talk)
    ]


def in_languages(table: str) -> list[tuple[str, str, str]]:
    """Cases out of lines `named: de text, text | fr text, …`: language, text and what it names."""
    lines = (line.partition(": ") for line in table.strip().splitlines())
    texts = (
        (named.strip(), part.strip().partition(" ")) for named, _, parts in lines for part in parts.split("|")
    )
    return [
        (language, text.strip(), named) for named, (language, _, some) in texts for text in some.split(",")
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What happened in March?", "2026-03-01..2026-03-31"),
        ("in November", "2026-11-01..2026-11-30"),
        ("last November", "2025-11-01..2025-11-30"),
        ("in December", "2025-12-01..2025-12-31"),
        ("in February 2024", "2024-02-01..2024-02-29"),
        ("March 2023", "2023-03-01..2023-03-31"),
        ("since Sept.", "2026-09-01..2026-09-30"),
        ("in mid-June", "2026-06-01..2026-06-30"),
        ("by the end of May", "2026-05-01..2026-05-31"),
    ],
)
def test_a_month_without_a_year_is_the_latest_that_has_begun(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("7 May 2023", "2023-05-07"),
        ("on May 7th, 2023", "2023-05-07"),
        ("the 3rd of June", "2026-06-03"),
        ("on Dec 24", "2025-12-24"),
        ("2023-05-07", "2023-05-07"),
        ("17 November", "2026-11-17"),
        ("18 November", "2025-11-18"),
        ("on 3 Jan at 7:30", "2026-01-03"),
        ("at 18:30 on May 5", "2026-05-05"),
        ("at 18:30 May 5", "2026-05-05"),
    ],
)
def test_a_date_is_one_day_that_has_been(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("on Monday", "2026-11-16"),
        ("on Tuesday", "2026-11-10"),
        ("last Wednesday", "2026-11-11"),
        ("Saturday or Sunday", "2026-11-14 2026-11-15"),
    ],
)
def test_a_weekday_is_the_latest_before_today(text: str, named: str) -> None:
    assert sorted(days(text)) == named.split()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("today", "2026-11-17"),
        ("yesterday", "2026-11-16"),
        ("last night", "2026-11-16"),
        ("the day before yesterday", "2026-11-15"),
        ("this week", "2026-11-16..2026-11-22"),
        ("last week", "2026-11-09..2026-11-15"),
        ("last weekend", "2026-11-14..2026-11-15"),
        ("last month", "2026-10-01..2026-10-31"),
        ("this year", "2026-01-01..2026-12-31"),
        ("last year", "2025-01-01..2025-12-31"),
        ("in 2023", "2023-01-01..2023-12-31"),
    ],
)
def test_times_are_counted_from_today(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("three days ago", "2026-11-14"),
        ("a couple of days ago", "2026-11-15"),
        ("two weeks ago", "2026-10-31..2026-11-06"),
        ("a month ago", "2026-10-01..2026-10-31"),
        ("14 months ago", "2025-09-01..2025-09-30"),
        ("2 years ago", "2024-01-01..2024-12-31"),
    ],
)
def test_the_longer_ago_the_less_exact(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("in the spring", "2026-03-01..2026-05-31"),
        ("last summer", "2026-06-01..2026-08-31"),
        ("in autumn 2024", "2024-09-01..2024-11-30"),
        ("last winter", "2025-12-01..2026-02-28"),
        ("in winter 2023", "2023-12-01..2024-02-29"),
    ],
)
def test_a_season_is_three_months(text: str, named: str) -> None:
    assert days(text) == [named]


def test_the_29th_of_february_is_that_of_the_latest_leap_year() -> None:
    assert days("on 29 February") == ["2024-02-29"]
    assert days("on 29 February", date(2024, 2, 29)) == ["2024-02-29"]
    assert days("on 29 February", date(2024, 2, 28)) == ["2020-02-29"]
    assert days("on 29 February", date(1904, 1, 1)) == ["1896-02-29"]


@pytest.mark.parametrize("text", ["31 February", "April 31st", "00 May", "39 June"])
def test_a_day_that_never_was_is_none(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "May I ask who may call?",
        "the march through the town",
        "in Mayfair",
        "by Augusta",
        "She will fall if she sits in the sun",
        "Sundays, mon ami, decorate",
        "room 12, at 10:30",
        "tomorrow",
        "",
    ],
)
def test_words_that_only_look_like_a_time_name_none(text: str) -> None:
    assert days(text) == []


def test_what_is_read_once_is_not_read_again() -> None:
    assert days("the 3rd of June 2025") == ["2025-06-03"]
    assert days("2025-06-03") == ["2025-06-03"]


def test_all_days_that_are_named_count() -> None:
    assert sorted(days("1 March 2023 or 5 April")) == ["2023-03-01", "2026-04-05"]


def test_case_does_not_matter_and_letters_that_look_alike_are_others() -> None:
    assert days("IN MARCH") == days("in march")
    assert days("on ſunday, in ſept") == []  # in Unicode a long s is an s written otherwise


@pytest.mark.parametrize(
    ("language", "text", "named"),
    in_languages(
        """
        2026-03-01..2026-03-31: de im März | fr en mars, au mois de mars | es en marzo | it a marzo | pt em março | nl in maart
        2026-05-01..2026-05-31: de Anfang Mai | fr fin mai | es desde mayo | it di maggio | pt até maio | nl sinds mei
        2026-11-01..2026-11-30: de im November, im Nov. | fr en novembre | es en noviembre | it a novembre | pt em novembro
        2025-12-01..2025-12-31: de im Dezember | fr en décembre | es en diciembre | it a dicembre | nl in december
        2025-11-01..2025-11-30: de letzten November | fr novembre dernier | it lo scorso novembre | nl afgelopen november
        2024-02-01..2024-02-29: de Februar 2024 | fr février 2024 | es febrero de 2024 | it nel febbraio 2024 | nl in februari 2024
        """
    ),
)
def test_a_month_is_read_in_other_languages(language: str, text: str, named: str) -> None:
    assert days(text, talk=[language]) == [named]


@pytest.mark.parametrize(
    ("language", "text", "named"),
    in_languages(
        """
        2023-05-07: de am 7. Mai 2023, 7.Mai 2023 | fr le 7 mai 2023 | es el 7 de mayo de 2023, 7 de mayo del 2023
        2023-05-07: it il 7 maggio 2023 | pt no dia 7 de maio de 2023 | nl op 7 mei 2023
        2026-05-01: de am 1. Mai, am ersten Mai | fr le 1er mai, le premier mai | es el primero de mayo | it il 1° maggio
        2026-05-01: it il primo maggio | pt 1º de maio | nl de eerste mei
        2025-11-18: de 18. November | fr le 18 novembre | es 18 de noviembre | it 18 novembre | pt 18 de novembro
        2024-01-03: de 3. Jan. 2024 | fr 3 janv. 2024 | es 3 ene 2024 | it 3 gen. 2024 | pt 3 jan 2024 | nl 3 jan. 2024
        2026-05-05: de am Dienstag dem 5. Mai | fr le mardi 5 mai | es el martes 5 de mayo | it martedì 5 maggio
        """
    ),
)
def test_a_date_is_read_in_other_languages(language: str, text: str, named: str) -> None:
    assert days(text, talk=[language]) == [named]


@pytest.mark.parametrize(
    ("language", "text", "named"),
    in_languages(
        """
        2026-11-10: de am Dienstag, letzten Dienstag | fr mardi, mardi dernier | es el martes, el martes pasado
        2026-11-10: it martedì, martedì scorso | pt na terça-feira, terça passada, na terça | nl dinsdag, op dinsdag
        2026-11-15: de am Sonntag | fr dimanche | es el domingo | it domenica | pt no domingo | nl zondag
        """
    ),
)
def test_a_weekday_is_read_in_other_languages(language: str, text: str, named: str) -> None:
    assert days(text, talk=[language]) == [named]


@pytest.mark.parametrize(
    ("language", "text", "named"),
    in_languages(
        """
        2026-11-17: de heute | fr aujourd'hui, aujourd’hui | es hoy | it oggi, stamattina | pt hoje | nl vandaag
        2026-11-16: de gestern Abend | fr hier soir | es ayer, anoche | it ieri | pt ontem | nl gisteren, gisteravond
        2026-11-15: de vorgestern | fr avant-hier | es anteayer, antes de ayer | it l'altro ieri | pt anteontem | nl eergisteren
        2026-11-09..2026-11-15: de letzte Woche | fr la semaine dernière | es la semana pasada | it la settimana scorsa
        2026-11-09..2026-11-15: pt na semana passada | nl vorige week
        2026-11-16..2026-11-22: de diese Woche | fr cette semaine | es esta semana | it questa settimana | nl deze week
        2026-11-14..2026-11-15: de letztes Wochenende | fr le week-end dernier | es el fin de semana pasado | nl vorig weekend
        2026-10-01..2026-10-31: de im letzten Monat | fr le mois dernier | es el mes pasado | it lo scorso mese | pt mês passado
        2025-01-01..2025-12-31: de letztes Jahr | fr l'année dernière, l'an dernier | es el año pasado | it l'anno scorso
        2025-01-01..2025-12-31: pt no ano passado | nl vorig jaar
        2026-01-01..2026-12-31: de dieses Jahr | fr cette année | es este año | it quest'anno | pt este ano | nl dit jaar
        2026-11-14..2026-11-17: de die letzten drei Tage | fr les trois derniers jours | es los últimos tres días
        2026-11-14..2026-11-17: it gli ultimi 3 giorni | pt os últimos três dias | nl de afgelopen drie dagen
        """
    ),
)
def test_times_are_counted_from_today_in_other_languages(language: str, text: str, named: str) -> None:
    assert days(text, talk=[language]) == [named]


@pytest.mark.parametrize(
    ("language", "text", "named"),
    in_languages(
        """
        2026-11-14: de vor drei Tagen, vor ein paar Tagen | fr il y a 3 jours | es hace tres días | it tre giorni fa
        2026-11-14: it qualche giorno fa | pt há três dias, três dias atrás | nl drie dagen geleden
        2026-10-31..2026-11-06: de vor zwei Wochen | fr il y a deux semaines | es hace dos semanas | it due settimane fa
        2026-10-31..2026-11-06: pt há duas semanas | nl twee weken geleden
        2026-10-01..2026-10-31: de vor einem Monat | fr il y a un mois | es hace un mes | it un mese fa | pt faz um mês
        2024-01-01..2024-12-31: de vor 2 Jahren | fr il y a 2 ans | es hace 2 años | it 2 anni fa | nl 2 jaar geleden
        """
    ),
)
def test_how_long_ago_is_read_in_other_languages(language: str, text: str, named: str) -> None:
    assert days(text, talk=[language]) == [named]


@pytest.mark.parametrize(
    ("language", "text", "named"),
    in_languages(
        """
        2026-06-01..2026-08-31: de im Sommer, letzten Sommer | fr cet été, l'été dernier | es en verano, el verano pasado
        2026-06-01..2026-08-31: it d'estate, l'estate scorsa | pt no verão | nl in de zomer, vorige zomer
        2024-12-01..2025-02-28: de im Winter 2024 | fr l'hiver 2024 | es en invierno de 2024 | it nell'inverno 2024
        """
    ),
)
def test_a_season_is_read_in_other_languages(language: str, text: str, named: str) -> None:
    assert days(text, talk=[language]) == [named]


@pytest.mark.parametrize(
    ("language", "text", "named"),
    in_languages(
        """
        -: de Herr Mai ruft an, jeden Dienstag, der Dienstagabend, der Märzhase, am 31. Februar, so. und mo.
        -: fr les photos de Mars, sur Mars, j'ai été malade, le mardi, chaque mardi, les mardis, le mardi 31 février
        -: es los martes, cada martes, el mar, Julio vino, el 31 de abril
        -: it ogni martedì, il martedì, ha due anni, la sua età, Marzo è un cognome
        -: pt a segunda vez, na segunda vez, uma quinta, o Marco, 5 out of 10
        -: nl Mei Ling, elke dinsdag, de derde week
        """
    ),
)
def test_other_words_of_a_language_are_no_time(language: str, text: str, named: str) -> None:
    assert (days(text, talk=[language]) or ["-"]) == [named]


@pytest.mark.parametrize(
    ("language", "text", "plain"),
    [
        ("de", "im März", "im marz"),
        ("fr", "en février", "EN FEVRIER"),
        ("fr", "l'année dernière", "l annee derniere"),
        ("es", "el sábado", "el sabado"),
        ("it", "martedì", "martedi"),
        ("pt", "há duas semanas", "ha duas semanas"),
        ("pt", "em março", "em marc\u0327o"),
    ],
)
def test_accents_may_be_missing_or_written_apart(language: str, text: str, plain: str) -> None:
    assert days(plain, talk=[language]) == days(text, talk=[language]) != []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("2023年5月7日", "2023-05-07"),
        ("她在2023年5月7号说了什么", "2023-05-07"),
        ("5月7日に何を話しましたか", "2026-05-07"),
        ("12月31日", "2025-12-31"),
        ("２０２３年５月７日", "2023-05-07"),
        ("2023年5月", "2023-05-01..2023-05-31"),
        ("5月份", "2026-05-01..2026-05-31"),
        ("2023年", "2023-01-01..2023-12-31"),
        ("2023년 5월 7일", "2023-05-07"),
    ],
)
def test_dates_of_east_asia_are_read_in_any_talk(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("named", "texts"),
    [
        ("2026-11-17", "今天 我今天早上说了什么 今日の会議 오늘_뭐라고_했어 今晚"),
        ("2026-11-16", "昨天 我昨天说的餐厅 昨日は何を話した きのう 어제_만난_사람 昨晚 어젯밤"),
        ("2026-11-15", "前天 一昨日の話 おととい 그저께 그제"),
        ("2026-11-14", "大前天"),
        ("2026-11-09..2026-11-15", "上周 上星期 上個禮拜 先週の電話 지난주 지난_주에 저번_주"),
        ("2026-11-02..2026-11-08", "上上周 上上个星期 先々週 지지난주"),
        ("2026-11-16..2026-11-22", "这周 本周 這個星期 今週 이번_주 이번주에"),
        ("2026-11-14..2026-11-15", "上周末 先週末 지난_주말"),
        ("2026-10-01..2026-10-31", "上个月 上個月 上月 先月 지난달 지난_달에"),
        ("2026-11-01..2026-11-30", "这个月 本月 今月 이번_달"),
        ("2025-01-01..2025-12-31", "去年 昨年の旅行 작년 지난해"),
        ("2024-01-01..2024-12-31", "前年 一昨年 おととし 재작년"),
        ("2026-01-01..2026-12-31", "今年 올해"),
        ("2025-03-01..2025-03-31", "去年3月 昨年の3月 작년_3월에"),
        ("2025-05-07", "去年5月7日 昨年5月7日 작년_5월_7일"),
        ("2026-11-11", "上周三 上星期三我们谈了什么 先週の水曜日 先週水曜 지난주_수요일"),
        ("2026-11-15", "上周日 上星期天 先週の日曜日 지난주_일요일"),
        ("2026-11-16", "周一 星期一 礼拜一 月曜日に話した店 월요일에 这周一"),
        ("2026-11-10", "星期二 火曜日 화요일"),
        ("2026-11-14", "3天前 三天前 3日前 3일_전"),
        ("2026-10-31..2026-11-06", "两周前 两个星期前 2週間前 두_주_전 2주_전"),
        ("2026-08-01..2026-08-31", "三个月前 3か月前 3ヶ月前 세_달_전 3개월_전"),
        ("2024-01-01..2024-12-31", "两年前 2年前 2년_전"),
        ("2026-11-12..2026-11-17", "最近5天 过去五天 過去5日間 この5日間 최근_5일간 지난_5일_동안"),
    ],
)
def test_days_are_counted_back_from_today_in_chinese_japanese_and_korean(named: str, texts: str) -> None:
    assert {text: days(text.replace("_", " ")) for text in texts.split()} == {
        text: [named] for text in texts.split()
    }


@pytest.mark.parametrize(
    "text",
    [
        "一周一次",
        "每周三",
        "下周三",
        "下个星期五",
        "毎週月曜日",
        "来週の月曜日",
        "매주 월요일",
        "다음 주 월요일",
        "晚上月亮很圆",
        "以上月份",
        "日本週刊誌",
        "优先月度目标",
        "周三次",
        "그제서야",
        "以前天気がよかった",
        "三个人前面",
        "十三天前",
        "二十年前",
        "几十年前",
        "1.5年前",
        "내가 한 일 전부",
        "중요한 일 전에",
        "한일전",
        "두 달 전화",
        "세일 전",
        "2年前期",
        "그제야",
        "以前天天下雨",
        "以前年轻的时候",
        "영어제목",
        "제작년도",
        "とうきょう",
        "今日头条",
        "老周一起来",
        "网上周杰伦",
        "身上周围",
        "基本月薪",
        "资本周转",
        "每个星期一",
        "每逢周五",
        "毎月曜日",
        "毎週の月曜日",
        "隔週金曜",
        "월요일마다",
        "다음 월요일",
        "次の月曜日",
        "今度の金曜日",
        "明天星期三",
        "내일 월요일",
        "지난 15일에",
        "この三日月",
        "九百年以上前の話",
    ],
)
def test_what_is_no_past_day_in_east_asia_names_none(text: str) -> None:
    assert days(text) == []


def test_the_day_of_a_week_is_not_the_week_too() -> None:
    assert days("上周三和昨天") == ["2026-11-11", "2026-11-16"]
    assert days("上周天气怎么样") == days("上周一起吃饭") == ["2026-11-09..2026-11-15"]


def test_a_date_is_no_count_of_days() -> None:
    assert days("2023年5月7日之前") == ["2023-05-07"]
    assert days("3月3日前に") == ["2026-03-03"]
    assert days("5월 3일 전에") == ["2026-05-03"]


@pytest.mark.parametrize(
    "text",
    [
        "5个月",
        "令和5年",
        "3月間",
        "2月31日",
        "15月",
        "平成30年5月1日",
        "98年5月",
        "第3月曜日",
        "去年2月31日",
    ],
)
def test_other_numbers_of_east_asia_are_no_dates(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("7.5.2023", "2023-05-07"),
        ("am 07.05.2023", "2023-05-07"),
        ("13/5/2023", "2023-05-13"),
        ("5/13/2023", "2023-05-13"),
        ("5/5/2023", "2023-05-05"),
        ("13-5-2023", "2023-05-13"),
    ],
)
def test_a_date_in_numbers_is_a_day_where_it_shows_which(text: str, named: str) -> None:
    assert days(text) == [named]


def test_with_slashes_the_day_is_first_where_everybody_writes_it_so() -> None:
    assert days("7/5/2023", talk=["fr"]) == ["2023-05-07"]
    assert days("7/5/2023", talk=["en", "fr"]) == ["2023-01-01..2023-12-31"]
    assert days("what was on 7/5/2023", talk=["fr"]) == ["2023-01-01..2023-12-31"]
    assert days("7/5/2023", talk=["pl"]) == ["2023-01-01..2023-12-31"]


def test_a_german_date_may_leave_out_the_year() -> None:
    assert days("am 7.5.", talk=["de"]) == ["2026-05-07"]
    assert days("Fassung 7.5.", talk=["de"]) == []


@pytest.mark.parametrize(
    "text",
    ["im März", "am Montag", "mardi dernier", "el domingo", "vorige week", "il 7 maggio", "em março", "ieri"],
)
def test_what_can_be_nothing_else_is_read_in_any_talk(text: str) -> None:
    assert days(text, talk=["en"]) == days(text, talk=LANGUAGES) != []


@pytest.mark.parametrize(
    "text",
    [
        "Mardi Gras",
        "7 Mars bars",
        "2 Mai Tais",
        "Domingo sings",
        "Cinco de Mayo",
        "Ayer",
        "won 5 out.",
        "I am Jan.",
        "I am April",
        "begin April",
        "confide in Mei",
        "in estate planning",
    ],
)
def test_a_name_or_a_word_elsewhere_is_not_read_in_english_talk(text: str) -> None:
    assert days(text, talk=["en"]) == []


def test_a_query_is_read_in_the_language_it_looks_to_be_in() -> None:
    assert days("¿Qué dijo ella ayer?", talk=["en"]) == ["2026-11-16"]
    assert days("Wer war hier?", talk=["de", "fr"]) == []
    assert days("When did they go to the Mardi Gras?", talk=["fr"]) == []


def test_in_talk_of_another_language_english_is_read_as_ever() -> None:
    assert days("last Tuesday", talk=["de"]) == days("last Tuesday")
    assert days("in March 2023", talk=["it", "pt"]) == days("in March 2023")


def test_a_language_may_be_told_with_its_country() -> None:
    assert days("hier", talk=["fr-CA"]) == ["2026-11-16"]


_PARTS = st.sampled_from(
    """in on last this the of a two 999 31 29 1 0001 9999 2026 - -02-29 st th , . day days week weeks weekend month years
    ago yesterday tonight before monday ſunday february march may mar. dec winter fall summer 2099-12-31 ٣ \0 \ud800
    am 7. 31. im März le mardi jeden hier il_y_a vor 999 Jahren fa hace años semana pasada derniers jours estate l' na_terça
    去年 年 5月 13/ 31.2.2023 00/00/2000 12月 日 º ﬁ ſ İ""".replace("_", " ").split(" ")
)
_TEXTS = st.one_of(st.text(max_size=60), st.lists(_PARTS, max_size=10).map(" ".join))


_TALK = st.lists(st.sampled_from([*LANGUAGES, "", "pl", "pt-BR"]), max_size=3)


@given(_TEXTS, st.dates(), _TALK)
@example("last year, last winter, last week, 999 weeks ago and yesterday", date.min, [])
@example("this week, in winter and on 31 December", date.max, [])
@example("letztes Jahr, letzte Woche, vor 999 Wochen, letzten Winter und gestern", date.min, ["de"])
def test_any_text_names_days_in_order_or_none(text: str, today: date, talk: list[str]) -> None:
    for span in spans(text, today, talk):
        assert isinstance(span, Span)
        assert span.first <= span.last
