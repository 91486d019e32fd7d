"""Days that Chinese, Japanese and Korean texts name from today: “昨天”, “先週の月曜日”, “去年3月”.

No space tells words apart, so each pattern says what may not stand before or behind it: “以上周” is no last
week. Dates in digits alone are the same in every language (date_forms).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache

from voice_server.search.dates.date_range import (
    Span,
    about_weeks_before,
    days_before,
    months,
    months_before,
    on,
    week_before,
    weekday_before,
    weekend_before,
    years_before,
)

Place = tuple[int, int]


def named(text: str, today: date) -> Iterator[tuple[Place, Span]]:
    """Yield what a text (NFC, ASCII digits) names, and where, those first that say most: a later place may
    lie in an earlier one."""
    if not _EAST_ASIAN.search(text):
        return
    for pattern, read in _forms():
        for match in pattern.finditer(text):
            try:
                span = read({name: one for name, one in match.groupdict().items() if one}, today)
            except (ValueError, OverflowError):  # before the year 1
                span = None
            if span is not None:
                yield match.span(), span


_EAST_ASIAN = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")


def _numbers(table: str) -> dict[str, int]:
    """Map spellings to the number of their entry, from 0; `|` is between spellings, `_` a space in a
    spelling."""
    entries = enumerate(table.split())
    return {one.replace("_", " "): number for number, entry in entries for one in entry.split("|")}


_DAYS = _numbers("""
    今天|今日|本日|今晚|今晩|今夜|今早|今朝|오늘
    昨天|昨日|昨晚|昨晩|昨夜|きのう|어제|어젯밤
    前天|一昨日|おととい|그저께|그제|엊그제
    大前天|一昨々日|그끄저께
""")
_YEARS = _numbers("今年|올해|금년 去年|昨年|작년|지난해 前年|一昨年|おととし|재작년")
_COUNTS = _numbers("- 一|한 二|两|兩|두 三|세|석 四|네|넉 五|다섯 六|여섯 七|일곱 八|여덟 九|아홉 十|열")
_WEEKDAYS = _numbers("一|月|월 二|火|화 三|水|수 四|木|목 五|金|금 六|土|토 日|天|일")
# "晚上月亮" is the moon in the evening, "基本月薪" a salary.
_UP, _OWN = "(?<![晚早以马馬网網史身路街楼樓船加上])上", "(?<![日基资資成课課原根])本"
_THIS = f"(?P<this>这个?|這個?|{_OWN}|今|이번 ?)"
_LAST = f"(?:(?P<second>{_UP}上[个個]?|先々|지지난 ?)|{_UP}[个個]?|(?<![優优])先|지난 ?|저번 ?)"
_WEEK, _MONTH = "(?:周|週|星期|礼拜|禮拜|주)", "(?:月|달)"


def _either(spellings: Mapping[str, int]) -> str:
    """Keep Korean spellings from being endings of other words."""
    longest_first = sorted(spellings, key=len, reverse=True)
    return "|".join(f"(?<![가-힣]){one}" if "가" <= one[0] <= "힣" else one for one in longest_first)


def _before(named: Mapping[str, str]) -> int:
    return 0 if "this" in named else 2 if "second" in named else 1


def _day(named: Mapping[str, str], today: date) -> Span:
    return days_before(today, _DAYS[named["day"]])


def _year(named: Mapping[str, str], today: date) -> Span | None:
    year = today.year - _YEARS[named["year"]]
    if "day" in named:
        return on(year, int(named["month"]), int(named["day"]))
    if "month" in named:
        return months(year, int(named["month"]), int(named["month"]))
    return years_before(today, _YEARS[named["year"]])


def _day_of_week(named: Mapping[str, str], today: date) -> Span:
    monday = week_before(today, _before(named)).first
    return days_before(monday, -_WEEKDAYS[named["weekday"]])


def _weekend(named: Mapping[str, str], today: date) -> Span:
    return weekend_before(today, _before(named))


def _week(named: Mapping[str, str], today: date) -> Span:
    return week_before(today, _before(named))


def _month(named: Mapping[str, str], today: date) -> Span:
    return months_before(today, _before(named))


def _weekday(named: Mapping[str, str], today: date) -> Span:
    return weekday_before(today, _WEEKDAYS[named["weekday"]])


def _count(named: Mapping[str, str]) -> int:
    written = named["count"]
    return int(written) if written.isdecimal() else _COUNTS[written]


def _days_ago(named: Mapping[str, str], today: date) -> Span:
    return days_before(today, _count(named))


def _weeks_ago(named: Mapping[str, str], today: date) -> Span:
    return about_weeks_before(today, _count(named))


def _months_ago(named: Mapping[str, str], today: date) -> Span:
    return months_before(today, _count(named))


def _years_ago(named: Mapping[str, str], today: date) -> Span:
    return years_before(today, _count(named))


def _past_days(named: Mapping[str, str], today: date) -> Span:
    return Span(days_before(today, _count(named)).first, today)


_Read = Callable[[Mapping[str, str], date], Span | None]
# Not the tail of a number, nor the day of a date; counts in Korean words are no ending of another word.
_ALONE = r"(?<![\d.,一二两兩三四五六七八九十百千几幾数第月월])(?<![月월]\s)"
_SOME = rf"{_ALONE}(?P<count>\d{{1,3}}|{_either({one: n for one, n in _COUNTS.items() if n})})\s?"
_SOME_DAYS = rf"{_ALONE}(?P<count>\d{{1,3}}|[一二两兩三四五六七八九十])\s?"  # "한 일" is a thing done
_AGO = r"\s?(?:之?前(?![後后期半線线])|以前|전(?=\s|에|의|부터|까지|쯤|$|[?.,!]))"
_OF_YEAR = (
    r"(?:[のに의]?\s?(?P<month>1[0-2]|0?[1-9])\s?[月월](?![間间曜])(?:\s?(?P<day>[0-3]?\d)\s?[日號号일])?)?"
)
# A weekday is no past one behind "every" or "next"; "一周一次" is once a week, and "第3月曜日" a third
# Monday.
_NO_WEEKDAY = r"(?<![一二两兩三四五六七八九十每逢下老小\d])(?<![下每][个個])(?<!明天)"
_IN_CHINESE = (
    r"(?:[周週](?=[一二三四五六日])|星期|礼拜|禮拜)(?P<weekday>[一二三四五六日天])"
    r"(?![一二两兩三四五六七八九十个個天年月次回气氣起直共定样樣])"
)
_IN_JAPANESE = "(?P<weekday>[月火水木金土日])曜"
_IN_KOREAN = "(?P<weekday>[월화수목금토일])요일"
_SOURCES: tuple[tuple[str, _Read], ...] = (
    (f"(?<![以之])(?P<year>{_either(_YEARS)}){_OF_YEAR}", _year),
    (f"(?:{_THIS}|{_LAST}){_IN_CHINESE}", _day_of_week),
    (f"(?:{_THIS}|{_LAST})週の?{_IN_JAPANESE}", _day_of_week),
    (rf"(?:{_THIS}|{_LAST})주\s?{_IN_KOREAN}", _day_of_week),
    (rf"(?:{_THIS}|{_LAST})(?:{_WEEK}末|주말)", _weekend),
    (rf"(?:{_THIS}|{_LAST}){_WEEK}", _week),
    (rf"(?:{_THIS}|{_LAST}){_MONTH}(?!曜)", _month),
    (rf"{_SOME_DAYS}(?:天|日|(?<=\d)일|(?<=\d\s)일){_AGO}", _days_ago),
    (rf"{_SOME}(?:个|個)?(?:周|週間?|星期|礼拜|禮拜|주일?){_AGO}", _weeks_ago),
    (rf"{_SOME}(?:(?:个|個|か|ヶ|カ|ケ|箇)月|달|개월){_AGO}", _months_ago),
    (rf"{_SOME}(?:年|년|해){_AGO}", _years_ago),
    (rf"(?:最近|过去|過去)的?{_SOME_DAYS}(?:天|日間?)", _past_days),
    (rf"(?:ここ|この){_SOME_DAYS}日間", _past_days),
    (r"(?:최근|지난)\s?(?P<count>\d{1,3})일\s?[간동]", _past_days),
    (rf"(?<![以之])(?P<day>{_either(_DAYS)})(?!서야|야|날|気|氣|头条|頭條|子)", _day),
    (rf"{_NO_WEEKDAY}{_IN_CHINESE}", _weekday),
    (rf"(?<![毎第])(?<![毎来隔]週)(?<![毎来隔]週の)(?<![次度]の)(?<!第\d){_IN_JAPANESE}", _weekday),
    (
        rf"(?<!매주)(?<!매주\s)(?<!다음\s)(?<!다음\s주\s)(?<!다음주\s)(?<!내일\s)(?<!째\s){_IN_KOREAN}(?!마다)",
        _weekday,
    ),
)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], _Read], ...]:
    """Compile when a text first is East Asian."""
    return tuple((re.compile(pattern), read) for pattern, read in _SOURCES)
