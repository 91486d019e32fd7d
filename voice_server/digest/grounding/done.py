"""What a digest tells as done, while the talk tells of nothing done: “you sent the list” is not borne out by
“I'll send the list”, nor “the fault has been repaired” by “it should be back by six”.

What is done by saying it (to ask, to order, to decline) is done in the talk itself: `said_to_do` in
`stances/*.toml`.
"""

import re
from collections.abc import Iterable

from voice_server.digest.dates.date_language import DateLanguage, date_language
from voice_server.digest.grounding.stance import stance
from voice_server.digest.grounding.transcript import Line
from voice_server.digest.grounding.vocabulary import plain

_WORD = re.compile(r"[^\W\d_]{4,}")


def undone(text: str, heard: Iterable[Line], language: str) -> bool:
    """Tell whether a text tells of a deed done, and these lines of none. What says that something is not so,
    or not certain, is believed."""
    known, dates, folded = stance(language), date_language(language), plain(text)
    if known is None or dates is None or known.denials.search(folded) or known.cautious.search(folded):
        return False
    said = [line.text.lower() for line in heard]
    words = {word for one in said for word in _WORD.findall(one)}
    deeds = known.said_to_do.sub("·", text.lower())
    # in just that form it was said
    deeds = _WORD.sub(lambda word: "·" if word[0] in words else word[0], deeds)
    cues = dates.direction
    if cues.state.are_in(deeds) or not cues.past.are_in(deeds):
        return False
    return not any(_tells_past(one, dates) for one in said)


def _tells_past(text: str, dates: DateLanguage) -> bool:
    cues = dates.direction
    return cues.past.are_in(text) or cues.since.are_in(text)
