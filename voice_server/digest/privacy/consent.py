"""What a caller does not want remembered: declined consent, words off the record. Pure. It reaches no digest,
with or without a model; the transcript keeps it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from msgspec.structs import replace

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.stems import words
from voice_server.digest.privacy import (
    errands,
    forget_patterns,
    forget_request,
    forgotten,
    granting,
    reach,
    telling,
)
from voice_server.digest.privacy.forget_patterns import Reach
from voice_server.digest.privacy.forget_request import ForgetRequest, Topic
from voice_server.digest.privacy.granting import AnsweredTurn
from voice_server.digest.privacy.time_taken import time_taken
from voice_server.domain.conversation import Conversation, Message

_SAYING_HOW_FAR: tuple[Reach, ...] = ("whole", "ahead", "entry")
CONSENT = "memory_consent"  # the name of the flag
_DECLINED = frozenset(
    """false no n 0 off none never declined denied refused rejected withdrawn revoked opt-out opted-out nein
    non nee não""".split()
)

_CLAUSE = re.compile(r"[^,;.!?]+")
_NAMES_DAYS = WEEKDAYS_OF_ALL | MONTHS_OF_ALL
_BEFORE = 4  # messages before a turn, of which those of the user may speak of a present
_DOUBT = 4  # words of “Should I really?”, “Are you sure?”
_LEADS, _GO_ON = 2, 3  # turns that a wish may begin in, and words of the “Yes?” between them
_Message = TypeVar("_Message", bound=Message)

LONGEST_TURN = 20_000  # characters that are looked at: nobody says more in one turn


def declined(*flags: Mapping[str, object]) -> bool:
    """Tell whether collected values or dynamic variables decline to be remembered."""
    said = [_plain(value) for names in flags for name, value in names.items() if _plain(name) == CONSENT]
    return any(value in _DECLINED for value in said)


def withheld(messages: Sequence[Message], understood: frozenset[int] = frozenset()) -> frozenset[int]:
    """Return positions of messages that are not to be remembered: the asking turn, and what shares a content
    stem with a topic that it names (“what I said about my heart”). Where it names none, or nobody spoke of it
    before: what it points to (the user's turn before, the next, or both; neither when it tells the secret
    itself), and the agent's answers, which may repeat it. Where somebody else has `understood` which turns
    are private (their positions), a wish that names nothing means those, if they are between the wish before
    and this one."""
    talk, wishes = reach.WishTalk(messages), [*_wishes(messages)]
    places = [-1, *(asked.place for asked in wishes)]
    meant = (
        asked
        for asked, before in zip(wishes, places, strict=False)
        if not _is_understood(asked, messages, range(before + 1, asked.place), understood)
    )
    return understood | frozenset(messages[i].position for asked in meant for i in talk.meant(asked))


def _is_understood(
    asked: ForgetRequest, messages: Sequence[Message], since: range, understood: frozenset[int]
) -> bool:
    """Tell whether somebody else knows what a wish means that only points to it: its turn, and one of the
    user's between the wish before and this one."""
    only_points = not asked.topics and all(wish.reaches not in _SAYING_HOW_FAR for wish in asked.wishes)
    if not only_points or messages[asked.place].position not in understood:
        return False
    return any(messages[i].role == "user" and messages[i].position in understood for i in since)


def _wishes(messages: Sequence[Message]) -> Iterator[ForgetRequest]:
    for place, message in enumerate(messages):
        if message.role == "user":
            wishes = [*_wished_at(place, messages)]
            if wishes and not _is_taken_back(wishes[-1], messages[place + 1 : place + 3]):
                yield from wishes


def _wished_at(place: int, messages: Sequence[Message]) -> Iterator[ForgetRequest]:
    asked = forget_request.asking(place, _line(messages[place]))
    if (asked is None or not asked.topics) and (led := _led_to(place, messages)):
        yield led
    if asked := asked or _granted(place, messages):
        yield asked


def _is_taken_back(asked: ForgetRequest, then: Sequence[Message]) -> bool:
    """“Please delete that. Oh no, keep it.”, and “Should I really?” – “No, leave it.”; not where the agent
    asks about anything else, or has agreed already."""
    if forget_patterns.says_to_keep(asked.line[max(wish.end for wish in asked.wishes) :]):
        return True
    if [one.role for one in then] != ["agent", "user"]:
        return False
    question, reply = map(_line, then)
    said = words(question)
    is_doubt = len(said) <= _DOUBT and not forget_patterns.doubting().isdisjoint(said)
    return question.endswith("?") and is_doubt and forget_patterns.keeps_after_all(reply)


def _led_to(place: int, messages: Sequence[Message]) -> ForgetRequest | None:
    """Read “What I told you about Ben and the money...” – “Yes?” – “Forget it.” as one wish, where it
    begins."""
    begun = messages[max(0, place - _LEADS) : place]
    if [one.role for one in begun] != ["user", "agent"] or len(begun[1].content.split()) > _GO_ON:
        return None
    led, said = _line(begun[0]).rstrip(" .…"), _line(messages[place])
    if len(led) + len(said) > LONGEST_TURN or forget_request.asking(place, led) is not None:
        return None
    if _goes_on(said) or not _NAMES_DAYS.isdisjoint(words(led)):
        return None  # “What I said about Friday...” – “Yes?” – “Forget that, make it Saturday.”
    asked = forget_request.asking(place - _LEADS, f"{led}, {said}")
    language = asked.spaced_language() if asked is not None else None
    is_of_it = language is not None and (language.told_another_time(led) or language.refers(led))
    return asked if asked is not None and (asked.topics or is_of_it) else None


def _goes_on(said: str) -> bool:
    """Tell whether somebody ends with more than a wish: “Forget that, make it Saturday.”"""
    *wish, last = [one for one in _CLAUSE.findall(said) if one.strip()] or [""]
    tells = telling.tells(last) or not _NAMES_DAYS.isdisjoint(words(last))
    return bool(wish) and tells and not forget_patterns.find(last)


def _granted(place: int, messages: Sequence[Message]) -> ForgetRequest | None:
    answer = next((one for one in messages[place + 1 : place + 2] if one.role == "agent"), None)
    if answer is None:
        return None
    line, reply = _line(messages[place]), "".join(map(_line, messages[place + 2 : place + 3]))
    earlier = [_line(one) for one in messages[max(0, place - _BEFORE) : place] if one.role == "user"]
    wish = granting.granted(AnsweredTurn(line, _line(answer), reply, " ".join(earlier)))
    return forget_request.asked_for(place, line, (wish,)) if wish else None


def topics(
    messages: Sequence[Message], earlier: Sequence[Sequence[Message]] = ()
) -> dict[tuple[str, ...], datetime]:
    """Return the topics that other conversations must not tell, as hashes of their stems, and when each was
    last wished for. `earlier` are the messages of the latest ones, newest first."""
    talk = reach.WishTalk(messages)
    wished = dict[tuple[str, ...], datetime]()
    for asked in _wishes(messages):
        for one in talk.of_earlier(asked, earlier):
            if stems := _stems(one):
                wished[tuple(sorted(map(forgotten.hashed, stems)))] = messages[asked.place].said_at
    return wished


def _stems(topic: Topic) -> frozenset[str]:
    if topic.in_digits:
        return frozenset(map(forgotten.of_number, topic.stems))
    return forgotten.of_entry(topic.stems, topic.entry) if topic.entry else topic.stems


def asks_of_earlier(messages: Sequence[Message]) -> bool:
    """Tell whether a wish may mean what an earlier conversation tells."""
    return any(asked.is_of_another_call() for asked in _wishes(messages))


def asks_for_name(messages: Sequence[Message]) -> bool:
    """Tell whether a wish speaks of a name."""
    return any(forget_patterns.speaks_of_name(asked.line) for asked in _wishes(messages))


def may_ask(message: Message) -> bool:
    """Tell whether a user's message holds a wish to forget."""
    return message.role == "user" and forget_request.asking(0, _line(message)) is not None


def kept(messages: Sequence[_Message], understood: frozenset[int] = frozenset()) -> tuple[_Message, ...]:
    secret = withheld(messages, understood)
    return tuple(message for message in messages if message.position not in secret)


def with_what_stays(messages: Sequence[Message], kept: Sequence[Message]) -> tuple[Message, ...]:
    """Add to what is `kept` of a conversation what each dropped turn says beside the secret: that it takes a
    time which was offered before (“Yeah, ten's good.”), or what it asks for (“Remind me on Friday.”), with
    the answer to that. Only a digest reads this: elsewhere a position stands for a whole message."""
    known = {one.position: one for one in kept}
    secret = _secret_of(one for one in messages if one.position not in known)
    told, asked = list[Message](), ""
    for offer, message in zip((None, *messages), messages, strict=False):
        if message.position in known:
            told.append(known[message.position])
            asked = ""
            continue
        said = message.content[:LONGEST_TURN]
        if message.role == "user":
            asked = errands.told_before_a_code(said) or errands.asked_besides(said, secret)
            stays = _time_taken(said, known.get(offer.position) if offer else None) or asked
        else:
            stays = errands.answered_besides(said, asked, secret) if asked else ""
        told += [replace(message, content=stays)] if stays else []
    return tuple(told)


def _secret_of(dropped: Iterable[Message]) -> str:
    said = (one.content[:LONGEST_TURN] for one in dropped if one.role == "user")
    return " ".join(errands.secret_of(one) for one in said if not errands.told_before_a_code(one))


def _time_taken(said: str, offer: Message | None) -> str:
    return time_taken(offer.content, said) if offer is not None and offer.role == "agent" else ""


def respected(conversation: Conversation) -> Conversation:
    """Drop what the platform understood, where that may tell what is withheld; else only the consent
    flags."""
    if conversation.declined or withheld(conversation.messages):
        return replace(conversation, summary="", collected={})
    return without_flags(conversation)


def without_flags(conversation: Conversation) -> Conversation:
    noted = {name: value for name, value in conversation.collected.items() if _plain(name) != CONSENT}
    return replace(conversation, collected=noted)


def _line(message: Message) -> str:
    return " ".join(message.content[:LONGEST_TURN].replace("’", "'").split())


def _plain(value: object) -> str:
    return str(value).strip().strip(".!").lower()
