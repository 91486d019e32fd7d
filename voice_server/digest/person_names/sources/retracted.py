"""Names that are taken back in one breath: “it's tom, sorry, it's tim”, “Anna Brown. Sorry, Anna Reed”."""

import re

from voice_server.digest.person_names import spelling
from voice_server.digest.person_names.lexicon import Cues
from voice_server.digest.person_names.reading import PAIR, Name, Text

_LONGEST = 6  # words of a name, its title and what leads to it
_PAUSES = " ,.;:-–…"
_ENDS = re.compile(r"\s*(?:[,.;:!?…]|$)")


def without_retracted(text: Text, agents: set[str]) -> Text:
    """Leave out the first name and write the second in its place; of an agent nobody takes the name."""
    for cue in text.lexicon.retracted.finditer(text.low):
        wrong = _ending_at(text, len(text.low[: cue.start()].rstrip(_PAUSES)))
        right = _led_to(text, cue.end()) if wrong else None
        if wrong is None or right is None or not right.plain.isdisjoint(agents):
            continue
        words = _put_right(wrong, right) or _said_anew(text, wrong, right, cue.end())
        if words:
            said = text.text[: wrong.start] + " ".join(words) + text.text[right.end :]
            return without_retracted(Text(said, text.lexicon), agents)
    return text


def _ending_at(text: Text, end: int) -> Name | None:
    last = text.place(end)
    for place in range(max(0, last - _LONGEST), last):
        name = text.read(text.words[place].start(), sure=True)
        if name is not None and name.end == end:
            return name
    return None


def _led_to(text: Text, at: int) -> Name | None:
    """Return the name that follows, behind “it's” perhaps, if nothing is told of it: “sorry, tim is out”."""
    starts = [at, *(cue.end() for cue in _introducing(text, at))]
    names = (text.read(start, sure=True) for start in starts)
    return next((name for name in names if name and _ends(text, name.end)), None)


def _introducing(text: Text, at: int) -> list["re.Match[str]"]:
    lexicon = text.lexicon
    cues: tuple[Cues, ...] = (lexicon.stated, lexicon.introduced, lexicon.pointed, lexicon.put_under)
    start = text.place(at)
    begin = text.words[start].start() if start < len(text.words) else len(text.low)
    found = (one.match(text.low, begin) for one in cues)
    return [cue for cue in found if cue]


def _ends(text: Text, at: int) -> bool:
    behind = text.said[text.place(at) :][:1]
    place = len(text.low) - len(text.low[at:].lstrip())
    lexicon = text.lexicon
    doubled = re.match("|".join(rf"(?:{one})\b" for one in lexicon.doubled), text.low[place:])
    says_letter = doubled is not None or lexicon.with_letter.match(text.low, place) is not None
    return (
        _ENDS.match(text.text, at) is not None
        or says_letter
        or not text.lexicon.of_oneself.isdisjoint(behind)
    )


def _put_right(wrong: Name, right: Name) -> tuple[str, ...]:
    """Return the name as it is right: “Anna Reed” for “Anna Brown”, “Tim Hill” for “Tom Hill” and “Tim”; none
    when the two have nothing in common."""
    if right.is_single and not wrong.is_single:
        place = spelling.most_alike(right.words[0], [*wrong.words])
        return () if place is None else (*wrong.words[:place], *right.words, *wrong.words[place + 1 :])
    is_titled = right.title != "" and right.title == wrong.title
    is_more = not right.plain.isdisjoint(wrong.plain)
    alike = any(spelling.alike(one, other) for one in wrong.words for other in right.words)
    return right.words if is_titled or is_more or alike else ()


def _said_anew(text: Text, wrong: Name, right: Name, at: int) -> tuple[str, ...]:
    """“it's tom no sorry it's jerry”"""
    is_led = any(cue.end() <= right.start for cue in _introducing(text, at)) and _is_own(text, wrong)
    is_name = right.has_given and (wrong.is_single or right.is_pair)
    return right.words if is_led and is_name and len(wrong.words) <= PAIR else ()


def _is_own(text: Text, name: Name) -> bool:
    """Tell whether somebody says that they are it: not of “my son Tom, sorry, my name is Helen”."""
    lexicon = text.lexicon
    cues = (lexicon.stated, lexicon.introduced, lexicon.pointed)
    return any(
        cue.end() == len(text.low[: name.start].rstrip()) for one in cues for cue in one.finditer(text.low)
    )
