"""A conversation, remark by remark, as the search for threads reads it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.dates.date_context import contexts_before
from voice_server.digest.dates.dates import NOTHING_NAMED, DateContext
from voice_server.digest.language.hesitations import without_hesitations
from voice_server.digest.language.manner import manner
from voice_server.digest.language.sentences import split, spoken
from voice_server.digest.threads.speech.phrases import DONE, Kind, Phrases, around, names_a_time
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Speaker

_WORD = re.compile(r"\w+")
_SPOKEN = re.compile(r"\S+")
_OKAY = re.compile(r"^(?:ok|okay|oké|oke)[ ]")
_WHOLE = slice(None)
_FULL_STOPS = (".", "!", "…")
_LONGEST_YES, _SHORTEST_MORE = 6, 3  # words
_TAKING_BACK: tuple[Kind, ...] = ("no", "refused", "cancelled", "doubt", "waiting", "correction", "enquiry")


class Remark(Struct, frozen=True):
    """One sentence, however short. `place` counts them, `position` is the message's. `plain` has no accents
    and capitals, `marked` has days and hours marked, too; both are as long as the text. `said_on` is the
    user's day, `before` what was said of days before."""

    place: int
    position: int
    said_by: Speaker
    said_on: date
    text: str
    plain: str
    marked: str
    before: DateContext = NOTHING_NAMED


def from_place(remark: Remark, start: int) -> Remark:
    """Blank out what stands before a place, at the same length."""
    return between(remark, start, len(remark.text))


def between(remark: Remark, start: int, end: int) -> Remark:
    """Keep only what stands between two places; the places stay the same."""
    blank = " " * start
    return replace(
        remark,
        text=blank + remark.text[start:end],
        plain=blank + remark.plain[start:end],
        marked=blank + remark.marked[start:end],
    )


def without(remark: Remark, start: int, end: int) -> Remark:
    """Blank out what stands between two places, at the same length."""
    blank = " " * (end - start)
    return replace(
        remark,
        text=remark.text[:start] + blank + remark.text[end:],
        plain=remark.plain[:start] + blank + remark.plain[end:],
        marked=remark.marked[:start] + blank + remark.marked[end:],
    )


class _Kinds(dict[str, frozenset[str]]):
    """The kinds of phrases that a marked text may hold, read when first asked for."""

    def __init__(self, phrases: Phrases) -> None:
        super().__init__()
        self._phrases = phrases

    def __missing__(self, marked: str) -> frozenset[str]:
        self[marked] = self._phrases.kinds(marked)
        return self[marked]


class ThreadTalk:
    def __init__(self, messages: Sequence[Message], phrases: Phrases, timezone: ZoneInfo) -> None:
        self.phrases = phrases
        self.remarks = tuple(_remarks(messages, phrases, timezone))
        self._found: dict[tuple[Kind, str], re.Match[str] | None] = {}  # what was looked for already
        self._kinds = _Kinds(phrases)
        self._matters: dict[str, frozenset[str]] = {}

    def has(self, remark: Remark, *kinds: Kind) -> bool:
        if self._kinds[remark.marked].isdisjoint(kinds):
            return False
        return any(self.find(kind, remark.marked) is not None for kind in kinds)

    def may_have(self, remark: Remark, kind: Kind) -> bool:
        """Tell whether words of a phrase of this kind are there: a tenth of what looking for it costs."""
        return kind in self._kinds[remark.marked]

    def find(self, kind: Kind, marked: str) -> re.Match[str] | None:
        """Return what the phrases find, looked for once: many readings ask the same of a remark."""
        if kind not in self._kinds[marked]:
            return None
        key = kind, marked
        if key not in self._found:
            self._found[key] = self.phrases.find(kind, marked)
        return self._found[key]

    def has_without(self, remark: Remark, kind: Kind, *others: Kind) -> bool:
        """Tell whether a remark has one kind and none of the others near it: what nobody punctuated goes on
        about something else."""
        if not self.has(remark, kind):
            return False
        marked = self._besides_being_in_touch(remark) if kind in DONE else remark.marked
        found = self.find(kind, marked)
        if found is None:
            return False
        near = around(marked, found)
        return not any(self.phrases.has(other, near) for other in others)

    def _besides_being_in_touch(self, remark: Remark) -> str:
        """Who rang about something has not had it done: “I rang last week about the boiler.”"""
        is_users = remark.said_by == "user"
        return self.phrases.besides("in_touch", remark.marked) if is_users else remark.marked

    def says_done(self, remark: Remark) -> bool:
        tag = self.phrases.question_tag(remark.plain)  # “The lamp's in, okay?”
        told = between(remark, 0, tag.start()) if tag else remark
        return any(self.has_without(told, kind, "not_done") for kind in DONE) and not self.asks(told)

    def asks(self, remark: Remark) -> bool:
        """Tell whether a remark is a question: without any mark at its end, when it begins like one, or asks
        for another day than it names first."""
        end = remark.text.rstrip("\"' ")[-1:]
        if end == "?" or end in _FULL_STOPS:
            return end == "?"
        said = _OKAY.sub("", remark.marked)  # “ok et vous êtes ouverts à noël”
        return self.phrases.opens("question", said) or self.phrases.asks_from(remark.marked) > 0

    def is_conditional(self, remark: Remark) -> bool:
        """Tell whether a remark is for one case alone: “If it's over nine hundred, don't bother.” Spanish
        “sí” is no “si”."""
        first = remark.text.strip().partition(" ")[0].lower()
        return first in self.phrases.file.conditions.split()

    def matters(self, *remarks: Remark) -> frozenset[str]:
        return frozenset().union(*map(self._matters_of, remarks))

    def undated(self, remark: Remark) -> frozenset[str]:
        """Return what a remark is about beside the days named."""
        return self.matters(remark) - self.phrases.matters(" ".join(sorted(self.days(remark))))

    def beside(self, remark: Remark, kind: Kind) -> frozenset[str]:
        """Return what a remark is about beside the phrases of a kind."""
        return self.phrases.matters(self.phrases.plain_besides(kind, remark.plain, remark.marked))

    def days(self, remark: Remark) -> frozenset[str]:
        return self.phrases.days(remark.plain, remark.marked)

    def clocks(self, remark: Remark) -> frozenset[str]:
        return self.phrases.clocks(remark.plain, remark.marked)

    def _matters_of(self, remark: Remark) -> frozenset[str]:
        if remark.plain not in self._matters:
            self._matters[remark.plain] = self.phrases.matters(remark.plain)
        return self._matters[remark.plain]

    def joint(self, remark: Remark) -> re.Match[str] | None:
        """Find the word with which a remark goes on to another matter: “Monday, yes, and is the trip …”."""
        words = _SPOKEN.finditer(remark.plain)
        return next((word for word in words if word[0] in self.phrases.adding), None)

    def before(self, remark: Remark) -> tuple[Remark, ...]:
        return self._neighbour(remark, -1)

    def after(self, remark: Remark) -> tuple[Remark, ...]:
        return self._neighbour(remark, 1)

    def message(self, remark: Remark) -> tuple[Remark, ...]:
        return self._messages[self._order[remark.position]]

    def sentence_before(self, remark: Remark) -> Remark | None:
        """Return the one before it in the same message."""
        return next((one for one in self.message(remark) if one.place == remark.place - 1), None)

    def sentence_after(self, remark: Remark) -> Remark | None:
        """Return the one behind it in the same message."""
        return next((one for one in self.message(remark) if one.place == remark.place + 1), None)

    def _neighbour(self, remark: Remark, step: int) -> tuple[Remark, ...]:
        index = self._order[remark.position] + step
        if not 0 <= index < len(self._messages):
            return ()
        there = self._messages[index]
        return there if there[0].said_by != remark.said_by else ()

    @cached_property
    def _messages(self) -> tuple[tuple[Remark, ...], ...]:
        together: dict[int, list[Remark]] = {}
        for remark in self.remarks:
            together.setdefault(remark.position, []).append(remark)
        return tuple(map(tuple, together.values()))

    @cached_property
    def _order(self) -> dict[int, int]:
        return {message[0].position: index for index, message in enumerate(self._messages)}


def _remarks(messages: Sequence[Message], phrases: Phrases, timezone: ZoneInfo) -> Iterator[Remark]:
    found = [*_pieces(messages, phrases, timezone)]
    contexts = contexts_before(((one.position, one.text, one.said_on) for one in found), phrases.tag)
    yield from (replace(one, before=before) for one, before in zip(found, contexts, strict=True))


def _pieces(messages: Sequence[Message], phrases: Phrases, timezone: ZoneInfo) -> Iterator[Remark]:
    place = 0
    for message in spoken(messages):
        said_by: Speaker = "user" if message.role == "user" else "agent"
        said_on = message.said_at.astimezone(timezone).date()
        for sentence in split(unicodedata.normalize("NFC", message.content)):
            whole = without_hesitations(sentence, manner(phrases.tag))
            for piece in _parted(whole, phrases) if said_by == "user" else (whole,):
                plain = phrases.plain(piece)
                marked = phrases.marked(plain)
                for part in _reminder_apart(plain, marked, phrases) if said_by == "user" else (_WHOLE,):
                    said = piece[part], plain[part], marked[part]
                    yield Remark(place, message.position, said_by, said_on, *said)
                    place += 1


def _parted(sentence: str, phrases: Phrases) -> tuple[str, ...]:
    """Part a mere yes from what it goes on with: “yes please and on sunday helen is coming for lunch”."""
    words = sentence.split()
    number = next((n for n, word in enumerate(words[:_LONGEST_YES]) if word.lower() in phrases.adding), 0)
    if not number or len(words) - number <= _SHORTEST_MORE:
        return (sentence,)
    yes = " ".join(words[:number])
    marked = phrases.marked(phrases.plain(yes))
    beside = _WORD.findall(phrases.besides("yes", marked))
    is_mere = phrases.opens("yes", marked) and not names_a_time(marked)
    is_mere = is_mere and manner(phrases.tag).idle_words.issuperset(beside)
    more = " ".join(words[number + 1 :])
    return (yes, more) if is_mere and not _goes_back_on_it(more, phrases) else (sentence,)


def _reminder_apart(plain: str, marked: str, phrases: Phrases) -> tuple[slice, ...]:
    """Part what is on a day from the wish to be reminded of it: “I've the dentist on Tuesday at nine, can you
    remind me the evening before?”"""
    found = phrases.find("reminds", marked)
    joins = phrases.adding | manner(phrases.tag).joints if found else frozenset()
    words = _SPOKEN.finditer(plain, 0, found.start()) if found else ()
    joint = next(iter(reversed([word for word in words if word[0].endswith(",") or word[0] in joins])), None)
    if joint is None:
        return (_WHOLE,)
    of_it = slice(0, joint.start() if joint[0] in joins else joint.end())
    wish = slice(joint.end() + len(" "), None)
    has_own_day = names_a_time(marked[wish]) or phrases.has("day_before", marked[wish])
    if not (names_a_time(marked[of_it]) and has_own_day and phrases.matters(plain[of_it])):
        return (_WHOLE,)
    return of_it, wish


def _goes_back_on_it(more: str, phrases: Phrases) -> bool:
    """“ja und dann verpass ich meinen bus das geht nicht”, “okay and what if I can't”, “yes and no”"""
    marked = phrases.marked(phrases.plain(more))
    first = marked.split()[0]
    leads_on = first in manner(phrases.tag).joints or first in phrases.file.conditions.split()
    asks = phrases.opens("question", marked) or more.rstrip().endswith("?")
    says_no = manner(phrases.tag).yes_no.match(more) is not None
    return leads_on or asks or says_no or any(phrases.has(kind, marked) for kind in _TAKING_BACK)
