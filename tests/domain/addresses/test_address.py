"""One person, one spelling; who hides has none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.domain.addresses.address import app_address, is_withheld, masked, normalise

HIDDEN = [
    "", "   ", "anonymous", "Anonymous", "RESTRICTED", "unknown", "unavailable", "private", "withheld",
    "blocked", "Unknown Caller", "Private Number", "No Caller ID", "no-caller-id", "null", "None",
    "+266696687", "266696687", "7378742833", "+7378742833", "86282452253", "8656696", "7748283",
    "sip:anonymous@anonymous.invalid", "sip:Restricted@carrier.example", "sip:@host", "sip:", "tel:",
    "tel:anonymous", "whatsapp:", "sip:+266696687@carrier.example", "266-696-687",
]  # fmt: skip
JUNK = [
    "hello", "12", "+", "00", "+1", "911", "1001", "5550101", "x" * 300, "+" + "1" * 40, "{{caller}}",
    "a b c", "sip:two words@host", "sip:ada@bad host", "sip:ada:secret@host", "'; drop table users; --",
    "\x00", "\ud800",
]  # fmt: skip

lines = (
    st.text(max_size=40)
    | st.text("+0123456789 ()-.@:;sipteldwhatsapp", max_size=24)
    | st.sampled_from(HIDDEN)
)


@pytest.mark.parametrize(
    "spelling",
    [
        "+1 (415) 555-0101", "14155550101", "+14155550101", "415-555-0101", "(415) 555.0101",
        " +1 415 555 0101 ", "0014155550101", "tel:+14155550101", "TEL:+1-415-555-0101;ext=9",
        "sip:+14155550101@carrier.example", "sip:14155550101@carrier.example;user=phone",
        "sips:+14155550101@carrier.example:5061", "whatsapp:+14155550101", "+١٤١٥٥٥٥٠١٠١",
    ],
)  # fmt: skip
def test_every_spelling_of_a_number_is_one_person(spelling: str) -> None:
    assert normalise(spelling) == "tel:+14155550101"


@pytest.mark.parametrize(
    ("written", "region", "number"),
    [
        ("030 901820", "DE", "tel:+4930901820"),
        ("4930901820", "DE", "tel:+4930901820"),
        ("020 7946 0123", "GB", "tel:+442079460123"),
        ("442079460123", "US", "tel:+442079460123"),
        ("011 49 30 901820", "US", "tel:+4930901820"),
        ("+15550100142", "US", "tel:+15550100142"),  # no such area code, and still what the platform sends
        ("15550100142", "US", "tel:+15550100142"),
    ],
)
def test_a_national_number_is_meant_in_its_region(written: str, region: str, number: str) -> None:
    assert normalise(written, region) == number


def test_a_sip_uri_that_is_no_number_is_an_address_of_its_own() -> None:
    assert normalise("SIP:ada@Example.ORG;transport=udp") == "sip:ada@example.org"


@pytest.mark.parametrize("extension", ["1001", "5550101"])
def test_an_extension_belongs_to_its_exchange(extension: str) -> None:
    one, other = normalise(f"sip:{extension}@one.example"), normalise(f"sip:{extension}@other.example")

    assert one == f"sip:{extension}@one.example"
    assert other != one


def test_a_whatsapp_id_that_is_a_number_is_the_same_person_as_on_the_phone() -> None:
    assert normalise("14155550101", whatsapp=True) == normalise("+14155550101")


def test_a_whatsapp_id_that_is_no_number_is_an_address_of_its_own() -> None:
    assert normalise("US.123abc", whatsapp=True) == "whatsapp:US.123abc"
    assert normalise("whatsapp:US.123abc", whatsapp=True) == "whatsapp:US.123abc"
    assert normalise("US.123abc") is None


@pytest.mark.parametrize("caller", HIDDEN)
def test_who_hides_has_no_address(caller: str) -> None:
    assert is_withheld(caller)
    assert normalise(caller) is None
    assert normalise(caller, whatsapp=True) is None


@pytest.mark.parametrize("caller", JUNK)
def test_junk_has_no_address(caller: str) -> None:
    assert normalise(caller) is None


@pytest.mark.parametrize(
    "name", ["sip:7748283@pbx.example.org", "customer-7748283", "+14157748283", "sip:x7748283y@pbx.example"]
)
def test_keypad_spellings_count_only_where_they_are_the_whole_number(name: str) -> None:
    assert is_withheld(name) == name.startswith("sip:7748283")


@pytest.mark.parametrize("user_id", ["customer-17", "464646", "ada@example.org", "usr_01JD2Q8Z7M", "Ünal"])
def test_an_id_of_the_host_application_is_an_address(user_id: str) -> None:
    assert app_address(f" {user_id} ") == f"app:{user_id}"


@pytest.mark.parametrize("user_id", ["", "anonymous", "two words", "x" * 129, "a\x00b", "null"])
def test_an_id_that_is_none_is_no_address(user_id: str) -> None:
    assert app_address(user_id) is None


@given(
    written=lines,
    region=st.sampled_from(["US", "DE", "SE", "LS", "IT", "AR"]),
    whatsapp=st.sampled_from([True, False]),
)
def test_an_address_is_its_own_spelling(written: str, region: str, *, whatsapp: bool) -> None:
    address = normalise(written, region, whatsapp=whatsapp)

    assert address is None or normalise(address, region) == address
    assert address is None or not is_withheld(address)


@given(st.text())
def test_nothing_written_as_a_caller_can_raise(written: str) -> None:
    assert normalise(written) is None or not is_withheld(written)
    assert app_address(written) is None or app_address(written) == f"app:{written.strip()}"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("tel:+14155550101", "tel:+1415555****"),
        ("sip:ada@example.org", "sip:****"),
        ("whatsapp:US.123abc", "whatsapp:****"),
        ("app:ada@example.org", "app:****"),
        ("tel:+1", "tel:****"),
        ("anonymous", "anonymous"),
        ("usr_01|agent_robin", "usr_01|agent_robin"),
    ],
)
def test_of_an_address_a_log_tells_only_its_kind_and_where_a_number_comes_from(
    address: str, told: str
) -> None:
    assert masked(address) == told
