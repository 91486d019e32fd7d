"""What was said, cut into pieces that can be quoted: a sentence, or an answer with its question.

Nothing needs capitals or punctuation: a recogniser gives neither. What has none is cut where somebody goes on
(“and”, “because”).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import dropwhile, groupby, takewhile

from msgspec import Struct
from msgspec.structs import replace

from voice_server.digest.language.hesitations import without_hesitations
from voice_server.digest.language.manner import Manner
from voice_server.digest.language.sentences import split, spoken
from voice_server.digest.language.stems import word_count, words
from voice_server.digest.rules.courtesies import is_courtesy, is_sympathy, without_courtesies
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Speaker

_LONG, _FEWEST = 50, 14  # words: of a piece without punctuation, and before a cut
_FULL = 300  # characters, behind which no fragment is put
_FRAGMENT = 2  # words: "I paint. Watercolours."; a name or number may be longer: "19 Hoe Road."
_LONGEST_QUESTION = 16  # words, where only its first word says that it is one
_SHORTEST_QUESTION = 3
_LEAD = 4  # words, of which the first that is more than a start says whether it is a question
_LONGEST_IDLE = 16
_TWO_JOINED = 3  # words
_NEAR = 4  # pieces between a value and what puts it right
_SOON = timedelta(hours=1)  # the same, in a chat
_SECOND_THOUGHT = 6  # words of “Sorry, I meant the blue one.”, said right after what it takes back
_ECHO = 4  # words of a question that only says again what was said: “Anja?”
_BIT = 4  # words of what is dictated at once
_FEWEST_OF_NEWS = 2  # words of “Your results are in, kidneys are fine.”
_OPENING, _OWN_OPENING = 5, 3  # words beside courtesies with which an agent takes a call: who it is
_FEWEST_OF_AGENT = 2  # words that say something
_TO_ANSWER = 2  # sentences at a turn's end, among which a question waits for its answer
_ANSWER = 12  # words of an answer, sentences together
_NEEDS_ITS_QUESTION = 5  # words that say something
_MINE = 2  # the same, of what goes on: "For my uncle, he's a bit deaf."
_NEEDS_IT_UNLESS_OWN = 12  # the same, where nobody speaks of themselves
_ENDS = re.compile(r"[.!?…。！？][\"'”’»)]*\s*$")
_MARKED = re.compile(r"[?？][\"'”’»)]*\s*$")  # as a question
_CLAUSE_ENDS = re.compile(r"[,;:.!…]\s|\s[-–—]\s")
_LAST_LETTERS = re.compile(r"[\w)\"'”’»]\s*$")


class Piece(Struct, frozen=True):
    """`question` is the other party's, when this is the answer, and `led_by` what the speaker said before
    that; `place` is from 0 to 1. `replies`: it begins what was said to a question. `thin` says next to
    nothing but as an answer; an agent's question does with its “yes” or “no” alone. `also` are the positions
    of other messages that hold words of it."""

    position: int
    said_by: Speaker
    said_at: datetime
    text: str
    place: float
    question: str = ""
    led_by: str = ""
    asks: bool = False
    replies: bool = False
    idle: bool = False
    thin: bool = False
    also: tuple[int, ...] = ()


def pieces(messages: Iterable[Message], manner: Manner) -> list[Piece]:
    """Return the pieces that say something. Where positions are missing, what follows answers no question
    before them."""
    there = list(messages)
    said = spoken(there)
    cut = [
        piece
        for number, message in enumerate(said)
        for piece in _of(message, number / max(1, len(said)), manner)
    ]
    cut = _with_unmarked_questions(cut, manner)
    positions = frozenset(one.position for one in there)
    telling = _corrected((piece for piece in _paired(cut, manner, positions) if not piece.idle), manner)
    telling = _without_echoes(telling, manner)
    short = (_short(piece, manner) for piece in telling if piece.question or not piece.thin)
    return [piece for piece in short if not _is_only_called(piece, cut, manner)]


def _with_unmarked_questions(cut: Iterable[Piece], manner: Manner) -> list[Piece]:
    """“puedo tomar paracetamol” asks where “sí, puede” follows, but where it was asked for itself."""
    turns = [list(turn) for _, turn in groupby(cut, key=lambda piece: piece.said_by)]
    for before, turn, behind in zip(turns, turns[1:], turns[2:], strict=False):
        last = turn[-1]
        if not (before[-1].asks or last.asks) and manner.yes_no.match(behind[0].text):
            told = " ".join(dropwhile(lambda word: _leads(word, manner), words(last.text)))
            turn[-1] = replace(last, asks=manner.may_ask.match(told) is not None)
    return [piece for turn in turns for piece in turn]


def _is_only_called(piece: Piece, cut: Sequence[Piece], manner: Manner) -> bool:
    """Tell whether nothing but a name to call is left: of “Thank you, doctor.” only “doctor.”"""
    if piece.question or len(words(piece.text)) != 1:
        return False
    whole = next(
        (one.text for one in cut if one.position == piece.position and one.text.endswith(piece.text)), ""
    )
    before = " ".join(words(whole.removesuffix(piece.text)))
    return bool(before) and manner.greetings.fullmatch(before) is not None


def content_words(text: str, manner: Manner) -> list[str]:
    """Return the words that say something, in the order said."""
    return [word for word in words(text) if word not in manner.function_words]


def _of(message: Message, place: float, manner: Manner) -> Iterator[Piece]:
    said_by: Speaker = "user" if message.role == "user" else "agent"
    opens = not place
    for number, text in enumerate(_joined(_cut(message.content, said_by, manner), manner)):
        asks = _asks(text, manner)
        idle = _is_idle(text, manner)
        opens = opens and _is_opening(text, manner) and not (number and _tells_news(text, manner))
        thin = said_by == "agent" and (asks or opens or _is_thin(text, manner))
        yield Piece(message.position, said_by, message.said_at, text, place, asks=asks, idle=idle, thin=thin)


def _is_opening(text: str, manner: Manner) -> bool:
    """“Harbor Physio, Robin speaking.” only takes a call."""
    if manner.established.search(text):
        return False
    said = words(without_courtesies(text, manner))
    ends = (at for at in range(min(len(said), _OPENING + 1)) if is_courtesy(" ".join(said[at:]), manner))
    said = said[: next(ends, len(said))]
    most = _OPENING if manner.first_person.isdisjoint(said) else _OWN_OPENING
    return len([word for word in said if word not in manner.idle_words]) <= most


def _tells_news(text: str, manner: Manner) -> bool:
    """“Mrs Hill? Elm Road here. Your results are in, the kidneys are fine.”, not “This is Harbor Physio.”"""
    told = (word for word in text.split() if word[:1].islower())
    said = [word for word in content_words(" ".join(told), manner) if word not in manner.idle_words]
    return len(said) >= _FEWEST_OF_NEWS


def _cut(content: str, said_by: Speaker, manner: Manner) -> Iterator[str]:
    sentences = split(content)
    if said_by == "user":
        sentences = [part for sentence in sentences for part in _told_and_asked(sentence, manner)]
    for sentence in sentences:
        said = sentence.split()
        start = 0
        if len(said) > _LONG:
            for at, word in enumerate(said):
                if at - start >= _FEWEST and word.lower() in manner.joints:
                    yield " ".join(said[start:at])
                    start = at
        yield " ".join(said[start:])


def _told_and_asked(sentence: str, manner: Manner) -> tuple[str, ...]:
    """Part what lasts from the question behind it: of “I'm allergic to nuts, is that all right?” the answer
    is no more than that of the question."""
    if not _MARKED.search(sentence):
        return (sentence,)
    told, _, asked = sentence.rpartition(", ")
    if manner.tags.fullmatch(asked):  # “you've got that written down, haven't you?”
        told, _, last = told.rpartition(", ")
        asked = f"{last}, {asked}"
    lasts = _tells_what_lasts(told, manner) and not _denied(sentence, manner)
    return (told, asked) if lasts else (sentence,)


def _tells_what_lasts(text: str, manner: Manner) -> bool:
    said = words(text)
    if manner.first_person.isdisjoint(said) or _first_telling(said, manner) in manner.asking:
        return False
    return manner.lasting.search(text) is not None and manner.supposing.search(text) is None


def _joined(texts: Iterable[str], manner: Manner) -> list[str]:
    joined: list[str] = []
    for text in texts:
        plain = without_hesitations(text, manner)
        if not any(character.isalnum() for character in plain):
            continue
        if joined and _belongs(
            plain, joined[-1], manner, corrects=manner.corrections.match(text) is not None
        ):
            joined[-1] = f"{joined[-1]} {plain}"
        else:
            joined.append(plain)
    return joined


def _belongs(text: str, before: str, manner: Manner, *, corrects: bool) -> bool:
    if (corrects or manner.corrections.match(text)) and not before.endswith(("?", "？")):
        return True
    said = words(text)
    short = word_count(text) <= _FRAGMENT or (len(said) <= _BIT and _is_name_or_number(said, manner))
    short = short and not text.endswith(("?", "？"))
    return short and len(before) <= _FULL and not _is_idle(text, manner) and not _is_idle(before, manner)


def _asks(text: str, manner: Manner) -> bool:
    if text.rstrip("\"'”’» ").endswith(("?", "？")):
        return True
    replied = manner.yes_no.match(text)
    said = words(text[replied.end() :] if replied else text)
    wondered = manner.wonders.match(" ".join(said))
    if wondered is not None and manner.joints.isdisjoint(words(" ".join(said)[wondered.end() :])):
        return True  # “I wanted to know whether he came”, not “… and he did”
    bare = _LAST_LETTERS.search(text) is not None and _SHORTEST_QUESTION <= len(said) < _LONGEST_QUESTION
    if not bare or manner.changes.match(text):  # "já comeu" asks, "já não como" does not
        return False
    if replied and said[0] in manner.referring:  # "ja das dürfen sie"
        return False
    return _first_telling(said, manner) in manner.asking


def _first_telling(said: Sequence[str], manner: Manner) -> str:
    """Skip what may lead to a question: “okay and can you”."""
    return next((word for word in said[:_LEAD] if not _leads(word, manner)), "")


def _leads(word: str, manner: Manner) -> bool:
    leads = word in manner.joints or word in manner.idle_words
    return leads and word not in manner.asking and word not in manner.first_person


def _is_idle(text: str, manner: Manner) -> bool:
    said = words(text)
    if all(word in manner.idle_words for word in said) and not _names_two(said, manner):
        return True
    if len(said) > _LONGEST_IDLE:
        return False
    led_to = " ".join(dropwhile(manner.idle_words.__contains__, said))  # "lovely anything else"
    is_said_so = manner.idle.search(" ".join(said)) or manner.offers.search(led_to)
    return is_said_so is not None or is_courtesy(text, manner)


def _names_two(said: Sequence[str], manner: Manner) -> bool:
    """“Morning and night.” says when, “morning” and “night” greet."""
    return len(said) == _TWO_JOINED and said[1] in manner.joints and said[0] != said[2]


def _is_thin(text: str, manner: Manner) -> bool:
    """“How lovely.” and “I'm glad it's better.” say next to nothing, “Your parcel is in.” enough."""
    if any(character.isdigit() for character in text):
        return False
    telling = set(content_words(_led_to(text, manner), manner)) - manner.idle_words
    fewest = 1 if manner.arrived.search(text) else _FEWEST_OF_AGENT
    return len(telling) < fewest or is_sympathy(text, manner)


def _led_to(text: str, manner: Manner) -> str:
    opener = manner.openers.match(text)
    return text[opener.end() :] if opener and opener.end() < len(text) else text


def _paired(cut: Sequence[Piece], manner: Manner, there: frozenset[int]) -> Iterator[Piece]:
    asked: Piece | None = None
    before = last = ""  # the turn before, and this one
    heard: frozenset[str] = frozenset()
    behind: list[Piece] = []  # what follows the question in its turn, and waits with it
    for _, turn in groupby(_telling(cut, manner), key=lambda piece: piece.said_by):
        said = _dictated(turn)
        led_by, before, last = before, last, " ".join(piece.text for piece in said)
        follows = asked is not None and there.issuperset(range(asked.position, said[0].position))
        said = _with_echo(said, heard, manner, answers=follows)
        heard = frozenset(word for piece in said for word in words(piece.text))
        answer = _answer(said, manner) if follows else []
        if asked is not None and answer:
            text = " ".join(piece.text for piece in answer)
            yield from behind
            yield replace(answer[0], text=text, question=asked.text, led_by=led_by, asks=False, idle=False)
            said = [piece for piece in said if piece not in answer]
        elif asked is not None:
            yield replace(asked, thin=asked.thin and manner.yes_no.match(said[0].text) is None)
            yield from behind
            said = [replace(piece, replies=not number) for number, piece in enumerate(said)]
        before_each = (led_by, *(piece.text for piece in said))
        said = [replace(piece, led_by=led) for led, piece in zip(before_each, said, strict=False)]
        asked = _left_to_answer(said)
        place = next((place for place, piece in enumerate(said) if piece is asked), len(said))
        yield from said[:place]
        behind = said[place + 1 :]
    if asked is not None:
        yield asked
    yield from behind


def _with_echo(said: list[Piece], heard: frozenset[str], manner: Manner, *, answers: bool) -> list[Piece]:
    """“Is your daughter coming?” – “Anja? She's in Spain.” and “At ten.” – “Ten? Fine.” ask nothing."""
    first, *rest = said
    asked = words(first.text)
    is_brief = first.asks and len(asked) <= _ECHO and manner.asking.isdisjoint(asked[:1])
    is_echo = is_brief and (answers or heard.issuperset(content_words(first.text, manner)))
    if not is_echo or not rest or rest[0].asks or rest[0].position != first.position:
        return said
    return [replace(rest[0], text=f"{first.text} {rest[0].text}", idle=False), *rest[1:]]


def _left_to_answer(said: Sequence[Piece]) -> Piece | None:
    """Return the question at a turn's end, or one with its mark before one more sentence: “Can he come, too?
    He hears well.”"""
    marked = (piece for piece in said[-_TO_ANSWER:-1] if _MARKED.search(piece.text))
    return next((piece for piece in (*said[-1:], *marked) if piece.asks and not piece.idle), None)


def _telling(cut: Sequence[Piece], manner: Manner) -> Iterator[Piece]:
    """Drop the agent's signs of listening, but not its yes: of “Exactly. For the …” the rest alone is no
    answer."""
    asked = False
    for piece in cut:
        heard = piece.said_by == "user"
        answers = asked and not is_courtesy(piece.text, manner)
        if heard or piece.asks or answers or not piece.idle:
            yield piece
        asked = heard and (piece.asks or asked)


def _corrected(said: Iterable[Piece], manner: Manner) -> list[Piece]:
    """“Sorry, K7 4 9 8.” stays with the number that it puts right, “eighteen, not twelve” with the twelve.
    What only repeats the wrong one goes."""
    kept: list[Piece] = []
    for piece in said:
        wrong = _put_right(kept, piece, manner)
        if wrong is None:
            kept.append(piece)
        else:
            after = [one for one in kept[wrong + 1 :] if not _repeats(one, kept[wrong], manner)]
            kept[wrong:] = [_put_together(kept[wrong], piece), *after]
    return kept


def _put_together(wrong: Piece, piece: Piece) -> Piece:
    others = {*wrong.also, *piece.also, piece.position} - {wrong.position}
    return replace(wrong, text=f"{wrong.text} … {piece.text}", also=tuple(sorted(others)))


def _put_right(kept: Sequence[Piece], piece: Piece, manner: Manner) -> int | None:
    if piece.question or piece.asks:
        return None
    corrects, wrong = manner.corrections.match(piece.text) is not None, _denied(piece.text, manner)
    near = range(max(len(kept) - _NEAR, 0), len(kept))
    mine = [at for at in near if _may_be_meant(kept[at], piece)][::-1]
    if wrong and _takes_the_place(piece, wrong, manner):
        named = (at for at in mine if wrong.issubset(words(kept[at].text)))
        return next((at for at in named if not _is_built_upon(kept, at, wrong, manner)), None)
    numbers = _numbers(piece.text) if corrects else set[str]()
    spelled = next((at for at in mine if numbers & _numbers(kept[at].text)), None) if numbers else None
    return _second_thought(kept, piece, mine, manner) if spelled is None else spelled


def _may_be_meant(before: Piece, piece: Piece) -> bool:
    return before.said_by == piece.said_by and not before.asks and piece.said_at - before.said_at < _SOON


def _takes_the_place(piece: Piece, wrong: Iterable[str], manner: Manner) -> bool:
    """“I need eighteen, not twelve” and “the blue one, not the red” do, “so I come by bus, not car” may be
    about another matter."""
    is_value = bool(_kinds(wrong, manner))
    return is_value or _is_corrected(piece.text, manner) or manner.first_person.isdisjoint(words(piece.text))


def _is_corrected(text: str, manner: Manner) -> bool:
    return any(pattern.match(text) for pattern in (manner.corrections, manner.second_thoughts))


def _kinds(said: Iterable[str], manner: Manner) -> set[str]:
    return {
        kind
        for word in said
        if manner.value.fullmatch(word)  # most words are none
        for kind, values in manner.values.items()
        if values.fullmatch(word)
    }


def _second_thought(kept: Sequence[Piece], piece: Piece, mine: Sequence[int], manner: Manner) -> int | None:
    """Return what was said right before, where the other only repeated it: few words then mean it. A question
    of one's own in the same turn parts nothing: “On Monday. Is that all right? Sorry, I meant Tuesday.”"""
    if not mine or len(words(piece.text)) > _SECOND_THOUGHT:
        return None
    before = kept[mine[0]]
    between = [one for one in kept[mine[0] + 1 :] if not (one.asks and one.position == piece.position)]
    corrects = manner.corrections.match(piece.text) or (between and _has_another_value(piece, before, manner))
    return mine[0] if corrects and all(_repeats(one, before, manner) for one in between) else None


def _has_another_value(piece: Piece, before: Piece, manner: Manner) -> bool:
    """“Forty-two.” or “actually, on Friday” for “forty” or “on Monday”, but no “at seven” for “a table for
    four”."""
    rather = manner.second_thoughts.match(piece.text)
    said, there = words(piece.text[rather.end() :] if rather else piece.text), words(before.text)
    same = _kinds(said, manner) & _kinds(there, manner)
    idle = manner.idle_words - manner.function_words
    rest = {word for word in said if not _kinds([word], manner)} - set(there) - idle
    return bool(same) and (rather is not None or not rest)


def _denied(text: str, manner: Manner) -> frozenset[str]:
    """Return what is taken back for another: “twelve” of “eighteen, not twelve”."""
    found = manner.denials.search(text)
    if found is None or (found["instead"] and _goes_on_to_deny(found, manner)):
        return frozenset()
    wrong = frozenset(content_words(found["was"], manner))
    said = frozenset(content_words(text, manner)) - wrong - manner.idle_words
    return wrong if said else frozenset()


def _goes_on_to_deny(found: re.Match[str], manner: Manner) -> bool:
    """“I'm not in Leeds” and “el viernes no estoy en Leeds” do, “eighteen not twelve” does not."""
    joining = manner.function_words | manner.referring | manner.first_person
    was = words(found["was"])
    return found["instead"].lower() in joining or len(was) - len(content_words(found["was"], manner)) > 1


def _is_built_upon(kept: Sequence[Piece], at: int, wrong: frozenset[str], manner: Manner) -> bool:
    """Tell whether more was said of what turns out to be wrong: behind its correction, it would mislead."""
    after = (one for one in kept[at + 1 :] if not wrong.isdisjoint(words(one.text)))
    return any(not _repeats(one, kept[at], manner) for one in after)


def _repeats(piece: Piece, before: Piece, manner: Manner) -> bool:
    """“Right, twelve.” says nothing but what the other said."""
    if piece.said_by == before.said_by or piece.question or piece.asks:
        return False
    told = " ".join(part for part in _CLAUSE_ENDS.split(piece.text) if not _is_idle(part, manner))
    return set(content_words(told, manner)) - manner.idle_words <= set(words(before.text))


def _without_echoes(said: Sequence[Piece], manner: Manner) -> list[Piece]:
    """Drop the agent's “Sixth of June, super.” behind “It's the sixth of June.” where the user puts something
    right later: it would stand alone, and hold."""
    near = (said[max(0, number - _NEAR) : number] for number in range(len(said)))
    echoes = {number for number, before in enumerate(near) if _is_echo(said[number], before, manner)}
    if not echoes:
        return [*said]
    last = max((number for number, one in enumerate(said) if _puts_right(one, manner)), default=0)
    return [piece for number, piece in enumerate(said) if number not in echoes or number > last]


def _is_echo(piece: Piece, near: Sequence[Piece], manner: Manner) -> bool:
    """Tell whether an agent's piece has no word but those of one of the user's: “no” would be one."""
    if piece.said_by == "user":
        return False
    telling = set(content_words(piece.text, manner)) - manner.idle_words  # most pieces have one of their own
    users = (one for one in near if one.said_by == "user" and telling.issubset(words(one.text)))
    heard = [set(words(one.text)) for one in users if not one.asks and _repeats(piece, one, manner)]
    if not heard:
        return False
    told = " ".join(part for part in _CLAUSE_ENDS.split(piece.text) if not _is_idle(part, manner))
    return any(one.issuperset(words(told)) for one in heard)


def _puts_right(piece: Piece, manner: Manner) -> bool:
    is_users = piece.said_by == "user" and not piece.asks
    return is_users and (_is_corrected(piece.text, manner) or bool(_denied(piece.text, manner)))


def _numbers(text: str) -> set[str]:
    return {word for word in words(text) if any(character.isdigit() for character in word)}


def _dictated(turn: Iterable[Piece]) -> list[Piece]:
    """Join bits like “seven one five”, “one three nine”."""
    joined: list[Piece] = []
    for piece in turn:
        if joined and _goes_on(joined[-1], piece):
            joined[-1] = replace(joined[-1], text=f"{joined[-1].text} {piece.text}")
        else:
            joined.append(piece)
    return joined


def _goes_on(before: Piece, piece: Piece) -> bool:
    bare = (
        piece.position != before.position and not _ENDS.search(before.text) and not _ENDS.search(piece.text)
    )
    long = len(piece.text.split()) > _BIT or len(before.text.split()) > _LONG
    return bare and not (long or piece.idle or piece.asks or before.idle or before.asks)


def _answer(said: Sequence[Piece], manner: Manner) -> list[Piece]:
    """Return the beginning of a turn that needs the question to be understood."""
    answer: list[Piece] = []
    length = 0
    for piece in said:
        length += len(piece.text.split())
        if piece.asks or (answer and (length > _ANSWER or _takes_back_more(piece, answer, manner))):
            break
        answer.append(piece)
    answer = _without_courtesies(answer, manner)
    if _needs_its_question(answer, manner):
        return answer
    first = answer[:1]
    return first if any(_begins_with_an_answer(piece, manner) for piece in first) else []


def _takes_back_more(piece: Piece, answer: Sequence[Piece], manner: Manner) -> bool:
    """“Raspberry. Oh, and eighteen, not twelve.” puts right what was said before the question."""
    said = {word for one in answer for word in words(one.text)}
    wrong = _denied(piece.text, manner)
    return bool(wrong) and wrong.isdisjoint(said)


def _begins_with_an_answer(piece: Piece, manner: Manner) -> bool:
    """“Oat milk, because I can't have any other.” does: before it goes on, it names what was asked for."""
    led_to = _led_to(piece.text, manner)
    if any(manner.yes_no.match(text) for text in (piece.text, led_to)):
        return len(content_words(piece.text, manner)) <= _NEEDS_IT_UNLESS_OWN
    said = words(_first_clause(led_to, manner))
    most = _NEEDS_ITS_QUESTION if manner.first_person.isdisjoint(said) else _MINE
    return len(content_words(" ".join(said), manner)) <= most


def _first_clause(text: str, manner: Manner) -> str:
    """Return what stands before the first mark or the word that goes on; of what has no punctuation, the
    first words that say something."""
    mark = _CLAUSE_ENDS.search(text)
    said = (text[: mark.start()] if mark else text).split()
    going_on = manner.joints | manner.apart | manner.first_person
    if mark is None and _LAST_LETTERS.search(text):
        going_on |= manner.function_words
    telling = (at for at, word in enumerate(said) if word.lower() not in manner.function_words)
    first = next(telling, len(said))
    ends = (at for at, word in enumerate(said) if at > first and word.lower() in going_on)
    return " ".join(said[: next(ends, len(said))])


def _needs_its_question(answer: Sequence[Piece], manner: Manner) -> bool:
    text = " ".join(piece.text for piece in answer)
    telling = len(content_words(text, manner))
    own = not manner.first_person.isdisjoint(words(text))
    return telling <= (_NEEDS_ITS_QUESTION if own else _NEEDS_IT_UNLESS_OWN)


def _without_courtesies(answer: list[Piece], manner: Manner) -> list[Piece]:
    """Keep with a yes only what fills it in (“Yes. Penicillin.”), but for an agent, who says yes to what it
    goes on to say."""
    if answer and answer[0].idle:
        own = answer[0].said_by == "user"
        rest = takewhile(lambda piece: not own or _fills_in(piece, manner), answer[1:])
        return [answer[0], *(piece for piece in rest if not piece.idle)]
    return [piece for piece in answer if not piece.idle]


def _fills_in(piece: Piece, manner: Manner) -> bool:
    said = words(piece.text)
    return len(said) <= _BIT and not piece.asks and _is_name_or_number(said, manner)


def _is_name_or_number(said: Sequence[str], manner: Manner) -> bool:
    """Return False in a language of which we do not know what sentences are made."""
    return bool(manner.function_words) and manner.function_words.isdisjoint(said)


def _short(piece: Piece, manner: Manner) -> Piece:
    """Keep the yes and no of what is said to a question."""
    if piece.question:
        return piece
    text = piece.text
    while (match := manner.openers.match(text)) and match.end() < len(text):
        if piece.replies and manner.yes_no.match(text):
            break
        text = text[match.end() :]
    return replace(piece, text=text)
