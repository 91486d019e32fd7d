"""The time zone that a phone number tells: its country's, where all clocks of it show the same; a landline's
area's.

A mobile number's area tells nothing: people move and keep it. American numbers do not show which are mobile.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import phonenumbers

from voice_server.domain.addresses.address import Address
from voice_server.runtime.timezones import zone

_PHONE = "tel:"
_HALF_A_YEAR = timedelta(days=182)  # in which clocks may be changed


def number_zone(addresses: Iterable[Address], at: datetime) -> str:
    """Return an IANA name, "" when the phone numbers tell none or several. The first call loads 11 MB of
    tables."""
    names = {name for address in addresses if address.startswith(_PHONE) for name in _zones(address)}
    return min(names) if names and _show_the_same(names, at) else ""


@lru_cache(maxsize=4096)
def _zones(address: Address) -> tuple[str, ...]:
    from phonenumbers import timezone  # noqa: PLC0415 (11 MB: only processes that ask need it)

    try:
        number = phonenumbers.parse(address.removeprefix(_PHONE))
    except phonenumbers.NumberParseException:
        return ()
    if phonenumbers.number_type(number) != phonenumbers.PhoneNumberType.FIXED_LINE:
        number = phonenumbers.PhoneNumber(country_code=number.country_code, national_number=0)
    names: tuple[str, ...] = timezone.time_zones_for_geographical_number(number)
    return names


def _show_the_same(names: Iterable[str], at: datetime) -> bool:
    """Lazy: of America's forty zones the first two already differ."""
    clocks = (_clock(name, at) for name in names)
    first = next(clocks)
    return first is not None and all(clock == first for clock in clocks)


def _clock(name: str, at: datetime) -> tuple[timedelta | None, ...] | None:
    """Return what it is off UTC, at that moment and half a year later; None for an unknown zone."""
    there = zone(name)
    if there is None:
        return None
    return tuple(moment.astimezone(there).utcoffset() for moment in (at.astimezone(UTC), at + _HALF_A_YEAR))
