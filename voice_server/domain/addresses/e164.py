"""The short way to know that a phone number is E.164 as it stands.

`phonenumbers` takes 30 µs to parse a number and write it again, as much as the rest of a pre-call. It writes
a number with a plus as it stands if what people dial at home (`national_prefix_for_parsing`) does not follow
the calling code, and the length is one that the country's numbers have (`general_desc.possible_length`). No
calling code begins another (ITU-T E.164). A test compares.
"""

import re
from functools import cache
from typing import NamedTuple

import phonenumbers

_PLUS_AND_DIGITS = re.compile(r"\+[1-9][0-9]{6,14}")
_NOTHING = re.compile(r"(?!)")


class _Country(NamedTuple):
    calling_code: int  # its last character
    lengths: frozenset[int]  # of whole numbers, with the plus
    prefix: re.Pattern[str]  # what is dialled at home


def is_e164(text: str) -> bool:
    """Tell whether `phonenumbers` would write this number as it stands; False where it takes a closer
    look."""
    if not _PLUS_AND_DIGITS.fullmatch(text):
        return False
    country = _country(text[1:4])
    return country is not None and len(text) in country.lengths and not _has_prefix(text, country)


def _has_prefix(text: str, country: _Country) -> bool:
    found = country.prefix.match(text, country.calling_code + 1)
    return found is not None and found[0] != ""  # Argentina's may be empty


@cache
def _country(digits: str) -> _Country | None:
    for length in (1, 2, 3):
        code = int(digits[:length])
        if code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE:
            return _country_of(code, length)
    return None


def _country_of(code: int, length: int) -> _Country | None:
    region = phonenumbers.region_code_for_country_code(code)
    plan = phonenumbers.PhoneMetadata.metadata_for_region_or_calling_code(code, region)
    if plan is None or plan.general_desc is None:
        return None
    lengths = frozenset(1 + length + digits for digits in plan.general_desc.possible_length)
    prefix = plan.national_prefix_for_parsing
    return _Country(length, lengths, re.compile(prefix) if prefix else _NOTHING)
