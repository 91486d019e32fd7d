"""A turn read for what it is about: its words, and which of them name a lock, a key or a label."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from voice_server.digest.secrets.common_words import is_common
from voice_server.digest.secrets.findings import Findings, Scans
from voice_server.digest.secrets.scan import HARD, Scan, Unit
from voice_server.digest.secrets.situation_phrases import TOPICS, Mention, Role

_ANNOUNCED: dict[str, Role] = {
    "card number": "pay",
    "card code": "back",
    "PIN": "lock",
    "password": "login",
    "code": "sent",
}
# What two together tell: “to verify you, the last four?”, “how does Ann get inside?”
_TOGETHER: Mapping[Role, frozenset[Role]] = {
    "proof": frozenset(("check", "ends")),
    "lock": frozenset(("coming", "inside")),
}
_REMEMBERED = 6  # units from “the birthday of my husband” to its number
_POINTS_BACK = 4  # words from a number to what it is called behind


class Reading(Struct, frozen=True):
    """A turn, and the roles of its units."""

    number: int
    text: str
    scan: Scan
    roles: tuple[frozenset[Role], ...]
    is_users: bool

    @classmethod
    def of(cls, findings: Findings, scans: Scans, number: int) -> "Reading":
        turn = findings.turns[number]
        scan = findings.scans[number] = scans.in_full(turn.text)
        roles = _roles(scan.units, scans.mentions(turn.text))
        return cls(number, turn.text, scan, roles, turn.speaker == "user")

    @property
    def units(self) -> Sequence[Unit]:
        return self.scan.units

    @property
    def word_count(self) -> int:
        return sum(unit.is_word for unit in self.units)

    @property
    def last_sentence(self) -> int:
        """Return the unit at which it begins."""
        at = len(self.units)
        while at and self.units[at - 1].text in HARD:
            at -= 1
        while at and self.units[at - 1].text not in HARD:
            at -= 1
        return at

    @property
    def asks_what_is_entered(self) -> bool:
        """“And what did you type?”"""
        places = range(self.last_sentence, len(self.units))
        return any(self.has(at, "entering") and not is_common(self.units[at].text) for at in places)

    def names(self, *roles: Role) -> bool:
        return frozenset(roles) <= frozenset[Role]().union(*self.roles)

    def has(self, at: int, *roles: Role) -> bool:
        return not self.roles[at].isdisjoint(roles)

    def topic_at(self, at: int) -> Role | None:
        return next(iter(sorted(self.roles[at] & TOPICS - {"locked"})), None)

    def topics(self, first: int = 0) -> frozenset[Role]:
        said = frozenset[Role]().union(*self.roles[first:])
        return said & TOPICS | {topic for topic, roles in _TOGETHER.items() if roles <= said}

    @property
    def refuses(self) -> bool:
        """Tell whether it says that something is not to be told: “you mustn't give me that”."""
        return self.names("denying", "telling")

    def names_other(self, first: int) -> bool:
        """Tell whether a question from unit `first` on asks for something with a label: “the meter by the
        garage”."""
        labels = [at for at in range(first, len(self.units)) if self.has(at, "ordinary")]
        topics = [at for at in range(first, len(self.units)) if self.topic_at(at)]
        is_word = any(self.has(at, "word", "proof") for at in topics) or "proof" in self.topics(first)
        return bool(labels) and not is_word and (not topics or labels[0] < topics[0])

    def label_before(self, first: int, words: int, *, is_asked: bool = False) -> bool:
        """Tell whether what stands before unit `first` says what it is of: “the order is”, “about”. Of a
        secret that was asked for (`is_asked`), “it's my birthday” says only how it is remembered."""
        for at in range(first - 1, -1, -1):
            unit = self.units[at]
            if unit.text in HARD or words < 1 or unit.is_number or unit.meaning.numbers or self.topic_at(at):
                return False
            if self.has(at, "ordinary") and not (is_asked and self.has(at, "mnemonic")):
                return not self._is_attribute(at, first)
            if self.has(at, "entering") and not is_common(unit.text):
                return at > 0 and self.has(at - 1, "ordinary")  # "den Zählerstand eingeben, 48213"
            if is_asked and unit.is_word and self._says_more(at):
                return False
            words -= unit.is_word
        return False

    def is_remembered_by(self, first: int) -> bool:
        """Tell whether what stands before unit `first` says how the secret of this turn is remembered: “my
        PIN is easy, it's the birthday of my husband, …”; not “my birthday is …”."""
        for at in range(first - 1, max(first - 1 - _REMEMBERED, -1), -1):
            if self.has(at, "mnemonic"):
                return any(self.units[place].meaning.announces for place in range(at))
            if self.units[at].has("link") and not self.units[at].has("of"):
                return False
        return False

    def _says_more(self, at: int) -> bool:
        """Tell whether it is none of the small words between a label and its number."""
        unit = self.units[at]
        return not (is_common(unit.text) or unit.has("link") or unit.has("fill") or self.has(at, "mnemonic"))

    def _is_attribute(self, label: int, first: int) -> bool:
        """Tell whether a label says only what a code is for: “the code for the flat is”."""
        if not any(unit.has("link") or unit.has("points") for unit in self.units[label + 1 : first]):
            return False
        for words, at in enumerate(range(label - 1, -1, -1)):
            if self.topic_at(at):
                return words > 0
            is_and = self.units[at].has("stop") or self.units[at].has("fill")
            if is_and or not is_common(self.units[at].text) or words > _POINTS_BACK:
                return False
        return False

    def label_behind(self, last: int) -> bool:
        """“48213 is the reading”"""
        linked, words = False, 0
        for at in range(last + 1, min(last + 1 + 2 * _POINTS_BACK, len(self.units))):
            unit = self.units[at]
            if unit.text in HARD or words > _POINTS_BACK or self.topic_at(at):
                return False
            if self.has(at, "ordinary"):
                return linked or words == 0
            linked = linked or (words == 0 and unit.has("link"))
            words += unit.is_word
        return False


def _roles(units: Sequence[Unit], mentions: Sequence[Mention]) -> tuple[frozenset[Role], ...]:
    roles: list[set[Role]] = [set() for _ in units]
    at = 0
    for said in mentions:
        while at < len(units) and units[at].end <= said.start:
            at += 1
        for place in range(at, len(units)):
            if units[place].start >= said.end:
                break
            roles[place].add(said.role)
    for unit, known in zip(units, roles, strict=True):
        _add_meaning(unit, known)
    return tuple(map(frozenset, roles))


def _add_meaning(unit: Unit, known: set[Role]) -> None:
    announced = unit.meaning.announces or unit.meaning.hints
    if announced in _ANNOUNCED:
        known.add(_ANNOUNCED[announced])
    elif unit.has("stay") and not unit.has("soft") and not unit.has("entered") and not known & {"entering"}:
        known -= TOPICS
        known.add("ordinary")
