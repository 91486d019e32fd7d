"""How a name that is known is completed, put right or spelled: “it's Brambley. Cecily Brambley.”, “No, it's
Farrow”, “not Klein, Kline”, “S T R A N D”."""

from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile

from voice_server.digest.person_names import spelling
from voice_server.digest.person_names.evidence import NameEvidence
from voice_server.digest.person_names.reading import PAIR, Name, Segment, Text, plain, written
from voice_server.digest.person_names.turns import Turn


def complete(turn: Turn, known: NameEvidence) -> None:
    """Take the whole name behind a part: “it's Brambley. Cecily Brambley.”"""
    text = turn.text
    if len(known.words) == 1 and not text.is_cased and (whole := _said_in_full(turn, known.words[0])):
        known.words = [*whole.words]
    for segment in text.segments if len(known.words) == 1 and text.is_cased else ():
        name = text.read(segment.start, sure=True)
        if name is None or not name.is_pair:
            continue
        first, last = name.words
        if first == known.words[0] or (last == known.words[0] and _is_whole(turn, name, segment)):
            known.words = [first, last]
            return


def _said_in_full(turn: Turn, word: str) -> Name | None:
    """“it's lorna with an l lorna mcbride”, “morin avec un i euh colette morin”; and of a guess:
    “tariq isn't it” – “yeah tariq khan”"""
    text, lexicon, part = turn.text, turn.text.lexicon, word.lower()
    is_told = turn.question.taken_for is not None
    is_spelled = word.lower() in spelling.spelled(text.text, lexicon)
    if turn.question.of_another or text.said.count(part) < (1 if is_told or is_spelled else PAIR):
        return None
    told = lexicon.with_letter, lexicon.doubled_letter
    letters = {cue.end() for cues in told for cue in cues.finditer(text.low)}
    letters |= spelling.ends(text.low) if is_spelled else set()
    pauses = lexicon.yes | lexicon.hesitations
    anothers = lexicon.persons | lexicon.recipients  # “it's karen, a letter for uh karen smith”
    for before, match in pairwise(text.words):
        name = None
        if not anothers.isdisjoint(text.said[: text.place(match.start())]):
            return None
        if before.group().lower() in pauses or before.end() in letters:
            name = text.read(match.start(), sure=True)
        if name is not None and _is_all_of(name, part) and _ends(text, name.end):
            return name
    return None


def _is_all_of(name: Name, part: str) -> bool:
    said = [word.lower() for word in name.words]
    return name.has_given and len(said) >= PAIR and part in {said[0], said[-1]}


def _ends(text: Text, at: int) -> bool:
    behind = text.said[text.place(at) :][:1]
    return not behind or behind[0] in text.lexicon.of_oneself


def _is_whole(turn: Turn, name: Name, segment: Segment) -> bool:
    text = turn.text
    if turn.answers_other or text.text[segment.end : segment.end + 1] == "?":
        return False
    is_anothers = text.lexicon.not_theirs.search(text.low, 0, name.start) is not None
    return name.has_given and not is_anothers and text.is_all(name, segment)


def add_given(turn: Turn, known: NameEvidence) -> None:
    """Add what is said to be the given name: “Yilmaz. First name Elif.”"""
    text, lexicon = turn.text, turn.text.lexicon
    surname = [word for word in known.words if word.lower() not in lexicon.particles]
    may_add = len(surname) == 1 and not turn.question.of_another
    cue = lexicon.first_name.search(text.low) if may_add else None
    if cue is None or lexicon.of_others.search(text.low) or lexicon.not_theirs.search(text.low):
        return
    clause = next(one for one in text.segments if one.end > cue.start())
    leads = not text.text[clause.start : cue.start()].strip()
    name = text.read(cue.end() if leads else clause.start, sure=text.is_cased)
    if name and name.is_single and name.plain.isdisjoint(plain(known.words)):
        known.words = [*name.words, *known.words]


def rename(turn: Turn, known: NameEvidence) -> None:
    """“It's Ward now, I got married”: without a given name, it waits until the agent says both. “Mrs Ward” is
    Mrs Reed now."""
    text = turn.text
    is_surname = known.title != "" and not known.has_given
    if not text.lexicon.weddings.search(text.low) or (len(known.words) == 1 and not is_surname):
        return
    for name in text.behind(text.lexicon.renamed, sure=text.is_cased or is_surname):
        is_other = is_surname and name.is_single and (name.title != "" or not name.has_given)
        if is_other or (name.is_pair and name.words[0] in turn.before):
            known.correct([*name.words])
        elif name.is_single and len(turn.before) >= PAIR:
            known.correct([turn.before[0], *name.words])
        elif name.is_single and not known.words:
            known.renamed = name.words[0]


def correct(turn: Turn, known: NameEvidence) -> None:
    """Put right what was heard, or what the agent has just said: “not Klein, Kline”."""
    for name, is_own in _corrections(turn.text):
        words = [*(known.words or turn.before or turn.question.words)]
        is_whole = name.is_pair and (is_own or name.has_given)
        is_asked = is_whole and turn.question.taken_for is not None and _says_no_more(turn.text, name)
        if not known.words and not is_asked and name.words[0].casefold() in plain(words):
            continue  # "Can Henk come?" – "No, Henk has to work."
        if not known.words and is_whole:
            known.take(name, stated=True)
            continue
        places = [spelling.most_alike(word, words) for word in name.words]
        if None in places or not words:
            continue
        for place, word in zip(places, name.words, strict=True):
            words[place or 0] = word
        known.correct(words if known.words else name.words)


def _says_no_more(text: Text, name: Name) -> bool:
    """“Is that Mike from accounts?” – “No, Mike Brennan from legal.”; not “no pasa nada”"""
    behind = text.said[text.place(name.end) :][:1]
    is_end = any(one.end == name.end for one in text.segments)
    return not behind or is_end or behind[0] in text.lexicon.houses | text.lexicon.of_oneself


def _corrections(text: Text) -> Iterator[tuple[Name, bool]]:
    """Yield names that replace others (“not Klein, Kline”), with whether they are said to be one's own (“No,
    it's Farrow”)."""
    lexicon = text.lexicon
    if text.said and text.said[0] in lexicon.no:
        denied = [*takewhile(lambda word: word in lexicon.no, text.said)]  # "no no"
        end = text.words[len(denied) - 1].end()
        cue = lexicon.pointed.search(text.low, end) or lexicon.stated.search(text.low, end)
        name = text.read(cue.end() if cue else end, sure=True)
        if name is not None and (cue or _says_no_more(text, name)):
            yield name, cue is not None
    for cue in lexicon.with_letter.finditer(text.low):
        name = text.read_back(cue.start(), sure=True)
        if name is not None and name.is_single:
            yield name, False
    for negated in lexicon.negated.finditer(text.low):
        wrong = text.read(negated.end(), sure=True)
        if wrong is None:
            continue
        right = text.read(wrong.end, sure=True) or text.read_back(_led_to(text, negated.start()), sure=True)
        if right is not None and right.plain.isdisjoint(wrong.plain):
            yield right, False


def _led_to(text: Text, at: int) -> int:
    """Return where fillers before a place begin: “Lacaze, hein, pas Lacoste”."""
    place = text.place(at)
    while place > 1 and text.said[place - 1] in text.lexicon.fillers:
        place -= 1
    return text.words[place].start() if place < len(text.words) else at


def spell(turn: Turn, known: NameEvidence) -> None:
    """“S T R A N D”, “M A double R”, “with two l”"""
    text, part = turn.text, turn.question.part
    found = spelling.spelled(text.text, text.lexicon)
    for letters in found:
        place = spelling.most_alike(letters, known.words)
        if spelling.only_doubles(letters):
            _double(letters[::2], known)
        elif place is not None:
            if not spelling.adds_nothing(letters, known.words[place]):
                known.write(place, written(letters, text.lexicon))
        elif _respells_the_surname(turn, known, letters):
            known.write(len(known.words) - 1, written(letters, text.lexicon))
        elif (part or _opens_with(turn, letters)) and letters not in text.lexicon.never:
            known.take(Name((written(letters, text.lexicon),)), part or "last", stated=True)
            known.certainty = "corrected"
    if not found and known.words and (part or not plain(known.words).isdisjoint(text.plain)):
        _double(spelling.doubled_letters(text.text, text.lexicon), known)


def _respells_the_surname(turn: Turn, known: NameEvidence, letters: str) -> bool:
    """Tell so of “Catherine Hughes.” – “How do you spell that?” – “H E W E S.”, not of “h m a r s h at …”."""
    is_whole = len(known.words) >= PAIR and known.words[-1][:1].lower() == letters[:1]
    is_address = "__" in turn.text.low  # what stands for one
    return is_whole and not (is_address or turn.question.of_another or letters in turn.text.lexicon.never)


def _opens_with(turn: Turn, letters: str) -> bool:
    """“Lowe, L O W E. About the car.”"""
    text = turn.text
    said = [word for word in text.said if word not in text.lexicon.fillers]
    return turn.is_first and said[:1] == [letters]


def _double(letters: Iterable[str], known: NameEvidence) -> None:
    for letter in letters:
        places = [place for place, word in enumerate(known.words) if letter in word.lower()]
        if places:
            known.write(places[-1], spelling.with_double(known.words[places[-1]], letter))
