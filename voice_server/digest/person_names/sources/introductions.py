"""How callers introduce themselves, unasked: “it's Marta Klein”, “Marta here”, “I'm her husband, Tom.”"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile

from voice_server.digest.person_names import spelling
from voice_server.digest.person_names.exclusions import (
    is_anothers,
    is_of_a_code,
    is_spoken_of,
    is_sure,
    is_told_of_next,
)
from voice_server.digest.person_names.lexicon import Cues, is_given
from voice_server.digest.person_names.next_sentence import tells_of
from voice_server.digest.person_names.reading import PAIR, Name, Text, behind_hesitations, written
from voice_server.digest.person_names.sources.word_names import word_names
from voice_server.digest.person_names.turns import Turn

_WORD = re.compile(r"\w+")
_PLACE = 3  # words of “aus Bad Homburg”
_NO_STOP = re.compile(r"[ ,]+\w")
_Cues = Sequence["re.Match[str]"]


def introductions(turn: Turn) -> Iterator[tuple[Name, bool]]:
    """Yield names, each with whether it is surely a name."""
    text, may_point = turn.text, turn.may_point
    own = [*text.lexicon.introduced.finditer(text.low)]
    pointed = [cue for cue in text.lexicon.pointed.finditer(text.low) if may_point and _opens(text, cue)]
    families = _of_a_family(text) if may_point else ()
    presented = _presented(text) if turn.is_first and may_point else ()
    whole = (*_surname_then_whole(text), *(_surname_then_given(turn) if turn.is_first else ()))
    surely = chain(whole, families, presented, _as_kin(turn, own, pointed))
    yield from ((name, True) for name in surely)
    yield from _around(turn) if turn.is_first else ()
    for cue in own:
        yield from _behind(text, cue, may_point=False)
    changed = {cue.start() for cue in text.lexicon.renamed.finditer(text.low)}
    for cue in pointed:
        for name, is_name in _behind(text, cue, may_point=True):
            if cue.start() in changed and not name.has_given:
                continue  # “We've changed our minds, it's Tenerife now.”
            is_another = _is_behind_another(text, cue, name) or _puts_another_right(turn, name)
            is_another = is_another or _agrees_about_another(turn, name)
            if not (turn.greeted and is_told_of_next(text, name)) and not is_another:
                yield name, is_name and _says_who_calls(turn, name)
    if not (may_point or turn.question.of_another or turn.answers_other):
        yield from _told_later(text)
    yield from _before_closing(text, may_point=may_point)
    yield from _once_more(text) if may_point else ()
    yield from ((name, True) for name in word_names(turn))


def _agrees_about_another(turn: Turn, name: Name) -> bool:
    """Tell so of “Good of him.” – “Yeah, that's Yuri, he's a good lad.”, not of “Yes, it's Marta, for Friday
    at seven.”, once somebody has said why they ring."""
    text = turn.text
    says_yes = not text.lexicon.yes.isdisjoint(text.said[:1]) and not turn.is_first
    behind = text.said[text.place(name.end) :][:1]
    is_told_of = name.is_single and not text.lexicon.determiners.isdisjoint(behind)
    is_told_of = is_told_of or is_spoken_of(text, name.end, pauses=" ,;.!")
    return says_yes and is_told_of and not (turn.question.part or turn.question.taken_for)


def _told_later(text: Text) -> Iterator[tuple[Name, bool]]:
    """“Cheers, it's Mick.”, which is their name if the agent then calls them so."""
    for name in text.behind(text.lexicon.pointed, sure=False):
        if name.has_given and not is_anothers(text, name, may_point=True):
            yield name, False


def _is_behind_another(text: Text, cue: "re.Match[str]", name: Name) -> bool:
    """“hallo karin hier peter hat gesagt ich soll anrufen”"""
    closes = text.lexicon.closing.match(text.low, cue.start()) is not None
    return (
        closes
        and tells_of(text.low, name.end, text.lexicon)
        and text.read_back(cue.start(), sure=False) is not None
    )


def _puts_another_right(turn: Turn, name: Name) -> bool:
    """“Hello Ted, how did Sunday go?” – “Oh, it's Riya, not Priya. She's a nurse.”"""
    text = turn.text
    place = len(text.low) - len(text.low[name.end :].lstrip(" ,"))
    denied = text.lexicon.negated.match(text.low, place)
    wrong = text.read(denied.end(), sure=True) if denied else None
    if wrong is None:
        return False
    if turn.greeted is not None:
        return spelling.most_alike(wrong.words[0], [*turn.greeted.words]) is None
    is_told_of = text.lexicon.apposed.match(text.low[wrong.end :].lstrip(" ,")) is not None
    return is_told_of or is_spoken_of(text, wrong.end, pauses=" ,;.!")


def _says_who_calls(turn: Turn, name: Name) -> bool:
    """“Hi Sam!” – “It's Joe.” does, “Hey Tom! Did you get the shoes?” – “Yep, it's Brooks.” hardly."""
    if turn.greeted is None:
        return True
    answers = turn.question.other and not turn.text.lexicon.yes.isdisjoint(turn.text.said[:1])
    is_known = name.has_given or name.title != "" or name.is_pair
    return is_known and not answers


def kin_of(turn: Turn) -> str:
    """Return whose relative a call begins with, in the words said: “el marido de teresa”, also behind a name;
    none of nobody."""
    text = turn.text
    own = text.lexicon.introduced.finditer(text.low)
    pointed = (cue for cue in text.lexicon.pointed.finditer(text.low) if _opens(text, cue))
    for cue in chain(own, pointed) if turn.is_first else ():
        last_word = text.low.rfind(" ", cue.start(), cue.end()) + 1
        name = text.read(cue.end(), sure=False)
        behind = len(text.low) - len(text.low[name.end :].lstrip(" ,")) if name else cue.end() + 1
        places = (cue.end() + 1, last_word, _second_word(text, cue.end()), behind)
        who = _match_behind(text.lexicon.kin_of, text, *places)
        if who is not None:
            return text.low[cue.end() : who.end()].strip()
    return ""


def _behind(text: Text, cue: "re.Match[str]", *, may_point: bool) -> Iterator[tuple[Name, bool]]:
    """“I'm Marta”, “it's Marta Klein”, “Sono Di Maio”, but “it's the Millers”, “ich bin die Frau von Jürgen
    Maier”, “sono di Palermo”"""
    if text.text[cue.end() :].lstrip().partition(" ")[0] in text.lexicon.origins:
        return
    name = text.read(cue.end(), sure=False)
    whose = text.lexicon.kin_of.match(text.low, cue.end() + 1)
    if whose is not None and name is not None and name.start < whose.end():
        return
    if name is None:
        name = text.read(cue.end(), sure=True)
        if name is not None and not is_of_a_code(text, name):
            yield name, _is_said_twice(text, name)
        return
    before = _WORD.findall(text.low[cue.end() : name.start])
    is_told_of = not name.title and not text.lexicon.articles.isdisjoint(before)
    if not is_told_of and not is_anothers(text, name, may_point=may_point):
        yield name, is_sure(name, text.lexicon)


def _before_closing(text: Text, *, may_point: bool) -> Iterator[tuple[Name, bool]]:
    """“Marta here”, “die marta hier”, not “dass der linus hier schüler ist”"""
    for cue in text.lexicon.closing.finditer(text.low):
        name = text.read_back(_before_a_place(text, cue.start()), sure=False)
        is_others = name is not None and name.title != "" and _presents_another(text, name, cue.start())
        if name is not None and (is_others or _is_in_a_sentence(text, name) or _is_a_place(text, name)):
            continue
        if name is not None:
            yield name, may_point or name.has_given
        elif may_point and (name := text.read_back(cue.start(), sure=True)):
            yield name, False


def _presents_another(text: Text, before: Name, at: int) -> bool:
    """“Hallo Frau Wagner, hier ist Tom.”, not “Frau Wagner hier, …”"""
    if "," not in text.text[before.end : at]:
        return False
    cues = (text.lexicon.pointed.match(text.low, at), text.lexicon.introduced.match(text.low, at))
    names = (text.read(cue.end(), sure=True) for cue in cues if cue is not None)
    return any(name is not None and name.has_given for name in names)


def _before_a_place(text: Text, at: int) -> int:
    """Return where “aus Kiel” begins: “Jonas Petersen aus Kiel am Apparat”, “Luc Petit, de Nantes, à
    l'appareil”; else `at`."""
    last = text.place(at) - 1
    for place in range(last - 1, max(last - _PLACE, 0), -1):
        start = text.words[place].start()
        if text.said[place] in text.lexicon.houses and text.read_back(start, sure=False) is not None:
            return start
    return at


def _is_a_place(text: Text, name: Name) -> bool:
    """“…, de Nantes, à l'appareil”"""
    place = text.place(name.start)
    lead = [word for word in (text.said[place], text.said[place - 1]) if word in text.lexicon.houses]
    return place > 1 and name.is_single and bool(lead)


def _is_in_a_sentence(text: Text, name: Name) -> bool:
    """Tell whether something goes before the article of the name."""
    place = first = text.place(name.start)
    while first > 0 and text.said[first - 1] in text.lexicon.determiners:
        first -= 1
    return first < place and not text.begins(text.words[first].start())


def _once_more(text: Text) -> Iterator[tuple[Name, bool]]:
    """“Hello, Marta Klein again, about the lamp.”; “hi mike brennan again um” may be of another."""
    for cue in text.lexicon.once_more.finditer(text.low):
        name = text.read_back(cue.start(), sure=False)
        if name is not None and _ends_clause(text, cue.end()) and _is_begun_with(text, name):
            yield name, True
        elif name is not None and name.is_pair and name.has_given and not text.is_cased:
            yield name, False


def _presented(text: Text) -> Iterator[Name]:
    """“hallo hier ist kaminski ich hab nen termin”, not “hier ist was kaputt”, nor “qui è il
    fabbro io sono …”"""
    for cue in text.lexicon.presented.finditer(text.low):
        name = text.read(cue.end(), sure=True) if _opens(text, cue) else None
        if name is None or not _goes_on_with_oneself(text, name.end):
            continue
        before = _WORD.findall(text.low[cue.start() : name.start])
        is_known = name.has_given or any(word.lower() in text.lexicon.surnames for word in name.words)
        if is_known or name.title or text.lexicon.articles.isdisjoint(before):
            yield name


def _goes_on_with_oneself(text: Text, at: int) -> bool:
    behind = text.said[text.place(at) :][:1]
    return not text.lexicon.of_oneself.isdisjoint(behind) and _NO_STOP.match(text.text, at) is not None


def _of_a_family(text: Text) -> Iterator[Name]:
    """“It's the Hendersons at forty-two.”"""
    for cue in text.lexicon.families.finditer(text.low) if text.is_cased else ():
        name = text.read(cue.end(), sure=False) if _opens(text, cue) else None
        if name is not None and name.is_single:
            yield Name((name.words[0].removesuffix("s"),), name.title, name.start, name.end)


def _surname_then_whole(text: Text) -> Iterator[Name]:
    """“It's Ashdown, by the way. Judith Ashdown.”"""
    surnames = [name for name in text.behind(text.lexicon.pointed, sure=True) if name.is_single]
    for _, name in text.remarks if surnames else ():
        if name.is_pair and name.has_given:
            yield from (name for one in surnames if one.words == name.words[1:] and one.end < name.start)


def _surname_then_given(turn: Turn) -> Iterator[Name]:
    """“Goedemorgen, mevrouw Hoekstra, Hennie.”, “C'est Monsieur Petit, enfin, Luc.”, not “Morning, Mrs Doyle,
    Sam here.”"""
    text = turn.text
    if not text.words or not text.is_cased:
        return
    begins = next((place for place, word in enumerate(text.said) if word not in text.lexicon.fillers), 0)
    cues = (*text.lexicon.introduced.finditer(text.low), *text.lexicon.pointed.finditer(text.low))
    starts = [text.words[begins].start()] if text.said[begins] in text.lexicon.titles else []
    for start in (*starts, *(cue.end() for cue in cues)):
        surname = text.read(start, sure=True)
        if surname is None or not surname.title or not surname.is_single or surname.has_given:
            continue
        given = _given_behind(turn, surname)
        is_greeted = given and any(surname.end <= cue.start() < given.start for cue in cues)
        if given is not None and not is_greeted:  # “Hello, Mrs Doyle, it's Anna.”
            yield Name((*given.words, *surname.words), surname.title, surname.start, given.end)


def _given_behind(turn: Turn, surname: Name) -> Name | None:
    text, behind = turn.text, behind_hesitations(turn.text, surname.end)
    given = text.read(behind, sure=True) if text.text.startswith(", ", surname.end) else None
    if given is None or not given.is_single or not given.has_given:
        return None
    is_end = text.text[given.end : given.end + 1] in ("", ".")
    is_another = not given.plain.isdisjoint(turn.agents) or is_spoken_of(text, given.end, pauses=" .")
    return given if is_end and not is_another else None


def _around(turn: Turn) -> Iterator[tuple[Name, bool]]:
    """“ja voss marlies voss ich hab nen termin”; “super anna super” may be said to Anna."""
    text, lexicon = turn.text, turn.text.lexicon
    before = [*takewhile(lambda word: word in lexicon.fillers, text.said)]
    said = text.words[len(before) :][: PAIR + 1]
    first, *whole = [word.group().lower() for word in said] or [""]
    may_be = len(whole) == PAIR and first == whole[1] and is_given(whole[0])
    if may_be and not lexicon.is_seldom(first) and lexicon.never.isdisjoint(whole):
        words = tuple(written(word.group(), lexicon) for word in said[1:])
        name = Name(words, "", said[0].start(), said[-1].end())
        yield name, bool(before) or _goes_on_with_oneself(text, name.end)


def _as_kin(turn: Turn, own: _Cues, pointed: _Cues) -> Iterator[Name]:
    """“I'm her husband, Tom.” “It's her husband, Tom.” may be about a third, unless it answers who speaks;
    then “He fell.” behind it may be about another than Tom. So it may where a call begins with “It's Marta's
    husband, Tom.”"""
    text, question = turn.text, turn.question
    asked = bool(question.part or question.taken_for or turn.is_mistaken)
    denies = not text.lexicon.no.isdisjoint(text.said[:1])
    pauses = " ,;.!" if denies and not asked else " ,;"
    yield from (name for name, _ in _named_behind_kin(text, own))
    for name, whose in _named_behind_kin(text, pointed):
        is_theirs = asked or denies or (turn.is_first and _names_somebody(whose, text))
        if is_theirs and not is_spoken_of(text, name.end, pauses=pauses):
            yield name


def _names_somebody(said: str, text: Text) -> bool:
    """“la fille de monsieur Delorme”, not “her daughter”"""
    words = [word.removesuffix("s").removesuffix("'") for word in _WORD.findall(said)] + _WORD.findall(said)
    return any(is_given(word) or word in text.lexicon.titles for word in words)


def _named_behind_kin(text: Text, cues: _Cues) -> Iterator[tuple[Name, str]]:
    """“No, this is her husband, Tom Pike.”, “I'm the neighbour from upstairs, Odette.”: yield names with who
    they say they are."""
    lexicon = text.lexicon
    for cue in cues:
        last_word = text.low.rfind(" ", cue.start(), cue.end()) + 1  # "sou a", "sono la"
        for said, is_kin in ((lexicon.kin_of, True), (lexicon.acquaintances, False)):
            who = _match_behind(said, text, cue.end() + 1, last_word, _second_word(text, cue.end()))
            name = text.read(who.end(), sure=False) if who else None
            if who is None or name is None:
                continue
            ends = _ends_the_sentence(text, name)
            is_known = name.has_given or name.title != ""
            is_written = is_kin and _is_behind_a_comma(text, name) and not lexicon.nouns_have_capitals
            if (is_known and is_kin) or (ends and (is_known or is_written)):
                yield name, text.low[cue.end() : who.end()]


def _second_word(text: Text, at: int) -> int:
    """“I'm Tom Baker's wife, Sue.”, not “I'm with Tom's wife, Sue.”"""
    following = text.words[text.place(at) :][:PAIR]
    is_name = text.is_cased and len(following) == PAIR and following[0].group()[0].isupper()
    return following[1].start() if is_name else len(text.text)


def _match_behind(cues: Cues, text: Text, *places: int) -> "re.Match[str] | None":
    return next((found for at in places if (found := cues.match(text.low, at))), None)


def _is_behind_a_comma(text: Text, name: Name) -> bool:
    """“la esposa de Chuy Medina, Lety”, where nothing else has a capital behind a comma"""
    return text.is_cased and text.text[: name.start].rstrip().endswith(",")


def _ends_the_sentence(text: Text, name: Name) -> bool:
    """“I'm a friend, Marta.”, not “I'm a friend, Marta gave me your number.”"""
    return re.match(r"\s*(?:[.!?…]|$)", text.text[name.end :]) is not None


def _opens(text: Text, cue: "re.Match[str]") -> bool:
    """Tell whether it begins the remark, behind a greeting perhaps: “hi Bex it's …”."""
    lexicon = text.lexicon
    greets = text.place(cue.start()) == PAIR and text.said[0] in lexicon.calling | lexicon.exclaims
    return greets or text.begins(cue.start())


def _is_said_twice(text: Text, name: Name) -> bool:
    """“it's Joely, Joely Hammond”"""
    said = text.said[text.place(name.start) : text.place(name.end)]
    return not name.is_single and said.count(name.words[0].lower()) > 1


def _ends_clause(text: Text, at: int) -> bool:
    """“Marta again, about the lamp”, but “Ben again dropped the plates”; “Mia again, she eats nothing” is
    about a third."""
    ends = re.match(r"\s*(?:[,.;:!…]|$)", text.text[at:]) or text.lexicon.on_account.match(text.low, at + 1)
    return ends is not None and not is_spoken_of(text, at, pauses=" ,;")


def _is_begun_with(text: Text, name: Name) -> bool:
    """“Hello, Marta Klein again”, but “die mia frisst wieder” may be about a cat."""
    lexicon, words = text.lexicon, [word.lower() for word in name.words]
    before = set(_WORD.findall(text.low[: name.start])) - (lexicon.titles if name.title else set())
    all_known = all(is_given(word) or word in lexicon.surnames for word in words)
    is_name = name.has_given or name.title != ""
    return before <= lexicon.fillers and is_name and (text.is_cased or all_known)
