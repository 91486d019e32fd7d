"""An address: how a platform knows a user. One person, one spelling.

tel:+14155550101        a phone number, E.164 (RFC 3966)
sip:ada@example.org     a SIP URI that is no phone number
whatsapp:US.123abc      a WhatsApp id that is no phone number
app:customer-17         an id of the host application
"""

import re
from functools import lru_cache
from typing import NewType
from urllib.parse import unquote

import phonenumbers

from voice_server.domain.addresses.e164 import is_e164

Address = NewType("Address", str)
APP = "app:"  # how the address begins that is an id of the host application

# What carriers and platforms send when the caller hides: words, and the keypad spellings of "anonymous"
# (266696687), "restricted" (7378742833), "unavailable" (86282452253), "unknown" (8656696) and
# "private" (7748283).
_WITHHELD_WORDS = frozenset(
    "anonymous restricted unknown unavailable private withheld blocked hidden none null undefined".split()
)
_WITHHELD_DIGITS = frozenset(
    ("266696687", "7378742833", "86282452253", "8656696", "7748283", "2562533", "464646")
)
_WITHHELD_PHRASES = frozenset(
    "unknowncaller unknownnumber privatenumber privatecaller anonymouscaller nocallerid "
    "calleridunavailable withheldnumber asterisk freeswitch".split()
)
_ALNUM = re.compile(r"[^\W_]")
_ONE_DIGIT = re.compile(r"1?(\d)\1{3,}")  # 0000, 1111111111, 10000000000: what exchanges send for nobody
_LONGEST = 255  # a SIP URI longer than this is junk
_APP_ID = re.compile(r"[\w.@:+/=-]{1,128}")
_PHONE_LIKE = re.compile(r"\+?[\d\s().\-/]{4,32}")
_SCHEMES = ("tel", "sip", "whatsapp", "app")
_SCHEME = re.compile(r"(sips?|tel|whatsapp):", re.IGNORECASE)


def is_withheld(raw: str) -> bool:
    """Tell whether the caller hides: such a call reads and writes nobody's memory. Only what stands before an
    @ counts."""
    local = unquote(_user_part(raw.strip()).partition("@")[0]).strip()
    return not _ALNUM.search(local) or _is_word_for_hidden(local) or _is_keypad_spelling(local)


@lru_cache(maxsize=16_384)
def normalise(raw: str, region: str = "US", *, whatsapp: bool = False) -> Address | None:
    """Return None when it is withheld or malformed. `region` is for national numbers. Cached: the same people
    call, and a number that is not E.164 costs 30 µs and more."""
    if is_e164(raw) and not _is_spelled(raw[1:]):
        return Address(f"tel:{raw}")
    text = raw.strip()
    if len(text) > _LONGEST or is_withheld(text):
        return None
    user = _user_part(text)
    number = _phone(user, region)
    if number and not _is_keypad_spelling(number):
        return Address(f"tel:{number}")
    if text.lower().startswith(("sip:", "sips:")):
        return _sip(text)
    if (whatsapp or text.lower().startswith("whatsapp:")) and _APP_ID.fullmatch(user):
        return Address(f"whatsapp:{user}")
    return None


def address_of(text: str, region: str) -> Address | None:
    """Return the address for a phone number, sip:…, whatsapp:… or app:…; None when it is none of these."""
    scheme, _, rest = text.strip().partition(":")
    return app_address(rest) if scheme == "app" else normalise(text, region)


def app_address(user_id: str) -> Address | None:
    """Return None when the id is withheld or malformed."""
    text = user_id.strip()
    return Address(f"{APP}{text}") if _APP_ID.fullmatch(text) and not _is_word_for_hidden(text) else None


def masked(text: str) -> str:
    """Return the text as a log may tell it (`tel:+1415555****`, `sip:****`); what is no address stays as it
    is."""
    scheme, colon, rest = text.partition(":")
    if not colon or scheme not in _SCHEMES:
        return text
    return f"{scheme}:{rest[:-4] if scheme == 'tel' else ''}****"


def _is_word_for_hidden(text: str) -> bool:
    word = text.lower()
    return word in _WITHHELD_WORDS or re.sub(r"[\s._-]", "", word) in _WITHHELD_PHRASES


def _is_keypad_spelling(text: str) -> bool:
    return bool(_PHONE_LIKE.fullmatch(text)) and _is_spelled(re.sub(r"\D", "", text))


def _is_spelled(digits: str) -> bool:
    return digits in _WITHHELD_DIGITS or _ONE_DIGIT.fullmatch(digits) is not None


def _user_part(text: str) -> str:
    """Return `+14155550101` of `sip:+14155550101;ext=1@carrier.example`."""
    scheme = _SCHEME.match(text)
    if scheme is None:
        return text
    rest = text[scheme.end() :]
    return rest if scheme[1].lower() == "whatsapp" else re.split(r"[@;?]", rest, maxsplit=1)[0]


def _sip(text: str) -> Address | None:
    user, _, host = re.split(r"[;?]", text.split(":", 1)[1], maxsplit=1)[0].partition("@")
    if re.fullmatch(r"[\w.!~*'()%+-]{1,64}", user) and re.fullmatch(r"[\w.-]+(:\d+)?", host):
        return Address(f"sip:{user}@{host.lower()}")
    return None


def _phone(text: str, region: str) -> str | None:
    """Digits without a plus are tried as national, then as international numbers."""
    if not _PHONE_LIKE.fullmatch(text):
        return None
    if text.startswith(("+", "00")):
        return _parse("+" + text.lstrip("+").removeprefix("00"), None, strict=False)
    return (
        _parse(text, region, strict=True)
        or _parse("+" + text, None, strict=True)
        or (_parse("+" + text, None, strict=False) if re.fullmatch(r"\d{10,15}", text) else None)
        or _parse(text, region, strict=False)
    )


def _parse(text: str, region: str | None, *, strict: bool) -> str | None:
    """`strict` asks for a number that the numbering plan knows, else a possible length will do: fictional and
    brand-new ranges are in no plan. Seven digits without an area code are nobody's address: two exchanges
    both have them."""
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
    known = phonenumbers.is_valid_number(number) if strict else _is_complete(number)
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) if known else None


def _is_complete(number: phonenumbers.PhoneNumber) -> bool:
    return phonenumbers.is_possible_number_with_reason(number) == phonenumbers.ValidationResult.IS_POSSIBLE
