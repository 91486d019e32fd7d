"""Who spoke in a conversation, where two share a number: “it's Ines”, of a user who is called Robert."""

from voice_server.digest.person_names import spelling
from voice_server.digest.person_names.lexicon import is_given
from voice_server.digest.person_names.pet_names import are_one
from voice_server.domain.person import CallerName, in_short

SOMEBODY = "Somebody else"
_FEWEST = 2  # letters that a name and its short form begin with: “Rebecca”, “Rebbi”


def somebody_else(heard: CallerName | None, name: str, nickname: str = "") -> str:
    """Return whom a conversation's caller is called by, where that is surely not the user of this name: both
    are given names, and neither may be the other one, in short or misheard. Surnames change. Whoever only
    says that they are the user's husband has no name."""
    if heard is not None and heard.is_kin_of(name):
        return in_short(heard.name) if heard.certainty != "assumed" and heard.name else SOMEBODY
    if heard is None or heard.certainty == "assumed" or not heard.name:
        return ""
    known = [word for word in (*name.split(), nickname) if is_given(word)]
    others = [word for word in (*heard.name.split(), heard.nickname) if is_given(word)]
    other = in_short(heard.name)
    if not known or other not in others:
        return ""
    is_one = any(_may_be_one(one, word) for one in others for word in known)
    return "" if is_one else other[:1].upper() + other[1:]


def _may_be_one(first: str, second: str) -> bool:
    one, two = first.casefold(), second.casefold()
    if one[:_FEWEST] == two[:_FEWEST] or one in two or two in one or spelling.alike(one, two):
        return True
    return are_one(one, two)
