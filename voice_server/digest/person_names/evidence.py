"""What a conversation has told of the caller's name by now, and what may be it."""

from collections.abc import Sequence

from voice_server.digest.person_names import spelling
from voice_server.digest.person_names.lexicon import is_given
from voice_server.digest.person_names.pet_names import begins_in_short
from voice_server.digest.person_names.questions import Part
from voice_server.digest.person_names.reading import PAIR, Name, plain
from voice_server.domain.person import Certainty


class NameEvidence:
    def __init__(self) -> None:
        self.words: list[str] = []
        self.title = ""
        self.nickname = ""
        self.may_be_nickname = ""  # “Terrence. Well, Tez.”, which it is if the agent then calls them so
        self.certainty: Certainty = "stated"
        self.is_unsure = False  # a name that no mark divides from the rest, until another is said
        self.renamed = ""  # a surname that is new, where the given name was not said yet
        self.booked: Name | None = None
        self.doubtful: list[Name] = []  # theirs if the agent then calls them so
        self.whole: list[Name] = []  # theirs if the agent then calls them “Mr” with the surname
        self.said: set[str] = set()  # by the caller
        self.mentioned: set[str] = set()  # names of whom they deal with
        self.kin_of = ""
        self._is_stated = False

    @property
    def has_given(self) -> bool:
        return any(is_given(word) for word in self.words)

    def take(self, name: Name, part: Part = "", *, stated: bool = False) -> None:
        """Take a name for theirs, or more of it: what is `stated` replaces what only seemed to be one. A
        second with a title is another's: “this is Mrs Lowe, on behalf of Mr Bloom”."""
        is_other = plain(name.words).isdisjoint(plain(self.words))
        if name.title and self.title and is_other and not stated:
            return
        replaces = (stated or self.is_unsure) and not self._is_stated
        said = self._in_full([*name.words])
        words = _together(self.words, said, part, replaces=replaces)
        if words != self.words or not self.title:
            self.title = name.title or self.title
        self.words = words
        self._is_stated, self.is_unsure = self._is_stated or stated, False

    def _in_full(self, said: list[str]) -> list[str]:
        """Tell the short form of a whole name from it: “Puri, Purificación Lozano”."""
        is_anew = len(self.words) == 1 and len(said) == PAIR
        short, *whole = [*self.words, *said] if is_anew else said
        if len(whole) < PAIR or not begins_in_short([short, *whole]):
            return said
        self.words, self.nickname = ([] if is_anew else self.words), short
        return whole

    def give_up(self) -> None:
        """Take the name for somebody else's."""
        self.words, self.title, self.nickname = [], "", ""
        self._is_stated = self.is_unsure = False

    def correct(self, words: Sequence[str]) -> None:
        self.words = [*words]
        self._is_stated, self.certainty = True, "corrected"

    def write(self, place: int, word: str) -> None:
        """Write a word of the name as it was spelled."""
        self.words[place] = word
        self.certainty = "corrected"


def _together(known: list[str], said: list[str], part: Part, *, replaces: bool) -> list[str]:
    if not known or plain(known) <= plain(said):
        return said
    if plain(said) <= plain(known):
        return known
    if len(said) == 1:
        return _with_one(known, said[0], part, replaces=replaces)
    if part == "last" and is_given(known[0]) and not is_given(said[0]) and len(known) <= len(said):
        return [known[0], *said]  # "van dijk", "garcía lópez"
    adds = len(said) >= len(known) and not plain(said).isdisjoint(plain(known))
    return said if replaces or adds else known


def _with_one(known: list[str], said: str, part: Part, *, replaces: bool) -> list[str]:
    """Keep what was spelled: a word heard once more may be heard worse."""
    if not replaces and spelling.most_alike(said, known) is not None:
        return known
    if part == "first" and len(known) > 1 and not replaces and is_given(known[0]) and not is_given(said):
        return known  # "What a nice name. How are you?" – "Middling."
    if part in ("first", "last"):
        return [known[0], said] if part == "last" else [said, known[-1]]
    return _paired(known, said) or ([said] if replaces else known)


def _paired(known: list[str], said: str) -> list[str]:
    """Put the given name first (“met van der Veen” – “ik heet Ilse”); empty when the two are no pair."""
    is_one = sum(not word.islower() for word in known) == 1
    given = is_given(known[-1]), is_given(said)
    return {(True, False): [*known, said], (False, True): [said, *known]}.get(given, []) if is_one else []
