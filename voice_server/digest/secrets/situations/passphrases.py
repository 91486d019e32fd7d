"""Words that are a secret by their situation: a password that is dictated, the answer to a security question.
Pure."""

import re
from collections.abc import Iterator

from voice_server.digest.person_names.lexicon import says_address
from voice_server.digest.secrets.announcements import spelling
from voice_server.digest.secrets.common_words import is_common, is_everyday
from voice_server.digest.secrets.findings import Findings
from voice_server.digest.secrets.scan import HARD, Unit
from voice_server.digest.secrets.situation_phrases import Role
from voice_server.digest.secrets.situations.reading import Reading

_PIECES = 20  # units of a password with named signs
_BEFORE = 3  # units from a sign to the word before
_ASIDE = 5  # units between two of its pieces
_LABEL = 4  # words from a label to what is no password
_LEAD = 3  # words from "I type" to what is typed
_LETTERS = 4  # that are spelled
_NAMED = 2  # letters by names that are nothing else
_SHORTEST = 4  # letters of a word that is one
_MIXED = 6  # characters of letters and digits in one
_ANSWER = 2  # words of a sentence that is nothing but an answer
_BRIEF = 6  # words of a turn that says little else
_CORRECTED = 5  # words from a password to its last digits said anew
_WRITTEN = re.compile(r"(?=.{8})[a-z]{4,}\d{2,}\w*")  # mossyotter22


def take(said: Reading, findings: Findings, *, asked: frozenset[Role], near: frozenset[Role]) -> None:
    own = said.topics()
    if "login" in own | near:
        is_near = "login" in own or "login" in asked
        spans = [*_signed(said), *(_typed(said, is_near=is_near))]
        if is_near:
            spans += _spelled(said)
        _take(said, findings, spans)
    if "word" in near | asked:
        _take(said, findings, _answers(said, is_asked="word" in asked))


def _take(said: Reading, findings: Findings, spans: list[tuple[int, int]]) -> None:
    for start, end in spans:
        findings.take_words(said.number, start, end, "password")
        for first, last in _corrected(said, end):
            findings.take_words(said.number, first, last, "password")


def _signed(said: Reading) -> list[tuple[int, int]]:
    """Find words, letters and digits with named signs among them, and the word before: “Marsh, capital M,
    exclamation mark, nine nine”."""
    found, at = list[tuple[int, int]](), 0
    while at < len(said.units):
        if not said.has(at, "signs"):
            at += 1
            continue
        start, end = _start_of_signed(said, at), _end_of_signed(said, at)
        pieces = [unit for unit in said.units[start:end] if unit.is_word]
        is_address = says_address(said.text[said.units[start].start : said.units[end - 1].end])
        tells = any(_tells(said, place) for place in range(start, end)) and _is_sure(said, start, end)
        if len(pieces) > 1 and tells and not is_address and not said.label_before(start, _LABEL):
            found.append((start, end))
        at = max(end, at + 1)
    return found


def _is_sure(said: Reading, start: int, end: int) -> bool:
    """Tell whether it is told (“the wifi is marsh dash heron”), or has a letter, a digit or a sign whose name
    says nothing else: not “in the capital” or, where another language's hash is a word, “diese Woche”."""
    is_told = start > 0 and said.units[start - 1].has("link") and not is_everyday(said.units[start].text)
    if is_told and not said.has(start, "signs"):
        return True
    return any(
        not said.has(at, "doubtful")
        if said.has(at, "signs")
        else _is_piece(said, at) and not _counts(said, at)
        for at in range(start, end)
    )


def _counts(said: Reading, at: int) -> bool:
    """“diese drei Wochen”, “une étoile”"""
    unit, behind = said.units[at], said.units[at + 1 : at + 2]
    counts = any(one.is_word and not one.is_counting and not one.has("fill") for one in behind)
    return unit.is_counting and (is_common(unit.text) or counts)


def _tells(said: Reading, at: int) -> bool:
    """Tell whether it is a word, letter or digit of a password, not just a sign (“a capital and a dash”)."""
    unit = said.units[at]
    is_sign = said.has(at, "signs") or unit.has("spell") or unit.has("sign")
    return not is_sign and not is_common(unit.text) and (_is_piece(said, at) or _may_be_word(said, at))


def _start_of_signed(said: Reading, at: int) -> int:
    start = place = at
    while place > 0 and start - place <= _BEFORE:
        place -= 1
        unit = said.units[place]
        if _is_piece(said, place) or said.has(place, "signs"):
            start = place
        elif _leads_to_letters(said, place, start):
            continue
        elif unit.is_word and not unit.has("fill"):
            return place if _may_be_word(said, place) else start
        elif unit.text in HARD:
            break
    return start


def _leads_to_letters(said: Reading, at: int, start: int) -> bool:
    """“Marsh, with a K, underscore”"""
    return is_common(said.units[at].text) and _is_letter(said.units[start].text)


def _end_of_signed(said: Reading, at: int) -> int:
    end = place = at + 1
    while place < min(len(said.units), at + _PIECES) and place - end <= _ASIDE:
        unit = said.units[place]
        follows_sign = said.has(end - 1, "signs") and not any(map(_says, said.units[end:place]))
        is_word = follows_sign and (_may_be_word(said, place) or (place == end and _is_short(said, place)))
        if _is_piece(said, place) or said.has(place, "signs") or is_word:
            end = place + 1
        elif unit.text in HARD or (_says(unit) and not (is_common(unit.text) or said.has(place, "aside"))):
            break
        place += 1
    return end


def _is_short(said: Reading, at: int) -> bool:
    """Tell whether it is a short word: “robin underscore red”."""
    return _says(said.units[at]) and not (is_common(said.units[at].text) or said.roles[at])


def _says(unit: Unit) -> bool:
    return unit.is_word and not unit.has("fill")


def _is_piece(said: Reading, at: int) -> bool:
    unit = said.units[at]
    is_letter = _is_letter(unit.text) and not (unit.has("stop") or unit.has("fill"))
    return bool(is_letter or unit.is_counting or unit.has("spell") or _is_mixed(unit.text))


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text.isalpha()


def _is_mixed(text: str) -> bool:
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def _may_be_word(said: Reading, at: int) -> bool:
    unit = said.units[at]
    meaning = unit.meaning
    is_named = meaning.announces or meaning.hints or unit.leads or unit.has("no_value") or unit.mark
    plain = unit.is_word and not (is_named or is_common(unit.text) or said.topic_at(at))
    return plain and len(unit.text) >= _SHORTEST and not said.has(at, "entering", "ordinary", "letter")


def _typed(said: Reading, *, is_near: bool) -> list[tuple[int, int]]:
    """Find what somebody types: letters and digits in one, or, near a password, a word that nobody says of
    anything."""
    found = list[tuple[int, int]]()
    for at, unit in enumerate(said.units):
        is_one = _is_mixed(unit.text) and len(unit.text) >= _MIXED and not unit.has_shape
        is_one = is_one and not said.text.isupper() and unit.text[0].isalpha() and not _is_part(said, at)
        is_word = (
            is_near
            and not _names_password(said, at)
            and _may_be_word(said, at)
            and not is_everyday(unit.text)
        )
        is_written = is_one and _WRITTEN.fullmatch(unit.text) and not _is_called(said, at)
        is_typed = (is_one or _ends(said, at)) and _is_typed(said, at, is_sure=is_one)
        is_typed = is_typed or (is_word and _is_typed_second(said, at))
        if is_written or ((is_one or is_word) and is_typed):
            found.append((at, at + 1))
    return found


def _is_typed_second(said: Reading, at: int) -> bool:
    """“To log in I put anna77 and then rosebud.”"""
    place = at - 1
    while place > 0 and at - place <= _LEAD and _leads_on(said.units[place]):
        place -= 1
    joined = said.units[place + 1 : at]
    is_name = place > 0 and said.units[place].is_word and any(one.has("fill") for one in joined)
    return is_name and _is_typed(said, place, is_sure=True)


def _leads_on(unit: Unit) -> bool:
    return is_common(unit.text) or unit.has("fill")


def _is_called(said: Reading, at: int) -> bool:
    """Tell whether a label leads to it: “my user name is”."""
    near = range(max(at - _LABEL, 0), at)
    return any(said.has(place, "ordinary") and not said.has(place, "login") for place in near)


def _is_part(said: Reading, at: int) -> bool:
    """Tell whether it is a part of an address: fenner22@example.org."""
    units, unit = said.units, said.units[at]
    before, behind = units[max(at - 1, 0) : at], units[at + 1 : at + 2]
    glued = [one for one in before if one.end == unit.start] + [one for one in behind if one.text == "@"]
    return any(one.text in "@.-" for one in glued)


def _names_password(said: Reading, at: int) -> bool:
    """Tell whether a password follows, so that this is a name: “I put in ann and the password …”"""
    behind = range(at + 1, min(at + 1 + _LEAD, len(said.units)))
    return any(said.topic_at(place) == "login" for place in behind)


def _is_typed(said: Reading, at: int, *, is_sure: bool) -> bool:
    words = 0
    for place in range(at - 1, -1, -1):
        unit = said.units[place]
        if unit.text in HARD or said.has(place, "ordinary") or unit.is_number:
            return False
        if said.has(place, "entering") and (is_sure or not is_common(unit.text)):
            return True
        words += unit.is_word
        known = is_common(unit.text) or unit.leads
        if words > (_LEAD if is_sure else 1) or (unit.is_word and not known):
            return False
    return False


def _ends(said: Reading, at: int) -> bool:
    behind = said.units[at + 1] if at + 1 < len(said.units) else None
    if behind is None or not behind.is_word:
        return True
    return behind.has("stop") or behind.has("fill") or said.has(at + 1, "signs")


def _spelled(said: Reading) -> Iterator[tuple[int, int]]:
    """Find letters said one by one, with the word that they spell before: “Marsh, m a r s h”."""
    at = 0
    while at < len(said.units):
        end, symbols, _ = spelling.spelled(said.units, at) if _is_piece(said, at) else (at, 0, False)
        letters = sum(_is_letter(one.text) or _is_mixed(one.text) for one in said.units[at:end])
        if (named := _end_of_named(said, at)) > end:
            end, symbols, letters = named, named - at, named - at
        if symbols >= _LETTERS and letters > 1 and not said.label_before(at, _LABEL - 1):
            start = _start_of_signed(said, at)
            yield (start, end)
        at = max(end, at + 1)


def _end_of_named(said: Reading, at: int) -> int:
    """Return the end of letters by their names, with digits among them: “tê, cê, agá, xis, forty one”. A name
    that is a word of its own, too, counts only beside a comma or between two that are none."""
    end, place, sure, count = at, at, 0, 0
    while place < len(said.units):
        unit = said.units[place]
        if said.has(place, "named") or _is_letter(unit.text) or unit.is_number or unit.meaning.numbers:
            sure += said.has(place, "named") and not is_common(unit.text)
            count += 1
            end = place + 1
        elif unit.text in HARD or (_says(unit) and not (unit.has("spell") or unit.meaning.repeats)):
            break
        place += 1
    return end if sure >= _NAMED and count >= _LETTERS else at


def _corrected(said: Reading, end: int) -> Iterator[tuple[int, int]]:
    """“…, star, twenty-two. Oh no, not twenty-two, thirty-three”"""
    last = end
    is_corrected = False
    for at in range(end, len(said.units)):
        unit = said.units[at]
        is_number = unit.is_number or bool(unit.meaning.numbers)
        if is_number and is_corrected:
            yield (at, at + 1)
            last = at
        elif unit.is_word and not (is_common(unit.text) or unit.has("fill") or unit.has("corrects")):
            return
        is_corrected = is_corrected or unit.has("corrects")
        if at - last > _CORRECTED:
            return


def _answers(said: Reading, *, is_asked: bool) -> list[tuple[int, int]]:
    """Find the word behind a security question, or one that is a sentence of its own."""
    found, at = list[tuple[int, int]](), 0
    while at < len(said.units):
        if said.has(at, "word"):
            at = _past_topic(said, at)
            start = _past_lead(said, at)
            led = is_asked or any(unit.leads for unit in said.units[at:start])
            if start is not None and led and _is_answer(said, start):
                found.append((start, start + 1))
        else:
            at += 1
    if found or not is_asked:
        return found
    alone = list(_alone(said))
    single = [(start, end) for start, end in alone if end - start == 1]
    return single or alone


def _past_topic(said: Reading, at: int) -> int:
    while at < len(said.units) and said.has(at, "word"):
        at += 1
    return at


def _past_lead(said: Reading, at: int) -> int | None:
    """Return the first word that says something, not far behind."""
    for place in range(at, min(at + 2 * _LEAD, len(said.units))):
        unit = said.units[place]
        if unit.is_word and not (is_common(unit.text) or unit.leads):
            return place
    return None


def _alone(said: Reading) -> Iterator[tuple[int, int]]:
    """Find sentences of a word or two, or the word that begins a brief turn."""
    for first, last in _sentences(said):
        saying = [at for at in range(first, last) if said.units[at].is_word and not _is_idle(said, at)]
        begins = bool(saying) and said.word_count <= _BRIEF and len(saying) > _ANSWER
        if 0 < len(saying) <= _ANSWER and all(_is_answer(said, at) for at in saying):
            yield (saying[0], saying[-1] + 1)
        elif begins and _is_answer(said, saying[0]):
            yield (saying[0], saying[0] + 1)


def _is_idle(said: Reading, at: int) -> bool:
    unit = said.units[at]
    return is_common(unit.text) or unit.leads or len(unit.text) < _LETTERS - 1


def _is_answer(said: Reading, at: int) -> bool:
    unit = said.units[at]
    plain = unit.is_word and not (unit.mark or unit.is_number or unit.has("no_value") or said.topic_at(at))
    return plain and len(unit.text) >= _SHORTEST and not unit.meaning.announces


def _sentences(said: Reading) -> Iterator[tuple[int, int]]:
    first = 0
    for at, unit in enumerate(said.units):
        if unit.text in HARD:
            yield (first, at)
            first = at + 1
    yield (first, len(said.units))
