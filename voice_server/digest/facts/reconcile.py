"""From all that was ever claimed to what is known. Pure.

    the claims of all conversations ─┐  in the order in which   ┌ said again       strengthens
    what was said by hand ───────────┴─ they were made ────────→│ contradicting    supersedes; both are kept
                                                                └ new              is a fact of its own

The order is that of the conversations, not of their delivery: one that comes late, is understood anew or is
taken back leaves the facts as if everything had come in order. What a person set is the only other input.

Two claims contradict when they give different values to one topic, or when one says which it supersedes. A
pinned fact yields to nothing: what contradicts it is kept beside it, superseded. An excluded or flagged one
supersedes nothing, but an excluded edit the words before it. A conversation that is understood anew may word
an excluded fact otherwise: that is excluded, too, since a person excludes what was said and not its words.

What is announced for a later day takes its place on that day, said again or not: until then both stand.

    Porto ──────── superseded by Lisbon, valid_to 1 Dec ───────→│
                    Lisbon, said 17 Nov, valid_from 1 Dec       └────────→
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.facts.other_words import Words, tells_most, wordings, words
from voice_server.digest.facts.similarity import Form, form, is_same, shared_by_all_alike
from voice_server.digest.language.manner import LANGUAGES, manner
from voice_server.digest.language.stems import content_stems
from voice_server.domain.fact import About, Claim, Origin, Provenance, Source
from voice_server.runtime.once import once

_DIGITS = 4  # of a certainty
_OF_TALK = ("positions", "changes")  # what of a claim a fact said by hand has not
_ADDRESS, _HOME = "address", "home"  # topics
_CHANGED, _FEWEST_SHARED = 0.5, 2  # of what was said before, and stems: so much is said again when it changes

# Structs of which a user may have thousands are `gc=False`: they hold no cycles, and a third of the time went
# into collections, which stop the event loop although all this runs in a thread.


class ConversationClaims(Struct, frozen=True, gc=False):
    """`at` is when the conversation started (UTC); of two at once the platform's id, `order`, decides."""

    conversation_id: int
    at: datetime
    order: str
    claims: tuple[Claim, ...] = ()


class FactState(Struct, frozen=True, gc=False):
    """A fact as `domain.fact.Fact` has it. `key` stands for its row; `superseded_by` is a key. `made_at` is
    when it was said by hand (UTC); of two at one instant `entry`, the order in which they came in, decides.
    An excerpt is the words of the messages at `positions`. What was edited has its `provenance`."""

    key: str
    about: About
    text: str
    said_on: date
    last_said_on: date
    topic: str = ""
    stems: tuple[str, ...] = ()
    certainty: float = 1.0
    salience: float = 0.5
    times: int = 1
    valid_from: date | None = None
    valid_to: date | None = None
    due: date | None = None
    origin: Origin = "digest"
    pinned: bool = False
    excluded: bool = False
    flagged: bool = False
    supersedes: str = ""
    superseded_by: str = ""
    sources: tuple[Source, ...] = ()
    conversation_id: int | None = None
    positions: tuple[int, ...] = ()
    provenance: Provenance | None = None
    made_at: datetime | None = None
    entry: int = 0


def facts(told: Iterable[ConversationClaims], known: Iterable[FactState] = ()) -> tuple[FactState, ...]:
    """Return what is known, given all claims and what was known before.

    Of `known` only what people set counts; other facts lend their keys, so that a fact stays the row it is.
    What a person pinned or excluded comes first, then each fact as it was first said. Giving the answer back
    as `known` changes nothing.
    """
    told, known = list(told), sorted(known, key=lambda one: one.key)
    claimed = list(_claimed(told))
    digested: dict[int, list[_Statement]] = {one.conversation_id: [] for one in told}
    for said in claimed:
        digested[said.conversation_id].append(said)
    book = _Book(known, sorted(chain(claimed, _by_hand(known)), key=lambda said: said.when), digested)
    book.hand_over()
    book.favour_pinned(digested)
    return tuple(book.facts(digested))


class _Statement(Struct, frozen=True, gc=False):
    claim: Claim
    form: Form
    when: tuple[datetime, bool, str, int]
    conversation_id: int = 0
    row: FactState | None = None


_Digested = Mapping[int, Sequence[_Statement]]  # by conversation with a digest: what that says


def _claimed(told: Iterable[ConversationClaims]) -> Iterator[_Statement]:
    for one in told:
        for index, claim in enumerate(one.claims):
            yield _Statement(claim, form(claim.text), (one.at, False, one.order, index), one.conversation_id)


def _by_hand(known: Iterable[FactState]) -> Iterator[_Statement]:
    for row in known:
        if row.origin != "digest" and row.made_at is not None:
            yield _Statement(
                _as_claim(row),
                form(row.text),
                (row.made_at, True, row.key if not row.entry else "", row.entry),
                row=row,
            )


def _as_claim(row: FactState) -> Claim:
    return Claim(**{name: getattr(row, name) for name in Claim.__struct_fields__ if name not in _OF_TALK})


class _Kind(Struct, frozen=True, gc=False):
    """Facts of different kinds are never the same, nor about one topic."""

    about: About
    flagged: bool


def _kind(one: Claim | FactState) -> _Kind:
    return _Kind(one.about, one.flagged)


class _KnownFact:
    """`row` is what a person set and must stay as worded; None for all others."""

    def __init__(self, number: int, form: Form, kind: "_Kind", row: FactState | None) -> None:
        self.number = number  # the order in which facts were first said
        self.forms = [form]
        self.kind = kind
        self.row = row
        self.said: list[_Statement] = []
        self.topic = row.topic if row else ""
        self.valid_from: date | None = None
        self.valid_to: date | None = None
        self.superseded_by: _KnownFact | None = None
        self.until: tuple[date, _KnownFact] | None = None  # the day something announced is to take its place
        self.pinned, self.excluded = (row.pinned, row.excluded) if row else (False, False)
        self.last_said = -1  # the place of the latest saying among all

    @property
    def words(self) -> Sequence[Words]:
        return wordings(self.row.text) if self.row else ()

    @property
    def in_force(self) -> "_KnownFact":
        """Itself, or what superseded it at last."""
        fact = self
        while fact.superseded_by is not None:
            fact = fact.superseded_by
        return fact

    def add(self, said: _Statement, place: int) -> None:
        self.said.append(said)
        self.last_said = place
        self.topic = said.claim.topic or self.topic
        self.valid_from = said.claim.valid_from or self.valid_from

    def revive(self, claim: Claim) -> None:
        if self.until is not None and self.until[0] <= claim.said_on:
            self.until = None
        if self.superseded_by is not None:
            self.superseded_by, self.valid_to = None, None
            self.valid_from = claim.valid_from

    def yield_to(self, other: "_KnownFact", on: date) -> None:
        self.superseded_by, self.valid_to = other, on


class _Book:
    def __init__(self, known: Sequence[FactState], said: Sequence[_Statement], told: _Digested) -> None:
        self._known = known
        self._facts: list[_KnownFact] = []
        self._alike: dict[tuple[object, ...], list[tuple[Form, _KnownFact]]] = defaultdict(list)
        self._worded: dict[str, _KnownFact] = {}
        self._holding: dict[tuple[_Kind, str], _KnownFact] = {}
        self._coming: dict[tuple[_Kind, str], list[_KnownFact]] = defaultdict(list)
        set_by_hand = [(row, form(row.text)) for row in known if row.pinned or row.excluded]
        forms = chain((one.form for one in said), (form for _, form in set_by_hand))
        self._frequency = Counter(chain.from_iterable(form.stems for form in forms))
        self._rows = {row.key: self._open(form, _kind(row), row) for row, form in set_by_hand}
        self._excluded_anew: dict[int, list[_KnownFact]] = defaultdict(list)
        for fact in self._facts:
            for id_ in _anew(fact, told) if fact.excluded else ():
                self._excluded_anew[id_].append(fact)
        for place, one in enumerate(said):
            self._enter(one, place)

    def hand_over(self) -> None:
        """Let what is still to come take over on its day, each from the one before it."""
        for slot, coming in self._coming.items():
            before = self._holding.get(slot)
            for fact in _in_turn(coming):
                if before is not None:
                    _give_way(before.in_force, fact, fact.valid_from)
                before = fact
        for fact in self._facts:
            if fact.until is not None and fact.superseded_by is None:
                day, announced = fact.until
                _give_way(fact, announced.in_force, announced.in_force.valid_from or day)

    def favour_pinned(self, told: _Digested) -> None:
        """Let pinned facts hold, whatever came after."""
        for pinned in self._facts:
            if not pinned.pinned or pinned.excluded:
                continue
            last, is_said = self._in_place_of(pinned), bool(pinned.said or _sources(pinned, told))
            pinned.superseded_by, pinned.valid_to = None, None
            if is_said and last is not pinned and not last.pinned:
                last.yield_to(pinned, last.said[-1].claim.said_on)

    def facts(self, told: _Digested) -> Iterator[FactState]:
        keys = _Keys(self._known)
        named = {fact: keys.of(fact) for fact in self._facts}
        for fact, key in named.items():
            superseded_by = named[fact.superseded_by] if fact.superseded_by else ""
            yield _written(fact, key, superseded_by, told)

    def _enter(self, said: _Statement, place: int) -> None:
        claim, named = said.claim, self._named(said.claim)
        fact = (
            self._claimed(said, named)
            if said.row is None
            else self._said_by_hand(said, said.row, named, place)
        )
        fact.add(said, place)
        self._index(said.form, fact, claim)
        if fact.superseded_by is not None and fact.superseded_by.excluded | fact.superseded_by.pinned:
            return
        if not (fact.excluded or claim.flagged):
            self._settle(fact, claim, named, wins=said.row is not None)
        elif fact.excluded and _is_edit(said) and named is not None:
            self._keep_untold(named, fact, claim)

    def _claimed(self, said: _Statement, named: _KnownFact | None) -> _KnownFact:
        if named is not None and said.form in named.forms:
            named = None  # it says again what it is said to supersede
        same = self._same(said, other_than=named)
        if same is None or not (same.pinned or same.excluded):
            same = self._excluded_in_other_words(said) or same
        return same or self._open(said.form, _kind(said.claim))

    def _excluded_in_other_words(self, said: _Statement) -> _KnownFact | None:
        excluded = self._excluded_anew.get(said.conversation_id, ())
        if not excluded or said.claim.flagged:
            return None
        found = words(said.claim.text)
        return next(
            (one for one in excluded if any(tells_most(found, wording) for wording in one.words)), None
        )

    def _said_by_hand(
        self, said: _Statement, row: FactState, named: _KnownFact | None, place: int
    ) -> _KnownFact:
        """Take over from what said the same, unless that is pinned or excluded."""
        if row.key in self._rows:
            return self._rows[row.key]
        same = self._same(said, other_than=named)
        fact = self._rows[row.key] = self._open(said.form, _kind(row), row)
        if same is None:
            return fact
        if same.pinned or same.excluded:
            same.add(said, place)
            fact.yield_to(same, said.claim.said_on)
        else:
            fact.said.extend(same.said)
            fact.topic = fact.topic or same.topic
            same.yield_to(fact, said.claim.said_on)
        return fact

    def _open(self, form: Form, kind: _Kind, row: FactState | None = None) -> _KnownFact:
        fact = _KnownFact(len(self._facts), form, kind, row)
        self._facts.append(fact)
        self._file(form, fact)
        return fact

    def _index(self, form: Form, fact: _KnownFact, claim: Claim) -> None:
        self._worded[_folded(claim.text)] = fact
        if fact.pinned or fact.excluded:
            return  # its own words decide what says the same: what else did once must leave no trace in it
        if form not in fact.forms:
            fact.forms.append(form)
            self._file(form, fact)

    def _file(self, form: Form, fact: _KnownFact) -> None:
        if fact.row is not None:
            self._worded.setdefault(_folded(fact.row.text), fact)
        for place in self._places(form, fact.kind):
            self._alike[place].append((form, fact))

    def _places(self, form: Form, kind: _Kind) -> list[tuple[object, ...]]:
        rarest = sorted(form.stems, key=lambda stem: (self._frequency[stem], stem))
        return [(kind, form.exact, stem) for stem in shared_by_all_alike(rarest) or [""]]

    def _same(self, said: _Statement, other_than: _KnownFact | None) -> _KnownFact | None:
        return self._find(said.form, _kind(said.claim), other_than)

    def _find(self, form: Form, kind: _Kind, other_than: _KnownFact | None = None) -> _KnownFact | None:
        found = [
            fact
            for place in self._places(form, kind)
            for there, fact in self._alike[place]
            if fact is not other_than and is_same(form, there)
        ]
        return max(found, key=_claim_to_be_said_again, default=None)

    def _named(self, claim: Claim) -> _KnownFact | None:
        """Prefer the fact in the very words that a claim supersedes."""
        if not claim.supersedes:
            return None
        worded = self._worded.get(_folded(claim.supersedes))
        return worded or self._find(form(claim.supersedes), _kind(claim))

    def _settle(self, fact: _KnownFact, claim: Claim, named: _KnownFact | None, *, wins: bool) -> None:
        if named is not None and not named.excluded:
            fact.topic = fact.topic or named.topic
        slot, later = (fact.kind, fact.topic.casefold()), _is_to_come(claim)
        if fact.topic and not later:
            self._begin_what_has_come(slot, fact, claim.said_on)
        fact.revive(claim)
        if named is not None and named is not fact and not named.excluded:
            self._replace(named, fact, claim)
        if claim.changes:
            self._change(fact, claim)
        if fact.topic and later:
            self._announce(slot, fact, claim)
        elif fact.topic:
            self._hold(slot, fact, claim, wins=wins)
        if fact.topic == _ADDRESS and claim.changes and not later:
            self._leave_home(fact, claim)

    def _leave_home(self, address: _KnownFact, claim: Claim) -> None:
        """Let the home give way to where somebody moved: “We've moved, it's 14 Quarry Lane now.”"""
        slot = (address.kind, _HOME)
        home = self._holding.get(slot)
        if home is not None and not home.in_force.pinned:
            del self._holding[slot]
            self._supersede(home.in_force, address, claim)

    def _keep_untold(self, named: _KnownFact, edit: _KnownFact, claim: Claim) -> None:
        """Do not tell instead of an excluded edit what it was before."""
        if named is not edit and not (named.pinned or named.excluded) and named.superseded_by is None:
            named.yield_to(edit, claim.said_on)

    def _change(self, fact: _KnownFact, claim: Claim) -> None:
        """Let a “no more” take the place of what says most of the same."""
        silent = _silent()
        said = fact.forms[-1].stems - silent
        for other in self._facts:
            holds = other is not fact and other.superseded_by is None and not (other.pinned or other.excluded)
            if not holds or other.kind != fact.kind or other.row is not None:
                continue
            stems = other.forms[0].stems - silent
            if len(stems & said) >= max(_FEWEST_SHARED, _CHANGED * len(stems)):
                other.yield_to(fact, claim.said_on)

    def _replace(self, named: _KnownFact, fact: _KnownFact, claim: Claim) -> None:
        """Let the named fact give way on the day the claim is about, but at once when that is a change of
        plan."""
        if not _is_to_come(claim) or claim.valid_from is None:
            self._supersede(named, fact, claim)
        elif named.valid_from is not None and named.valid_from > claim.said_on:
            named.yield_to(fact, claim.said_on)
        else:
            named.until = (claim.valid_from, fact)

    def _announce(self, slot: tuple[_Kind, str], fact: _KnownFact, claim: Claim) -> None:
        """Leave the present value alone."""
        coming = self._coming[slot]
        for other in coming:
            if other is not fact and other.superseded_by is None and other.valid_from == fact.valid_from:
                other.yield_to(fact, claim.said_on)
        if fact not in coming:
            coming.append(fact)

    def _hold(self, slot: tuple[_Kind, str], fact: _KnownFact, claim: Claim, *, wins: bool) -> None:
        holding = self._holding[slot].in_force if slot in self._holding else fact
        if holding is fact or wins or not _is_older(claim, holding):
            self._supersede(holding, fact, claim)
            self._holding[slot] = fact
        else:
            fact.yield_to(holding, holding.valid_from or claim.said_on)

    def _begin_what_has_come(self, slot: tuple[_Kind, str], said: _KnownFact, today: date) -> None:
        coming = self._coming.pop(slot, [])
        for fact in _in_turn(one for one in coming if one is not said):
            if fact.valid_from is not None and fact.valid_from > today:
                self._coming[slot].append(fact)
                continue
            if slot in self._holding:
                _give_way(self._holding[slot].in_force, fact, fact.valid_from)
            self._holding[slot] = fact

    def _supersede(self, old: _KnownFact, fact: _KnownFact, claim: Claim) -> None:
        if old is not fact:
            old.yield_to(fact, claim.valid_from or claim.said_on)

    def _in_place_of(self, pinned: _KnownFact) -> _KnownFact:
        """Another may hold in its topic when no digest says it any more."""
        slot = (pinned.kind, pinned.topic.casefold())
        return (pinned if pinned.superseded_by else self._holding.get(slot, pinned)).in_force


def _claim_to_be_said_again(fact: _KnownFact) -> tuple[bool, bool, bool, int, int]:
    if fact.excluded or fact.pinned:  # always the same one, so that what else is said leaves no trace in them
        return fact.excluded, fact.pinned, True, 0, fact.number
    return fact.excluded, fact.pinned, fact.superseded_by is None, fact.last_said, fact.number


def _is_edit(said: _Statement) -> bool:
    return said.row is not None and said.row.provenance is not None


def _is_to_come(claim: Claim) -> bool:
    return claim.valid_from is not None and claim.valid_from > claim.said_on


def _in_turn(coming: Iterable[_KnownFact]) -> list[_KnownFact]:
    return sorted(
        (one for one in coming if one.superseded_by is None),
        key=lambda one: (one.valid_from or date.min, one.number),
    )


def _give_way(old: _KnownFact, new: _KnownFact, on: date | None) -> None:
    """Both have to be in force."""
    if old is new or on is None or new.superseded_by is not None:
        return
    if not old.pinned:
        old.yield_to(new, on)
    elif not new.pinned:
        new.yield_to(old, new.said[-1].claim.said_on)


def _is_older(claim: Claim, holding: _KnownFact) -> bool:
    """Tell whether one holds for longer; both have to say since when."""
    return (
        claim.valid_from is not None
        and holding.valid_from is not None
        and claim.valid_from < holding.valid_from
    )


@once
def _silent() -> frozenset[str]:
    """Sentences that share only “ich habe eine” share nothing."""
    silent = (word for language in LANGUAGES for word in manner(language).function_words)
    return frozenset(stem for word in silent for stem in content_stems(word))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


class _Keys:
    def __init__(self, known: Iterable[FactState]) -> None:
        free = [row for row in known if row.origin == "digest" and not (row.pinned or row.excluded)]
        self._free = {row.key for row in free}
        self._taken = {row.key for row in known} - self._free

    def of(self, fact: _KnownFact) -> str:
        if fact.row is not None:
            return fact.row.key
        forms = [form.key(repr(fact.kind)) for form in fact.forms]
        fresh = chain(forms, (f"{forms[0]}-{number}" for number in range(2, len(self._taken) + 3)))
        key = next((key for key in forms if key in self._free), None) or next(
            key for key in fresh if key not in self._taken
        )
        self._free.discard(key)
        self._taken.add(key)
        return key


def _written(fact: _KnownFact, key: str, superseded_by: str, told: _Digested) -> FactState:
    outcome = {"superseded_by": superseded_by, "valid_to": fact.valid_to}
    sources, days = _sources(fact, told), _days(fact)
    times = {
        "times": len(sources) + len({said.row.key for said in fact.said if said.row}),
        "sources": sources,
    }
    if fact.row is None:
        return replace(_new(fact, key), **times, **days, **_worth(fact), **outcome)
    if own := _own_sources(fact.row, told):
        sources = _joined(own, sources)
        by_hand = {said.row.key for said in fact.said if said.row} - {fact.row.key}
        times = {"times": len(sources) + len(by_hand), "sources": sources}
    if fact.row.provenance is not None:
        days = {"last_said_on": _last_said_on(fact, fact.row, fact.row.provenance)}
    if fact.row.origin != "digest":
        return replace(fact.row, **times, **{**days, "said_on": fact.row.said_on}, **outcome)
    if all(said.row for said in fact.said):  # no claim to make its dates from again, when what was added goes
        return replace(fact.row, **times, **outcome)
    return replace(fact.row, **times, **days, **_worth(fact), **outcome)


def _new(fact: _KnownFact, key: str) -> FactState:
    claim = fact.said[-1].claim
    return FactState(
        key=key,
        about=claim.about,
        text=claim.text,
        said_on=claim.said_on,
        last_said_on=claim.said_on,
        topic=fact.topic,
        stems=tuple(dict.fromkeys(content_stems(claim.text))),
        flagged=claim.flagged,
    )


def _days(fact: _KnownFact) -> dict[str, date]:
    said_on = [said.claim.said_on for said in fact.said]
    return {"said_on": min(said_on), "last_said_on": max(said_on)} if said_on else {}


def _worth(fact: _KnownFact) -> dict[str, object]:
    doubt = dict[int, float]()
    for said in fact.said:
        doubt[said.conversation_id] = min(doubt.get(said.conversation_id, 1.0), 1 - said.claim.certainty)
    dues = [said.claim.due for said in fact.said if said.claim.due]
    return {
        "certainty": round(1 - prod(doubt.values()), _DIGITS),
        "salience": max(said.claim.salience for said in fact.said),
        "valid_from": fact.valid_from,
        "due": dues[-1] if dues else None,
    }


def _sources(fact: _KnownFact, told: _Digested) -> tuple[Source, ...]:
    """Keep the conversations of what a person pinned or excluded, without messages, while these have a
    digest: another digest may word it otherwise."""
    positions = dict[int, set[int]]()
    for said in fact.said:
        if said.row is None:
            positions.setdefault(said.conversation_id, set()).update(said.claim.positions)
    kept = [Source(id_) for id_ in _anew(fact, told) if id_ not in positions]
    return (*kept, *(Source(id_, tuple(sorted(found))) for id_, found in positions.items()))


def _anew(fact: _KnownFact, told: _Digested) -> list[int]:
    """Return the conversations that noted it and do not say it any more: they were understood anew."""
    noted = fact.row.sources if fact.row and fact.row.origin == "digest" else ()
    ids = [one.conversation_id for one in noted if one.conversation_id in told]
    return [id_ for id_ in ids if not any(_says(said, fact) for said in told[id_])]


def _own_sources(row: FactState, told: _Digested) -> list[Source]:
    """Return what an excerpt or an edited fact rests on besides what says the same. An excerpt goes with its
    conversation, which need have no digest."""
    if row.conversation_id is not None:
        return [Source(row.conversation_id, row.positions)]
    if row.provenance is None:
        return []
    goes_with_its_own = row.provenance.origin == "excerpt"
    return [
        source
        for place, source in enumerate(row.provenance.sources)
        if source.conversation_id in told or (goes_with_its_own and place == 0)
    ]


def _joined(own: Iterable[Source], others: Iterable[Source]) -> tuple[Source, ...]:
    positions = dict[int, set[int]]()
    for one in chain(own, others):
        positions.setdefault(one.conversation_id, set()).update(one.positions)
    return tuple(Source(id_, tuple(sorted(found))) for id_, found in positions.items())


def _last_said_on(fact: _KnownFact, row: FactState, provenance: Provenance) -> date:
    """Leave out the day of the edit: other words for it do not say it again."""
    said_on = (said.claim.said_on for said in fact.said if said.row is None or said.row.key != row.key)
    return max((provenance.last_said_on, *said_on))


def _says(said: _Statement, fact: _KnownFact) -> bool:
    return _kind(said.claim) == fact.kind and is_same(said.form, fact.forms[0])
