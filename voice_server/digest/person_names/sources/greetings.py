"""Names beside a greeting, with nothing that says whose they are: “Hello Tom, Lucinda Barrow.”"""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile

from voice_server.digest.person_names.evidence import NameEvidence
from voice_server.digest.person_names.exclusions import asks_for, is_anothers, is_spoken_of
from voice_server.digest.person_names.lexicon import is_given
from voice_server.digest.person_names.reading import PAIR, Name, Segment, Text, written
from voice_server.digest.person_names.turns import Turn

_WORD = re.compile(r"\w+")
_LONGEST_HOUSE = 4  # words of “from the front desk”
_LONGEST_ADDRESS = 6  # words


def without_vocative(text: Text, agents: set[str]) -> Text:
    """Leave out whom a turn greets: “Morning Maureen, Devinder Gill.”, “callum hi freya lindqvist”. Without
    marks it may be the caller's own, too, unless a greeting or another name follows."""
    lexicon = text.lexicon
    place = len(_led_by(text))
    named = text.words[place] if place + 1 < len(text.words) else None
    if named is None or named.group().casefold() not in agents:
        return text
    following = text.said[place + 1 : place + 1 + PAIR]
    is_greeted = re.match(r"\s*[,.!]", text.text[named.end() :]) or following[0] in lexicon.calling
    may_be_names = len(following) == PAIR and lexicon.never.isdisjoint(following)
    is_greeted = is_greeted or _introduces(text, place + 1)
    if not is_greeted and (text.is_cased or not (is_given(following[0]) or may_be_names)):
        return text
    before = text.words[:place]
    while before and before[-1].group().lower() in lexicon.exclaims:
        before.pop()
    return Text(text.text[: before[-1].end() if before else 0] + text.text[named.end() :], lexicon)


def _introduces(text: Text, place: int) -> bool:
    """“ó rita daqui é o anselmo”"""
    lexicon, start = text.lexicon, text.words[place].start()
    cues = (lexicon.introduced, lexicon.pointed, lexicon.stated, lexicon.presented)
    return any(cue.match(text.low, start) for cue in cues)


def greeting_names(turn: Turn) -> Iterator[tuple[Name, bool]]:
    """Yield the names beside the first greeting, with whether they are surely names."""
    yield from ((name, True) for name in _alone(turn))
    yield from ((name, True) for name in _with_title(turn))
    of_a_house = _of_a_house(turn.text, turn.agents)
    if of_a_house is not None:
        yield of_a_house, turn.text.is_cased
    before = _before_the_greeting(turn.text, turn.agents)
    if before is not None:
        yield before, True


def suppose(turn: Turn, known: NameEvidence, *, most: int) -> None:
    """Take a whole name for theirs until they say another, if the agent has just said another of its own;
    one that is in no list, or may be the agent's, is theirs if the agent then calls them so."""
    text = turn.text
    run_on = _run_on(text, turn.agents) if turn.is_first else None
    is_whole = run_on is not None and run_on.is_pair and not is_given(run_on.words[1])
    is_known = any(is_given(word) for word in turn.agents) or is_whole  # nobody greets by a whole name
    if run_on and run_on.has_given and turn.is_unasked and is_known and _is_divided(turn, run_on):
        known.take(run_on)
        known.is_unsure = True
    elif turn.is_first and (unheard := _unheard_behind_greeting(turn)):
        known.take(unheard)
        known.is_unsure = True
    elif len(known.whole) < most:
        known.whole += [run_on] if run_on is not None else _whole_names(text)


def _unheard_behind_greeting(turn: Turn) -> Name | None:
    """Return the whole name of no list that stands alone between a greeting and what one says of oneself:
    “Hallo, Annelot Brinkhorst. Ik wil een boot.”"""
    text, lexicon = turn.text, turn.text.lexicon
    is_plain = text.is_cased and turn.is_unasked and turn.agents and not turn.greets_agent
    for segment, name in text.remarks if is_plain else ():
        greeted = _WORD.findall(text.low[: segment.start])
        if not greeted or not lexicon.fillers.issuperset(greeted) or name.end != segment.end:
            continue
        behind = text.said[text.place(name.end) :][:1]
        is_of_oneself = behind != [] and behind[0] in lexicon.of_oneself
        words = {word.lower() for word in name.words}
        is_known = not words.isdisjoint(lexicon.things | lexicon.persons | lexicon.roles)
        is_known = is_known or any(map(lexicon.is_seldom, words))  # “Kettlewell Roofing”
        is_new = _may_be_unheard(text, name) and not is_known and name.plain.isdisjoint(turn.agents)
        if is_of_oneself and is_new and not asks_for(text, name):
            return name
    return None


def _led_by(text: Text) -> list[str]:
    """Return the words with which a turn begins and which say nothing: “oh good morning”."""
    empty = text.lexicon.fillers | text.lexicon.exclaims
    return [*takewhile(lambda word: word in empty, text.said)]


def _alone(turn: Turn) -> Iterator[Name]:
    """Yield whole names that are a sentence behind a greeting or a relative's name: “Hello Tom, Lucinda
    Barrow.”, “I'm Maya's dad, Colin Barrow.”, “Hello, Barrow, Lucinda.”"""
    text, agents = turn.text, turn.agents
    segments = text.segments
    for segment, said in text.remarks:
        if said.end > segment.end or not _is_all_or_of_a_house(text, said, segment):
            continue
        before = [one for one in segments if one.end <= segment.start]
        behind = segments[len(before) + 1 :]
        leads = _is_greeting(text, said, agents) or _says_whose(text, before)
        goes_on = _goes_on_with_oneself(text, said) or _is_a_sentence(text, said)
        if not leads and not (turn.is_unasked and not before and goes_on):
            continue
        if is_anothers(text, said) or asks_for(text, said):
            continue
        turned = _surname_first(text, said, behind[0]) if said.is_single and behind else None
        name = turned or said
        is_whole = _is_pair(text, name) and _has_given(text, name) and not name.title
        may_be_surname = turn.is_unasked and not turn.greets_agent
        tells = is_whole or (may_be_surname and _is_surname_alone(text, name))
        if tells and name.plain.isdisjoint(agents):
            yield name


def _with_title(turn: Turn) -> Iterator[Name]:
    """Yield the name before an address: “Hello, Mrs Anstey, Beechwood Court.” Alone it is the other's."""
    text = turn.text
    for segment, name in text.remarks if turn.is_unasked and not turn.greets_agent else ():
        greeted = _WORD.findall(text.low[: segment.start])
        behind = next((one for one in text.segments if one.start >= segment.end), None)
        begins = name.title != "" and name.end == segment.end and text.lexicon.fillers.issuperset(greeted)
        if begins and behind and name.plain.isdisjoint(turn.agents) and _is_address(text, behind):
            yield name


def _is_address(text: Text, segment: Segment) -> bool:
    """“Beechwood Court”, “Gartenstraße 4”"""
    lexicon, first = text.lexicon, text.text[segment.start : segment.end].lstrip()[0]
    words = _WORD.findall(text.low[segment.start : segment.end])
    if len(words) > _LONGEST_ADDRESS or not text.text[: segment.start].rstrip().endswith(","):
        return False
    named = [word in lexicon.addresses or word.endswith(lexicon.streets) for word in words]
    is_numbered = words[0].isdigit() or words[-1].isdigit()
    stands_last = bool(lexicon.streets or lexicon.places)  # “Beechwood Court”, but “Farmácia da Praça”
    is_whole = stands_last and named[-1] and (len(words) > 1 or words[0] not in lexicon.addresses)
    begins = first.isupper() or words[0] in lexicon.addresses
    return begins and (is_whole or (is_numbered and any(named)))


def _is_pair(text: Text, name: Name) -> bool:
    """“Lucinda Barrow”, “Jan de Vries”, not “Lucinda from the Kettle”: what may be a house is a surname only
    where it is known as one."""
    lexicon, words = text.lexicon, [word.lower() for word in name.words]
    own = [word for word in words if word not in lexicon.particles]
    may_be_house = not lexicon.houses.isdisjoint(words[1:-1])
    return len(own) == PAIR and (not may_be_house or own[-1] in lexicon.surnames)


def _has_given(text: Text, name: Name) -> bool:
    return name.has_given or name.words[0].lower() in text.lexicon.given_at_start


def _goes_on_with_oneself(text: Text, name: Name) -> bool:
    """“Lucinda Barrow, my heating's off.”, not “Lucinda Barrow, is she in?”"""
    said = text.said[text.place(name.end) :]
    behind = [*dropwhile(lambda word: word in text.lexicon.articles, said)][:1]  # “la mia caldaia”
    return _is_pair(text, name) and not text.lexicon.of_oneself.isdisjoint(behind)


def _is_a_sentence(text: Text, name: Name) -> bool:
    """“Lucinda Barrow. The heating's off.”, not “Lucinda Barrow. She's had a fall.”"""
    is_one = _is_pair(text, name) and text.text[name.end : name.end + 1] == "."
    return is_one and not is_spoken_of(text, name.end, pauses=" .")


def _is_all_or_of_a_house(text: Text, name: Name, segment: Segment) -> bool:
    """“Lucinda Barrow.”, “Lucinda Barrow from purchasing.”"""
    behind = text.low[name.end : segment.end].replace("'", "' ").split()
    is_of_a_house = len(behind) <= _LONGEST_HOUSE and behind[:1] != [] and behind[0] in text.lexicon.houses
    return not behind or (is_of_a_house and _is_pair(text, name))


def _run_on(text: Text, agents: set[str]) -> Name | None:
    """Return the whole name behind a greeting, with no mark before what one says of oneself: “bonjour gaël
    ferreira je vous appelle”."""
    before = _led_by(text)
    if text.lexicon.calling.isdisjoint(before):
        return None
    start = text.words[len(before) - 1].end()
    name = text.read(start, sure=text.is_cased) or text.read(start, sure=True)
    if name is None or not name.plain.isdisjoint(agents) or asks_for(text, name):
        return None
    rest = text.low[name.end :]
    behind = re.match(r"\s*([\w']*)", rest)
    goes_on = behind is None or behind[1] in text.lexicon.of_oneself or not rest.strip()
    is_whole = name.is_pair and name.has_given and not is_given(name.words[1])
    return name if goes_on and (is_whole or _may_be_unheard(text, name)) else None


def _is_divided(turn: Turn, name: Name) -> bool:
    """Tell whether a name is told from the word behind it: “hello freya paints” may be about Freya."""
    return turn.text.is_cased or turn.greets_agent or turn.text.low[name.end :].strip() != ""


def _whole_names(text: Text) -> Iterator[Name]:
    """Yield whole names that are all of a remark: “Oh, Devinder Gill, by the way.”"""
    for segment, name in text.remarks:
        is_all = name.end == segment.end and _may_be_unheard(text, name)
        if is_all and not is_anothers(text, name) and not asks_for(text, name):
            yield name


def _may_be_unheard(text: Text, name: Name) -> bool:
    """Tell whether none of its words is known otherwise, nor is it of a house: “Devinder de la Tetera”."""
    lexicon = text.lexicon
    words = [word.lower() for word in name.words if word.lower() not in lexicon.particles]
    is_known = lexicon.is_seldom(words[0]) or not (lexicon.seldom - lexicon.surnames).isdisjoint(words)
    is_of_one = not lexicon.houses.isdisjoint(word.lower() for word in name.words)
    most = PAIR + lexicon.two_surnames
    return PAIR <= len(words) <= most and not (is_known or is_of_one or name.title)


def _is_surname_alone(text: Text, name: Name) -> bool:
    """“Guten Tag, Wiesinger.” In some languages one says one's surname so; who greets the other says “Frau
    Wiesinger”, or a given name."""
    lexicon = text.lexicon
    word, before = name.words[0].lower(), set(_WORD.findall(text.low[: name.start]))
    known = lexicon.endearments | lexicon.persons | lexicon.things
    is_other = is_given(word) or word in known or lexicon.is_seldom(word)
    is_one = name.is_single and not name.title and text.text[name.end : name.end + 1] in {".", ","}
    greets = not before <= lexicon.yes and before <= lexicon.greetings | lexicon.yes
    return lexicon.surname_alone and is_one and not is_other and greets


def _is_greeting(text: Text, name: Name, agents: set[str]) -> bool:
    """Tell whether what stands before only greets; before a whole name, an agent whose name nobody told, too:
    “Hello Tom, Lucinda Barrow.”"""
    low = text.low[: name.start]
    before = re.sub(r"[,.!]", " ", low).split()
    may_call = not name.is_single and len(before) > 1 and low.rstrip().endswith((",", "!"))
    if may_call and len(before) > PAIR and before[-PAIR] in text.lexicon.titles:
        del before[-PAIR:]  # “Hallo Herr Meier, …”
    elif may_call and is_given(before[-1]):
        before.pop()
    return bool(before) and all(one in text.lexicon.fillers or one.casefold() in agents for one in before)


def _says_whose(text: Text, before: Sequence[Segment]) -> bool:
    """“I'm Maya's dad,”"""
    if not before or text.text[before[-1].end] != ",":
        return False
    start, end = before[-1].start, before[-1].end
    cue = text.lexicon.introduced.search(text.low, start, end)
    if cue is None or text.low[start : cue.start()].strip():
        return False
    return text.lexicon.kin_of.match(text.low[cue.end() : end].strip()) is not None


def _surname_first(text: Text, surname: Name, segment: Segment) -> Name | None:
    given = text.read(segment.start, sure=True)
    if given is None or text.text[surname.end : given.start].strip() != "," or given.end < segment.end:
        return None
    both = Name((*given.words, *surname.words), surname.title, surname.start, given.end)
    return both if both.is_pair and both.has_given and not is_given(both.words[1]) else None


def _before_the_greeting(text: Text, agents: set[str]) -> Name | None:
    """“Hollerbach, guten Tag.” Behind a title, or just said by the agent, the name is greeted."""
    name = text.read(0, sure=True) if text.is_cased else None
    if name is None or name.title or not name.plain.isdisjoint(agents):
        return None
    if not name.is_single and not name.has_given:
        return None  # "Spedition Kranz, guten Tag."
    rest = re.match(r",\s*", text.low[name.end :])
    greets = rest and text.lexicon.then_greets.match(text.low, name.end + rest.end())
    return name if greets and not text.low[: name.start].strip() else None


def _of_a_house(text: Text, agents: set[str]) -> Name | None:
    """Read the given name of “Hiya, Lorcan from the Copper Kettle.”, “Hola, Elena de La Tetera.”"""
    lexicon, before = text.lexicon, _led_by(text)
    given, joint = (*text.words[len(before) : len(before) + PAIR], None, None)[:PAIR]
    if lexicon.calling.isdisjoint(before) or given is None or joint is None:
        return None
    is_name = is_given(given.group()) and given.group().casefold() not in agents
    if not is_name or joint.group().lower() not in lexicon.houses:
        return None
    end = next(one.end for one in text.segments if one.end >= given.end())
    if not _is_house(text, joint.end(), end) or is_spoken_of(text, end, pauses=" ,;.!"):
        return None
    name = Name((written(given.group(), lexicon),), "", given.start(), end)
    return None if asks_for(text, name) else name


def _is_house(text: Text, start: int, end: int) -> bool:
    """Tell whether a remark ends with what may be a house: “the Copper Kettle.”"""
    lexicon = text.lexicon
    small = lexicon.determiners | lexicon.particles | lexicon.houses
    said = [word.group() for word in text.words[text.place(start) : text.place(end)]]
    words = [word for word in said if word.lower() not in small]
    is_named = not text.is_cased or all(word[0].isupper() for word in words)
    closes = text.text[end : end + 1] in {"", ".", ","}
    return bool(words) and is_named and closes and lexicon.never.isdisjoint(word.lower() for word in words)
