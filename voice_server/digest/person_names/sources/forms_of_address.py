"""How the agent addresses the caller: whom it greets, “Thank you, Ms Strand”, “Thanks, Devinder.”"""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile

from voice_server.digest.person_names.exclusions import asks_who, is_beside_a_role, told_of
from voice_server.digest.person_names.lexicon import Lexicon, greetings_of_all, is_given
from voice_server.digest.person_names.reading import PAIR, Name, Text

_WORD = re.compile(r"\w+")
_PAUSE = re.compile(r"[.;:?]")
_TOLD_OF = 3  # words before a name that may say who that is
_BRIEF_QUESTION = 10  # words before the name of who is asked


class FormsOfAddress:
    """`own`: words of the agent's opening that may be its name or house."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.own: set[str] = set()
        self.greeted: Name | None = None
        self.asks_after = False  # “Hi Sam, are you better?”, to which “no” says nothing against the name
        self._titled: list[Name] = []
        self._given: list[Name] = []
        self._told_of: set[str] = set()
        self._was_asked_who = False
        self._heard = 0  # turns of the caller
        self._said: list[Text] = []

    def open(self, text: Text, names: set[str]) -> None:
        """Hear what the agent says before the caller does, with what may be `names` in it."""
        self.own |= names
        self.greeted = self.greeted or _greeted(text)
        greeted, asks_after = self.greeted, self._lexicon.asks_after
        self.asks_after = greeted is not None and asks_after.search(text.low, greeted.end) is not None

    def hear_caller(self, text: Text) -> None:
        self._was_asked_who = asks_who(text)
        self._heard += 1

    def hear(self, text: Text) -> None:
        """Hear whom the agent calls; whom it tells of, it does not call, nor in answer to “who comes?”"""
        self._told_of |= told_of(text, may_ask=True)
        if self._heard != 1:  # “That's Mrs Doyle, isn't it?” is of another, unless they were called so before
            known = {word for name in self._titled for word in name.plain}
            self._told_of |= told_of(text, may_ask=False) - known
        called = (name for name in _titled(text) if not is_beside_a_role(text, name))
        self._titled += [name for name in called if not (self._was_asked_who and _is_the_answer(text, name))]
        self._given += () if self._was_asked_who else _called_at_the_end(text)
        self._said.append(text)

    def titled(self, but: set[str]) -> Name | None:
        """Return the first name with a title, `but` those of others."""
        others = but | self._told_of
        return next((name for name in self._titled if name.plain.isdisjoint(others)), None)

    def given(self, but: set[str]) -> Name | None:
        """Return the given name by which a sentence calls, `but` those of others: “It runs out on Monday,
        Davide.”"""
        others = but | self._told_of | self.own
        return next((name for name in self._given if name.plain.isdisjoint(others)), None)

    def is_usual(self, name: Name, said: set[str]) -> bool:
        """Tell whether it is more than a name called once, of somebody else or in play, that the caller did
        not say."""
        return sum(one.words == name.words for one in self._titled) > 1 or name.plain <= said

    def is_surname(self, word: str) -> bool:
        """Tell whether it is more than a title before a given name: “dona Graça”."""
        titles = (one.title.lower().strip(".") for one in self._titled if one.words == (word,))
        return any(title not in self._lexicon.before_given for title in titles)

    def is_called(self, words: Sequence[str]) -> bool:
        return any(_calls(text, word.lower()) for text in self._said for word in words)

    def is_called_whole(self, name: Name) -> bool:
        """Tell whether the agent says “Yes, Mr Gill” to Devinder Gill, with marks or without, or “Thanks,
        Devinder.”; “Hello, Copper Kettle.” may be said to a house."""
        surname = name.words[-1].lower()
        said = (
            _calls_by_given(text, name.words[0]) if text.is_cased else _calls_by_surname(text, surname)
            for text in self._said
        )
        return any(said) or any(one.plain == {surname} for one in self._titled)

    def given_before(self, surname: str) -> list[str]:
        """Look in what the agent says: “Marlene Brandstetter, that's changed.”"""
        said = ([word.group() for word in text.words] for text in self._said)
        pairs = (pair for words in said for pair in pairwise(words))
        return next(([given] for given, name in pairs if name == surname and is_given(given)), [])


def _titled(text: Text) -> Iterator[Name]:
    """Yield names with a title: “Thank you, Ms Strand.”"""
    lexicon = text.lexicon
    for place, word in enumerate(text.said):
        before = text.said[place - 1] if place else ""
        if word not in lexicon.courtesy or before in lexicon.articles:
            continue
        start = text.words[place].start()
        name = text.read(start, sure=True) if text.begins(start) or before in lexicon.calling else None
        if name and name.title and _ends_the_call(text, name):
            yield name


def _called_at_the_end(text: Text) -> Iterator[Name]:
    """Yield given names behind a comma, at the end of a sentence, but not of whom it tells: “our plumber,
    Davide.”"""
    lexicon, segments = text.lexicon, text.segments if text.is_cased else []
    for before, last in pairwise(segments):
        name = text.read(last.start, sure=False)
        is_all = name is not None and name.is_single and name.has_given and text.is_all(name, last)
        ends = text.text[before.end] == "," and text.text[last.end : last.end + 1] in {".", "!"}
        said = [word.group() for word in text.words[text.place(before.start) : text.place(before.end)]]
        told = said[-_TOLD_OF:]
        is_of_another = any(word.lower() in lexicon.persons or is_given(word) for word in told)
        if name is not None and is_all and ends and said and not is_of_another:
            yield name


def _ends_the_call(text: Text, name: Name) -> bool:
    """“dag mevrouw de vries met de wijkverpleging”, where the agent says who it is without a pause"""
    ends = re.match(r"\s*(?:[,.!?;:]|$)", text.text[name.end :]) is not None
    return ends or text.lexicon.agents.match(text.low, name.end + 1) is not None


def _is_the_answer(text: Text, name: Name) -> bool:
    """“Who comes on Monday?” – “Mrs Doyle.”, not “Who's this?” – “Good morning, Mrs Doyle, it's Lena.”"""
    start = text.words[text.place(name.start) - bool(name.title)].start()
    before = _WORD.findall(re.split(r"[.!?…]", text.low[:start])[-1])
    return (text.lexicon.exclaims - text.lexicon.hails).issuperset(before)


def _calls(text: Text, word: str) -> bool:
    lexicon = text.lexicon
    for place, said in enumerate(text.said):
        before = text.said[place - 1] if place else ""
        if said == word and (
            text.begins(text.words[place].start()) or before in lexicon.calling | lexicon.courtesy
        ):
            return True
    return False


def _calls_by_given(text: Text, word: str) -> bool:
    return _calls(text, word.lower()) and re.search(rf"\b{re.escape(word)}\s*[,.!?]", text.text) is not None


def _calls_by_surname(text: Text, surname: str) -> bool:
    """Tell whether it begins with a title and the surname: “oui monsieur ferreira c'est pour quoi”."""
    lexicon = text.lexicon
    before = (lexicon.fillers | lexicon.calling) - lexicon.courtesy
    rest = [*dropwhile(lambda word: word in before, text.said)]
    return rest[:1] != [] and rest[0] in lexicon.courtesy and rest[1:PAIR] == [surname]


def _greeted(text: Text) -> Name | None:
    """Return whom the agent greets: “Hi Tendai, how are you?”, but not a house: “Good morning,
    Bellavista.”"""
    asked_by_name = _vocative(text)
    if asked_by_name is not None:
        return asked_by_name
    lexicon = text.lexicon
    greeting = _with_endearment(text, _greeting(text))
    start = text.words[len(greeting)].start() if len(greeting) < len(text.words) else 0
    if start == 0 or _PAUSE.search(text.text[:start]):
        return None
    name = text.read(start, sure=text.is_cased or _is_asked_at_once(text, start))
    if name is None or not _is_greeted(text, name) or len(name.words) > PAIR:
        return None
    introduces = (cue.end() for cue in lexicon.agents.finditer(text.low))
    if len(text.low[: name.start].rstrip()) in introduces:
        return None  # "Bom dia, sou a Clara."
    words = [word.lower() for word in name.words if word.lower() not in lexicon.particles]
    is_written = bool(name.title) and text.is_cased  # "Meneer De Wit", of a word for white
    is_name = text.is_cased and not lexicon.nouns_have_capitals and name.has_given  # "Bonjour Claire"
    is_word = not (is_written or is_name) and any(map(lexicon.is_seldom, words))
    is_none = is_word or not lexicon.endearments.isdisjoint(words)
    if is_none or (lexicon.at_a_desk.search(text.low) and not name.title):
        return None
    asked_after = lexicon.asks_after.search(text.low, name.end) is not None
    is_asked = asked_after and not re.search(r"[,.!]", text.text[: name.start])
    is_called = name.is_single and (not lexicon.hails.isdisjoint(greeting) or is_asked)
    alone = lexicon.given_alone | (lexicon.given_words if text.is_cased else frozenset())  # “Hello Ivy!”
    is_known = name.has_given or (name.is_single and words[0] in alone)
    return name if name.title or is_known or is_called else None


def _greeting(text: Text) -> list[str]:
    """Return the words that greet, behind an exclamation perhaps, which is enough before “Mrs Albrecht”: “oh
    hello”, “na”."""
    lexicon = text.lexicon
    greets = (lexicon.calling | lexicon.hails | greetings_of_all()) - lexicon.courtesy
    exclaimed = [*takewhile(lambda word: word in lexicon.exclaims and word not in greets, text.said)]
    greeted = [*takewhile(lambda word: word in greets, text.said[len(exclaimed) :])]
    is_titled = text.said[len(exclaimed) :][:1] and text.said[len(exclaimed)] in lexicon.courtesy
    return [*exclaimed, *greeted] if greeted or is_titled else []


def _with_endearment(text: Text, greeting: list[str]) -> list[str]:
    """Add what somebody is to the agent before their name: “hello grandma iris”."""
    endearing, called = (*text.said[len(greeting) :][:PAIR], "", "")[:PAIR]
    is_one = greeting and endearing in text.lexicon.endearments and is_given(called)
    return [*greeting, endearing] if is_one else greeting


def _is_asked_at_once(text: Text, start: int) -> bool:
    """Tell whether a word without marks can only be who is asked: “hi jo how are you”."""
    name = text.read(start, sure=True)
    return name is not None and _is_asked_behind(text, name)


def _is_asked_behind(text: Text, name: Name) -> bool:
    """Tell whether “how are you” follows, without marks; who begins with “hello” and is no house asks so."""
    asked = text.lexicon.asks_after.search(text.low, name.end)
    is_next = asked is not None and not text.low[name.end : asked.start()].strip()
    is_known = bool(name.title) or name.has_given
    is_whose = text.said[text.place(name.start) - 1] in text.lexicon.determiners  # "hola mi reina"
    is_one = len([word for word in name.words if word not in text.lexicon.particles]) == 1
    return not (text.is_cased or is_whose) and is_one and asked is not None and (is_next or is_known)


def _vocative(text: Text) -> Name | None:
    """Return whom a short question calls: “Come va in famiglia, Ornella?”"""
    last = re.search(r",([^,.!?]+)\?$", text.text.strip())
    if last is None or text.lexicon.at_a_desk.search(text.low):
        return None
    start = text.text.index(last[0]) + 1
    name = text.read(start, sure=True)
    if name is None or text.text[name.end :].strip(" ?") or len(name.words) > PAIR:
        return None
    asked = _WORD.findall(re.split(r"[.!?]", text.low[: start - 1])[-1])
    if len(asked) > _BRIEF_QUESTION or not text.lexicon.determiners.isdisjoint(asked):
        return None  # "Is it about your dog, Milly?"
    return name if name.title or name.has_given else None


def _is_greeted(text: Text, name: Name) -> bool:
    """Tell whether a pause or a question after them follows: “hi jo how are you”; without any, no “here” or
    house may: “hi dominic your knee”."""
    rest, lexicon = text.low[name.end :], text.lexicon
    if re.match(r"\s*(?:[,.!?]|$)", rest) or _is_asked_behind(text, name):
        return True
    if text.is_cased or not name.is_single or not name.has_given:
        return False
    following = _WORD.search(rest)
    hails = bool(name.title) or text.said[0] in lexicon.hails
    is_of_a_house = following is not None and following[0] in lexicon.houses
    is_behind = name.start <= text.words[0].end() + 1
    return is_behind and hails and not is_of_a_house and not lexicon.closing.match(rest.strip())
