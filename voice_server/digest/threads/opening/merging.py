"""The merging of a matter said again, or asked by one party and promised by the other."""

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import timedelta

from msgspec.structs import replace

from voice_server.digest.threads.opening.candidate import Candidate
from voice_server.digest.threads.speech import quoting
from voice_server.digest.threads.speech.quoting import ANSWERED

_SAME = 0.5
_SOON = 3  # messages
_MONTH = 1  # matters of "the 19th of December"
# How many candidates with a word in common are compared, the latest: a word that more of them share tells
# nothing, and to compare all of them takes seconds when somebody promises all the time.
_COMPARED = 8


def merged(found: Sequence[Candidate]) -> list[Candidate]:
    """Return each matter once, in the order of first mention."""
    kept = _Matters()
    for one in found:
        twin = next((number for number in kept.alike(one) if _are_one(kept.matters[number], one)), None)
        kept.put(one, twin)
    return kept.matters


def with_replies(found: Sequence[Candidate]) -> list[Candidate]:
    """Join a request or plan to the promise that grants it: a later correction is of both. A bare yes waits
    until the day of what it grants is corrected."""
    kept: list[Candidate] = []
    for one in found:
        is_bare = one.thread.due is None and not one.matters
        waits = is_bare and bool(kept) and kept[-1].thread.due is not None
        if kept and not waits and _is_granted_by(kept[-1], one):
            kept[-1] = _joined(kept[-1], one)
        else:
            kept.append(one)
    return kept


def _is_granted_by(first: Candidate, second: Candidate) -> bool:
    is_told_with_it = not set(first.places).isdisjoint(second.places)
    replies = second.thread.positions[0] == first.position + 1 or is_told_with_it
    kinds = first.thread.kind in ("request", "plan") and second.thread.kind == "promise"
    by_others = first.thread.said_by != second.thread.said_by
    return (
        replies and kinds and by_others and (_are_one(first, second) or _is_for_the_day_before(first, second))
    )


def _is_for_the_day_before(first: Candidate, second: Candidate) -> bool:
    asked, promised = first.thread.due, second.thread.due
    is_before = asked is not None and promised is not None and asked - promised == timedelta(days=1)
    return is_before and not first.matters.isdisjoint(second.matters)


def with_its_matter(old: Candidate, new: Candidate) -> Candidate:
    """Tell a bare time with what it is for: “Tomorrow at two I see the vet.” – “Half past three it is.”"""
    thread = new.thread
    if new.matters or not old.matters or (old.thread.said_by, thread.said_by) != ("user", "agent"):
        return new
    positions = tuple(sorted({*old.thread.positions, *thread.positions}))
    asked, is_exchange, answer = thread.text.rpartition(ANSWERED)
    goes_on = is_exchange and ANSWERED not in old.thread.text
    told = quoting.joined(old.thread.text, asked.strip('"')) if goes_on else old.thread.text
    text = quoting.answered(told, answer.strip('"'))
    return replace(new, matters=old.matters, thread=replace(thread, text=text, positions=positions))


class _Matters:
    def __init__(self) -> None:
        self.matters: list[Candidate] = []
        self._by_word: dict[str | int, deque[int]] = {}

    def put(self, one: Candidate, twin: int | None) -> None:
        if twin is None:
            twin = len(self.matters)
            self.matters.append(one)
        else:
            self.matters[twin] = _joined(self.matters[twin], one)
        for word in self._words(one):
            self._by_word.setdefault(word, deque(maxlen=_COMPARED)).append(twin)

    def alike(self, one: Candidate) -> list[int]:
        """Return, in order, the numbers of matters that `one` may repeat."""
        latest = range(max(0, len(self.matters) - _COMPARED), len(self.matters))
        shared = {number for word in self._words(one) for number in self._by_word.get(word, ())}
        return sorted(shared.union(latest))

    @staticmethod
    def _words(one: Candidate) -> Iterator[str | int]:
        yield from one.matters
        yield from one.times
        yield from one.places


def _are_one(first: Candidate, second: Candidate) -> bool:
    if "request" in (first.thread.kind, second.thread.kind) and _is_for_the_day_before(first, second):
        return False  # “I've an x-ray on the second.” – “Can you remind me of it the day before?”
    if _only_confirms(first, second):
        return True
    if not set(first.places).isdisjoint(second.places):
        is_more = _goes_on_from_a_yes(first, second) or _is_promised_beside(first, second)
        return not (is_more or _is_for_a_later_day(first, second))
    if _are_apart(first, second):
        return False
    return _share_most_words(first, second) or (_is_soon_after(first, second) and _takes_up(first, second))


def _are_apart(first: Candidate, second: Candidate) -> bool:
    days = {first.thread.due, second.thread.due} - {None}
    is_other = len(days) > 1 or _is_at_another_hour(first, second)
    return is_other or (first.appointment and _is_accepted_offer(second))


def _is_at_another_hour(first: Candidate, second: Candidate) -> bool:
    """“I've got the dentist on Tuesday at nine.” – “Could I have a cut on Tuesday at ten?” – “Yes.”"""
    are_other = bool(first.matters and second.matters) and first.matters.isdisjoint(second.matters)
    hours, others = first.clocks, second.clocks
    is_other = are_other and bool(hours and others) and hours.isdisjoint(others)
    return is_other and second.appointment and not _books_it(first, second)


def _share_most_words(first: Candidate, second: Candidate) -> bool:
    a, b = first.matters | first.times, second.matters | second.times
    shared = len(a & b)
    return bool(shared) and shared / len(a | b) >= _SAME


def _is_soon_after(first: Candidate, second: Candidate) -> bool:
    return second.thread.positions[0] - first.position < _SOON


def _takes_up(first: Candidate, second: Candidate) -> bool:
    return (
        _grants(first, second)
        or _makes_good(first, second)
        or _says_which_day(first, second)
        or _books_it(first, second)
        or _answers(first, second)
    )


def _books_it(first: Candidate, second: Candidate) -> bool:
    """“I have to come back in a week.” – “Then I'll put you down for Monday at nine.”"""
    is_planned = first.thread.kind == "plan" and (first.thread.said_by, second.thread.said_by) == (
        "user",
        "agent",
    )
    is_then = second.thread.due is not None and first.thread.due == second.thread.due
    is_booked = second.appointment or (second.thread.kind == "promise" and second.has_hour)
    return is_planned and is_then and is_booked and second.thread.positions[0] == first.position + 1


def _answers(first: Candidate, second: Candidate) -> bool:
    """Tell whether the other party speaks of it, or who agreed does so again."""
    is_confirmed = ANSWERED in first.thread.text and (
        ANSWERED not in second.thread.text or (first.appointment and second.appointment)
    )
    speaks_of_it = not first.matters.isdisjoint(second.matters)
    names_its_time = not (first.matters | first.times).isdisjoint(second.matters | second.times)
    is_of_it = speaks_of_it or (names_its_time and first.appointment and second.thread.kind != "promise")
    return is_of_it and (is_confirmed or first.thread.said_by != second.thread.said_by)


def _is_accepted_offer(one: Candidate) -> bool:
    """“Physio on Thursday at ten.” – “Shall I remind you on Thursday morning?” – “Yes, please.”"""
    return one.thread.kind == "request" and one.thread.said_by == "user" and ANSWERED in one.thread.text


def _goes_on_from_a_yes(first: Candidate, second: Candidate) -> bool:
    """“Tuesday at ten?” – “perfect by the way you wanted to send me the form” – “I'll send it tonight.”"""
    is_agreed = first.appointment and first.places[-1] == second.places[0] and len(first.places) > 1
    return is_agreed and second.thread.kind == "promise" and first.matters.isdisjoint(second.matters)


def _is_promised_beside(first: Candidate, second: Candidate) -> bool:
    """“We could come on Wednesday the ninth.” – “The ninth. I'll clear the cupboard before that.”"""
    is_agreed = first.appointment and ANSWERED in first.thread.text and first.thread.said_by == "user"
    is_promised = second.thread.kind == "promise" and second.thread.said_by == "user"
    is_behind = second.place > first.place and bool(second.own) and second.own.isdisjoint(first.matters)
    return is_agreed and is_promised and is_behind and second.thread.due is None


def _is_for_a_later_day(first: Candidate, second: Candidate) -> bool:
    """“They operate on the second of December.” – “Then I'll ring you on the third.”, “They'll be ready on
    Wednesday.” – “I'll come on Thursday, then.”"""
    asked, promised = first.thread.due, second.thread.due
    is_stated = first.appointment and ANSWERED not in first.thread.text
    is_promised = (is_stated or first.thread.kind == "promise") and second.thread.kind == "promise"
    is_of_others = is_promised and first.thread.said_by != second.thread.said_by
    return is_of_others and asked is not None and promised is not None and asked < promised


def _says_which_day(first: Candidate, second: Candidate) -> bool:
    """“It's the 19th now.” – “The 19th of December?” – “Yes.”"""
    same_day = first.thread.due is not None and first.thread.due == second.thread.due
    is_confirmed = first.appointment and second.appointment and ANSWERED in second.thread.text
    return same_day and is_confirmed and len(second.matters) <= _MONTH


def _grants(first: Candidate, second: Candidate) -> bool:
    """“Could you mail me the quote” – “Yes, I'll do that this afternoon.”, “Will you remind me on Wednesday
    to ring Joan?” – “I'll remind you.” What names nothing is of it."""
    same_day = first.thread.due is not None and first.thread.due == second.thread.due
    is_bare = None in (first.thread.due, second.thread.due) and not second.matters
    kinds = first.thread.kind, second.thread.kind
    is_of_it = (same_day or is_bare) and kinds == ("request", "promise")
    return is_of_it and first.thread.said_by != second.thread.said_by


def _makes_good(first: Candidate, second: Candidate) -> bool:
    """“Shall I ring him on Thursday?” – “Then I'll ring him on Thursday.”"""
    same_day = first.thread.due is not None and first.thread.due == second.thread.due
    offered = first.thread.kind in ("request", "promise") and "?" in first.thread.text
    return same_day and offered and second.thread.kind == "promise" and second.thread.said_by == "agent"


def _only_confirms(first: Candidate, second: Candidate) -> bool:
    """“Ten it is.”"""
    names_its_day = bool(second.weekdays - first.weekdays)
    says_no_more = not second.matters and second.thread.due is None and not names_its_day
    return second.appointment and says_no_more and _is_soon_after(first, second)


def _joined(first: Candidate, second: Candidate) -> Candidate:
    if _then_awaits(first, second):
        return _told_together(first, second)
    if _adds_the_hour(first, second):
        both = _told_together(first, second)
        thread = replace(both.thread, due=first.thread.due)
        return replace(both, awaits=first.awaits, thread=thread)
    better = _better(first, second)
    better = with_its_matter(first, second) if better is second else better
    positions = tuple(sorted({*first.thread.positions, *second.thread.positions}))
    due = second.thread.due or first.thread.due
    is_of_it = first.appointment and not set(first.places).isdisjoint(second.places)
    only_answers = not second.appointment or second.places == first.places[-1:]
    if is_of_it and only_answers and second.weekdays <= first.weekdays:
        due = first.thread.due or due  # “Saturday at ten or five?” – “Five, and I'll bring my sister.”
    due = None if second.is_weekly else due
    places = tuple(sorted({*first.places, *second.places}))
    return replace(better, places=places, thread=replace(better.thread, positions=positions, due=due))


def _then_awaits(first: Candidate, second: Candidate) -> bool:
    """“I'll order them today. I'll text you when they're in.” What is done today does not keep the second."""
    are_promises = (first.thread.kind, second.thread.kind) == ("promise", "promise")
    is_in_one_turn = first.thread.said_by == second.thread.said_by and first.position == second.position
    is_dated_first = first.thread.due == first.thread.said_on and second.thread.due is None
    return are_promises and is_in_one_turn and is_dated_first and second.awaits and not first.awaits


def _adds_the_hour(first: Candidate, second: Candidate) -> bool:
    """“Mr Garner rings you back tomorrow.” – “After nine, then.” – “After nine, noted.”"""
    are_the_agents = first.thread.said_by == second.thread.said_by == "agent"
    is_promised = first.thread.kind == "promise" and second.appointment and not second.weekdays
    return are_the_agents and is_promised and not second.matters and second.thread.due is None


def _told_together(first: Candidate, second: Candidate) -> Candidate:
    asked, answer, said = first.thread.text.rpartition(ANSWERED)
    said, then = (text.strip('"') for text in (said, second.thread.text.rpartition(ANSWERED)[2]))
    told = quoting.together(then) if then.startswith(said) else quoting.together(said, then)
    thread = replace(first.thread, text=f'{asked}" – {told}' if answer else told, due=None)
    return replace(first, thread=thread, places=tuple(sorted({*first.places, *second.places})), awaits=True)


def _better(first: Candidate, second: Candidate) -> Candidate:
    if _is_asked_for_otherwise(first, second):
        return second
    if _is_promised_for_it(first, second):
        told = second.thread
        return replace(first, thread=replace(first.thread, text=told.text, said_by=told.said_by))
    if _is_granted_as_asked(first, second):
        return first
    if _tells_its_hour(first, second) or _books_it(first, second):
        return second
    return first if _says_which_day(first, second) else max(first, second, key=_definiteness)


def _is_asked_for_otherwise(first: Candidate, second: Candidate) -> bool:
    """“I'll email you the contract.” – “Could you post it?”"""
    kinds = first.thread.kind, second.thread.kind
    return kinds == ("promise", "request") and second.places[0] in first.places


def _is_promised_for_it(first: Candidate, second: Candidate) -> bool:
    """“My exam's on Friday.” – “I'll send you something for that.”"""
    kinds = (first.thread.kind, first.thread.said_by), (second.thread.kind, second.thread.said_by)
    answers = second.thread.text.startswith(f"{first.thread.text} – ")
    return kinds == (("plan", "user"), ("promise", "agent")) and answers


def _is_granted_as_asked(first: Candidate, second: Candidate) -> bool:
    """“I'll email you the contract.” – “Could you post it?” – “Of course, I'll do that.”"""
    kinds = first.thread.kind, second.thread.kind
    replies = second.places[0] == first.place and len(first.places) > 1
    names_its_time = second.has_hour or second.thread.due not in (None, first.thread.due)
    return kinds == ("request", "promise") and replies and not names_its_time


def _tells_its_hour(first: Candidate, second: Candidate) -> bool:
    """“Half past eight, is that possible?” – “Yes.”"""
    is_of_the_hour = ANSWERED in second.thread.text and not (second.times or second.matters)
    is_new = is_of_the_hour or not first.has_hour or _names_a_refused_day(first, second)
    return second.has_hour and is_new


def _names_a_refused_day(first: Candidate, second: Candidate) -> bool:
    """“Friday at nine?” – “I can do Monday.”, before “Monday at ten?” – “Yes.”"""
    exchanges = all(one.appointment and ANSWERED in one.thread.text for one in (first, second))
    return exchanges and first.thread.due == second.thread.due and second.weekdays < first.weekdays


def _definiteness(one: Candidate) -> tuple[bool, bool, bool, int, int, int]:
    is_dated = one.thread.due is not None and bool(one.times or one.matters)
    is_answered = not one.thread.text.rstrip('"').endswith("?")
    return is_dated, is_answered, one.has_hour, len(one.matters), len(one.thread.text), one.place
