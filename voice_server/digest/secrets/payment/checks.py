"""What digits are by themselves: a card number, an IBAN. Check digits by python-stdnum."""

import functools
import re
from collections.abc import Iterator

SHORTEST_CARD, LONGEST_CARD = 13, 19
_BARE = 14  # digits from which a number with a card's prefix and check digit is one, whatever is around it
_STAYS = 15  # the same of one that was announced as an order's or a customer's
_LONGEST_PHONE = 15
_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12,15}"  # Discover
    r"|3(?:0[0-5]|[689]\d)\d{11}"  # Diners Club
    r"|35(?:2[89]|[3-8]\d)\d{12}"  # JCB
    r"|62\d{14,17}"  # UnionPay
    r"|(?:5[0678]\d\d|6[37]\d\d)\d{12}"  # Maestro
    r"|220[0-4]\d{12}"  # Mir
)
_MILLISECONDS = re.compile(r"1\d{12}")
_IBAN = re.compile(r"(?<![a-z0-9])([a-z]{2})[ ]?\d{2}(?=[ .\-]?[a-z0-9])")
_GROUPED = re.compile(r"[a-z0-9]|[ .\-](?=[a-z0-9])")
_BASE_LENGTH = 4  # country and check digits, before the account
_LENGTHS = re.compile(r"\d+")


def is_issued(digits: str) -> bool:
    """Tell whether a card's issuer gives out numbers of this beginning and length."""
    return _ISSUERS.fullmatch(digits) is not None


def is_card(digits: str, *, whole: bool, stays: bool) -> bool:
    """Tell whether digits that nobody called so are a card number. `whole`: nothing more belongs to them;
    `stays`: they were called something else."""
    if not SHORTEST_CARD <= len(digits) <= LONGEST_CARD or digits[0] == "0":
        return False
    if len(digits) >= (_STAYS if stays else _BARE) and is_issued(digits):
        return _luhn(digits)
    may_be = whole and not stays and not _MILLISECONDS.fullmatch(digits)
    return may_be and _luhn(digits) and not _is_phone_number(digits)


def _luhn(digits: str) -> bool:
    from stdnum import luhn  # noqa: PLC0415 (where talk has no such number it is not loaded)

    return bool(luhn.is_valid(digits))


def _is_phone_number(digits: str) -> bool:
    import phonenumbers  # noqa: PLC0415 (where talk has no such number it is not loaded)

    if len(digits) > _LONGEST_PHONE:
        return False
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(f"+{digits}"))
    except phonenumbers.NumberParseException:
        return False


def ibans(folded: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each IBAN in a folded text."""
    end = 0
    for match in _IBAN.finditer(folded):
        length = iban_length(match[1])
        if length and match.start() >= end:
            found = _account(folded, match.start(), length)
            if found:
                end = found
                yield match.start(), end


def is_iban(written: str) -> bool:
    from stdnum import iban  # noqa: PLC0415 (it reads a table)

    return bool(iban.is_valid(written))


def _account(folded: str, start: int, length: int) -> int:
    place, written = start, ""
    while len(written) < length and (match := _GROUPED.match(folded, place)):
        written += match[0].strip(" .-")
        place = match.end()
    complete = len(written) == length and not folded[place : place + 1].isalnum()
    return place if complete and is_iban(written) else 0


@functools.cache
def iban_length(country: str) -> int:
    """Return 0 for a country without IBANs."""
    from stdnum import numdb  # noqa: PLC0415 (it reads a table)

    _, found = numdb.get("iban").info(country.upper())[0]
    return _BASE_LENGTH + sum(map(int, _LENGTHS.findall(found["bban"]))) if "bban" in found else 0
