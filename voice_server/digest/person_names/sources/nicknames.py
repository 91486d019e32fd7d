"""What callers like to be called: “everyone calls me Liz”, “Jonathan Smyth, but Jon is fine”."""

from voice_server.digest.person_names.evidence import NameEvidence
from voice_server.digest.person_names.reading import Name, Text, plain
from voice_server.digest.person_names.turns import Turn


def take_nickname(turn: Turn, known: NameEvidence) -> None:
    text = turn.text
    for name in text.behind(text.lexicon.nicknamed, sure=True):
        if not known.words:
            known.take(name, stated=True)
        elif not name.plain <= plain(known.words):
            known.nickname = " ".join(name.words)
    is_new = known.words and tuple(known.words) != turn.before
    for cue in text.lexicon.preferred.finditer(text.low) if is_new else ():
        short = _last_word(text, cue.start())
        if short and short.plain.isdisjoint(plain(known.words)):
            known.nickname = short.words[0]


def _last_word(text: Text, end: int) -> Name | None:
    """Take one word, where a clause begins: “, but Jon”."""
    place = text.place(end) - 1
    start = text.words[place].start()
    leads = place > 0 and text.said[place - 1] in text.lexicon.follows
    is_thing = place > 0 and text.said[place - 1] in text.lexicon.articles  # "the clutch is fine"
    name = text.read(start, sure=True) if (leads or text.begins(start)) and not is_thing else None
    return name if name and name.is_single and name.end <= end else None
