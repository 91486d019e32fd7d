"""Telling what somebody said: in the third person where the grammar is certain, else as a quotation.

Three ways, first that is certain wins:
1. direct: "I lost my job" → "The caller lost their job."; not for "you", whom a bare "You'll …" would order about
2. reported: "It rained all day" → "The caller said it rained all day."; "I" is "they" there, which needs no
   conjugation
3. quoted: `The caller said: "Been great since."`

The party named "you" (whoever reads the telling) is addressed in the second person: "I'll send you the menu"
→ "You said you'd send the caller the menu."
"""

import re
from collections.abc import Sequence

from voice_server.digest.verbs import (
    BASES,
    MODALS,
    is_adverb,
    is_finite,
    is_past,
    third_person_singular,
)
from voice_server.digest.word_lists import word_set

_TOKEN = re.compile(r"\w+(?:['-]\w+)*|\s+|[^\w\s]")
_I = word_set("i i'm i've i'll i'd")
_WE = {"we": "they", "we're": "they're", "we've": "they've", "we'll": "they'll", "we'd": "they'd"}
_US = {"us": "them", "our": "their", "ours": "theirs"}
_SPOKEN_TO = {"gon": "going", "wan": "want"}
_GONNA = re.compile(r"\b(gon|wan)na\b", re.IGNORECASE)
_OTHERS = word_set("they they're they've they'll they'd them their theirs")
_YOU = word_set("you you're you've you'll you'd")
_MY_FRIEND_AND_I = re.compile(r"[Mm]y ([\w-]+(?: [\w-]+)?) and I(?=\s)")
_UNTELLABLE = word_set("myself ourselves yourself yourselves let's lemme gotta ain't y'all")
_THEY = {"am": "are", "was": "were", "wasn't": "weren't"}
_SINGULAR = {"am": "is", "are": "is", "aren't": "isn't", "were": "was", "weren't": "wasn't"}
_STARTS = word_set("""i i'm i've i'll i'd my the this that that's it it's it'll there there's he she they he's she's they're
    they've these those a an we we're we've we'll we'd our when if since after before while although though because
    last yesterday today tomorrow tonight next recently lately in on at for during with from one some many most
    you you're you've you'll you'd your here's hopefully everyone everybody someone people sometimes usually currently now then unfortunately luckily fortunately
    honestly personally being having his her their each every both nothing everything another""")
_SUBJECTS = _STARTS - word_set(
    "last yesterday today tomorrow tonight next recently lately in on at for during with from"
) | word_set("he's she's")
_BEFORE_SUBJECT = word_set("""if when that what because since as and but so while before after whether how where why think hope know
    believe guess bet sure glad happy until once where unless wish said whatever whenever or although , ; : - –
    —""")
_BEFORE_OBJECT = word_set("""to for with from of at about on let lets letting make makes made help helps helped keep keeps kept give gives
    gave send sends sent show shows showed get gets got see""")
_INVERTED = word_set("""do does did don't doesn't didn't am are is was were have has had can could will would should may might
    must than nor""")
_JOINED = frozenset({"and", "or", "but"})


class _UnsureError(Exception):
    """The grammar is not certain: tell it another way."""


def tell(text: str, speaker: str, listener: str) -> str:
    """One sentence, told as what `speaker` said to `listener`; either may be "you"."""
    plain = text.strip()
    if plain.endswith(("?", "？")):
        return quote(plain, speaker, verb="asked")
    for way in (_direct, _reported):
        try:
            return _sentence_case(way(_tokens(plain), speaker, listener))
        except _UnsureError:
            continue
    return quote(plain, speaker)


def quote(text: str, speaker: str, verb: str = "said") -> str:
    """The words themselves, with who said them."""
    inner = " ".join(text.replace('"', "'").split())
    return f'{_capital(speaker)} {verb}: "{inner}"'


def is_quoted(told: str) -> bool:
    """Whether a telling of `tell` had to quote the words themselves."""
    return told.endswith('"')


def inline(label: str) -> str:
    """A party's name as it stands within a sentence: "The caller" is "the caller" there."""
    first, _, rest = label.strip().partition(" ")
    return f"{first.lower()} {rest}" if first in {"The", "A", "An"} else _second(label) or label.strip()


def rewrite(text: str, speaker: str, listener: str) -> str | None:
    """A clause with the pronouns of a report ("I" is "they"), or None when that would not be certain."""
    try:
        return _Retelling(_tokens(text), speaker, listener, named=True, reported=True).text()
    except _UnsureError:
        return None


def _direct(tokens: list[str], speaker: str, listener: str) -> str:
    """Only for what speaks of the speaker first: anything else must not sound as if we asserted it."""
    if _second(speaker):
        raise _UnsureError
    _require_full_sentence(tokens)
    text = "".join(tokens)
    if pair := _MY_FRIEND_AND_I.match(text):
        rest = _Retelling(_tokens(text[pair.end() :]), speaker, listener, named=True, reported=False).text()
        return f"{_capital(speaker)} and their {pair[1]}{rest}"
    words = [_low(t) for t in tokens]
    first = next((i for i, word in enumerate(words) if word in _I or word == "my"), len(words))
    if first == len(words) or any(is_finite(w) or w in _YOU for w in words[:first]):
        raise _UnsureError
    if set(words) & {*_WE, *_US} or (_second(listener) and _addressed(words)):
        raise _UnsureError
    return _Retelling(tokens, speaker, listener, named=False, reported=False).text()


def _addressed(words: Sequence[str]) -> bool:
    """Whether "you" does something in the sentence: told bare, it could be read as an order to do it."""
    return any(word in _YOU and _finite_after(words, i) for i, word in enumerate(words))


def _finite_after(words: Sequence[str], index: int) -> bool:
    verb = _verb_after(words, index)
    return "'" in words[index] or (verb is not None and is_finite(words[verb]))


def _reported(tokens: list[str], speaker: str, listener: str) -> str:
    _require_full_sentence(tokens)
    if _low(tokens[0]) in _OTHERS and not _second(speaker):
        raise _UnsureError
    started = [_small_start(tokens[0]), *tokens[1:]]
    told = _Retelling(started, speaker, listener, named=True, reported=True).text()
    return f"{_capital(speaker)} said {told}"


def _require_full_sentence(tokens: Sequence[str]) -> None:
    """A fragment or a command is nothing to tell: the latter would read as an instruction of ours."""
    words = [_low(t) for t in tokens if t[0].isalnum()]
    if not words or tokens[0].lower() not in _STARTS:
        raise _UnsureError
    if not any(map(is_finite, words)) or not set(words) & _SUBJECTS:
        raise _UnsureError


class _Retelling:
    """One pass over the tokens. `named`: the speaker was named already, so "I" can be "they"."""

    def __init__(
        self, tokens: list[str], speaker: str, listener: str, *, named: bool, reported: bool
    ) -> None:
        self.tokens = tokens
        self.words = [_low(t) for t in tokens]
        self.out = list(tokens)
        self.speaker, self.listener = speaker, listener
        self.named = named
        self.is_subject_named = named
        self.reported = reported
        self.others = bool(set(self.words) & _OTHERS)

    def text(self) -> str:
        for index, word in enumerate(self.words):
            self._word(index, word)
        return "".join(self.out)

    def _word(self, index: int, word: str) -> None:
        if word in _UNTELLABLE:
            raise _UnsureError
        if word in _I:
            self._i(index)
        elif word in _YOU:
            self._you(index)
        elif word in {"me", "my", "mine"}:
            self.out[index] = self._own(word)
        elif word in {"your", "yours"} and not _second(self.listener):
            self.out[index] = _genitive(inline(self.listener))
        elif word in _WE or word in _US:
            self._we(index, word)

    def _own(self, word: str) -> str:
        if _second(self.speaker):
            return {"me": "you", "my": "your", "mine": "yours"}[word]
        if self._can_say_they():
            return {"me": "them", "my": "their", "mine": "theirs"}[word]
        self.named = True
        return inline(self.speaker) if word == "me" else _genitive(inline(self.speaker))

    def _can_say_they(self) -> bool:
        """“They” would be taken for others when the sentence has those; a name then stands again."""
        return self.named and not self.others

    def _we(self, index: int, word: str) -> None:
        their = {**_WE, **_US}[word]
        if _second(self.speaker):
            their = {"them": "you", "their": "your", "theirs": "yours"}.get(
                their, their.replace("they", "you")
            )
        self.out[index] = their.replace("'ll", "'d") if self.reported else their

    def _i(self, index: int) -> None:
        if self._before(index) in _INVERTED:
            raise _UnsureError
        if _second(self.speaker):
            self._plural_subject(index, "you")
            return
        self._refuse_compound(index)
        if self._can_say_they() and self.is_subject_named:
            self._plural_subject(index, "they")
        else:
            self.named = self.is_subject_named = True
            self._singular_subject(index, self.speaker)

    def _you(self, index: int) -> None:
        if _second(self.listener):
            return
        if self._before(index) in {"thank", *_INVERTED}:
            raise _UnsureError
        if self._is_subject(index):
            self._singular_subject(index, self.listener)
        elif self.words[index] == "you" and self._surely_object(index):
            self.out[index] = inline(self.listener)
        else:
            raise _UnsureError

    def _plural_subject(self, index: int, pronoun: str) -> None:
        """“I” becomes "you" or "they": only "am" and "was" change."""
        ending = self.words[index][1:]
        self.out[index] = pronoun + self._ending(ending)
        verb = self._verb_after(index)
        if not ending and verb is not None and self.words[verb] in _THEY:
            self.out[verb] = _THEY[self.words[verb]]
        self._refuse_joined(index, frozenset({"am", "was"}))

    def _ending(self, ending: str) -> str:
        """“I'm” → "they're"; and what one said one *will* do is what one *would* do."""
        if ending == "'m":
            return "'re"
        return "'d" if ending == "'ll" and self.reported else ending

    def _singular_subject(self, index: int, label: str) -> None:
        ending = self.words[index].lstrip("iyou")
        self.out[index] = inline(label) + (f" {self._spelled_out(index, ending)}" if ending else "")
        if not ending:
            self._conjugate(index)
        self._refuse_joined(index, BASES if self._is_present(index, ending) else frozenset({"am", "are"}))

    def _spelled_out(self, index: int, ending: str) -> str:
        if ending in {"'m", "'re"}:
            return "is"
        if ending in {"'ve", "'ll"}:
            return "has" if ending == "'ve" else "will"
        verb = self._verb_after(index)
        word = self.words[verb] if verb is not None else ""
        if word == "better" or is_past(word):
            return "had"
        if word in BASES or word in {"be", "rather", "have"}:
            return "would"
        raise _UnsureError

    def _conjugate(self, index: int) -> None:
        verb = self._verb_after(index)
        form = _singular(self.words[verb]) if verb is not None else None
        if verb is None or form is None:
            raise _UnsureError
        if form != self.words[verb]:
            self.out[verb] = form

    def _is_present(self, index: int, ending: str) -> bool:
        verb = self._verb_after(index)
        return not ending and verb is not None and self.words[verb] in BASES | {"do", "don't"}

    def _refuse_joined(self, index: int, verbs: frozenset[str]) -> None:
        """“I like tea and go …”: the second verb would need the form of the first."""
        for at in range(index + 1, len(self.words)):
            if self.words[at] in _I | _YOU or self.words[at] in {"to", *MODALS}:
                return
            if self.words[at] in _JOINED or self.words[at] == ",":
                verb = self._verb_after(at)
                if verb is not None and self.words[verb] in verbs:
                    raise _UnsureError

    def _refuse_compound(self, index: int) -> None:
        """“My brother and I like …” is a plural; "I left and I …" is not."""
        if self._before(index) in {"and", "or"} and not any(is_finite(w) for w in self.words[:index]):
            raise _UnsureError

    def _is_subject(self, index: int) -> bool:
        before = self._before(index)
        verb = self._verb_after(index)
        finite = "'" in self.words[index] or (verb is not None and _singular(self.words[verb]) is not None)
        return finite and (before == "" or before in _BEFORE_SUBJECT)

    def _surely_object(self, index: int) -> bool:
        before, verb = self._before(index), self._verb_after(index)
        if before in _BEFORE_SUBJECT or before == "":
            return False
        return before in _BEFORE_OBJECT or verb is None or not is_finite(self.words[verb])

    def _before(self, index: int) -> str:
        return next((w for w in reversed(self.words[:index]) if not w.isspace()), "")

    def _verb_after(self, index: int) -> int | None:
        return _verb_after(self.words, index)


def _verb_after(words: Sequence[str], index: int) -> int | None:
    """The next word that is no adverb, unless punctuation comes first."""
    for at in range(index + 1, len(words)):
        word = words[at]
        if word.isspace() or is_adverb(word):
            continue
        return at if word[0].isalpha() else None
    return None


def _singular(word: str) -> str | None:
    return _SINGULAR.get(word) or third_person_singular(word)


def _tokens(text: str) -> list[str]:
    plain = text.replace("’", "'")
    return _TOKEN.findall(_GONNA.sub(lambda m: f"{_SPOKEN_TO[m[1].lower()]} to", plain))


def _low(token: str) -> str:
    return token.lower()


def _second(label: str) -> str:
    """“you” when the label is the one addressed, else nothing."""
    return "you" if label.strip().lower() == "you" else ""


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith("s") and " " in name else f"{name}'s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small_start(token: str) -> str:
    return token if token.lower() in _I else token[:1].lower() + token[1:]


def _sentence_case(text: str) -> str:
    plain = text.rstrip(" !.…")
    return _capital(f"{plain}.") if plain else text
