"""Who spoke in a conversation, where two share a number: “it's Ines”, of a user who is called Rob."""

from voice_server.digest.person_names.lexicon import is_given
from voice_server.domain.person import CallerName, in_short

_FEWEST = 2  # letters that a name and its short form begin with: “Rebecca”, “Rich”


def somebody_else(heard: CallerName | None, name: str, nickname: str = "") -> str:
    """Return whom a conversation's caller is called by, where that is surely not the user of this name: both
    are given names, and neither may be short for the other. Surnames change, and are misheard."""
    if heard is None or heard.certainty == "assumed" or not heard.name:
        return ""
    known = [word for word in (in_short(name), nickname) if is_given(word)]
    other = in_short(heard.name)
    if not known or not is_given(other) or any(_may_be_one(other, word) for word in known):
        return ""
    return other


def _may_be_one(first: str, second: str) -> bool:
    one, two = first.casefold(), second.casefold()
    return one[:_FEWEST] == two[:_FEWEST] or one in two or two in one
