"""What a caller is called, when all is said: their own word, and how the agent addresses them."""

from collections.abc import Sequence

from voice_server.digest.person_names import spelling
from voice_server.digest.person_names.evidence import NameEvidence
from voice_server.digest.person_names.lexicon import Lexicon, is_given
from voice_server.digest.person_names.reading import LONGEST, PAIR, Name
from voice_server.digest.person_names.sources.forms_of_address import FormsOfAddress
from voice_server.domain.person import CallerName, Certainty


def outcome(known: NameEvidence, address: FormsOfAddress, lexicon: Lexicon) -> CallerName | None:
    _settle_doubts(known, address)
    titled = address.titled(but=known.mentioned)
    words, certainty = _own_words(known, address, titled)
    title = known.title
    if not words:
        found = titled or known.booked or address.greeted or address.given(but=known.mentioned | known.said)
        if found is None:
            return CallerName("", kin_of=known.kin_of) if known.kin_of else None
        words, title, certainty = [*found.words], found.title, "assumed"
    name = _told(words, title, lexicon)
    if not name or len(name) > LONGEST:
        return None
    title = title if name.startswith(title) else ""
    short = known.may_be_nickname
    is_surname = titled is not None and short in titled.words
    if short and not (known.nickname or is_surname or short in words) and address.is_called((short,)):
        known.nickname = short
    return CallerName(name, known.nickname, certainty, title=title, kin_of=known.kin_of)


def _settle_doubts(known: NameEvidence, address: FormsOfAddress) -> None:
    for name in known.doubtful:
        is_open = not known.words or (known.is_unsure and not address.is_called(known.words))
        if is_open and address.is_called(name.words):
            known.take(name)
            if name.is_single:
                known.certainty = "assumed"  # "Hello Robin" may greet the agent, which greets in kind
    may_be = () if known.words else known.whole
    theirs = (name for name in may_be if known.mentioned.isdisjoint(name.plain))
    whole = next((name for name in theirs if address.is_called_whole(name)), None)
    if whole is not None:
        known.take(whole)


def _own_words(
    known: NameEvidence, address: FormsOfAddress, titled: Name | None
) -> tuple[list[str], Certainty]:
    """Return the name as the caller said it, with what the agent adds, and in its order."""
    words, certainty = known.words, known.certainty
    if known.is_unsure and not address.is_called(words):
        certainty = "assumed"
        words = words if titled is None or _sounds_like(titled.words, words) else []
    if len(words) == 1 and titled and address.is_usual(titled, known.said) and _completes(words[0], titled):
        words = [*words, *titled.words]
    given = words or address.given_before(known.renamed)
    if known.renamed and len(given) == 1 and known.renamed not in given and is_given(given[0]):
        words, certainty = [*given, known.renamed], "corrected"
    if len(words) == PAIR and is_given(words[1]) and address.is_surname(words[0]):
        words = [words[1], words[0]]  # "Huber Franz", whom the agent calls "Herr Huber"
    return words, certainty


def _sounds_like(called: Sequence[str], words: Sequence[str]) -> bool:
    """“Mr Gil” of Devinder Gill"""
    return any(spelling.most_alike(word, [*words]) is not None for word in called)


def _completes(word: str, called: Name) -> bool:
    return is_given(word) and called.is_single and called.words[0].lower() != word.lower()


def _told(words: Sequence[str], title: str, lexicon: Lexicon) -> str:
    """Leave out “Mr” or “Frau” before a whole name: they say nothing more."""
    is_one = len([word for word in words if word.lower() not in lexicon.particles]) == 1
    keeps = title and (is_one or title.lower().rstrip(".") in lexicon.academic)
    return " ".join([title, *words] if keeps else words)
