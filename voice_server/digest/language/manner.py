"""How people talk, by language: what says nothing, who is meant, what asks, what only holds for the day.

Each language is a file in `manners/`. Without one, talk is chosen by rare words, numbers and place alone.
"""

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from msgspec import Struct

from voice_server.digest.language.calendar_names import calendar
from voice_server.digest.language.language_files import languages_in
from voice_server.digest.language.pattern import compiled
from voice_server.digest.language.word_lists import word_set
from voice_server.runtime.once import once

_FOLDER = files(__package__) / "manners"
LANGUAGES = languages_in(_FOLDER)
NAMED = "@"
_NEVER = "(?!)"
_LEAD = 3  # words before “I wanted to know whether”: “hi yes um”
_BESIDE = 6  # courtesies before and after a sentence of greeting: "okay great … thanks bye"


class Manner(Struct, frozen=True):
    """How a language is talked.

    `idle` finds courtesies in words alone (lower case, no punctuation), made of `idle_words`, and `offers`
    “anything else?” behind some of these. `courtesies` are whole sentences of greeting and leave, in which
    `NAMED` stands for a name; `greetings` hold nothing else than names. `remarks` only react, `sympathy` is
    an agent's. `openers` start a sentence and say nothing, but for `yes_no` after a question; `fillers`
    stand anywhere: sounds, and words where they can mean nothing. Function words stand twice in a row only
    by stuttering, but for `doubled`, and `digits` in a number. `referring` words stand for what was named.
    `joints` go on with a sentence, `apart` with another matter. `corrections` take back the words before;
    `changes` tell that something is so no more, `unchanged` that it is as it was; `new_number` leads to a
    phone number; `passing` holds for a day, `established` for years; `supposing` finds what is not said to be
    so; `lasting` what is so whatever is asked beside it; `arrived` tells that a thing is there: “Your parcel
    is in”; `tags` ask for no more than a yes to the words before. `denials` find what another
    value takes the place of: “eighteen, not twelve”; `second_thoughts` begin with the other value; `values`
    match, by kind, a word that is one, `value` one of any kind. `topics` have one value at a time; a
    question that only asks `which` is about the one before it. What `may_ask` begins with is a question
    where a yes or no follows: “puedo llevarlo”; what `wonders` begins with asks without a mark: “I just
    wanted to know whether it came.”
    `noun_capitals`: a capital makes no name. `names` are those of the two who talk, in small letters.
    """

    function_words: frozenset[str] = frozenset()
    first_person: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    reacting: frozenset[str] = frozenset()
    idle_words: frozenset[str] = frozenset()
    referring: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    doubled: frozenset[str] = frozenset()
    digits: frozenset[str] = frozenset()
    idle: re.Pattern[str] = re.compile(_NEVER)
    offers: re.Pattern[str] = re.compile(_NEVER)
    may_ask: re.Pattern[str] = re.compile(_NEVER)
    wonders: re.Pattern[str] = re.compile(_NEVER)
    which: re.Pattern[str] = re.compile(_NEVER)
    courtesies: re.Pattern[str] = re.compile(_NEVER)
    greetings: re.Pattern[str] = re.compile(_NEVER)
    remarks: re.Pattern[str] = re.compile(_NEVER)
    sympathy: re.Pattern[str] = re.compile(_NEVER)
    fillers: re.Pattern[str] = re.compile(_NEVER)
    openers: re.Pattern[str] = re.compile(_NEVER)
    yes_no: re.Pattern[str] = re.compile(_NEVER)
    corrections: re.Pattern[str] = re.compile(_NEVER)
    denials: re.Pattern[str] = re.compile(_NEVER)
    second_thoughts: re.Pattern[str] = re.compile(_NEVER)
    values: Mapping[str, re.Pattern[str]] = {}
    value: re.Pattern[str] = re.compile(_NEVER)
    changes: re.Pattern[str] = re.compile(_NEVER)
    unchanged: re.Pattern[str] = re.compile(_NEVER)
    new_number: re.Pattern[str] = re.compile(_NEVER)
    passing: re.Pattern[str] = re.compile(_NEVER)
    established: re.Pattern[str] = re.compile(_NEVER)
    supposing: re.Pattern[str] = re.compile(_NEVER)
    lasting: re.Pattern[str] = re.compile(_NEVER)
    arrived: re.Pattern[str] = re.compile(_NEVER)
    tags: re.Pattern[str] = re.compile(_NEVER)
    topics: Mapping[str, re.Pattern[str]] = {}
    noun_capitals: bool = False
    names: frozenset[str] = frozenset()

    def is_number(self, word: str) -> bool:
        """Tell so of “14” and “fourteen”."""
        number = self.values.get("number")
        return number is not None and number.fullmatch(word) is not None


def manner(language: str) -> Manner:
    tag = language.lower().replace("_", "-").partition("-")[0]
    tag = {"eng": "en"}.get(tag, tag)
    return _read(tag) if tag in LANGUAGES else Manner()


def common_words(tag: str) -> frozenset[str]:
    """Return words that hardly a sentence is without. Unlike `manner`, compile no pattern."""
    data = _file(tag)
    return word_set(data["function_words"]) | word_set(data["idle_words"])


@once
def _read(tag: str) -> Manner:
    return _manner(_file(tag), tag)


@once
def _file(tag: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{tag}.toml").read_text("utf-8"))


def _manner(data: Mapping[str, Any], tag: str) -> Manner:
    lists = (
        "function_words",
        "first_person",
        "asking",
        "reacting",
        "idle_words",
        "referring",
        "joints",
        "apart",
        "doubled",
        "digits",
    )
    values = _values(data, tag)
    openers = rf"(?:{data['openers']})(?:[,!.…]+|\s+[-–—])\s*"
    return Manner(
        **{name: word_set(data[name]) for name in lists},
        idle=_any(data["idle"]),
        offers=compiled(data["offers"]),
        may_ask=compiled(rf"{data.get('may_ask', _NEVER)}\b"),
        wonders=compiled(rf"(?:\S+ ){{0,{_LEAD}}}?{data['wonders']}\b"),
        which=compiled(data["which"]),
        courtesies=_courtesies(data["courtesies"], data["idle_words"]),
        greetings=_greetings(data["courtesies"]),
        remarks=_idle_around(data, "remarks"),
        sympathy=_idle_around(data, "sympathy"),
        fillers=compiled(rf"(?:^|(?<=\s))(?:{data['fillers']})[,.…]*\s*", re.IGNORECASE),
        openers=compiled(openers, re.IGNORECASE),
        yes_no=compiled(rf"(?:{data['yes_no']})\b", re.IGNORECASE),
        corrections=compiled(data["corrections"], re.IGNORECASE),
        denials=_denials(data["denying"], data["but"]),
        second_thoughts=compiled(data["second_thoughts"], re.IGNORECASE),
        values={kind: compiled(pattern, re.IGNORECASE) for kind, pattern in values.items()},
        value=compiled("|".join(f"(?:{pattern})" for pattern in values.values()), re.IGNORECASE),
        changes=compiled(data["changes"], re.IGNORECASE),
        unchanged=compiled(data["unchanged"], re.IGNORECASE),
        new_number=compiled(data["new_number"], re.IGNORECASE),
        passing=compiled(data["passing"], re.IGNORECASE),
        established=compiled(rf"\b{data['established']}".replace(r"\b\b", r"\b"), re.IGNORECASE),
        supposing=compiled(data["supposing"], re.IGNORECASE),
        lasting=compiled(data["lasting"], re.IGNORECASE),
        arrived=compiled(data["arrived"], re.IGNORECASE),
        tags=compiled(rf"\W*{data['tags']}\W*", re.IGNORECASE),
        noun_capitals=data.get("noun_capitals", False),
        topics={name: _any(patterns) for name, patterns in data["topics"].items()},
    )


def _greetings(data: Mapping[str, Any]) -> re.Pattern[str]:
    said = "|".join(data["greetings"])
    return compiled(rf"(?:{said})(?: (?:{said}|{_name(data)})){{0,{_BESIDE}}}")


def _name(data: Mapping[str, Any]) -> str:
    return rf"{NAMED}|(?:{data['titles']}) \w{{2,30}}"  # "Mrs Okonkwo"


def _courtesies(data: Mapping[str, Any], idle_words: str) -> re.Pattern[str]:
    said = "|".join([*data["patterns"], *data["greetings"]]).replace("{when}", f"(?:{data['when']})")
    return _among(f"{_any_of(idle_words)}|{data['dears']}|{_name(data)}", said)


def _idle_around(data: Mapping[str, Any], table: str) -> re.Pattern[str]:
    return _among(_any_of(data["idle_words"]), "|".join(data[table]["patterns"]))


def _among(beside: str, said: str) -> re.Pattern[str]:
    return compiled(rf"(?:(?:{beside}) ){{0,{_BESIDE}}}(?:{said})(?: (?:{beside})){{0,{_BESIDE}}}")


def _denials(denying: str, but: str) -> re.Pattern[str]:
    """`instead` is the word right before, in what has no punctuation."""
    word = r"[\w'’-]{1,40}"
    before = rf"(?:^|[,;:–—]\s+|(?<!\S)(?P<instead>{word})\s+)"
    ends = rf"(?=[.!…]*$|,\s+\w|\s+(?:{but})\s)"
    return compiled(rf"{before}(?:{denying})\s+(?P<was>{word}(?:\s+{word}){{0,2}}){ends}", re.IGNORECASE)


def _values(data: Mapping[str, Any], tag: str) -> Mapping[str, str]:
    """Match a number also where it is written in one: “zweiundvierzig”."""
    numeral, joint = _any_of(data["numerals"]), _any_of(data["numeral_joints"])
    names = calendar(tag)
    return {
        "number": rf"\w*\d\w*|(?:{joint}){{0,2}}(?:{numeral})(?:{numeral}|{joint}){{0,6}}",
        "size": _any_of(data["sizes"]),
        "day": "|".join(re.split(r"[ |]", names.weekdays)),
        "month": "|".join(re.split(r"[ |]", names.months)),
    }


def _any_of(listed: str) -> str:
    return "|".join(sorted(map(re.escape, word_set(listed)), reverse=True))


def _any(patterns: list[str]) -> re.Pattern[str]:
    return compiled("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE)
