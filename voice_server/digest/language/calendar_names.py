"""The names of months and weekdays in the languages that we read.

A table has its entries in the order of what they mean (January first, Monday first); `|` stands between
spellings of one, `_` is a space inside of one, and "-" an entry that the language has not.
"""

import re
import unicodedata
from collections.abc import Mapping

MONTHS: Mapping[str, str] = {
    "en": "january february march april may june july august september october november december",
    "de": "januar|jänner februar|feber märz|maerz april mai juni|juno juli august september oktober november "
    "dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
# One that ends in a dot needs it: without, it is another word ("5 out of 10").
SHORT_MONTHS: Mapping[str, str] = {
    "en": "jan feb mar apr may jun jul aug sep|sept oct nov dec",
    "de": "jan|jän feb mär|mrz apr - jun jul aug sep|sept okt nov dez",
    "fr": "janv|jan févr|fév - avr - - juil - sept oct nov déc",
    "es": "ene feb mar abr - jun jul ago sep|sept|set oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr - jun jul ago set out. nov dez",
    "nl": "jan feb|febr mrt apr - jun jul aug sep|sept okt nov dec",
}
MONTHS_OF_ALL = frozenset(
    month for names in (*MONTHS.values(), *SHORT_MONTHS.values()) for month in re.split(r"[ |]", names)
)
WEEKDAYS: Mapping[str, str] = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "de": "montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "pt": "segunda_feira terça_feira quarta_feira quinta_feira sexta_feira sábado domingo",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
}


def fold(text: str) -> str:
    """A text in small letters without accents, each character in its place: "Février" → "fevrier"."""
    if text.isascii():
        return text.lower()
    return text.translate(_FOLDED)


def small(text: str) -> str:
    """A text in small letters with its accents, each character in its place."""
    low = text.replace("’", "'").lower()
    return low if len(low) == len(text) else "".join(map(_small, text))


def rows(table: str, start: int = 0) -> dict[str, int]:
    """Each spelling in a table, folded, and the number of its entry."""
    return {
        spelling.replace("_", " "): number
        for number, entry in enumerate(fold(table).split(), start)
        for spelling in entry.split("|")
        if spelling != "-"
    }


def _small(character: str) -> str:
    low = character.lower()
    return low if len(low) == 1 else character


def _letter(code: int) -> str:
    plain = unicodedata.normalize("NFKD", chr(code))[0]
    return plain.lower() if plain.isascii() else chr(code)


# Latin letters with accents, and the wide digits of East Asian keyboards.
_FOLDED = {
    code: _letter(code) for code in (*range(0x41, 0x5B), 0xBA, *range(0xC0, 0x17F), *range(0xFF10, 0xFF1A))
}
_FOLDED[0x2019] = "'"
