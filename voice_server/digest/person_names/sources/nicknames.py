"""What callers like to be called: “everyone calls me Liz”, “Jonathan Smyth, but Jon is fine”."""

from voice_server.digest.person_names.evidence import NameEvidence
from voice_server.digest.person_names.lexicon import is_given
from voice_server.digest.person_names.reading import Name, Text, behind_hesitations, plain
from voice_server.digest.person_names.turns import Turn


def take_nickname(turn: Turn, known: NameEvidence) -> None:
    text = turn.text
    for name in text.behind(text.lexicon.nicknamed, sure=True):
        if not known.words:
            known.take(name, stated=True)
        elif not name.plain <= plain(known.words):
            known.nickname = " ".join(name.words)
    is_new = bool(known.words) and tuple(known.words) != turn.before
    if is_new and turn.question.part:
        known.may_be_nickname = _behind_a_hesitation(text, known)
    for cue in text.lexicon.preferred.finditer(text.low) if is_new else ():
        short = _last_word(text, cue.start())
        if short and short.plain.isdisjoint(plain(known.words)):
            known.nickname = short.words[0]


def _behind_a_hesitation(text: Text, known: NameEvidence) -> str:
    """“Terrence. Well, Tez.”, not “Terrence. Well, Anna called.”, nor behind a surname."""
    if not text.words or text.said[0] not in plain(known.words) or not is_given(text.said[0]):
        return ""
    place = behind_hesitations(text, text.words[0].end())
    name = text.read(place, sure=True) if place > text.words[0].end() else None
    ends = name is not None and text.text[name.end : name.end + 1] in ("", ".", ",", "!")
    is_other = name is not None and name.is_single and name.plain.isdisjoint(plain(known.words))
    return name.words[0] if name is not None and ends and is_other else ""


def _last_word(text: Text, end: int) -> Name | None:
    """Take one word, where a clause begins: “, but Jon”."""
    place = text.place(end) - 1
    start = text.words[place].start()
    leads = place > 0 and text.said[place - 1] in text.lexicon.follows
    is_thing = place > 0 and text.said[place - 1] in text.lexicon.articles  # "the clutch is fine"
    name = text.read(start, sure=True) if (leads or text.begins(start)) and not is_thing else None
    return name if name and name.is_single and name.end <= end else None
