from datetime import UTC, datetime

import pytest

from voice_server.domain.addresses.address import Address
from voice_server.domain.addresses.number_zone import number_zone

NOVEMBER = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("number", "zone"),
    [
        ("tel:+493012345678", "Europe/Berlin"),
        ("tel:+33142685300", "Europe/Paris"),
        ("tel:+393471234567", "Europe/Rome"),
        ("tel:+81312345678", "Asia/Tokyo"),
        ("tel:+34915550101", "Europe/Madrid"),  # a landline, while Spain has two zones
    ],
)
def test_a_number_of_one_zone_tells_it(number: str, zone: str) -> None:
    assert number_zone([Address(number)], NOVEMBER) == zone


def test_zones_whose_clocks_show_the_same_are_one() -> None:
    assert number_zone([Address("tel:+447911123456")], NOVEMBER) in {"Europe/Guernsey", "Europe/London"}


@pytest.mark.parametrize(
    "address",
    [
        "tel:+61412345678",  # an Australian mobile: eight zones
        "tel:+34612345678",  # a mobile of Spain or its islands
        "tel:+12125550101",  # of New York, or carried from there
        "tel:+80012345678",  # of no country
        "tel:+999",
        "sip:ada@example.org",
        "app:customer-17",
    ],
)
def test_other_addresses_tell_none(address: str) -> None:
    assert number_zone([Address(address)], NOVEMBER) == ""


def test_numbers_of_two_zones_tell_none() -> None:
    two = [Address("tel:+493012345678"), Address("tel:+81312345678")]

    assert number_zone(two, NOVEMBER) == ""


def test_numbers_whose_clocks_agree_tell_one() -> None:
    two = [Address("tel:+493012345678"), Address("tel:+33142685300"), Address("app:ada")]

    assert number_zone(two, NOVEMBER) == "Europe/Berlin"


def test_no_address_tells_none() -> None:
    assert number_zone([], NOVEMBER) == ""
