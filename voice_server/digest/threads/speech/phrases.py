"""The phrases in which people promise, ask, plan and settle things, from `languages/*.toml`.

A file that is added there is a language more. It holds:

    fillers          said while thinking; patterns do not see them
    function_words   name no matter: pronouns, verbs of promising, “appointment”
    deeds            say that a thing is done, not which: “sorted”, “went”
    weekdays_too     weekdays beside those of `digest/language/calendars`, numbered from 0
    no_months        months that are other words, too, and tell nothing alone
    general          words that many matters share: “new”, “weekend”
    recurring        makes a day one of many: “every”
    daily            the same of a time of day: “every evening”
    hour_leads       stand before an hour that is chosen: “at ten”
    ambiguous        makes a weekday either of two: “next”
    akin             rows of words for one matter: “wedding married”
    function_phrases  words that name no matter together: “of_course”
    compounds        whether words are put together: “Anmeldebogen”
    given_up         a day that holds no more: “can't do {day}”, “instead of {day}”
    marks            days, exact hours and numbers: marked before patterns are looked for, so that `{day}`,
                     `{exact}`, `{number}` and `{clock}` cost nothing
    conditions       begin a condition: “if”
    but              parts a promise from what is not so now: “I don't know right now, but I'll ask”
    besides          want more than there is: “too”, “another”
    awaits           wait for something, not for a day: “when”, “as_soon_as”
    question_tags    end what is told like a question: “The lamp's in, okay?”
    soon             days without a name, part of `{day}`: “tomorrow”
    feasts           names of days of the year, by month and day, or Sunday of
                     Advent; together they are `{feast}`
    phrases          parts of patterns: `{will}` stands for `will`; `{few}` for up to four words,
                     `{some}` for eight, `{weekday}` and `{month}` for any name
    promise, …       groups, see `Kind`: patterns of a folded text, which may lack apostrophes; nothing is
                     found where `unless` is; examples are found, counterexamples are not
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from itertools import pairwise
from typing import Literal, get_args

from msgspec import Struct, convert

from voice_server.digest.dates.date_language import date_language
from voice_server.digest.language.alternation import Alternation
from voice_server.digest.language.calendar_names import calendar, rows
from voice_server.digest.language.manner import manner
from voice_server.digest.language.needed_words import NeededWords
from voice_server.digest.language.pattern import NEVER, compiled
from voice_server.digest.language.stems import stem
from voice_server.runtime.once import once

Kind = Literal[
    "promise",  # says what will be done: "I'll call you back by Friday"
    "no_promise",  # only sounds like one: "as promised", "Daniel sends you his love"
    "call_back",  # to the other party, of a promise: "I'll ring you tomorrow"
    "another",  # somebody else will do it: "my brother is going to call"
    "duty",  # says what somebody has to do: "I must ring her"
    "pointer",  # names what was said before, and not what: "it", "them"
    "enquiry",  # says whom one will ask, and not what: "I'll ask the kitchen"
    "answer_later",  # puts an answer off: "I'll tell you next time"
    "bare_promise",  # says that, not what: "leave it with me"
    "will_do",  # grants what was asked: "will do", "I can do that on Monday"
    "errand",  # asks for something to be done: "could you put a card in the window"
    "request",  # for later: "remind me tomorrow"
    "offer",  # a question that a yes makes a request: "shall I send you the form?"
    "permission",  # begins a question of who asks for leave: "can I bring my dog?"
    "proposal",  # of a time, which a yes makes an appointment: "I can do Friday at two"
    "suits",  # asks whether a time that is proposed does: "is that all right?"
    "slot",  # a proposal of who has times to give: "Dr Hale has Friday at two"
    "with_whom",  # ends what names a time with who is there: "Friday at ten with Ann"
    "window",  # names two hours between which something is: "between eight and ten"
    "resigned",  # takes what there is, not gladly: "I haven't much choice"
    "part_suits",  # takes the part of the day that was offered: "the morning's fine"
    "by_name",  # begins a call with whom it is for: "Mr Bakx, Kuijpers again"
    "asked_hour",  # asks at what hour it is to be: "what time"
    "asked_weekday",  # asks which weekday a date is: "what day's that"
    "held",  # says on which day something is that one may join: "there's another group on Thursday"
    "that_one",  # takes what was named by pointing at it: "that one works"
    "taken",  # takes what was proposed by saying that one will come: "I'll bring him in"
    "time",  # names a day or an hour
    "booked",  # what stands now: "you're down for Thursday"
    "has_booked",  # says what the speaker booked before: "I've got a table for Thursday"
    "possessed",  # names whom or what the speaker has: "my husband"
    "of_another",  # begins what is said of somebody named before: "she", "viene el jueves"
    "asked_after",  # asks after one thing: "and the knee?"
    "asked_of",  # names in a question of whom it is: "your daughter", not "the weather"
    "has_on",  # says what the speaker has, or where they are: "I've the dentist on Friday"
    "standing",  # says what is ahead for the other: "you're with Ann on Friday"
    "coming",  # says when something comes to the other, or is ready: "your sofa comes on Friday"
    "asked_own",  # asks for either: "when's my appointment", "when will it be ready"
    "asked_ready",  # asks whether something is ready, or has come: "is my suit ready"
    "asked_when",  # asks for a day or an hour to come
    "concluded",  # ends the search for a time: "So Thursday at nine."
    "chosen",  # settles on one of several days: "let's say Thursday"
    "another_day",  # asks for a day behind one that will not do: "she's ill on Monday, could we say Tuesday"
    "another_date",  # the same of dates without a month: "the fifth I'm working, could it be the seventh"
    "other_day",  # "not on Saturday but on Sunday"
    "goes_instead",  # what comes after something failed: "he's coming back on Tuesday", "I'll go on Monday"
    "sum",  # names a sum of money: "twelve pounds"
    "repays",  # promises a sum back: "We'll refund the twelve pounds"
    "refund",  # names money that comes back, or says that it did: "the refund", "they refunded me"
    "has_paid",  # paid or sent a sum oneself: "I paid twelve pounds"
    "to_pay",  # of a promise, that something is to be paid: "I'll transfer it"
    "paid",  # says that it was: "I paid it straight away"
    "wants_a_visit",  # wishes for an appointment: “I'd like to book another in three weeks”
    "vacancy",  # asks whether there is one: "do you have a table on Saturday"
    "sooner",  # asks for a day before the one offered: "is there anything sooner"
    "preferred",  # wishes for a time: "rather next week"
    "farewell",  # names a day and agrees on nothing: "see you on Friday"
    "deferral",  # puts a question off: "I'd have to ask"
    "question",  # begins one, where nobody writes question marks
    "wonders",  # asks without a question: "I was wondering whether", "I wanted to know if"
    "rhetorical",  # asks nobody where one goes on: "Who would do the flowers? I do."
    "asked_verdict",  # asks what somebody said or decided: "what did the owner say"
    "verdict",  # says what somebody decided: "the committee says yes", "he's fine with it"
    "idle_question",  # wants to know nothing: "did I tell you", "how are you"
    "yes",
    "no",
    "refusal",  # does not grant what was asked: "I'm afraid I can't do that"
    "doubt",  # makes a commitment none: "maybe"
    "waiting",  # is done while the other waits: "one moment"
    "unplanned",  # names a day and plans nothing: "I'm free on Friday"
    "done",  # "got it", "the parcel came"
    "noted",  # may only say that it was heard: "got it", "that's done"
    "received",  # says that something is with the speaker now: "got the form", not that it was sent back
    "it_comes",  # awaits what was named before: "as soon as they're in"
    "heard",  # says no more than that: "got it", not "that's done"
    "turned_up",  # says that what was looked for is there: "panic over", "they turned up"
    "searches",  # of a promise, looks for what is lost: "I'll trace it", "we'll ring if it's handed in"
    "in_touch",  # says that one asked or told the other before: "I rang last week about the boiler"
    "thanked",  # says that it was done, once some time has passed: "thanks for the form"
    "works",  # says of a thing that it came, or does what it is for: "the link worked"
    "mended",  # says that what was broken is right again: "The boiler's fine now"
    "works_all",  # "it all works now"
    "fetched",  # says that what was to come is in one's hands: "I picked it up on Friday"
    "fits",  # says how well what was to come or to be mended does: "it fits like a glove"
    "not_done",  # "it hasn't come"
    "unsettled",  # may leave open how something stands: “not”, “still”, “about”, “I'd like”
    "missed",  # says that what was to come has not: "I never got it"
    "asked_whether_done",  # "did you buy them?"
    "asked_whether_did",  # asks it of no more than an "it": "did you get round to it?"
    "asked_how_it_was",  # asks after what is over: "how was the birthday", "how did the exam go"
    "was_so",  # says how something that is over was: "the flowers were lovely"
    "in_passing",  # of a promise, is done at once or on the occasion: "I'll let her know", "right now"
    "did_so",  # answers that one did: "I did, yeah"
    "deed",  # says that the speaker did something to it, whatever: "I popped it through the door"
    "came",  # says that somebody has been: "your plumber came on Friday"
    "just_left",  # says that whoever was there has gone: "the owner has just left"
    "visit",  # of a promise, that somebody comes: "I'll send someone round"
    "be_told",  # of a promise, that the other hears of it in writing: "I'll text you"
    "in_writing",  # names what is written: "I'll email it over"
    "asked_whether_read",  # "did you get my email?"
    "was_rung",  # says that the other rang: "you called yesterday"
    "was_written_to",  # says that the other wrote: "got your text"
    "called_from",  # begins a call with where the agent calls from: "I'm calling from Rainbow Sitters"
    "called_about",  # begins a call with whom it is and what about: "it's Ann from the vets, about Rex"
    "called_as_promised",  # begins the call that was promised: "I'm ringing back about the piano"
    "cancelled",  # "it's off", "never mind"
    "because_of",  # names what keeps somebody from something: "because of the dentist"
    "unable",  # says that somebody cannot, or has to: "I can't come", not "we don't need it"
    "no_reminder",  # "you needn't remind me any more"
    "reminds",  # names a reminder
    "reminded_what",  # asks to be told again: "remind me when it runs out"
    "waved_off",  # says that of what was spoken of alone: "never mind", "forget it"
    "cancelled_all",  # "I'll cancel the lot"
    "no_more",  # says that it was so until now: "Tuesdays won't do any more"
    "moved",  # "they've moved it"
    "moved_me",  # says that others moved the speaker: "they put me back to the ninth"
    "correction",  # "no wait, Thursday", "make it ten"
    "stays",  # says that what is named holds: "the haircut stays", "Monday's fine"
    "taken_back",  # says that what was called off holds: "it works after all", "leave it as it is"
    "comes_anyway",  # says that the speaker comes, and no more: "I'll be there"
    "comes_alone",  # says that whoever is left still comes: "I'll come on my own"
    "stands_in",  # says that another of the house does it: "Sam will see you instead"
    "elsewhere",  # says that the speaker is not there then: "I'm away then"
    "refused",  # says that a time is not to be had: "we've nothing on Tuesday"
    "not_then",  # gives up the day agreed on without naming it: "I can't that day"
    "amiss",  # says that what came, or was done, is not right: "he brought the wrong pump"
    "no_show",  # says that somebody did not come, or is not to: "he never turned up"
    "nobody_came",  # says that whoever was due did not come: "nobody turned up"
    "once",  # says that one of many is meant: "just this once"
    "subscription",  # names what is called off and no appointment: "the newsletter"
    "asked_detail",  # asks what else a booking needs: "for what time", "how many", "what name"
    "rise",  # says by how much a price rises: "from the first of January by three percent"
    "agreed_on",  # says that a day was spoken of, or given: "we said Friday"
    "contact",  # names a number or address of the speaker's: "my mobile"
    "reminding",  # does what was asked: "you wanted to call the landlord"
    "learns",  # waits for nothing but an answer: "once I've heard"
    "next_talk",  # says that the two speak again: "shall we talk on Friday", "I'll call you on Friday"
    "calling",  # has a word for calling on the phone
    "by_now",  # says that it is so since lately: "he has football on Tuesdays now"
    "next_time",  # puts something off to the next talk: "we'll do that next time"
    "brings_along",  # says what its speaker brings to an appointment: "I'll bring them along"
    "day_before",  # of a promise, is done on the day before an appointment: "I'll text you the day before"
    "beforehand",  # of a promise, is done just before an appointment: "he'll ring half an hour before"
    "for_the_visit",  # of a promise, is for an appointment alone: "I'll bring his diary"
    "as_wished",  # of a promise, says how another is kept: "I'll make sure it's the blue one"
    "afresh",  # of a promise, does anew what was promised: "I'll redo the quote", "a fresh one"
    "to_reach",  # of a promise, speaks with or writes to a third: "I'll ring her on Sunday"
    "reached",  # says that the speaker did: "I rang her", "I spoke to him"
    "to_be_ready",  # of a promise, that something will be there to fetch: "your bike will be ready"
    "and_another",  # of a promise, begins the second of two things: "and the invoice on Monday"
    "to_fetch",  # of a promise, that one comes for what is ready: "I'll pick it up tomorrow"
    "not_needed",  # says of what was to be brought or sent that it need not be: "we don't need it any more"
    "asked_whether_needed",  # "do you still need the receipt?"
    "at_once",  # of a promise, ends with "straight away"
    "after_all",  # says that it is otherwise than was told: "after all", "not until Friday"
    "mistaken",  # says that what the speaker told before was wrong: "I got it wrong"
    "is_on",  # names the day of one thing: "the play's on Thursday"
    "in_present",  # says in the present what the speaker does then: "I'm talking to my boss on Monday"
    "visits",  # says in the present that somebody comes, or brings something: "he comes on Sunday"
    "asked_plans",  # asks what is on, or who comes: "any plans for today"
    "comes_later",  # puts off when somebody comes: "he is only coming on the 23rd"
    "comes_then",  # says at what hour the speaker will come: "I'll come about five"
    "hour_free",  # offers an hour: "half past three is free"
    "may_come",  # asks whether somebody may come, fetch or bring: "can my sister pick up the key"
    "next_one",  # of a weekday that was asked for, means the one a week later: "not this one, the next"
    "first_one",  # chooses of two by their order: "the first one"
    "second_one",  # "the second one"
    "other_matter",  # turns to something else: "and another thing"
    "other_time",  # asks for another hour: "is there another time", "a bit earlier"
    "another_one",  # asks for another day or group, not which: "would another day be possible"
    "same_day",  # the day of an appointment that was made before: “anything else that day?”
    "that_week",  # the week of an appointment that was made before: “the Tuesday of that same week”
    "day_later",  # a day behind the one spoken of: “could we do the day after”
    "day_earlier",  # a day before it: “could it be a day earlier”
    "week_later",  # a week behind it: “the same day the week after”
    "puts_down",  # asks whether to put somebody down for what was told just before: “shall I put him down”
    "running_late",  # says that somebody comes late: “I'm running a bit late”
    "has_to_be",  # offers another hour, the only one there is: “it would have to be eight o'clock”
    "lets_in",  # says who opens the door in one's place: “my neighbour has a key”
    "asks_off",  # asks to cancel: “can I cancel the one on the tenth”
    "same_hour",  # names the hour that stands already: "same time"
    "asked_opening",  # asks when a house is open: "are you open on Friday"
    "opens_at",  # says from what hour on: "from four today"
    "looked_into",  # of the agent, that it looked at what was asked, or sent: "I had a look", "I've seen it"
    "about_to_tell",  # says that the promised call would have come: "I was just about to ring you"
    "no_news",  # says that word of something has not come, or was forgotten: "it slipped my mind"
    "not_told",  # misses word of something: "you never told me", "I haven't heard"
    "nearly",  # says that something is not so yet: "nearly", "it should be"
    "it_is",  # begins an answer that it is so: "it is, you can collect it"
    "asks_for_word",  # asks to be told: "will you still ring me about the suit"
    "outdated",  # says that a number or address is no longer right: "that's my old number"
    "was_there",  # says that the speaker was with the other: "I was with you this morning"
    "reserved",  # names what is put by for somebody: "it's reserved", "the order"
    "asked_of_it",  # asks on which day what was spoken of is: "when is it", "when do they want you"
    "asked_which_day",  # asks for a date that stands fixed: "when's it due", "what's the deadline"
    "could_do",  # says what one could do for the other: "I could ask the volunteers"
    "would_you",  # takes that up: "oh, would you?"
    "asks_leave",  # asks to say or do it later: "can I ask my brother and let you know tomorrow"
    "told_to",  # tells the other to bring, send or pay something on a day: "bring it on Monday"
    "topic",  # begins with what it goes on with: "about the videos"
    "concedes",  # says that the other is right: "you're right, it's here"
    "decided",  # says that one has made up one's mind: "we've talked about it and we'll stay"
    "has_it_now",  # says that the agent has what the user was to bring: "We have got your form."
    "handed_in",  # says that the other has it, by where it was left: "I popped it through your letterbox"
    "sending",  # speaks of sending something: "I'll post it", "sent"
    "delivery",  # says by when something reaches the other: "you'll have it on Friday"
    "sent_off",  # says of what was asked for that it has gone to the other: "it's gone"
    "asked_arrival",  # asks when something comes to the speaker: "when will I get the money"
    "in_a_while",  # begins an answer with how long something takes: "within thirty days"
    "arrival",  # says by when it comes to whoever asks for it: "it'll arrive in three days"
    "arrived",  # says of an "it" that it came: "it came this morning", "got it"
    "by_post",  # how something is sent: "by post"
    "post_came",  # says that a letter did: "your letter's come"
    "rings_then",  # of a promise, that a call follows: "I'll see, and ring you on Friday"
    "still_on",  # asks whether what was agreed on holds: "still on Friday", "are we keeping Monday"
    "before_weekend",  # of a promise: "before the weekend"
    "day_of_reason",  # says why another day was named before: "because tomorrow I'm away"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
DONE: tuple[Kind, ...] = ("done", "turned_up")  # of which each says that a matter is over
Mark = Literal["day", "exact", "number"]
# Letters that no language here has: they mark a text without changing its length.
_MARKS: dict[Mark, str] = {"day": "ʤ", "exact": "ʧ", "number": "ʦ"}
_DAYS = re.compile(f"{_MARKS['day']}+")
_TIMES = re.compile(f"{_MARKS['day']}+|{_MARKS['exact']}+")
_ALL_TIMES = re.compile("|".join(f"{mark}+" for mark in _MARKS.values()))
_DATED = rf"(?<={_MARKS['day']} ){_MARKS['number']}+,?(?: \w)? {_MARKS['exact']}"  # “jeudi 3 à dix heures”
_HOURS = re.compile(rf"{_MARKS['exact']}+|(?<!{_MARKS['number']})(?!{_DATED}){_MARKS['number']}+")
_CODE = re.compile(r"(?<![\w.,:])\d+(?:[ ]\d+){2,30}(?![\w:]|[.,]\d)")  # "67 21 40"
_LAST_OF_MONTH = 31
_MACRO = re.compile(r"\{([a-z_]+)\}")
_DEEPEST = 6  # phrases within phrases
_GAP, _PERHAPS_A_GAP = "[-' ,]+", "[-' ,]*"
_FEW_WORDS = (
    r"(?:[^-\s\x27,;.!?]+[-\x27\x20,]+){{0,{most}}}?"  # an apostrophe by its number: patterns may lack it
)
_FEW = {"few": _FEW_WORDS.format(most=4), "some": _FEW_WORDS.format(most=8)}
_WORD = re.compile(r"[^\W_]+")
_WORDS = re.compile(r"\S+")
_NUMBER = re.compile(r"\d+")
_NEXT_WORD = 12  # characters behind “every” in which its weekday stands
_SHORTEST_WORD = 3  # characters
_SENTENCE_ENDS = (".", "!", "?", "…")
_LONGEST_SENTENCE = 16  # words
_NEAR = 6  # words
_PAUSES = ",¿"  # before what is asked
_LEFT_OUT = ";"  # no phrase goes on behind it
_PAUSE = re.compile(r"[,;!?…]|[.:](?!\d)")
_OPTIONAL_SPACE = re.compile(r" \?(?![^\[]*\])")
_SPACE = re.compile(r" (?![^\[]*\])")  # none in a class of characters


def _fold_table() -> dict[int, str]:
    letters = {code: unicodedata.normalize("NFD", chr(code))[0] for code in range(0xC0, 0x180)}
    return {**letters, **dict.fromkeys(map(ord, "’‘ʼ`´"), "'")}


_FOLDED = _fold_table()


def folded(text: str) -> str:
    """Lower the case, drop accents, straighten apostrophes. Composed letters keep the length."""
    return text.translate(_FOLDED).lower()


class PhraseGroup(Struct, frozen=True, forbid_unknown_fields=True):
    patterns: tuple[str, ...]
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


class PhraseFile(Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    fillers: str
    function_words: str
    deeds: str
    general: str
    hour_words: str
    hour_leads: str
    recurring: tuple[str, ...]
    daily: tuple[str, ...]
    ambiguous: tuple[str, ...]
    given_up: tuple[str, ...]
    soon: str
    conditions: str
    but: str
    awaits: str
    question_tags: str
    besides: str
    feasts: dict[str, str]
    marks: dict[Mark, str]
    groups: dict[Kind, PhraseGroup]
    phrases: dict[str, str] = {}
    weekdays_too: dict[str, int] = {}
    no_months: str = ""
    compounds: bool = False
    akin: tuple[str, ...] = ()
    function_phrases: str = ""


class Phrases:
    def __init__(self, tag: str, file: PhraseFile) -> None:
        self.tag = tag
        self.file = file
        self._groups: dict[Kind, tuple[Alternation, Alternation]] = {}
        names = calendar(tag)
        self._weekday_names = {**file.weekdays_too, **rows(names.weekdays)}
        self._parts = {
            "weekday": "|".join(self._weekday_names),
            "month": "|".join(name for name in rows(names.months) if name not in file.no_months.split()),
            **file.phrases,
            "feast": "|".join(file.feasts.values()),
        }
        weekdays = " ".join(name.replace(" ", "-") for name in self._weekday_names)
        self._function_words = frozenset(folded(f"{file.function_words} {weekdays}").split())

    @cached_property
    def adding(self) -> frozenset[str]:
        """Words that go on with another matter: “and”, no “but”."""
        known = manner(self.tag)
        return known.joints & known.apart - {*self.file.but.split()}

    def plain(self, text: str) -> str:
        """Fold a text and blank out its fillers, at the same length: so patterns read it."""
        plain = folded(unicodedata.normalize("NFC", text))
        return self._fillers.sub(lambda filler: " " * len(filler[0]), plain)

    def marked(self, plain: str) -> str:
        """Mark days and hours, at the same length: phrases are looked for in this. Of “67 21 40” none is."""
        if not self._any_time.search(plain):  # most name none: one search is enough
            return plain
        codes = [code.span() for code in _CODE.finditer(plain)]
        for pattern, mark in self._replaced:
            plain = pattern.sub(lambda found, mark=mark: _marked(found, mark, codes), plain)  # type: ignore[misc]  # a default has no type of its own
        return plain

    def find(self, kind: Kind, marked: str) -> re.Match[str] | None:
        """Return the first phrase of a kind that nothing beside it undoes."""
        pattern, unless = self._group(kind)
        found = pattern.search(marked)
        if found is not None and kind == "promise":
            marked = self.besides("no_promise", marked)
            found = pattern.search(marked)
        while found is not None and unless.search(around(marked, found)):
            found = pattern.search(marked, found.end())
        return found

    def kinds(self, marked: str) -> frozenset[str]:
        """Return the kinds of phrases that a text may hold: no others are worth looking for."""
        return self._needed.groups(marked)

    def has(self, kind: Kind, marked: str) -> bool:
        return self.find(kind, marked) is not None

    def besides(self, kind: Kind, marked: str) -> str:
        """Strike out the phrases of a kind, at the same length."""
        for found in self._group(kind)[0].finditer(marked):
            marked = f"{marked[: found.start()]}{_LEFT_OUT * len(found[0])}{marked[found.end() :]}"
        return marked

    def plain_besides(self, kind: Kind, plain: str, marked: str) -> str:
        """Return the same of the plain text that was marked."""
        kept = zip(plain, self.besides(kind, marked), strict=True)
        return "".join(_LEFT_OUT if mark == _LEFT_OUT else letter for letter, mark in kept)

    def is_condition(self, marked: str) -> bool:
        """Tell whether a phrase begins like “if I find it”."""
        return marked.partition(" ")[0] in folded(self.file.conditions).split()

    def awaits(self, plain: str) -> bool:
        """Tell whether something waits for something else: “I'll ring you when it's in”."""
        return self._awaiting.search(plain) is not None

    def before_it_awaits(self, plain: str) -> str:
        found = self._awaiting.search(plain)
        return plain[: found.start()] if found else plain

    def begins_to_await(self, plain: str) -> bool:
        return self._awaiting.match(plain.lstrip()) is not None

    def question_tag(self, plain: str) -> re.Match[str] | None:
        """Find what ends a telling sentence like a question: “The lamp's in, okay?”"""
        return self._question_tag.search(plain)

    def wants_more(self, plain: str) -> bool:
        """Tell whether somebody wants more than there is."""
        return self._besides.search(plain) is not None

    def besides_more(self, plain: str) -> str:
        """Blank out “another” and “too”."""
        return self._besides.sub(lambda found: " " * len(found[0]), plain)

    def besides_days(self, plain: str, marked: str) -> str:
        """Blank out the days of a plain text: “second” of “the twenty-second”."""
        for day in _DAYS.finditer(marked):
            plain = f"{plain[: day.start()]}{' ' * len(day[0])}{plain[day.end() :]}"
        return plain

    def opens(self, kind: Kind, marked: str) -> bool:
        found = self.find(kind, marked)
        return found is not None and not _WORD.search(marked, 0, found.start())

    def matters(self, plain: str) -> frozenset[str]:
        """Return the stems of words that name a matter: no numbers, no weekdays."""
        if self.file.function_phrases:
            plain = self._function_phrases.sub(" ", plain)
        stems = (stem(word, self.tag) for word in _WORD.findall(plain) if self._names(word))
        return frozenset(self._akin.get(one, one) for one in stems)

    @cached_property
    def _akin(self) -> dict[str, str]:
        """The stems of words for the same matter, each with the first of its row: “wedding” for “married”."""
        rows_of = (row.split() for row in self.file.akin)
        return {
            stem(folded(word), self.tag): stem(folded(row[0]), self.tag) for row in rows_of for word in row
        }

    def telling(self, matters: frozenset[str]) -> frozenset[str]:
        """Leave out what many matters share: “new”, “weekend”."""
        return matters - self._general

    def besides_deeds(self, matters: frozenset[str]) -> frozenset[str]:
        """Leave out words for what one does with a matter: “fetched”, “off”."""
        return matters - self._deeds

    def is_nothing_but(self, matters: frozenset[str], others: frozenset[str]) -> bool:
        """Tell whether all matters are among others, words for the deed aside."""
        return self.besides_deeds(matters) <= others

    def times(self, plain: str) -> frozenset[str]:
        """Return weekdays (“0” to “6”) and numbers in digits (“10.”)."""
        return frozenset(map(str, self.weekdays(plain))) | {f"{n}." for n in _NUMBER.findall(plain)}

    def weekday(self, plain: str) -> int | None:
        """Return the one weekday (0: Monday) named, when only the coming one can be meant."""
        named = self.weekdays(plain)
        return min(named) if len(named) == 1 and not self._ambiguous.search(plain) else None

    def weekdays(self, plain: str) -> frozenset[int]:
        if not self._any_weekday.search(plain):
            return frozenset()
        return frozenset(day for day, pattern in enumerate(self._weekdays) if pattern.search(plain))

    def month_beside(self, plain: str) -> int | None:
        """Return the month behind the first weekday: “dinsdag een december”, “a Tuesday in December”."""
        found = self._weekday_and_month.search(plain)
        language = date_language(self.tag)
        return language.months.get(found["month"]) if found and language else None

    def days(self, plain: str, marked: str) -> frozenset[str]:
        """Return the words that name days: “thursday”, “twelfth”, “december”."""
        named = (plain[slice(*found.span())] for found in _DAYS.finditer(marked))
        words = (word for day in named for word in _WORD.findall(day))
        telling = (word for word in words if word[0].isdigit() or len(word) >= _SHORTEST_WORD)
        return frozenset(telling) - self._small_words

    def days_marked(self, marked: str) -> Iterator[re.Match[str]]:
        """Find the days of a marked text."""
        return _DAYS.finditer(marked)

    def numbers_of_days(self, plain: str, marked: str) -> frozenset[int]:
        """Return the numbers by which days are named: 12 for “the twelfth”."""
        return self.numbers(" ".join(plain[slice(*found.span())] for found in _DAYS.finditer(marked)))

    def numbers(self, plain: str) -> frozenset[int]:
        """Return the numbers that may be of days, where they are not said to be."""
        language = date_language(self.tag)
        return language.days(plain) if language and plain else frozenset()

    def numbers_besides_hours(self, plain: str, marked: str) -> frozenset[int]:
        """Return them without what is certainly an hour: of “dia nove, sete da noite” 9."""
        hour = _MARKS["exact"]
        return self.numbers(
            "".join(" " if mark == hour else one for one, mark in zip(plain, marked, strict=True))
        )

    def numbers_in_words(self, plain: str) -> frozenset[str]:
        """Return the matters of a text that are but numbers: “fifteenth”."""
        return self.matters(" ".join(word for word in _WORD.findall(plain) if self.numbers(word)))

    def clocks(self, plain: str, marked: str) -> frozenset[str]:
        """Return hours, and numbers that may be hours, in words: “half ten” of “at half past ten”."""
        said = (plain[slice(*found.span())].split() for found in _HOURS.finditer(marked))
        return frozenset(" ".join(word for word in one if word not in self._hour_words) for one in said)

    def sums(self, plain: str) -> frozenset[str]:
        """Return sums of money in words: “twelve pounds”."""
        found = self._group("sum")[0].finditer(self.marked(plain))
        return frozenset(" ".join(plain[slice(*one.span())].split()) for one in found)

    def without_sums(self, plain: str) -> str:
        """Blank out sums of money, at the same length: their numbers are no hours, and no days."""
        for found in self._group("sum")[0].finditer(self.marked(plain)):
            plain = plain[: found.start()] + " " * (found.end() - found.start()) + plain[found.end() :]
        return plain

    def behind_but(self, marked: str, until: int | None = None) -> str:
        """Blank out what stands before the last “but” that begins before the offset `until`."""
        until = len(marked) if until is None else until
        start = max((found.end() for found in self._but.finditer(marked, 0, until)), default=0)
        return " " * start + marked[start:]

    def clauses(self, plain: str, joints: frozenset[str]) -> list[tuple[int, int]]:
        """Return the spans between pauses, and before and behind a “but” that joins: not “klappt doch nicht”,
        nor “laat maar zo”."""
        buts = (found for found in self._but.finditer(plain) if found[0] in joints)
        joining = {one.start() for one in buts if len(plain[one.end() :].split()) > 1}
        pauses = {found.end() for found in _PAUSE.finditer(plain)}
        ends = sorted({0, len(plain)} | pauses | joining)
        return [(start, end) for start, end in pairwise(ends) if plain[start:end].strip()]

    def feast(self, plain: str) -> str | None:
        """Return the month and day of the first feast named: “12-25”, “advent-1”."""
        return next((day for day, pattern in self._feasts if pattern.search(plain)), None)

    def standing(self, text: str, marked: str) -> str:
        """Blank out the days that a text gives up, at the same length. `marked` is the same text marked."""
        for found in self._given_up.finditer(marked):
            text = text[: found.start()] + " " * len(found[0]) + text[found.end() :]
        names_a_day = self._day.search(marked) is not None
        start = (self.asks_from(marked) or self.chosen_from(marked)) if names_a_day else 0
        return " " * start + text[start:]

    def last_time(self, marked: str) -> re.Match[str] | None:
        """Find the last day or hour of a text, “tomorrow” too; None where it names but one."""
        named = [*self._time.finditer(marked)]
        return named[-1] if len(named) > 1 else None

    def chosen_from(self, marked: str) -> int:
        """Return where “let's say Thursday” begins behind another day; 0 where there is none before it."""
        found = self.find("chosen", marked)
        return found.start() if found and self._day.search(marked, 0, found.start()) else 0

    def asks_from(self, marked: str) -> int:
        """Return where “could we say Friday?” begins behind a day that will not do; 0 where there is none."""
        found = self.find("another_day", marked) if self._day.search(marked) else None
        if found is None:
            return 0
        days = [*self._day.finditer(marked, *found.span())]
        first, last = days[0].end(), days[-1].start()
        return max(marked.rfind(mark, first, last) for mark in _PAUSES) + 1 or first

    def is_recurring(self, plain: str) -> bool:
        return self._recurring.search(plain) is not None

    def is_weekly(self, plain: str) -> bool:
        """Tell whether a weekday comes again and again: “every Tuesday”, not “Thursday, as always”."""
        found = self._recurring.search(plain)
        around = plain[found.start() : found.end() + _NEXT_WORD] if found else ""
        return any(name in around for name in self._weekday_names)

    def is_daily(self, plain: str) -> bool:
        """Tell whether a time of day comes again and again: “every evening”."""
        return self._daily.search(plain) is not None

    def _names(self, word: str) -> bool:
        return len(word) >= _SHORTEST_WORD and not word[0].isdigit() and word not in self._function_words

    def _group(self, kind: Kind) -> tuple[Alternation, Alternation]:
        if kind not in self._groups:
            group = self.file.groups[kind]
            self._groups[kind] = self._alternation(group.patterns), self._alternation(group.unless)
        return self._groups[kind]

    @cached_property
    def _weekday_and_month(self) -> re.Pattern[str]:
        return self._raw(["(?:{weekday}) (?:{in_month}) (?P<month>{month})"])

    @cached_property
    def _needed(self) -> NeededWords:
        groups = self.file.groups.items()
        marking = self._marking
        return NeededWords(
            {kind: [_expanded(pattern, marking) for pattern in group.patterns] for kind, group in groups}
        )

    @cached_property
    def _but(self) -> re.Pattern[str]:
        return self._raw(folded(self.file.but).split())

    @cached_property
    def _fillers(self) -> re.Pattern[str]:
        return self._raw([word.replace("_", " ") for word in self.file.fillers.split()])

    @cached_property
    def _function_phrases(self) -> re.Pattern[str]:
        return self._raw([folded(words).replace("_", " ") for words in self.file.function_phrases.split()])

    @cached_property
    def _general(self) -> frozenset[str]:
        return self.matters(folded(self.file.general))

    @cached_property
    def _deeds(self) -> frozenset[str]:
        return self.matters(folded(self.file.deeds))

    @cached_property
    def _hour_words(self) -> frozenset[str]:
        """Words beside an hour: “a las cinco” is “cinco”."""
        return frozenset(folded(self.file.hour_words).split())

    @cached_property
    def _small_words(self) -> frozenset[str]:
        names = {word for name in self._weekday_names for word in _WORD.findall(folded(name))}
        return self._function_words - names

    @cached_property
    def _weekdays(self) -> tuple[re.Pattern[str], ...]:
        named = self._weekday_names.items()
        return tuple(self._raw([name for name, number in named if number == day]) for day in range(7))

    @cached_property
    def _any_weekday(self) -> re.Pattern[str]:
        return self._raw([*self._weekday_names])

    @cached_property
    def _given_up(self) -> re.Pattern[str]:
        return self._compiled(self.file.given_up)

    @cached_property
    def _day(self) -> re.Pattern[str]:
        return self._compiled(["{day}"])

    @cached_property
    def _time(self) -> re.Pattern[str]:
        return self._compiled(["{day}", "{clock}"])

    @cached_property
    def _awaiting(self) -> re.Pattern[str]:
        return self._raw([folded(word).replace("_", " ") for word in self.file.awaits.split()])

    @cached_property
    def _question_tag(self) -> re.Pattern[str]:
        words = (folded(word).replace("_", " ") for word in self.file.question_tags.split())
        return re.compile(rf",? ¿?(?:{'|'.join(words)}) ?[?]$")

    @cached_property
    def _besides(self) -> re.Pattern[str]:
        return self._raw([folded(word).replace("_", " ") for word in self.file.besides.split()])

    @cached_property
    def _recurring(self) -> re.Pattern[str]:
        return self._raw([*self.file.recurring, *self.file.daily])

    @cached_property
    def _daily(self) -> re.Pattern[str]:
        return self._raw(self.file.daily)

    @cached_property
    def _feasts(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple((day, self._raw([names])) for day, names in self.file.feasts.items())

    @cached_property
    def _ambiguous(self) -> re.Pattern[str]:
        return self._raw(self.file.ambiguous)

    @cached_property
    def _replaced(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        return tuple((self._raw([self.file.marks[name]]), mark) for name, mark in _MARKS.items())

    @cached_property
    def _any_time(self) -> re.Pattern[str]:
        return self._raw([self.file.marks[name] for name in _MARKS])

    @cached_property
    def _marking(self) -> dict[str, str]:
        marks: dict[str, str] = {name: f"{mark}+" for name, mark in _MARKS.items()}
        return {
            **self._parts,
            **_FEW,
            **marks,
            "day": f"(?:{marks['day']}|{self.file.soon})",
            "clock": f"[{_MARKS['exact']}{_MARKS['number']}]+",
        }

    def _alternation(self, patterns: Sequence[str]) -> Alternation:
        return Alternation([_expanded(pattern, self._marking) for pattern in patterns], words=True)

    def _compiled(self, patterns: Sequence[str]) -> re.Pattern[str]:
        return _any_of(_expanded(pattern, self._marking) for pattern in patterns)

    def _raw(self, patterns: Sequence[str]) -> re.Pattern[str]:
        return _any_of(_expanded(pattern, {**self._parts, **_FEW}) for pattern in patterns)


def _marked(found: re.Match[str], mark: str, codes: Sequence[tuple[int, int]]) -> str:
    """“Le 67” and “41.” are no days."""
    number = _NUMBER.search(found[0]) if mark == _MARKS["day"] else None
    is_none = number is not None and int(number[0]) > _LAST_OF_MONTH
    is_of_a_code = any(start < found.end() and found.start() < end for start, end in codes)
    return found[0] if is_none or is_of_a_code else mark * len(found[0])


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return compiled(rf"(?<!\w)(?:{'|'.join(patterns) or NEVER})(?!\w)")


def _expanded(pattern: str, parts: Mapping[str, str]) -> str:
    for _ in range(_DEEPEST):
        pattern = _MACRO.sub(lambda macro: f"(?:{parts[macro[1]]})", pattern)
    spelled = pattern.translate(_FOLDED).replace("'", "[' ]?")
    return _SPACE.sub(_GAP, _OPTIONAL_SPACE.sub(lambda _found: _PERHAPS_A_GAP, spelled))


def around(marked: str, found: re.Match[str]) -> str:
    return marked[slice(*span_around(marked, found))]


def span_around(marked: str, found: re.Match[str]) -> tuple[int, int]:
    """Return the span that may bear on a phrase: all, or where nobody punctuates, a few words around its
    start, since many a phrase takes in all that follows."""
    if not goes_on_and_on(marked):
        return 0, len(marked)
    before = [*_WORDS.finditer(marked, 0, found.start())][-_NEAR:]
    own = [*_WORDS.finditer(marked, found.start())][: 2 * _NEAR]
    return before[0].start() if before else found.start(), own[-1].end()


def ends_a_sentence(text: str) -> bool:
    """Tell whether a text ends with a mark, behind which quotation marks may stand."""
    return text.rstrip("\"' ").endswith(_SENTENCE_ENDS)


def goes_on_and_on(marked: str) -> bool:
    """Tell whether nobody punctuated what is more than a sentence."""
    return not ends_a_sentence(marked) and len(marked.split()) > _LONGEST_SENTENCE


def has_hour(marked: str) -> bool:
    return hours(marked) > 0


def names_a_time(marked: str) -> bool:
    """Tell whether a marked text names a day, or certainly an hour."""
    return _TIMES.search(marked) is not None


def times_named(marked: str) -> Iterator[re.Match[str]]:
    """Find days, hours, and numbers that may be hours."""
    return _ALL_TIMES.finditer(marked)


def hours(marked: str) -> int:
    """Count hours, and numbers that may be hours."""
    return len(_HOURS.findall(marked))


def phrases_of(language: str) -> Phrases | None:
    """Return the phrases of a language (a BCP 47 tag); None where it has no file."""
    tag = language.strip().lower().replace("_", "-").partition("-")[0]
    return _phrases(tag) if tag in languages() else None


@once
def _phrases(tag: str) -> Phrases:
    file = files(__package__).joinpath("languages", f"{tag}.toml")
    return Phrases(tag, read(file.read_text("utf-8")))


@once
def languages() -> Sequence[str]:
    names = (file.name for file in files(__package__).joinpath("languages").iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def read(text: str) -> PhraseFile:
    """Read a file's text. Raise msgspec.ValidationError on what does not belong there."""
    return convert(tomllib.loads(text), PhraseFile)
