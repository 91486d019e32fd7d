"""conversation.get: what was said around a message, on a day, or from one message to another.

What tools said, and what the user asked, then or later, not to be remembered, is left out. A part too long
for one answer ends with `next`: the arguments to go on with.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from voice_server.digest.privacy import consent
from voice_server.digest.privacy.forgotten import ForgetFilter
from voice_server.domain.conversation import Message, message_id, parse_message_id
from voice_server.store.conversations import transcripts
from voice_server.store.conversations.transcripts import Day, Owner, Place, Stretch
from voice_server.store.knowledge import forgotten
from voice_server.tools import bounds, speech
from voice_server.tools.bounds import MessageId, RowId
from voice_server.tools.tool import Answer, Caller, Tool, ToolContext

_NEIGHBOURS = 3  # messages before the one that was asked for, and as many after it
_LONGEST = 2000  # characters of one message: no answer holds more
_READ = 2 * _LONGEST  # characters of it that are read: enough to see that it is longer, and what it is up to
_MOST = 40  # messages looked at: no answer holds more
_CONVERSATIONS = 200
_SAID = ("user", "agent")
_NOTHING = "I find nothing under that in what we talked about before."

DESCRIPTION = """\
Read on around something that conversation_search found: give its message_id for the words before and after \
it, or its day_segment_id for the summary of that day. To go on reading, give what the last answer has under \
`next`.
Do NOT call it before a search, when the snippet already answers the caller, or to read whole conversations: \
it counts as a look-up. Never read out what you get: say it in your own words."""


class GetArguments(Struct, frozen=True):
    message_id: Annotated[
        MessageId | None, Meta(description="Of a search result: the message with its neighbours")
    ] = None
    day_segment_id: Annotated[
        RowId | None, Meta(description="Of a search result: the summary of that day")
    ] = None
    from_message_id: Annotated[
        MessageId | None,
        Meta(description="What was said from this message on; see `next` of the last answer"),
    ] = None
    to_message_id: Annotated[MessageId | None, Meta(description="… and up to this one")] = None

    def __post_init__(self) -> None:
        bounds.check(self)
        if self.message_id is None and self.day_segment_id is None and self.from_message_id is None:
            raise ValueError("give message_id, or day_segment_id, or from_message_id")
        if self.message_id is not None and self.from_message_id is not None:
            raise ValueError("give message_id or from_message_id, not both")
        if self.to_message_id is not None and self.from_message_id is None:
            raise ValueError("to_message_id needs from_message_id")


class _PlacedMessage(Struct, frozen=True):
    place: Place
    message: Message

    @property
    def id(self) -> str:
        return message_id(self.place.conversation_id, self.place.position)


async def run(caller: Caller, asked: GetArguments, context: ToolContext) -> Answer:
    hidden = ForgetFilter(await forgotten.topics(context.connection, caller.user_id), caller.timezone)
    reader = _Reader(context, Owner(caller.user_id, caller.agent_id), hidden)
    if asked.message_id is not None:
        answer = await reader.around(_place(asked.message_id))
    elif asked.from_message_id is None and asked.day_segment_id is not None:
        answer = await reader.day(asked.day_segment_id)
    else:
        answer = await reader.from_on(asked)
    return answer or {**TOOL.nothing, "say": _NOTHING}


class _Reader(Struct, frozen=True):
    context: ToolContext
    whose: Owner
    hidden: ForgetFilter

    @property
    def _zone(self) -> tzinfo | None:
        """The user's zone: a model takes the day from what it reads."""
        return self.context.now.tzinfo

    async def around(self, place: Place) -> Answer | None:
        said = await self._said(place.conversation_id)
        middle = next((index for index, one in enumerate(said) if one.place == place), None)
        if middle is None:
            return None
        return await asyncio.to_thread(self._window, said, middle)

    def _window(self, said: Sequence[_PlacedMessage], middle: int) -> Answer:
        first = max(middle - _NEIGHBOURS, 0)
        told = [_told(one, self._zone) for one in said[first : middle + _NEIGHBOURS + 1]]
        for reach in range(_NEIGHBOURS, -1, -1):
            end = middle + reach + 1
            window = told[max(middle - reach, 0) - first : end - first]
            answer = {"messages": window, **_going_on(said[end : end + 1])}
            if self.context.fits(answer):
                return answer
        return self._cut(said[middle], _going_on(said[middle + 1 : middle + 2]))

    async def day(self, id_: int) -> Answer | None:
        day = await transcripts.day(self.context.connection, self.whose, id_)
        if day is None or not day.summary.strip() or self.hidden.on(day.day, day.summary):
            return await self._told(day.stretch, day) if day else None
        lines = await asyncio.to_thread(_lines, day)
        if self.context.fits(whole := _summary(day, lines, {}, self._zone)):
            return whole
        said = await self._stretch(day.stretch)
        more = _going_on(said[:1], day)
        return speech.first_that_fit(
            lines, lambda some: _summary(day, some, more, self._zone), self.context.fits
        )

    async def from_on(self, asked: GetArguments) -> Answer | None:
        """Read up to another message, or to the end of the day or of all."""
        day = None
        if asked.day_segment_id is not None:
            day = await transcripts.day(self.context.connection, self.whose, asked.day_segment_id)
            if day is None:
                return None
        stretch = replace(
            day.stretch if day else Stretch(),
            first=_place(asked.from_message_id),
            last=_place(asked.to_message_id) if asked.to_message_id else None,
        )
        return await self._told(stretch, day)

    async def _told(self, stretch: Stretch, day: Day | None) -> Answer | None:
        said = await self._stretch(stretch)
        return await asyncio.to_thread(self._piece, said, day, stretch.last) if said else None

    def _piece(self, said: Sequence[_PlacedMessage], day: Day | None, last: Place | None) -> Answer:
        def shape(some: Sequence[Answer]) -> Answer:
            following = said[len(some) : len(some) + 1]
            return {"messages": some, **_going_on(following, day, last)}

        told: list[Answer] = []
        for one in said[:_MOST]:  # one by one: telling takes longer than seeing whether it still fits
            told.append(_told(one, self._zone))
            if not self.context.fits(shape(told)):
                break
        answer = speech.first_that_fit(told, shape, self.context.fits)
        return answer if answer["messages"] else self._cut(said[0], _going_on(said[1:2], day, last))

    def _cut(self, said: _PlacedMessage, more: Mapping[str, Any]) -> Answer:
        told = _told(said, self._zone)

        def shape(characters: Sequence[str]) -> Answer:
            return {"messages": [{**told, "content": f"{''.join(characters).rstrip(' …')}…"}], **more}

        return speech.first_that_fit(told["content"], shape, self.context.fits)

    async def _stretch(self, stretch: Stretch) -> list[_PlacedMessage]:
        ids = await transcripts.conversations_in(
            self.context.connection, self.whose, stretch, limit=_CONVERSATIONS
        )
        found: list[_PlacedMessage] = []
        for id_ in ids:
            found += _within(await self._said(id_), stretch)
            if len(found) > _MOST:
                break
        return found

    async def _said(self, conversation_id: int) -> list[_PlacedMessage]:
        messages = await transcripts.said_in(
            self.context.connection, self.whose, conversation_id, longest=_READ
        )
        kept = await asyncio.to_thread(consent.kept, messages)  # a chat of years is one conversation
        told = kept
        if self.hidden:
            told = await asyncio.to_thread(self.hidden.kept, kept, of=conversation_id)
        return [
            _PlacedMessage(Place(conversation_id, one.position), one) for one in told if one.role in _SAID
        ]


def _within(said: Iterable[_PlacedMessage], stretch: Stretch) -> list[_PlacedMessage]:
    first, last = stretch.first, stretch.last
    return [
        one
        for one in said
        if not (first and one.place.conversation_id == first.conversation_id and one.place < first)
        and not (last and one.place.conversation_id == last.conversation_id and one.place > last)
        and not (stretch.since and one.message.said_at < stretch.since)
        and not (stretch.until and one.message.said_at > stretch.until)
    ]


def _told(said: _PlacedMessage, zone: tzinfo | None) -> Answer:
    return {
        "message_id": said.id,
        "role": said.message.role,
        "content": speech.told(said.message.content, _LONGEST),
        "created_at": _moment(said.message.said_at, zone),
    }


def _moment(at: datetime, zone: tzinfo | None) -> str:
    return at.astimezone(zone).isoformat(timespec="seconds")


def _lines(day: Day) -> list[str]:
    return [speech.told(line, _LONGEST) for line in day.summary.splitlines()]


def _summary(day: Day, lines: Sequence[str], more: Mapping[str, Any], zone: tzinfo | None) -> Answer:
    return {
        "day_segment_id": day.id,
        "day_label": speech.day_label(day.day),
        "summary_markdown": "\n".join(lines),
        "updated_at": _moment(day.updated_at, zone),
        **more,
    }


def _going_on(
    following: Sequence[_PlacedMessage], day: Day | None = None, last: Place | None = None
) -> Mapping[str, Any]:
    if not following:
        return {}
    more: dict[str, Any] = {"from_message_id": following[0].id}
    if last is not None:
        more["to_message_id"] = message_id(last.conversation_id, last.position)
    return {"next": {"day_segment_id": day.id, **more} if day else more}


def _place(id_: str | None) -> Place:
    """Return a place that is nowhere for a malformed id."""
    return Place(*(parse_message_id(id_ or "") or (0, 0)))


TOOL = Tool("conversation.get", DESCRIPTION, GetArguments, run, {"messages": []})
