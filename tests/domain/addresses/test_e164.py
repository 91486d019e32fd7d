"""The short way says of no number what `phonenumbers` would not say."""

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phonenumbers import PhoneNumberFormat, PhoneNumberType, ValidationResult

from voice_server.domain.addresses.address import is_withheld, normalise
from voice_server.domain.addresses.e164 import is_e164

CALLING_CODES = sorted(phonenumbers.COUNTRY_CODE_TO_REGION_CODE)
NOBODYS_CODES = [0, 21, 210, 28, 29, 899, 999]
# Where what is dialled at home can look like a number: Argentina's, Brazil's, China's, Japan's, Monaco's …
TRICKY = [
    "+5491123456789", "+541115234567", "+54111523456789", "+559012345678", "+8617912345678", "+8112345678",
    "+81000212345", "+377012345678", "+390212345678", "+37880012345", "+261212345", "+67212345",
    "+4903012345", "+11415555010", "+14155550101", "+80012345678", "+88213123456", "+266696687",
    "+11111111111",
]  # fmt: skip

numbers = st.builds(
    lambda code, digits: f"+{code}{digits}",
    st.sampled_from(CALLING_CODES + NOBODYS_CODES),
    st.text("0123456789", min_size=1, max_size=16),
).filter(lambda number: not number.startswith("+00"))  # which we read as a plus, and the library does not


def as_the_library_has_it(number: str) -> str | None:
    """In E.164, or None for what has no possible length."""
    try:
        parsed = phonenumbers.parse(number, None)
    except phonenumbers.NumberParseException:
        return None
    if phonenumbers.is_possible_number_with_reason(parsed) != ValidationResult.IS_POSSIBLE:
        return None
    return phonenumbers.format_number(parsed, PhoneNumberFormat.E164)


def assert_nobody_can_tell(number: str) -> None:
    """The short way from the long one."""
    slowly = as_the_library_has_it(number)
    hides = slowly is None or is_withheld(number) or is_withheld(slowly)
    assert slowly == number or not is_e164(number)
    assert normalise(number) == (None if hides else f"tel:{slowly}")


@settings(max_examples=1000)
@given(numbers)
def test_a_number_is_what_the_library_makes_of_it(number: str) -> None:
    assert_nobody_can_tell(number)


@pytest.mark.parametrize("number", TRICKY)
def test_what_is_dialled_at_home_is_taken_off_as_the_library_does(number: str) -> None:
    assert_nobody_can_tell(number)


@pytest.mark.parametrize("first", "0123456789")
def test_in_every_country_numbers_of_every_length_are_what_the_library_makes_of_them(first: str) -> None:
    for code in CALLING_CODES:
        for length in range(15):
            assert_nobody_can_tell(f"+{code}{first}{'2345678901234567'[:length]}")


@given(st.text("+0123456789٣ \n-", max_size=18))
def test_what_is_no_plus_and_digits_takes_the_long_way(text: str) -> None:
    assert not is_e164(text) or (text[0] == "+" and text[1:].isascii() and text[1:].isdecimal())


def test_mobile_numbers_of_nearly_every_country_take_the_short_way() -> None:
    examples = [
        phonenumbers.example_number_for_type(region, PhoneNumberType.MOBILE)
        for region in phonenumbers.SUPPORTED_REGIONS
    ]
    written = [phonenumbers.format_number(one, PhoneNumberFormat.E164) for one in examples if one]

    assert len(written) > 200
    assert sum(not is_e164(number) for number in written) < 5
