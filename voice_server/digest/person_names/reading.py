"""A name read from a text. With capitals, it is a run of words that have them; without, a run of words that
mean nothing else."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, takewhile

from msgspec import Struct

from voice_server.digest.person_names.lexicon import Cues, Lexicon, is_given
from voice_server.digest.person_names.next_sentence import has_pronoun, without_subject
from voice_server.digest.person_names.pet_names import begins_in_short

LONGEST = 60  # characters of a name
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’-][^\W\d_]+)*(?!\w)")  # not the "kx" of a plate, "kx19"
_PAUSE_INSIDE = re.compile(r"\.?[ \t]*|[ \t]*-[ \t]*")  # "Dr. Wilson", "J. Klein"
_PAUSE_BEFORE = re.compile(r"[\s,:…\"“„»«'-]*(?:\.\.\.[\s,]*)?")
_PAUSE = re.compile(r"[,.;:!?…]")
_PAUSE_BEHIND = re.compile(r"\s*[,.;:!?…]")
_LONGEST_TURN = 2_000  # characters
_SHORT_CAPITALS = 4  # letters of "VIP"
_POSSESSIVE = re.compile(r"'?s$")
_CONTRACTED = ("'s", "'ll", "'ve", "'re", "'d", "'m", "n't")
_ELIDED = ("j'", "c'", "t'", "m'", "n'", "s'", "l'", "qu'")  # "j'viens"
PAIR = 2  # names that one answer tells: surname and given name
_SHORTEST_FORM = 3  # letters of "Gav"
_OF_SURNAME = 2  # words that are looked at: "de luca"
_MOST_WORDS, _MOST_SMALL = 4, 3


class Name(Struct, frozen=True):
    """Words of a name as a text has them, without the title (“Dr.”, “Frau”)."""

    words: tuple[str, ...]
    title: str = ""
    start: int = 0
    end: int = 0

    @property
    def is_single(self) -> bool:
        return len(self.words) == 1

    @property
    def is_pair(self) -> bool:
        return len(self.words) == PAIR

    @property
    def has_given(self) -> bool:
        """Tell whether it begins with a given name."""
        return is_given(self.words[0])

    @property
    def plain(self) -> set[str]:
        return plain(self.words)


class Text:
    """A turn, as names are read from it: its first 2,000 characters."""

    def __init__(self, said: str, lexicon: Lexicon) -> None:
        plain = " ".join(said[:_LONGEST_TURN].replace("’", "'").split())
        if lexicon.said_at.search(plain):
            plain = lexicon.said_address.sub(lambda found: "_" * len(found[0]), plain)
        self.text = plain if plain != plain.upper() else _lowered(plain)
        self.low = _lowered(self.text)
        self.lexicon = lexicon
        self.words = list(_WORD.finditer(self.text))
        self.said = [word.group().lower() for word in self.words]
        self._starts = [word.start() for word in self.words]
        self.is_cased = any(_has_capital(word.group()) and not self._is_left_out(word) for word in self.words)

    def _is_left_out(self, word: "re.Match[str]") -> bool:
        """Tell so of “[PIN]”, in whose place somebody said a secret."""
        return self.text[: word.start()].endswith("[") and self.text.startswith("]", word.end())

    @property
    def plain(self) -> set[str]:
        return plain(word.group() for word in self.words)

    def place(self, at: int) -> int:
        """Return the place among the words of the first that begins there or later."""
        return bisect_left(self._starts, at)

    def read(self, at: int, *, sure: bool) -> Name | None:
        """Read the name that begins there. `sure`: any word is a name but those that never are; else only
        what is hardly anything else."""
        aside = self.lexicon.asides.match(self.low, at + 1)
        at = aside.end() if aside else at
        place = self.place(at)
        name = self._run(place, at, sure=sure) if self._may_begin(place) else None
        return name if name is None else self._behind_a_letter(self._in_full(name))

    def _may_begin(self, place: int) -> bool:
        """Rule out by its first word what most often stands there: “we”, or a word in small letters."""
        known, following = self.lexicon, islice(self.words, place, None)
        first = next((one.group() for one in following if one.group().lower() not in known.fillers), "")
        plain = first.lower()
        if plain in known.titles or plain in known.particles:
            return True
        is_word = plain in known.never and not (plain in known.given_words or plain in known.surnames)
        return first != "" and not is_word and not (self.is_cased and first[0].islower())

    def _behind_a_letter(self, name: Name) -> Name:
        """Take the surname of “jasmine with a j o'connor”."""
        cue = self.lexicon.with_letter.match(self.low, name.end + 1) if self._is_given_alone(name) else None
        surname = self._run(self.place(cue.end()), cue.end(), sure=True) if cue else None
        if surname is None or not surname.is_single or surname.has_given or self.low[surname.end :].strip():
            return name
        return Name((*name.words, *surname.words), name.title, name.start, surname.end)

    def _is_given_alone(self, name: Name) -> bool:
        return name.is_single and name.has_given

    def _in_full(self, name: Name) -> Name:
        """Take more that is said anew: “Mike, Mike Henderson”."""
        again = self._run(self.place(name.end), name.end, sure=True)
        if again is None or again.words == name.words:
            return name
        first, *others = again.words
        if len(name.words) == 1 and others and _is_short_for(first.lower(), name.words[0].lower()):
            return Name((name.words[0], *others), name.title or again.title, name.start, again.end)
        if not set(name.words) <= set(again.words):
            return name
        return Name(again.words, name.title or again.title, name.start, again.end)

    def read_back(self, end: int, *, sure: bool) -> Name | None:
        """Read the name that ends there, and begins where somebody begins to speak."""
        last = self.place(end)
        for place in range(max(0, last - _MOST_WORDS - 1), last):
            begin = self._starts[place]
            name = self._run(place, begin, sure=sure) if self.begins(begin) else None
            if name is not None and name.end <= end and not self.text[name.end : end].strip(" ,"):
                return name
        return None

    def behind(self, cues: Cues, *, sure: bool) -> Iterator[Name]:
        """Yield the names that begin where a cue ends."""
        names = (self.read(cue.end(), sure=sure) for cue in cues.finditer(self.low))
        return (name for name in names if name is not None)

    def begins(self, at: int) -> bool:
        """Tell whether somebody begins to speak here: nothing, a pause or a filler stands before."""
        place = self.place(at) - 1
        if place < 0:
            return True
        pauses = _PAUSE.search(self.text[self.words[place].end() : at]) is not None
        return pauses or self.said[place] in self.lexicon.fillers

    def _run(self, place: int, at: int, *, sure: bool) -> Name | None:
        taken: list[re.Match[str]] = []
        waiting: list[re.Match[str]] = []
        title, end, again = "", at, None
        for word in islice(self.words, place, None):
            plain, gap = word.group().lower(), self.text[end : word.start()]
            pause = _PAUSE_INSIDE if taken or waiting or title else _PAUSE_BEFORE
            if not pause.fullmatch(gap) or self._is_owned(taken, waiting, word):
                break
            ends = "." in gap and (taken or waiting) and not self._is_initial((waiting or taken)[-1])
            if ends or self._begins_another(word, taken):
                break
            if taken and (plain in self.lexicon.places or self._has_kin(word)):
                is_whole = len(taken) >= PAIR and not is_given(taken[-1].group())
                keeps = is_whole or is_given(_POSSESSIVE.sub("", plain))
                taken = taken if keeps else []  # "Priya Nair's daughter"
                break
            if not taken and not waiting and (plain in self.lexicon.titles):
                title, end = _title(title, word.group(), self.lexicon), word.end()
            elif not taken and not title and plain in self.lexicon.fillers and not self._is_particle(word):
                end = word.end()
            elif taken and not waiting and _is_short_for(plain, taken[-1].group().lower()):
                again, end = word, word.end()  # "Dave, Dave Pruitt", "Gavin, Gav": said anew, no surname
            elif self._is_small(plain, taken, waiting) and len(waiting) < _MOST_SMALL:
                waiting.append(word)
                end = word.end()
            elif (
                self._may_be(
                    word, taken, sure=sure, titled=bool(title), after_particle=bool(taken and waiting)
                )
                and len(taken) < _MOST_WORDS
                and not self._is_of_a_thing(waiting, word, titled=bool(title) and not taken)
            ):
                taken += [*waiting, word]
                waiting, end = [], word.end()
            else:
                break
        mine = without_subject(taken, self.low, self.lexicon, titled=bool(title))
        return self._name(mine, title, again if len(mine) == len(taken) else None)

    def _begins_a_house(self, plain: str, taken: Sequence["re.Match[str]"]) -> bool:
        """“Marta Klein von Nordbau”, but “Jan Willem van Dijk”; where people have two surnames, nothing tells
        which it is."""
        is_whole = len(taken) >= PAIR and not is_given(taken[-1].group())
        return is_whole and plain in self.lexicon.houses and not self.lexicon.two_surnames

    def _is_of_a_thing(
        self, waiting: Sequence["re.Match[str]"], word: "re.Match[str]", *, titled: bool
    ) -> bool:
        """“sono rosaria la caldaia non va”, not “met anna de boer ik bel” or “met mevrouw de vries joke zei”,
        where nobody writes capitals."""
        known, plain = self.lexicon, word.group().lower()
        begins = bool(waiting) and waiting[0].group() in known.articles - known.owning
        if titled or self.is_cased or not begins or plain in known.surnames or is_given(plain):
            return False
        return not self._ends_here(word, known.articles | known.goes_on)

    def _begins_another(self, word: "re.Match[str]", taken: Sequence["re.Match[str]"]) -> bool:
        """“it's petra vink tom is coming” and “it's philip ms draper rang”, but “maria del carmen” and
        “michael herr”, where nobody writes capitals."""
        known, plain = self.lexicon, word.group().lower()
        if plain in known.titles:
            return bool(taken) and not self.is_cased and not self._ends_here(word, known.never)
        is_whole = not self.is_cased and len(taken) >= PAIR and is_given(taken[0].group())
        if not is_whole or not is_given(plain) or plain in {one.group().lower() for one in taken}:
            return False
        return not self._ends_here(word, known.articles | known.goes_on | known.particles)

    def _ends_here(self, word: "re.Match[str]", before: frozenset[str] = frozenset()) -> bool:
        """Tell whether nothing of a name follows: a pause, or what one says of oneself, or words `before`
        which a name ends."""
        behind = self.said[self.place(word.end()) :][:1]
        ends = not behind or behind[0] in self.lexicon.of_oneself | before
        return ends or _PAUSE_BEHIND.match(self.text, word.end()) is not None

    def _has_kin(self, word: "re.Match[str]") -> bool:
        """“it's Ava, Mae's mum”, “its ava maes mum”, not “Thomas Mann”"""
        plain = word.group().lower()
        is_owner = plain.endswith("s") and not is_given(plain) and plain not in self.lexicon.never
        return is_owner and self.lexicon.kin_of.match(self.low, word.start()) is not None

    def _name(
        self, taken: Sequence["re.Match[str]"], title: str, again: "re.Match[str] | None"
    ) -> Name | None:
        """Drop the first surname of “Sugden, Norman Sugden”, and the word in “jansen nogmaals jansen”."""
        if not taken:
            return None
        begin, end = taken[0].start(), max(word.end() for word in (taken[-1], again) if word)
        if len(taken) > PAIR and taken[-1].group().lower() == taken[0].group().lower():
            is_name = self.is_cased or any(self._is_given(word.group()) for word in taken[1:-1])
            taken = taken[1:] if is_name else taken[-1:]
        words = tuple(written(word.group(), self.lexicon) for word in taken)
        return Name(words, title, begin, end)

    def _may_be(
        self,
        word: "re.Match[str]",
        taken: Sequence["re.Match[str]"],
        *,
        sure: bool,
        titled: bool,
        after_particle: bool,
    ) -> bool:
        sure = (sure or titled) and not after_particle
        plain = word.group().lower()
        has_capital = word.group()[0].isupper()
        is_given_here = plain in self.lexicon.given_words and (self._has_surname(word) or self._is_told(word))
        after_given = any(self._is_given(one.group()) for one in taken)
        fits = plain in self.lexicon.surnames and (after_given or titled)
        is_written = self.is_cased and has_capital and (fits or after_particle)
        is_written = is_written or (after_particle and plain in self.lexicon.surnames)  # "van der meer"
        calls_to = bool(taken) and not self.is_cased and plain in self.lexicon.exclaims  # “it's ann look I”
        if (
            calls_to
            or (plain in self.lexicon.never and not (is_given_here or is_written))
            or plain.endswith(_CONTRACTED)
            or (word.group().islower() and plain.startswith(_ELIDED))
            or has_pronoun(word.group(), self.lexicon)
            or not (_is_word(plain) or self._is_initial(word))
            or (after_particle and self._is_street(plain))
        ):
            return False
        known = is_given_here or (is_given(plain) and plain not in self.lexicon.seldom)
        if self.is_cased and not has_capital:
            return False
        if self.is_cased and not sure and word.group().isupper() and len(plain) <= _SHORT_CAPITALS:
            return False
        if self.is_cased:
            is_surname = after_given and self._may_be_surname(plain)
            return sure or known or fits or is_surname or not self.lexicon.is_seldom(plain)
        again = len(taken) >= PAIR and plain == taken[0].group().lower()
        if len(taken) >= _MOST_SMALL - 1 and not (known or self._are_given(taken)):
            return again
        is_surname = sure and after_given and self._ends_here(word)
        is_seldom = plain in self.lexicon.seldom if is_surname else self.lexicon.is_seldom(plain)
        return known or fits or ((sure or after_given) and not is_seldom)

    def _is_street(self, plain: str) -> bool:
        """“Bakker van de Kerkstraat”, but “Bakker van de Weg”"""
        return plain.endswith(self.lexicon.streets) and plain not in self.lexicon.streets

    def _is_given(self, word: str) -> bool:
        return is_given(word) or word.lower() in self.lexicon.given_words

    def _are_given(self, taken: Sequence["re.Match[str]"]) -> bool:
        """“maria luisa”, “puri purificación”"""
        words = [word.group() for word in taken]
        return all(map(self._is_given, words)) or begins_in_short(words)

    def _is_told(self, word: "re.Match[str]") -> bool:
        """“sono chiara chiara fontana”, “sono chiara la mamma di matilde”"""
        following = self.words[self.place(word.end()) :][:PAIR]
        said = [one.group() for one in following]
        is_again = said[:1] == [word.group()] and said[1:] != [] and said[1] not in self.lexicon.never
        is_kin = following != [] and self.lexicon.kin_of.match(self.low, following[0].start()) is not None
        return is_again or is_kin

    def _may_be_surname(self, plain: str) -> bool:
        """Tell whether a word with a capital is one behind a given name: “Reed”, “French”; where every noun
        has a capital, no noun that is known is."""
        known = self.lexicon
        return not known.nouns_have_capitals or plain not in known.seldom

    def _is_owned(
        self, taken: Sequence["re.Match[str]"], waiting: Sequence["re.Match[str]"], word: "re.Match[str]"
    ) -> bool:
        """“Rui da Mia” is Mia's, “Pedro do Palio” has one, and “Jorge el del Audi”; “Maria da Graça Lopes” is
        nobody's, and “Pedro do Vale” has a surname, as few are behind an article."""
        known, plain = self.lexicon, word.group().lower()
        before = waiting[-1].group() if waiting else ""
        if before in known.articles - known.owning and plain in known.houses:
            return True
        particles = " ".join(one.group().lower() for one in waiting)
        if particles in known.articled and self._is_of_a_noun(taken, word):
            return True
        if before not in known.owning or plain in known.owned_surnames:
            return False
        goes_on = self.text[word.end() : word.end() + 2].strip().isupper()
        is_none = bool(taken and known.owned_surnames) and plain not in known.particles
        return (is_none or is_given(plain)) and not goes_on

    def _is_of_a_noun(self, taken: Sequence["re.Match[str]"], word: "re.Match[str]") -> bool:
        """“rachid van de bakfiets”, but “rachid van de berg” and “Rachid van de Bakfiets”"""
        known = self.lexicon
        is_written = self.is_cased and word.group()[0].isupper() and not known.nouns_have_capitals
        return bool(taken) and not is_written and word.group().lower() not in known.owned_surnames

    def _has_surname(self, word: "re.Match[str]") -> bool:
        """Tell whether a surname follows: “chiara de luca”, “Chiara Rossi”."""
        place = self.place(word.end())
        behind = self.words[place : place + _OF_SURNAME]
        names = [one for one in behind if one.group().lower() not in self.lexicon.particles]
        if not names or _PAUSE.search(self.text[word.end() : names[0].end()]):
            return False
        if self.is_cased:
            name = names[0].group()
            nouns = self.lexicon.seldom - self.lexicon.surnames
            return name[0].isupper() and name.lower() not in nouns
        is_second = self.lexicon.two_surnames and is_given(names[0].group())  # "luz dary"
        return is_second or (len(names) < len(behind) and is_given(names[-1].group()))

    def _is_small(
        self, plain: str, taken: Sequence["re.Match[str]"], waiting: Sequence["re.Match[str]"]
    ) -> bool:
        """“van” goes on with a name, “het” only behind another (“van het Hof”)."""
        inner = plain in self.lexicon.inner_particles
        begins = plain in self.lexicon.particles and not (inner and taken and not waiting)
        return begins and not self._begins_a_house(plain, taken)

    def _is_particle(self, word: "re.Match[str]") -> bool:
        """Tell whether it begins a surname: “De Vries”."""
        begins = self.lexicon.particles_have_capitals and self.is_cased and word.group()[0].isupper()
        return begins and word.group().lower() in self.lexicon.particles

    def _is_initial(self, word: "re.Match[str]") -> bool:
        return (
            len(word.group()) == 1
            and word.group().isupper()
            and self.text[word.end() : word.end() + 1] == "."
        )

    @cached_property
    def segments(self) -> list["Segment"]:
        """Return what stands between pauses."""
        found, begin = list[Segment](), 0
        for pause in re.finditer(r"[.,;:!?…]+(?=\s|$)|\s[-–—]\s|$", self.text):
            if self._ends_title(pause.start()):
                continue
            if self.text[begin : pause.start()].strip():
                found.append(Segment(begin, pause.start()))
            begin = pause.end()
        return found

    def _ends_title(self, at: int) -> bool:
        last = _WORD.findall(self.low[max(0, at - 12) : at])
        return self.text[at : at + 1] == "." and bool(last) and (last[-1] in self.lexicon.titles)

    @cached_property
    def remarks(self) -> list[tuple["Segment", Name]]:
        """Return what stands between pauses and is nothing but a name, with capitals: “Lucinda Barrow.”"""
        segments = self.segments if self.is_cased else []
        read = ((segment, self.read(segment.start, sure=True)) for segment in segments)
        return [(segment, name) for segment, name in read if name and self.is_all(name, segment)]

    def is_spelled(self, segment: "Segment") -> bool:
        return all(len(word) == 1 for word in _WORD.findall(self.text[segment.start : segment.end]))

    def is_all(self, name: Name, segment: "Segment") -> bool:
        """Tell whether only fillers or titles stand before the name, and behind it nothing, what goes on with
        something else, or what the other is called: “stan love”."""
        before = self.said[self.place(segment.start) : self.place(name.start)]
        after = _WORD.search(self.low, name.end, segment.end)
        leads_on = self.lexicon.follows | self.lexicon.endearments
        goes_on = after is None or (after.group() in leads_on or len(after.group()) == 1)
        return goes_on and self.lexicon.leading.issuperset(before)


def _has_capital(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and not word.startswith("I'")  # "I'm"


def _lowered(text: str) -> str:
    """Keep each character in its place."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _is_short_for(word: str, name: str) -> bool:
    """“Gav” of “Gavin”, or the same name again."""
    return word == name or (len(word) >= _SHORTEST_FORM and name.startswith(word))


def _is_word(plain: str) -> bool:
    """Tell whether it is a word, and not “k-l-e-i-n”."""
    parts = re.split(r"[-']", plain)
    return any(len(part) > 1 for part in parts) and all(part.isalpha() for part in parts)


class Segment(Struct, frozen=True):
    start: int
    end: int


def _title(before: str, word: str, lexicon: Lexicon) -> str:
    """Keep “Dr.” of “Frau Dr.”."""
    if before.lower().rstrip(".") in lexicon.academic:
        return before
    if word.lower() in lexicon.academic and word.lower().startswith(("dr", "do")):
        return "Dr."
    return word[:1].upper() + word[1:]


def plain(words: Iterable[str]) -> set[str]:
    return {word.casefold() for word in words}


def written(word: str, lexicon: Lexicon) -> str:
    """Write a word as names are written: “O'Brien”, “Jean-Luc”, “van”."""
    if word.lower() in lexicon.particles:
        return word.lower() if word.islower() or word.isupper() else word
    if not (word.islower() or (word.isupper() and len(word) > 1)):
        return word
    parts = re.split(r"([-'])", word.lower())
    return "".join(part[:1].upper() + part[1:] for part in parts)


def behind_hesitations(text: Text, at: int) -> int:
    """Return where “enfin,” ends, or `at`: “Monsieur Petit, enfin, Luc”"""
    said = takewhile(
        lambda word: word.group().lower() in text.lexicon.hesitations, text.words[text.place(at) :]
    )
    return max((word.end() for word in said), default=at)
