"""A note as a claim, with absolute dates and a topic, as a digest without a model has them.

Pure. Topics are found in the first person, as people speak; a note is put back into it for that.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Literal

from voice_server.context.layout.formatting import MONTHS
from voice_server.context.screening.hygiene import neutralise
from voice_server.digest.dates.dates import in_full, spoken_dates, upcoming
from voice_server.digest.language.manner import manner
from voice_server.digest.rules.topics import topic_of
from voice_server.domain.fact import About, Claim

Kind = Literal["fact", "preference", "contact", "commitment", "relationship"]
_SALIENCE: Mapping[Kind, float] = {
    "fact": 0.6,
    "preference": 0.6,
    "contact": 0.7,
    "commitment": 0.8,
    "relationship": 0.6,
}
_ABOUT: Mapping[Kind, About] = {"relationship": "relationship"}
_CERTAINTY = 0.9  # the model heard it; nobody has checked it against the transcript
_TOLD = re.compile(
    r"""^(?:(?:The\ |the\ )?(?:[Cc]aller|[Uu]ser|[Cc]ustomer)
    |[Ss]?[Hh]e|[Tt]hey|[A-Z][\w-]+(?:\ [A-Z][\w-]+)?)\ +
    (?P<between>(?:(?:now|just|recently|finally|currently)\ +)*)(?P<verb>\w+)\b""",
    re.VERBOSE,
)
_FIRST_PERSON = {"lives": "live", "works": "work", "has": "have"}
_MONTH_OF_YEAR = re.compile(rf"\b(?:in|since) (?P<month>{'|'.join(MONTHS)}),? (?P<year>(?:19|20)\d\d)\b")
_SAID_TWICE = re.compile(
    r"\b(?P<full>(?:on )?(?P<day>\d{1,2} [A-Z][a-z]+) \d{4}),? (?:(?P=full)|(?P=day)\b(?! \d{4}))"
)


def claim(text: str, kind: Kind, today: date) -> Claim:
    """Return an empty text when the note has nothing in it. `today` is when the user made the note."""
    told, about = wording(text, today), _ABOUT.get(kind, "user")
    topic = topic_of(_first_person(told), manner("en")) if about == "user" else ""
    return Claim(
        about,
        told,
        today,
        topic=topic,
        certainty=_CERTAINTY,
        salience=_SALIENCE[kind],
        valid_from=_since(told, today) if topic else None,
        due=upcoming(told, today) if kind == "commitment" else None,
    )


def wording(text: str, today: date) -> str:
    """Return the words that are kept: “tomorrow” becomes a date."""
    return _SAID_TWICE.sub(r"\g<full>", in_full(neutralise(text), today))


def is_worded(kept: str, said_on: date, given: Iterable[str]) -> bool:
    return any(kept == wording(text, said_on) for text in given)


def _first_person(text: str) -> str:
    """Turn “The caller lives in Porto” into “I live in Porto”."""
    found = _TOLD.match(text)
    if found is None:
        return text
    verb = _FIRST_PERSON.get(found["verb"], found["verb"])
    return f"I {found['between']}{verb}{text[found.end() :]}"


def _since(text: str, today: date) -> date | None:
    month = _MONTH_OF_YEAR.search(text)
    if month is None:
        return next((day.first for day in spoken_dates(text, today) if day.first <= today), None)
    first = date(int(month["year"]), MONTHS.index(month["month"]) + 1, 1)
    return first if first <= today else None
