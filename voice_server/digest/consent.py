"""What a caller does not want remembered: a consent that was declined, words spoken off the record.

Pure. What is withheld here reaches no digest, with or without a model; the transcript itself stays.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from voice_server.digest.stems import word_count
from voice_server.domain.conversation import Conversation, Message

CONSENT = "memory_consent"  # the name of the flag
_DECLINED = frozenset(
    "false no n 0 off none never declined denied refused rejected withdrawn revoked opt-out opted-out nein non nee não".split()
)
_FEW_WORDS = 12  # a message as short as this, that asks for secrecy, says little else

# Asked of the agent, not told of oneself: "I don't remember this" is no request.
_ASKED = r"(?:^|[.!?;:,…—–]\s*|\b(?:please|kindly|and|but|so|you (?:can|should|must)|(?:can|could|would|will) you(?: please)?|I want you to|I'd like you to|let's)\s+)"
_KEEP = r"(?:remember|record|save|store|keep|note(?: down)?|write down|memori[sz]e|log)"
_NOT = r"(?:don't|do not|never|you (?:don't|do not) (?:need|have) to|not(?: to)?)"
_ALL = r"(?:anything|any of (?:this|it)|(?:any )?notes|(?:this|our|the) (?:whole |entire )?(?:call|conversation|chat)|everything)"


_LONGEST_TURN = 20_000  # characters that are looked at: nobody says more in one turn
# No expression below is without one of these: nearly every turn is done after looking for them.
_HINTS = (
    "forget", "remember", "record", "save", "store", "keep", "note", "write down", "memori", "log", "between", "strike",
    "delete", "erase", "remove", "verg", "merk", "unter uns", "olvid", "oubli", "dimentic", "esque", "entre n", "recuerd",
    "guard", "apunt", "anot", "reten", "retien", "ricord", "annot", "onder ons",
)  # fmt: skip


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_WHOLE = _any_of(
    rf"{_ASKED}{_NOT} {_KEEP}\s+{_ALL}",
    rf"{_ASKED}forget\s+(?:everything|all (?:of (?:this|it)|that)|(?:this|our|the) (?:whole |entire )?(?:call|conversation|chat))",
    r"\b(?:this|our|the) (?:whole |entire )?(?:call|conversation|chat) (?:is|stays|should be) off the record",
    r"\bvergiss (?:alles|dieses gespräch)\b|\bvergessen sie (?:alles|dieses gespräch)\b",
    r"\b(?:olvid[ae]|esqueç?[ae]|dimentic[ahi]+|oublie[zr]?) (?:todo|tudo|tutto|tout)\b",
)
_BEFORE = _any_of(
    rf"{_ASKED}forget\s+(?:what|whatever|the (?:thing|part)s?(?: that)?) I(?:'ve| have)?(?: just)? (?:said|told|mentioned|say)",
    rf"{_ASKED}forget\s+(?:that )?I(?:'ve| have)?(?: (?:just|ever))? (?:said|told|mentioned)",
    rf"{_ASKED}{_NOT} {_KEEP}\s+(?:that|it|what I(?:'ve| have)?(?: just)? (?:said|told|mentioned))\b",
    r"\b(?:that|what I(?:'ve| have)?(?: just)? (?:said|told you)) (?:was|is|stays) off the record",
    r"\b(?:strike|delete|erase|remove) (?:that|what I (?:just )?said)(?: from)?\b",
    r"\bverg(?:iss|essen sie),? was ich (?:(?:gerade|eben|dir|ihnen) )*(?:gesagt|erzählt)",
    r"\b(?:olvid[ae]) lo que (?:acabo de decir|(?:te |le )?(?:he dicho|dije))",
    r"\boublie[zr]? ce que je (?:viens de|t'ai|vous ai)",
    r"\bdimentic(?:a|hi) quello che ho (?:appena )?detto",
    r"\besqueç?[ae] o que (?:eu )?(?:acabei de|disse|te disse)",
    r"\bvergeet wat ik (?:net|zojuist|zei)",
)
_HERE = _any_of(
    rf"{_ASKED}{_NOT} {_KEEP}\s+this\b",
    r"\boff the record\b",
    r"\b(?:just |strictly )?between (?:you and me|us|the two of us)\b",
    r"\bmerk (?:dir|es dir) das nicht|\bmerken sie sich das nicht|\bunter uns gesagt",
    r"\bno (?:recuerdes|recuerde|guardes|guarde|apuntes|anotes) (?:esto|eso)|\bentre nosotros\b",
    r"\bne (?:retene?z|retiens|notez|note) pas (?:ça|ceci|cela)|\bentre nous\b",
    r"\bnon (?:ricordare|ricordarti|annotare) questo|\bque (?:fique )?entre nós\b|\bonder ons gezegd",
)
_NOT_ASKED = re.compile(
    r"\bon the record\b.*\boff the record\b\?|\b(?:he|she|they) (?:said|told)[^.]*off the record",
    re.IGNORECASE,
)


def declined(*flags: Mapping[str, object]) -> bool:
    """Whether any of these (what the platform collected, the call's dynamic variables) declines to be remembered."""
    said = [_plain(value) for names in flags for name, value in names.items() if _plain(name) == CONSENT]
    return any(value in _DECLINED for value in said)


def withheld(messages: Sequence[Message]) -> frozenset[int]:
    """Positions of the messages that the user asked not to be remembered, and of what was said around them.

    The turn that asks, what it points to (the user's turn before, or after it when it announces one), and the
    agent's turns between and right after, which may repeat it.
    """
    found: set[int] = set()
    for index, message in enumerate(messages):
        if message.role == "user":
            found.update(messages[i].position for i in _meant(messages, index))
    return frozenset(found)


def kept(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages that may be understood."""
    secret = withheld(messages)
    return tuple(message for message in messages if message.position not in secret)


def respected(conversation: Conversation) -> Conversation:
    """A conversation without what its platform understood of it, where that may tell what is withheld; and
    without the flags that only say that it may be remembered."""
    if conversation.declined or withheld(conversation.messages):
        return replace(conversation, summary="", collected={})
    noted = {name: value for name, value in conversation.collected.items() if _plain(name) != CONSENT}
    return replace(conversation, collected=noted)


def _meant(messages: Sequence[Message], index: int) -> Iterator[int]:
    text = " ".join(messages[index].content[:_LONGEST_TURN].replace("’", "'").split())
    low = text.lower()
    if not any(hint in low for hint in _HINTS):
        return
    if _WHOLE.search(text):
        yield from range(len(messages))
    elif _BEFORE.search(text):
        yield from range(_turn_before(messages, index), _after_reply(messages, index))
    elif _HERE.search(text) and not _NOT_ASKED.search(text):
        first, last = index, _after_reply(messages, index)
        if word_count(text) <= _FEW_WORDS:  # it speaks of the turn before or of the next: neither is kept
            first, last = _turn_before(messages, index), _after_reply(messages, _next_turn(messages, index))
        yield from range(first, last)


def _turn_before(messages: Sequence[Message], index: int) -> int:
    """Where the user's previous turn begins; the message itself when it is the first."""
    before = [i for i in range(index) if messages[i].role == "user"]
    return before[-1] if before else index


def _next_turn(messages: Sequence[Message], index: int) -> int:
    after = (i for i in range(index + 1, len(messages)) if messages[i].role == "user")
    return next(after, index)


def _after_reply(messages: Sequence[Message], index: int) -> int:
    """The end of what the agent says (or does with tools) in answer to a turn."""
    return next((i for i in range(index + 1, len(messages)) if messages[i].role == "user"), len(messages))


def _plain(value: object) -> str:
    return str(value).strip().strip(".!").lower()
