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

# Withheld is what is asked of the agent (at the beginning of a sentence, with please, "can you", "I want you to") and
# speaks of memory or of what was said. "I don't remember this" is told of oneself; "remove that from my basket" has
# another object; "scratch that" and a bare "delete that" correct what was said, and the correction is to be known.
_ASKED = (
    r"(?:(?:^|[.!?;:…—–]\s*)(?:(?:and|but|so|oh|ok|okay|well|no|actually|sorry|also|now|then)[\s,]+)*|,\s*"
    r"|\b(?:please|kindly|let's)\s+|\b(?:you (?:can|should|must)|(?:can|could|would|will) you(?: please)?"
    r"|I(?:'d| would)?(?: really)? (?:want|like|need|prefer|ask) you(?: to)?)\s+)"
)
_GOING_ON = r"(?:,\s*and\s+|,?\s+(?:but|so)\s+)"  # "I am ill but don't write that down"
_NOT = r"(?:don't|do not|never|not(?: to)?)"
_NOTE = r"(?:record|save|store|note(?: down)?|write down|memori[sz]e|log)"
_KEPT = r"(?:remembered|recorded|saved|stored|kept|noted|written down|memori[sz]ed|logged)"
_MEMORY = r"(?:notes?|memory|memories|records?|files?|logs?|profile|history|transcript|database)"
_YOURS = rf"(?:your|the|my)(?: own)? {_MEMORY}\b"
_SAID = r"I(?:'ve| have)?(?: just| ever)? (?:said|told|mentioned|say|tell)"
# What may follow "don't save this": not "file", not "in the fridge".
_END = (
    r"(?=\s*(?:$|[.!?,;:…—–)]|(?:please|anywhere|either|at all|ok|okay|then|down|because|since|and|but|or|if|about me"
    rf"|of (?:this|that|our|what)|from (?:this|our)|(?:in|into|to) {_YOURS}|on (?:file|record)|(?:that )?{_SAID})\b))"
)
_CALL = r"(?:this|our) (?:whole |entire )?(?:call|conversation|chat)"


def _keep(what: str, verb: str = f"(?:remember|{_NOTE})") -> str:
    """Keeping this, as one asks for it not to be done."""
    return (
        rf"(?:{verb}\s+{what}{_END}|(?:write|note)\s+{what}\s+down\b|keep (?:an? |any )?(?:record|note)s?\s+of\s+{what}{_END}"
        rf"|(?:keep|put)\s+{what}\s+(?:(?:in|into) {_YOURS}|on (?:file|record)\b))"
    )


def _not_kept(what: str) -> str:
    """A wish that this be not kept."""
    return (
        rf"{_ASKED}{_NOT} {_keep(what)}|{_GOING_ON}(?:don't|do not|never) {_keep(what, _NOTE)}"
        rf"|\bI (?:don't|do not|wouldn't) want you to {_keep(what)}|\bI(?:'d| would) rather you (?:didn't|not|did not) {_keep(what)}"
        rf"|\bI (?:don't|do not|wouldn't) want {what} (?:to be )?{_KEPT}\b"
    )


# The same beginnings in the other languages, where "olvida todo" is also "she forgets everything".
_BITTE = r"(?:bitte|por favor|s'il (?:te|vous) plaît|per favore|per piacere|alsjeblieft|alstublieft)"
_FIRST = (
    rf"(?:(?:^|[.!?¡¿;:…—–]\s*)(?:(?:und|aber|y|pero|et|mais|e|ma|mas|en|maar|also|alors|entonces)[\s,]+)?(?:{_BITTE}[\s,]+)?"
    rf"|,\s*(?:{_BITTE}[\s,]+)?|\b{_BITTE},?\s+)"
)
_STOP = rf"(?=\s*(?:$|[.!?;…]|,?\s*{_BITTE}))"

_LONGEST_TURN = 20_000  # characters that are looked at: nobody says more in one turn
# No expression below is without one of these: nearly every turn is done after looking for them.
_HINTS = (
    "forget", "remember", "record", "save", "store", "keep", "kept", "note", "write", "memori", "log", "between",
    "strike", "delete", "erase", "remove", "wipe", "verg", "merk", "unter uns", "olvid", "oubli", "dimentic", "esque",
    "entre n", "recuerd", "guard", "apunt", "anot", "reten", "retien", "ricord", "annot", "onder ons",
)  # fmt: skip


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_WHOLE = _any_of(
    _not_kept(rf"(?:{_CALL}|any of (?:this|it))"),
    rf"{_ASKED}{_NOT} {_keep('(?:anything|everything|the (?:whole |entire )?(?:call|conversation|chat))', _NOTE)}",
    rf"{_ASKED}{_NOT} (?:remember (?:anything|everything) {_SAID}\b|(?:take|keep|make) (?:any )?notes{_END})",
    rf"\bplease {_NOT} remember (?:anything|everything){_END}|\bI (?:don't|do not) want you to remember (?:anything|everything){_END}",
    rf"{_ASKED}forget\s+(?:(?:everything|all (?:of (?:this|it)|that))(?:\s*(?:$|[.!?;…])| (?:that )?{_SAID}\b|,? please\b)|{_CALL}{_END})",
    rf"{_ASKED}(?:delete|erase|remove|wipe) {_CALL}(?:{_END}| from\b)",
    r"\b(?:this|our|the) (?:whole |entire )?(?:call|conversation|chat) (?:is|stays|should be) off the record",
    rf"{_FIRST}(?:vergiss|vergessen sie) (?:dieses gespräch\b|alles(?:{_STOP}|,? was ich (?:\w+ )*(?:gesagt|erzählt)))",
    rf"{_FIRST}(?:olvid[ae]|esqueç?[ae]|dimentic[ahi]+|oublie[zr]?) (?:todo|tudo|tutto|tout){_STOP}",
)
_BEFORE = _any_of(
    rf"{_ASKED}forget\s+(?:what|whatever|the (?:thing|part)s?(?: that)?|(?:that )?)\s*{_SAID}\b",
    _not_kept(rf"(?:that|it|what {_SAID}(?: you)?)"),
    rf"\b(?:that|what {_SAID}(?: you)?) (?:was|is|stays) off the record",
    (
        rf"{_ASKED}(?:strike|delete|erase|remove|wipe|take|cross) (?:(?:this|that|it)(?: out| off)?|what {_SAID}(?: you)?)"
        rf"(?: (?:from|out of|off) {_YOURS})"
    ),
    rf"{_ASKED}(?:strike|delete|erase|remove|wipe) what {_SAID}(?: you)?{_END}",
    rf"{_FIRST}verg(?:iss|essen sie),? was ich (?:(?:gerade|eben|dir|ihnen) )*(?:gesagt|erzählt)",
    rf"{_FIRST}(?:olvid[ae]) lo que (?:acabo de decir|(?:te |le )?(?:he dicho|dije))",
    rf"{_FIRST}oublie[zr]? ce que je (?:viens de|t'ai|vous ai)",
    rf"{_FIRST}dimentic(?:a|hi) quello che ho (?:appena )?detto",
    rf"{_FIRST}esqueç?[ae] o que (?:eu )?(?:acabei de|disse|te disse)",
    rf"{_FIRST}vergeet wat ik (?:net|zojuist|zei)",
)
_OFF = r"off the record\b(?! (?:shop|store|player|label|shelf|sleeve|deck))"
_US = r"between (?:you and me|us|the two of us)\b(?! and\b)"
_HERE = _any_of(
    _not_kept("this"),
    rf"(?:^|[.!?;:,…—–]\s*)(?:(?:and|but|so|well|oh|okay|strictly|just|completely)[\s,]+)*{_OFF}",
    rf"\b(?:(?:this|that|it)(?:'s| is| stays| should be| must be| has to be| remains)|is (?:this|that|it)) (?:\w+ )?{_OFF}",
    rf"\b(?:keep|leave) (?:this|that|it|all of (?:this|it)) {_OFF}",
    rf"\b(?:(?:can|could|may|shall) (?:I|we)|I(?:'ll| will| want to|'d like to| would like to| must| can)|let me|let's)"
    rf" (?:please |also |just )?(?:tell|say|talk|speak|ask|share|mention|confess|go)\b[^.!?;]{{0,60}} {_OFF}",
    rf"\b(?:just|strictly|only) {_US}|\b(?:stays?|keep (?:this|that|it)) {_US}|(?:^|[.!?;,]\s*)(?:(?:and|but|so|well) )?{_US}\s*[,:]",
    rf"{_FIRST}merk (?:dir|es dir) das nicht|{_FIRST}merken sie sich das nicht|\bunter uns gesagt",
    rf"{_FIRST}no (?:recuerdes|recuerde|guardes|guarde|apuntes|anotes) (?:esto|eso){_STOP}",
    r"\b(?:quede|queda|solo|sólo) entre nosotros\b|(?:^|[.!?¡;,]\s*)entre nosotros\s*[,:]",
    rf"{_FIRST}ne (?:retene?z|retiens|notez|note) pas (?:ça|ceci|cela){_STOP}",
    r"\b(?:reste|juste|dit|gardez? (?:ça|cela)|gardons (?:ça|cela)) entre nous\b|(?:^|[.!?;,]\s*)entre nous\s*[,:]",
    rf"{_FIRST}non (?:ricordare|ricordarti|annotare) questo{_STOP}",
    r"\bque (?:fique )?entre nós\b|\bonder ons gezegd",
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
