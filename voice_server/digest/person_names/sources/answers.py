"""Names that are surely the caller's: “my name is …”, the answer to “your name?”, a yes to “am I speaking
to …?”"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from voice_server.digest.person_names.exclusions import is_of_kin, is_sure
from voice_server.digest.person_names.lexicon import Lexicon, is_given
from voice_server.digest.person_names.next_sentence import tells_of
from voice_server.digest.person_names.questions import Part, part_of
from voice_server.digest.person_names.reading import PAIR, Name, Segment, Text, plain, written
from voice_server.digest.person_names.turns import Turn

Answer = tuple[Name, Part]
_LONGEST_SURNAME = 3  # words of “van den berg”
_MOST_PARTICLES = 2  # words of “de la”
_NEXT = 2  # words behind a name that say what else is answered; shorter ones tell nothing


def answers(turn: Turn) -> list[Answer]:
    """Return names, each with the part of a name that it is."""
    answered = [(name, part) for name, part in _answered(turn) if not is_of_kin(turn.text, name)]
    return [*_stated(turn)] or answered or _confirmed(turn)


def bare_names(text: Text) -> list[Name]:
    """Return the names that a turn has and nothing else: “Marta Klein.”, “Klein. Marta.”"""
    found: list[Name] = []
    for segment in text.segments:
        name = text.read(segment.start, sure=True)
        name = _with_second_surname(text, name, segment) if name else None
        if not found and _is_kin(text, segment):
            continue  # "His dad. Emmanuel."
        is_kin = name is not None and text.lexicon.kin_of.match(text.low[name.end :].lstrip()) is not None
        not_theirs = text.lexicon.not_theirs.search(text.low, segment.start, segment.end)
        if not_theirs and not found and not is_kin and not _goes_on_before(text, name, not_theirs):
            return []
        if name is not None and name.end <= segment.end and (is_kin or text.is_all(name, segment)):
            found.append(name)
        elif found and not text.is_spelled(segment):
            break
        if len(found) == PAIR:
            break
    return found


def _goes_on_before(text: Text, name: Name | None, not_theirs: "re.Match[str]") -> bool:
    """“gwen but it's under my landlady” goes on with something else, “jana novak it's my wife” does not."""
    if name is None or not name.has_given:
        return False
    between = text.said[text.place(name.end) : text.place(not_theirs.start())]
    points = [cue.end() for cue in text.lexicon.pointed.finditer(text.low) if cue.end() > name.end]
    goes_on = between[:1] and between[0] in text.lexicon.follows
    return bool(goes_on) and all(text.low[end : not_theirs.start()].strip() for end in points)


def _stated(turn: Turn) -> Iterator[Answer]:
    """“My name is Marta Klein.”, “Marta Klein is the name.”"""
    text, lexicon = turn.text, turn.text.lexicon
    for cue in lexicon.stated.finditer(text.low):
        name = None if _is_behind_a_name(text, cue.start()) else text.read(cue.end(), sure=True)
        if name is not None and not _is_of_another(turn, cue.group(), name):
            yield name, part_of(cue.group().removesuffix("'s"), lexicon)
    for cue in () if turn.question.other else lexicon.named_before.finditer(text.low):
        name = text.read_back(cue.start(), sure=True)
        if name is not None:
            yield name, ""


def _is_of_another(turn: Turn, cue: str, name: Name) -> bool:
    """“And the dog's name?” – “The name is Rufus.”"""
    is_anybodys = cue.partition(" ")[0] in turn.text.lexicon.anybodys
    return turn.question.of_another and is_anybodys and name.plain.isdisjoint(map(str.lower, turn.before))


def _is_behind_a_name(text: Text, at: int) -> bool:
    """“Marta Klein al habla, de Sevilla”"""
    before = text.read_back(at, sure=False)
    names = before is not None and before.end == len(text.text[:at].rstrip())
    return names and text.lexicon.closing.match(text.low, at) is not None


def _answered(turn: Turn) -> list[Answer]:
    text, lexicon, part = turn.text, turn.text.lexicon, turn.question.part
    if not part:
        return []
    if (said := _around_given(text) or (_with_particle(text) if part == "last" else None)) is not None:
        return [(said, "" if said.has_given else part)]
    surely = ((cues, True) for cues in (lexicon.pointed, lexicon.put_under))
    kin = lexicon.kin_of, lexicon.acquaintances  # “His dad, Tom.”, “The daughter, Ann.”
    perhaps = ((cues, text.is_cased) for cues in (lexicon.introduced, *kin))
    for cues, sure in (*surely, *perhaps):
        cue = cues.match(text.low)
        if cue and (name := text.read(cue.end(), sure=sure)):
            return [(name, part)]
    if (again := _said_again(text)) is not None:
        return [(again, part if again.is_single else "")]
    if in_parts := _in_parts(text):
        return in_parts
    found = [name for name in bare_names(text) if not _is_vocative(name, turn)]
    return [(name, part if len(found) == 1 else "") for name in found] or _with_the_next(turn)


def _said_again(text: Text) -> Name | None:
    """“jasmine it's jasmine with a j o'connor”"""
    name = text.read(0, sure=False)
    cues = text.lexicon.pointed.finditer(text.low) if name else ()
    told = (text.read(cue.end(), sure=False) for cue in cues)
    return next((one for one in told if one and name and one.words[0] == name.words[0]), None)


def _around_given(text: Text) -> Name | None:
    """“van dijk kevin van dijk”, “von berg max von berg”"""
    lexicon, start = text.lexicon, _led_by(text)
    for length in range(1, _LONGEST_SURNAME + 1):
        surname, end = text.said[start : start + length], start + 2 * length + 1
        given = text.said[start + length : start + length + 1]
        is_around = surname != [] and text.said[end - length : end] == surname
        if is_around and _ends_in_surname(surname, lexicon) and _is_given_at_start(given[0], lexicon):
            said = text.words[start + length : end]
            words = tuple(written(word.group(), lexicon) for word in said)
            return Name(words, "", text.words[start].start(), said[-1].end())
    return None


def _is_given_at_start(word: str, lexicon: Lexicon) -> bool:
    return is_given(word) or word in lexicon.given_at_start


def _with_particle(text: Text) -> Name | None:
    """Read a surname whose first word is mostly said of other things: “da silva”, “di maio”, “de la tour”."""
    lexicon, start = text.lexicon, _led_by(text)
    before = [*takewhile(lambda word: word in lexicon.particles, text.said[start:])]
    if before and lexicon.last_name.search(text.low, 0, text.words[start].start()):
        return None  # "au nom de Delorme"
    said = text.words[start : start + len(before) + 1]
    plain = [word.group().lower() for word in said]
    if not before or len(before) > _MOST_PARTICLES or not _ends_in_surname(plain, lexicon):
        return None
    behind = text.said[start + len(said) :][:1]
    if behind and behind[0] not in lexicon.follows | lexicon.fillers:
        return None
    words = tuple(written(word.group(), lexicon) for word in said)
    return Name(words, "", said[0].start(), said[-1].end())


def _led_by(text: Text) -> int:
    """Count the words that say nothing, with which an answer begins: “ja eh”."""
    lexicon = text.lexicon
    empty = (lexicon.fillers | lexicon.yes) - lexicon.particles
    return len([*takewhile(lambda word: word in empty, text.said)])


def _ends_in_surname(words: Sequence[str], lexicon: Lexicon) -> bool:
    *before, last = words
    is_word = last in lexicon.never | lexicon.fillers | lexicon.titles | lexicon.particles
    is_known = last in lexicon.surnames or not (is_word or lexicon.is_seldom(last))
    return lexicon.particles.issuperset(before) and len(last) > 1 and is_known and not is_given(last)


def _in_parts(text: Text) -> list[Answer]:
    """“Malik, first name Farrukh”, “farrukh surname malik”"""
    one = text.read(0, sure=True)
    if one is None or not one.is_single:
        return []
    for cues in (text.lexicon.first_name, text.lexicon.last_name):
        cue = cues.search(text.low, one.end)
        other = text.read(cue.end(), sure=True) if cue else None
        is_one = other is not None and text.lexicon.particles.issuperset(plain(other.words[:-1]))
        if cue and other and is_one and not text.low[one.end : cue.start()].strip(" ,"):
            given, surname = (other, one) if cues is text.lexicon.first_name else (one, other)
            return [(Name((*given.words, *surname.words), one.title, one.start, other.end), "")]
    return []


def _with_the_next(turn: Turn) -> list[Answer]:
    """“Your name and postcode?” – “lewis hargreaves the postcode is …”, not “jerome same address”"""
    text = turn.text
    name = text.read(0, sure=False)
    behind = text.said[text.place(name.end) :][:_NEXT] if name else []
    asked = [word for word in behind if len(word) > _NEXT]
    is_next = not turn.question.said.isdisjoint(asked)
    return [(name, "")] if name and name.has_given and is_next else []


def _is_vocative(name: Name, turn: Turn) -> bool:
    """“Hi Luca, I'm Bea” greets an agent that has just said “Luca”."""
    return name.plain <= plain(turn.question.words) and name.end < len(turn.text.text.rstrip(" .!?"))


def _confirmed(turn: Turn) -> list[Answer]:
    """“Am I speaking to Marta Klein?” – “Speaking.”, but “Sind Sie Diabetikerin?” – “Ja.”"""
    name = turn.question.taken_for
    says_so = name is not None and (_says_yes(turn.text) or turn.text.said[:1] == [name.words[0].lower()])
    is_own = name is not None and is_sure(name, turn.text.lexicon) and not _is_told_of(turn.text, name)
    return [(name, "")] if name and says_so and is_own else []


def _is_told_of(text: Text, name: Name) -> bool:
    """“Mia, right?” – “yeah mia is ill”"""
    first = name.words[0].lower()
    ends = (one.end() for one, said in zip(text.words, text.said, strict=True) if said == first)
    return any(tells_of(text.low, end, text.lexicon) for end in ends)


def _says_yes(text: Text) -> bool:
    """“Yes, speaking.”, “That's me.”"""
    begins = next(iter(text.segments), None)
    remark = text.low[begins.start : begins.end].strip() if begins else ""
    says_so = text.lexicon.confirmed.fullmatch(remark) is not None
    return says_so or not text.lexicon.yes.isdisjoint(text.said[:1])


def _is_kin(text: Text, segment: Segment) -> bool:
    """Tell whether it only says whose kin or carer the speaker is: “His dad.”"""
    said = text.low[segment.start : segment.end].strip()
    return text.text[segment.end : segment.end + 1] == "." and text.lexicon.kin_of.fullmatch(said) is not None


def _with_second_surname(text: Text, name: Name, segment: Segment) -> Name:
    """Add the last word of an answer without capitals: “martín echeverría garmendia”."""
    lexicon = text.lexicon
    rest = [word for word in text.words if name.end <= word.start() < segment.end]
    has_two = lexicon.two_surnames and not text.is_cased
    is_open = name.is_pair or (len(name.words) == PAIR + 1 and is_given(name.words[1]))  # "jose luis garcía"
    if not has_two or len(rest) != 1 or not is_open or not name.has_given:
        return name
    word = rest[0].group().lower()
    is_other = word in lexicon.never | lexicon.follows | lexicon.titles or lexicon.is_seldom(word)
    if is_other or len(word) == 1:
        return name
    return Name((*name.words, written(word, lexicon)), name.title, name.start, rest[0].end())
